// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Between units barriers alone count, and the remark says so of tokens. Without
// the unit the wait ends it.

// RUN: %berth-opt %s --berth-target=%S/Inputs/tokens.json -o /dev/null --remarks-filter='berth.*' --pass-pipeline='builtin.module(berth-arena{space=L1 arena=annotate})' 2>&1 | FileCheck %s
// RUN: sed 's/, "unit": "dma"//' %S/Inputs/tokens.json > %t.json
// RUN: %berth-opt %s --berth-target=%t.json -o /dev/null --remarks-filter='berth.*' --pass-pipeline='builtin.module(berth-arena{space=L1 arena=annotate})' 2>&1 | FileCheck %s --check-prefix=AWAITED

!far = memref<64xi8, "L3">
!near = memref<64xi8, "L1">

// CHECK: [[#@LINE+3]]:8: {{.*}}not placed: a core or unit may still use it when its function returns, and the bytes are another's: put a barrier before that; a token of an op with a unit orders nothing
// AWAITED: [[#@LINE+2]]:8: {{.*}}placed at offset 0
func.func @awaited(%x: !far) {
  %a = memref.alloc() : !near
  %t = "npu.start"(%x, %a) : (!far, !near) -> !npu.token
  "npu.wait"(%t) : (!npu.token) -> ()
  return
}
