// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No buffer is overwritten as a whole: that its content is not needed from turn
// to turn follows from where it is allocated.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %z = arith.constant 5 : i32
  scf.for %o = %c0 to %c2 step %c1 {
    %x = memref.alloc() : memref<8xi32>
    %y = memref.alloc() : memref<8xi32>
    %w = memref.alloc() : memref<8xi32>
    scf.for %i = %c0 to %c7 step %c1 {
      memref.store %z, %x[%i] : memref<8xi32>
    }
    scf.for %k = %c0 to %c2 step %c1 {
      %t = memref.alloc() : memref<8xi32>
      scf.for %i = %c0 to %c7 step %c1 {
        %v = memref.load %x[%i] : memref<8xi32>
        memref.store %v, %t[%i] : memref<8xi32>
      }
      scf.for %i = %c0 to %c7 step %c1 {
        %v = memref.load %t[%i] : memref<8xi32>
        memref.store %v, %y[%i] : memref<8xi32>
      }
    }
    scf.for %i = %c0 to %c7 step %c1 {
      %v = memref.load %y[%i] : memref<8xi32>
      memref.store %v, %w[%i] : memref<8xi32>
    }
    scf.for %i = %c0 to %c7 step %c1 {
      %v = memref.load %w[%i] : memref<8xi32>
      vector.print %v : i32
    }
  }
  return
}
