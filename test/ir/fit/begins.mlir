// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A content begins where its allocation runs, also where blocks lie between that and
// its uses; without the mark, what the turn before left would count as content.

// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=1 access=1 must-fit=false})' | FileCheck %s

// CHECK-LABEL: func.func @begins_in_blocks
// CHECK: scf.if
// CHECK-NEXT: memref.alloc() {{.*}}berth.content_begins = [1]{{.*}} : memref<8xi32, 77>
#same = affine_map<(d0) -> (d0)>
// Where %a is allocated a new content begins, and no way comes to ^use but from there.
func.func @begins_in_blocks(%x: memref<8xi32>, %y: memref<8xi32, 77>, %p: i1) {
  %c0 = arith.constant 0 : index
  cf.br ^make
^make:
  %a = memref.alloc() : memref<8xi32>
  cf.br ^use
^use:
  scf.if %p {
    linalg.generic {indexing_maps = [#same], iterator_types = ["parallel"]} outs(%a : memref<8xi32>) {
    ^bb0(%out: i32):
      %v = memref.load %x[%c0] : memref<8xi32>
      linalg.yield %v : i32
    }
    linalg.add ins(%a, %a : memref<8xi32>, memref<8xi32>) outs(%a : memref<8xi32>)
    linalg.copy ins(%a : memref<8xi32>) outs(%y : memref<8xi32, 77>)
  }
  cf.cond_br %p, ^make, ^end
^end:
  return
}

// Here one way leads from the uses back to them, and the allocation runs once.
// CHECK-LABEL: func.func @goes_on
// CHECK-NOT: berth.content_begins
func.func @goes_on(%x: memref<8xi32, 77>, %y: memref<8xi32, 77>, %p: i1) {
  %a = memref.alloc() : memref<8xi32>
  cf.br ^use
^use:
  scf.if %p {
    linalg.copy ins(%x : memref<8xi32, 77>) outs(%a : memref<8xi32>)
    linalg.copy ins(%a : memref<8xi32>) outs(%y : memref<8xi32, 77>)
  }
  cf.cond_br %p, ^use, ^end
^end:
  return
}
