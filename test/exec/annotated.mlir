// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A backend that takes arena=annotate at its word: it makes one memory, and each
// allocation a view at its place. Results lie on the operands that die in them,
// which berth.in_place tells of their ops; a copy keeps places of its own, for it
// stays.
// REQUIRES: mlir
// RUN: cat %S/Inputs/prelude.mlir %s > %t.mlir
// RUN: %mlir-opt-berth %t.mlir --pass-pipeline='builtin.module(berth-arena{arena=annotate})' -o %t.planned.mlir
// RUN: FileCheck %s --check-prefix=PLANNED < %t.planned.mlir
// RUN: sed -E -e 's/^( *func.func @chain.*\{)$/\1\n%%arena = memref.alloc() : memref<64xi8>\n%%at0 = arith.constant 0 : index\n%%at32 = arith.constant 32 : index/' \
// RUN:   -e 's/memref.alloc\(\) \{berth.offset = ([0-9]+) : i64, berth.size = 32 : i64\} :/memref.view %%arena[%%at\1][] : memref<64xi8> to/' %t.planned.mlir > %t.views.mlir
// RUN: FileCheck %s --check-prefix=VIEWS < %t.views.mlir
// RUN: %mlir-opt-berth %t.mlir --pass-pipeline='builtin.module(test-lower-to-llvm)' | mlir-runner -e main --entry-point-result=void --shared-libs=%mlir_lib/libmlir_c_runner_utils.so > %t.expected
// RUN: %mlir-opt-berth %t.views.mlir --pass-pipeline='builtin.module(test-lower-to-llvm)' | mlir-runner -e main --entry-point-result=void --shared-libs=%mlir_lib/libmlir_c_runner_utils.so > %t.actual
// RUN: diff %t.expected %t.actual
// RUN: FileCheck %s < %t.actual
// RUN: not %mlir-opt-berth %t.mlir --pass-pipeline='builtin.module(berth-arena{arena=annotate test-break-rule=in-any-order})' -o %t.out 2>&1 | FileCheck %s --check-prefix=BROKEN

// PLANNED-LABEL: @chain() attributes {berth.arena_size = 64 : i64}
// PLANNED:       linalg.add {berth.in_place} ins(%alloc, %alloc
// PLANNED:       linalg.mul {berth.in_place}
// PLANNED-NEXT:  memref.copy
// PLANNED:       linalg.transpose ins(
// PLANNED-NOT:   in_place
// VIEWS-LABEL:   @chain
// VIEWS-NOT:     berth.offset
// VIEWS:         return
// BROKEN:        error: reads a buffer while it writes another one
// CHECK:         ( 0, 16, 64, 144, 4, 36, 100, 196 )
func.func @chain() {
  %zero = arith.constant 0 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %c = memref.alloc() : memref<8xi32>
  %d = memref.alloc() : memref<8xi32>
  %e = memref.alloc() : memref<2x4xi32>
  call @count(%a, %zero) : (memref<8xi32>, i32) -> ()
  linalg.add ins(%a, %a : memref<8xi32>, memref<8xi32>) outs(%b : memref<8xi32>)
  linalg.mul ins(%b, %b : memref<8xi32>, memref<8xi32>) outs(%c : memref<8xi32>)
  memref.copy %c, %d : memref<8xi32> to memref<8xi32>
  %w = memref.expand_shape %d [[0, 1]] output_shape [4, 2] : memref<8xi32> into memref<4x2xi32>
  linalg.transpose ins(%w : memref<4x2xi32>) outs(%e : memref<2x4xi32>) permutation = [1, 0]
  %f = memref.collapse_shape %e [[0, 1]] : memref<2x4xi32> into memref<8xi32>
  call @show(%f) : (memref<8xi32>) -> ()
  return
}

func.func @main() {
  call @chain() : () -> ()
  return
}
