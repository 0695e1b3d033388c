// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lengths of blocks that limit each other: the range of one is asked for while it is
// being looked for. (It was until the stack was full.)
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-expand{least=1},berth-verify)' | FileCheck %s

// CHECK-LABEL: gpu.func @k(
// CHECK-NOT: memref.alloc
// CHECK: gpu.return

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%out: memref<?xi32>, %in: memref<?xi32>, %n: index, %m: index) kernel {
      %tx = gpu.thread_id x
      %ty = gpu.thread_id y
      %tz = gpu.thread_id z
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %bz = gpu.block_id z
      %sx = gpu.block_dim x
      %sy = gpu.block_dim y
      %sz = gpu.block_dim z
      %gx = gpu.grid_dim x
      %gy = gpu.grid_dim y
      %gz = gpu.grid_dim z
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %sum = arith.addi %n, %m : index
      %length = memref.dim %in, %c0 : memref<?xi32>
      %g1 = arith.muli %c0, %gz : index
      %g2 = arith.addi %g1, %bz : index
      %g3 = arith.muli %g2, %gy : index
      %g4 = arith.addi %g3, %by : index
      %g5 = arith.muli %g4, %gx : index
      %g6 = arith.addi %g5, %bx : index
      %g7 = arith.muli %g6, %sz : index
      %g8 = arith.addi %g7, %tz : index
      %g9 = arith.muli %g8, %sy : index
      %g10 = arith.addi %g9, %ty : index
      %g11 = arith.muli %g10, %sx : index
      %g12 = arith.addi %g11, %tx : index
      %i = arith.index_cast %g12 : index to i32
      %b29 = memref.alloca(%sum) : memref<?xi32>
      %c37 = arith.constant 3 : index
      %b38 = memref.alloc(%sum) : memref<3x?xi32>
      scf.for %x39 = %c0 to %c37 step %c1 {
        scf.for %x40 = %c0 to %sum step %c1 {
          %w41 = arith.index_cast %x40 : index to i32
          %w42 = arith.constant 1 : i32
          %w43 = arith.muli %w41, %w42 : i32
          %w44 = arith.addi %w43, %i : i32
          %r45 = memref.load %b29[%c0] : memref<?xi32>
          %w46 = arith.addi %w44, %r45 : i32
          %w47 = arith.constant 100 : i32
          %w48 = arith.remsi %w46, %w47 : i32
          memref.store %w48, %b38[%x39, %x40] : memref<3x?xi32>
        }
      }
      scf.for %x49 = %c0 to %c37 step %c1 {
        scf.for %x50 = %c0 to %sum step %c1 {
          %r51 = memref.load %b38[%x49, %x50] : memref<3x?xi32>
        }
      }
      scf.for %l76 = %c0 to %n step %c1 {
        %b78 = memref.alloc(%m) : memref<2x?xi32>
      }
      %b97 = memref.alloc(%sum, %n) : memref<?x?xf32>
      %b114 = memref.alloca(%length, %length) : memref<?x?xi32>
      scf.for %x115 = %c0 to %length step %c1 {
        scf.for %x116 = %c0 to %length step %c1 {
          %w117 = arith.index_cast %x116 : index to i32
          %w118 = arith.constant 14 : i32
          %w119 = arith.muli %w117, %w118 : i32
          %w120 = arith.addi %w119, %i : i32
          %r121 = memref.load %b97[%c0, %c0] : memref<?x?xf32>
          %t122 = arith.fptosi %r121 : f32 to i32
          %w123 = arith.addi %w120, %t122 : i32
          %w124 = arith.constant 100 : i32
          %w125 = arith.remsi %w123, %w124 : i32
          memref.store %w125, %b114[%x115, %x116] : memref<?x?xi32>
        }
      }
      scf.for %x126 = %c0 to %sum step %c1 {
        %r127 = memref.load %b29[%x126] : memref<?xi32>
      }
      scf.for %x148 = %c0 to %length step %c1 {
        scf.for %x149 = %c0 to %length step %c1 {
          %r150 = memref.load %b114[%x148, %x149] : memref<?x?xi32>
        }
      }
      gpu.return
    }
  }
  func.func @host(%out0: memref<?xi32>, %in: memref<?xi32>, %n: index, %m: index, %d0: index, %d1: index, %d2: index, %d3: index, %d4: index, %d5: index, %out1: memref<?xi32>) {
    %e3 = arith.constant 3 : index
    %start = gpu.wait async
    %end0 = gpu.launch_func async [%start] @kernels::@k blocks in (%d0, %d1, %d2) threads in (%e3, %d4, %d5) args(%out0 : memref<?xi32>, %in : memref<?xi32>, %n : index, %m : index)
    return
  }
}
