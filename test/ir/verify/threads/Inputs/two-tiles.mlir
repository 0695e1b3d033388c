// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two buffers, one after the other, without any barrier.
#wg = #gpu.address_space<workgroup>
gpu.module @kernels {
  gpu.func @k(%out: memref<64xf32>) kernel {
    %c0 = arith.constant 0 : index
    %f = arith.constant 1.0 : f32
    %x = memref.alloc() : memref<64xf32, #wg>
    %y = memref.alloc() : memref<64xf32, #wg>
    memref.store %f, %x[%c0] : memref<64xf32, #wg>
    %v = memref.load %x[%c0] : memref<64xf32, #wg>
    memref.store %v, %y[%c0] : memref<64xf32, #wg>
    %w = memref.load %y[%c0] : memref<64xf32, #wg>
    memref.store %w, %out[%c0] : memref<64xf32>
    gpu.return
  }
}
