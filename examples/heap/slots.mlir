// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two kernels over one heap in global memory. In the first, each thread takes a
// block of the length it is asked for, fills it and leaves it in a slot; in the
// second, it finds the block there, adds it up and frees it. A length of 0 asks
// for nothing.
!block = memref<?xf32>

gpu.module @kernels {
  gpu.func @produce(%arena: memref<?xi8> {berth.arena}, %slots: memref<?x!block>,
                    %lengths: memref<?xi32>, %threads: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %b = gpu.block_id x
    %d = gpu.block_dim x
    %t = gpu.thread_id x
    %first = arith.muli %b, %d : index
    %g = arith.addi %first, %t : index
    %exists = arith.cmpi ult, %g, %threads : index
    scf.if %exists {
      %word = memref.load %lengths[%g] : memref<?xi32>
      %length = arith.index_castui %word : i32 to index
      %wanted = arith.cmpi ne, %length, %c0 : index
      scf.if %wanted {
        %m = memref.alloc(%length) : !block
        %number = arith.index_castui %g : index to i32
        %mark = arith.uitofp %number : i32 to f32
        scf.for %i = %c0 to %length step %c1 {
          memref.store %mark, %m[%i] : !block
        }
        memref.store %m, %slots[%g] : memref<?x!block>
      }
    }
    gpu.return
  }

  gpu.func @consume(%arena: memref<?xi8> {berth.arena}, %slots: memref<?x!block>,
                    %lengths: memref<?xi32>, %sums: memref<?xf32>,
                    %threads: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %b = gpu.block_id x
    %d = gpu.block_dim x
    %t = gpu.thread_id x
    %first = arith.muli %b, %d : index
    %g = arith.addi %first, %t : index
    %exists = arith.cmpi ult, %g, %threads : index
    scf.if %exists {
      %word = memref.load %lengths[%g] : memref<?xi32>
      %length = arith.index_castui %word : i32 to index
      %wanted = arith.cmpi ne, %length, %c0 : index
      scf.if %wanted {
        %m = memref.load %slots[%g] : memref<?x!block>
        %sum = scf.for %i = %c0 to %length step %c1
            iter_args(%so_far = %zero) -> f32 {
          %v = memref.load %m[%i] : !block
          %more = arith.addf %so_far, %v : f32
          scf.yield %more : f32
        }
        memref.store %sum, %sums[%g] : memref<?xf32>
        memref.dealloc %m : !block
      }
    }
    gpu.return
  }
}
