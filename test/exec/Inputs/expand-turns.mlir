// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device function that allocates in each turn of loops, of constant size and of
// one that is less than 0 where the loop has no turn.
module attributes {gpu.container_module} {
gpu.module @m {
  func.func private @turns(%n: index, %t: index) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %zero = arith.constant 0 : i32
    %i = arith.index_cast %t : index to i32
    %less = arith.subi %n, %c1 : index
    %sum = scf.for %k = %c0 to %less step %c1 iter_args(%old = %zero) -> i32 {
      %a = memref.alloc(%less) : memref<?xi32>
      %m = arith.index_cast %k : index to i32
      %v = arith.addi %m, %i : i32
      scf.for %j = %c0 to %less step %c1 {
        memref.store %v, %a[%j] : memref<?xi32>
      }
      %b = memref.alloc() : memref<3xi32>
      linalg.fill ins(%old : i32) outs(%b : memref<3xi32>)
      %w = memref.load %a[%c0] : memref<?xi32>
      %x = memref.load %b[%c1] : memref<3xi32>
      %y = arith.addi %w, %x : i32
      memref.dealloc %a : memref<?xi32>
      memref.dealloc %b : memref<3xi32>
      scf.yield %y : i32
    }
    return %sum : i32
  }
  gpu.func @k(%out: memref<?xi32>, %n: index) kernel {
    %t = gpu.thread_id x
    %v = func.call @turns(%n, %t) : (index, index) -> i32
    memref.store %v, %out[%t] : memref<?xi32>
    gpu.return
  }
}
func.func private @printMemrefI32(memref<*xi32>)
func.func @host(%out: memref<?xi32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c5, %c1, %c1) args(%out : memref<?xi32>, %n : index)
  %any = memref.cast %out : memref<?xi32> to memref<*xi32>
  func.call @printMemrefI32(%any) : (memref<*xi32>) -> ()
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %out = memref.alloc(%c5) : memref<?xi32>
  func.call @host(%out, %c4) : (memref<?xi32>, index) -> ()
  func.call @host(%out, %c0) : (memref<?xi32>, index) -> ()
  return
}
}
