// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What nobody waits for before its function returns goes on while the function's
// memory is another's, or its own again in the next call: no arena for that.

// RUN: %berth-opt %s --remarks-filter='berth.*' -o %t.mlir --pass-pipeline='builtin.module(berth-arena{space=default never-worse=false})' 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=KEPT < %t.mlir
// The verifier refuses it with the rule broken.
// RUN: not %berth-opt %s -o /dev/null --pass-pipeline='builtin.module(berth-arena{space=default never-worse=false test-break-rule=work-returns})' 2>&1 | FileCheck %s --check-prefix=VERIFY

!b = memref<16xf32>

// KEPT-LABEL: func.func @transfer(
// KEPT: %[[A:.*]] = memref.alloc() : memref<16xf32>
// KEPT: memref.dma_start %[[A]]
// CHECK: [[#@LINE+4]]:8: {{.*}}not placed: a transfer that nothing surely waits for may still use it
// VERIFY: [[#@LINE+6]]:3: error: is a transfer that may still use a buffer of the arena when its function returns
func.func @transfer(%x: !b) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : !b
  %tag = memref.alloc() : memref<1xi32>
  %c16 = arith.constant 16 : index
  memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%c0] : !b, !b, memref<1xi32>
  return
}

// The function returns early before the wait.
// CHECK: [[#@LINE+4]]:8: {{.*}}not placed: a transfer that nothing surely waits for may still use it
// VERIFY: [[#@LINE+6]]:3: error: is a transfer that may still use a buffer of the arena when its function returns
func.func @early(%x: !b, %c: i1) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : !b
  %tag = memref.alloc() : memref<1xi32>
  %c16 = arith.constant 16 : index
  memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%c0] : !b, !b, memref<1xi32>
  cf.cond_br %c, ^early, ^late
^early:
  return
^late:
  memref.dma_wait %tag[%c0], %c16 : memref<1xi32>
  return
}

func.func private @starts(%a: !b, %x: !b, %tag: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%c0] : !b, !b, memref<1xi32>
  return
}

// A called function leaves it under way.
// CHECK: [[#@LINE+2]]:8: {{.*}}not placed: a called function lets it get away
func.func @called(%x: !b, %tag: memref<1xi32>) {
  %a = memref.alloc() : !b
  call @starts(%a, %x, %tag) : (!b, !b, memref<1xi32>) -> ()
  return
}

// CHECK: [[#@LINE+4]]:8: {{.*}}not placed: an asynchronous op may still use it later: nothing in its block waits for its token
// VERIFY: [[#@LINE+4]]:8: error: may still use a buffer of the arena when its function returns
func.func @device(%x: !b) {
  %s = gpu.wait async
  %a = memref.alloc() : !b
  %t = gpu.memcpy async [%s] %a, %x : !b, !b
  return
}

// A group that is not waited for.
// CHECK: [[#@LINE+3]]:8: {{.*}}not placed: something asynchronous may still use it when its function returns
func.func private @group(%to: memref<16xf32, 3>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : !b
  %t = nvgpu.device_async_copy %a[%c0], %to[%c0], 4 : !b to memref<16xf32, 3>
  %g = nvgpu.device_async_create_group %t
  return
}
func.func @grouped(%to: memref<16xf32, 3>) attributes {gpu.kernel} {
  call @group(%to) : (memref<16xf32, 3>) -> ()
  return
}

// KEPT-LABEL: func.func @waited(
// KEPT: memref.view
// CHECK-NOT: not placed
func.func @waited(%x: !b) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : !b
  %tag = memref.alloc() : memref<1xi32>
  %c16 = arith.constant 16 : index
  memref.dma_start %a[%c0], %x[%c0], %c16, %tag[%c0] : !b, !b, memref<1xi32>
  memref.dma_wait %tag[%c0], %c16 : memref<1xi32>
  return
}
