// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// LLVM 19 shows no remarks.
// existing=pack: a launch asks for no dynamic shared memory any more where all
// of the kernel's lies in static memory now (it has to: the module has a global
// there), and no function of the module has any left.
// RUN: %mlir-opt-berth %s --split-input-file --pass-pipeline='builtin.module(berth-arena{existing=pack})' --remarks-filter='berth.*' 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks

// CHECK-LABEL: gpu.func @all
// CHECK-SAME: workgroup(%{{.*}} : memref<256xi8, #gpu.address_space<workgroup>>
// CHECK-LABEL: func.func @host
// CHECK: gpu.launch_func @kernels::@all
// CHECK-NOT: dynamic_shared_memory_size
// CHECK: return
// REMARK: existing-launches.mlir:[[#@LINE+26]]:{{.*}}asks for no dynamic shared memory any more
#wg = #gpu.address_space<workgroup>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    memref.global "private" @other : memref<4xi32, #wg> = uninitialized
    gpu.func @all(%x: i32, %out: memref<64xi32>) kernel {
      %t = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %c256 = arith.constant 256 : index
      %bytes = gpu.dynamic_shared_memory : memref<?xi8, #wg>
      %a = memref.view %bytes[%c0][] : memref<?xi8, #wg> to memref<64xi32, #wg>
      %b = memref.view %bytes[%c256][] : memref<?xi8, #wg> to memref<64xi32, #wg>
      memref.store %x, %a[%t] : memref<64xi32, #wg>
      gpu.barrier
      %v = memref.load %a[%c0] : memref<64xi32, #wg>
      gpu.barrier
      memref.store %v, %b[%t] : memref<64xi32, #wg>
      %w = memref.load %b[%t] : memref<64xi32, #wg>
      memref.store %w, %out[%t] : memref<64xi32>
      gpu.return
    }
  }
  func.func @host(%x: i32, %out: memref<64xi32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %size = arith.constant 512 : i32
    gpu.launch_func @kernels::@all blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) dynamic_shared_memory_size %size args(%x : i32, %out : memref<64xi32>)
    return
  }
}

// -----

// What has no body here may use the same bytes.
// CHECK-LABEL: gpu.func @calls
// CHECK: gpu.dynamic_shared_memory
// REMARK: existing-launches.mlir:[[#@LINE+11]]:{{.*}}leaves this shared memory as it is: a function is called that is not seen
// CHECK: gpu.launch_func @unseen::@calls
// CHECK-SAME: dynamic_shared_memory_size
#wg = #gpu.address_space<workgroup>
module attributes {gpu.container_module} {
  gpu.module @unseen {
    memref.global "private" @other : memref<4xi32, #wg> = uninitialized
    func.func private @somewhere()
    gpu.func @calls(%x: i32) kernel {
      %t = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %bytes = gpu.dynamic_shared_memory : memref<?xi8, #wg>
      %a = memref.view %bytes[%c0][] : memref<?xi8, #wg> to memref<64xi32, #wg>
      memref.store %x, %a[%t] : memref<64xi32, #wg>
      func.call @somewhere() : () -> ()
      gpu.return
    }
  }
  func.func @host(%x: i32) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %size = arith.constant 512 : i32
    gpu.launch_func @unseen::@calls blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) dynamic_shared_memory_size %size args(%x : i32)
    return
  }
}
