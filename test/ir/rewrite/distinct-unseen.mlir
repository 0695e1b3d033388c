// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// Where it is not seen what a placed buffer is given to, memref.distinct_objects
// goes from all functions; in a pass on one function, which may not change
// others, the buffer is not placed.
// RUN: split-file %s %t
// DEFINE: %{file} = address
// DEFINE: %{pass} = berth-arena
// DEFINE: %{run} = %mlir-opt-berth %t/%{file}.mlir --allow-unregistered-dialect --remarks-filter='berth.*' --pass-pipeline='builtin.module(%{pass})' 2>&1

// RUN: %{run} | FileCheck %s
// REDEFINE: %{file} = name
// RUN: %{run} | FileCheck %s
// REDEFINE: %{file} = declared
// RUN: %{run} | FileCheck %s
// CHECK-DAG: placed at offset 0
// CHECK-DAG: taken away: what it is given may lie in one arena
// CHECK: module
// CHECK-NOT: memref.distinct_objects

// REDEFINE: %{pass} = berth-arena{test-break-rule=no-callbacks}
// RUN: not %{run} | FileCheck %s --check-prefix=BROKEN
// REDEFINE: %{file} = address
// RUN: not %{run} | FileCheck %s --check-prefix=BROKEN
// REDEFINE: %{file} = name
// RUN: not %{run} | FileCheck %s --check-prefix=BROKEN
// BROKEN: error: may call a function that says that two buffers lie in different allocations, which may lie in one arena

// REDEFINE: %{pass} = func.func(berth-arena)
// RUN: %{run} | FileCheck %s --check-prefix=NESTED
// REDEFINE: %{file} = address
// RUN: %{run} | FileCheck %s --check-prefix=NESTED
// NESTED-NOT: placed at offset
// NESTED-COUNT-2: not placed: a called function may keep it: run the pass on the module to look into it
// NESTED: memref.distinct_objects

//--- address.mlir
func.func private @callee(%a: memref<8xf32>, %b: memref<8xf32>) {
  %p:2 = memref.distinct_objects %a, %b : memref<8xf32>, memref<8xf32>
  memref.copy %p#0, %p#1 : memref<8xf32> to memref<8xf32>
  return
}
func.func @caller(%out: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %out, %a : memref<8xf32> to memref<8xf32>
  %f = func.constant @callee : (memref<8xf32>, memref<8xf32>) -> ()
  func.call_indirect %f(%a, %b) : (memref<8xf32>, memref<8xf32>) -> ()
  memref.copy %b, %out : memref<8xf32> to memref<8xf32>
  return
}

//--- name.mlir
func.func private @callee(%a: memref<8xf32>, %b: memref<8xf32>) {
  %p:2 = memref.distinct_objects %a, %b : memref<8xf32>, memref<8xf32>
  memref.copy %p#0, %p#1 : memref<8xf32> to memref<8xf32>
  return
}
func.func @caller(%out: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %out, %a : memref<8xf32> to memref<8xf32>
  "some.run"(%a, %b) {what = @callee} : (memref<8xf32>, memref<8xf32>) -> ()
  memref.copy %b, %out : memref<8xf32> to memref<8xf32>
  return
}

//--- declared.mlir
func.func @callee(%a: memref<8xf32>, %b: memref<8xf32>) {
  %p:2 = memref.distinct_objects %a, %b : memref<8xf32>, memref<8xf32>
  memref.copy %p#0, %p#1 : memref<8xf32> to memref<8xf32>
  return
}
func.func private @elsewhere(memref<8xf32>, memref<8xf32>)
func.func @caller(%out: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %out, %a : memref<8xf32> to memref<8xf32>
  func.call @elsewhere(%a, %b) : (memref<8xf32>, memref<8xf32>) -> ()
  memref.copy %b, %out : memref<8xf32> to memref<8xf32>
  return
}
