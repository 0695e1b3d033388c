// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!slots = memref<3x8xf32>
!slot = memref<8xf32, strided<[1], offset: ?>>
func.func @f(%x: memref<64xf32>, %r: memref<8xf32> {llvm.noalias}, %lb: index, %ub: index, %s: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %own = memref.alloc() : memref<8xf32>
  %slots = memref.alloc() {berth.slots = 3 : i64} : !slots
  %last = arith.subi %ub, %c1 : index
  %any = arith.cmpi slt, %lb, %ub : index
  scf.if %any {
    %first = memref.subview %slots[0, 0] [1, 8] [1, 1] : !slots to memref<8xf32, strided<[1]>>
    %p0 = memref.subview %x[%lb] [8] [1] : memref<64xf32> to !slot
    memref.copy %p0, %first : !slot to memref<8xf32, strided<[1]>>
    %way = arith.subi %last, %lb : index
    %left0 = arith.divui %way, %s : index
    %more0 = arith.cmpi uge, %left0, %c1 : index
    scf.if %more0 {
      %next = arith.addi %lb, %s : index
      %second = memref.subview %slots[1, 0] [1, 8] [1, 1] : !slots to memref<8xf32, strided<[1], offset: 8>>
      %p1 = memref.subview %x[%next] [8] [1] : memref<64xf32> to !slot
      memref.copy %p1, %second : !slot to memref<8xf32, strided<[1], offset: 8>>
    }
  }
  scf.for %i = %lb to %ub step %s {
    %since = arith.subi %i, %lb : index
    %turn = arith.divui %since, %s : index
    %number = arith.remui %turn, %c3 : index
    %slot = memref.subview %slots[%number, 0] [1, 8] [1, 1] : !slots to !slot
    %rest = arith.subi %last, %i : index
    %left = arith.divui %rest, %s : index
    %more = arith.cmpi uge, %left, %c2 : index
    scf.if %more {
      %turnLater = arith.addi %turn, %c2 : index
      %numberLater = arith.remui %turnLater, %c3 : index
      %far = arith.muli %s, %c2 : index
      %later = arith.addi %i, %far : index
      %ahead = memref.subview %slots[%numberLater, 0] [1, 8] [1, 1] : !slots to !slot
      %p = memref.subview %x[%later] [8] [1] : memref<64xf32> to !slot
      memref.copy %p, %ahead : !slot to !slot
    }
    linalg.add ins(%slot, %slot : !slot, !slot) outs(%own : memref<8xf32>)
  }
  memref.copy %own, %r : memref<8xf32> to memref<8xf32>
  return
}
