// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: split-file %s %t
// RUN: %mlir-opt-berth %t/right.mlir --pass-pipeline='builtin.module(berth-arena)' | FileCheck %s
// RUN: not %mlir-opt-berth %t/wrong.mlir -o /dev/null --pass-pipeline='builtin.module(berth-verify)' 2>&1 | FileCheck %s --check-prefix=WRONG
// A function that lets an address of some memory escape leaves nothing behind in
// the other memory that it is given.

//--- right.mlir
!shared = memref<64xf32, #gpu.address_space<workgroup>>
!struct = !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)>
gpu.module @escapes {
  // CHECK-LABEL: func.func private @device(
  // CHECK-SAME: memref<256xi8, #gpu.address_space<workgroup>>
  func.func private @device(%x: !shared, %v: f32, %rank: i32) {
    %tid = gpu.thread_id x
    %d = builtin.unrealized_conversion_cast %x : !shared to !struct
    %p = llvm.extractvalue %d[1] : !struct
    %q = nvvm.mapa %p, %rank : !llvm.ptr<3> -> !llvm.ptr<7>
    llvm.store %v, %q : f32, !llvm.ptr<7>
    %own = memref.alloc() : !shared
    gpu.barrier
    memref.store %v, %own[%tid] : !shared
    %a = memref.load %own[%tid] : !shared
    memref.store %a, %x[%tid] : !shared
    gpu.barrier
    return
  }
  // CHECK-LABEL: gpu.func @kernel(
  // CHECK-SAME: workgroup(%{{.*}} : memref<256xi8, #gpu.address_space<workgroup>>
  gpu.func @kernel(%out: memref<64xf32>, %v: f32, %rank: i32) kernel {
    // It is not placed.
    // CHECK: memref.alloc
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %tid = gpu.thread_id x
    memref.store %v, %y[%tid] : !shared
    %a = memref.load %y[%tid] : !shared
    memref.store %a, %out[%tid] : memref<64xf32>
    gpu.barrier
    func.call @device(%x, %v, %rank) : (!shared, f32, i32) -> ()
    gpu.return
  }
}

//--- wrong.mlir
!bytes = memref<256xi8, #gpu.address_space<workgroup>>
!shared = memref<64xf32, #gpu.address_space<workgroup>>
!struct = !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)>
gpu.module @escapes {
  func.func private @between(%x: !shared, %y: !shared, %v: f32, %rank: i32) {
    func.call @device(%y, %x, %v, %rank) : (!shared, !shared, f32, i32) -> ()
    return
  }
  func.func private @device(%y: !shared, %x: !shared, %v: f32, %rank: i32) {
    %tid = gpu.thread_id x
    %d = builtin.unrealized_conversion_cast %x : !shared to !struct
    %p = llvm.extractvalue %d[1] : !struct
    %q = nvvm.mapa %p, %rank : !llvm.ptr<3> -> !llvm.ptr<7>
    llvm.store %v, %q : f32, !llvm.ptr<7>
    memref.store %v, %y[%tid] : !shared
    gpu.barrier
    return
  }
  // WRONG: wrong.mlir:29:5: error: touches bytes of the arena that something no barrier orders may still use through another buffer
  gpu.func @kernel(%out: memref<64xf32>, %v: f32, %rank: i32) workgroup(%arena: !bytes) kernel {
    %c0 = arith.constant 0 : index
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : !bytes to !shared
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : !bytes to !shared
    %tid = gpu.thread_id x
    %other = memref.alloc() : !shared
    gpu.barrier
    func.call @between(%x, %other, %v, %rank) : (!shared, !shared, f32, i32) -> ()
    gpu.barrier
    memref.store %v, %y[%tid] : !shared
    gpu.return
  }
}
