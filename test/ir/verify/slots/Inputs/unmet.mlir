// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nothing holds threads that copy for a later turn until all have read.
!tile = memref<64xf32, #gpu.address_space<workgroup>>
gpu.module @m {
  gpu.func @k(%in: memref<?x64xf32> {llvm.noalias, llvm.readonly}, %out: memref<64xf32>, %n: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = memref.alloc() : !tile
    scf.for %k = %c0 to %n step %c1 {
      %c = nvgpu.device_async_copy %in[%k, %t], %a[%t], 1 : memref<?x64xf32> to !tile
      %g = nvgpu.device_async_create_group %c
      nvgpu.device_async_wait %g
      gpu.barrier
      %e = memref.load %a[%c0] : !tile
      memref.store %e, %out[%t] : memref<64xf32>
    }
    gpu.return
  }
}
