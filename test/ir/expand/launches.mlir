// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What threads allocate comes from their launches: sizes of constants and at run
// time, waited for or not, interleaved or in a row.
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-expand,canonicalize,cse)' --remarks-filter='berth-expand' 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAYS --input-file=%t.remarks
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-expand{layout=row},canonicalize,cse)' | FileCheck %s --check-prefix=ROW
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-expand,berth-verify,canonicalize,cse,berth-verify,gpu-kernel-outlining,berth-verify)' -o %t.outlined
// What launches bring is memory of a device like any other.
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-expand,func.func(berth-arena{space=gpu}))' | FileCheck %s --check-prefix=ARENA

module attributes {gpu.container_module} {

// Two buffers that are never live together share words: 300 of each of 64
// threads.
// SAYS: launches.mlir:[[# @LINE + 9]]:{{.*}}Remark="1200 bytes of each thread, interleaved, in memory that 2 launches bring"
// CHECK-LABEL: gpu.func @fixed(
// CHECK-SAME: %[[BLOCK:[a-z0-9]+]]: memref<?xi8>)
// CHECK: %[[T:.*]] = arith.addi
// CHECK: reinterpret_cast %{{.*}} to offset: [%[[T]]], sizes: [300], strides: [64] : memref<?xf32> to memref<300xf32, strided<[64], offset: ?>>
// CHECK: reinterpret_cast %{{.*}} to offset: [%[[T]]], sizes: [10, 30], strides: [1920, 64] : memref<?xi32> to memref<10x30xi32, strided<[1920, 64], offset: ?>>
// ROW-LABEL: gpu.func @fixed(
// ROW: arith.muli %{{.*}}, %c1216
gpu.module @m {
  gpu.func @fixed(%out: memref<64xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %i = arith.constant 1 : i32
    %small = memref.alloca() : memref<4xf32>
    memref.store %f, %small[%c1] : memref<4xf32>
    %a = memref.alloca() : memref<300xf32>
    memref.store %f, %a[%c1] : memref<300xf32>
    %v = memref.load %a[%c1] : memref<300xf32>
    %b = memref.alloc() : memref<10x30xi32>
    memref.store %i, %b[%c1, %c2] : memref<10x30xi32>
    %w = memref.load %b[%c1, %c2] : memref<10x30xi32>
    memref.dealloc %b : memref<10x30xi32>
    memref.store %v, %out[%t] : memref<64xf32>
    gpu.return
  }

  // SAYS: launches.mlir:[[# @LINE + 8]]:{{.*}}Remark="bytes computed at run time of each thread, interleaved, in memory that 1 launch brings"
  // CHECK-LABEL: gpu.func @dynamic(
  // CHECK-SAME: %[[N:[a-z0-9]+]]: index,
  // CHECK-NOT: cf.assert
  // CHECK: %[[GRID:.*]] = gpu.grid_dim x
  // CHECK: %[[THREADS:.*]] = arith.muli %[[GRID]], %c32
  // CHECK: reinterpret_cast %{{.*}} to offset: [%{{.*}}], sizes: [%[[N]]], strides: [%[[THREADS]]]
  // CHECK-NOT: cf.assert
  gpu.func @dynamic(%n: index, %out: memref<?xf64>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f64
    %d = memref.dim %out, %c0 : memref<?xf64>
    %a = memref.alloc(%n) : memref<?xf64>
    memref.store %f, %a[%c1] : memref<?xf64>
    %b = memref.alloc(%d) : memref<?xf64>
    memref.store %f, %b[%c1] : memref<?xf64>
    %v = memref.load %a[%c1] : memref<?xf64>
    %w = memref.load %b[%c1] : memref<?xf64>
    memref.dealloc %a : memref<?xf64>
    memref.dealloc %b : memref<?xf64>
    memref.store %v, %out[%t] : memref<?xf64>
    gpu.return
  }

  // SAYS: launches.mlir:[[# @LINE + 4]]:{{.*}}Remark="2400 bytes of each thread, in a row, in memory that 1 launch brings; not interleaved: an op may take more than a word at once, or needs them side by side (vector.transfer_read
  // CHECK-LABEL: gpu.func @vectors(
  // CHECK: memref.view %{{.*}}[%{{.*}}][] : memref<?xi8> to memref<300xf64>
  // CHECK: vector.transfer_read
  gpu.func @vectors(%out: memref<64xf64>) kernel {
    %c1 = arith.constant 1 : index
    %f = arith.constant 1.0 : f64
    %a = memref.alloca() : memref<300xf64>
    memref.store %f, %a[%c1] : memref<300xf64>
    %v = vector.transfer_read %a[%c1], %f : memref<300xf64>, vector<4xf64>
    vector.transfer_write %v, %out[%c1] : vector<4xf64>, memref<64xf64>
    gpu.return
  }

  // SAYS: launches.mlir:[[# @LINE + 1]]:{{.*}}Remark="1616 bytes of each thread, in a row, in memory that 1 launch brings; not interleaved: buffers have elements of different widths (
  gpu.func @widths(%out: memref<64xf64>) kernel {
    %c1 = arith.constant 1 : index
    %f = arith.constant 1.0 : f64
    %i = arith.constant 1 : i8
    %a = memref.alloca() : memref<200xf64>
    memref.store %f, %a[%c1] : memref<200xf64>
    %b = memref.alloc() : memref<16xi8>
    memref.store %i, %b[%c1] : memref<16xi8>
    %v = memref.load %a[%c1] : memref<200xf64>
    %w = memref.load %b[%c1] : memref<16xi8>
    memref.store %v, %out[%c1] : memref<64xf64>
    gpu.return
  }
}

// CHECK-LABEL: func.func @twice(
// CHECK: %[[A:.*]] = gpu.alloc () {berth.per_thread, {{.*}}} : memref<76800xi8>
// CHECK: %[[ANY:.*]] = memref.cast %[[A]]
// CHECK: gpu.launch_func @m::@fixed {{.*}}args(%{{.*}} : memref<64xf32>, %[[ANY]] : memref<?xi8>)
// CHECK: gpu.dealloc %[[A]]
// CHECK: %[[B:.*]] = gpu.alloc () {berth.per_thread, {{.*}}} : memref<76800xi8>
// CHECK: gpu.launch_func
// CHECK: gpu.dealloc %[[B]]
// ROW-LABEL: func.func @twice(
// ROW: gpu.alloc () {{.*}} : memref<77824xi8>
// ARENA-LABEL: func.func @twice(
// ARENA: gpu.alloc () {{.*}} : memref<76800xi8>
// ARENA-NOT: = gpu.alloc
// ARENA: return
func.func @twice(%out: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  gpu.launch_func @m::@fixed blocks in (%c2, %c1, %c1) threads in (%c32, %c1, %c1) args(%out : memref<64xf32>)
  gpu.launch_func @m::@fixed blocks in (%c2, %c1, %c1) threads in (%c32, %c1, %c1) args(%out : memref<64xf32>)
  return
}

// The block waits for what the launch waits for, and the launch for the block.
// Who waits for the launch waits until it has been freed.
// CHECK-LABEL: func.func @async(
// CHECK-SAME: %[[G:[a-z0-9]+]]: index, %[[N:[a-z0-9]+]]: index
// CHECK: %[[START:.*]] = gpu.wait async
// CHECK: cf.assert %{{.*}}, "berth: the size of the buffer allocated at line {{.*}} is negative or too large"
// CHECK: %[[LEFT:.*]] = arith.divui %c33554432, %{{.*}}
// CHECK: arith.cmpi ule, %[[G]], %[[LEFT]]
// CHECK: cf.assert %{{.*}}, "berth: the memory that the threads of the launch at line {{.*}} need exceeds 1073741824 bytes"
// CHECK: %[[A:.*]], %[[THERE:.*]] = gpu.alloc async [%[[START]]] (%{{.*}}) {berth.per_thread,
// CHECK: %[[END:.*]] = gpu.launch_func async [%[[THERE]]] @m::@dynamic
// CHECK: %[[FREED:.*]] = gpu.dealloc async [%[[END]]] %[[A]]
// CHECK: gpu.wait [%[[FREED]]]
func.func @async(%g: index, %n: index, %out: memref<?xf64>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %s = gpu.wait async
  %e = gpu.launch_func async [%s] @m::@dynamic blocks in (%g, %c1, %c1) threads in (%c32, %c1, %c1) args(%n : index, %out : memref<?xf64>)
  gpu.wait [%e]
  return
}

func.func @others(%out: memref<64xf64>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch_func @m::@vectors blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%out : memref<64xf64>)
  gpu.launch_func @m::@widths blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%out : memref<64xf64>)
  return
}

// What divides by a constant divides on the host as well.
// CHECK-LABEL: func.func @quarters(
// CHECK: arith.divui %{{.*}}, %c4
// CHECK: gpu.alloc (%{{.*}}) {berth.per_thread
gpu.module @q {
  gpu.func @quarter(%n: index, %out: memref<64xf32>) kernel {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %f = arith.constant 1.0 : f32
    %q = arith.divui %n, %c4 : index
    %a = memref.alloc(%q) : memref<?xf32>
    memref.store %f, %a[%c1] : memref<?xf32>
    %v = memref.load %a[%c1] : memref<?xf32>
    memref.dealloc %a : memref<?xf32>
    memref.store %v, %out[%c1] : memref<64xf32>
    gpu.return
  }
}
func.func @quarters(%n: index, %out: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch_func @q::@quarter blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%n : index, %out : memref<64xf32>)
  return
}

// A body knows what its host knows, and the sizes of the launch.
// SAYS: launches.mlir:[[# @LINE + 13]]:{{.*}}Remark="bytes computed at run time of each thread, interleaved, in memory that 1 launch brings"
// CHECK-LABEL: func.func @body(
// CHECK-SAME: %{{.*}}: memref<?xf32>, %[[N:[a-z0-9]+]]: index, %[[B:[a-z0-9]+]]: index
// CHECK: %[[A:.*]] = gpu.alloc (%{{.*}}) {berth.per_thread
// CHECK: gpu.launch blocks(
// CHECK: reinterpret_cast
// CHECK-NOT: memref.alloc
// CHECK: gpu.terminator
// CHECK: gpu.dealloc %[[A]]
func.func @body(%out: memref<?xf32>, %n: index, %b: index) {
  %c1 = arith.constant 1 : index
  %f = arith.constant 1.0 : f32
  %twice = arith.addi %n, %n : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %b, %sy = %c1, %sz = %c1) {
    %size = arith.addi %twice, %sx : index
    %a = memref.alloc(%size) : memref<?xf32>
    memref.store %f, %a[%tx] : memref<?xf32>
    %v = memref.load %a[%tx] : memref<?xf32>
    memref.store %v, %out[%tx] : memref<?xf32>
    memref.dealloc %a : memref<?xf32>
    gpu.terminator
  }
  return
}
}
