// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of memory spaces may be those of levels: that a function also has memory in
// space 3, which would be a workgroup's on a GPU, does not make threads of what runs it.
// RUN: %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-arena{space=1},berth-verify)' | FileCheck %s
// CHECK-LABEL: func.func @f
// CHECK:         memref.alloc() {{.*}}memref<64xi8, 1>

memref.global "private" constant @w : memref<16xf32, 3> = dense<2.0>
func.func @f(%x: memref<16xf32, 3>, %y: memref<16xf32, 3>) {
  %g = memref.get_global @w : memref<16xf32, 3>
  %a = memref.alloc() : memref<16xf32, 1>
  %b = memref.alloc() : memref<16xf32, 1>
  %c = memref.alloc() : memref<16xf32, 1>
  memref.copy %g, %a : memref<16xf32, 3> to memref<16xf32, 1>
  memref.copy %a, %b : memref<16xf32, 1> to memref<16xf32, 1>
  linalg.exp ins(%b : memref<16xf32, 1>) outs(%c : memref<16xf32, 1>)
  linalg.mul ins(%c, %x : memref<16xf32, 1>, memref<16xf32, 3>) outs(%y : memref<16xf32, 3>)
  return
}
