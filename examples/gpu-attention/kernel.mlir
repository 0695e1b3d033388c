// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attention for one head, softmax(q k^T) v, as a GPU kernel: 64 keys of width
// 64, and 16 queries per workgroup of 128 threads. Thread (row, lane) with 16
// rows of 8 lanes. The phases are separated by barriers:
//
//   load q and k | scores = q k^T | row maxima | weights, row sums |
//   load v | out = weights v / sum | store out
//
// Each phase has buffers of its own, as a kernel author writes them first. With
// plain memref.alloc they would not even be shared memory: see run.sh.

#workgroup = #gpu.address_space<workgroup>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @attention(%q: memref<1024x64xf32>, %k: memref<64x64xf32>,
                        %v: memref<64x64xf32>, %out: memref<1024x64xf32>)
        kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %c64 = arith.constant 64 : index
      %c128 = arith.constant 128 : index
      %c1024 = arith.constant 1024 : index
      %zero = arith.constant 0.0 : f32
      %lowest = arith.constant -3.40282347E+38 : f32
      // log2(e) / sqrt(64): the kernel works with powers of two.
      %scale = arith.constant 0.18033688 : f32

      %q_tile = memref.alloc() : memref<16x64xf32, #workgroup>
      %k_tile = memref.alloc() : memref<64x64xf32, #workgroup>
      %scores = memref.alloc() : memref<16x64xf32, #workgroup>
      %part_max = memref.alloc() : memref<16x8xf32, #workgroup>
      %weights = memref.alloc() : memref<16x64xf32, #workgroup>
      %part_sum = memref.alloc() : memref<16x8xf32, #workgroup>
      %v_tile = memref.alloc() : memref<64x64xf32, #workgroup>
      %out_tile = memref.alloc() : memref<16x64xf32, #workgroup>

      %thread = gpu.thread_id x
      %block = gpu.block_id x
      %row = arith.divui %thread, %c8 : index
      %lane = arith.remui %thread, %c8 : index
      %first_row = arith.muli %block, %c16 : index
      %global_row = arith.addi %first_row, %row : index

      // Load q and k.
      scf.for %d = %lane to %c64 step %c8 {
        %e = memref.load %q[%global_row, %d] : memref<1024x64xf32>
        memref.store %e, %q_tile[%row, %d] : memref<16x64xf32, #workgroup>
        scf.for %key = %row to %c64 step %c16 {
          %f = memref.load %k[%key, %d] : memref<64x64xf32>
          memref.store %f, %k_tile[%key, %d] : memref<64x64xf32, #workgroup>
        }
      }
      gpu.barrier

      // scores = q k^T, scaled.
      scf.for %key = %lane to %c64 step %c8 {
        %dot = scf.for %d = %c0 to %c64 step %c1
            iter_args(%acc = %zero) -> f32 {
          %a = memref.load %q_tile[%row, %d] : memref<16x64xf32, #workgroup>
          %b = memref.load %k_tile[%key, %d] : memref<64x64xf32, #workgroup>
          %ab = arith.mulf %a, %b : f32
          %next = arith.addf %acc, %ab : f32
          scf.yield %next : f32
        }
        %scaled = arith.mulf %dot, %scale : f32
        memref.store %scaled, %scores[%row, %key]
            : memref<16x64xf32, #workgroup>
      }
      gpu.barrier

      // The maximum of each row: first of each lane's share, then of all.
      %lane_max = scf.for %key = %lane to %c64 step %c8
          iter_args(%acc = %lowest) -> f32 {
        %s = memref.load %scores[%row, %key] : memref<16x64xf32, #workgroup>
        %next = arith.maximumf %acc, %s : f32
        scf.yield %next : f32
      }
      memref.store %lane_max, %part_max[%row, %lane]
          : memref<16x8xf32, #workgroup>
      gpu.barrier
      %max = scf.for %l = %c0 to %c8 step %c1
          iter_args(%acc = %lowest) -> f32 {
        %m = memref.load %part_max[%row, %l] : memref<16x8xf32, #workgroup>
        %next = arith.maximumf %acc, %m : f32
        scf.yield %next : f32
      }

      // weights = exp2(scores - max), and each lane's share of the row sums.
      %lane_sum = scf.for %key = %lane to %c64 step %c8
          iter_args(%acc = %zero) -> f32 {
        %s = memref.load %scores[%row, %key] : memref<16x64xf32, #workgroup>
        %below = arith.subf %s, %max : f32
        %w = llvm.call_intrinsic "llvm.exp2.f32"(%below)
            {fastmathFlags = #llvm.fastmath<afn>} : (f32) -> f32
        memref.store %w, %weights[%row, %key] : memref<16x64xf32, #workgroup>
        %next = arith.addf %acc, %w : f32
        scf.yield %next : f32
      }
      memref.store %lane_sum, %part_sum[%row, %lane]
          : memref<16x8xf32, #workgroup>
      gpu.barrier

      // Load v.
      scf.for %d = %lane to %c64 step %c8 {
        scf.for %key = %row to %c64 step %c16 {
          %f = memref.load %v[%key, %d] : memref<64x64xf32>
          memref.store %f, %v_tile[%key, %d] : memref<64x64xf32, #workgroup>
        }
      }
      gpu.barrier

      // out = weights v / sum.
      %sum = scf.for %l = %c0 to %c8 step %c1 iter_args(%acc = %zero) -> f32 {
        %s = memref.load %part_sum[%row, %l] : memref<16x8xf32, #workgroup>
        %next = arith.addf %acc, %s : f32
        scf.yield %next : f32
      }
      scf.for %d = %lane to %c64 step %c8 {
        %dot = scf.for %key = %c0 to %c64 step %c1
            iter_args(%acc = %zero) -> f32 {
          %w = memref.load %weights[%row, %key] : memref<16x64xf32, #workgroup>
          %f = memref.load %v_tile[%key, %d] : memref<64x64xf32, #workgroup>
          %wf = arith.mulf %w, %f : f32
          %next = arith.addf %acc, %wf : f32
          scf.yield %next : f32
        }
        %o = arith.divf %dot, %sum : f32
        memref.store %o, %out_tile[%row, %d] : memref<16x64xf32, #workgroup>
      }
      gpu.barrier

      // Store out, neighbouring threads to neighbouring addresses.
      scf.for %i = %thread to %c1024 step %c128 {
        %r = arith.divui %i, %c64 : index
        %d = arith.remui %i, %c64 : index
        %o = memref.load %out_tile[%r, %d] : memref<16x64xf32, #workgroup>
        %target = arith.addi %first_row, %r : index
        memref.store %o, %out[%target, %d] : memref<1024x64xf32>
      }
      gpu.return
    }
  }
}
