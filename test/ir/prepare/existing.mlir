// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// existing=pack: attributions, globals and dynamic shared memory become buffers.
// (Run by test/race/existing.mlir.)
// RUN: %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-arena{existing=pack})' --remarks-filter='berth.*' 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
//
// The global that a function uses which is no kernel stays, and so does dynamic
// shared memory that is used other than by views, with what it is behind.
// REMARK: existing.mlir:[[#@LINE+31]]:{{.*}}leaves this shared memory as it is: a function that is no kernel uses it
// REMARK: existing.mlir:[[#@LINE+94]]:{{.*}}leaves this shared memory as it is: not all of its uses are views at constant offsets, of constant size
//
// By default all that stays, and is told of.
// RUN: %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-arena)' --remarks-filter='berth.*' -o %t.kept 2>&1 | FileCheck %s --check-prefix=KEEP
// RUN: %berth-opt %s | diff - %t.kept
// KEEP-COUNT-3: nothing to place: the kernel's workgroup memory is declared, not allocated; existing=pack places that too
//
// Without its module a function shows neither who uses a global nor who else
// uses dynamic shared memory.
// RUN: %mlir-opt-berth %s --pass-pipeline='builtin.module(gpu.module(gpu.func(berth-arena{existing=pack})))' | FileCheck %s --check-prefix=NESTED
// NESTED: gpu.func @declared
// NESTED-SAME: memref<256xi8, #gpu.address_space<workgroup>> {llvm.align = 64 : i64}
// NESTED: memref.get_global @g
// NESTED: gpu.func @ranges
// NESTED: gpu.dynamic_shared_memory
//
// RUN: not %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-arena{existing=pack test-break-rule=unseen-users})' 2>&1 | FileCheck %s --check-prefix=UNSEEN
// UNSEEN: error: stands for shared memory that is used as it was, too
// RUN: not %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-arena{existing=all})' 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: error: berth-arena: existing 'all' is neither pack nor keep
// RUN: not %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-arena{existing=pack arena=annotate})' 2>&1 | FileCheck %s --check-prefix=ANNOTATE
// ANNOTATE: error: berth-arena: existing=pack changes code, arena=annotate does not

#workgroup = #gpu.address_space<workgroup>

module attributes {gpu.container_module} {
gpu.module @kernels {
  // CHECK-NOT: memref.global {{.*}} @g
  memref.global "private" @g : memref<64xf32, #workgroup> {alignment = 16}
  // CHECK: memref.global "private" @used
  memref.global "private" @used : memref<64xf32, #workgroup>
  func.func @device(%x: f32) {
    %c0 = arith.constant 0 : index
    %h = memref.get_global @used : memref<64xf32, #workgroup>
    memref.store %x, %h[%c0] : memref<64xf32, #workgroup>
    return
  }
  // The attribution whose address is stored cannot be placed, and is one again.
  // CHECK: gpu.func @declared
  // CHECK-SAME: workgroup(%[[ARENA:.*]] : memref<256xi8, #gpu.address_space<workgroup>> {llvm.align = 64 : i64}, %[[KEPT:.*]] : memref<8xf32, #gpu.address_space<workgroup>> {llvm.align = 32 : i64}) kernel
  // CHECK: memref.view %[[ARENA]]{{.*}}berth.existing = "attribution"
  // CHECK: memref.view %[[ARENA]]{{.*}}berth.existing = "@g"
  // CHECK: memref.get_global @used
  // CHECK-NOT: memref.get_global
  // CHECK: memref.store %[[KEPT]],
  gpu.func @declared(%x: f32, %out: memref<64xf32>,
                     %table: memref<1xmemref<8xf32, #workgroup>>)
      workgroup(%kept: memref<8xf32, #workgroup> {llvm.align = 32 : i64},
                %a: memref<64xf32, #workgroup> {llvm.align = 64 : i64}) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %g = memref.get_global @g : memref<64xf32, #workgroup>
    %h = memref.get_global @used : memref<64xf32, #workgroup>
    memref.store %x, %a[%t] : memref<64xf32, #workgroup>
    gpu.barrier
    %v = memref.load %a[%t] : memref<64xf32, #workgroup>
    gpu.barrier
    memref.store %v, %g[%t] : memref<64xf32, #workgroup>
    memref.store %v, %h[%t] : memref<64xf32, #workgroup>
    func.call @device(%v) : (f32) -> ()
    gpu.barrier
    %g2 = memref.get_global @g : memref<64xf32, #workgroup>
    %z = memref.load %g2[%t] : memref<64xf32, #workgroup>
    memref.store %z, %out[%t] : memref<64xf32>
    memref.store %kept, %table[%c0] : memref<1xmemref<8xf32, #workgroup>>
    gpu.return
  }

  // CHECK: gpu.func @ranges
  // CHECK-NOT: gpu.dynamic_shared_memory
  // CHECK: memref.view %{{.*}}berth.existing = "dynamic"} : {{.*}} to memref<256xi8
  // CHECK: memref.view %{{.*}}berth.existing = "dynamic"} : {{.*}} to memref<128xi8
  // CHECK: memref.view %{{.*}}berth.dynamic_offset = 64
  gpu.func @ranges(%x: f32, %out: memref<64xf32>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %d = gpu.dynamic_shared_memory : memref<?xi8, #workgroup>
    %e = gpu.dynamic_shared_memory : memref<?xi8, #workgroup>
    %a = memref.view %d[%c0][] : memref<?xi8, #workgroup> to memref<64xf32, #workgroup>
    %part = memref.view %e[%c64][] : memref<?xi8, #workgroup> to memref<16xf32, #workgroup>
    %b = memref.view %e[%c256][] : memref<?xi8, #workgroup> to memref<32xf32, #workgroup>
    memref.store %x, %a[%t] : memref<64xf32, #workgroup>
    gpu.barrier
    %v = memref.load %part[%c0] : memref<16xf32, #workgroup>
    gpu.barrier
    memref.store %v, %b[%t] : memref<32xf32, #workgroup>
    gpu.return
  }
  // CHECK: gpu.func @all
  // CHECK: gpu.dynamic_shared_memory
  gpu.func @all(%x: f32, %n: index) kernel {
    %t = gpu.thread_id x
    %d = gpu.dynamic_shared_memory : memref<?xi8, #workgroup>
    %a = memref.view %d[%t][] : memref<?xi8, #workgroup> to memref<4xf32, #workgroup>
    memref.store %x, %a[%t] : memref<4xf32, #workgroup>
    gpu.return
  }
}
}
