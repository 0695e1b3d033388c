// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// An asynchronous copy holds its buffer until the wait that covers it and the
// barrier behind that. X and Y have 256 bytes each.
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{barriers=existing})' %s | FileCheck %s
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(gpu.module(gpu.func(berth-arena{barriers=existing verify=false test-break-rule=no-async})))' %s | FileCheck %s --check-prefix=BROKEN

!shared = memref<64xf32, #gpu.address_space<workgroup>>
!descriptor = !nvgpu.tensormap.descriptor<tensor = memref<8x8xf32, #gpu.address_space<workgroup>>, swizzle = none, l2promo = none, oob = zero, interleave = none>
!mbarrier = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
!tile_a = memref<128x64xf16, #gpu.address_space<workgroup>>
!tile_b = memref<64x64xf16, #gpu.address_space<workgroup>>
!tma_a = !nvgpu.tensormap.descriptor<tensor = !tile_a, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
!tma_b = !nvgpu.tensormap.descriptor<tensor = !tile_b, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
!accumulator = !nvgpu.warpgroup.accumulator<fragmented = vector<128x64xf32>>

gpu.module @kernels {
  // The wait ends the copy, the barrier shows it to all.
  // CHECK-LABEL: gpu.func @waited(
  // CHECK-SAME: memref<256xi8,
  gpu.func @waited(%in: memref<64xf32>, %out: memref<64xf32>, %v: f32, %c: i1, %n: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %t = nvgpu.device_async_copy %in[%tid], %x[%tid], 1 : memref<64xf32> to !shared
    %g = nvgpu.device_async_create_group %t
    nvgpu.device_async_wait %g
    gpu.barrier
    memref.store %v, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // Other threads' copies may still run.
  // CHECK-LABEL: gpu.func @no_barrier_after_wait(
  // CHECK-SAME: memref<512xi8,
  gpu.func @no_barrier_after_wait(%in: memref<64xf32>, %out: memref<64xf32>, %v: f32, %c: i1, %n: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %t = nvgpu.device_async_copy %in[%tid], %x[%tid], 1 : memref<64xf32> to !shared
    %g = nvgpu.device_async_create_group %t
    gpu.barrier
    nvgpu.device_async_wait %g
    memref.store %v, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // Y comes before the wait, behind a barrier: the copy may still write X.
  // CHECK-LABEL: gpu.func @waited_later(
  // CHECK-SAME: memref<512xi8,
  gpu.func @waited_later(%in: memref<64xf32>, %out: memref<64xf32>, %v: f32, %c: i1, %n: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %t = nvgpu.device_async_copy %in[%tid], %x[%tid], 1 : memref<64xf32> to !shared
    %g = nvgpu.device_async_create_group %t
    gpu.barrier
    memref.store %v, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.barrier
    nvgpu.device_async_wait %g
    gpu.return
  }

  // Held to the end.
  // CHECK-LABEL: gpu.func @never_waited(
  // CHECK-SAME: memref<512xi8,
  gpu.func @never_waited(%in: memref<64xf32>, %out: memref<64xf32>, %v: f32, %c: i1, %n: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %t = nvgpu.device_async_copy %in[%tid], %x[%tid], 1 : memref<64xf32> to !shared
    %g = nvgpu.device_async_create_group %t
    gpu.barrier
    memref.store %v, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // One group may pend: it can be this one.
  // CHECK-LABEL: gpu.func @groups_pend(
  // CHECK-SAME: memref<512xi8,
  // BROKEN-LABEL: gpu.func @groups_pend(
  // BROKEN-SAME: memref<256xi8,
  gpu.func @groups_pend(%in: memref<64xf32>, %out: memref<64xf32>, %v: f32, %c: i1, %n: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %t = nvgpu.device_async_copy %in[%tid], %x[%tid], 1 : memref<64xf32> to !shared
    %g = nvgpu.device_async_create_group %t
    nvgpu.device_async_wait %g {numGroups = 1 : i32}
    gpu.barrier
    memref.store %v, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // numGroups = 0 waits for all.
  // CHECK-LABEL: gpu.func @no_groups_pend(
  // CHECK-SAME: memref<256xi8,
  gpu.func @no_groups_pend(%in: memref<64xf32>, %out: memref<64xf32>, %v: f32, %c: i1, %n: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %t = nvgpu.device_async_copy %in[%tid], %x[%tid], 1 : memref<64xf32> to !shared
    %g = nvgpu.device_async_create_group %t
    nvgpu.device_async_wait %g {numGroups = 0 : i32}
    gpu.barrier
    memref.store %v, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // A wait covers groups only, and the copy is in none yet.
  // CHECK-LABEL: gpu.func @waited_before_its_group(
  // CHECK-SAME: memref<512xi8,
  gpu.func @waited_before_its_group(%in: memref<64xf32>, %out: memref<64xf32>, %v: f32, %c: i1, %n: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %e = "nvgpu.device_async_create_group"() : () -> !nvgpu.device.async.token
    %t = nvgpu.device_async_copy %in[%tid], %x[%tid], 1 : memref<64xf32> to !shared
    nvgpu.device_async_wait %e
    gpu.barrier
    memref.store %v, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.barrier
    %g = nvgpu.device_async_create_group %t
    nvgpu.device_async_wait %g
    gpu.return
  }

  // The first lets one group pend, the second none.
  // CHECK-LABEL: gpu.func @two_waits(
  // CHECK-SAME: memref<256xi8,
  gpu.func @two_waits(%in: memref<64xf32>, %out: memref<64xf32>, %v: f32, %c: i1, %n: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %t = nvgpu.device_async_copy %in[%tid], %x[%tid], 1 : memref<64xf32> to !shared
    %g = nvgpu.device_async_create_group %t
    nvgpu.device_async_wait %g {numGroups = 1 : i32}
    nvgpu.device_async_wait %g
    gpu.barrier
    memref.store %v, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // The wait stands on one path of two.
  // CHECK-LABEL: gpu.func @wait_on_one_path(
  // CHECK-SAME: memref<512xi8,
  // BROKEN-LABEL: gpu.func @wait_on_one_path(
  // BROKEN-SAME: memref<256xi8,
  gpu.func @wait_on_one_path(%in: memref<64xf32>, %out: memref<64xf32>, %v: f32, %c: i1, %n: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %t = nvgpu.device_async_copy %in[%tid], %x[%tid], 1 : memref<64xf32> to !shared
    %g = nvgpu.device_async_create_group %t
    scf.if %c {
      nvgpu.device_async_wait %g
    }
    gpu.barrier
    memref.store %v, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // On both paths.
  // CHECK-LABEL: gpu.func @wait_on_all_paths(
  // CHECK-SAME: memref<256xi8,
  gpu.func @wait_on_all_paths(%in: memref<64xf32>, %out: memref<64xf32>, %v: f32, %c: i1, %n: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %t = nvgpu.device_async_copy %in[%tid], %x[%tid], 1 : memref<64xf32> to !shared
    %g = nvgpu.device_async_create_group %t
    scf.if %c {
      nvgpu.device_async_wait %g
    } else {
      nvgpu.device_async_wait %g
    }
    gpu.barrier
    memref.store %v, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // Copies of the last turn are waited for behind the loop.
  // CHECK-LABEL: gpu.func @from_the_loop(
  // CHECK-SAME: memref<512xi8,
  gpu.func @from_the_loop(%in: memref<64xf32>, %out: memref<64xf32>, %v: f32, %c: i1, %n: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    scf.for %i = %zero to %n step %one {
      %t = nvgpu.device_async_copy %in[%tid], %x[%tid], 1 : memref<64xf32> to !shared
      %g = nvgpu.device_async_create_group %t
    }
    gpu.barrier
    memref.store %v, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.barrier
    %e = "nvgpu.device_async_create_group"() : () -> !nvgpu.device.async.token
    nvgpu.device_async_wait %e
    gpu.return
  }

  // One half copies while the other stores.
  // CHECK-LABEL: gpu.func @halves(
  // CHECK-SAME: memref<512xi8,
  gpu.func @halves(%in: memref<64xf32>, %out: memref<64xf32>, %v: f32, %c: i1, %n: index) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %p = arith.cmpi ult, %tid, %n : index
    scf.if %p {
      %t = nvgpu.device_async_copy %in[%tid], %x[%tid], 1 : memref<64xf32> to !shared
      %g = nvgpu.device_async_create_group %t
      nvgpu.device_async_wait %g
    } else {
      memref.store %v, %y[%tid] : !shared
      %b = memref.load %y[%tid] : !shared
      memref.store %b, %out[%tid] : memref<64xf32>
    }
    gpu.return
  }

  // The next call's buffer would be written by this call's copy.
  // CHECK-LABEL: func.func private @never_waited_in_function(
  // CHECK-NOT: memref.view
  // CHECK: return
  func.func private @never_waited_in_function(%in: memref<64xf32>) {
    %tid = gpu.thread_id x
    %x = memref.alloc() : !shared
    gpu.barrier
    %t = nvgpu.device_async_copy %in[%tid], %x[%tid], 1 : memref<64xf32> to !shared
    %g = nvgpu.device_async_create_group %t
    gpu.barrier
    return
  }

  // And in a loop the next turn's.
  // CHECK-LABEL: gpu.func @waited_behind_the_loop(
  // CHECK-NOT: memref.view
  // CHECK: gpu.return
  gpu.func @waited_behind_the_loop(%in: memref<64xf32>, %n: index) kernel {
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %x = memref.alloc() : !shared
      gpu.barrier
      %t = nvgpu.device_async_copy %in[%tid], %x[%tid], 1 : memref<64xf32> to !shared
      %g = nvgpu.device_async_create_group %t
      gpu.barrier
    }
    gpu.return
  }

  // TMA writes another way than stores do: a barrier does not order the two.
  // CHECK-LABEL: gpu.func @tma_load(
  // CHECK-SAME: memref<512xi8,
  gpu.func @tma_load(%d: !descriptor, %out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %parity = arith.constant true
    %x = memref.alloc() {alignment = 128 : i64} : memref<8x8xf32, #gpu.address_space<workgroup>>
    %y = memref.alloc() : !shared
    %m = nvgpu.mbarrier.create -> !mbarrier
    nvgpu.tma.async.load %d[%c0, %c0], %m[%c0] to %x : !descriptor, !mbarrier -> memref<8x8xf32, #gpu.address_space<workgroup>>
    nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %tid : !mbarrier
    gpu.barrier
    memref.store %v, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @tma_store(
  // CHECK-SAME: memref<512xi8,
  gpu.func @tma_store(%d: !descriptor, %out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %x = memref.alloc() {alignment = 128 : i64} : memref<8x8xf32, #gpu.address_space<workgroup>>
    %y = memref.alloc() : !shared
    memref.store %v, %x[%c0, %c0] : memref<8x8xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    nvgpu.tma.async.store %x to %d[%c0, %c0] : memref<8x8xf32, #gpu.address_space<workgroup>> -> !descriptor
    gpu.barrier
    memref.store %v, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // wgmma reads through its descriptors, long after the ops that made them.
  // CHECK-LABEL: gpu.func @wgmma(
  // CHECK-SAME: memref<24832xi8,
  gpu.func @wgmma(%da: !tma_a, %db: !tma_b, %acc: !accumulator, %out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %a = memref.alloc() : !tile_a
    %b = memref.alloc() : !tile_b
    %y = memref.alloc() : !shared
    %d = nvgpu.warpgroup.generate.descriptor %a, %da : !tile_a, !tma_a -> !nvgpu.warpgroup.descriptor<tensor = !tile_a>
    %e = nvgpu.warpgroup.generate.descriptor %b, %db : !tile_b, !tma_b -> !nvgpu.warpgroup.descriptor<tensor = !tile_b>
    %r = nvgpu.warpgroup.mma %d, %e, %acc {transposeB} : <tensor = !tile_a>, <tensor = !tile_b>, !accumulator -> !accumulator
    gpu.barrier
    memref.store %v, %y[%tid] : !shared
    %w = memref.load %y[%tid] : !shared
    memref.store %w, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // A copy that a called function starts is not followed to its wait.
  // CHECK-LABEL: gpu.func @copy_in_callee(
  // CHECK-SAME: memref<512xi8,
  func.func private @start(%in: memref<64xf32>, %x: !shared) {
    %tid = gpu.thread_id x
    %t = nvgpu.device_async_copy %in[%tid], %x[%tid], 1 : memref<64xf32> to !shared
    %g = nvgpu.device_async_create_group %t
    nvgpu.device_async_wait %g {numGroups = 1 : i32}
    return
  }
  gpu.func @copy_in_callee(%in: memref<64xf32>, %out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    func.call @start(%in, %x) : (memref<64xf32>, !shared) -> ()
    gpu.barrier
    memref.store %v, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // Direct loads to LDS that nobody waits for: the same.
  // CHECK-LABEL: gpu.func @load_to_lds(
  // CHECK-SAME: memref<512xi8,
  gpu.func @load_to_lds(%in: memref<64xf32, #gpu.address_space<global>>, %out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    amdgpu.gather_to_lds %in[%tid], %x[%tid] : f32, memref<64xf32, #gpu.address_space<global>>, !shared
    amdgpu.lds_barrier
    memref.store %v, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // Direct loads to LDS in a loop: the next instance would meet the last one's.
  // CHECK-LABEL: gpu.func @load_to_lds_in_a_loop(
  // CHECK: scf.for
  // CHECK: memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
  gpu.func @load_to_lds_in_a_loop(%in: memref<64xf32, #gpu.address_space<global>>, %out: memref<64xf32>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %tid = gpu.thread_id x
    scf.for %i = %c0 to %n step %c1 {
      %x = memref.alloc() : !shared
      amdgpu.gather_to_lds %in[%tid], %x[%tid] : f32, memref<64xf32, #gpu.address_space<global>>, !shared
      amdgpu.lds_barrier
      %b = memref.load %x[%tid] : !shared
      memref.store %b, %out[%tid] : memref<64xf32>
      amdgpu.lds_barrier
    }
    gpu.return
  }
}
