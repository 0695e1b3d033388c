// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a barrier costs in loops of blocks: 16 times as much for each around it.
// X and Y (256 bytes each) share if a barrier stands on the way from the one to
// the other, and on the way back.
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{report=-})' %s 2>%t.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=COST < %t.json
// The same from structured loops.
// RUN: mlir-opt --convert-scf-to-cf %S/../hazards/loops.mlir | %mlir-opt-berth --pass-pipeline='builtin.module(gpu.module(gpu.func(berth-arena)))' | FileCheck %s --check-prefix=LOWERED

!shared = memref<64xf32, #gpu.address_space<workgroup>>

// Between the loops, not in one of them.
// LOWERED-LABEL: gpu.func @cheap_cut(
// LOWERED-SAME: memref<256xi8,
// LOWERED: cf.cond_br %{{.*}}, ^{{.*}}, ^[[EXIT:.*]]
// LOWERED-NOT: gpu.barrier
// LOWERED: [[EXIT]]:
// LOWERED: gpu.barrier
// LOWERED-NEXT: cf.br
// LOWERED-NOT: gpu.barrier
// LOWERED: gpu.return

gpu.module @kernels {
  // COST: {"barriers": 2, "cost": 32, "bytes": 256}
  // CHECK-LABEL: gpu.func @one(
  // CHECK: ^bb2:
  // CHECK-COUNT-2: gpu.barrier
  // CHECK: ^bb3:
  // CHECK-NOT: gpu.barrier
  // CHECK: gpu.return
  gpu.func @one(%out: memref<64xf32>, %v: f32, %n: index) kernel {
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    cf.br ^head(%c0 : index)
  ^head(%i: index):
    %more = arith.cmpi slt, %i, %n : index
    cf.cond_br %more, ^body, ^exit
  ^body:
    %x = memref.alloc() : !shared
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    %y = memref.alloc() : !shared
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    %next = arith.addi %i, %c1 : index
    cf.br ^head(%next : index)
  ^exit:
    gpu.return
  }
  // A loop inside of another.
  // COST: {"barriers": 2, "cost": 512, "bytes": 256}
  gpu.func @two(%out: memref<64xf32>, %v: f32, %n: index) kernel {
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    cf.br ^outer(%c0 : index)
  ^outer(%k: index):
    %again = arith.cmpi slt, %k, %n : index
    cf.cond_br %again, ^head(%c0 : index), ^exit
  ^head(%i: index):
    %more = arith.cmpi slt, %i, %n : index
    cf.cond_br %more, ^body, ^latch
  ^body:
    %x = memref.alloc() : !shared
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    %y = memref.alloc() : !shared
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    %next = arith.addi %i, %c1 : index
    cf.br ^head(%next : index)
  ^latch:
    %l = arith.addi %k, %c1 : index
    cf.br ^outer(%l : index)
  ^exit:
    gpu.return
  }
  // Two ways back to the head: one loop.
  // COST: {"barriers": 2, "cost": 32, "bytes": 256}
  gpu.func @ways_back(%out: memref<64xf32>, %v: f32, %n: index) kernel {
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    cf.br ^head(%c0 : index)
  ^head(%i: index):
    %x = memref.alloc() : !shared
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    %y = memref.alloc() : !shared
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    %next = arith.addi %i, %c1 : index
    %odd = arith.cmpi eq, %next, %n : index
    cf.cond_br %odd, ^head(%next : index), ^on
  ^on:
    %more = arith.cmpi slt, %next, %n : index
    cf.cond_br %more, ^head(%next : index), ^exit
  ^exit:
    gpu.return
  }
}
