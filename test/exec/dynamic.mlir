// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %same-output %S/Inputs/prelude.mlir %s
// RUN: %same-output --pipeline='berth-arena{size-checks=false poison=true}' --pipeline='berth-arena{arena=alloca}' --pipeline='berth-arena{dynamic=bounded poison=true}' --pipeline='berth-arena,canonicalize,cse,berth-verify' %S/Inputs/prelude.mlir %s
// RUN: %same-output --pipeline=berth-merge --pipeline='berth-merge{may-merge=same-type}' --pipeline='berth-merge{may-merge=same-size}' --pipeline=berth %S/Inputs/prelude.mlir %s
// RUN: %mutate %S/Inputs/prelude.mlir %s | FileCheck %s
// CHECK: {{[1-9][0-9]+}} caught, {{[0-9]+}} harmless, 0 missed
//
// Buffers whose size is known only at run time, with many sizes, 0 among them.

// m[i] = x + i, all of it.
func.func private @fill(%m: memref<?xi32>, %x: i32) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"]} outs(%m : memref<?xi32>) {
  ^bb0(%out: i32):
    %i = linalg.index 0 : index
    %k = arith.index_cast %i : index to i32
    %v = arith.addi %x, %k : i32
    linalg.yield %v : i32
  }
  return
}

// A checksum that depends on the order.
func.func private @sum(%m: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  %n = memref.dim %m, %c0 : memref<?xi32>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (i32) {
    %v = memref.load %m[%i] : memref<?xi32>
    %t = arith.muli %s, %three : i32
    %u = arith.addi %t, %v : i32
    scf.yield %u : i32
  }
  vector.print %s : i32
  return
}

// Sizes that are equal, computed twice, and the size of another buffer.
func.func @equal_sizes(%n: index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %p = arith.muli %n, %c2 : index
  %a = memref.alloc(%p) : memref<?xi32>
  func.call @fill(%a, %one) : (memref<?xi32>, i32) -> ()
  %q = arith.muli %n, %c2 : index
  %b = memref.alloc(%q) : memref<?xi32>
  func.call @fill(%b, %two) : (memref<?xi32>, i32) -> ()
  func.call @sum(%a) : (memref<?xi32>) -> ()
  %r = memref.dim %a, %c0 : memref<?xi32>
  %c = memref.alloc(%r) : memref<?xi32>
  func.call @fill(%c, %one) : (memref<?xi32>, i32) -> ()
  func.call @sum(%b) : (memref<?xi32>) -> ()
  func.call @sum(%c) : (memref<?xi32>) -> ()
  memref.dealloc %a : memref<?xi32>
  memref.dealloc %b : memref<?xi32>
  memref.dealloc %c : memref<?xi32>
  return
}

// Two sizes of which now the one and now the other is larger; static buffers
// below both.
func.func @unequal_sizes(%n: index, %m: index) {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %s = memref.alloc() : memref<8xi32>
  func.call @count(%s, %one) : (memref<8xi32>, i32) -> ()
  %a = memref.alloc(%n) : memref<?xi32>
  func.call @fill(%a, %one) : (memref<?xi32>, i32) -> ()
  %b = memref.alloc(%m) : memref<?xi32>
  func.call @fill(%b, %two) : (memref<?xi32>, i32) -> ()
  func.call @sum(%a) : (memref<?xi32>) -> ()
  %c = memref.alloc(%m) : memref<?xi32>
  func.call @fill(%c, %one) : (memref<?xi32>, i32) -> ()
  func.call @sum(%b) : (memref<?xi32>) -> ()
  %d = memref.alloc(%n) : memref<?xi32>
  func.call @fill(%d, %two) : (memref<?xi32>, i32) -> ()
  func.call @sum(%c) : (memref<?xi32>) -> ()
  func.call @sum(%d) : (memref<?xi32>) -> ()
  func.call @show(%s) : (memref<8xi32>) -> ()
  return
}

// The size is known only after another buffer was filled.
func.func @computed_size(%n: index, %lengths: memref<1xindex>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc(%n) : memref<?xi32>
  func.call @fill(%a, %one) : (memref<?xi32>, i32) -> ()
  %m = memref.load %lengths[%c0] : memref<1xindex>
  %b = memref.alloc(%m) : memref<?xi32>
  func.call @fill(%b, %two) : (memref<?xi32>, i32) -> ()
  func.call @sum(%a) : (memref<?xi32>) -> ()
  %k = arith.addi %m, %n : index
  %c = memref.alloc(%k) : memref<?xi32>
  func.call @fill(%c, %one) : (memref<?xi32>, i32) -> ()
  func.call @sum(%b) : (memref<?xi32>) -> ()
  func.call @sum(%c) : (memref<?xi32>) -> ()
  return
}

// The size changes in each iteration; another one does not.
func.func @sizes_in_a_loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc(%i) : memref<?xi32>
    func.call @fill(%a, %one) : (memref<?xi32>, i32) -> ()
    %j = arith.addi %i, %c1 : index
    %b = memref.alloc(%j) : memref<?xi32>
    func.call @fill(%b, %two) : (memref<?xi32>, i32) -> ()
    func.call @sum(%a) : (memref<?xi32>) -> ()
    %c = memref.alloc(%n) : memref<?xi32>
    func.call @fill(%c, %one) : (memref<?xi32>, i32) -> ()
    func.call @sum(%b) : (memref<?xi32>) -> ()
    func.call @sum(%c) : (memref<?xi32>) -> ()
    memref.dealloc %a : memref<?xi32>
    memref.dealloc %b : memref<?xi32>
    memref.dealloc %c : memref<?xi32>
  }
  return
}

// Allocated under conditions. A size counts only where the allocation runs: the
// others here are so large that no arena could hold them.
func.func @conditions(%n: index, %k: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %huge = arith.constant 1000000000000000 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %zero = arith.constant 0 : i32
  %a = memref.alloc(%n) : memref<?xi32>
  func.call @fill(%a, %one) : (memref<?xi32>, i32) -> ()
  %is_zero = arith.cmpi eq, %k, %zero : i32
  %too_large = arith.muli %n, %huge : index
  scf.if %is_zero {
    %b = memref.alloc(%n) : memref<?xi32>
    func.call @fill(%b, %two) : (memref<?xi32>, i32) -> ()
    func.call @sum(%b) : (memref<?xi32>) -> ()
  } else {
    %is_one = arith.cmpi eq, %k, %one : i32
    scf.if %is_one {
      %b = memref.alloc(%n) : memref<?xi32>
      func.call @fill(%b, %one) : (memref<?xi32>, i32) -> ()
      func.call @sum(%b) : (memref<?xi32>) -> ()
    }
    %never = arith.cmpi sgt, %k, %two : i32
    scf.if %never {
      %b = memref.alloc(%too_large) : memref<?xi32>
      func.call @fill(%b, %one) : (memref<?xi32>, i32) -> ()
      func.call @sum(%b) : (memref<?xi32>) -> ()
    }
  }
  scf.for %i = %c1 to %c0 step %c1 {
    %b = memref.alloc(%too_large) : memref<?xi32>
    func.call @fill(%b, %one) : (memref<?xi32>, i32) -> ()
    func.call @sum(%b) : (memref<?xi32>) -> ()
  }
  func.call @sum(%a) : (memref<?xi32>) -> ()
  return
}

// A bound by minimum, by a static type, by a loop, by the user's word.
func.func @bounded(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c16 = arith.constant 16 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %m = arith.minui %n, %c16 : index
  %a = memref.alloc(%m) : memref<?xi32>
  func.call @fill(%a, %one) : (memref<?xi32>, i32) -> ()
  %k = affine.min affine_map<(d0) -> (d0, 7)>(%n)
  %b = memref.alloc(%k) : memref<?xi32>
  func.call @fill(%b, %two) : (memref<?xi32>, i32) -> ()
  func.call @sum(%a) : (memref<?xi32>) -> ()
  scf.for %i = %c0 to %c5 step %c1 {
    %c = memref.alloc(%i) : memref<?xi32>
    func.call @fill(%c, %one) : (memref<?xi32>, i32) -> ()
    func.call @sum(%c) : (memref<?xi32>) -> ()
  }
  %d = memref.alloc(%n) {berth.upper_bound = 4096 : i64} : memref<?xi32>
  func.call @fill(%d, %two) : (memref<?xi32>, i32) -> ()
  func.call @sum(%b) : (memref<?xi32>) -> ()
  func.call @sum(%d) : (memref<?xi32>) -> ()
  return
}

// Written in place: the offset is one, the size is that of either.
func.func @in_place(%n: index, %x: memref<?xi32>) {
  %a = memref.alloc(%n) : memref<?xi32>
  linalg.add ins(%x, %x : memref<?xi32>, memref<?xi32>) outs(%a : memref<?xi32>)
  %b = memref.alloc(%n) : memref<?xi32>
  linalg.mul ins(%a, %x : memref<?xi32>, memref<?xi32>) outs(%b : memref<?xi32>)
  %c = memref.alloc(%n) : memref<?xi32>
  memref.copy %b, %c : memref<?xi32> to memref<?xi32>
  func.call @sum(%c) : (memref<?xi32>) -> ()
  return
}

// Allocated in a block that not every path takes.
func.func @blocks(%n: index, %c: i1) {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  cf.cond_br %c, ^some, ^done
^some:
  %a = memref.alloc(%n) : memref<?xi32>
  func.call @fill(%a, %one) : (memref<?xi32>, i32) -> ()
  %b = memref.alloc(%n) : memref<?xi32>
  func.call @fill(%b, %two) : (memref<?xi32>, i32) -> ()
  func.call @sum(%a) : (memref<?xi32>) -> ()
  func.call @sum(%b) : (memref<?xi32>) -> ()
  cf.br ^done
^done:
  return
}

// Several dimensions, some static; elements of several sizes.
func.func @shapes(%n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %f = arith.constant 1.5 : f64
  %one = arith.constant 1 : i32
  %a = memref.alloc(%n, %m) : memref<?x3x?xi8>
  %v = arith.constant 7 : i8
  linalg.fill ins(%v : i8) outs(%a : memref<?x3x?xi8>)
  %b = memref.alloc(%m) {alignment = 64} : memref<2x?xf64>
  linalg.fill ins(%f : f64) outs(%b : memref<2x?xf64>)
  %c = memref.alloc(%n) : memref<?xi32>
  func.call @fill(%c, %one) : (memref<?xi32>, i32) -> ()
  %some = arith.cmpi ugt, %m, %c0 : index
  scf.if %some {
    %x = memref.load %b[%c0, %c0] : memref<2x?xf64>
    vector.print %x : f64
    %any = arith.cmpi ugt, %n, %c0 : index
    scf.if %any {
      %y = memref.load %a[%c0, %c0, %c0] : memref<?x3x?xi8>
      %z = arith.extsi %y : i8 to i32
      vector.print %z : i32
    }
  }
  func.call @sum(%c) : (memref<?xi32>) -> ()
  return
}

func.func private @all(%n: index, %m: index, %k: i32) {
  %c0 = arith.constant 0 : index
  %two = arith.constant 2 : i32
  %one = arith.constant 1 : i32
  %lengths = memref.alloca() : memref<1xindex>
  memref.store %m, %lengths[%c0] : memref<1xindex>
  %x = memref.alloca(%n) : memref<?xi32>
  func.call @fill(%x, %two) : (memref<?xi32>, i32) -> ()
  %c = arith.cmpi eq, %k, %one : i32
  func.call @equal_sizes(%n) : (index) -> ()
  func.call @unequal_sizes(%n, %m) : (index, index) -> ()
  func.call @computed_size(%n, %lengths) : (index, memref<1xindex>) -> ()
  func.call @sizes_in_a_loop(%n) : (index) -> ()
  func.call @conditions(%n, %k) : (index, i32) -> ()
  func.call @bounded(%n) : (index) -> ()
  func.call @in_place(%n, %x) : (index, memref<?xi32>) -> ()
  func.call @blocks(%n, %c) : (index, i1) -> ()
  func.call @shapes(%n, %m) : (index, index) -> ()
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c16 = arith.constant 16 : index
  %c33 = arith.constant 33 : index
  %c1000 = arith.constant 1000 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  call @all(%c0, %c0, %zero) : (index, index, i32) -> ()
  call @all(%c0, %c7, %one) : (index, index, i32) -> ()
  call @all(%c1, %c0, %two) : (index, index, i32) -> ()
  call @all(%c7, %c16, %zero) : (index, index, i32) -> ()
  call @all(%c33, %c7, %one) : (index, index, i32) -> ()
  call @all(%c16, %c1000, %two) : (index, index, i32) -> ()
  call @all(%c1000, %c33, %zero) : (index, index, i32) -> ()
  return
}
