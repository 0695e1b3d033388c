// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// c = a b + bias for 64x64 matrices in tiles of 16x16, 256 threads each: while
// one stage of tiles is multiplied the next one is loaded. The result goes out
// through a tile of its own.

#workgroup = #gpu.address_space<workgroup>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @matmul(%a: memref<64x64xf32>, %b: memref<64x64xf32>,
                     %bias: memref<64xf32>, %c: memref<64x64xf32>)
        kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %c64 = arith.constant 64 : index
      %zero = arith.constant 0.0 : f32
      %a0 = memref.alloc() : memref<16x16xf32, #workgroup>
      %b0 = memref.alloc() : memref<16x16xf32, #workgroup>
      %a1 = memref.alloc() : memref<16x16xf32, #workgroup>
      %b1 = memref.alloc() : memref<16x16xf32, #workgroup>
      %bias_tile = memref.alloc() : memref<16xf32, #workgroup>
      %c_tile = memref.alloc() : memref<16x16xf32, #workgroup>
      %thread = gpu.thread_id x
      %block_x = gpu.block_id x
      %block_y = gpu.block_id y
      %row = arith.divui %thread, %c16 : index
      %lane = arith.remui %thread, %c16 : index
      %first_row = arith.muli %block_y, %c16 : index
      %first_column = arith.muli %block_x, %c16 : index
      %i = arith.addi %first_row, %row : index
      %j = arith.addi %first_column, %lane : index

      // The first stage.
      %e = memref.load %a[%i, %lane] : memref<64x64xf32>
      memref.store %e, %a0[%row, %lane] : memref<16x16xf32, #workgroup>
      %f = memref.load %b[%row, %j] : memref<64x64xf32>
      memref.store %f, %b0[%row, %lane] : memref<16x16xf32, #workgroup>
      gpu.barrier

      // Two stages a turn: multiply the even one, multiply the odd one.
      %sum = scf.for %k = %c0 to %c64 step %c32
          iter_args(%turn = %zero) -> f32 {
        %odd = arith.addi %k, %c16 : index
        %odd_lane = arith.addi %odd, %lane : index
        %odd_row = arith.addi %odd, %row : index
        %g = memref.load %a[%i, %odd_lane] : memref<64x64xf32>
        memref.store %g, %a1[%row, %lane] : memref<16x16xf32, #workgroup>
        %h = memref.load %b[%odd_row, %j] : memref<64x64xf32>
        memref.store %h, %b1[%row, %lane] : memref<16x16xf32, #workgroup>
        %even_sum = scf.for %l = %c0 to %c16 step %c1
            iter_args(%acc = %turn) -> f32 {
          %x = memref.load %a0[%row, %l] : memref<16x16xf32, #workgroup>
          %y = memref.load %b0[%l, %lane] : memref<16x16xf32, #workgroup>
          %xy = arith.mulf %x, %y : f32
          %next = arith.addf %acc, %xy : f32
          scf.yield %next : f32
        }
        gpu.barrier
        %after = arith.addi %k, %c32 : index
        %is_more = arith.cmpi ult, %after, %c64 : index
        scf.if %is_more {
          %even_lane = arith.addi %after, %lane : index
          %even_row = arith.addi %after, %row : index
          %o = memref.load %a[%i, %even_lane] : memref<64x64xf32>
          memref.store %o, %a0[%row, %lane] : memref<16x16xf32, #workgroup>
          %p = memref.load %b[%even_row, %j] : memref<64x64xf32>
          memref.store %p, %b0[%row, %lane] : memref<16x16xf32, #workgroup>
        }
        %odd_sum = scf.for %l = %c0 to %c16 step %c1
            iter_args(%acc = %even_sum) -> f32 {
          %x = memref.load %a1[%row, %l] : memref<16x16xf32, #workgroup>
          %y = memref.load %b1[%l, %lane] : memref<16x16xf32, #workgroup>
          %xy = arith.mulf %x, %y : f32
          %next = arith.addf %acc, %xy : f32
          scf.yield %next : f32
        }
        gpu.barrier
        scf.yield %odd_sum : f32
      }

      // Add the bias, and write rows that neighbouring threads share.
      %is_first = arith.cmpi ult, %thread, %c16 : index
      scf.if %is_first {
        %d = memref.load %bias[%j] : memref<64xf32>
        memref.store %d, %bias_tile[%lane] : memref<16xf32, #workgroup>
      }
      memref.store %sum, %c_tile[%lane, %row] : memref<16x16xf32, #workgroup>
      gpu.barrier
      %s = memref.load %c_tile[%lane, %row] : memref<16x16xf32, #workgroup>
      %t = memref.load %bias_tile[%lane] : memref<16xf32, #workgroup>
      %st = arith.addf %s, %t : f32
      memref.store %st, %c[%i, %j] : memref<64x64xf32>
      gpu.return
    }
  }

  func.func @host(%a: memref<64x64xf32>, %b: memref<64x64xf32>,
                  %bias: memref<64xf32>, %c: memref<64x64xf32>) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c256 = arith.constant 256 : index
    gpu.launch_func @kernels::@matmul blocks in (%c4, %c4, %c1)
        threads in (%c256, %c1, %c1)
        args(%a : memref<64x64xf32>, %b : memref<64x64xf32>,
             %bias : memref<64xf32>, %c : memref<64x64xf32>)
    return
  }
}
