// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// Why a buffer that other workgroups of the cluster reach is theirs to the end of the kernel.
// RUN: %berth-opt %s --remarks-filter=berth-arena --pass-pipeline='builtin.module(berth-arena)' -o /dev/null 2>&1 | FileCheck %s

!shared = memref<64xf32, #gpu.address_space<workgroup>>
!struct = !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)>

gpu.module @clusters {
  func.func private @unseen()

  // A full barrier of the cluster ends it.
  gpu.func @free(%out: memref<64xf32>, %v: f32, %rank: i32) kernel {
    %tid = gpu.thread_id x
    %block = gpu.block_id x
    %c0 = arith.constant 0 : index
    %own = arith.cmpi eq, %block, %c0 : index
    // CHECK-NOT: :[[#@LINE+1]]:10: {{.*}}other workgroups
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %d = builtin.unrealized_conversion_cast %x : !shared to !struct
    %p = llvm.extractvalue %d[1] : !struct
    %q = nvvm.mapa %p, %rank : !llvm.ptr<3> -> !llvm.ptr<7>
    llvm.store %v, %q : f32, !llvm.ptr<7>
    nvvm.cluster.arrive
    nvvm.cluster.wait
    %b = memref.load %x[%tid] : !shared
    nvvm.cluster.arrive
    nvvm.cluster.wait
    memref.store %b, %y[%tid] : !shared
    gpu.barrier
    %c = memref.load %y[%tid] : !shared
    memref.store %c, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // A barrier of the workgroup does not, and none of the cluster is inserted.
  gpu.func @missing(%out: memref<64xf32>, %v: f32, %rank: i32) kernel {
    %tid = gpu.thread_id x
    %block = gpu.block_id x
    %c0 = arith.constant 0 : index
    %own = arith.cmpi eq, %block, %c0 : index
    // CHECK: :[[#@LINE+1]]:10: remark: [Missed] {{.*}}other workgroups of the cluster may use it to the end of the kernel: no full barrier of the cluster stands behind its last use there, and none is inserted (nvvm.cluster.arrive, nvvm.cluster.wait)
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %d = builtin.unrealized_conversion_cast %x : !shared to !struct
    %p = llvm.extractvalue %d[1] : !struct
    %q = nvvm.mapa %p, %rank : !llvm.ptr<3> -> !llvm.ptr<7>
    llvm.store %v, %q : f32, !llvm.ptr<7>
    nvvm.cluster.arrive
    nvvm.cluster.wait
    %b = memref.load %x[%tid] : !shared
    gpu.barrier
    memref.store %b, %y[%tid] : !shared
    gpu.barrier
    %c = memref.load %y[%tid] : !shared
    memref.store %c, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // Nor does one to which nothing is brought.
  gpu.func @relaxed(%out: memref<64xf32>, %v: f32, %rank: i32) kernel {
    %tid = gpu.thread_id x
    %block = gpu.block_id x
    %c0 = arith.constant 0 : index
    %own = arith.cmpi eq, %block, %c0 : index
    // CHECK: :[[#@LINE+1]]:10: remark: [Missed] {{.*}}other workgroups of the cluster may use it to the end of the kernel: no full barrier of the cluster stands behind its last use there
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %d = builtin.unrealized_conversion_cast %x : !shared to !struct
    %p = llvm.extractvalue %d[1] : !struct
    %q = nvvm.mapa %p, %rank : !llvm.ptr<3> -> !llvm.ptr<7>
    llvm.store %v, %q : f32, !llvm.ptr<7>
    nvvm.cluster.arrive
    nvvm.cluster.wait
    %b = memref.load %x[%tid] : !shared
    nvvm.cluster.arrive.relaxed
    nvvm.cluster.wait
    memref.store %b, %y[%tid] : !shared
    gpu.barrier
    %c = memref.load %y[%tid] : !shared
    memref.store %c, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // Nor one that some workgroups miss.
  gpu.func @divergent(%out: memref<64xf32>, %v: f32, %rank: i32) kernel {
    %tid = gpu.thread_id x
    %block = gpu.block_id x
    %c0 = arith.constant 0 : index
    %own = arith.cmpi eq, %block, %c0 : index
    // CHECK: :[[#@LINE+1]]:10: remark: [Missed] {{.*}}other workgroups of the cluster may use it to the end of the kernel: not all workgroups of the cluster are seen to come to the same barriers of it (nvvm.cluster.wait at line
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %d = builtin.unrealized_conversion_cast %x : !shared to !struct
    %p = llvm.extractvalue %d[1] : !struct
    %q = nvvm.mapa %p, %rank : !llvm.ptr<3> -> !llvm.ptr<7>
    llvm.store %v, %q : f32, !llvm.ptr<7>
    nvvm.cluster.arrive
    nvvm.cluster.wait
    %b = memref.load %x[%tid] : !shared
    scf.if %own {
      nvvm.cluster.arrive
      nvvm.cluster.wait
    }
    memref.store %b, %y[%tid] : !shared
    gpu.barrier
    %c = memref.load %y[%tid] : !shared
    memref.store %c, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // A call may hold one that nobody sees.
  gpu.func @hidden(%out: memref<64xf32>, %v: f32, %rank: i32) kernel {
    %tid = gpu.thread_id x
    %block = gpu.block_id x
    %c0 = arith.constant 0 : index
    %own = arith.cmpi eq, %block, %c0 : index
    // CHECK: :[[#@LINE+1]]:10: remark: [Missed] {{.*}}other workgroups of the cluster may use it to the end of the kernel: not all workgroups of the cluster are seen to come to the same barriers of it (func.call at line
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %d = builtin.unrealized_conversion_cast %x : !shared to !struct
    %p = llvm.extractvalue %d[1] : !struct
    %q = nvvm.mapa %p, %rank : !llvm.ptr<3> -> !llvm.ptr<7>
    llvm.store %v, %q : f32, !llvm.ptr<7>
    nvvm.cluster.arrive
    nvvm.cluster.wait
    %b = memref.load %x[%tid] : !shared
    func.call @unseen() : () -> ()
    nvvm.cluster.arrive
    nvvm.cluster.wait
    memref.store %b, %y[%tid] : !shared
    gpu.barrier
    %c = memref.load %y[%tid] : !shared
    memref.store %c, %out[%tid] : memref<64xf32>
    gpu.return
  }
}
