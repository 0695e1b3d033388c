// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// LLVM 19 shows no remarks.
// fold-constants: what is made of constants becomes one, if it is only read.
// RUN: %mlir-opt-berth %s --split-input-file --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{fold-constants=1M})' | FileCheck %s
// RUN: %mlir-opt-berth %s --split-input-file --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena)' --remarks-filter='berth.*' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %mlir-opt-berth %s --split-input-file --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{report=-})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: %mlir-opt-berth %s --split-input-file --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{fold-constants=47})' | FileCheck %s --check-prefix=SMALL
// RUN: not %mlir-opt-berth %s --split-input-file --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(berth-arena{fold-constants=1M}))' 2>&1 | FileCheck %s --check-prefix=NESTED
// RUN: not %mlir-opt-berth %s --split-input-file --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{fold-constants=many})' 2>&1 | FileCheck %s --check-prefix=MANY
// NESTED: error: berth-arena: fold-constants adds to the module: run the pass on the module
// MANY: fold-constants 'many': expected a positive number of bytes

// CHECK:       memref.global "private" constant @berth_constant_0 : memref<4x3xf32> = dense<{{\[\[}}1.000000e+00, 5.000000e+00, 9.000000e+00], [2.000000e+00, 6.000000e+00, 1.500000e+00], [3.000000e+00, 7.000000e+00, 2.500000e+00], [4.000000e+00, 8.000000e+00, 3.500000e+00]]> {alignment = 64 : i64}
// CHECK-LABEL: func.func @weights
// CHECK:         %[[W:.*]] = memref.get_global @berth_constant_0 : memref<4x3xf32>
// CHECK-NEXT:    linalg.matmul ins(%{{.*}}, %[[W]]
// CHECK-NEXT:    return
// REMARK:      where most is live, 1 buffer of 48 bytes holds what is computed from constants alone (48 of @w at {{.*}}fold-constants.mlir:[[#@LINE+4]]): fold-constants computes at compile time what it can
// REPORT:      "packer": "auto", "steps": {{[0-9]+}}, "constant_bytes": 48, "constants": [{"name": "w", "file": "{{.*}}fold-constants.mlir", "line": [[#@LINE+3]], "column": 1, "bytes": 48}]
// SMALL-LABEL: func.func @weights
// SMALL:         linalg.transpose
memref.global "private" constant @w : memref<3x4xf32> = dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 1.5, 2.5, 3.5]]>
func.func @weights(%x: memref<2x4xf32>, %y: memref<2x3xf32>) {
  %w = memref.get_global @w : memref<3x4xf32>
  // The buffer.
  %t = memref.alloc() : memref<4x3xf32>
  linalg.transpose ins(%w : memref<3x4xf32>) outs(%t : memref<4x3xf32>) permutation = [1, 0]
  linalg.matmul ins(%x, %t : memref<2x4xf32>, memref<4x3xf32>) outs(%y : memref<2x3xf32>)
  memref.dealloc %t : memref<4x3xf32>
  return
}

// -----

// What somebody may write, or have, or what is no constant, stays.
// CHECK-NOT: berth_constant
memref.global "private" constant @w : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
memref.global "private" @variable : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
memref.global "private" constant @outside : memref<4xf32>
func.func private @take(memref<4xf32>)
func.func @others(%c: i1, %x: memref<4xf32>, %f: f32) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %w = memref.get_global @w : memref<4xf32>
  %a = memref.alloc() : memref<4xf32>
  memref.copy %w, %a : memref<4xf32> to memref<4xf32>
  memref.store %f, %a[%c0] : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.copy %w, %b : memref<4xf32> to memref<4xf32>
  call @take(%b) : (memref<4xf32>) -> ()
  %d = memref.alloc() : memref<4xf32>
  memref.copy %w, %d : memref<4xf32> to memref<4xf32>
  %r = arith.select %c, %d, %x : memref<4xf32>
  memref.store %f, %r[%c0] : memref<4xf32>
  %v = memref.get_global @variable : memref<4xf32>
  %e = memref.alloc() : memref<4xf32>
  memref.copy %v, %e : memref<4xf32> to memref<4xf32>
  "read"(%e) : (memref<4xf32>) -> ()
  %o = memref.get_global @outside : memref<4xf32>
  %g = memref.alloc() : memref<4xf32>
  memref.copy %o, %g : memref<4xf32> to memref<4xf32>
  memref.copy %g, %x : memref<4xf32> to memref<4xf32>
  %h = memref.alloc() : memref<4xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"]} ins(%w : memref<4xf32>) outs(%h : memref<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %k = arith.mulf %in, %f : f32
    linalg.yield %k : f32
  }
  memref.copy %h, %x : memref<4xf32> to memref<4xf32>
  %p = memref.alloc() : memref<4xf32>
  memref.copy %w, %p : memref<4xf32> to memref<4xf32>
  %s = memref.subview %p[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
  linalg.fill ins(%f : f32) outs(%s : memref<2xf32, strided<[1]>>)
  memref.copy %p, %x : memref<4xf32> to memref<4xf32>
  %q = memref.alloc() : memref<4xf32>
  memref.copy %w, %q : memref<4xf32> to memref<4xf32>
  return %q : memref<4xf32>
}
