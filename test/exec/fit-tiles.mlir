// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers that lie in a slow memory on which no op can work, and of which each turn of a
// loop has a slice in the fast one. 128 bytes each; at most 96 fit.
// DEFINE: %{fit} = berth-fit{space=default backing=77 capacity=96 must-fit=false
// RUN: %same-output --forget-space=77 --pipeline='%{fit}}' --pipeline='%{fit}},berth-arena{capacity=192 poison=true},berth-arena{space=77 poison=true},berth-verify' --pipeline='%{fit} access=9},berth-arena{poison=true},berth-arena{space=77 poison=true}' --pipeline='%{fit}},berth-multi-buffer,berth-arena{poison=true},berth-arena{space=77 poison=true}' --pipeline='%{fit}},berth-fit{space=77 backing=78 capacity=128 must-fit=false},berth-arena{poison=true},berth-arena{space=77 poison=true}' %S/Inputs/prelude.mlir %s
//
// Each rule is needed: without it some program prints something else, and the check
// refuses it.
// DEFINE: %{rule} =
// DEFINE: %{breaks} = not %same-output --forget-space=77 --pipeline='%{fit} verify=false test-break-rule=%{rule}},berth-arena{poison=true verify=false}' %S/Inputs/prelude.mlir %s 2>&1 | FileCheck %s --check-prefix=DIFFERS
// DEFINE: %{refused} = cat %S/Inputs/prelude.mlir %s > %t.mlir && not %mlir-opt-berth %t.mlir -o %t.out --pass-pipeline='builtin.module(%{fit} test-break-rule=%{rule}})' 2>&1 | FileCheck %s
// DIFFERS: the output differs
// REDEFINE: %{rule} = whole-slices
// RUN: %{breaks}
// RUN: %{refused} --check-prefix=HOLDS
// HOLDS: error: uses a tile that may not hold its slice
// REDEFINE: %{rule} = slices-return
// RUN: %{breaks}
// RUN: %{refused} --check-prefix=LOSES
// LOSES: error: loses what was written to a tile
// REDEFINE: %{rule} = one-slice-at-a-time
// RUN: %{breaks}
// RUN: %{refused} --check-prefix=TOUCHES
// TOUCHES: error: touches a slice that a tile holds
//
// RUN: cat %S/Inputs/prelude.mlir %s > %t.mlir
// RUN: %mlir-opt-berth %t.mlir --pass-pipeline='builtin.module(%{fit}})' | FileCheck %s

#slice = strided<[1], offset: ?>

// Written, changed and read slice by slice, in loops of which one has no turn.
// CHECK-LABEL: func.func @all
// CHECK-COUNT-7: memref.alloc() {{.*}}berth.tile = {{.*}} : memref<8xi32>
func.func @all(%n: index, %none: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %a = memref.alloc() : memref<32xi32>
  %b = memref.alloc() : memref<32xi32>
  %o = memref.alloc() : memref<8xi32>
  scf.for %i = %c0 to %c32 step %c8 {
    %k = arith.index_cast %i : index to i32
    %v = memref.subview %a[%i] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
    %w = memref.subview %b[%i] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
    linalg.fill ins(%k : i32) outs(%v : memref<8xi32, #slice>)
    linalg.add ins(%v, %v : memref<8xi32, #slice>, memref<8xi32, #slice>) outs(%w : memref<8xi32, #slice>)
  }
  scf.for %i = %c0 to %n step %c8 {
    %v = memref.subview %a[%i] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
    %w = memref.subview %b[%i] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
    linalg.add ins(%v, %w : memref<8xi32, #slice>, memref<8xi32, #slice>) outs(%v : memref<8xi32, #slice>)
  }
  scf.for %i = %c0 to %none step %c8 {
    %v = memref.subview %a[%i] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
    %w = memref.subview %b[%i] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
    linalg.add ins(%v, %v : memref<8xi32, #slice>, memref<8xi32, #slice>) outs(%w : memref<8xi32, #slice>)
  }
  scf.for %i = %c0 to %c32 step %c8 {
    %v = memref.subview %a[%i] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
    memref.copy %v, %o : memref<8xi32, #slice> to memref<8xi32>
    func.call @show(%o) : (memref<8xi32>) -> ()
  }
  return
}

// A product of 8 x 8 in tiles of 4 x 4: that of the result is brought in once for all
// of the inner loop, and taken out behind it.
// CHECK-LABEL: func.func @product
// CHECK: scf.for
// CHECK: scf.for
// CHECK: memref.alloc() {{.*}}berth.tile = {{.*}} : memref<4x4xi32>
// CHECK: memref.copy
// CHECK: scf.for
// CHECK: linalg.matmul
// CHECK-NEXT: memref.dealloc {{.*}}
// CHECK-NEXT: memref.dealloc {{.*}}
// CHECK-NEXT: {{^ *}}}
// CHECK-NEXT: memref.copy
#tile = strided<[8, 1], offset: ?>
func.func @product(%x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  %a = memref.alloc() : memref<8x8xi32>
  %b = memref.alloc() : memref<8x8xi32>
  %c = memref.alloc() : memref<8x8xi32>
  %o = memref.alloc() : memref<8xi32>
  scf.for %i = %c0 to %c8 step %c1 {
    %k = arith.index_cast %i : index to i32
    %y = arith.addi %k, %x : i32
    %v = memref.subview %a[%i, 0] [1, 8] [1, 1] : memref<8x8xi32> to memref<8xi32, #slice>
    %w = memref.subview %b[0, %i] [8, 1] [1, 1] : memref<8x8xi32> to memref<8xi32, strided<[8], offset: ?>>
    %z = memref.subview %c[%i, 0] [1, 8] [1, 1] : memref<8x8xi32> to memref<8xi32, #slice>
    linalg.fill ins(%k : i32) outs(%v : memref<8xi32, #slice>)
    linalg.fill ins(%y : i32) outs(%w : memref<8xi32, strided<[8], offset: ?>>)
    linalg.fill ins(%zero : i32) outs(%z : memref<8xi32, #slice>)
  }
  scf.for %i = %c0 to %c8 step %c4 {
    scf.for %j = %c0 to %c8 step %c4 {
      scf.for %k = %c0 to %c8 step %c4 {
        %v = memref.subview %a[%i, %k] [4, 4] [1, 1] : memref<8x8xi32> to memref<4x4xi32, #tile>
        %w = memref.subview %b[%k, %j] [4, 4] [1, 1] : memref<8x8xi32> to memref<4x4xi32, #tile>
        %z = memref.subview %c[%i, %j] [4, 4] [1, 1] : memref<8x8xi32> to memref<4x4xi32, #tile>
        linalg.matmul ins(%v, %w : memref<4x4xi32, #tile>, memref<4x4xi32, #tile>) outs(%z : memref<4x4xi32, #tile>)
      }
    }
  }
  scf.for %i = %c0 to %c8 step %c1 {
    %z = memref.subview %c[%i, 0] [1, 8] [1, 1] : memref<8x8xi32> to memref<8xi32, #slice>
    memref.copy %z, %o : memref<8xi32, #slice> to memref<8xi32>
    func.call @show(%o) : (memref<8xi32>) -> ()
  }
  return
}

// What is copied from the slow memory and only read then is read there.
// CHECK-LABEL: func.func @weights
// CHECK-NOT: memref<32xi32>
// CHECK: memref.subview %arg0
// CHECK-NEXT: memref.alloc() {{.*}}berth.tile
// CHECK-NEXT: memref.copy {{.*}}berth.content_read
func.func @weights(%x: memref<32xi32, 77> {llvm.noalias, llvm.readonly}) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %a = memref.alloc() : memref<32xi32>
  %o = memref.alloc() : memref<8xi32>
  memref.copy %x, %a : memref<32xi32, 77> to memref<32xi32>
  scf.for %i = %c0 to %c32 step %c8 {
    %v = memref.subview %a[%i] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
    linalg.add ins(%v, %v : memref<8xi32, #slice>, memref<8xi32, #slice>) outs(%o : memref<8xi32>)
    func.call @show(%o) : (memref<8xi32>) -> ()
  }
  return
}

// Slices that overlap, all of them read; a half of a slice, written first; one
// in a branch.
func.func @parts(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c24 = arith.constant 24 : index
  %c32 = arith.constant 32 : index
  %nine = arith.constant 9 : i32
  %a = memref.alloc() : memref<32xi32>
  %b = memref.alloc() : memref<32xi32>
  %o = memref.alloc() : memref<8xi32>
  scf.for %i = %c0 to %c32 step %c8 {
    %k = arith.index_cast %i : index to i32
    %v = memref.subview %a[%i] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
    %w = memref.subview %b[%i] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
    linalg.fill ins(%k : i32) outs(%v : memref<8xi32, #slice>)
    linalg.fill ins(%nine : i32) outs(%w : memref<8xi32, #slice>)
  }
  scf.for %i = %c0 to %c24 step %c8 {
    %next = arith.addi %i, %c1 : index
    %v = memref.subview %a[%i] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
    %x = memref.subview %a[%next] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
    %w = memref.subview %b[%i] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
    linalg.add ins(%v, %x : memref<8xi32, #slice>, memref<8xi32, #slice>) outs(%w : memref<8xi32, #slice>)
  }
  scf.for %i = %c0 to %c32 step %c8 {
    %w = memref.subview %b[%i] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
    %half = memref.subview %w[2] [4] [1] : memref<8xi32, #slice> to memref<4xi32, #slice>
    %k = arith.index_cast %i : index to i32
    linalg.fill ins(%k : i32) outs(%half : memref<4xi32, #slice>)
    %p = arith.cmpi ult, %i, %n : index
    scf.if %p {
      %v = memref.subview %a[%i] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
      linalg.add ins(%v, %w : memref<8xi32, #slice>, memref<8xi32, #slice>) outs(%w : memref<8xi32, #slice>)
    }
  }
  scf.for %i = %c0 to %c32 step %c8 {
    %w = memref.subview %b[%i] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
    memref.copy %w, %o : memref<8xi32, #slice> to memref<8xi32>
    func.call @show(%o) : (memref<8xi32>) -> ()
  }
  return
}

// A turn reads what it writes by another slice, so it has no tile.
func.func @shifted(%n: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c24 = arith.constant 24 : index
  %c32 = arith.constant 32 : index
  %a = memref.alloc() : memref<32xi32>
  %o = memref.alloc() : memref<8xi32>
  scf.for %i = %c0 to %c32 step %c8 {
    %k = arith.index_cast %i : index to i32
    %v = memref.subview %a[%i] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
    linalg.fill ins(%k : i32) outs(%v : memref<8xi32, #slice>)
  }
  scf.for %i = %c0 to %c24 step %c8 {
    %j = arith.addi %i, %c4 : index
    %v = memref.subview %a[%i] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
    %w = memref.subview %a[%j] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
    linalg.add ins(%v, %w : memref<8xi32, #slice>, memref<8xi32, #slice>) outs(%w : memref<8xi32, #slice>)
    linalg.add ins(%v, %w : memref<8xi32, #slice>, memref<8xi32, #slice>) outs(%v : memref<8xi32, #slice>)
  }
  scf.for %i = %c0 to %c32 step %c8 {
    %v = memref.subview %a[%i] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
    memref.copy %v, %o : memref<8xi32, #slice> to memref<8xi32>
    func.call @show(%o) : (memref<8xi32>) -> ()
  }
  return
}

// Calls get tiles of the type that they want, slices in which nothing is left out.
// CHECK-LABEL: func.func @called
// CHECK-COUNT-2: call @mix(%cast{{.*}}, %cast{{.*}})
func.func private @mix(%v: memref<8xi32, #slice>, %w: memref<8xi32, #slice>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %a = memref.load %v[%i] : memref<8xi32, #slice>
    %b = memref.load %w[%c0] : memref<8xi32, #slice>
    %c = arith.addi %a, %b : i32
    %d = arith.muli %c, %c : i32
    memref.store %d, %w[%i] : memref<8xi32, #slice>
  }
  return
}
func.func @called(%n: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %a = memref.alloc() : memref<32xi32>
  %b = memref.alloc() : memref<32xi32>
  %o = memref.alloc() : memref<8xi32>
  scf.for %i = %c0 to %c32 step %c8 {
    %k = arith.index_cast %i : index to i32
    %v = memref.subview %a[%i] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
    %w = memref.subview %b[%i] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
    linalg.fill ins(%k : i32) outs(%v : memref<8xi32, #slice>)
    linalg.fill ins(%k : i32) outs(%w : memref<8xi32, #slice>)
    func.call @mix(%v, %w) : (memref<8xi32, #slice>, memref<8xi32, #slice>) -> ()
  }
  scf.for %i = %c0 to %n step %c8 {
    %v = memref.subview %a[%i] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
    %w = memref.subview %b[%i] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
    func.call @mix(%w, %v) : (memref<8xi32, #slice>, memref<8xi32, #slice>) -> ()
  }
  scf.for %i = %c0 to %c32 step %c8 {
    %v = memref.subview %a[%i] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
    %w = memref.subview %b[%i] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
    linalg.sub ins(%v, %w : memref<8xi32, #slice>, memref<8xi32, #slice>) outs(%o : memref<8xi32>)
    func.call @show(%o) : (memref<8xi32>) -> ()
  }
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %three = arith.constant 3 : i32
  %v = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : vector<8xi32>
  %x = memref.alloc() : memref<32xi32, 77>
  scf.for %i = %c0 to %c16 step %c16 {
    vector.store %v, %x[%c0] : memref<32xi32, 77>, vector<8xi32>
  }
  %c8 = arith.constant 8 : index
  %c24 = arith.constant 24 : index
  vector.store %v, %x[%c8] : memref<32xi32, 77>, vector<8xi32>
  vector.store %v, %x[%c16] : memref<32xi32, 77>, vector<8xi32>
  vector.store %v, %x[%c24] : memref<32xi32, 77>, vector<8xi32>
  call @all(%c16, %c0) : (index, index) -> ()
  call @product(%three) : (i32) -> ()
  call @weights(%x) : (memref<32xi32, 77>) -> ()
  call @parts(%c16) : (index) -> ()
  call @shifted(%c16) : (index) -> ()
  call @called(%c16) : (index) -> ()
  return
}
