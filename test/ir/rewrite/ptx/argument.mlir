// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device function that gets its arena from its caller has no memory of its
// own: PTX and AMD's assembly hold neither shared bytes nor a malloc.
// RUN: %mlir-opt-berth %s -o %t.mlir --pass-pipeline='builtin.module(berth-arena{arena=argument})'
// RUN: FileCheck %s < %t.mlir
// CHECK: func.func @reversed(%{{.*}}: f32, %[[ARENA:.*]]: memref<128xi8, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
// CHECK: memref.view %[[ARENA]]

// RUN: mlir-opt %t.mlir --pass-pipeline='builtin.module(gpu.module(convert-gpu-to-nvvm,reconcile-unrealized-casts))' | sed 's/gpu.module @kernels/module/' | sed '1d;/^}/d' > %t.nvvm.mlir
// RUN: mlir-translate --mlir-to-llvmir %t.nvvm.mlir -o %t.nvvm.ll
// RUN: llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_80 %t.nvvm.ll -o - | FileCheck %s --check-prefix=PTX --implicit-check-not=malloc --implicit-check-not='.shared .align'
// PTX: .func {{.*}} reversed(
// PTX: st.shared
// RUN: mlir-opt %t.mlir --pass-pipeline='builtin.module(gpu.module(convert-gpu-to-rocdl,reconcile-unrealized-casts))' | sed 's/gpu.module @kernels/module/' | sed '1d;/^}/d' > %t.rocdl.mlir
// RUN: mlir-translate --mlir-to-llvmir %t.rocdl.mlir -o %t.rocdl.ll
// RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx90a %t.rocdl.ll -o - | FileCheck %s --check-prefix=GCN --implicit-check-not=malloc
// GCN: reversed:
// GCN: ds_write

#workgroup = #gpu.address_space<workgroup>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    func.func @reversed(%x: f32) -> f32 {
      %c31 = arith.constant 31 : index
      %a = memref.alloc() : memref<32xf32, #workgroup>
      %b = memref.alloc() : memref<32xf32, #workgroup>
      %thread = gpu.thread_id x
      %other = arith.subi %c31, %thread : index
      memref.store %x, %a[%thread] : memref<32xf32, #workgroup>
      gpu.barrier
      %y = memref.load %a[%other] : memref<32xf32, #workgroup>
      gpu.barrier
      memref.store %y, %b[%thread] : memref<32xf32, #workgroup>
      gpu.barrier
      %z = memref.load %b[%other] : memref<32xf32, #workgroup>
      gpu.barrier
      return %z : f32
    }
  }
}
