// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A backend that takes arena=annotate at its word, where turns of a loop take slots
// (berth.offsets): turn t has place t modulo their number.
// REQUIRES: mlir
// RUN: cat %S/Inputs/prelude.mlir %s > %t.mlir
// RUN: %mlir-opt-berth %t.mlir --pass-pipeline='builtin.module(berth-arena{arena=annotate})' -o %t.planned.mlir
// RUN: FileCheck %s --check-prefix=PLANNED < %t.planned.mlir
// RUN: %mlir-opt-berth %t.planned.mlir --pass-pipeline='builtin.module(berth-verify)' | diff - %t.planned.mlir
// RUN: %mlir-opt-berth %t.planned.mlir --pass-pipeline='builtin.module(berth-arena{arena=annotate})' | diff - %t.planned.mlir
// RUN: %python %S/Inputs/take-turns.py < %t.planned.mlir > %t.views.mlir
// RUN: FileCheck %s --check-prefix=VIEWS < %t.views.mlir
// RUN: %mlir-opt-berth %t.mlir --pass-pipeline='builtin.module(test-lower-to-llvm)' | mlir-runner -e main --entry-point-result=void --shared-libs=%mlir_lib/libmlir_c_runner_utils.so > %t.expected
// RUN: %mlir-opt-berth %t.views.mlir --pass-pipeline='builtin.module(test-lower-to-llvm)' | mlir-runner -e main --entry-point-result=void --shared-libs=%mlir_lib/libmlir_c_runner_utils.so > %t.actual
// RUN: diff %t.expected %t.actual
// RUN: FileCheck %s < %t.actual

// The other way round, or elsewhere, is found out; so is what is no such place.
// RUN: sed 's/berth.offsets = \[32, 0\]/berth.offsets = [0, 32]/' %t.planned.mlir > %t.turned.mlir
// RUN: not %mlir-opt-berth %t.turned.mlir --pass-pipeline='builtin.module(berth-verify)' -o /dev/null 2>&1 | FileCheck %s --check-prefix=TURNED
// TURNED: error: {{.*}}what a turn has made when a later one has its bytes
// RUN: sed 's/berth.offsets = \[32, 0\]/berth.offsets = [32]/' %t.planned.mlir > %t.one.mlir
// RUN: not %mlir-opt-berth %t.one.mlir --pass-pipeline='builtin.module(berth-verify)' -o /dev/null 2>&1 | FileCheck %s --check-prefix=ONE
// ONE: error: berth.offsets tells of the turns of an scf.for
// RUN: not %mlir-opt-berth %t.mlir --pass-pipeline='builtin.module(berth-arena{arena=annotate test-break-rule=no-older-instances})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: not %mlir-opt-berth %t.mlir --pass-pipeline='builtin.module(berth-arena{arena=annotate test-break-rule=any-initial-slot})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=BROKEN
// BROKEN: error:

// Nothing else of the code changes, and without rotate there are no such places.
// RUN: sed -E 's/ attributes \{berth[^}]*\}//; s/ \{berth[^}]*\}//' %t.planned.mlir > %t.bare.mlir
// RUN: %mlir-opt-berth %t.mlir | diff - %t.bare.mlir
// RUN: %mlir-opt-berth %t.mlir --pass-pipeline='builtin.module(berth-arena{arena=annotate rotate=false})' | not grep berth.offsets

// Two slots, the first of which the loop begins with.
// PLANNED-LABEL: @two(
// PLANNED-SAME:    berth.arena_size = 64 : i64
// PLANNED:       memref.alloc() {berth.offset = 0 : i64, berth.size = 32 : i64}
// PLANNED:       scf.for
// PLANNED:         memref.alloc() {berth.offsets = [32, 0], berth.size = 32 : i64}
// VIEWS-NOT:     berth.offset
func.func @two(%from: index, %to: index, %step: index, %x: i32) {
  %one = arith.constant 1 : i32
  %init = memref.alloc() : memref<8xi32>
  call @count(%init, %x) : (memref<8xi32>, i32) -> ()
  %last = scf.for %i = %from to %to step %step iter_args(%p = %init) -> memref<8xi32> {
    %q = memref.alloc() : memref<8xi32>
    linalg.add ins(%p, %p : memref<8xi32>, memref<8xi32>) outs(%q : memref<8xi32>)
    func.call @show(%p) : (memref<8xi32>) -> ()
    scf.yield %q : memref<8xi32>
  }
  call @show(%last) : (memref<8xi32>) -> ()
  return
}

// What the loop begins with is wanted behind it, too, and turns look two back.
// PLANNED-LABEL: @three(
// PLANNED:       scf.for
// PLANNED:         memref.alloc() {berth.offsets = [{{[0-9]+, [0-9]+, [0-9]+}}], berth.size = 32 : i64}
func.func @three(%from: index, %to: index, %step: index, %x: i32) {
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  call @count(%a, %x) : (memref<8xi32>, i32) -> ()
  call @count(%b, %x) : (memref<8xi32>, i32) -> ()
  %last:2 = scf.for %i = %from to %to step %step iter_args(%p = %a, %o = %b) -> (memref<8xi32>, memref<8xi32>) {
    %q = memref.alloc() : memref<8xi32>
    linalg.add ins(%p, %o : memref<8xi32>, memref<8xi32>) outs(%q : memref<8xi32>)
    func.call @show(%o) : (memref<8xi32>) -> ()
    scf.yield %q, %p : memref<8xi32>, memref<8xi32>
  }
  call @show(%last#0) : (memref<8xi32>) -> ()
  call @show(%last#1) : (memref<8xi32>) -> ()
  call @show(%b) : (memref<8xi32>) -> ()
  return
}

// What is made in a branch, or freed, stays without a place.
// PLANNED-LABEL: @freed(
// PLANNED-NOT:   berth.offsets
// PLANNED:       return
func.func @freed(%n: index, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xi32>
  call @count(%a, %x) : (memref<8xi32>, i32) -> ()
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> memref<8xi32> {
    %q = memref.alloc() : memref<8xi32>
    linalg.add ins(%p, %p : memref<8xi32>, memref<8xi32>) outs(%q : memref<8xi32>)
    memref.dealloc %p : memref<8xi32>
    scf.yield %q : memref<8xi32>
  }
  call @show(%last) : (memref<8xi32>) -> ()
  return
}

// CHECK: ( 1, 2, 3, 4, 5, 6, 7, 8 )
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c9 = arith.constant 9 : index
  %one = arith.constant 1 : i32
  call @two(%c0, %c3, %c1, %one) : (index, index, index, i32) -> ()
  call @two(%c1, %c9, %c2, %one) : (index, index, index, i32) -> ()
  call @two(%c3, %c3, %c1, %one) : (index, index, index, i32) -> ()
  call @three(%c0, %c9, %c1, %one) : (index, index, index, i32) -> ()
  call @three(%c3, %c9, %c2, %one) : (index, index, index, i32) -> ()
  call @freed(%c3, %one) : (index, i32) -> ()
  return
}
