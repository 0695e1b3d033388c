// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A memory is one however its space is spelled: in the option, the description,
// its conditions, on an op.

// RUN: %berth-opt %s --allow-unregistered-dialect --berth-target=%S/Inputs/two-spellings.json --pass-pipeline='builtin.module(berth-arena{space=L1 arena=annotate})' > %t.name
// RUN: %berth-opt %s --allow-unregistered-dialect --berth-target=%S/Inputs/two-spellings.json --pass-pipeline='builtin.module(berth-arena{space={"L1"} arena=annotate})' > %t.text
// RUN: cmp %t.name %t.text
// RUN: FileCheck %s < %t.text
// The capacity is found, too.
// RUN: sed 's/192/191/' %S/Inputs/two-spellings.json > %t.json
// RUN: not %berth-opt %s --allow-unregistered-dialect --berth-target=%t.json --pass-pipeline='builtin.module(berth-arena{space={"L1"} arena=annotate})' 2>&1 | FileCheck %s --check-prefix=FULL
// FULL: error: {{.*}}capacity of 191 bytes of memory "L1"
// RUN: %berth-opt %s --allow-unregistered-dialect --berth-target=%S/Inputs/two-spellings.json --pass-pipeline='builtin.module(berth-arena{space=workgroup arena=annotate})' | FileCheck %s --check-prefix=WORKGROUP
// RUN: %berth-opt %s --allow-unregistered-dialect --berth-target=%S/Inputs/two-spellings.json --pass-pipeline='builtin.module(berth-arena{space=1 arena=annotate})' | FileCheck %s --check-prefix=NUMBER
// The memory behind another one must be another one.
// RUN: not %berth-opt %s --allow-unregistered-dialect --berth-target=%S/Inputs/two-spellings.json --pass-pipeline='builtin.module(berth-fit{space={"L1"} backing=L1})' 2>&1 | FileCheck %s --check-prefix=FIT
// FIT: error: {{.*}}backing: 'L1' is the memory itself
// RUN: not %berth-opt %s --allow-unregistered-dialect --berth-target=%S/Inputs/one-memory-twice.json --pass-pipeline='builtin.module(berth-arena{arena=annotate})' 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: twice.json:{{[0-9:]+}}: error: the target description tells of one memory twice: 'L1' (line {{[0-9]+}}) and '"L1"'

// The callee's buffer lies behind its caller's, both of which are live.
// CHECK-LABEL: @calls
func.func @calls() {
  // CHECK: memref.alloc() {berth.address = [[A:[0-9]+]] : i64
  %a = memref.alloc() : memref<64xi8, "L1">
  %b = memref.alloc() : memref<64xi8, "L1">
  "npu.copy"(%a, %b) : (memref<64xi8, "L1">, memref<64xi8, "L1">) -> ()
  func.call @callee(%a) : (memref<64xi8, "L1">) -> ()
  "npu.copy"(%b, %a) : (memref<64xi8, "L1">, memref<64xi8, "L1">) -> ()
  return
}
// CHECK-LABEL: @callee
func.func private @callee(%a: memref<64xi8, "L1">) {
  // CHECK: memref.alloc() {berth.address = 4224 : i64
  %b = memref.alloc() : memref<64xi8, "L1">
  "npu.copy"(%a, %b) : (memref<64xi8, "L1">, memref<64xi8, "L1">) -> ()
  return
}

// WORKGROUP-LABEL: @others
// NUMBER-LABEL: @others
func.func @others() {
  // WORKGROUP: memref.alloc() {berth.address = 65536 : i64, berth.offset = 0 : i64, berth.size = 64 : i64, berth.space = "workgroup"}
  %a = memref.alloc() {berth.space = "workgroup"} : memref<64xi8>
  // NUMBER: memref.alloc() {berth.address = 131072 : i64, berth.offset = 0 : i64
  %b = memref.alloc() {berth.space = "1"} : memref<64xi8>
  // NUMBER: memref.alloc() {berth.address = 131136 : i64, berth.offset = 64 : i64
  %c = memref.alloc() : memref<64xi8, 1>
  "npu.copy"(%a, %b) : (memref<64xi8>, memref<64xi8>) -> ()
  "npu.copy"(%b, %c) : (memref<64xi8>, memref<64xi8, 1>) -> ()
  return
}

// Conditions hold for either spelling: else the ops would touch nothing.
// NUMBER-LABEL: @conditions
func.func @conditions(%x: memref<64xi8, "L1">, %y: memref<64xi8, #gpu.address_space<workgroup>>) {
  %a = memref.alloc() : memref<64xi8, 1>
  %b = memref.alloc() : memref<64xi8, 1>
  // NUMBER: berth.offset = [[O:[0-9]+]]
  // NUMBER-NOT: berth.offset = [[O]] :
  // NUMBER: return
  "npu.far"(%a, %b) : (memref<64xi8, 1>, memref<64xi8, 1>) -> ()
  "npu.near"(%x, %y) : (memref<64xi8, "L1">, memref<64xi8, #gpu.address_space<workgroup>>) -> ()
  return
}
