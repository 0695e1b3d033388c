// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fills instead of copies, an allocation for each life of a buffer, slots that take
// turns and results that callers bring go before planning. Where that fails, what was there before is
// put back.

// RUN: not %berth-opt %s --mlir-print-ir-before=berth-arena --pass-pipeline='builtin.module(berth-arena{rotate=true results=out-params capacity=16})' >%t.before 2>&1
// RUN: not %berth-opt %s --mlir-print-ir-after-failure --pass-pipeline='builtin.module(berth-arena{rotate=true results=out-params capacity=16})' >%t.after 2>&1
// RUN: FileCheck %s --check-prefix=WHY <%t.after
// RUN: sed -n '/^module/,/^}/p' %t.before >%t.before.mlir
// RUN: sed -n '/^module/,/^}/p' %t.after >%t.after.mlir
// RUN: diff %t.before.mlir %t.after.mlir
// RUN: FileCheck %s <%t.after.mlir

// One function at a time, as in a nested pipeline.
// RUN: not %berth-opt %s --mlir-print-ir-module-scope --mlir-print-ir-after-failure --mlir-disable-threading --pass-pipeline='builtin.module(func.func(berth-arena{rotate=true capacity=16}))' 2>&1 | FileCheck %s

// With enough bytes all of them happen.
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{rotate=true results=out-params})' | FileCheck %s --check-prefix=FITS

// WHY: capacity

// CHECK-LABEL: func.func @fills
// CHECK:       linalg.fill
// CHECK:       memref.copy
// FITS-LABEL:  func.func @fills
// FITS-NOT:    memref.copy
func.func @fills(%f: f32, %out: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  linalg.exp ins(%b : memref<8xf32>) outs(%b : memref<8xf32>)
  linalg.exp ins(%a : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.add ins(%a, %b : memref<8xf32>, memref<8xf32>) outs(%out : memref<8xf32>)
  return
}

// CHECK-LABEL: func.func @turns
// CHECK-NOT:   arith.select
// FITS-LABEL:  func.func @turns
// FITS:        arith.select
func.func @turns(%in: memref<8xf32>, %out: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %in) -> memref<8xf32> {
    %q = memref.alloc() : memref<8xf32>
    linalg.exp ins(%p : memref<8xf32>) outs(%q : memref<8xf32>)
    scf.yield %q : memref<8xf32>
  }
  memref.copy %last, %out : memref<8xf32> to memref<8xf32>
  return
}

// CHECK-LABEL:    func.func @lives
// CHECK-COUNT-2:  memref.alloc
// CHECK-NOT:      memref.alloc
// CHECK:          return
// FITS-LABEL:     func.func @lives
// FITS-COUNT-3:   memref.view
func.func @lives(%in: memref<8xf32>, %out: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.exp ins(%in : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.tanh ins(%a : memref<8xf32>) outs(%out : memref<8xf32>)
  linalg.exp ins(%out : memref<8xf32>) outs(%b : memref<8xf32>)
  linalg.tanh ins(%b : memref<8xf32>) outs(%out : memref<8xf32>)
  linalg.sqrt ins(%out : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.tanh ins(%a : memref<8xf32>) outs(%out : memref<8xf32>)
  return
}

// CHECK-LABEL: func.func private @made
// CHECK-SAME:    -> memref<8xf32>
// FITS-LABEL:  func.func private @made
// FITS-NOT:      memref.alloc
func.func private @made(%in: memref<8xf32>) -> memref<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%in : memref<8xf32>) outs(%a : memref<8xf32>)
  return %a : memref<8xf32>
}
// CHECK-LABEL: func.func @calls
// FITS-LABEL:  func.func @calls
// CHECK:         = call @made
func.func @calls(%in: memref<8xf32>, %out: memref<8xf32>) {
  %a = call @made(%in) : (memref<8xf32>) -> memref<8xf32>
  linalg.exp ins(%a : memref<8xf32>) outs(%out : memref<8xf32>)
  return
}
