// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// Which ops are workgroup barriers. X and Y have 256 bytes each and share them
// only if the op between them counts.
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(gpu.module(gpu.func(berth-arena{barriers=existing})))' %s | FileCheck %s

!struct = !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)>
!shared = memref<64xf32, #gpu.address_space<workgroup>>
!mbarrier = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>

gpu.module @counts {
  // CHECK-LABEL: gpu.func @gpu_barrier(
  // CHECK-SAME: memref<256xi8,
  gpu.func @gpu_barrier(%out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %half = arith.constant 32 : i32
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    gpu.barrier
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }
  // CHECK-LABEL: gpu.func @lds_barrier(
  // CHECK-SAME: memref<256xi8,
  gpu.func @lds_barrier(%out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %half = arith.constant 32 : i32
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    amdgpu.lds_barrier
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }
  // CHECK-LABEL: gpu.func @rocdl_barrier(
  // CHECK-SAME: memref<256xi8,
  gpu.func @rocdl_barrier(%out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %half = arith.constant 32 : i32
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    rocdl.barrier
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }
  // CHECK-LABEL: gpu.func @nvvm_barrier0(
  // CHECK-SAME: memref<256xi8,
  gpu.func @nvvm_barrier0(%out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %half = arith.constant 32 : i32
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    nvvm.barrier0
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }
  // CHECK-LABEL: gpu.func @nvvm_barrier(
  // CHECK-SAME: memref<256xi8,
  gpu.func @nvvm_barrier(%out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %half = arith.constant 32 : i32
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    nvvm.barrier
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }
  // CHECK-LABEL: gpu.func @nvvm_barrier_id0(
  // CHECK-SAME: memref<256xi8,
  gpu.func @nvvm_barrier_id0(%out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %half = arith.constant 32 : i32
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    nvvm.barrier id = %zero
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }
  // CHECK-LABEL: gpu.func @nvvm_barrier_id1(
  // CHECK-SAME: memref<256xi8,
  gpu.func @nvvm_barrier_id1(%out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %half = arith.constant 32 : i32
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    nvvm.barrier id = %one
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }
  // CHECK-LABEL: gpu.func @nvvm_reduction(
  // CHECK-SAME: memref<256xi8,
  gpu.func @nvvm_reduction(%out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %half = arith.constant 32 : i32
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    %r = nvvm.barrier #nvvm.reduction<and> %one -> i32
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }
}

gpu.module @does_not_count {
  // CHECK-LABEL: gpu.func @nothing(
  // CHECK-SAME: memref<512xi8,
  gpu.func @nothing(%out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %half = arith.constant 32 : i32
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }
  // CHECK-LABEL: gpu.func @partial(
  // CHECK-SAME: memref<512xi8,
  gpu.func @partial(%out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %half = arith.constant 32 : i32
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    nvvm.barrier id = %zero number_of_threads = %half
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }
  // CHECK-LABEL: gpu.func @warp_sync(
  // CHECK-SAME: memref<512xi8,
  gpu.func @warp_sync(%out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %half = arith.constant 32 : i32
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    nvvm.bar.warp.sync %half : i32
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }
  // CHECK-LABEL: gpu.func @arrive(
  // CHECK-SAME: memref<512xi8,
  gpu.func @arrive(%out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %half = arith.constant 32 : i32
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    nvvm.barrier.arrive id = %one number_of_threads = %half
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }
  // CHECK-LABEL: gpu.func @s_barrier(
  // CHECK-SAME: memref<512xi8,
  gpu.func @s_barrier(%out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %half = arith.constant 32 : i32
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    rocdl.s.barrier
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }
  // CHECK-LABEL: gpu.func @sched_barrier(
  // CHECK-SAME: memref<512xi8,
  gpu.func @sched_barrier(%out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %half = arith.constant 32 : i32
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    amdgpu.sched_barrier allow = <none>
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }
  // CHECK-LABEL: gpu.func @fence(
  // CHECK-SAME: memref<512xi8,
  gpu.func @fence(%out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %half = arith.constant 32 : i32
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    nvvm.memory.barrier #nvvm.mem_scope<cta>
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }
  // CHECK-LABEL: gpu.func @shuffle(
  // CHECK-SAME: memref<512xi8,
  gpu.func @shuffle(%out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %half = arith.constant 32 : i32
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    %s, %q = gpu.shuffle xor %one, %one, %half : i32
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }
  // CHECK-LABEL: gpu.func @subgroup_reduce(
  // CHECK-SAME: memref<512xi8,
  gpu.func @subgroup_reduce(%out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %half = arith.constant 32 : i32
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    %s = gpu.subgroup_reduce add %one : (i32) -> i32
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }
  // CHECK-LABEL: gpu.func @mbarrier(
  // CHECK-SAME: memref<512xi8,
  gpu.func @mbarrier(%out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %half = arith.constant 32 : i32
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    %m = nvgpu.mbarrier.create -> !mbarrier
    %parity = arith.constant true
    nvgpu.mbarrier.try_wait.parity %m[%tid], %parity, %tid : !mbarrier
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }
  // CHECK-LABEL: gpu.func @cluster_relaxed(
  // CHECK-SAME: memref<512xi8,
  gpu.func @cluster_relaxed(%out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %half = arith.constant 32 : i32
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    nvvm.cluster.arrive.relaxed
    nvvm.cluster.wait
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }
  // CHECK-LABEL: gpu.func @cluster_halves(
  // CHECK-SAME: memref<512xi8,
  gpu.func @cluster_halves(%out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %half = arith.constant 32 : i32
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%tid] : !shared
    nvvm.cluster.arrive
    %a = memref.load %x[%tid] : !shared
    nvvm.cluster.wait
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }
  // The bytes of an mbarrier are its own to the end.
  // CHECK-LABEL: gpu.func @mbarrier_bytes(
  // CHECK-SAME: memref<264xi8,
  gpu.func @mbarrier_bytes(%out: memref<64xf32>, %v: f32, %n: i32) kernel {
    %tid = gpu.thread_id x
    %m = memref.alloc() : memref<1xi64, #gpu.address_space<workgroup>>
    %y = memref.alloc() : !shared
    %d = builtin.unrealized_conversion_cast %m : memref<1xi64, #gpu.address_space<workgroup>> to !struct
    %p = llvm.extractvalue %d[1] : !struct
    nvvm.mbarrier.init %p, %n : !llvm.ptr<3>, i32
    gpu.barrier
    memref.store %v, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }
  // CHECK-LABEL: gpu.func @cluster(
  // CHECK-SAME: memref<256xi8,
  gpu.func @cluster(%out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %half = arith.constant 32 : i32
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    nvvm.cluster.arrive
    nvvm.cluster.wait
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }
  // A barrier orders the address spaces that it names.
  // CHECK-LABEL: gpu.func @of_workgroup(
  // CHECK-SAME: memref<256xi8,
  gpu.func @of_workgroup(%out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    gpu.barrier {address_spaces = [#gpu.address_space<global>, #gpu.address_space<workgroup>]}
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }
  // CHECK-LABEL: gpu.func @of_global(
  // CHECK-SAME: memref<512xi8,
  gpu.func @of_global(%out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    gpu.barrier {address_spaces = [#gpu.address_space<global>]}
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }
  // CHECK-LABEL: gpu.func @of_none(
  // CHECK-SAME: memref<512xi8,
  gpu.func @of_none(%out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    gpu.barrier {address_spaces = []}
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }
}
