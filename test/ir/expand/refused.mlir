// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stays with its thread, and why.
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-expand{capacity=64K})' --remarks-filter='berth-(expand|arena)' -o %t.out 2>%t.remarks
// RUN: FileCheck %s --check-prefix=SAYS --input-file=%t.remarks
// RUN: FileCheck %s --input-file=%t.out

!big = memref<300xf32>

module attributes {gpu.container_module} {
gpu.module @m {
  // SAYS-DAG: refused.mlir:[[# @LINE + 3]]:{{.*}}Remark="its threads keep what they allocate: no gpu.launch_func of the module launches it: whoever does brings no memory"
  // CHECK-LABEL: gpu.func @nobody(
  // CHECK: memref.alloc()
  gpu.func @nobody(%out: memref<4xf32>) kernel {
    %c1 = arith.constant 1 : index
    %a = memref.alloc() : !big
    %v = memref.load %out[%c1] : memref<4xf32>
    memref.store %v, %a[%c1] : !big
    memref.dealloc %a : !big
    gpu.return
  }

  // SAYS-DAG: refused.mlir:[[# @LINE + 3]]:{{.*}}Remark="its threads keep what they allocate: its name is used by an op that is no launch in this module (func.func at line
  // CHECK-LABEL: gpu.func @named(
  // CHECK: memref.alloc()
  gpu.func @named(%out: memref<4xf32>) kernel {
    %c1 = arith.constant 1 : index
    %a = memref.alloc() : !big
    %v = memref.load %out[%c1] : memref<4xf32>
    memref.store %v, %a[%c1] : !big
    memref.dealloc %a : !big
    gpu.return
  }

  // 300 * 4 bytes of 64 threads.
  // SAYS-DAG: refused.mlir:[[# @LINE + 3]]:{{.*}}Remark="its threads keep what they allocate: all threads together need more bytes than the capacity"
  // CHECK-LABEL: gpu.func @much(
  // CHECK: memref.alloc()
  gpu.func @much(%out: memref<4xf32>) kernel {
    %c1 = arith.constant 1 : index
    %a = memref.alloc() : !big
    %v = memref.load %out[%c1] : memref<4xf32>
    memref.store %v, %a[%c1] : !big
    memref.dealloc %a : !big
    gpu.return
  }

  // SAYS-DAG: refused.mlir:[[# @LINE + 3]]:{{.*}}Remark="its threads keep what they allocate: it is launched on a stream, and nothing tells when it has ended (gpu.launch_func
  // CHECK-LABEL: gpu.func @streamed(
  // CHECK: memref.alloc()
  gpu.func @streamed(%out: memref<4xf32>) kernel {
    %c1 = arith.constant 1 : index
    %a = memref.alloc() : !big
    %v = memref.load %out[%c1] : memref<4xf32>
    memref.store %v, %a[%c1] : !big
    memref.dealloc %a : !big
    gpu.return
  }

  // Sizes that differ among threads, or that memory tells. A constant bounds
  // the last one: 40 * 4 bytes.
  // CHECK-LABEL: gpu.func @sizes(
  // CHECK-SAME: %[[BLOCK:[a-z0-9]+]]: memref<?xi8>)
  // CHECK: memref.alloc(%{{.*}}) : memref<?xf32>
  // CHECK: memref.alloc(%{{.*}}) : memref<?xf32>
  // CHECK: memref.alloc(%{{.*}}) : memref<?xf32>
  // CHECK: memref.reinterpret_cast {{.*}}sizes: [%{{.*}}], strides: [64]
  // CHECK-NOT: memref.alloc
  gpu.func @sizes(%out: memref<4xf32>, %table: memref<4xindex>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c40 = arith.constant 40 : index
    %t = gpu.thread_id x
    %f = memref.load %out[%c1] : memref<4xf32>
    // SAYS-DAG: refused.mlir:[[# @LINE + 1]]:{{.*}}Remark="not placed: the host cannot tell its size: it depends on the thread, on memory, or on a condition that does
    %a = memref.alloc(%t) : memref<?xf32>
    memref.store %f, %a[%c0] : memref<?xf32>
    memref.dealloc %a : memref<?xf32>
    %told = memref.load %table[%c1] : memref<4xindex>
    // SAYS-DAG: refused.mlir:[[# @LINE + 1]]:{{.*}}Remark="not placed: the host cannot tell its size
    %b = memref.alloc(%told) : memref<?xf32>
    memref.store %f, %b[%c0] : memref<?xf32>
    memref.dealloc %b : memref<?xf32>
    %is = arith.cmpi eq, %t, %c1 : index
    scf.if %is {
      // SAYS-DAG: refused.mlir:[[# @LINE + 1]]:{{.*}}Remark="not placed: the host cannot tell its size
      %c = memref.alloc(%n) : memref<?xf32>
      memref.store %f, %c[%c0] : memref<?xf32>
      memref.dealloc %c : memref<?xf32>
    }
    %few = affine.min affine_map<(d0) -> (d0, 40)>(%told)
    %d = memref.alloc(%few) : memref<?xf32>
    memref.store %f, %d[%c0] : memref<?xf32>
    %v = memref.load %d[%c0] : memref<?xf32>
    memref.store %v, %out[%c1] : memref<4xf32>
    memref.dealloc %d : memref<?xf32>
    gpu.return
  }

  // What others may see is none of the thread's own; a little on the stack stays.
  // CHECK-LABEL: gpu.func @shared(
  // CHECK: memref.alloc() : memref<300xf32>
  // CHECK: memref.alloca() : memref<100xf32>
  gpu.func @shared(%out: memref<4xf32>, %slots: memref<4xmemref<300xf32>>) kernel {
    %c1 = arith.constant 1 : index
    %v = memref.load %out[%c1] : memref<4xf32>
    // SAYS-DAG: refused.mlir:[[# @LINE + 1]]:{{.*}}Remark="not placed: {{.*}}stored
    %a = memref.alloc() : !big
    memref.store %v, %a[%c1] : !big
    memref.store %a, %slots[%c1] : memref<4xmemref<300xf32>>
    // SAYS-DAG: refused.mlir:[[# @LINE + 1]]:{{.*}}Remark="not placed: it is small enough for the thread's stack (least=)
    %b = memref.alloca() : memref<100xf32>
    memref.store %v, %b[%c1] : memref<100xf32>
    gpu.return
  }
}

func.func private @knows() attributes {some.kernel = @m::@named}

func.func @host(%out: memref<4xf32>, %table: memref<4xindex>, %n: index, %slots: memref<4xmemref<300xf32>>, %stream: !llvm.ptr) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch_func @m::@named blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%out : memref<4xf32>)
  gpu.launch_func @m::@much blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%out : memref<4xf32>)
  gpu.launch_func <%stream : !llvm.ptr> @m::@streamed blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%out : memref<4xf32>)
  gpu.launch_func @m::@sizes blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%out : memref<4xf32>, %table : memref<4xindex>, %n : index)
  gpu.launch_func @m::@shared blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%out : memref<4xf32>, %slots : memref<4xmemref<300xf32>>)
  return
}
}
