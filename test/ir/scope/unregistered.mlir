// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that nobody knows anything of. They read and write what they are given,
// run their regions in any order, and branch wherever they say.

// RUN: %berth-opt %s --allow-unregistered-dialect -o %t.mlir --pass-pipeline='builtin.module(berth-arena)'
// RUN: FileCheck %s --check-prefix=ARENA < %t.mlir
// RUN: %berth-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-merge)' | FileCheck %s --check-prefix=MERGE
// RUN: %berth-opt %s --allow-unregistered-dialect -o %t.out.mlir --pass-pipeline='builtin.module(berth-print-liveness{unknown-ops=use})' 2>&1 | FileCheck %s --check-prefix=LIVENESS
// RUN: %berth-opt %s --allow-unregistered-dialect -o %t.out.mlir --pass-pipeline='builtin.module(berth-print-interference{unknown-ops=use})' 2>&1 | FileCheck %s --check-prefix=INTERFERENCE
// RUN: sed -e '/memref.view/s/%%c32/%%c0/' %t.mlir > %t.wrong.mlir
// RUN: not %berth-opt %t.wrong.mlir --allow-unregistered-dialect -o %t.out.mlir --pass-pipeline='builtin.module(berth-verify{unknown-ops=use})' 2>&1 | FileCheck %s --check-prefix=VERIFY

// Its last op branches: what was written before is read behind.
// ARENA-LABEL: @branch
// ARENA:       memref.alloc() {{.*}} : memref<64xi8>
// MERGE-LABEL: @branch
// MERGE-COUNT-2: memref.alloc() : memref<8xf32>
// INTERFERENCE: interference of @branch
// INTERFERENCE: %alloc and %alloc_0: both live in {{.*}} linalg.fill at line [[#@LINE+8]] .. other.use at line [[#@LINE+9]]
// VERIFY:      error: reads a buffer whose bytes in the arena may have been overwritten
func.func @branch(%f: f32) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  "other.branch"(%f)[^one, ^other] : (f32) -> ()
^one:
  linalg.fill ins(%f : f32) outs(%b : memref<8xf32>)
  "other.use"(%b) : (memref<8xf32>) -> ()
  "other.use"(%a) : (memref<8xf32>) -> ()
  return
^other:
  "other.use"(%a) : (memref<8xf32>) -> ()
  return
}

// It may hand its operands on to the blocks that it names.
// ARENA-LABEL: @branch_arguments
// ARENA:       memref.alloc() {{.*}} : memref<64xi8>
// INTERFERENCE: interference of @branch_arguments
// INTERFERENCE: %alloc and %alloc_0: both live in {{.*}} linalg.fill at line [[#@LINE+8]] .. other.use at line [[#@LINE+9]]
// VERIFY:      error: reads a buffer whose bytes in the arena may have been overwritten
func.func @branch_arguments(%f: f32) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  "other.branch"(%a)[^next] : (memref<8xf32>) -> ()
^next(%p: memref<8xf32>):
  linalg.fill ins(%f : f32) outs(%b : memref<8xf32>)
  "other.use"(%b) : (memref<8xf32>) -> ()
  "other.use"(%p) : (memref<8xf32>) -> ()
  return
}

// An op whose interface would say what follows, but its region ends in one
// that does not.
// ARENA-LABEL: @region_end
// ARENA:       memref.alloc() {{.*}} : memref<64xi8>
// INTERFERENCE: interference of @region_end
// INTERFERENCE: %alloc and %alloc_0: both live in {{.*}} scf.execute_region at line [[#@LINE+6]]
// VERIFY:      error: reads a buffer whose bytes in the arena may have been overwritten
func.func @region_end(%f: f32) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  scf.execute_region {
    linalg.fill ins(%f : f32) outs(%b : memref<8xf32>)
    "other.use"(%b) : (memref<8xf32>) -> ()
    "other.end"() : () -> ()
  }
  "other.use"(%a) : (memref<8xf32>) -> ()
  return
}

// The blocks of an unknown region may run in any order: what is used in one
// is live in all, and for the whole op.
// ARENA-LABEL: @region
// ARENA:       memref.alloc() {{.*}} : memref<64xi8>
// MERGE-LABEL: @region
// MERGE-COUNT-2: memref.alloc() : memref<8xf32>
// LIVENESS:    liveness of @region
// LIVENESS:      other.region at line [[#@LINE+8]] .. other.region at line [[#@LINE+8]]
// LIVENESS:      other.region at line [[#@LINE+7]] .. other.region at line [[#@LINE+7]]
// INTERFERENCE: interference of @region
// INTERFERENCE: %alloc and %alloc_0: both live in
// VERIFY:      error: reads a buffer while it writes another one that has bytes of the arena in common
func.func @region() {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  "other.region"() ({
    "other.use"(%a) : (memref<8xf32>) -> ()
    "other.branch"()[^next] : () -> ()
  ^next:
    "other.use"(%b) : (memref<8xf32>) -> ()
    "other.end"() : () -> ()
  }) : () -> ()
  return
}

// One after the other.
// ARENA-LABEL: @straight
// ARENA:       memref.alloc() {{.*}} : memref<32xi8>
// MERGE-LABEL: @straight
// MERGE-COUNT-1: memref.alloc() {{.*}}: memref<8xf32>
// MERGE-NOT:     memref.alloc()
// MERGE:         @recursive
// INTERFERENCE: interference of @straight
// INTERFERENCE-NOT: both live
// INTERFERENCE: interference of @recursive
func.func @straight() {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  "other.write"(%a) : (memref<8xf32>) -> ()
  "other.use"(%a) : (memref<8xf32>) -> ()
  "other.write"(%b) : (memref<8xf32>) -> ()
  "other.use"(%b) : (memref<8xf32>) -> ()
  return
}

// Each call has an arena of its own.
// ARENA-LABEL: @recursive
// ARENA:       memref.alloc() {{.*}} : memref<32xi8>
// LIVENESS:    liveness of @recursive
// LIVENESS:      func.call at line [[#@LINE+4]] .. other.use at line [[#@LINE+5]]
func.func @recursive(%out: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  call @recursive(%a) : (memref<8xf32>) -> ()
  "other.use"(%a) : (memref<8xf32>) -> ()
  "other.write"(%b) : (memref<8xf32>) -> ()
  memref.copy %b, %out : memref<8xf32> to memref<8xf32>
  return
}
