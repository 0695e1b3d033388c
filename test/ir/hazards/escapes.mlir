// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// What goes to other workgroups of a cluster, or into code that is text here,
// shares with nobody: a peer may run ahead or behind, and no barrier of the
// workgroup waits for it (of the cluster: clusters.mlir). X and Y have 256 bytes each.
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena)' %s | FileCheck %s
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{verify=false test-break-rule=no-escapes})' %s | FileCheck %s --check-prefix=BROKEN
// RUN: not %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{test-break-rule=no-escapes})' %s 2>&1 | FileCheck %s --check-prefix=REFUSED

!shared = memref<64xf32, #gpu.address_space<workgroup>>
!struct = !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)>

gpu.module @escapes {
  // A peer writes through an address made of X.
  // CHECK-LABEL: gpu.func @peer(
  // CHECK-SAME: memref<512xi8,
  // BROKEN-LABEL: gpu.func @peer(
  // BROKEN-SAME: memref<256xi8,
  gpu.func @peer(%out: memref<64xf32>, %v: f32, %rank: i32, %bar: !llvm.ptr<3>) kernel {
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %tid = gpu.thread_id x
    %d = builtin.unrealized_conversion_cast %x : !shared to !struct
    %p = llvm.extractvalue %d[1] : !struct
    %q = nvvm.mapa %p, %rank : !llvm.ptr<3> -> !llvm.ptr<7>
    llvm.store %v, %q : f32, !llvm.ptr<7>
    nvvm.cluster.arrive
    nvvm.cluster.wait
    %b = memref.load %x[%tid] : !shared
    // REFUSED: :[[@LINE+2]]:{{.*}}error: touches bytes of the arena that other workgroups of the cluster may still use through another buffer
    gpu.barrier
    memref.store %v, %y[%tid] : !shared
    %c = memref.load %y[%tid] : !shared
    memref.store %c, %out[%tid] : memref<64xf32>
    gpu.barrier
    gpu.return
  }
  // What the text does with the address, nobody reads.
  // CHECK-LABEL: gpu.func @ptx(
  // CHECK-SAME: memref<512xi8,
  // BROKEN-LABEL: gpu.func @ptx(
  // BROKEN-SAME: memref<256xi8,
  gpu.func @ptx(%out: memref<64xf32>, %v: f32, %rank: i32, %bar: !llvm.ptr<3>) kernel {
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %tid = gpu.thread_id x
    %d = builtin.unrealized_conversion_cast %x : !shared to !struct
    %p = llvm.extractvalue %d[1] : !struct
    nvvm.inline_ptx "cp.async.bulk.shared::cluster [$0];" ro(%p : !llvm.ptr<3>)
    // REFUSED: :[[@LINE+2]]:{{.*}}error: touches bytes of the arena that something no barrier orders may still use through another buffer
    gpu.barrier
    memref.store %v, %y[%tid] : !shared
    %c = memref.load %y[%tid] : !shared
    memref.store %c, %out[%tid] : memref<64xf32>
    gpu.barrier
    gpu.return
  }
  // As a number it escapes as well; an asm without side effects may be a mapa.
  // CHECK-LABEL: gpu.func @asm_number(
  // CHECK-SAME: memref<512xi8,
  // BROKEN-LABEL: gpu.func @asm_number(
  // BROKEN-SAME: memref<256xi8,
  gpu.func @asm_number(%out: memref<64xf32>, %v: f32, %rank: i32, %bar: !llvm.ptr<3>) kernel {
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %tid = gpu.thread_id x
    %d = builtin.unrealized_conversion_cast %x : !shared to !struct
    %p = llvm.extractvalue %d[1] : !struct
    %i = llvm.ptrtoint %p : !llvm.ptr<3> to i32
    %q = llvm.inline_asm "mapa.shared::cluster.u32 $0, $1, 0;", "=r,r" %i : (i32) -> i32
    %r = llvm.inttoptr %q : i32 to !llvm.ptr<7>
    llvm.store %v, %r : f32, !llvm.ptr<7>
    // REFUSED: :[[@LINE+2]]:{{.*}}error: touches bytes of the arena that something no barrier orders may still use through another buffer
    gpu.barrier
    memref.store %v, %y[%tid] : !shared
    %c = memref.load %y[%tid] : !shared
    memref.store %c, %out[%tid] : memref<64xf32>
    gpu.barrier
    gpu.return
  }
  // An intrinsic by its name.
  // CHECK-LABEL: gpu.func @intrinsic(
  // CHECK-SAME: memref<512xi8,
  // BROKEN-LABEL: gpu.func @intrinsic(
  // BROKEN-SAME: memref<256xi8,
  gpu.func @intrinsic(%out: memref<64xf32>, %v: f32, %rank: i32, %bar: !llvm.ptr<3>) kernel {
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %tid = gpu.thread_id x
    %d = builtin.unrealized_conversion_cast %x : !shared to !struct
    %p = llvm.extractvalue %d[1] : !struct
    %q = llvm.call_intrinsic "llvm.nvvm.mapa.shared.cluster"(%p, %rank) : (!llvm.ptr<3>, i32) -> !llvm.ptr<7>
    llvm.store %v, %q : f32, !llvm.ptr<7>
    // REFUSED: :[[@LINE+2]]:{{.*}}error: touches bytes of the arena that something no barrier orders may still use through another buffer
    gpu.barrier
    memref.store %v, %y[%tid] : !shared
    %c = memref.load %y[%tid] : !shared
    memref.store %c, %out[%tid] : memref<64xf32>
    gpu.barrier
    gpu.return
  }
  // The answer comes when it comes.
  // CHECK-LABEL: gpu.func @cancel(
  // CHECK-SAME: memref<512xi8,
  // BROKEN-LABEL: gpu.func @cancel(
  // BROKEN-SAME: memref<256xi8,
  gpu.func @cancel(%out: memref<64xf32>, %v: f32, %rank: i32, %bar: !llvm.ptr<3>) kernel {
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %tid = gpu.thread_id x
    %d = builtin.unrealized_conversion_cast %x : !shared to !struct
    %p = llvm.extractvalue %d[1] : !struct
    nvvm.clusterlaunchcontrol.try.cancel %p, %bar
    // REFUSED: :[[@LINE+2]]:{{.*}}error: touches bytes of the arena that something no barrier orders may still use through another buffer
    gpu.barrier
    memref.store %v, %y[%tid] : !shared
    %c = memref.load %y[%tid] : !shared
    memref.store %c, %out[%tid] : memref<64xf32>
    gpu.barrier
    gpu.return
  }

  // Y comes first, but a peer may be ahead.
  // CHECK-LABEL: gpu.func @behind(
  // CHECK-SAME: memref<512xi8,
  // BROKEN-LABEL: gpu.func @behind(
  // BROKEN-SAME: memref<256xi8,
  gpu.func @behind(%out: memref<64xf32>, %v: f32, %rank: i32) kernel {
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %tid = gpu.thread_id x
    // REFUSED: :[[@LINE+1]]:{{.*}}error: touches bytes of the arena that other workgroups of the cluster may still use through another buffer
    memref.store %v, %y[%tid] : !shared
    %c = memref.load %y[%tid] : !shared
    memref.store %c, %out[%tid] : memref<64xf32>
    gpu.barrier
    %d = builtin.unrealized_conversion_cast %x : !shared to !struct
    %p = llvm.extractvalue %d[1] : !struct
    %q = nvvm.mapa %p, %rank : !llvm.ptr<3> -> !llvm.ptr<7>
    llvm.store %v, %q : f32, !llvm.ptr<7>
    gpu.return
  }
}
