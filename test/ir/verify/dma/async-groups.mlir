// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies that end with their group, in memory that threads do not share: the
// verifier counts groups by itself.

// DEFINE: %{rule} =
// DEFINE: %{plan} = %berth-opt %s --pass-pipeline='builtin.module(berth-arena{space=default never-worse=false %{rule}},berth-verify)'
// RUN: %{plan} | FileCheck %s
// REDEFINE: %{rule} = test-break-rule=no-async
// RUN: not %{plan} -o /dev/null 2>&1 | FileCheck %s --check-prefix=ASYNC
// REDEFINE: %{rule} = test-break-rule=no-pending-groups
// RUN: not %{plan} -o /dev/null 2>&1 | FileCheck %s --check-prefix=PEND
// REDEFINE: %{rule} = test-break-rule=work-returns
// RUN: not %{plan} -o /dev/null 2>&1 | FileCheck %s --check-prefix=LEFT

!b = memref<16xf32>
!s = memref<16xf32, 3>

// CHECK-LABEL: @awaited(
// CHECK: : memref<128xi8>
// ASYNC: [[#@LINE+8]]:3: error: touches bytes of the arena that work still under way may use through another buffer
func.func @awaited(%to: !s, %x: !b, %y: !b) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  linalg.exp ins(%x : !b) outs(%a : !b)
  %t = nvgpu.device_async_copy %a[%c0], %to[%c0], 4 : !b to !s
  %g = nvgpu.device_async_create_group %t
  linalg.exp ins(%x : !b) outs(%b : !b)
  linalg.sqrt ins(%b : !b) outs(%y : !b)
  nvgpu.device_async_wait %g {numGroups = 0 : i32}
  return
}

// The group of %a is the older one, that of %b may pend.
// CHECK-LABEL: @older(
// CHECK: : memref<192xi8>
// PEND: [[#@LINE+15]]:3: error: touches bytes of the arena that work still under way may use through another buffer
func.func @older(%to: !s, %x: !b, %y: !b) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  %c = memref.alloc() : !b
  %d = memref.alloc() : !b
  linalg.exp ins(%x : !b) outs(%a : !b)
  %t = nvgpu.device_async_copy %a[%c0], %to[%c0], 4 : !b to !s
  %g = nvgpu.device_async_create_group %t
  linalg.exp ins(%x : !b) outs(%b : !b)
  %u = nvgpu.device_async_copy %b[%c0], %to[%c0], 4 : !b to !s
  %h = nvgpu.device_async_create_group %u
  nvgpu.device_async_wait %g {numGroups = 1 : i32}
  linalg.exp ins(%x : !b) outs(%c : !b)
  linalg.exp ins(%x : !b) outs(%d : !b)
  linalg.add ins(%c, %d : !b, !b) outs(%y : !b)
  nvgpu.device_async_wait %h {numGroups = 0 : i32}
  return
}

// In turns, with the wait one turn behind.
// CHECK-LABEL: @turns(
// CHECK: : memref<128xi8>
// ASYNC: [[#@LINE+15]]:3: error: touches bytes of the arena that work still under way may use through another buffer
func.func @turns(%to: !s, %x: !b, %y: !b, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  linalg.exp ins(%x : !b) outs(%a : !b)
  %t0 = nvgpu.device_async_copy %a[%c0], %to[%c0], 4 : !b to !s
  %g0 = nvgpu.device_async_create_group %t0
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%before = %g0) -> !nvgpu.device.async.token {
    %t = nvgpu.device_async_copy %a[%c0], %to[%c0], 4 : !b to !s
    %g = nvgpu.device_async_create_group %t
    nvgpu.device_async_wait %before {numGroups = 1 : i32}
    scf.yield %g : !nvgpu.device.async.token
  }
  linalg.exp ins(%x : !b) outs(%b : !b)
  linalg.sqrt ins(%b : !b) outs(%y : !b)
  nvgpu.device_async_wait %last {numGroups = 0 : i32}
  return
}

// LEFT: [[#@LINE+5]]:8: error: may still use a buffer of the arena when its function returns
func.func private @left(%to: !s, %x: !b) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : !b
  linalg.exp ins(%x : !b) outs(%a : !b)
  %t = nvgpu.device_async_copy %a[%c0], %to[%c0], 4 : !b to !s
  return
}

// A called function leaves its copy under way: %a keeps its own bytes.
func.func private @starts(%a: !b, %to: !s) {
  %c0 = arith.constant 0 : index
  %t = nvgpu.device_async_copy %a[%c0], %to[%c0], 4 : !b to !s
  %g = nvgpu.device_async_create_group %t
  return
}
// CHECK-LABEL: @calls(
// CHECK: : memref<64xi8>
// ASYNC: [[#@LINE+6]]:3: error: touches bytes of the arena that work still under way may use through another buffer
func.func @calls(%to: !s, %x: !b, %y: !b) {
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  linalg.exp ins(%x : !b) outs(%a : !b)
  call @starts(%a, %to) : (!b, !s) -> ()
  linalg.exp ins(%x : !b) outs(%b : !b)
  linalg.sqrt ins(%b : !b) outs(%y : !b)
  return
}
