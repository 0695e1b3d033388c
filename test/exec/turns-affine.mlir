// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slots take turns in affine.for, which carries the number for that. (MLIR's
// deallocation pipeline makes such loops that its own verifier refuses.)
// REQUIRES: mlir
// RUN: %same-output %s | FileCheck %s --check-prefix=BYTES
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena)' %s | FileCheck %s
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena,canonicalize,cse,berth-verify)' %s -o /dev/null
// RUN: not %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{test-break-rule=making-turns})' %s 2>&1 | FileCheck %s --check-prefix=REFUSED

// REFUSED: error: uses what a turn has made when a later one has its bytes

#odd = affine_set<(d0) : (d0 mod 3 - 1 >= 0)>
#same = affine_map<(d0) -> (d0)>
#mirrored = affine_map<(d0) -> (7 - d0)>

func.func private @step(%p: memref<8xi32>, %o: memref<8xi32>, %q: memref<8xi32>) {
  linalg.generic {indexing_maps = [#mirrored, #same, #same], iterator_types = ["parallel"]}
    ins(%p, %o : memref<8xi32>, memref<8xi32>) outs(%q : memref<8xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32):
    %n = linalg.index 0 : index
    %i = arith.index_cast %n : index to i32
    %t = arith.muli %a, %i : i32
    %u = arith.addi %t, %b : i32
    linalg.yield %u : i32
  }
  return
}

func.func private @show(%m: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %v = vector.load %m[%c0] : memref<8xi32>, vector<8xi32>
  vector.print %v : vector<8xi32>
  return
}

// CHECK-LABEL: @affine
// CHECK: memref.alloc() {{.*}} : memref<64xi8>
// CHECK: affine.for {{.*}} iter_args({{.*}}) -> (memref<8xi32>, index)
// CHECK: arith.select {{.*}} {berth.turns = 2 : i64}
// CHECK: return
// BYTES: affine: 64
func.func @affine(%n: index) {
  %one = arith.constant 1 : i32
  %init = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%init : memref<8xi32>)
  %last = affine.for %i = max affine_map<(d0) -> (d0 - 4, 1)>(%n) to affine_map<(d0) -> (2 * d0)>(%n) step 2 iter_args(%p = %init) -> (memref<8xi32>) {
    %q = memref.alloc() : memref<8xi32>
    func.call @step(%p, %p, %q) : (memref<8xi32>, memref<8xi32>, memref<8xi32>) -> ()
    affine.yield %q : memref<8xi32>
  }
  call @show(%last) : (memref<8xi32>) -> ()
  return
}

// CHECK-LABEL: @affine_branch
// CHECK: memref.alloc() {{.*}} : memref<64xi8>
// CHECK: affine.for
// CHECK: affine.if
// CHECK: arith.select {{.*}} {berth.turns = 2 : i64}
// CHECK: return
// BYTES: affine_branch: 64
func.func @affine_branch(%n: index) {
  %one = arith.constant 1 : i32
  %init = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%init : memref<8xi32>)
  %last = affine.for %i = 0 to %n iter_args(%p = %init) -> (memref<8xi32>) {
    %r = affine.if #odd(%i) -> memref<8xi32> {
      %q = memref.alloc() : memref<8xi32>
      func.call @step(%p, %p, %q) : (memref<8xi32>, memref<8xi32>, memref<8xi32>) -> ()
      affine.yield %q : memref<8xi32>
    } else {
      affine.yield %p : memref<8xi32>
    }
    affine.yield %r : memref<8xi32>
  }
  call @show(%last) : (memref<8xi32>) -> ()
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c14 = arith.constant 14 : index
  scf.for %n = %c0 to %c14 step %c1 {
    func.call @affine(%n) : (index) -> ()
    func.call @affine_branch(%n) : (index) -> ()
  }
  return
}
