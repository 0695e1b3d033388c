// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{size-checks=false},canonicalize,cse)' %s | FileCheck %s
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{dynamic=bounded})' %s | FileCheck %s --check-prefix=BOUNDED
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{dynamic=off})' %s | FileCheck %s --check-prefix=OFF
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena)' --remarks-filter='berth.*' %s -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: not %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{dynamic=on})' %s 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: error: berth-arena: dynamic 'on' is none of off, bounded, symbolic
// OFF-NOT: memref.view

// REMARK: placed at an offset computed at run time
// REMARK: 3 of 3 buffers at offsets computed at run time, in 1 arena
// Three buffers of one size, two live at a time: two sizes of bytes.
// CHECK-LABEL: @chain
// CHECK-SAME: %[[N:.*]]: index,
// CHECK: %[[SIZE:.*]] = arith.muli %[[N]], %c4
// CHECK: %[[TOTAL:.*]] = arith.addi %[[SIZE]], %[[SIZE]]
// CHECK: %[[ARENA:.*]] = memref.alloc(%[[TOTAL]])
// CHECK: memref.view %[[ARENA]][%c0][%[[N]]] {berth.buffer = 0
// CHECK: memref.view %[[ARENA]][%[[SIZE]]][%[[N]]] {berth.buffer = 1
// CHECK: memref.view %[[ARENA]][%c0][%[[N]]] {berth.buffer = 2
// CHECK: memref.dealloc %[[ARENA]]{{.*$}}
// BOUNDED-LABEL: @chain
// BOUNDED-COUNT-3: memref.alloc(%{{.*}}) : memref<?xf32>
func.func @chain(%n: index, %x: memref<?xf32>, %p: memref<?xindex>) {
  %a = memref.alloc(%n) : memref<?xf32>
  memref.copy %x, %a : memref<?xf32> to memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%p : memref<?xindex>) outs(%b : memref<?xf32>) {
  ^bb0(%i: index, %o: f32):
    %v = memref.load %a[%i] : memref<?xf32>
    linalg.yield %v : f32
  }
  %c = memref.alloc(%n) : memref<?xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%p : memref<?xindex>) outs(%c : memref<?xf32>) {
  ^bb0(%i: index, %o: f32):
    %v = memref.load %b[%i] : memref<?xf32>
    linalg.yield %v : f32
  }
  memref.copy %c, %x : memref<?xf32> to memref<?xf32>
  return
}

// At most 16 elements: placed like a buffer of 64 bytes.
// BOUNDED-LABEL: @bounded
// BOUNDED: %[[ARENA:.*]] = memref.alloc() {{.*}} : memref<64xi8>
// BOUNDED: memref.view %[[ARENA]][%{{.*}}][%{{.*}}] {{.*}} : memref<64xi8> to memref<?xf32>
func.func @bounded(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %m = arith.minui %n, %c16 : index
  %a = memref.alloc(%m) : memref<?xf32>
  memref.store %x, %a[%c0] : memref<?xf32>
  %v = memref.load %a[%c0] : memref<?xf32>
  return %v : f32
}

// The size counts only where the allocation runs.
// CHECK-LABEL: @condition
// CHECK-SAME: %[[N:.*]]: index, %[[C:.*]]: i1
// CHECK: %[[SIZE:.*]] = arith.muli %[[N]], %c4
// CHECK: %[[TOTAL:.*]] = arith.select %[[C]], %[[SIZE]], %c0
// CHECK: memref.alloc(%[[TOTAL]])
// CHECK: scf.if %[[C]]
func.func @condition(%n: index, %c: i1, %x: memref<?xf32>) {
  scf.if %c {
    %a = memref.alloc(%n) : memref<?xf32>
    memref.copy %x, %a : memref<?xf32> to memref<?xf32>
    memref.copy %a, %x : memref<?xf32> to memref<?xf32>
    memref.dealloc %a : memref<?xf32>
  }
  return
}

// Both sizes change in each iteration: an arena in the loop, freed in it.
// CHECK-LABEL: @in_the_loop
// CHECK: scf.for
// CHECK: %[[ARENA:.*]] = memref.alloc(%{{.*}}) {{.*}} : memref<?xi8>
// CHECK: memref.view %[[ARENA]]
// CHECK: memref.view %[[ARENA]]
// CHECK: memref.dealloc %[[ARENA]]{{.*$}}
// CHECK-NEXT: {{^ *[}]}}
func.func @in_the_loop(%n: index, %x: f32, %y: memref<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c1 to %n step %c1 {
    %a = memref.alloc(%i) : memref<?xf32>
    memref.store %x, %a[%c0] : memref<?xf32>
    %b = memref.alloc(%i) : memref<?xf32>
    memref.store %x, %b[%c0] : memref<?xf32>
    %v = memref.load %a[%c0] : memref<?xf32>
    %w = memref.load %b[%c0] : memref<?xf32>
    %s = arith.addf %v, %w : f32
    memref.store %s, %y[] : memref<f32>
  }
  return
}

// One buffer alone in a loop would gain nothing.
// REMARK: not placed: its size is known only at run time, where no other buffer could share its arena
func.func @alone(%n: index, %x: f32, %y: memref<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c1 to %n step %c1 {
    %a = memref.alloc(%i) : memref<?xf32>
    memref.store %x, %a[%c0] : memref<?xf32>
    %v = memref.load %a[%c0] : memref<?xf32>
    memref.store %v, %y[] : memref<f32>
  }
  return
}
