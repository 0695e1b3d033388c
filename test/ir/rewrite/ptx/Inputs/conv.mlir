// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A 3x3 convolution of a 34x34 image of 4 channels into 8 channels, 8x8 pixels a
// workgroup of 64 threads, as a product with the image's columns (im2col).

#workgroup = #gpu.address_space<workgroup>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @conv(%image: memref<34x34x4xf32>, %weights: memref<36x8xf32>,
                   %out: memref<32x32x8xf32>)
        kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %c10 = arith.constant 10 : index
      %c36 = arith.constant 36 : index
      %c64 = arith.constant 64 : index
      %c100 = arith.constant 100 : index
      %c288 = arith.constant 288 : index
      %zero = arith.constant 0.0 : f32
      %patch = memref.alloc() : memref<10x10x4xf32, #workgroup>
      %columns = memref.alloc() : memref<64x36xf32, #workgroup>
      %factors = memref.alloc() : memref<36x8xf32, #workgroup>
      %results = memref.alloc() : memref<64x8xf32, #workgroup>
      %thread = gpu.thread_id x
      %block_x = gpu.block_id x
      %block_y = gpu.block_id y
      %top = arith.muli %block_y, %c8 : index
      %left = arith.muli %block_x, %c8 : index

      // The patch of the image with its halo.
      scf.for %p = %thread to %c100 step %c64 {
        %y = arith.divui %p, %c10 : index
        %x = arith.remui %p, %c10 : index
        %from_y = arith.addi %top, %y : index
        %from_x = arith.addi %left, %x : index
        scf.for %channel = %c0 to %c4 step %c1 {
          %e = memref.load %image[%from_y, %from_x, %channel]
              : memref<34x34x4xf32>
          memref.store %e, %patch[%y, %x, %channel]
              : memref<10x10x4xf32, #workgroup>
        }
      }
      gpu.barrier

      // A row of 36 for each pixel.
      %pixel_y = arith.divui %thread, %c8 : index
      %pixel_x = arith.remui %thread, %c8 : index
      scf.for %q = %c0 to %c36 step %c1 {
        %channel = arith.remui %q, %c4 : index
        %tap = arith.divui %q, %c4 : index
        %tap_y = arith.divui %tap, %c3 : index
        %tap_x = arith.remui %tap, %c3 : index
        %y = arith.addi %pixel_y, %tap_y : index
        %x = arith.addi %pixel_x, %tap_x : index
        %e = memref.load %patch[%y, %x, %channel]
            : memref<10x10x4xf32, #workgroup>
        memref.store %e, %columns[%thread, %q] : memref<64x36xf32, #workgroup>
      }

      // The weights.
      scf.for %q = %thread to %c288 step %c64 {
        %tap = arith.divui %q, %c8 : index
        %channel = arith.remui %q, %c8 : index
        %w = memref.load %weights[%tap, %channel] : memref<36x8xf32>
        memref.store %w, %factors[%tap, %channel]
            : memref<36x8xf32, #workgroup>
      }
      gpu.barrier
      scf.for %channel = %c0 to %c8 step %c1 {
        %dot = scf.for %q = %c0 to %c36 step %c1
            iter_args(%acc = %zero) -> f32 {
          %e = memref.load %columns[%thread, %q]
              : memref<64x36xf32, #workgroup>
          %w = memref.load %factors[%q, %channel]
              : memref<36x8xf32, #workgroup>
          %ew = arith.mulf %e, %w : f32
          %next = arith.addf %acc, %ew : f32
          scf.yield %next : f32
        }
        memref.store %dot, %results[%thread, %channel]
            : memref<64x8xf32, #workgroup>
      }
      gpu.barrier

      // Out, neighbouring threads to neighbouring addresses.
      scf.for %pass = %c0 to %c8 step %c1 {
        %channel = arith.remui %thread, %c8 : index
        %x = arith.divui %thread, %c8 : index
        %line = arith.muli %pass, %c8 : index
        %pixel = arith.addi %line, %x : index
        %r = memref.load %results[%pixel, %channel]
            : memref<64x8xf32, #workgroup>
        %to_y = arith.addi %top, %pass : index
        %to_x = arith.addi %left, %x : index
        memref.store %r, %out[%to_y, %to_x, %channel] : memref<32x32x8xf32>
      }
      gpu.return
    }
  }

  func.func @host(%image: memref<34x34x4xf32>, %weights: memref<36x8xf32>,
                  %out: memref<32x32x8xf32>) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    // It asks for some dynamic memory already, though less than the arena.
    %few = arith.constant 100 : i32
    gpu.launch_func @kernels::@conv blocks in (%c4, %c4, %c1)
        threads in (%c64, %c1, %c1) dynamic_shared_memory_size %few
        args(%image : memref<34x34x4xf32>, %weights : memref<36x8xf32>,
             %out : memref<32x32x8xf32>)
    return
  }
}
