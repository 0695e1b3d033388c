// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// split-arenas: a part for each stretch of the plan that no buffer crosses.
// RUN: %mlir-opt-berth %s --remarks-filter='berth.*' --allow-unregistered-dialect -o %t.out --pass-pipeline='builtin.module(berth-arena{split-arenas=true report=-})' 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: FileCheck %s < %t.out
// RUN: %mlir-opt-berth %s --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{split-arenas=true arena=global})' | FileCheck %s --check-prefix=GLOBAL
// RUN: %mlir-opt-berth %s --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{report=-})' 2>&1 | FileCheck %s --check-prefix=WHOLE
// RUN: %mlir-opt-berth %s --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{split-arenas=true packer=first-fit report=-})' 2>&1 | FileCheck %s --check-prefix=NAMED
// RUN: %mlir-opt-berth %s --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{split-arenas=true packer=mlir-best-fit report=-})' 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not %mlir-opt-berth %s --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{split-arenas=true arena=argument})' 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// RUN: not %mlir-opt-berth %s --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{split-arenas=true arena=dynamic})' 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// RUN: not %mlir-opt-berth %s --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{split-arenas=true arena=annotate})' 2>&1 | FileCheck %s --check-prefix=ANNOTATE
// ARGUMENT: error: berth-arena: split-arenas: arena=argument can only be one arena
// DYNAMIC: error: berth-arena: split-arenas: arena=dynamic can only be one arena
// ANNOTATE: error: berth-arena: split-arenas: arena=annotate can only be one arena
// WHOLE-NOT: "parts"

// REPORT-DAG: in 2 parts
// REPORT-DAG: "scope": "pairs"{{.*}}"bytes_after": 96,{{.*}}"parts": [{"offset": 0, "bytes": 64, "alignment": 16}, {"offset": 64, "bytes": 32, "alignment": 16}],
// REPORT-DAG: "scope": "chain"{{.*}}"bytes_after": 96,{{.*}}"parts": [{"offset": 0, "bytes": 96, "alignment": 16}],
// REPORT-DAG: "scope": "aligned"{{.*}}"bytes_after": 44,{{.*}}"parts": [{"offset": 0, "bytes": 32, "alignment": 32}, {"offset": 32, "bytes": 3, "alignment": 32}, {"offset": 36, "bytes": 4, "alignment": 4}, {"offset": 40, "bytes": 4, "alignment": 8}],

// Two that are live together, then two that take over from them.
// CHECK-LABEL: func.func @pairs
// CHECK: %[[LARGE:.*]] = memref.alloc() {alignment = 64 : i64, {{.*}}} : memref<64xi8>
// CHECK: %[[SMALL:.*]] = memref.alloc() {alignment = 64 : i64, {{.*}}} : memref<32xi8>
// CHECK: memref.view %[[LARGE]][%{{.*}}][] {berth.buffer = 0 : i64} : memref<64xi8> to memref<16xi32>
// CHECK: memref.view %[[SMALL]][%{{.*}}][] {berth.buffer = 1 : i64} : memref<32xi8> to memref<8xi32>
// CHECK: memref.view %[[LARGE]][%{{.*}}][] {berth.buffer = 2 : i64} : memref<64xi8> to memref<16xi32>
// CHECK: memref.view %[[SMALL]][%{{.*}}][] {berth.buffer = 3 : i64} : memref<32xi8> to memref<8xi32>
// CHECK: memref.dealloc
// CHECK: memref.dealloc
// CHECK-NEXT: return
func.func @pairs() {
  %a = memref.alloc() : memref<16xi32>
  %b = memref.alloc() : memref<8xi32>
  "test.use"(%a, %b) : (memref<16xi32>, memref<8xi32>) -> ()
  %c = memref.alloc() : memref<16xi32>
  %d = memref.alloc() : memref<8xi32>
  "test.use"(%c, %d) : (memref<16xi32>, memref<8xi32>) -> ()
  return
}

// %c has bytes of both.
// CHECK-LABEL: func.func @chain
// CHECK: memref.alloc() {{.*}} : memref<96xi8>
// CHECK-NOT: memref.alloc
func.func @chain() {
  %a = memref.alloc() : memref<16xi32>
  %b = memref.alloc() : memref<8xi32>
  "test.use"(%a, %b) : (memref<16xi32>, memref<8xi32>) -> ()
  %c = memref.alloc() : memref<24xi32>
  "test.use"(%c) : (memref<24xi32>) -> ()
  return
}

// A part is as aligned as its place in the arena. In the order of their offsets
// they fit where the arena did. What has no bytes may lie in any.
// CHECK-LABEL: func.func @aligned
// GLOBAL: @berth_arena_aligned{{.*}} : memref<32xi8> = uninitialized {alignment = 32 : i64}
// GLOBAL-NEXT: @berth_arena_aligned{{.*}} : memref<3xi8> = uninitialized {alignment = 32 : i64}
// GLOBAL-NEXT: @berth_arena_aligned{{.*}} : memref<4xi8> = uninitialized {alignment = 4 : i64}
// GLOBAL-NEXT: @berth_arena_aligned{{.*}} : memref<4xi8> = uninitialized {alignment = 8 : i64}
func.func @aligned() {
  %a = memref.alloc() {alignment = 32 : i64} : memref<8xi32>
  %b = memref.alloc() : memref<1xi32>
  %c = memref.alloc() : memref<1xi32>
  %d = memref.alloc() {alignment = 16 : i64} : memref<3xi8>
  %e = memref.alloc() : memref<0xi32>
  "test.use"(%a, %b, %c, %d, %e) : (memref<8xi32>, memref<1xi32>, memref<1xi32>, memref<3xi8>, memref<0xi32>) -> ()
  return
}

// First fit puts %d at 48, across the end of %c, so that all hang together.
// Without a packer's name, a plan as small that falls into parts is preferred.
// NAMED: "scope": "preferred"{{.*}}"bytes_after": 96,{{.*}}"parts": [{"offset": 0, "bytes": 96, "alignment": 16}],
// REPORT-DAG: "scope": "preferred"{{.*}}"bytes_after": 96,{{.*}}"optimal": true,{{.*}}"parts": [{"offset": 0, "bytes": 64, "alignment": 16}, {"offset": 64, "bytes": 32, "alignment": 16}],
func.func @preferred() {
  %a = memref.alloc() : memref<16xi32>
  %b = memref.alloc() : memref<8xi32>
  "test.use"(%a, %b) : (memref<16xi32>, memref<8xi32>) -> ()
  %c = memref.alloc() : memref<12xi32>
  %d = memref.alloc() : memref<8xi32>
  "test.use"(%c, %d) : (memref<12xi32>, memref<8xi32>) -> ()
  return
}

// In the order of their starts, %b goes to 4 and %c to 16, across its end: a part
// of both would have to begin at 0 for the sake of %c's alignment, where %a is.
// So all are one part.
// ORDER: "scope": "one"{{.*}}"bytes_after": 32,{{.*}}"parts": [{"offset": 0, "bytes": 32, "alignment": 16}],
func.func @one(%x: i32) -> (i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1xi32>
  linalg.fill ins(%x : i32) outs(%a : memref<1xi32>)
  %b = memref.alloc() : memref<4xi32>
  linalg.fill ins(%x : i32) outs(%b : memref<4xi32>)
  %i = memref.load %b[%c0] : memref<4xi32>
  %c = memref.alloc() {alignment = 16 : i64} : memref<4xi32>
  linalg.fill ins(%x : i32) outs(%c : memref<4xi32>)
  %j = memref.load %c[%c0] : memref<4xi32>
  %k = memref.load %a[%c0] : memref<1xi32>
  return %i, %j, %k : i32, i32, i32
}
