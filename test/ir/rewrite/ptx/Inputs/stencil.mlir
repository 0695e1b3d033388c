// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three sweeps of a three-point stencil over 128 cells a workgroup: each sweep
// needs one cell of halo less, so no memory of the device is touched between.
// Cells are bytes here and 32 bits there, so the buffers differ in size.

#workgroup = #gpu.address_space<workgroup>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @stencil(%in: memref<1030xi8>, %out: memref<1024xi32>)
        kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c128 = arith.constant 128 : index
      %c130 = arith.constant 130 : index
      %c132 = arith.constant 132 : index
      %c134 = arith.constant 134 : index
      %raw = memref.alloc() : memref<134xi8, #workgroup>
      %u0 = memref.alloc() : memref<134xi32, #workgroup>
      %u1 = memref.alloc() : memref<132xi32, #workgroup>
      %u2 = memref.alloc() : memref<130xi32, #workgroup>
      %u3 = memref.alloc() : memref<128xi32, #workgroup>
      %thread = gpu.thread_id x
      %block = gpu.block_id x
      %first = arith.muli %block, %c128 : index

      scf.for %i = %thread to %c134 step %c128 {
        %from = arith.addi %first, %i : index
        %x = memref.load %in[%from] : memref<1030xi8>
        memref.store %x, %raw[%i] : memref<134xi8, #workgroup>
      }
      gpu.barrier
      scf.for %i = %thread to %c134 step %c128 {
        %x = memref.load %raw[%i] : memref<134xi8, #workgroup>
        %wide = arith.extui %x : i8 to i32
        memref.store %wide, %u0[%i] : memref<134xi32, #workgroup>
      }
      gpu.barrier
      scf.for %i = %thread to %c132 step %c128 {
        %middle = arith.addi %i, %c1 : index
        %right = arith.addi %i, %c2 : index
        %x = memref.load %u0[%i] : memref<134xi32, #workgroup>
        %y = memref.load %u0[%middle] : memref<134xi32, #workgroup>
        %z = memref.load %u0[%right] : memref<134xi32, #workgroup>
        %xy = arith.addi %x, %y : i32
        %xyz = arith.addi %xy, %z : i32
        memref.store %xyz, %u1[%i] : memref<132xi32, #workgroup>
      }
      gpu.barrier
      scf.for %i = %thread to %c130 step %c128 {
        %middle = arith.addi %i, %c1 : index
        %right = arith.addi %i, %c2 : index
        %x = memref.load %u1[%i] : memref<132xi32, #workgroup>
        %y = memref.load %u1[%middle] : memref<132xi32, #workgroup>
        %z = memref.load %u1[%right] : memref<132xi32, #workgroup>
        %xy = arith.addi %x, %y : i32
        %xyz = arith.addi %xy, %z : i32
        memref.store %xyz, %u2[%i] : memref<130xi32, #workgroup>
      }
      gpu.barrier
      %middle = arith.addi %thread, %c1 : index
      %right = arith.addi %thread, %c2 : index
      %x = memref.load %u2[%thread] : memref<130xi32, #workgroup>
      %y = memref.load %u2[%middle] : memref<130xi32, #workgroup>
      %z = memref.load %u2[%right] : memref<130xi32, #workgroup>
      %xy = arith.addi %x, %y : i32
      %xyz = arith.addi %xy, %z : i32
      memref.store %xyz, %u3[%thread] : memref<128xi32, #workgroup>
      gpu.barrier
      %w = memref.load %u3[%thread] : memref<128xi32, #workgroup>
      %to = arith.addi %first, %thread : index
      memref.store %w, %out[%to] : memref<1024xi32>
      gpu.return
    }
  }

  func.func @host(%in: memref<1030xi8>, %out: memref<1024xi32>) {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@stencil blocks in (%c8, %c1, %c1)
        threads in (%c128, %c1, %c1)
        args(%in : memref<1030xi8>, %out : memref<1024xi32>)
    return
  }
}
