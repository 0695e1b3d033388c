// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stays in the turn of a loop takes a channel while others go on through the turn: of two
// tiles neither moves beside other turns where there is one channel, and one does where there are two.
// RUN: %berth-opt %s --remarks-filter=berth-fit --pass-pipeline='builtin.module(berth-fit{space=default backing=1 capacity=192 transfers=dma channels=1})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: %berth-opt %s --remarks-filter=berth-fit --pass-pipeline='builtin.module(berth-fit{space=default backing=1 capacity=192 transfers=dma channels=2})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=TWO
// ONE-COUNT-2: gets no slots: all channels are taken
// ONE-NOT: slots of 64 bytes
// TWO: 2 slots of 64 bytes for the turns of scf.for

func.func @main(%x0: memref<12x4xi32, 1>, %x1: memref<12x4xi32, 1>) {
  %a = memref.alloc() : memref<12x4xi32>
  %b = memref.alloc() : memref<12x4xi32>
  memref.copy %x1, %b : memref<12x4xi32, 1> to memref<12x4xi32>
  %c0 = arith.constant 0 : index
  %c12 = arith.constant 12 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 7 : i32
  scf.for %i = %c0 to %c12 step %c4 {
    %s = memref.subview %b[%i, 0] [4, 4] [1, 1] : memref<12x4xi32> to memref<4x4xi32, strided<[4, 1], offset: ?>>
    %t = memref.subview %a[%i, 0] [4, 4] [1, 1] : memref<12x4xi32> to memref<4x4xi32, strided<[4, 1], offset: ?>>
    linalg.add ins(%s, %s : memref<4x4xi32, strided<[4, 1], offset: ?>>, memref<4x4xi32, strided<[4, 1], offset: ?>>) outs(%t : memref<4x4xi32, strided<[4, 1], offset: ?>>)
    linalg.add ins(%s, %t : memref<4x4xi32, strided<[4, 1], offset: ?>>, memref<4x4xi32, strided<[4, 1], offset: ?>>) outs(%s : memref<4x4xi32, strided<[4, 1], offset: ?>>)
  }
  memref.copy %a, %x1 : memref<12x4xi32> to memref<12x4xi32, 1>
  memref.copy %b, %x0 : memref<12x4xi32> to memref<12x4xi32, 1>
  return
}
