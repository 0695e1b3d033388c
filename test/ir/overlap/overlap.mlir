// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{overlap=on})' --remarks-filter='berth.*' -o - 2>&1 | FileCheck %s
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{overlap=off})' | FileCheck %s --check-prefix=OFF
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{overlap=on arena=annotate},berth-verify)' | FileCheck %s --check-prefix=ANNOTATE
// Passes of MLIR that run affine loops in parallel leave these alone.
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{overlap=on},func.func(affine-raise-from-memref,affine-parallelize,affine-loop-fusion,affine-scalrep,loop-invariant-code-motion,cse),canonicalize,berth-verify)' | FileCheck %s --check-prefix=BEHIND
// A second run keeps the mark, and so the distance; places by attributes are new.
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{overlap=on},berth-arena)' | FileCheck %s --check-prefix=AGAIN
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-arena{overlap=on arena=annotate},berth-arena{overlap=off})' | FileCheck %s --check-prefix=OFF
// RUN: not %berth-opt %s --pass-pipeline='builtin.module(berth-arena{overlap=maybe})' 2>&1 | FileCheck %s --check-prefix=MAYBE
// MAYBE: overlap 'maybe' is neither on nor off, nor narrower

// CHECK: remark: {{.*}}64 bytes of %alloc are read here before %alloc_0 is written over them: the order of these loops has to stay (berth.ordered)
// CHECK: remark: {{.*}}in an arena of 256 bytes instead of 320 {{.*}}, 64 bytes less by 1 overlaps
// CHECK-LABEL: func.func @narrow(
// CHECK: memref.alloc() {{.*}} : memref<256xi8>
// CHECK: %[[X:.*]] = memref.view {{.*}} to memref<64xf32>
// CHECK: %[[Y:.*]] = memref.view {{.*}} to memref<64xi8>
// CHECK: memref.load %[[X]]
// CHECK: memref.store %{{.*}}, %[[Y]]
// CHECK-NEXT: } {berth.ordered}
// OFF: memref.alloc() {{.*}} : memref<320xi8>
// OFF-NOT: berth.ordered
// ANNOTATE: func.func @narrow({{.*}}berth.arena_size = 256
// ANNOTATE: berth.offset = 0
// ANNOTATE: berth.offset = 0
// ANNOTATE: } {berth.ordered}
// BEHIND: func.func @narrow(
// BEHIND: scf.for
// BEHIND: berth.ordered
// AGAIN: func.func @narrow(
// AGAIN: memref.alloc() {{.*}} : memref<256xi8>
// AGAIN: berth.ordered
func.func @narrow(%in: memref<64xf32>, %out: memref<64xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %x = memref.alloc() : memref<64xf32>
  %y = memref.alloc() : memref<64xi8>
  linalg.exp ins(%in : memref<64xf32>) outs(%x : memref<64xf32>)
  scf.for %i = %c0 to %c64 step %c1 {
    %v = memref.load %x[%i] : memref<64xf32>
    %t = arith.fptosi %v : f32 to i8
    memref.store %t, %y[%i] : memref<64xi8>
  }
  memref.copy %y, %out : memref<64xi8> to memref<64xi8>
  return
}
