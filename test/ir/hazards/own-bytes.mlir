// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which bytes each thread touches decides whether a pair without a barrier may
// share. Nothing is inserted here, so that the sizes tell.
// RUN: %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-arena{barriers=existing})' | FileCheck %s
// CHECK: memref.global "private" @berth_arena_launch : memref<1024xi8

#wg = #gpu.address_space<workgroup>
!line = memref<64xf32, #wg>
!lines = memref<2x64xf32, #wg>

gpu.module @kernels {
  // Each thread its own element.
  // CHECK-LABEL: gpu.func @own(
  // CHECK-SAME: memref<256xi8,
  gpu.func @own(%out: memref<64xf32>, %v: f32) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %x = memref.alloc() : !line
    %y = memref.alloc() : !line
    memref.store %v, %x[%t] : !line
    %a = memref.load %x[%t] : !line
    memref.store %a, %y[%t] : !line
    %b = memref.load %y[%t] : !line
    memref.store %b, %out[%t] : memref<64xf32>
    gpu.return
  }

  // Elements of four bits may be packed behind Berth.
  // CHECK-LABEL: gpu.func @nibbles(
  // CHECK-SAME: memref<128xi8,
  gpu.func @nibbles(%out: memref<64xi4>, %v: i4) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %x = memref.alloc() : memref<64xi4, #wg>
    %y = memref.alloc() : memref<64xi4, #wg>
    memref.store %v, %x[%t] : memref<64xi4, #wg>
    %a = memref.load %x[%t] : memref<64xi4, #wg>
    memref.store %a, %y[%t] : memref<64xi4, #wg>
    %b = memref.load %y[%t] : memref<64xi4, #wg>
    memref.store %b, %out[%t] : memref<64xi4>
    gpu.return
  }

  // Elements of another width belong to other threads.
  // CHECK-LABEL: gpu.func @widths(
  // CHECK-SAME: memref<768xi8,
  gpu.func @widths(%out: memref<64xf64>, %v: f32) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %x = memref.alloc() : !line
    %y = memref.alloc() : memref<64xf64, #wg>
    memref.store %v, %x[%t] : !line
    %a = memref.load %x[%t] : !line
    %w = arith.extf %a : f32 to f64
    memref.store %w, %y[%t] : memref<64xf64, #wg>
    %b = memref.load %y[%t] : memref<64xf64, #wg>
    memref.store %b, %out[%t] : memref<64xf64>
    gpu.return
  }

  // In a block of unknown shape a thread's x may come again.
  // CHECK-LABEL: gpu.func @unknown_block(
  // CHECK-SAME: memref<512xi8,
  gpu.func @unknown_block(%out: memref<64xf32>, %v: f32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !line
    %y = memref.alloc() : !line
    memref.store %v, %x[%t] : !line
    %a = memref.load %x[%t] : !line
    memref.store %a, %y[%t] : !line
    %b = memref.load %y[%t] : !line
    memref.store %b, %out[%t] : memref<64xf32>
    gpu.return
  }

  // A stage of two is read last: Y takes the other one. Of the subscript in the
  // loop nothing is known but that it is 0 or 1.
  // CHECK-LABEL: gpu.func @stages(
  // CHECK-SAME: memref<512xi8,
  // CHECK: %[[Y:.*]] = arith.constant 256 : index
  // CHECK: memref.view %{{.*}}[%[[Y]]][] {{.*}} to memref<64xf32
  gpu.func @stages(%out: memref<64xf32>, %v: f32, %n: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c63 = arith.constant 63 : index
    %other = arith.subi %c63, %t : index
    %x = memref.alloc() : !lines
    %y = memref.alloc() : !line
    memref.store %v, %x[%c0, %t] : !lines
    scf.for %i = %c0 to %n step %c1 {
      %stage = arith.remui %i, %c2 : index
      memref.store %v, %x[%stage, %t] : !lines
      gpu.barrier
      %r = memref.load %x[%stage, %other] : !lines
      memref.store %r, %out[%t] : memref<64xf32>
    }
    gpu.barrier
    %a = memref.load %x[%c0, %other] : !lines
    memref.store %a, %y[%t] : !line
    gpu.barrier
    %b = memref.load %y[%other] : !line
    memref.store %b, %out[%t] : memref<64xf32>
    gpu.return
  }

  // Both stages may be read last.
  // CHECK-LABEL: gpu.func @any_stage(
  // CHECK-SAME: memref<768xi8,
  gpu.func @any_stage(%out: memref<64xf32>, %v: f32, %n: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c63 = arith.constant 63 : index
    %other = arith.subi %c63, %t : index
    %x = memref.alloc() : !lines
    %y = memref.alloc() : !line
    %stage = arith.remui %n, %c2 : index
    memref.store %v, %x[%stage, %t] : !lines
    gpu.barrier
    %a = memref.load %x[%stage, %other] : !lines
    memref.store %a, %y[%t] : !line
    gpu.barrier
    %b = memref.load %y[%other] : !line
    memref.store %b, %out[%t] : memref<64xf32>
    gpu.return
  }

  // A copy in flight is nobody's.
  // CHECK-LABEL: gpu.func @copies(
  // CHECK-SAME: memref<512xi8,
  gpu.func @copies(%in: memref<64xf32>, %out: memref<64xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %x = memref.alloc() : !line
    %y = memref.alloc() : !line
    %token = nvgpu.device_async_copy %in[%t], %x[%t], 1 : memref<64xf32> to !line
    %group = nvgpu.device_async_create_group %token
    nvgpu.device_async_wait %group {numGroups = 0 : i32}
    %a = memref.load %x[%t] : !line
    memref.store %a, %y[%t] : !line
    %b = memref.load %y[%t] : !line
    memref.store %b, %out[%t] : memref<64xf32>
    gpu.return
  }

}

// Threads of a launch, in two rows, by vectors.
func.func @launch(%out: memref<64x4xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %f = arith.constant dense<1.0> : vector<4xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c2, %sz = %c1) {
    %c0 = arith.constant 0 : index
    %x = memref.alloc() : memref<64x4xf32, #wg>
    %y = memref.alloc() : memref<64x4xf32, #wg>
    %row = affine.apply affine_map<(x, y) -> (x + 32 * y)>(%tx, %ty)
    vector.store %f, %x[%row, %c0] : memref<64x4xf32, #wg>, vector<4xf32>
    %a = vector.load %x[%row, %c0] : memref<64x4xf32, #wg>, vector<4xf32>
    vector.store %a, %y[%row, %c0] : memref<64x4xf32, #wg>, vector<4xf32>
    %b = vector.load %y[%row, %c0] : memref<64x4xf32, #wg>, vector<4xf32>
    vector.store %b, %out[%row, %c0] : memref<64x4xf32>, vector<4xf32>
    gpu.terminator
  }
  return
}
