// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt-berth %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(berth-verify)' -o /dev/null
// berth-verify on plans made by hand: right ones pass, each wrong one is caught
// at the read, with the write named. %a and %b have bytes in common.

func.func private @use(memref<8xi32>)

// One after the other: right.
func.func @one_after_the_other(%x: i32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
  linalg.fill ins(%x : i32) outs(%a : memref<8xi32>)
  call @use(%a) : (memref<8xi32>) -> ()
  linalg.fill ins(%x : i32) outs(%b : memref<8xi32>)
  call @use(%b) : (memref<8xi32>) -> ()
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

func.func private @use(memref<8xi32>)

// A read after the other's write.
func.func @read_after_write(%x: i32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
  linalg.fill ins(%x : i32) outs(%a : memref<8xi32>)
  // expected-note @+1 {{by this write}}
  linalg.fill ins(%x : i32) outs(%b : memref<8xi32>)
  // expected-error @+1 {{reads a buffer whose bytes in the arena may have been overwritten by another buffer's}}
  call @use(%a) : (memref<8xi32>) -> ()
  return
}

// -----

// A few bytes in common are enough.
func.func @overlap_in_part(%x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c28 = arith.constant 28 : index
  %c7 = arith.constant 7 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
  %b = memref.view %arena[%c28][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
  memref.store %x, %a[%c7] : memref<8xi32>
  // expected-note @+1 {{by this write}}
  memref.store %x, %b[%c0] : memref<8xi32>
  // expected-error @+1 {{reads a buffer}}
  %r = memref.load %a[%c7] : memref<8xi32>
  return %r : i32
}

// -----

// Only a full overwrite makes the content whole again.
func.func @partial_overwrite(%x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
  linalg.fill ins(%x : i32) outs(%a : memref<8xi32>)
  // expected-note @+1 {{by this write}}
  linalg.fill ins(%x : i32) outs(%b : memref<8xi32>)
  memref.store %x, %a[%c0] : memref<8xi32>
  // expected-error @+1 {{reads a buffer}}
  %r = memref.load %a[%c0] : memref<8xi32>
  return %r : i32
}

// -----

// Right: overwritten as a whole through a view of all of it.
func.func @full_overwrite(%x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
  linalg.fill ins(%x : i32) outs(%a : memref<8xi32>)
  linalg.fill ins(%x : i32) outs(%b : memref<8xi32>)
  %wide = memref.expand_shape %a [[0, 1]] output_shape [2, 4] : memref<8xi32> into memref<2x4xi32>
  linalg.fill ins(%x : i32) outs(%wide : memref<2x4xi32>)
  %r = memref.load %a[%c0] : memref<8xi32>
  return %r : i32
}

// -----

// Over the back edge: the write stands after the read, and before the next.
func.func @back_edge(%x: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
  linalg.fill ins(%x : i32) outs(%a : memref<8xi32>)
  scf.for %i = %c0 to %n step %c1 {
    // expected-error @+1 {{reads a buffer}}
    %r = memref.load %a[%c0] : memref<8xi32>
    // expected-note @+1 {{by this write}}
    memref.store %r, %b[%c0] : memref<8xi32>
  }
  return
}

// -----

// Right: both are written before they are read in each iteration.
func.func @temporaries(%x: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
  scf.for %i = %c0 to %n step %c1 {
    linalg.fill ins(%x : i32) outs(%a : memref<8xi32>)
    %r = memref.load %a[%c0] : memref<8xi32>
    linalg.fill ins(%x : i32) outs(%b : memref<8xi32>)
    %s = memref.load %b[%c0] : memref<8xi32>
  }
  return
}

// -----

// Right: each branch has its own; wrong: what one branch does to the other's
// content is seen after the join, and in the next iteration.
func.func @branches(%x: i32, %n: index, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
  scf.for %i = %c0 to %n step %c1 {
    scf.if %p {
      linalg.fill ins(%x : i32) outs(%a : memref<8xi32>)
      %r = memref.load %a[%c0] : memref<8xi32>
    } else {
      // expected-error @+1 {{reads a buffer}}
      %r = memref.load %b[%c0] : memref<8xi32>
      linalg.fill ins(%x : i32) outs(%b : memref<8xi32>)
    }
  }
  return
}
// expected-note @-10 {{by this write}}

// -----

// A while whose test clobbers what its body reads.
func.func @while(%x: i32, %n: i32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
  memref.store %x, %a[%c0] : memref<8xi32>
  scf.while : () -> () {
    // expected-note @+1 {{by this write}}
    linalg.fill ins(%n : i32) outs(%b : memref<8xi32>)
    %r = memref.load %b[%c0] : memref<8xi32>
    %more = arith.cmpi ult, %r, %n : i32
    scf.condition(%more)
  } do {
    // expected-error @+1 {{reads a buffer}}
    %r = memref.load %a[%c0] : memref<8xi32>
    scf.yield
  }
  return
}

// -----

// Blocks: right on the one way, wrong on the other.
func.func @blocks(%x: i32, %p: i1) -> i32 {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
  memref.store %x, %a[%c0] : memref<8xi32>
  cf.cond_br %p, ^left, ^right
^left:
  %r = memref.load %a[%c0] : memref<8xi32>
  // expected-note @+1 {{by this write}}
  memref.store %r, %b[%c0] : memref<8xi32>
  cf.br ^right
^right:
  // expected-error @+1 {{reads a buffer}}
  %s = memref.load %a[%c0] : memref<8xi32>
  return %s : i32
}

// -----

// A value that may be either: reading it reads both.
func.func @select(%x: i32, %p: i1) -> i32 {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
  %c = memref.view %arena[%c32][] {berth.buffer = 2} : memref<64xi8> to memref<8xi32>
  memref.store %x, %a[%c0] : memref<8xi32>
  memref.store %x, %c[%c0] : memref<8xi32>
  %either = arith.select %p, %a, %c : memref<8xi32>
  // expected-note @+1 {{by this write}}
  memref.store %x, %b[%c0] : memref<8xi32>
  // expected-error @+1 {{reads a buffer}}
  %s = memref.load %either[%c0] : memref<8xi32>
  return %s : i32
}

// -----

// Carried by a loop.
func.func @carried(%x: i32, %n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
  %c = memref.view %arena[%c32][] {berth.buffer = 2} : memref<64xi8> to memref<8xi32>
  memref.store %x, %a[%c0] : memref<8xi32>
  memref.store %x, %c[%c0] : memref<8xi32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%y = %a, %z = %c)
      -> (memref<8xi32>, memref<8xi32>) {
    scf.yield %z, %y : memref<8xi32>, memref<8xi32>
  }
  // expected-note @+1 {{by this write}}
  memref.store %x, %b[%c0] : memref<8xi32>
  // expected-error @+1 {{reads a buffer}}
  %s = memref.load %r#1[%c0] : memref<8xi32>
  return %s : i32
}

// -----

// Called functions are looked into: one only writes, one reads.
func.func private @writes(%m: memref<8xi32>, %x: i32) {
  %c0 = arith.constant 0 : index
  memref.store %x, %m[%c0] : memref<8xi32>
  return
}
func.func private @reads(%m: memref<8xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %x = memref.load %m[%c0] : memref<8xi32>
  return %x : i32
}
func.func @calls(%x: i32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
  call @writes(%a, %x) : (memref<8xi32>, i32) -> ()
  // expected-note @+1 {{by this write}}
  call @writes(%b, %x) : (memref<8xi32>, i32) -> ()
  call @writes(%a, %x) : (memref<8xi32>, i32) -> ()
  // expected-error @+1 {{reads a buffer}}
  %r = call @reads(%a) : (memref<8xi32>) -> i32
  return
}

// -----

// An unread write still takes its bytes.
func.func @unread_write(%x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
  memref.store %x, %a[%c0] : memref<8xi32>
  // expected-note @+1 {{by this write}}
  memref.store %x, %b[%c0] : memref<8xi32>
  // expected-error @+1 {{reads a buffer}}
  %s = memref.load %a[%c0] : memref<8xi32>
  return %s : i32
}

// -----

// Right: element by element in one order, in place.
func.func @in_place(%x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<4x4xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<4x4xi32>
  linalg.fill ins(%x : i32) outs(%a : memref<4x4xi32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<4x4xi32>) outs(%b : memref<4x4xi32>) {
  ^bb0(%in: i32, %out: i32):
    %sum = arith.addi %in, %x : i32
    linalg.yield %sum : i32
  }
  %s = memref.load %b[%c0, %c0] : memref<4x4xi32>
  return %s : i32
}

// -----

// Wrong: transposed in place.
func.func @transposed_in_place(%x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<4x4xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<4x4xi32>
  linalg.fill ins(%x : i32) outs(%a : memref<4x4xi32>)
  // expected-error @+1 {{reads a buffer while it writes another one that has bytes of the arena in common with it}}
  linalg.transpose ins(%a : memref<4x4xi32>) outs(%b : memref<4x4xi32>) permutation = [1, 0]
  %s = memref.load %b[%c0, %c0] : memref<4x4xi32>
  return %s : i32
}

// -----

// Views that are not Berth's may overlap as they like.
func.func @not_an_arena(%x: i32) -> f32 {
  %c0 = arith.constant 0 : index
  %bytes = memref.alloc() : memref<64xi8>
  %a = memref.view %bytes[%c0][] : memref<64xi8> to memref<8xf32>
  %b = memref.view %bytes[%c0][] : memref<64xi8> to memref<8xi32>
  %one = arith.constant 1.0 : f32
  memref.store %one, %a[%c0] : memref<8xf32>
  memref.store %x, %b[%c0] : memref<8xi32>
  %s = memref.load %a[%c0] : memref<8xf32>
  return %s : f32
}

// -----

// Writing to the arena itself is writing to all buffers.
func.func @whole_arena(%x: i32, %byte: i8) -> i32 {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
  memref.store %x, %a[%c0] : memref<8xi32>
  // expected-note @+1 {{by this write}}
  memref.store %byte, %arena[%c0] : memref<64xi8>
  // expected-error @+1 {{reads a buffer}}
  %s = memref.load %a[%c0] : memref<8xi32>
  return %s : i32
}

// -----

// The loop hands on the buffer of the iteration before, and makes it anew.
func.func @earlier_instance(%x: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c32][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
  linalg.fill ins(%x : i32) outs(%a : memref<8xi32>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%previous = %a) -> (memref<8xi32>) {
    %early = memref.load %previous[%c0] : memref<8xi32>
    // expected-note @+1 {{by this view}}
    %next = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
    linalg.fill ins(%early : i32) outs(%next : memref<8xi32>)
    // expected-error @+1 {{reads an earlier instance of a buffer that has been made anew since}}
    %late = memref.load %previous[%c0] : memref<8xi32>
    scf.yield %next : memref<8xi32>
  }
  // Right: the newest.
  %last = memref.load %r[%c0] : memref<8xi32>
  return
}

// -----

// So it is if the earlier one is handed on.
func.func @earlier_instance_handed_on(%x: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c32][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
  linalg.fill ins(%x : i32) outs(%a : memref<8xi32>)
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %a)
      -> (memref<8xi32>, memref<8xi32>) {
    %early = memref.load %p[%c0] : memref<8xi32>
    // expected-note @+1 {{by this view}}
    %next = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
    linalg.fill ins(%x : i32) outs(%next : memref<8xi32>)
    // expected-error @+1 {{reads an earlier instance}}
    scf.yield %q, %next : memref<8xi32>, memref<8xi32>
  }
  return
}

// -----

// A box may keep one too, but not where the buffer is made once only
// (roots/handles.mlir).
func.func private @keep(!llvm.ptr, memref<8xf32>)
func.func @box_in_loop(%box: !llvm.ptr, %x: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() : memref<32xi8>
  scf.for %i = %c0 to %n step %c1 {
    // expected-note @below {{by this view}}
    %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<32xi8> to memref<8xf32>
    memref.copy %x, %a : memref<8xf32> to memref<8xf32>
    // expected-error @below {{reads an earlier instance}}
    func.call @keep(%box, %a) : (!llvm.ptr, memref<8xf32>) -> ()
  }
  return
}

// -----

// An address that is kept as a number touches nothing; a load through it does.
func.func @address_as_number(%x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %table = memref.alloc() : memref<1xindex>
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
  memref.store %x, %a[%c0] : memref<8xi32>
  %address = memref.extract_aligned_pointer_as_index %a : memref<8xi32> -> index
  // expected-note @+1 {{by this write}}
  memref.store %x, %b[%c0] : memref<8xi32>
  memref.store %address, %table[%c0] : memref<1xindex>
  %number = arith.index_cast %address : index to i64
  %pointer = llvm.inttoptr %number : i64 to !llvm.ptr
  // expected-error @+1 {{reads a buffer}}
  %r = llvm.load %pointer : !llvm.ptr -> i32
  return %r : i32
}

// -----

// An op that writes two buffers at once leaves neither.
func.func @written_at_once(%x: i32, %c: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%a, %b : memref<8xi32>, memref<8xi32>) { // expected-note {{by this write}}
  ^bb0(%u: i32, %v: i32):
    %s = arith.addi %x, %x : i32
    linalg.yield %x, %s : i32, i32
  }
  memref.copy %a, %c : memref<8xi32> to memref<8xi32> // expected-error {{may have been overwritten}}
  return
}
