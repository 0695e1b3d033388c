// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Towards SPIR-V upstream takes typed allocations in numbered memory spaces, but
// no memref.view. So two buffers of one type become one variable by berth-merge,
// if a barrier stands between them already, and an arena is refused.
// DEFINE: %{passes} = berth-merge{may-merge=same-type space=3}
// DEFINE: %{spirv} = %mlir-opt-berth %s --pass-pipeline='builtin.module(%{passes},gpu.module(gpu.func(map-memref-spirv-storage-class{client-api=vulkan})),convert-gpu-to-spirv)'
// RUN: %{spirv} 2>&1 | FileCheck %s --check-prefixes=CHECK,MERGED
// CHECK: spirv.module
// MERGED-COUNT-1: spirv.GlobalVariable {{.*}}, Workgroup>
// MERGED-NOT: spirv.GlobalVariable {{.*}}, Workgroup>
// MERGED: spirv.module
// MERGED-COUNT-2: spirv.GlobalVariable {{.*}}, Workgroup>
//
// Annotations lie on the allocations and are lost with them: they are for
// lowerings of your own.
// REDEFINE: %{passes} = berth-arena{arena=annotate space=3}
// RUN: %{spirv} 2>&1 | FileCheck %s --check-prefixes=CHECK,APART
// APART-COUNT-2: spirv.GlobalVariable {{.*}}, Workgroup>
//
// REDEFINE: %{passes} = berth-arena{space=3}
// RUN: not %{spirv} 2>&1 | FileCheck %s --check-prefix=VIEW
// VIEW: error: failed to legalize operation 'memref.view'

module attributes {
    gpu.container_module,
    spirv.target_env = #spirv.target_env<#spirv.vce<v1.3, [Shader], [SPV_KHR_storage_buffer_storage_class]>, #spirv.resource_limits<>>} {
  gpu.module @separated {
    gpu.func @kernel(%out: memref<32xf32, 0>) kernel
        attributes {spirv.entry_point_abi = #spirv.entry_point_abi<workgroup_size = [32, 1, 1]>} {
      %c31 = arith.constant 31 : index
      %a = memref.alloc() : memref<32xf32, 3>
      %b = memref.alloc() : memref<32xf32, 3>
      %thread = gpu.thread_id x
      %other = arith.subi %c31, %thread : index
      %x = memref.load %out[%thread] : memref<32xf32, 0>
      memref.store %x, %a[%thread] : memref<32xf32, 3>
      gpu.barrier
      %y = memref.load %a[%other] : memref<32xf32, 3>
      gpu.barrier
      memref.store %y, %b[%thread] : memref<32xf32, 3>
      gpu.barrier
      %z = memref.load %b[%other] : memref<32xf32, 3>
      memref.store %z, %out[%thread] : memref<32xf32, 0>
      gpu.return
    }
  }

  gpu.module @joined {
    gpu.func @kernel(%out: memref<32xf32, 0>) kernel
        attributes {spirv.entry_point_abi = #spirv.entry_point_abi<workgroup_size = [32, 1, 1]>} {
      %c31 = arith.constant 31 : index
      %a = memref.alloc() : memref<32xf32, 3>
      %b = memref.alloc() : memref<32xf32, 3>
      %thread = gpu.thread_id x
      %other = arith.subi %c31, %thread : index
      %x = memref.load %out[%thread] : memref<32xf32, 0>
      memref.store %x, %a[%thread] : memref<32xf32, 3>
      gpu.barrier
      %y = memref.load %a[%other] : memref<32xf32, 3>
      memref.store %y, %b[%thread] : memref<32xf32, 3>
      gpu.barrier
      %z = memref.load %b[%other] : memref<32xf32, 3>
      memref.store %z, %out[%thread] : memref<32xf32, 0>
      gpu.return
    }
  }
}
