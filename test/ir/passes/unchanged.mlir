// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Here every pass gives up, or has nothing to do: what comes out is what went
// in, and each buffer's remark says why.

// RUN: %berth-opt %s --allow-unregistered-dialect -o %t.mlir
// RUN: %berth-opt %s --allow-unregistered-dialect -o %t.arena.mlir --remarks-filter='berth.*' --pass-pipeline='builtin.module(berth-arena)' 2>&1 | FileCheck %s -DVERDICT=placed
// RUN: diff %t.mlir %t.arena.mlir
// RUN: %berth-opt %s --allow-unregistered-dialect -o %t.merge.mlir --remarks-filter='berth.*' --pass-pipeline='builtin.module(berth-merge)' 2>&1 | FileCheck %s -DVERDICT=merged
// RUN: diff %t.mlir %t.merge.mlir
// RUN: %berth-opt %s --allow-unregistered-dialect -o %t.verify.mlir --pass-pipeline='builtin.module(berth-verify)'
// RUN: diff %t.mlir %t.verify.mlir
// RUN: %berth-opt %s --allow-unregistered-dialect -o %t.liveness.mlir --pass-pipeline='builtin.module(berth-print-liveness)' 2>&1 | FileCheck %s --check-prefix=LIVENESS
// RUN: diff %t.mlir %t.liveness.mlir
// RUN: %berth-opt %s --allow-unregistered-dialect -o %t.interference.mlir --pass-pipeline='builtin.module(berth-print-interference)' 2>&1 | FileCheck %s --check-prefix=INTERFERENCE
// RUN: diff %t.mlir %t.interference.mlir

// INTERFERENCE-COUNT-6: interference of
// INTERFERENCE-NOT:     both live

// No allocations: no arena.
// LIVENESS: liveness of @no_allocations: 0 buffers
func.func @no_allocations(%a: memref<8xf32>, %b: memref<8xf32>) {
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  return
}

// Nor where there is no body.
// LIVENESS-NOT: @no_body
func.func private @no_body(memref<8xf32>)

// The last op of a region without terminator could be one.
// CHECK:    not [[VERDICT]]: an unknown terminator may pass it on (other.use at line [[#@LINE+10]])
// LIVENESS: liveness of @no_terminator
// LIVENESS: not placed: an unknown terminator may pass it on (other.use at line [[#@LINE+8]])
func.func @no_terminator(%f: f32) {
  %a = memref.alloc() : memref<8xf32>
  "other.empty"() ({
  ^nothing:
  }) : () -> ()
  "other.region"() ({
    linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
    "other.use"(%a) : (memref<8xf32>) -> ()
  }) : () -> ()
  return
}

// CHECK:    not [[VERDICT]]: it is returned (other.end at line [[#@LINE+6]])
// LIVENESS: liveness of @unknown_end
// LIVENESS: not placed: it is returned (other.end at line [[#@LINE+4]])
func.func @unknown_end(%f: f32) {
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  "other.end"(%a) : (memref<8xf32>) -> ()
}

// A graph: used before it is allocated, and views that go round in a circle.
// CHECK:    not [[VERDICT]]: it is allocated in a region that may run many times at once or in an unknown order (other.graph at line [[#@LINE+4]])
// LIVENESS: liveness of @graph
// LIVENESS: not placed: it is allocated in a region
func.func @graph(%f: f32) {
  "other.graph"() ({
    "other.use"(%a) : (memref<8xf32>) -> ()
    %c = memref.cast %d : memref<8xf32> to memref<?xf32>
    %d = memref.cast %c : memref<?xf32> to memref<8xf32>
    linalg.fill ins(%f : f32) outs(%d : memref<8xf32>)
    memref.copy %d, %a : memref<8xf32> to memref<8xf32>
    memref.dealloc %c : memref<?xf32>
    %a = memref.alloc() : memref<8xf32>
    "other.end"() : () -> ()
  }) : () -> ()
  return
}

// A function that calls itself returns what it gets from itself.
// CHECK:    not [[VERDICT]]: it is returned (func.return at line [[#@LINE+11]])
// LIVENESS: liveness of @recursive
// LIVENESS: not placed: it is returned
func.func @recursive(%c: i1) -> memref<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  %r = scf.if %c -> memref<8xf32> {
    %inner = func.call @recursive(%c) : (i1) -> memref<8xf32>
    scf.yield %inner : memref<8xf32>
  } else {
    scf.yield %a : memref<8xf32>
  }
  return %r : memref<8xf32>
}

// A function in an unknown op's module is a scope like any other, and the
// outer one does not mind.
// CHECK:    not [[VERDICT]]: its element type has no fixed size
// LIVENESS: liveness of @inner
// LIVENESS: not placed: its element type has no fixed size
"other.module"() ({
  func.func @inner(%n: index) {
    %a = memref.alloc() : memref<4xmemref<4xf32>>
    "other.use"(%a) : (memref<4xmemref<4xf32>>) -> ()
    return
  }
}) : () -> ()
