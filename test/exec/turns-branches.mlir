// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slots take turns also where branches of a turn make the buffer, or none.
// REQUIRES: mlir
// RUN: %same-output %s | FileCheck %s --check-prefix=BYTES
// RUN: %same-output --before=buffer-deallocation-pipeline %s | FileCheck %s --check-prefix=FREED
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena)' %s | FileCheck %s
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena,canonicalize,cse,berth-verify)' %s -o /dev/null
// RUN: not %same-output --pipeline='berth-arena{verify=false test-break-rule=making-turns}' %s 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: not %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{test-break-rule=making-turns})' %s 2>&1 | FileCheck %s --check-prefix=REFUSED

// BROKEN: same-output: the output differs
// REFUSED: error: uses what a turn has made when a later one has its bytes
// REFUSED: note: chooses among the buffers that turns take

#same = affine_map<(d0) -> (d0)>
#mirrored = affine_map<(d0) -> (7 - d0)>

func.func private @step(%p: memref<8xi32>, %o: memref<8xi32>, %q: memref<8xi32>) {
  linalg.generic {indexing_maps = [#mirrored, #same, #same], iterator_types = ["parallel"]}
    ins(%p, %o : memref<8xi32>, memref<8xi32>) outs(%q : memref<8xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32):
    %n = linalg.index 0 : index
    %i = arith.index_cast %n : index to i32
    %t = arith.muli %a, %i : i32
    %u = arith.addi %t, %b : i32
    linalg.yield %u : i32
  }
  return
}

func.func private @show(%m: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %v = vector.load %m[%c0] : memref<8xi32>, vector<8xi32>
  vector.print %v : vector<8xi32>
  return
}

// A turn makes one or hands on the last one.
// CHECK-LABEL: @now_and_then
// CHECK: memref.alloc() {{.*}} : memref<64xi8>
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[NUMBER:.*]] = %{{.*}})
// CHECK: scf.if
// CHECK: arith.select {{.*}} {berth.turns = 2 : i64}
// CHECK: scf.yield {{.*}} : memref<8xi32>, index
// CHECK: else
// CHECK: scf.yield %{{.*}}, %[[NUMBER]] : memref<8xi32>, index
// CHECK: return
// BYTES: now_and_then: 64
// FREED: now_and_then: 64
func.func @now_and_then(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1 : i32
  %init = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%init : memref<8xi32>)
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%p = %init) -> memref<8xi32> {
    %k = arith.remui %i, %c3 : index
    %makes = arith.cmpi ne, %k, %c1 : index
    %r = scf.if %makes -> memref<8xi32> {
      %q = memref.alloc() : memref<8xi32>
      func.call @step(%p, %p, %q) : (memref<8xi32>, memref<8xi32>, memref<8xi32>) -> ()
      scf.yield %q : memref<8xi32>
    } else {
      func.call @show(%p) : (memref<8xi32>) -> ()
      scf.yield %p : memref<8xi32>
    }
    func.call @show(%r) : (memref<8xi32>) -> ()
    scf.yield %r : memref<8xi32>
  }
  call @show(%last) : (memref<8xi32>) -> ()
  return
}

// Each branch makes it: one of the turn, whichever runs.
// CHECK-LABEL: @either
// CHECK: memref.alloc() {{.*}} : memref<64xi8>
// CHECK: scf.for
// CHECK: scf.index_switch
// CHECK-COUNT-3: arith.select {{.*}} {berth.turns = 2 : i64}
// CHECK: return
// BYTES: either: 64
// FREED: either: 64
func.func @either(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1 : i32
  %init = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%init : memref<8xi32>)
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%p = %init) -> memref<8xi32> {
    %k = arith.remui %i, %c3 : index
    %r = scf.index_switch %k -> memref<8xi32>
    case 0 {
      %a = memref.alloc() : memref<8xi32>
      func.call @step(%p, %p, %a) : (memref<8xi32>, memref<8xi32>, memref<8xi32>) -> ()
      scf.yield %a : memref<8xi32>
    }
    case 1 {
      %b = memref.alloc() : memref<8xi32>
      memref.copy %p, %b : memref<8xi32> to memref<8xi32>
      scf.yield %b : memref<8xi32>
    }
    default {
      %c = memref.alloc() : memref<8xi32>
      linalg.add ins(%p, %p : memref<8xi32>, memref<8xi32>) outs(%c : memref<8xi32>)
      scf.yield %c : memref<8xi32>
    }
    scf.yield %r : memref<8xi32>
  }
  call @show(%last) : (memref<8xi32>) -> ()
  return
}

// Two turns back, in a branch of a branch; where nothing is made the older one
// comes back.
// CHECK-LABEL: @history
// CHECK: memref.alloc() {{.*}} : memref<96xi8>
// CHECK: scf.while
// CHECK: arith.select {{.*}} {berth.turns = 3 : i64}
// CHECK: return
// BYTES: history: 96
func.func @history(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  linalg.fill ins(%two : i32) outs(%b : memref<8xi32>)
  %last:3 = scf.while (%p = %a, %o = %b, %i = %c0) : (memref<8xi32>, memref<8xi32>, index) -> (memref<8xi32>, memref<8xi32>, index) {
    %goes = arith.cmpi ult, %i, %n : index
    scf.condition(%goes) %p, %o, %i : memref<8xi32>, memref<8xi32>, index
  } do {
  ^bb0(%p: memref<8xi32>, %o: memref<8xi32>, %i: index):
    %k = arith.remui %i, %c5 : index
    %outer = arith.cmpi ne, %k, %c1 : index
    %inner = arith.cmpi ne, %k, %c2 : index
    %r:2 = scf.if %outer -> (memref<8xi32>, memref<8xi32>) {
      %s:2 = scf.if %inner -> (memref<8xi32>, memref<8xi32>) {
        %q = memref.alloc() : memref<8xi32>
        func.call @step(%p, %o, %q) : (memref<8xi32>, memref<8xi32>, memref<8xi32>) -> ()
        scf.yield %q, %p : memref<8xi32>, memref<8xi32>
      } else {
        func.call @show(%o) : (memref<8xi32>) -> ()
        scf.yield %p, %o : memref<8xi32>, memref<8xi32>
      }
      scf.yield %s#0, %s#1 : memref<8xi32>, memref<8xi32>
    } else {
      scf.yield %p, %p : memref<8xi32>, memref<8xi32>
    }
    %next = arith.addi %i, %c1 : index
    scf.yield %r#0, %r#1, %next : memref<8xi32>, memref<8xi32>, index
  }
  call @show(%last#0) : (memref<8xi32>) -> ()
  call @show(%last#1) : (memref<8xi32>) -> ()
  return
}

// What is handed on although a new one was made may be of any age: no slots.
// CHECK-LABEL: @kept
// CHECK: scf.for
// CHECK-NOT: berth.turns
// CHECK: return
func.func @kept(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1 : i32
  %init = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%init : memref<8xi32>)
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%p = %init) -> memref<8xi32> {
    %q = memref.alloc() : memref<8xi32>
    func.call @step(%p, %p, %q) : (memref<8xi32>, memref<8xi32>, memref<8xi32>) -> ()
    %k = arith.cmpi eq, %i, %c2 : index
    %r = scf.if %k -> memref<8xi32> {
      scf.yield %q : memref<8xi32>
    } else {
      scf.yield %p : memref<8xi32>
    }
    func.call @show(%q) : (memref<8xi32>) -> ()
    scf.yield %r : memref<8xi32>
  }
  call @show(%last) : (memref<8xi32>) -> ()
  return
}

// Where two are carried, and branches give one of them back, its age is bounded.
// CHECK-LABEL: @one_of_two
// CHECK: scf.for
// CHECK: arith.select {{.*}} {berth.turns = 3 : i64}
// CHECK: return
func.func @one_of_two(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  linalg.fill ins(%two : i32) outs(%b : memref<8xi32>)
  %last:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %o = %b) -> (memref<8xi32>, memref<8xi32>) {
    %k = arith.remui %i, %c2 : index
    %first = arith.cmpi eq, %k, %c0 : index
    %x = scf.if %first -> memref<8xi32> {
      scf.yield %p : memref<8xi32>
    } else {
      scf.yield %o : memref<8xi32>
    }
    %q = memref.alloc() : memref<8xi32>
    func.call @step(%p, %x, %q) : (memref<8xi32>, memref<8xi32>, memref<8xi32>) -> ()
    scf.yield %q, %p : memref<8xi32>, memref<8xi32>
  }
  call @show(%last#0) : (memref<8xi32>) -> ()
  call @show(%last#1) : (memref<8xi32>) -> ()
  return
}

// One that is given back and then kept may be of any age, too.
// CHECK-LABEL: @swapped
// CHECK: scf.for
// CHECK-NOT: berth.turns
// CHECK: return
func.func @swapped(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  linalg.fill ins(%two : i32) outs(%b : memref<8xi32>)
  %last:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %o = %b) -> (memref<8xi32>, memref<8xi32>) {
    %k = arith.remui %i, %c2 : index
    %makes = arith.cmpi eq, %k, %c0 : index
    %r:2 = scf.if %makes -> (memref<8xi32>, memref<8xi32>) {
      %q = memref.alloc() : memref<8xi32>
      func.call @step(%p, %o, %q) : (memref<8xi32>, memref<8xi32>, memref<8xi32>) -> ()
      scf.yield %q, %p : memref<8xi32>, memref<8xi32>
    } else {
      scf.yield %o, %p : memref<8xi32>, memref<8xi32>
    }
    scf.yield %r#0, %r#1 : memref<8xi32>, memref<8xi32>
  }
  call @show(%last#0) : (memref<8xi32>) -> ()
  call @show(%last#1) : (memref<8xi32>) -> ()
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c14 = arith.constant 14 : index
  scf.for %n = %c0 to %c14 step %c1 {
    func.call @now_and_then(%n) : (index) -> ()
    func.call @either(%n) : (index) -> ()
    func.call @history(%n) : (index) -> ()
    func.call @kept(%n) : (index) -> ()
    func.call @one_of_two(%n) : (index) -> ()
    func.call @swapped(%n) : (index) -> ()
  }
  return
}
