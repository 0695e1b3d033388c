// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: chromium
// RUN: %berth-opt %s --berth-arena=report=%t.html -o /dev/null
// RUN: %python -B %S/Inputs/narrow.py %S/../../playground/Inputs %chromium %t.html | FileCheck %s

// Long names leave a page as narrow as a phone is.
// CHECK: arenas: 2
// CHECK: outside: nothing
func.func @a_very_long_name_of_a_function_that_somebody_generated_with_its_shapes_1x3x224x224_1(%x: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  return
}
func.func @a_very_long_name_of_a_function_that_somebody_generated_with_its_shapes_1x3x224x224_2(%x: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  return
}
