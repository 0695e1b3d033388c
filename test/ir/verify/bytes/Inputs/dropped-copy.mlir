// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The copy from %a to %c is dropped while %b lives beside them.

// CHECK: memref.view {{.*}} {berth.buffer = 0 : i64} :
// CHECK: memref.view {{.*}} {berth.buffer = 1 : i64} :
// CHECK: memref.view {{.*}} {berth.buffer = 0 : i64, berth.keeps} :
func.func @work(%o: memref<8xi32>, %o2: memref<8xi32>) {
  %y = arith.constant 2 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  scf.for %i = %c0 to %c8 step %c1 {
    %x = arith.index_cast %i : index to i32
    memref.store %x, %a[%i] : memref<8xi32>
  }
  scf.for %i = %c0 to %c8 step %c1 {
    memref.store %y, %b[%i] : memref<8xi32>
  }
  %c = memref.alloc() : memref<8xi32>
  memref.copy %a, %c : memref<8xi32> to memref<8xi32>
  memref.copy %c, %o : memref<8xi32> to memref<8xi32>
  memref.copy %b, %o2 : memref<8xi32> to memref<8xi32>
  return
}
