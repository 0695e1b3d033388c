// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two slots take turns also for what called functions do no more to than read
// and write it.
// REQUIRES: mlir
// RUN: %same-output %s | FileCheck %s --check-prefix=BYTES
// RUN: not %same-output --pipeline='berth-arena{test-break-rule=kept-instances}' %s 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena)' %s | FileCheck %s
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(func.func(berth-arena))' %s | FileCheck %s --check-prefix=HIDDEN

// BROKEN: same-output: the output differs
// BYTES: through_calls: 64

#same = affine_map<(d0) -> (d0)>
#mirrored = affine_map<(d0) -> (7 - d0)>

func.func private @step(%p: memref<8xf32>, %q: memref<8xf32>, %k: f32) {
  linalg.generic {indexing_maps = [#mirrored, #same, #same], iterator_types = ["parallel"]}
    ins(%p, %p : memref<8xf32>, memref<8xf32>) outs(%q : memref<8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %n = linalg.index 0 : index
    %i = arith.index_cast %n : index to i32
    %f = arith.sitofp %i : i32 to f32
    %s = arith.addf %a, %f : f32
    %t = arith.mulf %b, %k : f32
    %u = arith.addf %s, %t : f32
    linalg.yield %u : f32
  }
  return
}

// CHECK-LABEL: @through_calls
// CHECK: memref.alloc() {{.*}} : memref<64xi8>
// CHECK: scf.for
// CHECK: arith.select
// CHECK-NOT: memref.alloc
// CHECK-LABEL: @keep
// In a run on single functions a call may do anything.
// HIDDEN-LABEL: @through_calls
// HIDDEN: scf.for
// HIDDEN: memref.alloc
func.func @through_calls(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %init = memref.alloc() : memref<8xf32>
  linalg.fill ins(%one : f32) outs(%init : memref<8xf32>)
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%p = %init) -> memref<8xf32> {
    %q = memref.alloc() : memref<8xf32>
    func.call @step(%p, %q, %half) : (memref<8xf32>, memref<8xf32>, f32) -> ()
    scf.yield %q : memref<8xf32>
  }
  %v = vector.load %last[%c0] : memref<8xf32>, vector<8xf32>
  vector.print %v : vector<8xf32>
  return
}

func.func private @keep(%p: memref<8xf32>, %box: memref<memref<8xf32>>, %i: index) {
  %c1 = arith.constant 1 : index
  %isSecond = arith.cmpi eq, %i, %c1 : index
  scf.if %isSecond {
    memref.store %p, %box[] : memref<memref<8xf32>>
  }
  return
}

// The instance of the first turn is read behind the loop, by its address.
// CHECK-LABEL: @kept
// CHECK: scf.for
// CHECK-NOT: arith.select
// CHECK: memref.alloc() : memref<8xf32>
func.func @kept(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %init = memref.alloc() : memref<8xf32>
  %first = memref.alloc() : memref<8xf32>
  %box = memref.alloca() : memref<memref<8xf32>>
  memref.store %first, %box[] : memref<memref<8xf32>>
  linalg.fill ins(%one : f32) outs(%init : memref<8xf32>)
  linalg.fill ins(%half : f32) outs(%first : memref<8xf32>)
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%p = %init) -> memref<8xf32> {
    %q = memref.alloc() : memref<8xf32>
    func.call @keep(%p, %box, %i) : (memref<8xf32>, memref<memref<8xf32>>, index) -> ()
    func.call @step(%p, %q, %half) : (memref<8xf32>, memref<8xf32>, f32) -> ()
    scf.yield %q : memref<8xf32>
  }
  %kept = memref.load %box[] : memref<memref<8xf32>>
  %v = vector.load %kept[%c0] : memref<8xf32>, vector<8xf32>
  vector.print %v : vector<8xf32>
  %w = vector.load %last[%c0] : memref<8xf32>, vector<8xf32>
  vector.print %w : vector<8xf32>
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  scf.for %n = %c0 to %c7 step %c2 {
    func.call @through_calls(%n) : (index) -> ()
    func.call @kept(%n) : (index) -> ()
  }
  call @through_calls(%c1) : (index) -> ()
  return
}
