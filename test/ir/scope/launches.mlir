// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpu.launch bodies: nested in host loops, with block sizes known at run time,
// without barriers, without allocations.
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{space=workgroup report=-})' %s 2>%t.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t.json

!shared = memref<64xf32, #gpu.address_space<workgroup>>

// CHECK-DAG: memref.global "private" @berth_arena_loops : memref<256xi8, #gpu.address_space<workgroup>> = uninitialized {alignment = 16 : i64}
// CHECK-DAG: memref.global "private" @berth_arena_two : memref<256xi8,
// CHECK-DAG: memref.global "private" @berth_arena_two_0 : memref<256xi8,

// Each launch is a run of its own: from one to the next there is no hazard, so
// one barrier is enough. The block sizes come from outside.
// CHECK-LABEL: func.func @loops(
// CHECK: gpu.launch
// CHECK-COUNT-1: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: gpu.terminator
func.func @loops(%out: memref<64xf32>, %v: f32, %n: index, %size: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %size, %sy = %c1, %sz = %c1) {
      %x = memref.alloc() : !shared
      %y = memref.alloc() : !shared
      memref.store %v, %x[%tx] : !shared
      %a = memref.load %x[%tx] : !shared
      memref.store %a, %y[%tx] : !shared
      %b = memref.load %y[%tx] : !shared
      memref.store %b, %out[%tx] : memref<64xf32>
      gpu.terminator
    }
  }
  return
}

// What the host computes is the same for all threads (%c), and so are block ids
// and sizes; thread ids are not. Two launches have two arenas.
// CHECK-LABEL: func.func @two(
func.func @two(%out: memref<64xf32>, %v: f32, %size: index, %c: i1) {
  %c1 = arith.constant 1 : index
  // CHECK: gpu.launch
  // CHECK: memref.get_global @berth_arena_two :
  // CHECK-NOT: gpu.barrier
  // CHECK: gpu.launch
  // CHECK: memref.get_global @berth_arena_two_0 :
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %size, %sy = %c1, %sz = %c1) {
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %d = arith.cmpi ult, %bx, %sx : index
    %e = arith.andi %c, %d : i1
    scf.if %e {
      memref.store %v, %x[%tx] : !shared
      %a = memref.load %x[%tx] : !shared
      memref.store %a, %out[%tx] : memref<64xf32>
    } else {
      memref.store %v, %y[%tx] : !shared
      %a = memref.load %y[%tx] : !shared
      memref.store %a, %out[%tx] : memref<64xf32>
    }
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %size, %sy = %c1, %sz = %c1) {
    %x = memref.alloc() : !shared
    memref.store %v, %x[%tx] : !shared
    gpu.terminator
  }
  return
}

// Thread ids decide: both are live side by side.
// REPORT: "bytes_before": 512, "bytes_after": 512, {{.*}}"barriers": {"inserted": 0,
func.func @divergent(%out: memref<64xf32>, %v: f32, %size: index) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %size, %sy = %c1, %sz = %c1) {
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %d = arith.cmpi ult, %tx, %sx : index
    scf.if %d {
      memref.store %v, %x[%tx] : !shared
      %a = memref.load %x[%tx] : !shared
      memref.store %a, %out[%tx] : memref<64xf32>
    } else {
      memref.store %v, %y[%tx] : !shared
      %a = memref.load %y[%tx] : !shared
      memref.store %a, %out[%tx] : memref<64xf32>
    }
    gpu.terminator
  }
  return
}

// CHECK-LABEL: func.func @no_allocations(
// CHECK-NOT: memref.get_global
func.func @no_allocations(%out: memref<64xf32>, %v: f32, %size: index) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %size, %sy = %c1, %sz = %c1) {
    gpu.barrier
    memref.store %v, %out[%tx] : memref<64xf32>
    gpu.terminator
  }
  return
}
