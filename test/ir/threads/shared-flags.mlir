// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers under a flag in shared memory count where all threads find the same in
// it: no write without a barrier between it and the load. (Run by
// test/race/shared-flag.mlir.)
// RUN: %mlir-opt-berth %s -o /dev/null --remarks-filter='berth.*' --pass-pipeline='builtin.module(berth-arena)' 2>&1 | grep -E 'counts for nothing|instead of' | FileCheck %s
//
// CHECK: 3 of 3 buffers in an arena of 260 bytes
// CHECK-NEXT: counts for nothing{{.*}}scf.if at line 63
// CHECK-NEXT: 3 of 3 buffers
// CHECK-NEXT: counts for nothing{{.*}}scf.if at line 89
// CHECK-NEXT: 3 of 3 buffers
// CHECK-NEXT: counts for nothing{{.*}}scf.if at line 115
// CHECK-NEXT: 3 of 3 buffers
//
// berth-verify looks for itself.
// RUN: not %mlir-opt-berth %s -o /dev/null --pass-pipeline='builtin.module(berth-arena{test-break-rule=steady-flags})' 2>&1 | FileCheck %s --check-prefix=BROKEN
// BROKEN-COUNT-2: error: touches bytes of the arena that other threads may still use

#workgroup = #gpu.address_space<workgroup>
!flag = memref<1xi32, #workgroup>
!line = memref<64xi32, #workgroup>

gpu.module @kernels {
  gpu.func @steady(%out: memref<64xi32>) kernel {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    %flag = memref.alloc() : !flag
    %a = memref.alloc() : !line
    %b = memref.alloc() : !line
    memref.store %zero, %flag[%c0] : !flag
    memref.store %zero, %a[%t] : !line
    gpu.barrier
    %f = memref.load %flag[%c0] : !flag
    %v = memref.load %a[%c0] : !line
    %is = arith.cmpi ne, %f, %zero : i32
    scf.if %is {
      gpu.barrier
      memref.store %v, %b[%t] : !line
    }
    gpu.return
  }

  // A fast thread may write it before a slow one has read it.
  gpu.func @written_behind(%out: memref<64xi32>) kernel {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    %flag = memref.alloc() : !flag
    %a = memref.alloc() : !line
    %b = memref.alloc() : !line
    memref.store %zero, %flag[%c0] : !flag
    memref.store %zero, %a[%t] : !line
    gpu.barrier
    %f = memref.load %flag[%c0] : !flag
    %v = memref.load %a[%c0] : !line
    scf.if %first {
      memref.store %zero, %flag[%c0] : !flag
    }
    %is = arith.cmpi ne, %f, %zero : i32
    scf.if %is {
      gpu.barrier
      memref.store %v, %b[%t] : !line
    }
    gpu.return
  }

  // Nothing orders the write and the load.
  gpu.func @written_before(%out: memref<64xi32>) kernel {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    %flag = memref.alloc() : !flag
    %a = memref.alloc() : !line
    %b = memref.alloc() : !line
    memref.store %zero, %a[%t] : !line
    gpu.barrier
    scf.if %first {
      memref.store %zero, %flag[%c0] : !flag
    }
    %v = memref.load %a[%c0] : !line
    %f = memref.load %flag[%c0] : !flag
    gpu.barrier
    %is = arith.cmpi ne, %f, %zero : i32
    %w = memref.load %a[%c0] : !line
    scf.if %is {
      gpu.barrier
      memref.store %w, %b[%t] : !line
    }
    gpu.return
  }

  // Whoever does more than loading and storing is not looked into.
  gpu.func @changed_at_once(%out: memref<64xi32>) kernel {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    %flag = memref.alloc() : !flag
    %a = memref.alloc() : !line
    %b = memref.alloc() : !line
    memref.store %zero, %a[%t] : !line
    gpu.barrier
    %from = memref.atomic_rmw addi %zero, %flag[%c0] : (i32, !flag) -> i32
    memref.store %zero, %flag[%c0] : !flag
    gpu.barrier
    %v = memref.load %a[%c0] : !line
    %f = memref.load %flag[%c0] : !flag
    gpu.barrier
    %is = arith.cmpi ne, %f, %zero : i32
    %w = memref.load %a[%c0] : !line
    scf.if %is {
      gpu.barrier
      memref.store %w, %b[%t] : !line
    }
    gpu.return
  }
}
