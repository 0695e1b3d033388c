// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-print-interference)' \
// RUN:   -o %t 2>&1 | FileCheck %s

// Unstructured control flow: blocks, branches, loops over back edges.

// CHECK-LABEL: interference of @diamond
// CHECK:       %alloc and %alloc_0: both live in
// CHECK-NOT:   %alloc and %alloc_1:
// CHECK-NOT:   %alloc_0 and %alloc_1:
func.func @diamond(%c: i1, %out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %d = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  cf.cond_br %c, ^then, ^else
^then:
  linalg.fill ins(%f : f32) outs(%b : memref<8xf32>)
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  memref.copy %b, %out : memref<8xf32> to memref<8xf32>
  cf.br ^end
^else:
  linalg.fill ins(%f : f32) outs(%d : memref<8xf32>)
  memref.copy %d, %out : memref<8xf32> to memref<8xf32>
  cf.br ^end
^end:
  return
}

// CHECK-LABEL: interference of @block_loop
// CHECK:       %alloc and %alloc_0: both live in
func.func @block_loop(%c: i1, %out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  cf.br ^body
^body:
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  linalg.fill ins(%f : f32) outs(%t : memref<8xf32>)
  memref.copy %t, %out : memref<8xf32> to memref<8xf32>
  cf.cond_br %c, ^body, ^end
^end:
  return
}

// CHECK-LABEL: interference of @block_loop_temporaries_share
// CHECK-NOT:   both live
func.func @block_loop_temporaries_share(%c: i1, %out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  cf.br ^body
^body:
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  linalg.fill ins(%f : f32) outs(%t : memref<8xf32>)
  memref.copy %t, %out : memref<8xf32> to memref<8xf32>
  cf.cond_br %c, ^body, ^end
^end:
  return
}

// The blocks stand in the text in another order than they run.
// CHECK-LABEL: interference of @blocks_out_of_order
// CHECK:       %alloc and %alloc_0: both live in
func.func @blocks_out_of_order(%out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  cf.br ^first
^last:
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
^middle:
  linalg.fill ins(%f : f32) outs(%t : memref<8xf32>)
  memref.copy %t, %out : memref<8xf32> to memref<8xf32>
  cf.br ^last
^first:
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  cf.br ^middle
}

// Needed on the early exit only: %t of the other way may share with %a, %u
// before the exit may not.
// CHECK-LABEL: interference of @early_exit
// CHECK-NOT:   %alloc and %alloc_0:
// CHECK:       %alloc and %alloc_1: both live in
// CHECK-NOT:   %alloc and %alloc_0:
func.func @early_exit(%c: i1, %out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  %u = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  linalg.fill ins(%f : f32) outs(%u : memref<8xf32>)
  memref.copy %u, %out : memref<8xf32> to memref<8xf32>
  cf.cond_br %c, ^exit, ^on
^exit:
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
^on:
  linalg.fill ins(%f : f32) outs(%t : memref<8xf32>)
  memref.copy %t, %out : memref<8xf32> to memref<8xf32>
  return
}

// CHECK-LABEL: interference of @switch
// CHECK:       %alloc and %alloc_0: both live in
// CHECK-NOT:   %alloc and %alloc_1:
// CHECK-NOT:   %alloc_0 and %alloc_1:
func.func @switch(%n: i32, %out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %d = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  cf.switch %n : i32, [
    default: ^other,
    7: ^seven
  ]
^seven:
  linalg.fill ins(%f : f32) outs(%b : memref<8xf32>)
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  memref.copy %b, %out : memref<8xf32> to memref<8xf32>
  cf.br ^other
^other:
  linalg.fill ins(%f : f32) outs(%d : memref<8xf32>)
  memref.copy %d, %out : memref<8xf32> to memref<8xf32>
  return
}

// A read in a block that nothing reaches keeps nothing alive, and does no harm.
// CHECK-LABEL: interference of @unreachable_read
// CHECK-NOT:   both live
func.func @unreachable_read(%out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  linalg.fill ins(%f : f32) outs(%t : memref<8xf32>)
  memref.copy %t, %out : memref<8xf32> to memref<8xf32>
  return
^nowhere:
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
}

// The buffer travels as a block argument: used under another name.
// CHECK-LABEL: interference of @block_argument
// CHECK:       %alloc and %alloc_0: both live in
func.func @block_argument(%c: i1, %x: memref<8xf32>, %out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  cf.cond_br %c, ^join(%a : memref<8xf32>), ^join(%x : memref<8xf32>)
^join(%p: memref<8xf32>):
  linalg.fill ins(%f : f32) outs(%t : memref<8xf32>)
  memref.copy %t, %out : memref<8xf32> to memref<8xf32>
  memref.copy %p, %out : memref<8xf32> to memref<8xf32>
  return
}

// Unstructured blocks inside a structured op.
// CHECK-LABEL: interference of @execute_region
// CHECK:       %alloc and %alloc_0: both live in
func.func @execute_region(%c: i1, %out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  scf.execute_region {
    cf.cond_br %c, ^one, ^two
  ^one:
    linalg.fill ins(%f : f32) outs(%t : memref<8xf32>)
    memref.copy %t, %out : memref<8xf32> to memref<8xf32>
    cf.br ^two
  ^two:
    scf.yield
  }
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
}
