// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A race: threads of one warp take a shuffle for a barrier.

!line = memref<64xi32, #gpu.address_space<workgroup>>
!row = memref<64xi32>

gpu.module @kernels {
  gpu.func @shuffled(%in: !row, %out: !row) kernel {
    %c1 = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %t = gpu.thread_id x
    %line = memref.alloc() : !line
    %v = memref.load %in[%t] : !row
    memref.store %v, %line[%t] : !line
    %x, %valid = gpu.shuffle xor %v, %c1, %width : i32
    %y = affine.load %line[(%t floordiv 32) * 64 + 31 - %t] : !line
    %z = arith.addi %x, %y : i32
    memref.store %z, %out[%t] : !row
    gpu.return
  }
}
