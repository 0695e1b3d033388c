// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program starts an op with a unit and a token where it stands, and has its
// end where it waits for the token, as without the unit. With cores described a
// token orders nothing, and the remark says so.

// DEFINE: %{target} = %S/Inputs/tokens.json
// DEFINE: %{plan} = %berth-opt %s --berth-target=%{target} -o /dev/null --remarks-filter='berth.*' --pass-pipeline=
// RUN: %{plan}'builtin.module(berth-arena{space=L1 arena=annotate})' 2>&1 | FileCheck %s
// The verifier follows tokens by itself.
// RUN: not %{plan}'builtin.module(berth-arena{space=L1 arena=annotate test-break-rule=no-tokens})' 2>&1 | FileCheck %s --check-prefix=TOKENS
// RUN: sed 's/, "unit": "dma"//' %S/Inputs/tokens.json > %t.json
// REDEFINE: %{target} = %t.json
// RUN: %{plan}'builtin.module(berth-arena{space=L1 arena=annotate})' 2>&1 | FileCheck %s
// RUN: sed 's/"types"/"functions": [{"name": "core_number", "cores": 2}], "types"/' %S/Inputs/tokens.json > %t.cores.json
// REDEFINE: %{target} = %t.cores.json
// RUN: %{plan}'builtin.module(berth-arena{space=L1 arena=annotate})' 2>&1 | FileCheck %s --check-prefix=CORES
// RUN: not %{plan}'builtin.module(berth-arena{space=L1 arena=annotate test-break-rule=core-tokens})' 2>&1 | FileCheck %s --check-prefix=BROKEN

!far = memref<64xi8, "L3">
!near = memref<64xi8, "L1">

// CHECK: [[#@LINE+3]]:8: {{.*}}placed at offset 0
// CORES: [[#@LINE+2]]:8: {{.*}}not placed: a core or unit may still use it when its function returns, and the bytes are another's: put a barrier before that; where cores are described, a token of an op with a unit orders nothing
func.func @awaited(%x: !far) {
  %a = memref.alloc() : !near
  %t = "npu.start"(%x, %a) : (!far, !near) -> !npu.token
  "npu.wait"(%t) : (!npu.token) -> ()
  return
}

// The next tile is on its way while this one is worked on: two of four.
// CHECK: [[#@LINE+5]]:9: {{.*}}placed at offset [[#FIRST:]]
// CHECK: [[#@LINE+5]]:9: {{.*}}placed at offset [[#SECOND:]]
// CHECK: [[#@LINE+5]]:9: {{.*}}placed at offset [[#FIRST]]
// CHECK: [[#@LINE+5]]:9: {{.*}}placed at offset [[#SECOND]]
func.func @ahead(%x: !far, %y: !far) {
  %a0 = memref.alloc() : !near
  %a1 = memref.alloc() : !near
  %a2 = memref.alloc() : !near
  %a3 = memref.alloc() : !near
  %t0 = "npu.start"(%x, %a0) : (!far, !near) -> !npu.token
  %t1 = "npu.start"(%x, %a1) : (!far, !near) -> !npu.token
  "npu.wait"(%t0) : (!npu.token) -> ()
  memref.copy %a0, %y : !near to !far
  %t2 = "npu.start"(%x, %a2) : (!far, !near) -> !npu.token
  "npu.wait"(%t1) : (!npu.token) -> ()
  memref.copy %a1, %y : !near to !far
  %t3 = "npu.start"(%x, %a3) : (!far, !near) -> !npu.token
  "npu.wait"(%t2) : (!npu.token) -> ()
  memref.copy %a2, %y : !near to !far
  "npu.wait"(%t3) : (!npu.token) -> ()
  memref.copy %a3, %y : !near to !far
  return
}

// What the unit does without a token is no sooner over than the next barrier.
// CHECK: [[#@LINE+4]]:8: {{.*}}placed at offset [[#UNTOLD:]]
// CHECK-NOT: placed at offset [[#UNTOLD]],
// CHECK: [[#@LINE+3]]:8: {{.*}}placed at offset
func.func @untold(%x: !far, %y: !far) {
  %a = memref.alloc() : !near
  %b = memref.alloc() : !near
  "npu.send"(%a, %y) : (!near, !far) -> ()
  %t = "npu.start"(%x, %b) : (!far, !near) -> !npu.token
  "npu.wait"(%t) : (!npu.token) -> ()
  memref.copy %b, %y : !near to !far
  "npu.barrier"() : () -> ()
  return
}

// A unit that waits holds up itself, and not the program.
// CHECK: [[#@LINE+4]]:8: {{.*}}not placed: an asynchronous op may still use it later
// TOKENS: [[#@LINE+4]]:8: error: may still use a buffer of the arena when its function returns
func.func @unit_waits(%x: !far) {
  %d = memref.alloc() : !near
  %a = memref.alloc() : !near
  %t = "npu.start"(%x, %a) : (!far, !near) -> !npu.token
  "npu.behind"(%t) : (!npu.token) -> ()
  "npu.barrier"() : () -> ()
  return
}

// The unit is one for all cores.
// BROKEN: [[#@LINE+11]]:5: error: {{.*}}another core or unit
func.func private @core_number() -> i32
func.func @on_cores(%x: !far, %y: !far) {
  %one = arith.constant 1 : i32
  %a = memref.alloc() : !near
  %b = memref.alloc() : !near
  %core = call @core_number() : () -> i32
  %mover = arith.cmpi eq, %core, %one : i32
  scf.if %mover {
    %t = "npu.start"(%x, %a) : (!far, !near) -> !npu.token
    "npu.wait"(%t) : (!npu.token) -> ()
    memref.copy %y, %b : !far to !near
  }
  "npu.barrier"() : () -> ()
  return
}
