// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An op that nobody knows may run its regions later: what they use is held until
// its token is surely waited for, without one to the end. What nobody waits for
// though it has a token goes on behind the function.
// RUN: %mlir-opt-berth --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-print-liveness)' %s 2>&1 >/dev/null | FileCheck %s
// RUN: %mlir-opt-berth --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-print-liveness{unknown-ops=use})' %s 2>&1 >/dev/null | FileCheck %s --check-prefix=USE
// The rewritten program is right, and without the rule it is refused.
// RUN: %mlir-opt-berth --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena,berth-verify)' %s -o /dev/null
// RUN: %mlir-opt-berth --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{unknown-ops=use},berth-verify{unknown-ops=use})' %s -o /dev/null
// RUN: not %mlir-opt-berth --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{test-break-rule=no-late-regions})' %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REFUSED
// Merging asks the same, and so does the heap.
// RUN: %mlir-opt-berth --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-merge)' %s | FileCheck %s --check-prefix=MERGED
// RUN: %mlir-opt-berth --allow-unregistered-dialect --remarks-filter='berth.*' --pass-pipeline='builtin.module(berth-heap{allocations=all})' %s 2>&1 >/dev/null | FileCheck %s --check-prefix=HEAP
// RUN: not %mlir-opt-berth --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-verify{unknown-ops=keep})' %s 2>&1 | FileCheck %s --check-prefix=OPTION

// OPTION: error: berth-verify: unknown-ops 'keep' is not 'use'
!b = memref<16xf32>

// CHECK: liveness of @token
// CHECK: memref.store {{.*}} .. my.wait
// USE: liveness of @token
// USE: memref.store {{.*}} .. my.wait
// REFUSED: error: touches bytes of the arena that work still under way may use through another buffer
// MERGED-LABEL: func.func @token(
// MERGED-COUNT-2: memref.alloc
// HEAP: an op that nobody knows may run its regions later
func.func @token(%out: !b, %f: f32, %i: index) {
  %a = memref.alloc() : !b
  memref.store %f, %a[%i] : !b
  %t = "my.start"() ({
    %x = memref.load %a[%i] : !b
    memref.store %x, %out[%i] : !b
    "my.end"() : () -> ()
  }) : () -> !my.event
  %b = memref.alloc() : !b
  memref.store %f, %b[%i] : !b
  %y = memref.load %b[%i] : !b
  memref.store %y, %out[%i] : !b
  "my.wait"(%t) : (!my.event) -> ()
  return
}

// CHECK: liveness of @dropped
// CHECK: not placed: an op that nobody knows may run its regions later: nothing in its block waits for its token
// USE: liveness of @dropped
// USE: not placed: an op that nobody knows may run its regions later: nothing in its block waits for its token
func.func @dropped(%out: !b, %f: f32, %i: index) {
  %a = memref.alloc() : !b
  memref.store %f, %a[%i] : !b
  %t = "my.start"() ({
    %x = memref.load %a[%i] : !b
    memref.store %x, %out[%i] : !b
    "my.end"() : () -> ()
  }) : () -> !my.event
  return
}

// Fire and forget.
// CHECK: liveness of @forgotten
// CHECK: memref.alloc {{.*}} .. func.return
// CHECK: liveness of @again
// CHECK: not placed: an op that nobody knows may run its regions later (unknown-ops=use if it does not), and it is allocated again meanwhile (my.spawn
// USE: liveness of @forgotten
// USE: memref.store {{.*}} .. my.spawn
// REFUSED: error: touches bytes of the arena that work still under way may use through another buffer
// MERGED-LABEL: func.func @forgotten(
// MERGED-COUNT-2: memref.alloc
func.func @forgotten(%out: !b, %f: f32, %i: index) {
  %a = memref.alloc() : !b
  memref.store %f, %a[%i] : !b
  "my.spawn"() ({
    %x = memref.load %a[%i] : !b
    memref.store %x, %out[%i] : !b
    "my.end"() : () -> ()
  }) : () -> ()
  %b = memref.alloc() : !b
  memref.store %f, %b[%i] : !b
  %y = memref.load %b[%i] : !b
  memref.store %y, %out[%i] : !b
  return
}
func.func @again(%out: !b, %f: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : !b
    memref.store %f, %a[%i] : !b
    "my.spawn"() ({
      %x = memref.load %a[%i] : !b
      memref.store %x, %out[%i] : !b
      "my.end"() : () -> ()
    }) : () -> ()
  }
  return
}

// In a called function.
func.func private @spawns(%a: !b, %out: !b, %i: index) {
  "my.spawn"() ({
    %x = memref.load %a[%i] : !b
    memref.store %x, %out[%i] : !b
    "my.end"() : () -> ()
  }) : () -> ()
  return
}
// CHECK: liveness of @calls
// CHECK: not placed: a called function lets it get away
// USE: liveness of @calls
// USE: memref.store {{.*}} .. func.call
func.func @calls(%out: !b, %f: f32, %i: index) {
  %a = memref.alloc() : !b
  memref.store %f, %a[%i] : !b
  func.call @spawns(%a, %out, %i) : (!b, !b, index) -> ()
  return
}

// MLIR tells of this what its region is for.
// CHECK: liveness of @known
// CHECK: memref.store {{.*}} .. tensor.generate
func.func @known(%f: f32, %i: index) -> tensor<?xf32> {
  %a = memref.alloc() : !b
  memref.store %f, %a[%i] : !b
  %t = tensor.generate %i {
  ^bb0(%k: index):
    %x = memref.load %a[%k] : !b
    tensor.yield %x : f32
  } : tensor<?xf32>
  %z = arith.addf %f, %f : f32
  return %t : tensor<?xf32>
}
