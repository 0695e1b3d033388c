// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that two kernels call: one once, between phases of its own, the
// other in a loop, where it meets its own last run.

#workgroup = #gpu.address_space<workgroup>
!line = memref<64xi32, #workgroup>
!data = memref<256xi32>

gpu.module @kernels {
  func.func private @rotate(%t: index, %v: i32) -> i32 {
    %x = memref.alloc() : !line
    memref.store %v, %x[%t] : !line
    gpu.barrier
    %w = affine.load %x[(%t + 1) mod 64] : !line
    return %w : i32
  }
  gpu.func @once(%in: !data, %out: !data, %n: index) kernel {
    %t = gpu.thread_id x
    %v = memref.load %in[%t] : !data
    %y = memref.alloc() : !line
    memref.store %v, %y[%t] : !line
    gpu.barrier
    %a = affine.load %y[(%t + 5) mod 64] : !line
    %b = func.call @rotate(%t, %a) : (index, i32) -> i32
    %z = memref.alloc() : !line
    memref.store %b, %z[%t] : !line
    gpu.barrier
    %r = affine.load %z[(%t + 9) mod 64] : !line
    memref.store %r, %out[%t] : !data
    gpu.return
  }
  gpu.func @again(%in: !data, %out: !data, %n: index) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %v = memref.load %in[%t] : !data
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%u = %v) -> i32 {
      %w = func.call @rotate(%t, %u) : (index, i32) -> i32
      scf.yield %w : i32
    }
    memref.store %r, %out[%t] : !data
    gpu.return
  }
}
