// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As lowered by 19, the program itself prints what it finds.
// REQUIRES: llvm-22
// Content that leaves a memory that is too small, and is computed again.
// RUN: %same-output --forget-space=77 --pipeline='berth-fit{space=default backing=77 capacity=64 must-fit=false fill=9 spill=9},berth-arena{poison=true},berth-arena{space=77 poison=true}' --pipeline='berth-fit{space=default backing=77 capacity=96 must-fit=false access=2 fill=9 spill=9},berth-arena{poison=true}' --pipeline='berth-fit{space=default backing=77 capacity=64 must-fit=false},berth-fit{space=77 backing=78 capacity=32 must-fit=false},berth-arena{poison=true}' --differs='berth-fit{space=default backing=77 capacity=64 fill=9 spill=9 must-fit=false verify=false test-break-rule=operands-stay},berth-arena{poison=true}' --differs='berth-fit{space=default backing=77 capacity=64 fill=9 spill=9 must-fit=false verify=false test-break-rule=whole-producers},berth-arena{poison=true}' --differs='berth-fit{space=default backing=77 capacity=64 fill=9 spill=9 must-fit=false verify=false test-break-rule=no-updates},berth-arena{poison=true}' %S/Inputs/prelude.mlir %s
//
// Beside transfers, too.
// RUN: %same-output --forget-space=77 --late=%late --pipeline='berth-fit{space=default backing=77 capacity=64 must-fit=false fill=9 spill=9 transfers=dma},berth-arena{poison=true},berth-arena{space=77 poison=true}' --pipeline='berth-fit{space=default backing=77 capacity=96 must-fit=false transfers=dma},berth-arena{poison=true}' %S/Inputs/prelude.mlir %s
//
// It does happen.
// RUN: cat %S/Inputs/prelude.mlir %s | %berth-opt --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=64 must-fit=false fill=9 spill=9})' | FileCheck %s --check-prefix=AGAIN
// AGAIN-COUNT-5: berth.recompute
// RUN: cat %S/Inputs/prelude.mlir %s | %berth-opt --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=64 must-fit=false recompute=0})' | FileCheck %s --check-prefix=NEVER
// NEVER-NOT: berth.recompute
//
// Each rule is needed: without it some program prints something else, and the check of
// what has moved refuses it.
// DEFINE: %{rule} =
// DEFINE: %{refused} = cat %S/Inputs/prelude.mlir %s > %t.mlir && not %mlir-opt-berth %t.mlir -o %t.out --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=64 fill=9 spill=9 must-fit=false test-break-rule=%{rule}})' 2>&1 | FileCheck %s --check-prefix=REFUSED
// DEFINE: %{refused_beside} = not %mlir-opt-berth %t.mlir -o %t.out --pass-pipeline='builtin.module(berth-fit{space=default backing=77 capacity=64 fill=9 spill=9 must-fit=false transfers=dma test-break-rule=%{rule}})' 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: error: may compute something else than the content was
// REFUSED: error: content that berth-fit has moved is not where it is used; nothing has been changed
// REDEFINE: %{rule} = operands-stay
// RUN: %{refused}
// RUN: %{refused_beside}
// REDEFINE: %{rule} = whole-producers
// RUN: %{refused}
// RUN: %{refused_beside}
// REDEFINE: %{rule} = no-updates
// RUN: %{refused}
// RUN: %{refused_beside}

// The other way round: what cannot be done in place.
#back = {indexing_maps = [affine_map<(i) -> (7 - i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}

func.func private @set(%m: memref<8xi32, 77>, %x: i32) {
  %c0 = arith.constant 0 : index
  %base = vector.broadcast %x : i32 to vector<8xi32>
  %steps = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : vector<8xi32>
  %v = arith.addi %base, %steps : vector<8xi32>
  vector.store %v, %m[%c0] : memref<8xi32, 77>, vector<8xi32>
  return
}

func.func private @both(%b: memref<8xi32>, %c: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %j = arith.subi %c7, %i : index
    %v = memref.load %b[%j] : memref<8xi32>
    memref.store %v, %c[%i] : memref<8xi32>
  }
  return
}

// What a fill writes needs nothing.
func.func @filled(%x: memref<8xi32, 77>, %k: i32) {
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %c = memref.alloc() : memref<8xi32>
  linalg.fill ins(%k : i32) outs(%a : memref<8xi32>)
  linalg.add ins(%x, %x : memref<8xi32, 77>, memref<8xi32, 77>) outs(%b : memref<8xi32>)
  func.call @both(%b, %c) : (memref<8xi32>, memref<8xi32>) -> ()
  func.call @show(%c) : (memref<8xi32>) -> ()
  func.call @show(%a) : (memref<8xi32>) -> ()
  return
}

// Wide numbers of narrow ones; twice, and changed at last.
func.func @widened(%n: memref<8xi8, 77>, %x: memref<8xi32, 77>) {
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %c = memref.alloc() : memref<8xi32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%n : memref<8xi8, 77>) outs(%a : memref<8xi32>) {
  ^bb0(%in: i8, %out: i32):
    %w = arith.extsi %in : i8 to i32
    linalg.yield %w : i32
  }
  linalg.add ins(%x, %x : memref<8xi32, 77>, memref<8xi32, 77>) outs(%b : memref<8xi32>)
  linalg.add ins(%b, %b : memref<8xi32>, memref<8xi32>) outs(%c : memref<8xi32>)
  linalg.add ins(%a, %c : memref<8xi32>, memref<8xi32>) outs(%c : memref<8xi32>)
  linalg.add ins(%b, %c : memref<8xi32>, memref<8xi32>) outs(%c : memref<8xi32>)
  linalg.add ins(%a, %c : memref<8xi32>, memref<8xi32>) outs(%a : memref<8xi32>)
  func.call @show(%c) : (memref<8xi32>) -> ()
  func.call @show(%a) : (memref<8xi32>) -> ()
  return
}

// In each iteration anew, from what the iteration before has changed.
func.func @iterations(%x: memref<8xi32, 77>, %y: memref<8xi32, 77>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %c = memref.alloc() : memref<8xi32>
  scf.for %i = %c0 to %c3 step %c1 {
    linalg.transpose ins(%x : memref<8xi32, 77>) outs(%a : memref<8xi32>) permutation = [0]
    linalg.add ins(%x, %x : memref<8xi32, 77>, memref<8xi32, 77>) outs(%b : memref<8xi32>)
    linalg.generic #back ins(%b : memref<8xi32>) outs(%c : memref<8xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    }
    linalg.add ins(%a, %c : memref<8xi32>, memref<8xi32>) outs(%c : memref<8xi32>)
    memref.copy %c, %x : memref<8xi32> to memref<8xi32, 77>
    func.call @show(%c) : (memref<8xi32>) -> ()
  }
  return
}

// What it was made of is changed, by way of an argument or at home.
func.func @changed(%x: memref<8xi32, 77>) {
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %c = memref.alloc() : memref<8xi32>
  linalg.transpose ins(%x : memref<8xi32, 77>) outs(%a : memref<8xi32>) permutation = [0]
  linalg.add ins(%x, %x : memref<8xi32, 77>, memref<8xi32, 77>) outs(%b : memref<8xi32>)
  linalg.generic #back ins(%b : memref<8xi32>) outs(%c : memref<8xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    }
  memref.copy %c, %x : memref<8xi32> to memref<8xi32, 77>
  linalg.add ins(%a, %a : memref<8xi32>, memref<8xi32>) outs(%a : memref<8xi32>)
  func.call @show(%a) : (memref<8xi32>) -> ()
  return
}
func.func @changed_at_home(%x: memref<8xi32, 77>) {
  %p = memref.alloc() : memref<8xi32>
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  linalg.add ins(%x, %x : memref<8xi32, 77>, memref<8xi32, 77>) outs(%p : memref<8xi32>)
  linalg.add ins(%p, %x : memref<8xi32>, memref<8xi32, 77>) outs(%a : memref<8xi32>)
  linalg.add ins(%p, %p : memref<8xi32>, memref<8xi32>) outs(%p : memref<8xi32>)
  linalg.add ins(%p, %p : memref<8xi32>, memref<8xi32>) outs(%b : memref<8xi32>)
  func.call @show(%b) : (memref<8xi32>) -> ()
  linalg.add ins(%a, %p : memref<8xi32>, memref<8xi32>) outs(%p : memref<8xi32>)
  func.call @show(%p) : (memref<8xi32>) -> ()
  return
}

// What reads the same buffer when it is wanted again; one after the other.
func.func @beside(%x: memref<8xi32, 77>, %y: memref<8xi32, 77>) {
  %c0 = arith.constant 0 : index
  %p = memref.alloc() : memref<8xi32>
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %c = memref.alloc() : memref<8xi32>
  %d = memref.alloc() : memref<8xi32>
  %first = memref.subview %p[0] [8] [1] : memref<8xi32> to memref<8xi32, strided<[1]>>
  linalg.add ins(%x, %x : memref<8xi32, 77>, memref<8xi32, 77>) outs(%p : memref<8xi32>)
  linalg.add ins(%first, %x : memref<8xi32, strided<[1]>>, memref<8xi32, 77>) outs(%a : memref<8xi32>)
  linalg.add ins(%a, %a : memref<8xi32>, memref<8xi32>) outs(%d : memref<8xi32>)
  linalg.sub ins(%a, %p : memref<8xi32>, memref<8xi32>) outs(%b : memref<8xi32>)
  linalg.sub ins(%b, %p : memref<8xi32>, memref<8xi32>) outs(%c : memref<8xi32>)
  func.call @both(%c, %b) : (memref<8xi32>, memref<8xi32>) -> ()
  func.call @show(%b) : (memref<8xi32>) -> ()
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%d, %a, %p : memref<8xi32>, memref<8xi32>, memref<8xi32>) outs(%y : memref<8xi32, 77>) {
  ^bb0(%l: i32, %m: i32, %n: i32, %out: i32):
    %s = arith.muli %l, %m : i32
    %t = arith.addi %s, %n : i32
    linalg.yield %t : i32
  }
  memref.copy %y, %a : memref<8xi32, 77> to memref<8xi32>
  func.call @show(%a) : (memref<8xi32>) -> ()
  return
}

// Only the half of it, and with a change since.
func.func @half(%x: memref<8xi32, 77>, %k: i32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %c = memref.alloc() : memref<8xi32>
  %low = memref.subview %a[0] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1]>>
  linalg.add ins(%x, %x : memref<8xi32, 77>, memref<8xi32, 77>) outs(%a : memref<8xi32>)
  linalg.fill ins(%k : i32) outs(%low : memref<4xi32, strided<[1]>>)
  linalg.add ins(%x, %x : memref<8xi32, 77>, memref<8xi32, 77>) outs(%b : memref<8xi32>)
  func.call @both(%b, %c) : (memref<8xi32>, memref<8xi32>) -> ()
  func.call @show(%c) : (memref<8xi32>) -> ()
  func.call @show(%a) : (memref<8xi32>) -> ()
  return
}
func.func @updated(%x: memref<8xi32, 77>, %k: i32) {
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %c = memref.alloc() : memref<8xi32>
  linalg.fill ins(%k : i32) outs(%a : memref<8xi32>)
  linalg.add ins(%a, %x : memref<8xi32>, memref<8xi32, 77>) outs(%a : memref<8xi32>)
  linalg.add ins(%x, %x : memref<8xi32, 77>, memref<8xi32, 77>) outs(%b : memref<8xi32>)
  func.call @both(%b, %c) : (memref<8xi32>, memref<8xi32>) -> ()
  func.call @show(%c) : (memref<8xi32>) -> ()
  func.call @show(%a) : (memref<8xi32>) -> ()
  return
}

// Overwritten by the very op that wants it: what is read then is the old content.
func.func @overwritten(%x: memref<8xi32, 77>) {
  %p = memref.alloc() : memref<8xi32>
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %c = memref.alloc() : memref<8xi32>
  linalg.add ins(%x, %x : memref<8xi32, 77>, memref<8xi32, 77>) outs(%p : memref<8xi32>)
  linalg.add ins(%p, %x : memref<8xi32>, memref<8xi32, 77>) outs(%a : memref<8xi32>)
  linalg.add ins(%x, %x : memref<8xi32, 77>, memref<8xi32, 77>) outs(%b : memref<8xi32>)
  func.call @both(%b, %c) : (memref<8xi32>, memref<8xi32>) -> ()
  func.call @show(%c) : (memref<8xi32>) -> ()
  linalg.add ins(%a, %x : memref<8xi32>, memref<8xi32, 77>) outs(%p : memref<8xi32>)
  func.call @show(%p) : (memref<8xi32>) -> ()
  return
}

// A source that control flow picks is one of two, and either may be written.
func.func @picked(%x: memref<8xi32, 77>, %which: i1) {
  %s = memref.alloc() : memref<8xi32, 77>
  %t = memref.alloc() : memref<8xi32, 77>
  %r = memref.alloc() : memref<8xi32, 77>
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %c = memref.alloc() : memref<8xi32>
  linalg.add ins(%x, %x : memref<8xi32, 77>, memref<8xi32, 77>) outs(%s : memref<8xi32, 77>)
  linalg.add ins(%x, %s : memref<8xi32, 77>, memref<8xi32, 77>) outs(%t : memref<8xi32, 77>)
  %p = arith.select %which, %s, %t : memref<8xi32, 77>
  memref.copy %p, %a : memref<8xi32, 77> to memref<8xi32>
  linalg.add ins(%a, %x : memref<8xi32>, memref<8xi32, 77>) outs(%b : memref<8xi32>)
  linalg.generic #back ins(%b : memref<8xi32>) outs(%c : memref<8xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  }
  memref.copy %c, %s : memref<8xi32> to memref<8xi32, 77>
  memref.copy %c, %t : memref<8xi32> to memref<8xi32, 77>
  linalg.add ins(%a, %a : memref<8xi32>, memref<8xi32>) outs(%r : memref<8xi32, 77>)
  memref.copy %r, %c : memref<8xi32, 77> to memref<8xi32>
  func.call @show(%c) : (memref<8xi32>) -> ()
  memref.dealloc %r : memref<8xi32, 77>
  memref.dealloc %s : memref<8xi32, 77>
  memref.dealloc %t : memref<8xi32, 77>
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %x = memref.alloc() : memref<8xi32, 77>
  %y = memref.alloc() : memref<8xi32, 77>
  %n = memref.alloc() : memref<8xi8, 77>
  %k = arith.constant 5 : i32
  %true = arith.constant true
  %bytes = arith.constant dense<[-3, 1, 4, -1, 5, -9, 2, 6]> : vector<8xi8>
  vector.store %bytes, %n[%c0] : memref<8xi8, 77>, vector<8xi8>
  func.call @set(%x, %k) : (memref<8xi32, 77>, i32) -> ()
  func.call @filled(%x, %k) : (memref<8xi32, 77>, i32) -> ()
  func.call @widened(%n, %x) : (memref<8xi8, 77>, memref<8xi32, 77>) -> ()
  func.call @beside(%x, %y) : (memref<8xi32, 77>, memref<8xi32, 77>) -> ()
  func.call @half(%x, %k) : (memref<8xi32, 77>, i32) -> ()
  func.call @updated(%x, %k) : (memref<8xi32, 77>, i32) -> ()
  func.call @overwritten(%x) : (memref<8xi32, 77>) -> ()
  func.call @changed_at_home(%x) : (memref<8xi32, 77>) -> ()
  func.call @changed(%x) : (memref<8xi32, 77>) -> ()
  func.call @iterations(%x, %y) : (memref<8xi32, 77>, memref<8xi32, 77>) -> ()
  func.call @picked(%x, %true) : (memref<8xi32, 77>, i1) -> ()
  memref.dealloc %x : memref<8xi32, 77>
  memref.dealloc %y : memref<8xi32, 77>
  memref.dealloc %n : memref<8xi8, 77>
  return
}
