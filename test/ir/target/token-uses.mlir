// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who is given a token does not wait for it, unless that is known. What is
// chosen among tokens, carried, stored or given away is held to the end and not
// placed, since it goes on behind the function.

// DEFINE: %{target} = target=%S/Inputs/tokens.json
// DEFINE: %{rule} =
// DEFINE: %{print} = %berth-opt %s --berth-target=%S/Inputs/tokens.json --allow-unregistered-dialect -o /dev/null --pass-pipeline='builtin.module(berth-print-liveness{%{rule}})' 2>&1
// DEFINE: %{verify} = %berth-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{%{target} verify=false %{rule}},berth-verify{%{target}})' -o /dev/null 2>&1
// RUN: %{print} | FileCheck %s
// RUN: %{verify}
// REDEFINE: %{rule} = test-break-rule=any-token-use
// RUN: %{print} | %status 1 FileCheck %s
// RUN: not %{verify} | FileCheck %s --check-prefix=VERIFY

!b = memref<64xi8>
!t = !npu.event

// CHECK-LABEL: liveness of @selected
// CHECK: not placed: an asynchronous op may still use it later: nothing in its block waits for its token
func.func @selected(%x: !b, %q: i1) {
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  "npu.make"(%a) : (!b) -> ()
  %t = "npu.start"(%a, %x) : (!b, !b) -> !t
  %u = arith.select %q, %t, %t : !t
  // VERIFY: :[[@LINE+1]]:{{.*}}work still under way may use
  "npu.make"(%b) : (!b) -> ()
  "npu.use"(%b) : (!b) -> ()
  return
}

// Only one of the two has ended.
// CHECK-LABEL: liveness of @one_of_two
// CHECK: not placed: an asynchronous op may still use it later: nothing in its block waits for its token
func.func @one_of_two(%x: !b, %q: i1) {
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  %c = memref.alloc() : !b
  "npu.make"(%a) : (!b) -> ()
  "npu.make"(%b) : (!b) -> ()
  %s = "npu.start"(%a, %x) : (!b, !b) -> !t
  %t = "npu.start"(%b, %x) : (!b, !b) -> !t
  %u = arith.select %q, %s, %t : !t
  "npu.wait"(%u) : (!t) -> ()
  // VERIFY: :[[@LINE+1]]:{{.*}}work still under way may use
  "npu.make"(%c) : (!b) -> ()
  "npu.use"(%c) : (!b) -> ()
  return
}

// CHECK-LABEL: liveness of @async_one_of_two
// CHECK: not placed: an asynchronous op may still use it later: nothing in its block waits for its token
func.func @async_one_of_two(%x: !b, %q: i1) {
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  %c = memref.alloc() : !b
  "npu.make"(%a) : (!b) -> ()
  "npu.make"(%b) : (!b) -> ()
  %s = "npu.start"(%a, %x) : (!b, !b) -> !async.token
  %t = "npu.start"(%b, %x) : (!b, !b) -> !async.token
  %u = arith.select %q, %s, %t : !async.token
  async.await %u : !async.token
  // VERIFY: :[[@LINE+1]]:{{.*}}work still under way may use
  "npu.make"(%c) : (!b) -> ()
  "npu.use"(%c) : (!b) -> ()
  return
}

// The loop has another token from its second turn on.
// CHECK-LABEL: liveness of @carried
// CHECK: not placed: an asynchronous op may still use it later: nothing in its block waits for its token
func.func @carried(%x: !b, %other: !t, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  "npu.make"(%a) : (!b) -> ()
  %t = "npu.start"(%a, %x) : (!b, !b) -> !t
  %u = scf.for %i = %c0 to %n step %c1 iter_args(%v = %t) -> !t {
    scf.yield %other : !t
  }
  "npu.wait"(%u) : (!t) -> ()
  // VERIFY: :[[@LINE+1]]:{{.*}}work still under way may use
  "npu.make"(%b) : (!b) -> ()
  "npu.use"(%b) : (!b) -> ()
  return
}

// CHECK-LABEL: liveness of @stored
// CHECK: not placed: an asynchronous op may still use it later: nothing in its block waits for its token
func.func @stored(%x: !b) {
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  "npu.make"(%a) : (!b) -> ()
  %t = "npu.start"(%a, %x) : (!b, !b) -> !t
  %u = tensor.from_elements %t : tensor<1x!t>
  // VERIFY: :[[@LINE+1]]:{{.*}}work still under way may use
  "npu.make"(%b) : (!b) -> ()
  "npu.use"(%b) : (!b) -> ()
  return
}

func.func private @returns(%t: !t) {
  return
}

// CHECK-LABEL: liveness of @called
// CHECK: not placed: an asynchronous op may still use it later: nothing in its block waits for its token
func.func @called(%x: !b) {
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  "npu.make"(%a) : (!b) -> ()
  %t = "npu.start"(%a, %x) : (!b, !b) -> !t
  call @returns(%t) : (!t) -> ()
  // VERIFY: :[[@LINE+1]]:{{.*}}work still under way may use
  "npu.make"(%b) : (!b) -> ()
  "npu.use"(%b) : (!b) -> ()
  return
}

// CHECK-LABEL: liveness of @unknown
// CHECK: not placed: an asynchronous op may still use it later: nothing in its block waits for its token
func.func @unknown(%x: !b) {
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  "npu.make"(%a) : (!b) -> ()
  %t = "npu.start"(%a, %x) : (!b, !b) -> !t
  "other.look"(%t) : (!t) -> ()
  // VERIFY: :[[@LINE+1]]:{{.*}}work still under way may use
  "npu.make"(%b) : (!b) -> ()
  "npu.use"(%b) : (!b) -> ()
  return
}

// It says that it waits.
// CHECK-LABEL: liveness of @told
// CHECK-NOT: not placed
func.func @told(%x: !b) {
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  "npu.make"(%a) : (!b) -> ()
  %t = "npu.start"(%a, %x) : (!b, !b) -> !t
  "other.wait"(%t) {berth.waits = [0]} : (!t) -> ()
  "npu.make"(%b) : (!b) -> ()
  "npu.use"(%b) : (!b) -> ()
  return
}

// Nobody has called these tokens: what is given both may choose one.
// CHECK-LABEL: liveness of @guessed
// CHECK: not placed: an asynchronous op may still use it later: nothing in its block waits for its token
func.func @guessed(%x: !b) {
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  %c = memref.alloc() : !b
  "npu.make"(%a) : (!b) -> ()
  "npu.make"(%b) : (!b) -> ()
  %s = "other.start"(%a, %x) : (!b, !b) -> !other.event
  %t = "other.start"(%b, %x) : (!b, !b) -> !other.event
  %u = "other.pick"(%s, %t) : (!other.event, !other.event) -> !other.event
  "other.wait"(%u) : (!other.event) -> ()
  // VERIFY: :[[@LINE+1]]:{{.*}}work still under way may use
  "npu.make"(%c) : (!b) -> ()
  "npu.use"(%c) : (!b) -> ()
  return
}
