// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// Buffers that loops allocate, and that other workgroups of the cluster reach. X, Y and Z
// have 256 bytes each.
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena)' %s | FileCheck %s
// RUN: %berth-opt %s --remarks-filter=berth-arena --pass-pipeline='builtin.module(berth-arena)' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: not %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{test-break-rule=peers-are-done})' %s 2>&1 | FileCheck %s --check-prefix=REFUSED

!shared = memref<64xf32, #gpu.address_space<workgroup>>
!struct = !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)>

gpu.module @clusters {
  // Behind the last barrier of a turn all have left X.
  // CHECK-LABEL: gpu.func @turns(
  // CHECK-SAME: memref<256xi8,
  gpu.func @turns(%out: memref<64xf32>, %v: f32, %rank: i32, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %tid = gpu.thread_id x
    scf.for %i = %c0 to %n step %c1 {
      %x = memref.alloc() : !shared
      %y = memref.alloc() : !shared
      %d = builtin.unrealized_conversion_cast %x : !shared to !struct
      %p = llvm.extractvalue %d[1] : !struct
      %q = nvvm.mapa %p, %rank : !llvm.ptr<3> -> !llvm.ptr<7>
      llvm.store %v, %q : f32, !llvm.ptr<7>
      nvvm.cluster.arrive
      nvvm.cluster.wait
      memref.store %v, %y[%tid] : !shared
      gpu.barrier
      %c = memref.load %y[%tid] : !shared
      memref.store %c, %out[%tid] : memref<64xf32>
      nvvm.cluster.arrive
      nvvm.cluster.wait
    }
    gpu.return
  }

  // Nothing ends what the peer does at the end of a turn.
  // CHECK-LABEL: gpu.func @open(
  // CHECK-SAME: memref<256xi8,
  // CHECK: memref.alloc()
  gpu.func @open(%out: memref<64xf32>, %v: f32, %rank: i32, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %tid = gpu.thread_id x
    scf.for %i = %c0 to %n step %c1 {
      // REMARK: :[[#@LINE+1]]:12: remark: [Missed] {{.*}}and it is allocated again meanwhile: there is a way from its use to where it is allocated again without a full barrier of the cluster, or workgroups may disagree on that
      %x = memref.alloc() : !shared
      %y = memref.alloc() : !shared
      nvvm.cluster.arrive
      nvvm.cluster.wait
      memref.store %v, %y[%tid] : !shared
      gpu.barrier
      %c = memref.load %y[%tid] : !shared
      memref.store %c, %out[%tid] : memref<64xf32>
      %d = builtin.unrealized_conversion_cast %x : !shared to !struct
      %p = llvm.extractvalue %d[1] : !struct
      // REFUSED: :[[#@LINE+1]]:12: error: touches a buffer that has been made anew, and that other workgroups of the cluster may still use as it was
      %q = nvvm.mapa %p, %rank : !llvm.ptr<3> -> !llvm.ptr<7>
      llvm.store %v, %q : f32, !llvm.ptr<7>
      gpu.barrier
    }
    gpu.return
  }

  // Some workgroups make no new instance.
  // CHECK-LABEL: gpu.func @some(
  // CHECK-SAME: memref<256xi8,
  // CHECK: memref.alloc()
  gpu.func @some(%out: memref<64xf32>, %v: f32, %rank: i32, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %tid = gpu.thread_id x
    %own = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %isFirst = arith.cmpi eq, %own, %rank : i32
    scf.for %i = %c0 to %n step %c1 {
      %y = memref.alloc() : !shared
      memref.store %v, %y[%tid] : !shared
      gpu.barrier
      %c = memref.load %y[%tid] : !shared
      memref.store %c, %out[%tid] : memref<64xf32>
      nvvm.cluster.arrive
      nvvm.cluster.wait
      scf.if %isFirst {
        // REMARK: :[[#@LINE+1]]:14: remark: [Missed] {{.*}}or workgroups may disagree on that
        %x = memref.alloc() : !shared
        %d = builtin.unrealized_conversion_cast %x : !shared to !struct
        %p = llvm.extractvalue %d[1] : !struct
        %q = nvvm.mapa %p, %rank : !llvm.ptr<3> -> !llvm.ptr<7>
        llvm.store %v, %q : f32, !llvm.ptr<7>
      }
      nvvm.cluster.arrive
      nvvm.cluster.wait
    }
    gpu.return
  }

  // The content of X goes from turn to turn, that of Y does not.
  // CHECK-LABEL: gpu.func @across(
  // CHECK-SAME: memref<512xi8,
  gpu.func @across(%out: memref<64xf32>, %v: f32, %rank: i32, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %tid = gpu.thread_id x
    %x = memref.alloc() : !shared
    %d = builtin.unrealized_conversion_cast %x : !shared to !struct
    %p = llvm.extractvalue %d[1] : !struct
    %q = nvvm.mapa %p, %rank : !llvm.ptr<3> -> !llvm.ptr<7>
    llvm.store %v, %q : f32, !llvm.ptr<7>
    scf.for %i = %c0 to %n step %c1 {
      nvvm.cluster.arrive
      nvvm.cluster.wait
      %y = memref.alloc() : !shared
      %e = builtin.unrealized_conversion_cast %y : !shared to !struct
      %r = llvm.extractvalue %e[1] : !struct
      %s = nvvm.mapa %r, %rank : !llvm.ptr<3> -> !llvm.ptr<7>
      llvm.store %v, %s : f32, !llvm.ptr<7>
      nvvm.cluster.arrive
      nvvm.cluster.wait
      %z = memref.alloc() : !shared
      memref.store %v, %z[%tid] : !shared
      gpu.barrier
      %c = memref.load %z[%tid] : !shared
      memref.store %c, %out[%tid] : memref<64xf32>
    }
    nvvm.cluster.arrive
    nvvm.cluster.wait
    %b = memref.load %x[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }
}
