// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 19 takes the address of a view for that of its whole arena, and so do the late
// transfers.
// REQUIRES: llvm-22
// Loops whose turns make content that leaves the fast memory and comes back, and take
// slices that move beside other turns: the code of a turn stands several times, and each
// has contents of its own. What a turn copies from memory behind comes back by transfers, be
// it a part of that memory.
// DEFINE: %{fit} = berth-fit{space=2 backing=default capacity=320 transfers=dma
// DEFINE: %{arenas} = berth-arena{space=2 poison=true},berth-arena{poison=true}
// RUN: %same-output --late=%late --forget-space=2 --pipeline='%{fit}},berth-verify,%{arenas},berth-verify' --pipeline='%{fit} channels=2},%{arenas}' --pipeline='%{fit}},canonicalize,cse,berth-verify,%{arenas}' --pipeline='berth-fit{space=2 backing=default capacity=288 transfers=dma},%{arenas}' %S/Inputs/prelude.mlir %s
// RUN: cat %S/Inputs/prelude.mlir %s > %t.mlir
// RUN: %mlir-opt-berth %t.mlir -o %t.out --remarks-filter=berth-fit --pass-pipeline='builtin.module(%{fit}},berth-verify)' 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=IR < %t.out
// CHECK: brought in 2 times
// CHECK: 3 slots of 32 bytes for the turns of scf.for
// CHECK: moves are transfers
// Each of the turns that stand in the code has its own number for what it brings, which all
// are parts of %x, and is brought by a transfer.
// IR-LABEL: func.func @turns
// IR-SAME: berth.content_source = [{{[0-9]+, [0-9]+, [0-9]+}}
// IR-NOT: memref.copy
// IR: return
//
// What is copied has to stay as it is.
// RUN: not %same-output --late=%late --forget-space=2 --pipeline='%{fit} verify=false test-break-rule=sources-stay},berth-arena{space=2 poison=true verify=false}' %S/Inputs/prelude.mlir %s 2>&1 | FileCheck %s --check-prefix=DIFFERS
// RUN: not %mlir-opt-berth %t.mlir -o %t.out --pass-pipeline='builtin.module(%{fit} test-break-rule=sources-stay})' 2>&1 | FileCheck %s --check-prefix=REFUSED
// DIFFERS: the output differs
// REFUSED: error: {{reads a place that may not hold its content|touches a slice that a tile holds}}

#slice = strided<[1], offset: ?>
#back = {indexing_maps = [affine_map<(i) -> (15 - i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}

func.func private @print(%m: memref<64xi32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %o = memref.alloc() : memref<8xi32>
  scf.for %i = %c0 to %c64 step %c8 {
    %v = memref.subview %m[%i] [8] [1] : memref<64xi32> to memref<8xi32, #slice>
    memref.copy %v, %o : memref<8xi32, #slice> to memref<8xi32>
    func.call @show(%o) : (memref<8xi32>) -> ()
  }
  return
}

// %p is a part of %x, out while %b, %c and %d are there.
func.func @turns(%x: memref<96xi32> {llvm.noalias, llvm.readonly}, %y: memref<64xi32> {llvm.noalias}, %n: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %more = arith.constant 100 : i32
  %a = memref.alloc() : memref<64xi32, 2>
  scf.for %i = %c0 to %c64 step %c8 {
    %k = arith.index_cast %i : index to i32
    %v = memref.subview %a[%i] [8] [1] : memref<64xi32, 2> to memref<8xi32, #slice, 2>
    linalg.fill ins(%k : i32) outs(%v : memref<8xi32, #slice, 2>)
  }
  scf.for %i = %c0 to %n step %c8 {
    %p = memref.alloc() : memref<32xi32, 2>
    %b = memref.alloc() : memref<16xi32, 2>
    %c = memref.alloc() : memref<16xi32, 2>
    %d = memref.alloc() : memref<16xi32, 2>
    %s = memref.subview %x[%i] [32] [1] : memref<96xi32> to memref<32xi32, #slice>
    memref.copy %s, %p : memref<32xi32, #slice> to memref<32xi32, 2>
    %p0 = memref.subview %p[8] [16] [1] : memref<32xi32, 2> to memref<16xi32, strided<[1], offset: 8>, 2>
    linalg.generic #back ins(%p0 : memref<16xi32, strided<[1], offset: 8>, 2>) outs(%b : memref<16xi32, 2>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    }
    linalg.generic #back ins(%b : memref<16xi32, 2>) outs(%c : memref<16xi32, 2>) {
    ^bb0(%in: i32, %out: i32):
      %q = arith.muli %in, %in : i32
      linalg.yield %q : i32
    }
    linalg.generic #back ins(%c : memref<16xi32, 2>) outs(%d : memref<16xi32, 2>) {
    ^bb0(%in: i32, %out: i32):
      %q = arith.muli %in, %in : i32
      linalg.yield %q : i32
    }
    linalg.add ins(%b, %d : memref<16xi32, 2>, memref<16xi32, 2>) outs(%c : memref<16xi32, 2>)
    linalg.add ins(%p0, %c : memref<16xi32, strided<[1], offset: 8>, 2>, memref<16xi32, 2>) outs(%d : memref<16xi32, 2>)
    %v = memref.subview %a[%i] [8] [1] : memref<64xi32, 2> to memref<8xi32, #slice, 2>
    %e = memref.subview %d[4] [8] [1] : memref<16xi32, 2> to memref<8xi32, strided<[1], offset: 4>, 2>
    linalg.add ins(%v, %e : memref<8xi32, #slice, 2>, memref<8xi32, strided<[1], offset: 4>, 2>) outs(%v : memref<8xi32, #slice, 2>)
    memref.dealloc %p : memref<32xi32, 2>
    memref.dealloc %b : memref<16xi32, 2>
    memref.dealloc %c : memref<16xi32, 2>
    memref.dealloc %d : memref<16xi32, 2>
  }
  scf.for %i = %c0 to %c64 step %c8 {
    %v = memref.subview %a[%i] [8] [1] : memref<64xi32, 2> to memref<8xi32, #slice, 2>
    %o = memref.subview %y[%i] [8] [1] : memref<64xi32> to memref<8xi32, #slice>
    linalg.add ins(%v, %v : memref<8xi32, #slice, 2>, memref<8xi32, #slice, 2>) outs(%o : memref<8xi32, #slice>)
  }
  func.call @print(%y) : (memref<64xi32>) -> ()
  return
}

// The same, but %x is written meanwhile.
func.func @written(%x: memref<96xi32> {llvm.noalias}, %y: memref<64xi32> {llvm.noalias}, %n: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c12 = arith.constant 12 : index
  %c64 = arith.constant 64 : index
  %more = arith.constant 100 : i32
  %a = memref.alloc() : memref<64xi32, 2>
  scf.for %i = %c0 to %c64 step %c8 {
    %k = arith.index_cast %i : index to i32
    %v = memref.subview %a[%i] [8] [1] : memref<64xi32, 2> to memref<8xi32, #slice, 2>
    linalg.fill ins(%k : i32) outs(%v : memref<8xi32, #slice, 2>)
  }
  scf.for %i = %c0 to %n step %c8 {
    %p = memref.alloc() : memref<32xi32, 2>
    %b = memref.alloc() : memref<16xi32, 2>
    %c = memref.alloc() : memref<16xi32, 2>
    %d = memref.alloc() : memref<16xi32, 2>
    %s = memref.subview %x[%i] [32] [1] : memref<96xi32> to memref<32xi32, #slice>
    memref.copy %s, %p : memref<32xi32, #slice> to memref<32xi32, 2>
    %p0 = memref.subview %p[8] [16] [1] : memref<32xi32, 2> to memref<16xi32, strided<[1], offset: 8>, 2>
    linalg.generic #back ins(%p0 : memref<16xi32, strided<[1], offset: 8>, 2>) outs(%b : memref<16xi32, 2>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    }
    linalg.generic #back ins(%b : memref<16xi32, 2>) outs(%c : memref<16xi32, 2>) {
    ^bb0(%in: i32, %out: i32):
      %q = arith.muli %in, %in : i32
      linalg.yield %q : i32
    }
    %at = arith.addi %i, %c12 : index
    memref.store %more, %x[%at] : memref<96xi32>
    linalg.generic #back ins(%c : memref<16xi32, 2>) outs(%d : memref<16xi32, 2>) {
    ^bb0(%in: i32, %out: i32):
      %q = arith.muli %in, %in : i32
      linalg.yield %q : i32
    }
    linalg.add ins(%b, %d : memref<16xi32, 2>, memref<16xi32, 2>) outs(%c : memref<16xi32, 2>)
    linalg.add ins(%p0, %c : memref<16xi32, strided<[1], offset: 8>, 2>, memref<16xi32, 2>) outs(%d : memref<16xi32, 2>)
    %v = memref.subview %a[%i] [8] [1] : memref<64xi32, 2> to memref<8xi32, #slice, 2>
    %e = memref.subview %d[4] [8] [1] : memref<16xi32, 2> to memref<8xi32, strided<[1], offset: 4>, 2>
    linalg.add ins(%v, %e : memref<8xi32, #slice, 2>, memref<8xi32, strided<[1], offset: 4>, 2>) outs(%v : memref<8xi32, #slice, 2>)
    memref.dealloc %p : memref<32xi32, 2>
    memref.dealloc %b : memref<16xi32, 2>
    memref.dealloc %c : memref<16xi32, 2>
    memref.dealloc %d : memref<16xi32, 2>
  }
  scf.for %i = %c0 to %c64 step %c8 {
    %v = memref.subview %a[%i] [8] [1] : memref<64xi32, 2> to memref<8xi32, #slice, 2>
    %o = memref.subview %y[%i] [8] [1] : memref<64xi32> to memref<8xi32, #slice>
    linalg.add ins(%v, %v : memref<8xi32, #slice, 2>, memref<8xi32, #slice, 2>) outs(%o : memref<8xi32, #slice>)
  }
  func.call @print(%y) : (memref<64xi32>) -> ()
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %c96 = arith.constant 96 : index
  %x = memref.alloc() : memref<96xi32>
  %y = memref.alloc() : memref<64xi32>
  scf.for %i = %c0 to %c96 step %c1 {
    %k = arith.index_cast %i : index to i32
    memref.store %k, %x[%i] : memref<96xi32>
  }
  scf.for %n = %c0 to %c64 step %c8 {
    func.call @turns(%x, %y, %n) : (memref<96xi32>, memref<64xi32>, index) -> ()
  }
  func.call @turns(%x, %y, %c64) : (memref<96xi32>, memref<64xi32>, index) -> ()
  func.call @written(%x, %y, %c64) : (memref<96xi32>, memref<64xi32>, index) -> ()
  memref.dealloc %x : memref<96xi32>
  memref.dealloc %y : memref<64xi32>
  return
}
