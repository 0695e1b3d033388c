// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// Buffers that iterations of parallel loops allocate: one arena an iteration.
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena)' %s | FileCheck %s
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(func.func(berth-arena{arena=alloca}))' %s | FileCheck %s --check-prefix=ALLOCA
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{arena=annotate})' %s | FileCheck %s --check-prefix=ANNOTATE
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{arena=global})' %s | FileCheck %s --check-prefix=GLOBAL
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{arena=global})' --remarks-filter='berth.*' %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=ONCE
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{report=-})' %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-merge)' %s | FileCheck %s --check-prefix=MERGE
// And around the deallocation passes, which take no memref.dealloc, nor OpenMP.
// RUN: sed -e '/^ *memref.dealloc/d' -e '/^func.func @openmp/,$d' %s > %t.mlir
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(buffer-deallocation-pipeline,berth-arena)' %t.mlir | FileCheck %s --check-prefix=FREED
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena,buffer-deallocation-pipeline)' %t.mlir | FileCheck %s --check-prefix=FREED

// The function's own arena stands outside and is live for the whole loop; the
// iterations' are freed by themselves.
// CHECK-LABEL: func.func @tiles
// CHECK:         memref.alloc() {{.*}} : memref<64xi8>
// CHECK:         scf.forall
// CHECK-NEXT:      %[[TILE:.*]] = memref.alloc() {{.*}} : memref<32xi8>
// CHECK:           memref.view %[[TILE]]
// CHECK:           memref.view %[[TILE]]
// CHECK:           memref.dealloc %[[TILE]] {{.*}} : memref<32xi8>
// CHECK-NEXT:    }
// CHECK-NOT:     memref.alloc
// CHECK:         memref.dealloc {{.*}} : memref<64xi8>
// FREED-LABEL: func.func @tiles
// FREED:         scf.forall
// FREED-NEXT:      %[[TILE:.*]] = memref.alloc() {{.*}} : memref<32xi8>
// FREED-NOT:       memref.alloc
// FREED:           memref.dealloc %[[TILE]] {{.*}} : memref<32xi8>
// FREED-NEXT:    }
// FREED:         memref.dealloc {{.*}} : memref<64xi8>
// ALLOCA-LABEL: func.func @tiles
// ALLOCA:         memref.alloca() {{.*}} : memref<64xi8>
// ALLOCA:         scf.forall
// ALLOCA-NEXT:      memref.alloca() {{.*}} : memref<32xi8>
// ALLOCA-NOT:     dealloc
// ANNOTATE-LABEL: func.func @tiles
// ANNOTATE-SAME:    berth.arena_size = 64
// ANNOTATE:         scf.forall
// ANNOTATE:           memref.alloc() {berth.offset = 0 : i64, berth.size = 32 : i64}
// ANNOTATE:           memref.alloc() {berth.offset = 0 : i64, berth.size = 32 : i64}
// ANNOTATE:         } {berth.arena_size = 32 : i64}
// One global would be shared by all iterations.
// GLOBAL-LABEL: func.func @tiles
// GLOBAL:         memref.get_global @berth_arena_tiles : memref<64xi8>
// GLOBAL:         scf.forall
// GLOBAL-COUNT-2:   memref.alloc() : memref<8xf32>
// ONCE:          iterations.mlir:[[#@LINE+17]]:{{.*}}Missed{{.*}}it is allocated by iterations that run at the same time, and an arena of this form would be one for all
// REPORT:        {"scope": "tiles", {{.*}}"arena": "alloc",{{.*}}"bytes_after": 64
// REPORT-NEXT:   {"scope": "scf.forall at line [[#@LINE+14]]", {{.*}}"iteration": true, "arena": "alloc", "buffers": 2, "placed": 2, "bytes_before": 64, "bytes_after": 32,
// MERGE-LABEL:   func.func @tiles
// MERGE:           memref.alloc() : memref<8xf32>
// MERGE:           memref.alloc() : memref<8xf32>
// MERGE:           scf.forall
// MERGE-NEXT:        memref.alloc() {{.*}} : memref<8xf32>
// MERGE-NOT:         memref.alloc
// MERGE:             memref.dealloc {{.*}} : memref<8xf32>
// MERGE-NEXT:      }
func.func @tiles(%x: f32, %out: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %in = memref.alloc() : memref<8xf32>
  %to = memref.alloc() : memref<8xf32>
  memref.store %x, %in[%c0] : memref<8xf32>
  scf.forall (%i) in (8) {
    %a = memref.alloc() : memref<8xf32>
    %v = memref.load %in[%c0] : memref<8xf32>
    memref.store %v, %a[%c0] : memref<8xf32>
    %w = memref.load %a[%c0] : memref<8xf32>
    memref.dealloc %a : memref<8xf32>
    %b = memref.alloc() : memref<8xf32>
    memref.store %w, %b[%c0] : memref<8xf32>
    %u = memref.load %b[%c0] : memref<8xf32>
    memref.dealloc %b : memref<8xf32>
    memref.store %u, %to[%i] : memref<8xf32>
  }
  memref.copy %to, %out : memref<8xf32> to memref<8xf32>
  return
}

// An iteration of a loop in an iteration has an arena of its own too. What came
// from the stack stays there.
// CHECK-LABEL: func.func @nested
// CHECK:         scf.parallel
// CHECK-NEXT:      %[[OUTER:.*]] = memref.alloc() {{.*}} : memref<32xi8>
// CHECK:           affine.parallel
// CHECK-NEXT:        %[[INNER:.*]] = memref.alloca() {{.*}} : memref<16xi8>
// CHECK:             memref.view %[[INNER]]
// CHECK:             memref.view %[[INNER]]
// CHECK-NOT:         dealloc
// CHECK:           }
// CHECK:           memref.dealloc %[[OUTER]]
// CHECK-NEXT:      scf.reduce
func.func @nested(%n: index, %x: f32, %out: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%x) -> f32 {
    %a = memref.alloc() : memref<8xf32>
    memref.store %x, %a[%c0] : memref<8xf32>
    affine.parallel (%j) = (0) to (8) {
      %b = memref.alloca() : memref<4xf32>
      %v = memref.load %a[%c0] : memref<8xf32>
      memref.store %v, %b[%c0] : memref<4xf32>
      %w = memref.load %b[%c0] : memref<4xf32>
      %c = memref.alloca() : memref<4xf32>
      memref.store %w, %c[%c0] : memref<4xf32>
      %u = memref.load %c[%c0] : memref<4xf32>
      memref.store %u, %out[%j] : memref<8xf32>
    }
    %s = memref.load %a[%c0] : memref<8xf32>
    scf.reduce(%s : f32) {
    ^bb0(%l: f32, %m: f32):
      %t = arith.addf %l, %m : f32
      scf.reduce.return %t : f32
    }
  }
  return %r : f32
}

// A size that is known outside of the loop is known at the start of an
// iteration; one that comes from memory, behind the load.
// CHECK-LABEL: func.func @sizes
// CHECK-SAME:    %[[N:[a-z0-9]*]]: index
// CHECK:         scf.forall
// CHECK:           %[[BYTES:.*]] = arith.muli %[[N]]
// CHECK:           %[[SIZE:.*]] = arith.select %{{.*}}, %[[BYTES]]
// CHECK:           %[[FIRST:.*]] = memref.alloc({{.*}}) {{.*}} : memref<?xi8>
// CHECK:           memref.view %[[FIRST]]{{.*}}[%[[N]]]
// CHECK:           memref.view %[[FIRST]]{{.*}}[%[[N]]]
// CHECK:           %[[M:.*]] = memref.load
// CHECK:           %[[SECOND:.*]] = memref.alloc({{.*}}) {{.*}} : memref<?xi8>
// CHECK:           memref.view %[[SECOND]]{{.*}}[%[[M]]]
// CHECK:           memref.view %[[SECOND]]{{.*}}[%[[M]]]
// CHECK:           memref.dealloc {{.*}} : memref<?xi8>
// CHECK:           memref.dealloc {{.*}} : memref<?xi8>
// CHECK-NEXT:    }
func.func @sizes(%n: index, %sizes: memref<8xindex>, %x: f32) {
  %c0 = arith.constant 0 : index
  scf.forall (%i) in (8) {
    %a = memref.alloc(%n) : memref<?xf32>
    linalg.fill ins(%x : f32) outs(%a : memref<?xf32>)
    memref.dealloc %a : memref<?xf32>
    %b = memref.alloc(%n) : memref<?xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<?xf32>)
    memref.dealloc %b : memref<?xf32>
    %m = memref.load %sizes[%i] : memref<8xindex>
    %c = memref.alloc(%m) : memref<?xf32>
    linalg.fill ins(%x : f32) outs(%c : memref<?xf32>)
    memref.dealloc %c : memref<?xf32>
    %d = memref.alloc(%m) : memref<?xf32>
    linalg.fill ins(%x : f32) outs(%d : memref<?xf32>)
    memref.dealloc %d : memref<?xf32>
  }
  return
}

// Not the wrapper between, which may hold nothing else.
// CHECK-LABEL: func.func @openmp
// CHECK:         omp.parallel
// CHECK-NEXT:      %[[THREAD:.*]] = memref.alloc() {{.*}} : memref<32xi8>
// CHECK:           memref.dealloc %[[THREAD]]
// CHECK-NEXT:      omp.wsloop
// CHECK-NEXT:        omp.loop_nest
// CHECK-NEXT:          %[[TURN:.*]] = memref.alloc() {{.*}} : memref<32xi8>
// CHECK:               memref.dealloc %[[TURN]]
// CHECK-NEXT:          omp.yield
// CHECK:           omp.terminator
func.func @openmp(%x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  omp.parallel {
    %a = memref.alloc() : memref<8xf32>
    memref.store %x, %a[%c0] : memref<8xf32>
    memref.dealloc %a : memref<8xf32>
    %b = memref.alloc() : memref<8xf32>
    memref.store %x, %b[%c0] : memref<8xf32>
    memref.dealloc %b : memref<8xf32>
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%c8) step (%c1) {
        %c = memref.alloc() : memref<8xf32>
        memref.store %x, %c[%c0] : memref<8xf32>
        memref.dealloc %c : memref<8xf32>
        %d = memref.alloc() : memref<8xf32>
        memref.store %x, %d[%c0] : memref<8xf32>
        memref.dealloc %d : memref<8xf32>
        omp.yield
      }
    }
    omp.terminator
  }
  return
}
