// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arenas without addresses: what functions have at once, each in an arena of its
// own, has to fit the memory, too.

// DEFINE: %{arena} = %berth-opt %s --berth-target=%S/Inputs/live-arenas.json -o /dev/null --pass-pipeline=
// An arena on the heap may be freed before a call, so that it is a warning there.
// RUN: %{arena}'builtin.module(berth-arena{space=L1 never-worse=false})' 2>&1 | FileCheck %s --check-prefix=HEAP
// RUN: not %{arena}'builtin.module(berth-arena{space=L1 never-worse=false arena=alloca})' 2>&1 | FileCheck %s
// RUN: not %{arena}'builtin.module(berth-arena{space=L1 never-worse=false arena=global})' 2>&1 | FileCheck %s --check-prefix=GLOBAL
// RUN: %{arena}'builtin.module(berth-arena{space=L1 never-worse=false test-break-rule=lone-scopes})'

!far = memref<64xi8, "L3">
!near = memref<64xi8, "L1">

// HEAP: [[#@LINE+4]]:1: warning: the arenas that may be live here at once take 192 bytes, the capacity is 160 bytes
// CHECK: [[#@LINE+3]]:1: error: the arenas that are live here at once take 192 bytes, the capacity is 160 bytes
// CHECK: note: 64 bytes of its own, 128 of a caller
// GLOBAL: [[#@LINE+1]]:1: error: the arenas that are live here at once take 256 bytes, the capacity is 160 bytes
func.func private @inner(%x: !far, %y: !far) {
  %a = memref.alloc() : !near
  memref.copy %x, %a : !far to !near
  memref.copy %a, %y : !near to !far
  return
}

func.func @outer(%x: !far, %y: !far) {
  %a = memref.alloc() : !near
  %b = memref.alloc() : !near
  memref.copy %x, %a : !far to !near
  memref.copy %x, %b : !far to !near
  call @inner(%x, %y) : (!far, !far) -> ()
  memref.copy %a, %y : !near to !far
  memref.copy %b, %y : !near to !far
  return
}

// Not at once with the others, unless they are globals.
// CHECK-NOT: error
func.func @beside(%x: !far, %y: !far) {
  %a = memref.alloc() : !near
  memref.copy %x, %a : !far to !near
  memref.copy %a, %y : !near to !far
  return
}
