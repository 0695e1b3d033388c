// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-print-interference)' \
// RUN:   -o %t 2>&1 | FileCheck %s

// What is live across a back edge is live in the whole body.

// CHECK-LABEL: interference of @written_before_read_inside
// CHECK:       %alloc and %alloc_0: both live in
func.func @written_before_read_inside(%out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %a = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  scf.for %i = %c0 to %c10 step %c1 {
    memref.copy %a, %out : memref<8xf32> to memref<8xf32>
    linalg.fill ins(%f : f32) outs(%t : memref<8xf32>)
    memref.copy %t, %out : memref<8xf32> to memref<8xf32>
  }
  return
}

// %a is dead between its read at the top and the write at the end (%t fits
// there) but not over the back edge (%u does not).
// CHECK-LABEL: interference of @read_at_top_rewritten_at_end
// CHECK-NOT:   %alloc and %alloc_0:
// CHECK:       %alloc and %alloc_1: both live in
// CHECK-NOT:   %alloc and %alloc_0:
func.func @read_at_top_rewritten_at_end(%out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %a = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  %u = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  scf.for %i = %c0 to %c10 step %c1 {
    linalg.fill ins(%f : f32) outs(%u : memref<8xf32>)
    memref.copy %u, %out : memref<8xf32> to memref<8xf32>
    memref.copy %a, %out : memref<8xf32> to memref<8xf32>
    linalg.fill ins(%f : f32) outs(%t : memref<8xf32>)
    memref.copy %t, %out : memref<8xf32> to memref<8xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  }
  return
}

// The second inner loop reads elements that the first one may have stored in an
// earlier outer iteration: %a is live around the outer loop, where %t is used.
// CHECK-LABEL: interference of @sibling_loops
// CHECK:       %alloc and %alloc_0: both live in
func.func @sibling_loops(%n: index, %out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %a = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  scf.for %k = %c0 to %c10 step %c1 {
    scf.for %i = %c0 to %n step %c1 {
      memref.store %f, %a[%i] : memref<8xf32>
    }
    scf.for %i = %c0 to %n step %c1 {
      %v = memref.load %a[%i] : memref<8xf32>
      memref.store %v, %out[%i] : memref<8xf32>
    }
    linalg.fill ins(%f : f32) outs(%t : memref<8xf32>)
    memref.copy %t, %out : memref<8xf32> to memref<8xf32>
  }
  return
}

// The read comes first in the text: only the back edge brings the content.
// CHECK-LABEL: interference of @second_reads_previous_iteration
// CHECK:       %alloc and %alloc_0: both live in
func.func @second_reads_previous_iteration(%out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %a = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  scf.for %k = %c0 to %c10 step %c1 {
    scf.for %i = %c0 to %c10 step %c1 {
      memref.copy %a, %out : memref<8xf32> to memref<8xf32>
    }
    scf.for %i = %c0 to %c10 step %c1 {
      linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
    }
    linalg.fill ins(%f : f32) outs(%t : memref<8xf32>)
    memref.copy %t, %out : memref<8xf32> to memref<8xf32>
  }
  return
}

// CHECK-LABEL: interference of @hoisted_temporaries_share
// CHECK-NOT:   both live
func.func @hoisted_temporaries_share(%out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  scf.for %i = %c0 to %c10 step %c1 {
    linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
    memref.copy %a, %out : memref<8xf32> to memref<8xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<8xf32>)
    memref.copy %b, %out : memref<8xf32> to memref<8xf32>
  }
  return
}

// Executing the allocating op is a kill: partial stores would otherwise carry
// the old content of both buffers around the loop.
// CHECK-LABEL: interference of @allocated_in_body_share
// CHECK-NOT:   both live
func.func @allocated_in_body_share(%out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  scf.for %i = %c0 to %c10 step %c1 {
    %a = memref.alloc() : memref<8xf32>
    memref.store %f, %a[%c0] : memref<8xf32>
    memref.copy %a, %out : memref<8xf32> to memref<8xf32>
    %b = memref.alloc() : memref<8xf32>
    memref.store %f, %b[%c0] : memref<8xf32>
    memref.copy %b, %out : memref<8xf32> to memref<8xf32>
  }
  return
}

// The same stores into buffers from outside the loop are no kills.
// CHECK-LABEL: interference of @partial_stores_carry
// CHECK:       %alloc and %alloc_0: both live in
func.func @partial_stores_carry(%out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  scf.for %i = %c0 to %c10 step %c1 {
    memref.store %f, %a[%i] : memref<8xf32>
    memref.copy %a, %out : memref<8xf32> to memref<8xf32>
    memref.store %f, %b[%i] : memref<8xf32>
    memref.copy %b, %out : memref<8xf32> to memref<8xf32>
  }
  return
}

// A loop may run no iteration: what is read after it may come from before it.
// CHECK-LABEL: interference of @zero_trip_loop
// CHECK:       %alloc and %alloc_0: both live in
func.func @zero_trip_loop(%n: index, %out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  linalg.fill ins(%f : f32) outs(%t : memref<8xf32>)
  memref.copy %t, %out : memref<8xf32> to memref<8xf32>
  scf.for %i = %c0 to %n step %c1 {
    linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  }
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
}

// The condition's region reads %a in every round, so %t of the body's region
// must stay away; %u and %t are full temporaries of their regions.
// CHECK-LABEL: interference of @while
// CHECK-NOT:   %alloc_0 and %alloc_1:
// CHECK:       %alloc and %alloc_0: both live in
// CHECK:       %alloc and %alloc_1: both live in
// CHECK-NOT:   %alloc_0 and %alloc_1:
func.func @while(%out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  %u = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  scf.while : () -> () {
    linalg.fill ins(%f : f32) outs(%u : memref<8xf32>)
    memref.copy %u, %out : memref<8xf32> to memref<8xf32>
    %v = memref.load %a[%c0] : memref<8xf32>
    %go = arith.cmpf olt, %v, %f : f32
    scf.condition(%go)
  } do {
    linalg.fill ins(%f : f32) outs(%t : memref<8xf32>)
    memref.copy %t, %out : memref<8xf32> to memref<8xf32>
    scf.yield
  }
  return
}

// Written in the body, read by the next condition: live over the back edge of
// the while, but not from the condition to the write in the body.
// CHECK-LABEL: interference of @while_carries
// CHECK-NOT:   %alloc and %alloc_0:
// CHECK:       %alloc and %alloc_1: both live in
// CHECK-NOT:   %alloc and %alloc_0:
func.func @while_carries(%out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  %u = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  scf.while : () -> () {
    linalg.fill ins(%f : f32) outs(%u : memref<8xf32>)
    memref.copy %u, %out : memref<8xf32> to memref<8xf32>
    %v = memref.load %a[%c0] : memref<8xf32>
    %go = arith.cmpf olt, %v, %f : f32
    scf.condition(%go)
  } do {
    linalg.fill ins(%f : f32) outs(%t : memref<8xf32>)
    memref.copy %t, %out : memref<8xf32> to memref<8xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
    scf.yield
  }
  return
}
