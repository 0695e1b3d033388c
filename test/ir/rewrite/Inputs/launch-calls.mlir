// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch whose body calls a function with workgroup memory.

!shared = memref<64xf32, #gpu.address_space<workgroup>>

func.func private @turn(%v: f32, %tid: index) -> f32 {
  %y = memref.alloc() : !shared
  memref.store %v, %y[%tid] : !shared
  gpu.barrier
  %a = memref.load %y[%tid] : !shared
  gpu.barrier
  return %a : f32
}

func.func @host(%v: f32, %out: memref<64xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
    %r = func.call @turn(%v, %tx) : (f32, index) -> f32
    memref.store %r, %out[%tx] : memref<64xf32>
    gpu.terminator
  }
  return
}
