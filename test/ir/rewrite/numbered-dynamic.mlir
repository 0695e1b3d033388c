// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpu.dynamic_shared_memory is of one space, however else the same memory is
// called: with space=3 there is no arena of it, and what was dynamic becomes
// static. What lies in the space that was not asked for is told of.
// RUN: not %berth-opt %s --pass-pipeline='builtin.module(berth-arena{arena=dynamic space=3})' 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{existing=pack space=3},berth-verify)' --remarks-filter=berth-arena 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAYS --input-file=%t.remarks
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{existing=pack},berth-verify)' | FileCheck %s --check-prefix=DYNAMIC

// REFUSED: error: gpu.dynamic_shared_memory is in #gpu.address_space<workgroup>, whatever else the same memory is called: leave out space=, or say space=workgroup

// CHECK: gpu.func @known({{.*}} workgroup(%{{.*}} : memref<256xi8, 3>
// CHECK-NOT: gpu.dynamic_shared_memory
// CHECK: gpu.launch_func @m::@known
// CHECK-NOT: dynamic_shared_memory_size
// DYNAMIC: gpu.func @known(
// DYNAMIC: gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
// SAYS: Remark="1 buffer in memory that threads may share was not looked at: that is another memory space (space=)"
module attributes {gpu.container_module} {
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  gpu.func @known(%x: f32) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %d = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %a = memref.view %d[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %x, %a[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}
gpu.module @other {
  gpu.func @unknown(%x: f32) kernel {
    %t = gpu.thread_id x
    %a = memref.alloc() : memref<64xf32, 3>
    memref.store %x, %a[%t] : memref<64xf32, 3>
    %b = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %x, %b[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}
func.func @host(%x: f32) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %s = arith.constant 256 : i32
  gpu.launch_func @m::@known blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) dynamic_shared_memory_size %s args(%x : f32)
  return
}
}
