// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// Slots for what TMA loads in each turn, each with an mbarrier, and why others get none.
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-multi-buffer{factor=3},canonicalize,cse)' | FileCheck %s
// RUN: %berth-opt %s --remarks-filter=berth-multi-buffer --pass-pipeline='builtin.module(berth-multi-buffer)' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

!tile = memref<8x8xf32, #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = !tile, swizzle = none, l2promo = none, oob = zero, interleave = none>
!small = memref<4x4xf32, #gpu.address_space<workgroup>>
!small_map = !nvgpu.tensormap.descriptor<tensor = !small, swizzle = none, l2promo = none, oob = zero, interleave = none>
!mbarriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
!pair = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>
!row = memref<64xf32>

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @loads
  // CHECK: %[[M:.*]] = nvgpu.mbarrier.create -> <memorySpace = #gpu.address_space<workgroup>, num_barriers = 3>
  // CHECK: nvgpu.mbarrier.init %[[M]][%c0], %c1, predicate = %[[FIRST:.*]] :
  // CHECK: nvgpu.mbarrier.init %[[M]][%c1], %c1, predicate = %[[FIRST]] :
  // CHECK: nvgpu.mbarrier.init %[[M]][%c2], %c1, predicate = %[[FIRST]] :
  // CHECK: gpu.barrier
  // CHECK: %[[TILES:.*]] = memref.alloc() {alignment = 128 : i64, berth.slots = 3 : i64} : memref<3x8x8xf32
  // CHECK: %[[ANY:.*]] = arith.cmpi slt, %[[LB:.*]], %[[UB:.*]] : index
  // CHECK: scf.if %[[ANY]] {
  // CHECK: memref.subview %[[TILES]][0, 0, 0] [1, 8, 8] [1, 1, 1]
  // CHECK: nvgpu.mbarrier.arrive.expect_tx %[[M]][%c0], %c256, predicate = %[[FIRST]]
  // CHECK: nvgpu.tma.async.load %{{.*}}[%[[LB]], %c0], %[[M]][%c0] to %{{.*}}, predicate = %[[FIRST]]
  // CHECK: %[[TWO:.*]] = arith.andi %[[ANY]],
  // CHECK: scf.if %[[TWO]] {
  // CHECK: memref.subview %[[TILES]][1, 0, 0] [1, 8, 8] [1, 1, 1]
  // CHECK: nvgpu.mbarrier.arrive.expect_tx %[[M]][%c1], %c256, predicate = %[[FIRST]]
  // CHECK: nvgpu.tma.async.load %{{.*}}[%{{.*}}, %c0], %[[M]][%c1] to %{{.*}}, predicate = %[[FIRST]]
  // CHECK: scf.for %[[K:.*]] = %[[LB]] to %[[UB]] step %[[S:.*]] iter_args
  // CHECK: %[[SINCE:.*]] = arith.subi %[[K]], %[[LB]] : index
  // CHECK: %[[TURN:.*]] = arith.divui %[[SINCE]], %[[S]] : index
  // CHECK: %[[NUMBER:.*]] = arith.remui %[[TURN]], %c3 : index
  // CHECK: %[[SLOT:.*]] = memref.subview %[[TILES]][%[[NUMBER]], 0, 0]
  // CHECK: %[[PHASE:.*]] = arith.divui %[[TURN]], %c3 : index
  // CHECK: %[[REST:.*]] = arith.remui %[[PHASE]], %c2 : index
  // CHECK: %[[PARITY:.*]] = arith.cmpi ne, %[[REST]], %c0 : index
  // CHECK: %[[MORE:.*]] = arith.cmpi uge, %{{.*}}, %c2 : index
  // CHECK: scf.if %[[MORE]] {
  // CHECK: %[[LATER:.*]] = arith.remui %{{.*}}, %c3 : index
  // CHECK: memref.subview %[[TILES]][%[[LATER]], 0, 0]
  // CHECK: nvgpu.mbarrier.arrive.expect_tx %[[M]][%[[LATER]]], %c256, predicate = %[[FIRST]]
  // CHECK: nvgpu.tma.async.load %{{.*}}[%{{.*}}, %c0], %[[M]][%[[LATER]]] to
  // CHECK: nvgpu.mbarrier.try_wait.parity %[[M]][%[[NUMBER]]], %[[PARITY]],
  // CHECK: memref.load %[[SLOT]]
  // CHECK: gpu.barrier
  gpu.func @loads(%d: !map, %sd: !small_map, %out: !row, %l: index, %u: index, %s: index) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %bytes = arith.constant 256 : index
    %zero = arith.constant 0.0 : f32
    %even = arith.constant false
    %odd = arith.constant true
    %first = arith.cmpi eq, %t, %c0 : index
    %m = nvgpu.mbarrier.create -> !mbarriers
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarriers
    gpu.barrier
    // REMARK: :[[#@LINE+1]]:10: remark: [Passed] {{.*}}2 slots of 256 bytes for the turns of scf.for at line {{[0-9]+}}; 1 ahead
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %sum, %last = scf.for %i = %l to %u step %s iter_args(%old = %zero, %parity = %even) -> (f32, i1) {
    nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes, predicate = %first : !mbarriers
    nvgpu.tma.async.load %d[%i, %c0], %m[%c0] to %x, predicate = %first : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    %new = arith.addf %old, %r : f32
    gpu.barrier
    %next = arith.xori %parity, %odd : i1
    scf.yield %new, %next : f32, i1
    }
    memref.store %sum, %out[%t] : !row
    gpu.return
  }

  // The parity may be computed from the variable; bounds may be constants.
  // CHECK-LABEL: gpu.func @computed
  // CHECK: nvgpu.tma.async.load %{{.*}}[%c4, %c0]
  // CHECK: nvgpu.tma.async.load %{{.*}}[%c7, %c0]
  // CHECK: scf.for %[[K:.*]] = %c4 to %c40 step %c3
  // CHECK: arith.cmpi uge
  // CHECK: nvgpu.mbarrier.try_wait.parity
  gpu.func @computed(%d: !map, %sd: !small_map, %out: !row, %l: index, %u: index, %s: index) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %bytes = arith.constant 256 : index
    %zero = arith.constant 0.0 : f32
    %even = arith.constant false
    %odd = arith.constant true
    %first = arith.cmpi eq, %t, %c0 : index
    %m = nvgpu.mbarrier.create -> !mbarriers
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarriers
    gpu.barrier
    %c4 = arith.constant 4 : index
    %c40 = arith.constant 40 : index
    %c3 = arith.constant 3 : index
    // REMARK: :[[#@LINE+1]]:10: remark: [Passed] {{.*}}2 slots of 256 bytes for the turns of scf.for at line {{[0-9]+}}; 1 ahead
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %sum, %last = scf.for %i = %c4 to %c40 step %c3 iter_args(%old = %zero, %parity = %even) -> (f32, i1) {
    %since = arith.subi %i, %c4 : index
    %turn = arith.divui %since, %c3 : index
    %bit = arith.remui %turn, %c2 : index
    %own = arith.index_cast %bit : index to i1
    nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes, predicate = %first : !mbarriers
    nvgpu.tma.async.load %d[%i, %c0], %m[%c0] to %x, predicate = %first : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %own, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    %new = arith.addf %old, %r : f32
    gpu.barrier
    %next = arith.xori %parity, %odd : i1
    scf.yield %new, %next : f32, i1
    }
    memref.store %sum, %out[%t] : !row
    gpu.return
  }

  // Two tiles by one mbarrier, one by its own.
  // CHECK-LABEL: gpu.func @several
  // CHECK-COUNT-3: nvgpu.mbarrier.init
  // CHECK-COUNT-3: nvgpu.mbarrier.init
  // CHECK: scf.if
  // CHECK-COUNT-3: nvgpu.tma.async.load
  gpu.func @several(%d: !map, %sd: !small_map, %out: !row, %l: index, %u: index, %s: index) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %bytes = arith.constant 256 : index
    %zero = arith.constant 0.0 : f32
    %even = arith.constant false
    %odd = arith.constant true
    %first = arith.cmpi eq, %t, %c0 : index
    %m = nvgpu.mbarrier.create -> !mbarriers
    %w = nvgpu.mbarrier.create -> !mbarriers
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarriers
    nvgpu.mbarrier.init %w[%c0], %c1, predicate = %first : !mbarriers
    gpu.barrier
    %y = memref.alloc() {alignment = 128 : i64} : !tile
    %z = memref.alloc() {alignment = 128 : i64} : !tile
    %more = arith.constant 512 : index
    %less = arith.constant 256 : index
    // REMARK: :[[#@LINE+1]]:10: remark: [Passed] {{.*}}2 slots of 256 bytes for the turns of scf.for at line {{[0-9]+}}; 1 ahead
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %sum, %last = scf.for %i = %l to %u step %s iter_args(%old = %zero, %parity = %even) -> (f32, i1) {
    nvgpu.mbarrier.arrive.expect_tx %m[%c0], %more, predicate = %first : !mbarriers
    nvgpu.tma.async.load %d[%i, %c0], %m[%c0] to %x, predicate = %first : !map, !mbarriers -> !tile
    nvgpu.tma.async.load %d[%c0, %i], %m[%c0] to %y, predicate = %first : !map, !mbarriers -> !tile
    nvgpu.mbarrier.arrive.expect_tx %w[%c0], %less, predicate = %first : !mbarriers
    nvgpu.tma.async.load %d[%i, %i], %w[%c0] to %z, predicate = %first : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarriers
    nvgpu.mbarrier.try_wait.parity %w[%c0], %parity, %t : !mbarriers
    %r0 = memref.load %x[%c0, %c0] : !tile
    %r1 = memref.load %y[%c0, %c1] : !tile
    %r2 = arith.addf %r0, %r1 : f32
    %r3 = memref.load %z[%c0, %c1] : !tile
    %r = arith.addf %r2, %r3 : f32
    %new = arith.addf %old, %r : f32
    gpu.barrier
    %next = arith.xori %parity, %odd : i1
    scf.yield %new, %next : f32, i1
    }
    memref.store %sum, %out[%t] : !row
    gpu.return
  }

  gpu.func @odd_at_first(%d: !map, %sd: !small_map, %out: !row, %l: index, %u: index, %s: index) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %bytes = arith.constant 256 : index
    %zero = arith.constant 0.0 : f32
    %even = arith.constant false
    %odd = arith.constant true
    %first = arith.cmpi eq, %t, %c0 : index
    %m = nvgpu.mbarrier.create -> !mbarriers
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarriers
    gpu.barrier
    // REMARK: :[[#@LINE+1]]:10: remark: [Missed] {{.*}}gets no slots: it is not seen that the wait is for the phase of its turn (nvgpu.mbarrier.try_wait.parity
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %sum, %last = scf.for %i = %l to %u step %s iter_args(%old = %zero, %parity = %odd) -> (f32, i1) {
    nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes, predicate = %first : !mbarriers
    nvgpu.tma.async.load %d[%i, %c0], %m[%c0] to %x, predicate = %first : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    %new = arith.addf %old, %r : f32
    gpu.barrier
    %next = arith.xori %parity, %odd : i1
    scf.yield %new, %next : f32, i1
    }
    memref.store %sum, %out[%t] : !row
    gpu.return
  }

  gpu.func @same_parity(%d: !map, %sd: !small_map, %out: !row, %l: index, %u: index, %s: index) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %bytes = arith.constant 256 : index
    %zero = arith.constant 0.0 : f32
    %even = arith.constant false
    %odd = arith.constant true
    %first = arith.cmpi eq, %t, %c0 : index
    %m = nvgpu.mbarrier.create -> !mbarriers
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarriers
    gpu.barrier
    // REMARK: :[[#@LINE+1]]:10: remark: [Missed] {{.*}}gets no slots: it is not seen that the wait is for the phase of its turn
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %sum, %last = scf.for %i = %l to %u step %s iter_args(%old = %zero, %parity = %even) -> (f32, i1) {
    nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes, predicate = %first : !mbarriers
    nvgpu.tma.async.load %d[%i, %c0], %m[%c0] to %x, predicate = %first : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    %new = arith.addf %old, %r : f32
    gpu.barrier
    %next = arith.ori %parity, %odd : i1
    scf.yield %new, %next : f32, i1
    }
    memref.store %sum, %out[%t] : !row
    gpu.return
  }

  gpu.func @other_step(%d: !map, %sd: !small_map, %out: !row, %l: index, %u: index, %s: index) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %bytes = arith.constant 256 : index
    %zero = arith.constant 0.0 : f32
    %even = arith.constant false
    %odd = arith.constant true
    %first = arith.cmpi eq, %t, %c0 : index
    %m = nvgpu.mbarrier.create -> !mbarriers
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarriers
    gpu.barrier
    %c4 = arith.constant 4 : index
    // REMARK: :[[#@LINE+1]]:10: remark: [Missed] {{.*}}gets no slots: it is not seen that the wait is for the phase of its turn
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %sum, %last = scf.for %i = %c0 to %u step %c4 iter_args(%old = %zero, %parity = %even) -> (f32, i1) {
    %bit = arith.remui %i, %c2 : index
    %own = arith.index_cast %bit : index to i1
    nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes, predicate = %first : !mbarriers
    nvgpu.tma.async.load %d[%i, %c0], %m[%c0] to %x, predicate = %first : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %own, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    %new = arith.addf %old, %r : f32
    gpu.barrier
    %next = arith.xori %parity, %odd : i1
    scf.yield %new, %next : f32, i1
    }
    memref.store %sum, %out[%t] : !row
    gpu.return
  }

  gpu.func @group(%d: !map, %sd: !small_map, %out: !row, %l: index, %u: index, %s: index) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %bytes = arith.constant 256 : index
    %zero = arith.constant 0.0 : f32
    %even = arith.constant false
    %odd = arith.constant true
    %first = arith.cmpi eq, %t, %c0 : index
    %m = nvgpu.mbarrier.create -> !pair
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !pair
    gpu.barrier
    // REMARK: :[[#@LINE+1]]:10: remark: [Missed] {{.*}}gets no slots: its mbarrier is not made for it alone (nvgpu.mbarrier.create
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %sum, %last = scf.for %i = %l to %u step %s iter_args(%old = %zero, %parity = %even) -> (f32, i1) {
    nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes, predicate = %first : !pair
    nvgpu.tma.async.load %d[%i, %c0], %m[%c0] to %x, predicate = %first : !map, !pair -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !pair
    %r = memref.load %x[%c0, %c0] : !tile
    %new = arith.addf %old, %r : f32
    gpu.barrier
    %next = arith.xori %parity, %odd : i1
    scf.yield %new, %next : f32, i1
    }
    memref.store %sum, %out[%t] : !row
    gpu.return
  }

  gpu.func @arrives(%d: !map, %sd: !small_map, %out: !row, %l: index, %u: index, %s: index) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %bytes = arith.constant 256 : index
    %zero = arith.constant 0.0 : f32
    %even = arith.constant false
    %odd = arith.constant true
    %first = arith.cmpi eq, %t, %c0 : index
    %m = nvgpu.mbarrier.create -> !mbarriers
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarriers
    gpu.barrier
    // REMARK: :[[#@LINE+1]]:10: remark: [Missed] {{.*}}gets no slots: its mbarrier is used for something else, too (nvgpu.mbarrier.arrive
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %sum, %last = scf.for %i = %l to %u step %s iter_args(%old = %zero, %parity = %even) -> (f32, i1) {
    nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes, predicate = %first : !mbarriers
    nvgpu.tma.async.load %d[%i, %c0], %m[%c0] to %x, predicate = %first : !map, !mbarriers -> !tile
    %token = nvgpu.mbarrier.arrive %m[%c0] : !mbarriers -> !nvgpu.mbarrier.token
    nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    %new = arith.addf %old, %r : f32
    gpu.barrier
    %next = arith.xori %parity, %odd : i1
    scf.yield %new, %next : f32, i1
    }
    memref.store %sum, %out[%t] : !row
    gpu.return
  }

  gpu.func @waits_behind(%d: !map, %sd: !small_map, %out: !row, %l: index, %u: index, %s: index) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %bytes = arith.constant 256 : index
    %zero = arith.constant 0.0 : f32
    %even = arith.constant false
    %odd = arith.constant true
    %first = arith.cmpi eq, %t, %c0 : index
    %m = nvgpu.mbarrier.create -> !mbarriers
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarriers
    gpu.barrier
    // REMARK: :[[#@LINE+1]]:10: remark: [Missed] {{.*}}gets no slots: its mbarrier is used elsewhere than in each turn of the loop (nvgpu.mbarrier.try_wait.parity
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %sum, %last = scf.for %i = %l to %u step %s iter_args(%old = %zero, %parity = %even) -> (f32, i1) {
    nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes, predicate = %first : !mbarriers
    nvgpu.tma.async.load %d[%i, %c0], %m[%c0] to %x, predicate = %first : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    %new = arith.addf %old, %r : f32
    gpu.barrier
    %next = arith.xori %parity, %odd : i1
    scf.yield %new, %next : f32, i1
    }
    nvgpu.mbarrier.try_wait.parity %m[%c0], %last, %t : !mbarriers
    memref.store %sum, %out[%t] : !row
    gpu.return
  }

  gpu.func @waits_twice(%d: !map, %sd: !small_map, %out: !row, %l: index, %u: index, %s: index) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %bytes = arith.constant 256 : index
    %zero = arith.constant 0.0 : f32
    %even = arith.constant false
    %odd = arith.constant true
    %first = arith.cmpi eq, %t, %c0 : index
    %m = nvgpu.mbarrier.create -> !mbarriers
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarriers
    gpu.barrier
    // REMARK: :[[#@LINE+1]]:10: remark: [Missed] {{.*}}gets no slots: its mbarrier is waited for twice in a turn
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %sum, %last = scf.for %i = %l to %u step %s iter_args(%old = %zero, %parity = %even) -> (f32, i1) {
    nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes, predicate = %first : !mbarriers
    nvgpu.tma.async.load %d[%i, %c0], %m[%c0] to %x, predicate = %first : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarriers
    nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    %new = arith.addf %old, %r : f32
    gpu.barrier
    %next = arith.xori %parity, %odd : i1
    scf.yield %new, %next : f32, i1
    }
    memref.store %sum, %out[%t] : !row
    gpu.return
  }

  gpu.func @waits_first(%d: !map, %sd: !small_map, %out: !row, %l: index, %u: index, %s: index) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %bytes = arith.constant 256 : index
    %zero = arith.constant 0.0 : f32
    %even = arith.constant false
    %odd = arith.constant true
    %first = arith.cmpi eq, %t, %c0 : index
    %m = nvgpu.mbarrier.create -> !mbarriers
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarriers
    gpu.barrier
    // REMARK: :[[#@LINE+1]]:10: remark: [Missed] {{.*}}gets no slots: its mbarrier is waited for in front of it (nvgpu.tma.async.load
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %sum, %last = scf.for %i = %l to %u step %s iter_args(%old = %zero, %parity = %even) -> (f32, i1) {
    nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes, predicate = %first : !mbarriers
    nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarriers
    nvgpu.tma.async.load %d[%i, %c0], %m[%c0] to %x, predicate = %first : !map, !mbarriers -> !tile
    %r = memref.load %x[%c0, %c0] : !tile
    %new = arith.addf %old, %r : f32
    gpu.barrier
    %next = arith.xori %parity, %odd : i1
    scf.yield %new, %next : f32, i1
    }
    memref.store %sum, %out[%t] : !row
    gpu.return
  }

  gpu.func @two_inits(%d: !map, %sd: !small_map, %out: !row, %l: index, %u: index, %s: index) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %bytes = arith.constant 256 : index
    %zero = arith.constant 0.0 : f32
    %even = arith.constant false
    %odd = arith.constant true
    %first = arith.cmpi eq, %t, %c0 : index
    %m = nvgpu.mbarrier.create -> !mbarriers
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarriers
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarriers
    gpu.barrier
    // REMARK: :[[#@LINE+1]]:10: remark: [Missed] {{.*}}gets no slots: its mbarrier is not initialized once, in front of the loop
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %sum, %last = scf.for %i = %l to %u step %s iter_args(%old = %zero, %parity = %even) -> (f32, i1) {
    nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes, predicate = %first : !mbarriers
    nvgpu.tma.async.load %d[%i, %c0], %m[%c0] to %x, predicate = %first : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    %new = arith.addf %old, %r : f32
    gpu.barrier
    %next = arith.xori %parity, %odd : i1
    scf.yield %new, %next : f32, i1
    }
    memref.store %sum, %out[%t] : !row
    gpu.return
  }

  gpu.func @unmet(%d: !map, %sd: !small_map, %out: !row, %l: index, %u: index, %s: index) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %bytes = arith.constant 256 : index
    %zero = arith.constant 0.0 : f32
    %even = arith.constant false
    %odd = arith.constant true
    %first = arith.cmpi eq, %t, %c0 : index
    %m = nvgpu.mbarrier.create -> !mbarriers
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarriers
    // REMARK: :[[#@LINE+1]]:10: remark: [Missed] {{.*}}gets no slots: no barrier of all threads stands between the start of its mbarrier and the loop (nvgpu.mbarrier.init
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %sum, %last = scf.for %i = %l to %u step %s iter_args(%old = %zero, %parity = %even) -> (f32, i1) {
    nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes, predicate = %first : !mbarriers
    nvgpu.tma.async.load %d[%i, %c0], %m[%c0] to %x, predicate = %first : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    %new = arith.addf %old, %r : f32
    gpu.barrier
    %next = arith.xori %parity, %odd : i1
    scf.yield %new, %next : f32, i1
    }
    memref.store %sum, %out[%t] : !row
    gpu.return
  }

  gpu.func @no_expect(%d: !map, %sd: !small_map, %out: !row, %l: index, %u: index, %s: index) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %bytes = arith.constant 256 : index
    %zero = arith.constant 0.0 : f32
    %even = arith.constant false
    %odd = arith.constant true
    %first = arith.cmpi eq, %t, %c0 : index
    %m = nvgpu.mbarrier.create -> !mbarriers
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarriers
    gpu.barrier
    // REMARK: :[[#@LINE+1]]:10: remark: [Missed] {{.*}}gets no slots: its mbarrier is not initialized, told of bytes and waited for where that is seen
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %sum, %last = scf.for %i = %l to %u step %s iter_args(%old = %zero, %parity = %even) -> (f32, i1) {
    nvgpu.tma.async.load %d[%i, %c0], %m[%c0] to %x, predicate = %first : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    %new = arith.addf %old, %r : f32
    gpu.barrier
    %next = arith.xori %parity, %odd : i1
    scf.yield %new, %next : f32, i1
    }
    memref.store %sum, %out[%t] : !row
    gpu.return
  }

  gpu.func @some_turns(%d: !map, %sd: !small_map, %out: !row, %l: index, %u: index, %s: index) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %bytes = arith.constant 256 : index
    %zero = arith.constant 0.0 : f32
    %even = arith.constant false
    %odd = arith.constant true
    %first = arith.cmpi eq, %t, %c0 : index
    %m = nvgpu.mbarrier.create -> !mbarriers
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarriers
    gpu.barrier
    // REMARK: :[[#@LINE+1]]:10: remark: [Missed] {{.*}}gets no slots: which threads load, and how much, may differ from turn to turn (nvgpu.tma.async.load
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %sum, %last = scf.for %i = %l to %u step %s iter_args(%old = %zero, %parity = %even) -> (f32, i1) {
    %some = arith.cmpi eq, %t, %i : index
    nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes, predicate = %first : !mbarriers
    nvgpu.tma.async.load %d[%i, %c0], %m[%c0] to %x, predicate = %some : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    %new = arith.addf %old, %r : f32
    gpu.barrier
    %next = arith.xori %parity, %odd : i1
    scf.yield %new, %next : f32, i1
    }
    memref.store %sum, %out[%t] : !row
    gpu.return
  }

  gpu.func @some_bytes(%d: !map, %sd: !small_map, %out: !row, %l: index, %u: index, %s: index) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %bytes = arith.constant 256 : index
    %zero = arith.constant 0.0 : f32
    %even = arith.constant false
    %odd = arith.constant true
    %first = arith.cmpi eq, %t, %c0 : index
    %m = nvgpu.mbarrier.create -> !mbarriers
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarriers
    gpu.barrier
    // REMARK: :[[#@LINE+1]]:10: remark: [Missed] {{.*}}gets no slots: which threads load, and how much, may differ from turn to turn (nvgpu.mbarrier.arrive.expect_tx
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %sum, %last = scf.for %i = %l to %u step %s iter_args(%old = %zero, %parity = %even) -> (f32, i1) {
    %some = arith.addi %i, %bytes : index
    nvgpu.mbarrier.arrive.expect_tx %m[%c0], %some, predicate = %first : !mbarriers
    nvgpu.tma.async.load %d[%i, %c0], %m[%c0] to %x, predicate = %first : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    %new = arith.addf %old, %r : f32
    gpu.barrier
    %next = arith.xori %parity, %odd : i1
    scf.yield %new, %next : f32, i1
    }
    memref.store %sum, %out[%t] : !row
    gpu.return
  }

  gpu.func @nested(%d: !map, %sd: !small_map, %out: !row, %l: index, %u: index, %s: index) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %bytes = arith.constant 256 : index
    %zero = arith.constant 0.0 : f32
    %even = arith.constant false
    %odd = arith.constant true
    %first = arith.cmpi eq, %t, %c0 : index
    %m = nvgpu.mbarrier.create -> !mbarriers
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarriers
    gpu.barrier
    // REMARK: :[[#@LINE+1]]:10: remark: [Missed] {{.*}}gets no slots: not every turn does all that the loop copies
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %sum, %last = scf.for %i = %l to %u step %s iter_args(%old = %zero, %parity = %even) -> (f32, i1) {
    nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes, predicate = %first : !mbarriers
    nvgpu.tma.async.load %d[%i, %c0], %m[%c0] to %x, predicate = %first : !map, !mbarriers -> !tile
    %even_turn = arith.cmpi eq, %i, %c0 : index
    scf.if %even_turn {
    nvgpu.tma.async.load %d[%i, %c0], %m[%c0] to %x, predicate = %first : !map, !mbarriers -> !tile
    }
    nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    %new = arith.addf %old, %r : f32
    gpu.barrier
    %next = arith.xori %parity, %odd : i1
    scf.yield %new, %next : f32, i1
    }
    memref.store %sum, %out[%t] : !row
    gpu.return
  }

  // A condition that is the same in all turns is a predicate.
  // CHECK-LABEL: gpu.func @conditional
  // CHECK: scf.for
  // CHECK: nvgpu.tma.async.load {{.*}}, predicate = %
  gpu.func @conditional(%d: !map, %sd: !small_map, %out: !row, %l: index, %u: index, %s: index) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %bytes = arith.constant 256 : index
    %zero = arith.constant 0.0 : f32
    %even = arith.constant false
    %odd = arith.constant true
    %first = arith.cmpi eq, %t, %c0 : index
    %m = nvgpu.mbarrier.create -> !mbarriers
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarriers
    gpu.barrier
    // REMARK: :[[#@LINE+1]]:10: remark: [Passed] {{.*}}2 slots of 256 bytes for the turns of scf.for at line {{[0-9]+}}; 1 ahead
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %sum, %last = scf.for %i = %l to %u step %s iter_args(%old = %zero, %parity = %even) -> (f32, i1) {
    scf.if %first {
    nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes : !mbarriers
    nvgpu.tma.async.load %d[%i, %c0], %m[%c0] to %x : !map, !mbarriers -> !tile
    }
    nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    %new = arith.addf %old, %r : f32
    gpu.barrier
    %next = arith.xori %parity, %odd : i1
    scf.yield %new, %next : f32, i1
    }
    memref.store %sum, %out[%t] : !row
    gpu.return
  }

  gpu.func @multicast(%d: !map, %sd: !small_map, %out: !row, %l: index, %u: index, %s: index) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %bytes = arith.constant 256 : index
    %zero = arith.constant 0.0 : f32
    %even = arith.constant false
    %odd = arith.constant true
    %first = arith.cmpi eq, %t, %c0 : index
    %m = nvgpu.mbarrier.create -> !mbarriers
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarriers
    gpu.barrier
    %mask = arith.constant 3 : i16
    // REMARK: :[[#@LINE+1]]:10: remark: [Missed] {{.*}}gets no slots: it goes to other workgroups, too
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %sum, %last = scf.for %i = %l to %u step %s iter_args(%old = %zero, %parity = %even) -> (f32, i1) {
    nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes, predicate = %first : !mbarriers
    nvgpu.tma.async.load %d[%i, %c0], %m[%c0] to %x multicast_mask = %mask, predicate = %first : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    %new = arith.addf %old, %r : f32
    gpu.barrier
    %next = arith.xori %parity, %odd : i1
    scf.yield %new, %next : f32, i1
    }
    memref.store %sum, %out[%t] : !row
    gpu.return
  }

  gpu.func @stores(%d: !map, %sd: !small_map, %out: !row, %l: index, %u: index, %s: index) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %bytes = arith.constant 256 : index
    %zero = arith.constant 0.0 : f32
    %even = arith.constant false
    %odd = arith.constant true
    %first = arith.cmpi eq, %t, %c0 : index
    %m = nvgpu.mbarrier.create -> !mbarriers
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarriers
    gpu.barrier
    // REMARK: :[[#@LINE+1]]:10: remark: [Missed] {{.*}}gets no slots: an op of the loop may write what is copied (memref.store
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %sum, %last = scf.for %i = %l to %u step %s iter_args(%old = %zero, %parity = %even) -> (f32, i1) {
    nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes, predicate = %first : !mbarriers
    nvgpu.tma.async.load %d[%i, %c0], %m[%c0] to %x, predicate = %first : !map, !mbarriers -> !tile
    memref.store %old, %out[%t] : !row
    nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    %new = arith.addf %old, %r : f32
    gpu.barrier
    %next = arith.xori %parity, %odd : i1
    scf.yield %new, %next : f32, i1
    }
    memref.store %sum, %out[%t] : !row
    gpu.return
  }

  gpu.func @early(%d: !map, %sd: !small_map, %out: !row, %l: index, %u: index, %s: index) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %bytes = arith.constant 256 : index
    %zero = arith.constant 0.0 : f32
    %even = arith.constant false
    %odd = arith.constant true
    %first = arith.cmpi eq, %t, %c0 : index
    %m = nvgpu.mbarrier.create -> !mbarriers
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarriers
    gpu.barrier
    // REMARK: :[[#@LINE+1]]:10: remark: [Missed] {{.*}}gets no slots: it is used in the turn before the copy has ended (memref.load
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %sum, %last = scf.for %i = %l to %u step %s iter_args(%old = %zero, %parity = %even) -> (f32, i1) {
    nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes, predicate = %first : !mbarriers
    nvgpu.tma.async.load %d[%i, %c0], %m[%c0] to %x, predicate = %first : !map, !mbarriers -> !tile
    %q = memref.load %x[%c0, %c1] : !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    %new = arith.addf %old, %r : f32
    gpu.barrier
    %next = arith.xori %parity, %odd : i1
    scf.yield %new, %next : f32, i1
    }
    memref.store %sum, %out[%t] : !row
    gpu.return
  }

  gpu.func @behind(%d: !map, %sd: !small_map, %out: !row, %l: index, %u: index, %s: index) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %bytes = arith.constant 256 : index
    %zero = arith.constant 0.0 : f32
    %even = arith.constant false
    %odd = arith.constant true
    %first = arith.cmpi eq, %t, %c0 : index
    %m = nvgpu.mbarrier.create -> !mbarriers
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarriers
    gpu.barrier
    // REMARK: :[[#@LINE+1]]:10: remark: [Missed] {{.*}}gets no slots: it is used outside of the loop (memref.load
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %sum, %last = scf.for %i = %l to %u step %s iter_args(%old = %zero, %parity = %even) -> (f32, i1) {
    nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes, predicate = %first : !mbarriers
    nvgpu.tma.async.load %d[%i, %c0], %m[%c0] to %x, predicate = %first : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    %new = arith.addf %old, %r : f32
    gpu.barrier
    %next = arith.xori %parity, %odd : i1
    scf.yield %new, %next : f32, i1
    }
    %q = memref.load %x[%c0, %c1] : !tile
    memref.store %sum, %out[%t] : !row
    gpu.return
  }

  gpu.func @unleft(%d: !map, %sd: !small_map, %out: !row, %l: index, %u: index, %s: index) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %bytes = arith.constant 256 : index
    %zero = arith.constant 0.0 : f32
    %even = arith.constant false
    %odd = arith.constant true
    %first = arith.cmpi eq, %t, %c0 : index
    %m = nvgpu.mbarrier.create -> !mbarriers
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarriers
    gpu.barrier
    // REMARK: :[[#@LINE+1]]:10: remark: [Missed] {{.*}}gets no slots: no barrier of all threads stands between its last use in a turn and the next copy
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %sum, %last = scf.for %i = %l to %u step %s iter_args(%old = %zero, %parity = %even) -> (f32, i1) {
    nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes, predicate = %first : !mbarriers
    nvgpu.tma.async.load %d[%i, %c0], %m[%c0] to %x, predicate = %first : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    %new = arith.addf %old, %r : f32
    %next = arith.xori %parity, %odd : i1
    scf.yield %new, %next : f32, i1
    }
    memref.store %sum, %out[%t] : !row
    gpu.return
  }

  gpu.func @small(%d: !map, %sd: !small_map, %out: !row, %l: index, %u: index, %s: index) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %bytes = arith.constant 256 : index
    %zero = arith.constant 0.0 : f32
    %even = arith.constant false
    %odd = arith.constant true
    %first = arith.cmpi eq, %t, %c0 : index
    %m = nvgpu.mbarrier.create -> !mbarriers
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarriers
    gpu.barrier
    // REMARK: :[[#@LINE+1]]:10: remark: [Missed] {{.*}}gets no slots: its size is no multiple of its alignment
    %x = memref.alloc() : !small
    %sum, %last = scf.for %i = %l to %u step %s iter_args(%old = %zero, %parity = %even) -> (f32, i1) {
    nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes, predicate = %first : !mbarriers
    nvgpu.tma.async.load %sd[%i, %c0], %m[%c0] to %x, predicate = %first : !small_map, !mbarriers -> !small
    nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !small
    %new = arith.addf %old, %r : f32
    gpu.barrier
    %next = arith.xori %parity, %odd : i1
    scf.yield %new, %next : f32, i1
    }
    memref.store %sum, %out[%t] : !row
    gpu.return
  }

  gpu.func @swizzled(%d: !map, %sd: !small_map, %out: !row, %l: index, %u: index, %s: index) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %bytes = arith.constant 256 : index
    %zero = arith.constant 0.0 : f32
    %even = arith.constant false
    %odd = arith.constant true
    %first = arith.cmpi eq, %t, %c0 : index
    %m = nvgpu.mbarrier.create -> !mbarriers
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarriers
    gpu.barrier
    // REMARK: :[[#@LINE+1]]:10: remark: [Missed] {{.*}}gets no slots: its size is no multiple of its alignment
    %x = memref.alloc() {alignment = 1024 : i64} : !tile
    %sum, %last = scf.for %i = %l to %u step %s iter_args(%old = %zero, %parity = %even) -> (f32, i1) {
    nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes, predicate = %first : !mbarriers
    nvgpu.tma.async.load %d[%i, %c0], %m[%c0] to %x, predicate = %first : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    %new = arith.addf %old, %r : f32
    gpu.barrier
    %next = arith.xori %parity, %odd : i1
    scf.yield %new, %next : f32, i1
    }
    memref.store %sum, %out[%t] : !row
    gpu.return
  }

  gpu.func @fenced(%d: !map, %sd: !small_map, %out: !row, %l: index, %u: index, %s: index) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %bytes = arith.constant 256 : index
    %zero = arith.constant 0.0 : f32
    %even = arith.constant false
    %odd = arith.constant true
    %first = arith.cmpi eq, %t, %c0 : index
    %m = nvgpu.mbarrier.create -> !mbarriers
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarriers
    gpu.barrier
    memref.store %zero, %out[%t] : !row
    gpu.barrier
    // REMARK: :[[#@LINE+1]]:10: remark: [Missed] {{.*}}gets no slots: a fence in the loop may be for what was written in front of it (nvvm.fence.proxy
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %sum, %last = scf.for %i = %l to %u step %s iter_args(%old = %zero, %parity = %even) -> (f32, i1) {
    nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes, predicate = %first : !mbarriers
    nvgpu.tma.async.load %d[%i, %c0], %m[%c0] to %x, predicate = %first : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    %new = arith.addf %old, %r : f32
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
    gpu.barrier
    %next = arith.xori %parity, %odd : i1
    scf.yield %new, %next : f32, i1
    }
    memref.store %sum, %out[%t] : !row
    gpu.return
  }

  gpu.func @open(%d: !map, %sd: !small_map, %out: !row, %l: index, %u: index, %s: index) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %bytes = arith.constant 256 : index
    %zero = arith.constant 0.0 : f32
    %even = arith.constant false
    %odd = arith.constant true
    %first = arith.cmpi eq, %t, %c0 : index
    %m = nvgpu.mbarrier.create -> !mbarriers
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarriers
    gpu.barrier
    memref.store %zero, %out[%t] : !row
    // REMARK: :[[#@LINE+1]]:10: remark: [Missed] {{.*}}gets no slots: what is loaded may have been written in front of the loop, with no barrier behind that (scf.for
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %sum, %last = scf.for %i = %l to %u step %s iter_args(%old = %zero, %parity = %even) -> (f32, i1) {
    nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes, predicate = %first : !mbarriers
    nvgpu.tma.async.load %d[%i, %c0], %m[%c0] to %x, predicate = %first : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    %new = arith.addf %old, %r : f32
    gpu.barrier
    %next = arith.xori %parity, %odd : i1
    scf.yield %new, %next : f32, i1
    }
    memref.store %sum, %out[%t] : !row
    gpu.return
  }

  gpu.func @carried(%d: !map, %sd: !small_map, %out: !row, %l: index, %u: index, %s: index) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %bytes = arith.constant 256 : index
    %zero = arith.constant 0.0 : f32
    %even = arith.constant false
    %odd = arith.constant true
    %first = arith.cmpi eq, %t, %c0 : index
    %m = nvgpu.mbarrier.create -> !mbarriers
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarriers
    gpu.barrier
    // REMARK: :[[#@LINE+1]]:10: remark: [Missed] {{.*}}gets no slots: what is copied depends on the turn before
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %sum, %last = scf.for %i = %l to %u step %s iter_args(%old = %zero, %parity = %even) -> (f32, i1) {
    %bit = arith.extui %parity : i1 to i32
    %at = arith.index_cast %bit : i32 to index
    nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes, predicate = %first : !mbarriers
    nvgpu.tma.async.load %d[%i, %at], %m[%c0] to %x, predicate = %first : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    %new = arith.addf %old, %r : f32
    gpu.barrier
    %next = arith.xori %parity, %odd : i1
    scf.yield %new, %next : f32, i1
    }
    memref.store %sum, %out[%t] : !row
    gpu.return
  }

  gpu.func @again(%d: !map, %sd: !small_map, %out: !row, %l: index, %u: index, %s: index) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %bytes = arith.constant 256 : index
    %zero = arith.constant 0.0 : f32
    %even = arith.constant false
    %odd = arith.constant true
    %first = arith.cmpi eq, %t, %c0 : index
    scf.for %o = %c0 to %c2 step %c1 {
    %m = nvgpu.mbarrier.create -> !mbarriers
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarriers
    gpu.barrier
    // REMARK: :[[#@LINE+1]]:10: remark: [Missed] {{.*}}gets no slots: its mbarrier has the phases of one run of the loop, which may run again (scf.for
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %sum, %last = scf.for %i = %l to %u step %s iter_args(%old = %zero, %parity = %even) -> (f32, i1) {
    nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes, predicate = %first : !mbarriers
    nvgpu.tma.async.load %d[%i, %c0], %m[%c0] to %x, predicate = %first : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    %new = arith.addf %old, %r : f32
    gpu.barrier
    %next = arith.xori %parity, %odd : i1
    scf.yield %new, %next : f32, i1
    }
    memref.store %sum, %out[%t] : !row
    }
    gpu.return
  }

  // Nothing was written in front of the loop: a fence there is for nothing that moves.
  gpu.func @fence_for_nothing(%d: !map, %sd: !small_map, %out: !row, %l: index, %u: index, %s: index) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %bytes = arith.constant 256 : index
    %zero = arith.constant 0.0 : f32
    %even = arith.constant false
    %odd = arith.constant true
    %first = arith.cmpi eq, %t, %c0 : index
    %m = nvgpu.mbarrier.create -> !mbarriers
    nvgpu.mbarrier.init %m[%c0], %c1, predicate = %first : !mbarriers
    gpu.barrier
    // REMARK: :[[#@LINE+1]]:10: remark: [Passed] {{.*}}2 slots of 256 bytes for the turns of scf.for at line {{[0-9]+}}; 1 ahead
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %sum, %last = scf.for %i = %l to %u step %s iter_args(%old = %zero, %parity = %even) -> (f32, i1) {
    nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes, predicate = %first : !mbarriers
    nvgpu.tma.async.load %d[%i, %c0], %m[%c0] to %x, predicate = %first : !map, !mbarriers -> !tile
    nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %t : !mbarriers
    %r = memref.load %x[%c0, %c0] : !tile
    %new = arith.addf %old, %r : f32
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
    gpu.barrier
    %next = arith.xori %parity, %odd : i1
    scf.yield %new, %next : f32, i1
    }
    memref.store %sum, %out[%t] : !row
    gpu.return
  }
}
