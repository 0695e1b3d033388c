// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an op has started goes on until somebody waits for its token, and behind
// the function if nobody does: then the buffer is not placed. With that rule
// broken it is held to the end.

// DEFINE: %{print} = %berth-opt %s --berth-target=%S/Inputs/tokens.json -o /dev/null --pass-pipeline=
// DEFINE: %{target} = target=%S/Inputs/tokens.json
// RUN: %{print}'builtin.module(berth-print-interference{test-break-rule=work-returns})' 2>&1 | FileCheck %s
// RUN: %{print}'builtin.module(berth-print-liveness)' 2>&1 | FileCheck %s --check-prefix=LEFT
// RUN: %{print}'builtin.module(berth-print-interference{test-break-rule=no-tokens})' 2>&1 | %status 1 FileCheck %s
// berth-verify does not believe it either that the work has ended before.
// RUN: %berth-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{%{target}},berth-verify{%{target}})' -o /dev/null
// RUN: not %berth-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{%{target} verify=false test-break-rule=no-tokens},berth-verify{%{target}})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=VERIFY
// VERIFY: error: touches bytes of the arena that work still under way may use

!b = memref<64xi8>

// LEFT: liveness of @awaited
// LEFT-NOT: not placed
// CHECK-LABEL: @awaited
// CHECK-NEXT: %alloc and %alloc_0:
// CHECK-NOT: %alloc
func.func @awaited(%x: !b) {
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  %c = memref.alloc() : !b
  "npu.make"(%a) : (!b) -> ()
  %t = "npu.start"(%a, %x) : (!b, !b) -> !npu.event
  "npu.make"(%b) : (!b) -> ()
  "npu.use"(%b) : (!b) -> ()
  "npu.wait"(%t) : (!npu.event) -> ()
  "npu.make"(%c) : (!b) -> ()
  "npu.use"(%c) : (!b) -> ()
  return
}

// An op that only looks at the token does not end it.
// LEFT: liveness of @asked
// LEFT-NEXT: %alloc =
// LEFT-NEXT: not placed: an asynchronous op may still use it later: nothing in its block waits for its token (npu.start
// CHECK-LABEL: @asked
// CHECK-NEXT: %alloc and %alloc_0:
// CHECK-NOT: %alloc
func.func @asked(%x: !b) {
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  "npu.make"(%a) : (!b) -> ()
  %t = "npu.start"(%a, %x) : (!b, !b) -> i32
  "npu.peek"(%t) : (i32) -> ()
  "npu.make"(%b) : (!b) -> ()
  "npu.use"(%b) : (!b) -> ()
  return
}

// A token that covers two others, as a view does.
// LEFT: liveness of @joined
// LEFT-NOT: not placed
// CHECK-LABEL: @joined
// CHECK-NEXT: %alloc and %alloc_0:
// CHECK-NEXT: %alloc and %alloc_1:
// CHECK-NEXT: %alloc_0 and %alloc_1:
// CHECK-NOT: %alloc
func.func @joined(%x: !b) {
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  %c = memref.alloc() : !b
  %d = memref.alloc() : !b
  "npu.make"(%a) : (!b) -> ()
  "npu.make"(%b) : (!b) -> ()
  %s = "npu.start"(%a, %x) : (!b, !b) -> !npu.event
  %t = "npu.start"(%b, %x) : (!b, !b) -> !npu.event
  %u = "npu.join"(%s, %t) : (!npu.event, !npu.event) -> !npu.event
  "npu.make"(%c) : (!b) -> ()
  "npu.use"(%c) : (!b) -> ()
  "npu.wait"(%u) : (!npu.event) -> ()
  "npu.make"(%d) : (!b) -> ()
  "npu.use"(%d) : (!b) -> ()
  return
}

// A wait for another token.
// LEFT: liveness of @other
// LEFT-NEXT: %alloc =
// LEFT-NEXT: not placed: an asynchronous op may still use it later: nothing in its block waits for its token (npu.start
// CHECK-LABEL: @other
// CHECK-NEXT: %alloc and %alloc_0:
// CHECK-NEXT: %alloc and %alloc_1:
// CHECK-NEXT: %alloc_0 and %alloc_1:
// CHECK-NOT: %alloc
func.func @other(%x: !b) {
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  %c = memref.alloc() : !b
  "npu.make"(%a) : (!b) -> ()
  "npu.make"(%b) : (!b) -> ()
  %s = "npu.start"(%a, %x) : (!b, !b) -> !npu.event
  %t = "npu.start"(%b, %x) : (!b, !b) -> !npu.event
  "npu.wait"(%t) : (!npu.event) -> ()
  "npu.make"(%c) : (!b) -> ()
  "npu.use"(%c) : (!b) -> ()
  "npu.start"(%b, %x) : (!b, !b) -> !npu.event
  return
}

// A token that goes around a loop is not followed to its wait: what was started
// is held to the end.
// LEFT: liveness of @carried
// LEFT-NEXT: %alloc =
// LEFT-NEXT: not placed: an asynchronous op may still use it later: nothing in its block waits for its token (npu.start
// CHECK-LABEL: @carried
// CHECK-NEXT: %alloc and %alloc_0:
// CHECK-NOT: %alloc
func.func @carried(%x: !b, %n: index, %first: !npu.event) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%t = %first) -> !npu.event {
    "npu.wait"(%t) : (!npu.event) -> ()
    "npu.make"(%a) : (!b) -> ()
    %u = "npu.start"(%a, %x) : (!b, !b) -> !npu.event
    scf.yield %u : !npu.event
  }
  "npu.wait"(%last) : (!npu.event) -> ()
  "npu.make"(%b) : (!b) -> ()
  "npu.use"(%b) : (!b) -> ()
  return
}
