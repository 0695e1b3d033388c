// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses are places in the one memory of a chip: scopes that may be active
// at the same time get different ones, callees above all their callers.

// RUN: %berth-opt %s --allow-unregistered-dialect --remarks-filter='berth.*' --pass-pipeline='builtin.module(berth-arena{target=%S/Inputs/chip.json space=L1 arena=annotate},berth-verify)' > %t.mlir 2> %t.err
// RUN: FileCheck %s < %t.mlir
// RUN: FileCheck %s --check-prefix=WHY < %t.err
// RUN: %berth-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{target=%S/Inputs/chip.json space=L1 arena=annotate plan-out=%t.json})' > %t.1
// RUN: %berth-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{target=%S/Inputs/chip.json space=L1 arena=annotate plan=%t.json})' | cmp %t.1 -
// All that is active at a time has to fit.
// RUN: not %berth-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{target=%S/Inputs/chip.json space=L1 arena=annotate capacity=767})' 2>&1 | FileCheck %s --check-prefix=FULL
// Planned by itself no function sees the others; berth-verify does.
// RUN: not %berth-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(berth-arena{target=%S/Inputs/chip.json space=L1 arena=annotate}),berth-verify)' 2>&1 | FileCheck %s --check-prefix=ALONE
// So it does with the rule broken.
// RUN: not %berth-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{target=%S/Inputs/chip.json space=L1 arena=annotate test-break-rule=lone-scopes},berth-verify)' 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: error: {{.*}}may be active at the same time as a buffer of another function, and has the same addresses

!t = memref<256xi8, "L1">
!x = memref<256xi8>

// Its own start, wherever it stands in the file.
// CHECK-LABEL: func.func private @deep
// CHECK: berth.address = 4608 : i64, berth.offset = 512
func.func private @deep(%x: !x, %y: !x) {
  // FULL: [[@LINE+1]]:11: error: no plan meets these constraints within the capacity
  %deep = memref.alloc() : !t
  "npu.add"(%x, %deep) : (!x, !t) -> ()
  "npu.add"(%deep, %y) : (!t, !x) -> ()
  return
}

// Functions without buffers hand on what is below.
func.func private @between(%x: !x, %y: !x) {
  call @deep(%x, %y) : (!x, !x) -> ()
  return
}

// CHECK-LABEL: func.func private @callee
// CHECK: berth.address = 4352 : i64, berth.offset = 256
func.func private @callee(%x: !x, %y: !x) {
  %b = memref.alloc() : !t
  "npu.add"(%x, %b) : (!x, !t) -> ()
  call @between(%x, %y) : (!x, !x) -> ()
  "npu.add"(%b, %y) : (!t, !x) -> ()
  return
}

// The largest caller counts, and work under way too.
// CHECK-LABEL: func.func @caller
// CHECK: berth.address = 4096 : i64, berth.offset = 0
func.func @caller(%x: !x, %y: !x) {
  %a = memref.alloc() : !t
  "npu.add"(%x, %a) : (!x, !t) -> ()
  "npu.start"(%a, %y) : (!t, !x) -> ()
  call @callee(%x, %y) : (!x, !x) -> ()
  "npu.barrier"() : () -> ()
  return
}

// Nobody calls it, and it calls nobody: no other is active with it.
// CHECK-LABEL: func.func @apart
// CHECK: berth.address = 4096 : i64, berth.offset = 0
func.func @apart(%x: !x, %y: !x) {
  %c = memref.alloc() : !t
  "npu.add"(%x, %c) : (!x, !t) -> ()
  "npu.add"(%c, %y) : (!t, !x) -> ()
  return
}

// CHECK-LABEL: func.func @iterations
// CHECK: memref.alloc() {berth.address = 4096
// CHECK: scf.parallel
// CHECK: memref.alloc() : memref<256xi8, "L1">
// WHY: not placed: iterations that may be active at the same time would have the same addresses
func.func @iterations(%x: !x, %y: !x, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = memref.alloc() : !t
  "npu.add"(%x, %d) : (!x, !t) -> ()
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %e = memref.alloc() : !t
    "npu.add"(%d, %e) : (!t, !t) -> ()
    "npu.add"(%e, %y) : (!t, !x) -> ()
  }
  "npu.add"(%d, %y) : (!t, !x) -> ()
  return
}

// CHECK-LABEL: func.func private @again
// CHECK: memref.alloc() : memref<256xi8, "L1">
// WHY: not placed: the function may call itself, and its instances
func.func private @again(%x: !x, %y: !x, %c: i1) {
  %f = memref.alloc() : !t
  "npu.add"(%x, %f) : (!x, !t) -> ()
  scf.if %c {
    func.call @again(%x, %y, %c) : (!x, !x, i1) -> ()
  }
  "npu.add"(%f, %y) : (!t, !x) -> ()
  return
}

// CHECK-LABEL: func.func private @beside
// CHECK: memref.alloc() : memref<256xi8, "L1">
// WHY: not placed: the function may run beside others
func.func private @beside(%x: !x, %y: !x) {
  %g = memref.alloc() : !t
  "npu.add"(%x, %g) : (!x, !t) -> ()
  "npu.add"(%g, %y) : (!t, !x) -> ()
  return
}

func.func @starter(%x: !x, %y: !x, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    func.call @beside(%x, %y) : (!x, !x) -> ()
  }
  return
}
