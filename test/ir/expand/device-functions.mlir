// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What device functions allocate comes from the kernels that call them.
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-expand)' --remarks-filter='berth-expand' -o %t.mlir 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: FileCheck %s --check-prefix=SAYS --input-file=%t.remarks
// RUN: %berth-opt %t.mlir --pass-pipeline='builtin.module(canonicalize,cse,berth-verify)' -o %t.out

module attributes {gpu.container_module} {
gpu.module @m {
  // A buffer that the function frees, one under a condition, and one on the stack.
  // CHECK-LABEL: func.func private @sum(
  // CHECK-SAME: %{{.*}}: index, %{{.*}}: index, %[[A:.*]]: memref<?xf32>, %[[B:.*]]: memref<?xf32>, %[[C:.*]]: memref<300xf32>)
  // CHECK-NOT: memref.alloc
  // CHECK-NOT: memref.dealloc
  // CHECK: memref.store %{{.*}}, %[[A]]
  // CHECK: scf.if
  // CHECK: memref.store %{{.*}}, %[[B]]
  // CHECK: memref.store %{{.*}}, %[[C]]
  // CHECK: return
  // SAYS-DAG: device-functions.mlir:[[# @LINE + 7]]:{{.*}}Remark="its function's callers bring it"
  // SAYS-DAG: device-functions.mlir:[[# @LINE + 9]]:{{.*}}Remark="its function's callers bring it"
  func.func private @sum(%n: index, %m: index) -> f32 {
    %c0 = arith.constant 0 : index
    %f = arith.constant 1.0 : f32
    %twice = arith.addi %n, %n : index
    %few = arith.cmpi slt, %n, %m : index
    %a = memref.alloc(%twice) : memref<?xf32>
    memref.store %f, %a[%c0] : memref<?xf32>
    scf.if %few {
      %b = memref.alloc(%m) : memref<?xf32>
      memref.store %f, %b[%c0] : memref<?xf32>
      memref.dealloc %b : memref<?xf32>
    }
    %c = memref.alloca() : memref<300xf32>
    memref.store %f, %c[%c0] : memref<300xf32>
    %v = memref.load %a[%c0] : memref<?xf32>
    %w = memref.load %c[%c0] : memref<300xf32>
    memref.dealloc %a : memref<?xf32>
    %u = arith.addf %v, %w : f32
    return %u : f32
  }

  // Its callers bring what it hands to another function.
  // CHECK-LABEL: func.func private @outer(
  // CHECK-SAME: %{{.*}}: index, %{{.*}}: memref<?xf32>, %{{.*}}: memref<?xf32>, %{{.*}}: memref<300xf32>)
  // CHECK-NOT: memref.alloc
  // CHECK: call @sum(
  // CHECK: return
  func.func private @outer(%n: index) -> f32 {
    %c4 = arith.constant 4 : index
    %v = func.call @sum(%n, %c4) : (index, index) -> f32
    return %v : f32
  }

  // CHECK-LABEL: gpu.func @kernel(
  // CHECK-SAME: %{{.*}}: memref<64xf32>, %{{.*}}: index, %[[BLOCK:.*]]: memref<?xi8>) kernel
  // CHECK-NOT: memref.alloc
  // CHECK: memref.view %[[BLOCK]]
  // CHECK: call @outer(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
  // CHECK: call @sum(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
  // CHECK: gpu.return
  gpu.func @kernel(%out: memref<64xf32>, %n: index) kernel {
    %t = gpu.thread_id x
    %v = func.call @outer(%n) : (index) -> f32
    memref.store %v, %out[%t] : memref<64xf32>
    %w = func.call @sum(%n, %n) : (index, index) -> f32
    memref.store %w, %out[%t] : memref<64xf32>
    gpu.return
  }

  // What cannot be brought.
  // CHECK-LABEL: func.func private @stays(
  // CHECK-SAME: %{{.*}}: memref<4xindex>) -> memref<300xf32>
  // CHECK-COUNT-4: memref.alloc
  // CHECK: return
  func.func private @stays(%table: memref<4xindex>) -> memref<300xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %f = arith.constant 1.0 : f32
    // SAYS-DAG: device-functions.mlir:[[# @LINE + 1]]:{{.*}}Remark="threads keep what they allocate here: it is returned"
    %a = memref.alloc() : memref<300xf32>
    %told = memref.load %table[%c0] : memref<4xindex>
    // SAYS-DAG: device-functions.mlir:[[# @LINE + 1]]:{{.*}}Remark="threads keep what they allocate here: its size is not known where the function is called"
    %b = memref.alloc(%told) : memref<?xf32>
    memref.store %f, %b[%c0] : memref<?xf32>
    memref.dealloc %b : memref<?xf32>
    scf.while : () -> () {
      // SAYS-DAG: device-functions.mlir:[[# @LINE + 1]]:{{.*}}Remark="threads keep what they allocate here: the function may come to it more than once"
      %c = memref.alloc() : memref<300xf32>
      memref.store %f, %c[%c0] : memref<300xf32>
      %is = arith.cmpi slt, %told, %c1 : index
      memref.dealloc %c : memref<300xf32>
      scf.condition(%is)
    } do {
      scf.yield
    }
    scf.for %i = %c0 to %told step %c1 {
      // SAYS-DAG: device-functions.mlir:[[# @LINE + 1]]:{{.*}}Remark="threads keep what they allocate here: its size is not known where the function is called"
      %c = memref.alloc(%i) : memref<?xf32>
      memref.store %f, %c[%c0] : memref<?xf32>
      memref.dealloc %c : memref<?xf32>
    }
    // SAYS-DAG: device-functions.mlir:[[# @LINE + 1]]:{{.*}}Remark="threads keep what they allocate here: its address may be kept, or be handed on"
    %d = memref.alloc() : memref<300xf32>
    %address = memref.extract_aligned_pointer_as_index %d : memref<300xf32> -> index
    memref.store %address, %table[%c1] : memref<4xindex>
    return %a : memref<300xf32>
  }
  gpu.func @keeps(%table: memref<4xindex>) kernel {
    %a = func.call @stays(%table) : (memref<4xindex>) -> memref<300xf32>
    memref.dealloc %a : memref<300xf32>
    gpu.return
  }

  // Nobody in the module launches it, so nobody brings memory.
  // CHECK-LABEL: func.func private @far(
  // CHECK: memref.alloc
  func.func private @far() {
    %c0 = arith.constant 0 : index
    %f = arith.constant 1.0 : f32
    // SAYS-DAG: device-functions.mlir:[[# @LINE + 1]]:{{.*}}Remark="threads keep what they allocate here: no gpu.launch_func of the module launches it
    %a = memref.alloc() : memref<300xf32>
    memref.store %f, %a[%c0] : memref<300xf32>
    memref.dealloc %a : memref<300xf32>
    return
  }
  gpu.func @unlaunched() kernel {
    func.call @far() : () -> ()
    gpu.return
  }
}

func.func @host(%out: memref<64xf32>, %n: index, %table: memref<4xindex>) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch_func @m::@kernel blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%out : memref<64xf32>, %n : index)
  gpu.launch_func @m::@keeps blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%table : memref<4xindex>)
  return
}
}
