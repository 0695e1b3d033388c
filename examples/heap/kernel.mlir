// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reverses the rows of a triangular matrix, each through a tile of shared
// memory that is just as long as the row.
gpu.module @kernels {
  gpu.func @reverse_rows(%in: memref<?x?xf32>, %out: memref<?x?xf32>,
                         %rows: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %thread = gpu.thread_id x
    %threads = gpu.block_dim x
    scf.for %r = %c0 to %rows step %c1 {
      %length = arith.addi %r, %c1 : index
      %tile = memref.alloc(%length)
          : memref<?xf32, #gpu.address_space<workgroup>>
      scf.for %i = %thread to %length step %threads {
        %v = memref.load %in[%r, %i] : memref<?x?xf32>
        memref.store %v, %tile[%i]
            : memref<?xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      scf.for %i = %thread to %length step %threads {
        %j = arith.subi %r, %i : index
        %v = memref.load %tile[%j]
            : memref<?xf32, #gpu.address_space<workgroup>>
        memref.store %v, %out[%r, %i] : memref<?x?xf32>
      }
    }
    gpu.return
  }
}
