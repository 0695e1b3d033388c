// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the entry of a family says with 'if' is said of no other op of the family,
// nor its lists of one that has an entry of its own: such ops write what they get.

// RUN: %berth-opt %s --allow-unregistered-dialect --berth-target=%S/Inputs/family-conditions.json --remarks-filter='berth.*' --pass-pipeline='builtin.module(berth-print-interference)' -o /dev/null 2>&1 | FileCheck %s
// RUN: %berth-opt %s --allow-unregistered-dialect --berth-target=%S/Inputs/family-conditions.json --pass-pipeline='builtin.module(berth-arena{arena=annotate in-place=false})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNKNOWN --implicit-check-not='nothing tells'
// RUN: %berth-opt %s --allow-unregistered-dialect --berth-target=%S/Inputs/family-conditions.json --remarks-filter='berth.*' --pass-pipeline='builtin.module(berth-print-interference)' -o /dev/null 2>&1 | FileCheck %s --check-prefix=NEVER --implicit-check-not=never --implicit-check-not='not occur'

// UNKNOWN-DAG: nothing tells what 'npu.dma_in' does
// UNKNOWN-DAG: nothing tells what 'npu.dma_own' does
// UNKNOWN-DAG: nothing tells what 'npu.get_row' does

// NEVER-DAG: family-conditions.json:3:3: remark: {{.*}}this entry of 'npu.dma_*' never applies: the one in line 2, column 3 comes first
// NEVER-DAG: family-conditions.json:5:3: remark: {{.*}}this entry of 'npu.get_*' never applies: what it asks for with 'if' holds of none
// NEVER-DAG: family-conditions.json:7:3: remark: {{.*}}this entry of 'npu.put_*' never applies: the one in line 8, column 3 comes first
// NEVER-DAG: family-conditions.json:11:3: remark: {{.*}}the target description tells of 'npu.none_*', which does not occur

!b = memref<64xi8>

// It may write what the first one has written.
// CHECK-LABEL: @others
// CHECK: %alloc and %alloc_0:
// CHECK: %alloc_0 and %alloc_1:
func.func @others(%x: !b, %y: !b) {
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  %c = memref.alloc() : !b
  "npu.dma_in"(%x, %a) : (!b, !b) -> ()
  "npu.dma_own"(%a, %b) : (!b, !b) -> ()
  "npu.get_row"(%b, %c) : (!b, !b) -> ()
  "npu.put_row"(%c, %y) : (!b, !b) -> ()
  return
}

// Where it holds, it works on to the end.
// CHECK-LABEL: @told
// CHECK: %alloc and %alloc_0:
func.func @told(%x: !b, %y: !b) {
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  "npu.dma_in"(%a, %y) {quiet} : (!b, !b) -> ()
  "npu.sum_row"(%x, %b) : (!b, !b) -> ()
  "npu.sum_row"(%b, %y) : (!b, !b) -> ()
  "npu.dma_end"() {berth.reads = [], berth.barrier} : () -> ()
  return
}
