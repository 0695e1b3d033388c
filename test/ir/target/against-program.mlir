// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A description that does not fit the program is refused, at the op.

// RUN: split-file %s %t
// RUN: not %berth-opt %t/numbers.mlir --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{target=%S/Inputs/npu.json})' 2>&1 | FileCheck %s --check-prefix=NUMBERS --implicit-check-not=func.func
// NUMBERS: numbers.mlir:2:3: error: the target description ({{.*}}npu.json:8:5) names operand 2, which it does not have
// RUN: not %berth-opt %t/segments.mlir --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-verify{target=%S/Inputs/npu.json})' 2>&1 | FileCheck %s --check-prefix=SEGMENTS
// SEGMENTS: segments.mlir:2:3: error: the target description ({{.*}}npu.json:7:5) names segment 1 of its operands, which its operandSegmentSizes does not have
// RUN: not %berth-opt %t/denial.mlir --berth-target=%t/denial.json --pass-pipeline='builtin.module(func.func(berth-arena))' 2>&1 | FileCheck %s --check-prefix=DENIAL
// DENIAL: denial.mlir:2:3: error: what the target description ({{.*}}denial.json:1:10) says of operand 1 is not what the op's own interface says
// RUN: %berth-opt %t/denial.mlir --remarks-filter='berth.*' --berth-target=%S/Inputs/npu.json --pass-pipeline='builtin.module(berth-arena)' 2>&1 | FileCheck %s --check-prefix=UNUSED
// UNUSED: {{.*}}npu.json:9:5: remark: {{.*}}the target description tells of 'npu.accumulate', which does not occur
// RUN: not %berth-opt %t/denial.mlir --berth-target=%S/Inputs/npu.json --pass-pipeline='builtin.module(berth-arena{space=L2})' 2>&1 | FileCheck %s --check-prefix=SPACE
// SPACE: space 'L2' is neither default, workgroup, private, tensor, gpu, a memory of the target description nor the text of an attribute
// The memory's capacity binds.
// RUN: not %berth-opt %t/large.mlir --berth-target=%S/Inputs/npu.json --pass-pipeline='builtin.module(berth-arena{space=L1 arena=annotate})' 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: error: {{.*}}65536
// An address is aligned if the start and the offset are.
// RUN: %berth-opt %t/start.mlir --berth-target=%t/start.json --remarks-filter='berth.*' --pass-pipeline='builtin.module(berth-arena{space=L1 arena=annotate})' 2>&1 | FileCheck %s --check-prefix=START
// START: start.mlir:2:8: {{.*}}placed at offset 0
// START: start.mlir:3:8: {{.*}}not placed: its memory starts at an address that is no multiple of its alignment

// Tokens are waited for, a core's number is a result, conditions are on operands.
// RUN: not %berth-opt %t/numbers.mlir --berth-target=%t/waits.json --pass-pipeline='builtin.module(berth-arena)' 2>&1 | FileCheck %s --check-prefix=WAITS
// WAITS: 2:3: error: the target description ({{.*}}waits.json:1:10) has operand 0 waited for, which is a memref, and no token
// RUN: not %berth-opt %t/numbers.mlir --berth-target=%t/cores.json --pass-pipeline='builtin.module(berth-arena)' 2>&1 | FileCheck %s --check-prefix=CORES
// CORES: 2:3: error: the target description ({{.*}}cores.json:1:10) has its result tell which of 2 cores runs it, but it has no result
// RUN: not %berth-opt %t/numbers.mlir --berth-target=%t/if.json --pass-pipeline='builtin.module(berth-verify)' 2>&1 | FileCheck %s --check-prefix=IF
// IF: 2:3: error: a condition of the target description ({{.*}}if.json:1:10) names operand 7, which it does not have

//--- numbers.mlir
func.func @f(%x: memref<4xi8>) {
  "npu.add"(%x, %x) : (memref<4xi8>, memref<4xi8>) -> ()
  return
}
//--- waits.json
{"ops": [{"name": "npu.add", "waits": [0]}]}
//--- cores.json
{"ops": [{"name": "npu.add", "cores": 2}]}
//--- if.json
{"ops": [{"name": "npu.add", "reads": [0], "if": [{"operand": 7, "space": "L1"}]}, {"name": "npu.add", "writes": [0]}]}
//--- segments.mlir
func.func @f(%x: memref<4xi8>) {
  "npu.matmul"(%x) {operandSegmentSizes = array<i32: 1>} : (memref<4xi8>) -> ()
  return
}
//--- denial.json
{"ops": [{"name": "memref.copy", "reads": [0, 1]}]}
//--- denial.mlir
func.func @f(%x: memref<4xi8>, %y: memref<4xi8>) {
  memref.copy %x, %y : memref<4xi8> to memref<4xi8>
  return
}
//--- start.json
{"memories": [{"space": "L1", "start": 8}]}
//--- start.mlir
func.func @f(%x: memref<4xi8>) {
  %a = memref.alloc() {alignment = 8} : memref<4xi8, "L1">
  %b = memref.alloc() {alignment = 16} : memref<4xi8, "L1">
  return
}
//--- large.mlir
func.func @f(%x: memref<4xi8>) {
  %a = memref.alloc() : memref<65537xi8, "L1">
  "npu.add"(%x, %x, %a) : (memref<4xi8>, memref<4xi8>, memref<65537xi8, "L1">) -> ()
  return
}
