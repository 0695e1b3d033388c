// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What slots hold may not be what was meant: from the stack, one block twice, or
// one that is freed. Nothing is told of what moves where the kernel is an error.
// RUN: %berth-opt %s --berth-heap='arena=global-device lowering=nvvm' --remarks-filter='berth.*' -o /dev/null 2>&1 | FileCheck %s
// RUN: sed 's/{berth.arena}//' %s | not %berth-opt --berth-heap='arena=global-device lowering=nvvm' --remarks-filter='berth.*' -o /dev/null 2>&1 | FileCheck %s --check-prefix=FAILS --implicit-check-not=Passed --implicit-check-not=Analysis
// FAILS: error: arena=global-device needs a kernel argument

gpu.module @kernels {
  gpu.func @kernel(%arena: memref<?xi8> {berth.arena}, %slots: memref<?xmemref<?xf32>>, %n: index) kernel {
    %t = gpu.thread_id x
    // CHECK: slots.mlir:[[#@LINE+2]]:{{.*}}Passed{{.*}}kept in a slot
    // CHECK: slots.mlir:[[#@LINE+1]]:{{.*}}Analysis{{.*}}"a slot holds what is allocated on the stack: in the heap it does not end with the kernel, and a later one has to free it"
    %a = memref.alloca(%n) : memref<?xf32>
    // CHECK: slots.mlir:[[#@LINE+2]]:{{.*}}Passed{{.*}}kept in a slot
    // CHECK: slots.mlir:[[#@LINE+1]]:{{.*}}Analysis{{.*}}"several stores put it into slots: kernels may free what one of them holds only"
    %b = memref.alloc(%n) : memref<?xf32>
    // CHECK: slots.mlir:[[#@LINE+2]]:{{.*}}Passed{{.*}}kept in a slot
    // CHECK-NOT: Analysis
    %c = memref.alloc(%n) : memref<?xf32>
    memref.store %a, %slots[%t] : memref<?xmemref<?xf32>>
    memref.store %b, %slots[%t] : memref<?xmemref<?xf32>>
    memref.store %b, %slots[%n] : memref<?xmemref<?xf32>>
    memref.store %c, %slots[%t] : memref<?xmemref<?xf32>>
    gpu.return
  }
  gpu.func @freed(%arena: memref<?xi8> {berth.arena}, %slots: memref<?xmemref<?xf32>>, %n: index) kernel {
    %t = gpu.thread_id x
    // CHECK: slots.mlir:[[#@LINE+1]]:{{.*}}Passed{{.*}}"allocated in the heap, put into a slot and freed by its deallocs"
    %a = memref.alloc(%n) : memref<?xf32>
    memref.store %a, %slots[%t] : memref<?xmemref<?xf32>>
    // CHECK: slots.mlir:[[#@LINE+1]]:{{.*}}Analysis{{.*}}"a slot may still hold what is deallocated here: kernels must not use what they find there, nor free it once more"
    memref.dealloc %a : memref<?xf32>
    gpu.return
  }

  // The one that was there is freed; the new one stays.
  gpu.func @exchanged(%arena: memref<?xi8> {berth.arena}, %slots: memref<?xmemref<?xf32>>, %n: index) kernel {
    %t = gpu.thread_id x
    // CHECK: slots.mlir:[[#@LINE+2]]:{{.*}}Passed{{.*}}kept in a slot
    // CHECK-NOT: Analysis
    %a = memref.alloc(%n) : memref<?xf32>
    %old = memref.load %slots[%t] : memref<?xmemref<?xf32>>
    memref.store %a, %slots[%t] : memref<?xmemref<?xf32>>
    memref.dealloc %old : memref<?xf32>
    gpu.return
  }
}
