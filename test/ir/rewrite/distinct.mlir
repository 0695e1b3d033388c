// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// memref.distinct_objects says more than is true of views of one arena, so it
// goes where a placed buffer comes to it, in called functions too.
// DEFINE: %{pass} = berth-arena
// DEFINE: %{run} = %mlir-opt-berth %s --remarks-filter='berth.*' --pass-pipeline='builtin.module(%{pass})'
// RUN: %{run} 2> /dev/null | FileCheck %s
// RUN: %{run} -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REDEFINE: %{pass} = berth-arena{arena=annotate}
// RUN: %{run} 2> /dev/null | FileCheck %s
// REDEFINE: %{pass} = berth-merge
// RUN: %{run} 2> /dev/null | FileCheck %s --check-prefix=MERGE
// REDEFINE: %{pass} = berth-arena{test-break-rule=distinct-views}
// RUN: not %{run} -o /dev/null 2>&1 | FileCheck %s --check-prefix=BROKEN

// BROKEN: error: {{.*}}one arena

// REMARK: remark: [Analysis] {{.*}}taken away: what it is given may lie in one arena

// CHECK-LABEL: func.func @two
// CHECK-NOT: distinct_objects
// MERGE-LABEL: func.func @two
// MERGE-NOT: distinct_objects
// MERGE: return
func.func @two(%x: memref<8xf32>, %out: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %c = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  memref.copy %x, %b : memref<8xf32> to memref<8xf32>
  %p:2 = memref.distinct_objects %a, %b : memref<8xf32>, memref<8xf32>
  memref.copy %p#0, %out : memref<8xf32> to memref<8xf32>
  memref.copy %p#1, %out : memref<8xf32> to memref<8xf32>
  memref.copy %x, %c : memref<8xf32> to memref<8xf32>
  memref.copy %c, %out : memref<8xf32> to memref<8xf32>
  return
}

// CHECK-LABEL: func.func private @callee
// CHECK-NOT: distinct_objects
func.func private @callee(%a: memref<8xf32>, %b: memref<8xf32>) {
  %p:2 = memref.distinct_objects %a, %b : memref<8xf32>, memref<8xf32>
  memref.copy %p#0, %p#1 : memref<8xf32> to memref<8xf32>
  return
}

// CHECK-LABEL: func.func @caller
func.func @caller(%out: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %out, %a : memref<8xf32> to memref<8xf32>
  call @callee(%a, %b) : (memref<8xf32>, memref<8xf32>) -> ()
  memref.copy %b, %out : memref<8xf32> to memref<8xf32>
  return
}

// What no placed buffer comes to stays.
// CHECK-LABEL: func.func @outside
// CHECK: memref.distinct_objects %arg0, %arg1
func.func @outside(%x: memref<8xf32>, %y: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %p:2 = memref.distinct_objects %x, %y : memref<8xf32>, memref<8xf32>
  memref.copy %p#0, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %p#1 : memref<8xf32> to memref<8xf32>
  return
}
