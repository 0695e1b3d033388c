// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slots take turns, and the copy of the next turn is made if there is one.
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-multi-buffer,canonicalize)' | FileCheck %s
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-multi-buffer{factor=3},canonicalize)' | FileCheck %s --check-prefix=THREE
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-multi-buffer{ahead=false},canonicalize)' | FileCheck %s --check-prefix=STAY
// Once there are slots there is nothing more to do.
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-multi-buffer)' -o %t.once
// RUN: %berth-opt %t.once --pass-pipeline='builtin.module(berth-multi-buffer)' -o %t.twice
// RUN: cmp %t.once %t.twice
// The capacity: in 511 bytes there is no room for two slots.
// RUN: %berth-opt %s --remarks-filter=berth-multi-buffer --pass-pipeline='builtin.module(berth-multi-buffer{capacity=511})' 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: %berth-opt %s --remarks-filter=berth-multi-buffer --pass-pipeline='builtin.module(berth-multi-buffer{capacity=512},berth-arena{capacity=512})' 2>&1 | FileCheck %s --check-prefix=FITS

// CHECK-LABEL: @dynamic(
// CHECK-SAME: %[[X:.*]]: memref<?x8xf32>, %[[Y:.*]]: memref<8x8xf32>, %[[LB:.*]]: index, %[[UB:.*]]: index, %[[S:.*]]: index
// CHECK: %[[SLOTS:.*]] = memref.alloc() {berth.slots = 2 : i64} : memref<2x8x8xf32>
// CHECK: %[[ANY:.*]] = arith.cmpi slt, %[[LB]], %[[UB]]
// CHECK: scf.if %[[ANY]] {
// CHECK: %[[FIRST:.*]] = memref.subview %[[SLOTS]][0, 0, 0] [1, 8, 8] [1, 1, 1]
// CHECK: %[[PART:.*]] = memref.subview %[[X]][%[[LB]], 0]
// CHECK: memref.copy %[[PART]], %[[FIRST]]
// CHECK: scf.for %[[I:.*]] = %[[LB]] to %[[UB]] step %[[S]] {
// CHECK: %[[SINCE:.*]] = arith.subi %[[I]], %[[LB]]
// CHECK: %[[TURN:.*]] = arith.divui %[[SINCE]], %[[S]]
// CHECK: %[[K:.*]] = arith.remui %[[TURN]], %c2
// CHECK: %[[A:.*]] = memref.subview %[[SLOTS]][%[[K]], 0, 0]
// CHECK: %[[END:.*]] = arith.subi %[[UB]], %c1
// CHECK: %[[WAY:.*]] = arith.subi %[[END]], %[[I]]
// CHECK: %[[LEFT:.*]] = arith.divui %[[WAY]], %[[S]]
// CHECK: %[[MORE:.*]] = arith.cmpi uge, %[[LEFT]], %c1
// CHECK: scf.if %[[MORE]] {
// CHECK: %[[NEXT:.*]] = arith.addi %[[TURN]], %c1
// CHECK: %[[L:.*]] = arith.remui %[[NEXT]], %c2
// CHECK: %[[J:.*]] = arith.addi %[[I]], %[[S]]
// CHECK: %[[LATER:.*]] = memref.subview %[[SLOTS]][%[[L]], 0, 0]
// CHECK: %[[PART2:.*]] = memref.subview %[[X]][%[[J]], 0]
// CHECK: memref.copy %[[PART2]], %[[LATER]]
// CHECK: linalg.add ins(%[[A]], %[[A]]
// CHECK: memref.dealloc %[[SLOTS]]

// THREE-LABEL: @dynamic(
// THREE: memref<3x8x8xf32>
// THREE: scf.if
// THREE: memref.copy
// THREE: scf.if
// THREE: memref.copy
// THREE: scf.for
// THREE: arith.cmpi uge, %{{.*}}, %c2
// THREE: memref.copy
// THREE-NOT: memref.copy
// THREE: return

// STAY-LABEL: @dynamic(
// STAY-NOT: scf.if
// STAY: scf.for
// STAY: %[[A:.*]] = memref.subview %{{.*}}[%{{.*}}, 0, 0] [1, 8, 8]
// STAY: memref.copy %{{.*}}, %[[A]]
// STAY: linalg.add ins(%[[A]], %[[A]]

// FULL: slots.mlir:[[#@LINE+3]]:8: remark: [Missed] {{.*}}"gets no slots: with them what is live would not fit the capacity"
// FITS: slots.mlir:[[#@LINE+2]]:8: remark: [Passed] {{.*}}"2 slots of 256 bytes for the turns of scf.for at line {{.*}}; 1 ahead: memref.copy
func.func @dynamic(%x: memref<?x8xf32>, %y: memref<8x8xf32>, %lb: index, %ub: index, %s: index) {
  %a = memref.alloc() : memref<8x8xf32>
  scf.for %i = %lb to %ub step %s {
    %p = memref.subview %x[%i, 0] [8, 8] [1, 1] : memref<?x8xf32> to memref<8x8xf32, strided<[8, 1], offset: ?>>
    memref.copy %p, %a : memref<8x8xf32, strided<[8, 1], offset: ?>> to memref<8x8xf32>
    linalg.add ins(%a, %a : memref<8x8xf32>, memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  }
  memref.dealloc %a : memref<8x8xf32>
  return
}

// Of eight turns there is a first one. The slots are made and freed around the loop.
// CHECK-LABEL: @constant(
// CHECK: %[[SLOTS:.*]] = memref.alloc() {berth.slots = 2 : i64, berth.slots_anew} : memref<2x8x8xf32>
// CHECK-NOT: scf.if
// CHECK: linalg.copy
// CHECK: scf.for
// CHECK: scf.if
// CHECK: linalg.copy
// CHECK: linalg.add
// CHECK: }
// CHECK-NEXT: memref.dealloc %[[SLOTS]]
func.func @constant(%x: memref<64x8xf32> {llvm.noalias, llvm.readonly}, %y: memref<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c64 step %c8 {
    %a = memref.alloc() : memref<8x8xf32>
    %p = memref.subview %x[%i, 0] [8, 8] [1, 1] : memref<64x8xf32> to memref<8x8xf32, strided<[8, 1], offset: ?>>
    linalg.copy ins(%p : memref<8x8xf32, strided<[8, 1], offset: ?>>) outs(%a : memref<8x8xf32>)
    linalg.add ins(%a, %y : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32>)
    memref.dealloc %a : memref<8x8xf32>
  }
  return
}
