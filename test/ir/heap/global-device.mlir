// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// A heap in global memory: what moves there, who frees it, and what is refused.
// RUN: %berth-opt %s --allow-unregistered-dialect --split-input-file --berth-heap='arena=global-device lowering=nvvm' --remarks-filter='berth.*' 2> %t | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s < %t
// The fence is that of the target, which may be told by the gpu.module.
// RUN: %berth-opt %s --allow-unregistered-dialect --split-input-file --pass-pipeline='builtin.module(rocdl-attach-target,berth-heap{arena=global-device})' | FileCheck %s --check-prefix=ROCDL
// ROCDL-LABEL: gpu.func @keep
// ROCDL: func.func private @berth_heap_fence
// ROCDL-NEXT: llvm.fence syncscope("agent") acq_rel

// Each thread calls for itself. What a slot holds is not freed; a thread without
// memory skips the rest of the block, and so leaves the slot alone.
// CHECK-LABEL: gpu.func @keep
// CHECK-SAME:  (%[[ARENA:.*]]: memref<?xi8> {berth.arena}, %[[SLOTS:.*]]: memref<?xmemref<?xf32>>
// CHECK:       %[[WORDS:.*]] = memref.view %[[ARENA]]
// CHECK:       %[[TAKE:.*]]:3 = func.call @berth_heap_take(%[[WORDS]],
// CHECK:       %[[M:.*]] = memref.view %[[ARENA]][%[[TAKE]]#1]
// CHECK:       %[[OK:.*]] = arith.cmpi eq, %[[TAKE]]#0
// CHECK:       scf.if %[[OK]] {
// CHECK:         memref.store %[[M]], %[[SLOTS]]
// CHECK-NOT:     give
// CHECK:       gpu.return
gpu.module @kernels {
  gpu.func @keep(%arena: memref<?xi8> {berth.arena}, %slots: memref<?xmemref<?xf32>>, %lengths: memref<?xindex>) kernel {
    %t = gpu.thread_id x
    %n = memref.load %lengths[%t] : memref<?xindex>
    // REMARK: :[[#@LINE+1]]:{{.*}}Passed{{.*}}"allocated in the heap, kept in a slot for later kernels"
    %m = memref.alloc(%n) : memref<?xf32>
    memref.store %m, %slots[%t] : memref<?xmemref<?xf32>>
    gpu.return
  }

// A kernel that finds blocks in slots does nothing once the heap has failed.
// CHECK-LABEL: gpu.func @free
// CHECK:       %[[STATUS:.*]] = func.call @berth_heap_status
// CHECK:       %[[GOOD:.*]] = arith.cmpi eq, %[[STATUS]]
// CHECK:       scf.if %[[GOOD]] {
// CHECK:         %[[M:.*]] = memref.load
// CHECK:         %[[AT:.*]] = memref.extract_aligned_pointer_as_index %[[M]]
// CHECK:         %[[HANDLE:.*]] = func.call @berth_heap_handle_at(%{{.*}}, %[[AT]])
// CHECK:         func.call @berth_heap_give(%{{.*}}, %[[HANDLE]])
// CHECK-NOT:   memref.dealloc
  gpu.func @free(%arena: memref<?xi8> {berth.arena}, %slots: memref<?xmemref<?xf32>>) kernel {
    %t = gpu.thread_id x
    %m = memref.load %slots[%t] : memref<?xmemref<?xf32>>
    memref.dealloc %m : memref<?xf32>
    gpu.return
  }

// What no slot holds goes behind its last use.
// CHECK-LABEL: gpu.func @here
// CHECK:       %[[TAKE:.*]]:3 = func.call @berth_heap_take
// CHECK:       func.call @berth_heap_give(%{{.*}}, %[[TAKE]]#2)
  gpu.func @here(%arena: memref<?xi8> {berth.arena}, %n: index, %v: f32) kernel {
    %c0 = arith.constant 0 : index
    // REMARK: :[[#@LINE+1]]:{{.*}}Passed{{.*}}"allocated in the heap, freed behind its last use"
    %m = memref.alloc(%n) : memref<?xf32>
    memref.store %v, %m[%c0] : memref<?xf32>
    gpu.return
  }

// What a slot holds moves whatever its size.
// CHECK-LABEL: gpu.func @fixed
// CHECK-NOT:   memref.alloc
// CHECK:       gpu.return
  gpu.func @fixed(%arena: memref<?xi8> {berth.arena}, %slots: memref<?xmemref<64xf32>>) kernel {
    %t = gpu.thread_id x
    // REMARK: :[[#@LINE+1]]:{{.*}}Passed{{.*}}"allocated in the heap, kept in a slot for later kernels"
    %m = memref.alloc() : memref<64xf32>
    memref.store %m, %slots[%t] : memref<?xmemref<64xf32>>
    gpu.return
  }

// Where threads meet, one without memory must not be missed.
// CHECK-LABEL: gpu.func @meet
// CHECK:       memref.alloc
  gpu.func @meet(%arena: memref<?xi8> {berth.arena}, %n: index, %v: f32) kernel {
    %c0 = arith.constant 0 : index
    // REMARK: :[[#@LINE+1]]:{{.*}}Missed{{.*}}"threads may wait for each other behind it, and one that gets no memory would not come there"
    %m = memref.alloc(%n) : memref<?xf32>
    memref.store %v, %m[%c0] : memref<?xf32>
    gpu.barrier
    gpu.return
  }

// An unknown op may be such a meeting.
// CHECK-LABEL: gpu.func @unknown
// CHECK:       memref.alloc
  gpu.func @unknown(%arena: memref<?xi8> {berth.arena}, %n: index, %v: f32) kernel {
    %c0 = arith.constant 0 : index
    // REMARK: :[[#@LINE+1]]:{{.*}}Missed{{.*}}"threads may wait for each other behind it, and one that gets no memory would not come there"
    %m = memref.alloc(%n) : memref<?xf32>
    memref.store %v, %m[%c0] : memref<?xf32>
    %arrived = "test.meet"() : () -> index
    gpu.return
  }

// Nor may a kernel that reads slots be skipped then: it is up to the host.
// CHECK-LABEL: gpu.func @read
// CHECK-NOT:   berth_heap_status(
// CHECK:       gpu.return
// CHECK:       func.func private @berth_heap_is_shared
// CHECK-NEXT:    arith.constant true
// CHECK:       func.func private @berth_heap_fence
// CHECK-NEXT:    llvm.fence syncscope("device") acq_rel
  gpu.func @read(%arena: memref<?xi8> {berth.arena}, %slots: memref<?xmemref<?xf32>>) kernel {
    %t = gpu.thread_id x
    // REMARK: :[[#@LINE+1]]:{{.*}}Analysis{{.*}}"what slots hold is taken for good though an earlier kernel may have got no memory: read the heap's status word before this kernel is launched"
    %m = memref.load %slots[%t] : memref<?xmemref<?xf32>>
    gpu.barrier
    memref.dealloc %m : memref<?xf32>
    gpu.return
  }
}

// -----

// In an arena of words blocks are addresses, and so are slots.
// CHECK-LABEL: gpu.func @words
// CHECK-SAME:  (%[[ARENA:.*]]: memref<?xi32> {berth.arena}, %[[SLOTS:.*]]: memref<?xi32>, %[[N:.*]]: index
// CHECK:       %[[SIZE:.*]] = func.call @berth_heap_scale_words(%{{.*}}, %[[N]])
// CHECK:       %[[TAKE:.*]]:3 = func.call @berth_heap_take(%[[ARENA]], %[[SIZE]],
// CHECK:       %[[ADDRESS:.*]] = arith.addi %[[TAKE]]#2, %c1
// CHECK:       scf.if
// CHECK:         %[[WORD:.*]] = arith.bitcast %{{.*}} : f32 to i32
// CHECK:         %[[BASE:.*]] = arith.index_cast %[[ADDRESS]] : i32 to index
// CHECK:         %[[COLUMN:.*]] = arith.addi %[[BASE]], %[[I:.*]] :
// CHECK:         %[[ROW:.*]] = arith.muli %[[I]], %c3
// CHECK:         %[[AT:.*]] = arith.addi %[[COLUMN]], %[[ROW]]
// CHECK:         memref.store %[[WORD]], %[[ARENA]][%[[AT]]] : memref<?xi32>
// CHECK:         memref.store %[[ADDRESS]], %[[SLOTS]]
gpu.module @kernels {
  gpu.func @words(%arena: memref<?xi32> {berth.arena}, %slots: memref<?xmemref<?x3xf32>>, %n: index, %v: f32) kernel {
    %t = gpu.thread_id x
    %m = memref.alloc(%n) : memref<?x3xf32>
    memref.store %v, %m[%t, %t] : memref<?x3xf32>
    memref.store %m, %slots[%t] : memref<?xmemref<?x3xf32>>
    gpu.return
  }

// CHECK-LABEL: gpu.func @other
// CHECK:       memref.alloc
  gpu.func @other(%arena: memref<?xi32> {berth.arena}, %n: index) kernel {
    %c0 = arith.constant 0 : index
    // REMARK: :[[#@LINE+1]]:{{.*}}Missed{{.*}}"in an arena of words only loads and stores of 32-bit elements may use it"
    %m = memref.alloc(%n) : memref<?xf32>
    %d = memref.dim %m, %c0 : memref<?xf32>
    gpu.return
  }

// A kernel may open the heap: what it declares is replaced.
// CHECK-LABEL: gpu.func @open
// CHECK:       func.call @berth_heap_init_words
// CHECK:       func.func private @berth_heap_init_words(%{{.*}}: memref<?xi32>, %{{.*}}: i32, %{{.*}}: i32) -> i32
// CHECK-NEXT:  arith.constant
  func.func private @berth_heap_init_words(memref<?xi32>, i32, i32) -> i32
  gpu.func @open(%arena: memref<?xi32> {berth.arena}, %words: i32, %mode: i32) kernel {
    %status = func.call @berth_heap_init_words(%arena, %words, %mode) : (memref<?xi32>, i32, i32) -> i32
    gpu.return
  }
}
