// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %same-output %S/Inputs/prelude.mlir %s | FileCheck %s
// RUN: %same-output --pipeline="func.func(berth-arena)" %S/Inputs/prelude.mlir %s
// DEFINE: %{broken} = test-break-rule=no-callbacks
// RUN: cat %S/Inputs/prelude.mlir %s > %t.mlir
// RUN: not %mlir-opt-berth %t.mlir -o /dev/null --pass-pipeline='builtin.module(berth-arena{%{broken}})' 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not %same-output --pipeline='berth-arena{verify=false %{broken}}' %S/Inputs/prelude.mlir %s
// What a function that is called by its address does with a buffer.

// REFUSED: error: touches bytes of the arena that may be used through an address of another buffer, which has got away

memref.global "private" @slot : memref<1xindex> = uninitialized

func.func private @keep(%m: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %p = memref.extract_aligned_pointer_as_index %m : memref<8xi32> -> index
  %slot = memref.get_global @slot : memref<1xindex>
  memref.store %p, %slot[%c0] : memref<1xindex>
  return
}

func.func private @show_kept() {
  %c0 = arith.constant 0 : index
  %slot = memref.get_global @slot : memref<1xindex>
  %p = memref.load %slot[%c0] : memref<1xindex>
  %i = arith.index_cast %p : index to i64
  %q = llvm.inttoptr %i : i64 to !llvm.ptr
  %x = llvm.load %q : !llvm.ptr -> i32
  vector.print %x : i32
  return
}

// Only the second buffer is placed.
// CHECK-LABEL: kept_by_address: 32
func.func @kept_by_address() {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  %f = func.constant @keep : (memref<8xi32>) -> ()
  func.call_indirect %f(%a) : (memref<8xi32>) -> ()
  %b = memref.alloc() : memref<8xi32>
  call @count(%b, %two) : (memref<8xi32>, i32) -> ()
  call @show(%b) : (memref<8xi32>) -> ()
  call @show_kept() : () -> ()
  return
}

// Two functions that call each other: the one was looked into while the other
// one was, and knew nothing of it.
func.func private @keep_or_pass(%n: i32, %m: memref<8xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %more = arith.cmpi sgt, %n, %zero : i32
  scf.if %more {
    %less = arith.subi %n, %one : i32
    func.call @pass(%less, %m) : (i32, memref<8xi32>) -> ()
  }
  call @keep(%m) : (memref<8xi32>) -> ()
  return
}

func.func private @pass(%n: i32, %m: memref<8xi32>) {
  call @keep_or_pass(%n, %m) : (i32, memref<8xi32>) -> ()
  return
}

// CHECK-LABEL: kept_in_turn: 32
func.func @kept_in_turn() {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %x = memref.alloc() : memref<8xi32>
  linalg.fill ins(%two : i32) outs(%x : memref<8xi32>)
  call @keep_or_pass(%one, %x) : (i32, memref<8xi32>) -> ()
  %a = memref.alloc() : memref<8xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<8xi32>)
  call @pass(%zero, %a) : (i32, memref<8xi32>) -> ()
  %b = memref.alloc() : memref<8xi32>
  call @count(%b, %two) : (memref<8xi32>, i32) -> ()
  call @show(%b) : (memref<8xi32>) -> ()
  call @show_kept() : () -> ()
  return
}

func.func @main() {
  call @kept_by_address() : () -> ()
  call @kept_in_turn() : () -> ()
  return
}
