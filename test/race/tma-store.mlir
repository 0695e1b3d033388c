// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tile goes out by TMA. One scratch buffer is used while that is under way, and
// keeps out of the tile's bytes; one behind the wait, and takes them.
// RUN: %race %s --keep-barriers | FileCheck %s
// RUN: %status 1 %race %s --arena="test-break-rule=no-async verify=false" 2>&1 | FileCheck %s --check-prefix=WRONG

// CHECK: buffers: 3 of 3, bytes: 768 -> 512, barriers inserted: 0
// CHECK-NEXT: equal, no race
// WRONG: bytes: 768 -> 256,
// WRONG: race.sh: {{a race in the planned kernel|the planned kernel computes something else}}

!tile = memref<8x8xf32, #gpu.address_space<workgroup>>
!line = memref<64xf32, #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = !tile, swizzle = none, l2promo = none, oob = zero, interleave = none>
!in = memref<8x32xf32>
!row = memref<64xf32>

gpu.module @kernels {
  llvm.func @race_map(!llvm.ptr, i64, i64, i64, i64) -> !llvm.ptr
  gpu.func @stores(%in: !row, %copy: !in, %out: !row) kernel {
    %address = memref.extract_aligned_pointer_as_index %copy : !in -> index
    %number = arith.index_cast %address : index to i64
    %base = llvm.inttoptr %number : i64 to !llvm.ptr
    %pitch = llvm.mlir.constant(32 : i64) : i64
    %four = llvm.mlir.constant(4 : i64) : i64
    %eight = llvm.mlir.constant(8 : i64) : i64
    %at = llvm.call @race_map(%base, %pitch, %four, %eight, %eight) : (!llvm.ptr, i64, i64, i64, i64) -> !llvm.ptr
    %map = builtin.unrealized_conversion_cast %at : !llvm.ptr to !map
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %first = arith.cmpi eq, %t, %c0 : index
    %x = memref.alloc() {alignment = 128 : i64} : !tile
    %y = memref.alloc() : !line
    %z = memref.alloc() : !line
    %v = affine.load %in[%t] : !row
    affine.store %v, %x[%t mod 8, %t floordiv 8] : !tile
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    nvgpu.tma.async.store %x to %map[%c0, %c0], predicate = %first : !tile -> !map
    nvvm.cp.async.bulk.commit.group
    gpu.barrier
    affine.store %v, %y[%t] : !line
    gpu.barrier
    %a = affine.load %y[63 - %t] : !line
    nvvm.cp.async.bulk.wait_group 0 {read}
    gpu.barrier
    affine.store %a, %z[%t] : !line
    gpu.barrier
    %b = affine.load %z[(%t + 1) mod 64] : !line
    affine.store %b, %out[%t] : !row
    gpu.return
  }
}
