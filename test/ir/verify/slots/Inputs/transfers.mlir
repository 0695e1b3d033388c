// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!slots = memref<3x8xf32>
!slot = memref<8xf32, strided<[1], offset: ?>>
func.func @f(%x: memref<64xf32>, %r: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c40 = arith.constant 40 : index
  %c48 = arith.constant 48 : index
  %own = memref.alloc() : memref<8xf32>
  %slots = memref.alloc() {berth.slots = 3 : i64} : !slots
  %tags = memref.alloc() : memref<3xi32>
  %first = memref.subview %slots[%c0, 0] [1, 8] [1, 1] : !slots to !slot
  memref.dma_start %x[%c0], %first[%c0], %c8, %tags[%c0] : memref<64xf32>, !slot, memref<3xi32>
  %second = memref.subview %slots[%c1, 0] [1, 8] [1, 1] : !slots to !slot
  memref.dma_start %x[%c8], %second[%c0], %c8, %tags[%c1] : memref<64xf32>, !slot, memref<3xi32>
  scf.for %i = %c0 to %c48 step %c8 {
    %number = affine.apply affine_map<(d0) -> ((d0 floordiv 8) mod 3)>(%i)
    %slot = memref.subview %slots[%number, 0] [1, 8] [1, 1] : !slots to !slot
    %turn = affine.apply affine_map<(d0) -> (d0 floordiv 8)>(%i)
    %turnLater = arith.addi %turn, %c2 : index
    %numberLater = affine.apply affine_map<(d0) -> (d0 mod 3)>(%turnLater)
    %later = arith.addi %i, %c16 : index
    %ahead = memref.subview %slots[%numberLater, 0] [1, 8] [1, 1] : !slots to !slot
    memref.dma_start %x[%later], %ahead[%c0], %c8, %tags[%numberLater] : memref<64xf32>, !slot, memref<3xi32>
    memref.dma_wait %tags[%number], %c8 : memref<3xi32>
    linalg.add ins(%slot, %slot : !slot, !slot) outs(%own : memref<8xf32>)
  }
  memref.dma_wait %tags[%c0], %c8 : memref<3xi32>
  linalg.add ins(%first, %first : !slot, !slot) outs(%own : memref<8xf32>)
  memref.dma_wait %tags[%c1], %c8 : memref<3xi32>
  linalg.add ins(%second, %second : !slot, !slot) outs(%own : memref<8xf32>)
  memref.copy %own, %r : memref<8xf32> to memref<8xf32>
  return
}
