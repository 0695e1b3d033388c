// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What threads agree on since they all, or those of a subgroup, have reduced it,
// or since the user says so. X is used in one alternative and Y in the other:
// they share their 256 bytes only if the condition is the same in all threads.
// RUN: %berth-opt --pass-pipeline='builtin.module(berth-arena)' %s | FileCheck %s

!shared = memref<64xf32, #gpu.address_space<workgroup>>
!row = memref<64xf32>

gpu.module @kernels {
  // What a whole workgroup has reduced; a shuffle is for one subgroup.
  // CHECK-LABEL: gpu.func @all_reduce(
  // CHECK-SAME: memref<256xi8,
  gpu.func @all_reduce(%out: !row, %v: f32, %n: index, %e: i32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %ti = arith.index_cast %t : index to i32
    %k = gpu.all_reduce add %ti {} : (i32) -> i32
    %p = arith.cmpi ult, %k, %e : i32
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @shuffle(
  // CHECK-SAME: memref<512xi8,
  gpu.func @shuffle(%out: !row, %v: f32, %n: index, %e: i32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %ti = arith.index_cast %t : index to i32
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %k, %valid = gpu.shuffle idx %ti, %c0, %c32 : i32
    %p = arith.cmpi ult, %k, %e : i32
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @subgroup_reduce(
  // CHECK-SAME: memref<512xi8,
  gpu.func @subgroup_reduce(%out: !row, %v: f32, %n: index, %e: i32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %ti = arith.index_cast %t : index to i32
    %k = gpu.subgroup_reduce add %ti : (i32) -> i32
    %p = arith.cmpi ult, %k, %e : i32
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }

  // Whoever wrote the kernel knows.
  // CHECK-LABEL: gpu.func @asserted(
  // CHECK-SAME: memref<256xi8,
  gpu.func @asserted(%out: !row, %v: f32, %n: index, %e: i32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %k = arith.index_cast %t {berth.uniform} : index to i32
    %p = arith.cmpi ult, %k, %e : i32
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }

  // Said to be untrue, it is worth nothing.
  // CHECK-LABEL: gpu.func @denied(
  // CHECK-SAME: memref<512xi8,
  gpu.func @denied(%out: !row, %v: f32, %n: index, %e: i32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %k = arith.index_cast %t {berth.uniform = false} : index to i32
    %p = arith.cmpi ult, %k, %e : i32
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }
}
