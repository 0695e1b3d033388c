// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layer norm of rows of 1024, a workgroup of 128 threads each. Mean and variance
// are summed up in trees.

#workgroup = #gpu.address_space<workgroup>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @layer_norm(%in: memref<32x1024xf32>, %scale: memref<1024xf32>,
                         %out: memref<32x1024xf32>)
        kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c7 = arith.constant 7 : index
      %c64 = arith.constant 64 : index
      %c128 = arith.constant 128 : index
      %c1024 = arith.constant 1024 : index
      %zero = arith.constant 0.0 : f32
      %share = arith.constant 9.765625e-4 : f32
      %tiny = arith.constant 1.0e-5 : f32
      %row = memref.alloc() : memref<1024xf32, #workgroup>
      %sums = memref.alloc() : memref<128xf32, #workgroup>
      %centred = memref.alloc() : memref<1024xf32, #workgroup>
      %squares = memref.alloc() : memref<128xf32, #workgroup>
      %scaled = memref.alloc() : memref<1024xf32, #workgroup>
      %thread = gpu.thread_id x
      %block = gpu.block_id x

      // The row, and its mean.
      %my_sum = scf.for %i = %thread to %c1024 step %c128
          iter_args(%acc = %zero) -> f32 {
        %x = memref.load %in[%block, %i] : memref<32x1024xf32>
        memref.store %x, %row[%i] : memref<1024xf32, #workgroup>
        %next = arith.addf %acc, %x : f32
        scf.yield %next : f32
      }
      memref.store %my_sum, %sums[%thread] : memref<128xf32, #workgroup>
      gpu.barrier
      scf.for %s = %c0 to %c7 step %c1 {
        %stride = arith.shrui %c64, %s : index
        %is_adder = arith.cmpi ult, %thread, %stride : index
        scf.if %is_adder {
          %other = arith.addi %thread, %stride : index
          %x = memref.load %sums[%thread] : memref<128xf32, #workgroup>
          %y = memref.load %sums[%other] : memref<128xf32, #workgroup>
          %xy = arith.addf %x, %y : f32
          memref.store %xy, %sums[%thread] : memref<128xf32, #workgroup>
        }
        gpu.barrier
      }
      %sum = memref.load %sums[%c0] : memref<128xf32, #workgroup>
      %mean = arith.mulf %sum, %share : f32

      // The row less its mean, and the variance. Each thread reads what its
      // mirror image has loaded.
      %my_squares = scf.for %i = %thread to %c1024 step %c128
          iter_args(%acc = %zero) -> f32 {
        %from_end = arith.subi %c1024, %i : index
        %k = arith.subi %from_end, %c1 : index
        %x = memref.load %row[%k] : memref<1024xf32, #workgroup>
        %d = arith.subf %x, %mean : f32
        memref.store %d, %centred[%k] : memref<1024xf32, #workgroup>
        %dd = arith.mulf %d, %d : f32
        %next = arith.addf %acc, %dd : f32
        scf.yield %next : f32
      }
      memref.store %my_squares, %squares[%thread]
          : memref<128xf32, #workgroup>
      gpu.barrier
      scf.for %s = %c0 to %c7 step %c1 {
        %stride = arith.shrui %c64, %s : index
        %is_adder = arith.cmpi ult, %thread, %stride : index
        scf.if %is_adder {
          %other = arith.addi %thread, %stride : index
          %x = memref.load %squares[%thread] : memref<128xf32, #workgroup>
          %y = memref.load %squares[%other] : memref<128xf32, #workgroup>
          %xy = arith.addf %x, %y : f32
          memref.store %xy, %squares[%thread] : memref<128xf32, #workgroup>
        }
        gpu.barrier
      }
      %square_sum = memref.load %squares[%c0] : memref<128xf32, #workgroup>
      %variance = arith.mulf %square_sum, %share : f32
      %sure = arith.addf %variance, %tiny : f32
      %factor = llvm.call_intrinsic "llvm.sqrt.f32"(%sure)
          {fastmathFlags = #llvm.fastmath<afn>} : (f32) -> f32

      // Scale, and write the row.
      scf.for %i = %thread to %c1024 step %c128 {
        %from_end = arith.subi %c1024, %i : index
        %k = arith.subi %from_end, %c1 : index
        %d = memref.load %centred[%i] : memref<1024xf32, #workgroup>
        %w = memref.load %scale[%i] : memref<1024xf32>
        %dw = arith.mulf %d, %w : f32
        %y = arith.divf %dw, %factor : f32
        memref.store %y, %scaled[%k] : memref<1024xf32, #workgroup>
      }
      gpu.barrier
      scf.for %i = %thread to %c1024 step %c128 {
        %from_end = arith.subi %c1024, %i : index
        %k = arith.subi %from_end, %c1 : index
        %y = memref.load %scaled[%k] : memref<1024xf32, #workgroup>
        memref.store %y, %out[%block, %i] : memref<32x1024xf32>
      }
      gpu.return
    }
  }

  func.func @host(%in: memref<32x1024xf32>, %scale: memref<1024xf32>,
                  %out: memref<32x1024xf32>) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@layer_norm blocks in (%c32, %c1, %c1)
        threads in (%c128, %c1, %c1)
        args(%in : memref<32x1024xf32>, %scale : memref<1024xf32>,
             %out : memref<32x1024xf32>)
    return
  }
}
