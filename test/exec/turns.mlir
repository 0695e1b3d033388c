// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slots take turns also in scf.while, of which each turn has its number, where
// turns use what several before them have made, and where they free it.
// REQUIRES: mlir
// RUN: %same-output %s | FileCheck %s --check-prefix=BYTES
// RUN: %same-output --before=buffer-deallocation-pipeline %s | FileCheck %s --check-prefix=FREED
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena)' %s | FileCheck %s
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena,canonicalize,cse,berth-verify)' %s -o /dev/null
// RUN: not %same-output --pipeline='berth-arena{verify=false test-break-rule=no-older-instances}' %s 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: not %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{test-break-rule=no-older-instances})' %s 2>&1 | FileCheck %s --check-prefix=REFUSED

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

// The second region makes it, the first one looks at it.
// CHECK-LABEL: @checked
// CHECK: memref.alloc() {{.*}} : memref<64xi8>
// CHECK: scf.while ({{.*}}, %[[TURN:.*]] = %{{.*}}) : (memref<8xi32>, index, index)
// CHECK: } do {
// CHECK: arith.select {{.*}} {berth.turns = 2 : i64}
// CHECK-NOT: memref.alloc
// CHECK: return
// BYTES: checked: 64
// FREED: checked: 64
func.func @checked(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %init = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%init : memref<8xi32>)
  %last:2 = scf.while (%p = %init, %i = %c0) : (memref<8xi32>, index) -> (memref<8xi32>, index) {
    func.call @show(%p) : (memref<8xi32>) -> ()
    %goes = arith.cmpi ult, %i, %n : index
    scf.condition(%goes) %p, %i : memref<8xi32>, index
  } do {
  ^bb0(%p: memref<8xi32>, %i: index):
    %q = memref.alloc() : memref<8xi32>
    func.call @step(%p, %p, %q) : (memref<8xi32>, memref<8xi32>, memref<8xi32>) -> ()
    %next = arith.addi %i, %c1 : index
    scf.yield %q, %next : memref<8xi32>, index
  }
  call @show(%last#0) : (memref<8xi32>) -> ()
  return
}

// The first region makes it: once more than there are turns.
// CHECK-LABEL: @made_ahead
// CHECK: memref.alloc() {{.*}} : memref<64xi8>
// CHECK: scf.while
// CHECK: arith.select {{.*}} {berth.turns = 2 : i64}
// CHECK: } do {
// CHECK: return
// BYTES: made_ahead: 64
func.func @made_ahead(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %init = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%init : memref<8xi32>)
  %last:2 = scf.while (%i = %c0, %p = %init) : (index, memref<8xi32>) -> (memref<8xi32>, index) {
    %q = memref.alloc() : memref<8xi32>
    func.call @step(%p, %p, %q) : (memref<8xi32>, memref<8xi32>, memref<8xi32>) -> ()
    %goes = arith.cmpi ult, %i, %n : index
    scf.condition(%goes) %q, %i : memref<8xi32>, index
  } do {
  ^bb0(%q: memref<8xi32>, %i: index):
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %q : index, memref<8xi32>
  }
  call @show(%last#0) : (memref<8xi32>) -> ()
  return
}

// Two that are carried change places by the way, and each turn makes one of
// both: three slots. The older one is wanted behind the loop, too.
// CHECK-LABEL: @fibonacci
// CHECK: memref.alloc() {{.*}} : memref<96xi8>
// CHECK: scf.while
// CHECK: arith.select
// CHECK: arith.select {{.*}} {berth.turns = 3 : i64}
// CHECK: return
// BYTES: fibonacci: 96
func.func @fibonacci(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  linalg.fill ins(%two : i32) outs(%b : memref<8xi32>)
  %last:3 = scf.while (%p = %a, %o = %b, %i = %c0) : (memref<8xi32>, memref<8xi32>, index) -> (index, memref<8xi32>, memref<8xi32>) {
    %goes = arith.cmpi ult, %i, %n : index
    scf.condition(%goes) %i, %o, %p : index, memref<8xi32>, memref<8xi32>
  } do {
  ^bb0(%i: index, %o: memref<8xi32>, %p: memref<8xi32>):
    %q = memref.alloc() : memref<8xi32>
    func.call @step(%p, %o, %q) : (memref<8xi32>, memref<8xi32>, memref<8xi32>) -> ()
    %next = arith.addi %i, %c1 : index
    scf.yield %q, %p, %next : memref<8xi32>, memref<8xi32>, index
  }
  call @show(%last#1) : (memref<8xi32>) -> ()
  call @show(%last#2) : (memref<8xi32>) -> ()
  return
}

// Three turns back: four slots, of which the loop begins with one; %a is wanted
// behind it, and %c begins twice.
// CHECK-LABEL: @three_back
// CHECK: memref.alloc() {{.*}} : memref<192xi8>
// CHECK: scf.for
// CHECK: arith.select {{.*}} {berth.turns = 4 : i64}
// CHECK: return
// BYTES: three_back: 192
func.func @three_back(%lower: index, %upper: index, %step: index) {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  %c = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  linalg.fill ins(%two : i32) outs(%c : memref<8xi32>)
  %last:3 = scf.for %i = %lower to %upper step %step iter_args(%x = %a, %y = %c, %z = %c) -> (memref<8xi32>, memref<8xi32>, memref<8xi32>) {
    %q = memref.alloc() : memref<8xi32>
    func.call @step(%x, %z, %q) : (memref<8xi32>, memref<8xi32>, memref<8xi32>) -> ()
    func.call @show(%z) : (memref<8xi32>) -> ()
    scf.yield %q, %x, %y : memref<8xi32>, memref<8xi32>, memref<8xi32>
  }
  call @show(%last#0) : (memref<8xi32>) -> ()
  call @show(%last#2) : (memref<8xi32>) -> ()
  call @show(%a) : (memref<8xi32>) -> ()
  return
}

// What is read ahead of the next allocation only has one place, as it had.
// CHECK-LABEL: @read_ahead
// CHECK: memref.alloc() {{.*}} : memref<32xi8>
// CHECK-NOT: arith.select
// CHECK: return
// BYTES: read_ahead: 32
func.func @read_ahead(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %init = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%init : memref<8xi32>)
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%p = %init) -> (memref<8xi32>) {
    %v = vector.load %p[%c0] : memref<8xi32>, vector<8xi32>
    %q = memref.alloc() : memref<8xi32>
    %w = arith.addi %v, %v : vector<8xi32>
    vector.store %w, %q[%c0] : memref<8xi32>, vector<8xi32>
    scf.yield %q : memref<8xi32>
  }
  call @show(%last) : (memref<8xi32>) -> ()
  return
}

// One that is kept as long as a number says so may be of any age.
// CHECK-LABEL: @kept
// CHECK: scf.while
// CHECK: memref.alloc() : memref<8xi32>
// CHECK: return
func.func @kept(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %init = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%init : memref<8xi32>)
  %last:2 = scf.while (%p = %init, %i = %c0) : (memref<8xi32>, index) -> (memref<8xi32>, index) {
    %goes = arith.cmpi ult, %i, %n : index
    scf.condition(%goes) %p, %i : memref<8xi32>, index
  } do {
  ^bb0(%p: memref<8xi32>, %i: index):
    %q = memref.alloc() : memref<8xi32>
    func.call @step(%p, %p, %q) : (memref<8xi32>, memref<8xi32>, memref<8xi32>) -> ()
    %next = arith.addi %i, %c1 : index
    %bit = arith.andi %i, %c1 : index
    %takes = arith.cmpi eq, %bit, %c0 : index
    %either = scf.if %takes -> memref<8xi32> {
      scf.yield %q : memref<8xi32>
    } else {
      scf.yield %p : memref<8xi32>
    }
    scf.yield %either, %next : memref<8xi32>, index
  }
  call @show(%last#0) : (memref<8xi32>) -> ()
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c12 = arith.constant 12 : index
  scf.for %n = %c0 to %c12 step %c1 {
    func.call @checked(%n) : (index) -> ()
    func.call @made_ahead(%n) : (index) -> ()
    func.call @fibonacci(%n) : (index) -> ()
    func.call @three_back(%c0, %n, %c1) : (index, index, index) -> ()
    func.call @three_back(%c1, %n, %c3) : (index, index, index) -> ()
    func.call @read_ahead(%n) : (index) -> ()
    func.call @kept(%n) : (index) -> ()
  }
  return
}
