// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of plans that cost as much, the one that leaves room for two tiles of what comes a
// turn ahead: it is %c that goes out for the whole of %x, not %b, which the loop needs.
// With copies, or without double buffering, there is no reason to.
// RUN: %berth-opt %s --remarks-filter=berth-fit --pass-pipeline='builtin.module(berth-fit{space=default backing=1 capacity=192 transfers=dma recompute=0},berth-verify)' -o %t.out 2>&1 | FileCheck %s
// RUN: %berth-opt %s --remarks-filter=berth-fit --pass-pipeline='builtin.module(berth-fit{space=default backing=1 capacity=160 transfers=dma recompute=0 must-fit=false},berth-verify)' -o %t.out 2>&1 | FileCheck %s --check-prefix=LESS
// CHECK: fitted into 192 bytes of default, with a peak of 192: 320 bytes are brought in, 320 taken out
// CHECK: 2 slots of 64 bytes for the turns of scf.for
// LESS-NOT: slots of 64 bytes for the turns of scf.for at line 28

#s = strided<[1], offset: ?>
func.func @f(%y: memref<64xi32, 1>, %o: memref<32xi32, 1>, %p: memref<16xi32, 1>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<64xi32>
  %b = memref.alloc() : memref<16xi32>
  %c = memref.alloc() : memref<16xi32>
  %x = memref.alloc() : memref<32xi32>
  scf.for %i = %c0 to %c64 step %c16 {
    %k = arith.index_cast %i : index to i32
    %v = memref.subview %a[%i] [16] [1] : memref<64xi32> to memref<16xi32, #s>
    linalg.fill ins(%k : i32) outs(%v : memref<16xi32, #s>)
  }
  linalg.fill ins(%one : i32) outs(%b : memref<16xi32>)
  linalg.fill ins(%one : i32) outs(%c : memref<16xi32>)
  scf.for %i = %c0 to %c64 step %c16 {
    %v = memref.subview %a[%i] [16] [1] : memref<64xi32> to memref<16xi32, #s>
    %w = memref.subview %y[%i] [16] [1] : memref<64xi32, 1> to memref<16xi32, #s, 1>
    linalg.add ins(%v, %b : memref<16xi32, #s>, memref<16xi32>) outs(%w : memref<16xi32, #s, 1>)
  }
  linalg.fill ins(%one : i32) outs(%x : memref<32xi32>)
  memref.copy %x, %o : memref<32xi32> to memref<32xi32, 1>
  linalg.add ins(%b, %c : memref<16xi32>, memref<16xi32>) outs(%p : memref<16xi32, 1>)
  return
}
