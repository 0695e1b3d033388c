// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What leaves a memory that is too small, and comes back.

// RUN: %berth-opt %s --remarks-filter='berth-fit' --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=512})' 2> %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=TELLS < %t
// Then berth-arena has room for the rest, and the memory behind has what left.
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=512},berth-arena{capacity=512},berth-arena{space=77})' | FileCheck %s --check-prefix=ARENA

// TELLS-DAG: moves.mlir:[[#@LINE+3]]:8: remark: {{.*}}256 bytes: in default 2 times, brought in 1 times, taken out 1 times; 0 uses in the slow memory
// TELLS-DAG: moves.mlir:[[#@LINE+1]]:1: remark: {{.*}}fitted into 512 bytes of default, with a peak of 512: 256 bytes are brought in, 256 taken out and 0 touched in the slow memory; no fit costs less within the model
func.func @spill(%x: memref<8x8xf32, 77>, %y: memref<8x8xf32, 77>) {
  %a = memref.alloc() : memref<8x8xf32>
  %b = memref.alloc() : memref<8x8xf32>
  %c = memref.alloc() : memref<8x8xf32>
  linalg.exp ins(%x : memref<8x8xf32, 77>) outs(%a : memref<8x8xf32>)
  linalg.exp ins(%a : memref<8x8xf32>) outs(%b : memref<8x8xf32>)
  linalg.transpose ins(%b : memref<8x8xf32>) outs(%c : memref<8x8xf32>) permutation = [1, 0]
  linalg.add ins(%a, %c : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32, 77>)
  return
}
// CHECK-LABEL: func.func @spill
// CHECK: linalg.exp {{.*}} outs(%[[A:.*]] : memref<8x8xf32>)
// CHECK: linalg.exp ins(%[[A]] {{.*}} outs(%[[B:.*]] : memref<8x8xf32>)
// CHECK-NEXT: %[[S:.*]] = memref.alloc() {alignment = 4 : i64, berth.content = 1 : i64, berth.content_places = {{[0-9]+}} : i64} : memref<8x8xf32, 77>
// CHECK-NEXT: memref.copy %[[A]], %[[S]] {berth.move = {{[0-9]+}} : i64}
// CHECK-NEXT: linalg.transpose ins(%[[B]] {{.*}} outs(%[[C:.*]] : memref<8x8xf32>)
// CHECK-NEXT: %[[A2:.*]] = memref.alloc() {alignment = 4 : i64, berth.content = 1 : i64, berth.content_places = {{[0-9]+}} : i64} : memref<8x8xf32>
// CHECK-NEXT: memref.copy %[[S]], %[[A2]] {berth.move = {{[0-9]+}} : i64}
// CHECK-NEXT: linalg.add ins(%[[A2]], %[[C]]
// ARENA-LABEL: func.func @spill
// ARENA-DAG: memref<256xi8, 77>
// ARENA-DAG: memref<512xi8>

// Content of one iteration moves within the iteration, wherever it is allocated.
// TELLS-DAG: moves.mlir:[[#@LINE+1]]:1: remark: {{.*}}: 2048 bytes are brought in, 2048 taken out
func.func @iteration(%x: memref<8x8xf32, 77>, %y: memref<8x8xf32, 77>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<8x8xf32>
  %b = memref.alloc() : memref<8x8xf32>
  %c = memref.alloc() : memref<8x8xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    linalg.exp ins(%x : memref<8x8xf32, 77>) outs(%a : memref<8x8xf32>)
    linalg.exp ins(%a : memref<8x8xf32>) outs(%b : memref<8x8xf32>)
    linalg.transpose ins(%b : memref<8x8xf32>) outs(%c : memref<8x8xf32>) permutation = [1, 0]
    linalg.add ins(%a, %c : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32, 77>)
  }
  return
}
// CHECK-LABEL: func.func @iteration
// CHECK: scf.for
// CHECK: linalg.exp
// CHECK: linalg.exp
// CHECK: memref.copy {{.*}} : memref<8x8xf32> to memref<8x8xf32, 77>
// CHECK: linalg.transpose
// CHECK: memref.copy {{.*}} : memref<8x8xf32, 77> to memref<8x8xf32>
// CHECK: linalg.add

// What an iteration leaves to the next one stays through the loop; what the loop
// does not touch goes around it.
func.func @around(%x: memref<8x8xf32, 77>, %y: memref<8x8xf32, 77>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8x8xf32>
  %b = memref.alloc() : memref<8x8xf32>
  %d = memref.alloc() : memref<8x8xf32>
  linalg.exp ins(%x : memref<8x8xf32, 77>) outs(%d : memref<8x8xf32>)
  linalg.exp ins(%x : memref<8x8xf32, 77>) outs(%a : memref<8x8xf32>)
  scf.for %i = %c0 to %n step %c1 {
    linalg.transpose ins(%a : memref<8x8xf32>) outs(%b : memref<8x8xf32>) permutation = [1, 0]
    linalg.add ins(%b, %a : memref<8x8xf32>, memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  }
  linalg.add ins(%a, %d : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32, 77>)
  return
}
// CHECK-LABEL: func.func @around
// CHECK: linalg.exp {{.*}} outs(%[[D:.*]] : memref<8x8xf32>)
// CHECK: memref.copy %[[D]], %[[S:.*]] {berth.move = {{[0-9]+}} : i64}
// CHECK: linalg.exp {{.*}} outs(%[[A:.*]] : memref<8x8xf32>)
// CHECK: scf.for
// CHECK-NEXT: linalg.transpose ins(%[[A]]
// CHECK-NEXT: linalg.add {{.*}} outs(%[[A]]
// CHECK-NEXT: }
// CHECK-NEXT: memref.alloc
// CHECK-NEXT: memref.copy %[[S]], %[[D2:.*]] {berth.move = {{[0-9]+}} : i64}
// CHECK-NEXT: linalg.add ins(%[[A]], %[[D2]]

// A copy of what nobody writes is read again, and never taken out.
// TELLS-DAG: moves.mlir:[[#@LINE+1]]:1: remark: {{.*}}: 512 bytes are brought in, 0 taken out
func.func @source(%w: memref<8x8xf32, 77>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8x8xf32>
  %b = memref.alloc() : memref<8x8xf32>
  %c = memref.alloc() : memref<8x8xf32>
  memref.copy %w, %a : memref<8x8xf32, 77> to memref<8x8xf32>
  linalg.exp ins(%a : memref<8x8xf32>) outs(%b : memref<8x8xf32>)
  linalg.transpose ins(%b : memref<8x8xf32>) outs(%c : memref<8x8xf32>) permutation = [1, 0]
  linalg.transpose ins(%c : memref<8x8xf32>) outs(%b : memref<8x8xf32>) permutation = [1, 0]
  linalg.add ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%b : memref<8x8xf32>)
  %r = memref.load %b[%c0, %c0] : memref<8x8xf32>
  return %r : f32
}
// CHECK-LABEL: func.func @source(
// CHECK-SAME: %[[W:.*]]: memref<8x8xf32, 77>
// CHECK: memref.copy %[[W]], %[[A:.*]] {berth.move = {{[0-9]+}} : i64}
// CHECK: linalg.exp ins(%[[A]]
// CHECK-NOT: memref.copy
// CHECK: linalg.transpose
// CHECK: memref.copy %[[W]], %[[A2:.*]] {berth.move = {{[0-9]+}} : i64}
// CHECK-NEXT: linalg.add ins(%[[A2]]

// Not if the source may be written meanwhile, be it as another argument.
func.func @overwritten(%w: memref<8x8xf32, 77>, %y: memref<8x8xf32, 77>) {
  %a = memref.alloc() : memref<8x8xf32>
  %b = memref.alloc() : memref<8x8xf32>
  %c = memref.alloc() : memref<8x8xf32>
  memref.copy %w, %a : memref<8x8xf32, 77> to memref<8x8xf32>
  linalg.exp ins(%a : memref<8x8xf32>) outs(%b : memref<8x8xf32>)
  linalg.transpose ins(%b : memref<8x8xf32>) outs(%c : memref<8x8xf32>) permutation = [1, 0]
  memref.copy %c, %y : memref<8x8xf32> to memref<8x8xf32, 77>
  linalg.add ins(%a, %c : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>)
  memref.copy %c, %y : memref<8x8xf32> to memref<8x8xf32, 77>
  return
}
// CHECK-LABEL: func.func @overwritten(
// CHECK-SAME: %[[W:.*]]: memref<8x8xf32, 77>,
// CHECK: memref.copy %[[W]], %[[A:.*]] :
// CHECK: memref.copy %[[A]], %[[S:.*]] {berth.move = {{[0-9]+}} : i64}
// CHECK: memref.copy %[[S]], %{{.*}} {berth.move = {{[0-9]+}} : i64}

// Views are made anew, inside of what holds them; deallocations follow.
func.func @views(%x: memref<8x8xf32, 77>, %y: memref<8x8xf32, 77>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<8x8xf32>
  %b = memref.alloc() : memref<8x8xf32>
  %c = memref.alloc() : memref<8x8xf32>
  %half = memref.subview %a[4, 0] [4, 8] [1, 1] : memref<8x8xf32> to memref<4x8xf32, strided<[8, 1], offset: 32>>
  linalg.exp ins(%x : memref<8x8xf32, 77>) outs(%a : memref<8x8xf32>)
  linalg.exp ins(%a : memref<8x8xf32>) outs(%b : memref<8x8xf32>)
  linalg.transpose ins(%b : memref<8x8xf32>) outs(%c : memref<8x8xf32>) permutation = [1, 0]
  scf.for %i = %c0 to %c4 step %c1 {
    %one = memref.subview %half[%i, 0] [1, 8] [1, 1] : memref<4x8xf32, strided<[8, 1], offset: 32>> to memref<1x8xf32, strided<[8, 1], offset: ?>>
    %two = memref.subview %c[%i, 0] [1, 8] [1, 1] : memref<8x8xf32> to memref<1x8xf32, strided<[8, 1], offset: ?>>
    linalg.add ins(%one, %two : memref<1x8xf32, strided<[8, 1], offset: ?>>, memref<1x8xf32, strided<[8, 1], offset: ?>>) outs(%two : memref<1x8xf32, strided<[8, 1], offset: ?>>)
  }
  memref.copy %c, %y : memref<8x8xf32> to memref<8x8xf32, 77>
  memref.dealloc %a : memref<8x8xf32>
  memref.dealloc %b : memref<8x8xf32>
  memref.dealloc %c : memref<8x8xf32>
  return
}
// CHECK-LABEL: func.func @views
// CHECK: memref.copy %[[A:.*]], %[[S:.*]] {berth.move = {{[0-9]+}} : i64}
// CHECK-NEXT: memref.dealloc %[[A]]
// CHECK: memref.copy %[[S]], %[[A2:.*]] {berth.move = {{[0-9]+}} : i64}
// CHECK: memref.dealloc %[[S]]
// CHECK-NEXT: %[[HALF:.*]] = memref.subview %[[A2]][4, 0]
// CHECK-NEXT: scf.for
// CHECK-NEXT: memref.subview %[[HALF]]
// CHECK: }
// CHECK: memref.dealloc %[[A2]]
