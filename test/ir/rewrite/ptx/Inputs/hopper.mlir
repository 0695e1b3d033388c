// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product on a Hopper GPU: TMA brings the tiles, an mbarrier tells when, wgmma
// multiplies them. The sum goes through shared memory, where TMA's tiles were.
!tile_a = memref<128x64xf16, #gpu.address_space<workgroup>>
!tile_b = memref<64x64xf16, #gpu.address_space<workgroup>>
!tile_c = memref<128x64xf32, #gpu.address_space<workgroup>>
!map_a = !nvgpu.tensormap.descriptor<tensor = !tile_a, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
!map_b = !nvgpu.tensormap.descriptor<tensor = !tile_b, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
!mbarrier = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
!sum = !nvgpu.warpgroup.accumulator<fragmented = vector<128x64xf32>>
!descriptor_a = !nvgpu.warpgroup.descriptor<tensor = !tile_a>
!descriptor_b = !nvgpu.warpgroup.descriptor<tensor = !tile_b>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @matmul(%pa: !llvm.ptr, %pb: !llvm.ptr, %out: memref<128x64xf32>) kernel {
      %map_a = builtin.unrealized_conversion_cast %pa : !llvm.ptr to !map_a
      %map_b = builtin.unrealized_conversion_cast %pb : !llvm.ptr to !map_b
      %t = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c64 = arith.constant 64 : index
      %c127 = arith.constant 127 : index
      %bytes = arith.constant 24576 : index
      %ticks = arith.constant 10000000 : index
      %false = arith.constant false
      %true = arith.constant true
      %is_first = arith.cmpi eq, %t, %c0 : index
      %a = memref.alloc() {alignment = 1024 : i64} : !tile_a
      %b = memref.alloc() {alignment = 1024 : i64} : !tile_b
      %c = memref.alloc() {alignment = 1024 : i64} : !tile_c
      %m = nvgpu.mbarrier.create -> !mbarrier
      nvgpu.mbarrier.init %m[%c0], %c1, predicate = %is_first : !mbarrier
      gpu.barrier
      %zero = nvgpu.warpgroup.mma.init.accumulator -> !sum
      %sum, %last = scf.for %k = %c0 to %c4 step %c1
          iter_args(%so_far = %zero, %parity = %false) -> (!sum, i1) {
        %column = arith.muli %k, %c64 : index
        nvgpu.mbarrier.arrive.expect_tx %m[%c0], %bytes, predicate = %is_first : !mbarrier
        nvgpu.tma.async.load %map_a[%column, %c0], %m[%c0] to %a, predicate = %is_first : !map_a, !mbarrier -> !tile_a
        nvgpu.tma.async.load %map_b[%c0, %column], %m[%c0] to %b, predicate = %is_first : !map_b, !mbarrier -> !tile_b
        nvgpu.mbarrier.try_wait.parity %m[%c0], %parity, %ticks : !mbarrier
        %da = nvgpu.warpgroup.generate.descriptor %a, %map_a : !tile_a, !map_a -> !descriptor_a
        %db = nvgpu.warpgroup.generate.descriptor %b, %map_b : !tile_b, !map_b -> !descriptor_b
        %next = nvgpu.warpgroup.mma %da, %db, %so_far {transposeB, waitGroup = 0 : i64} : <tensor = !tile_a>, <tensor = !tile_b>, !sum -> !sum
        gpu.barrier
        %other = arith.xori %parity, %true : i1
        scf.yield %next, %other : !sum, i1
      }
      nvgpu.warpgroup.mma.store %sum, %c : !sum to !tile_c
      gpu.barrier
      %row = arith.subi %c127, %t : index
      scf.for %j = %c0 to %c64 step %c1 {
        %e = memref.load %c[%row, %j] : !tile_c
        memref.store %e, %out[%t, %j] : memref<128x64xf32>
      }
      gpu.return
    }
  }
}
