// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In MLIR 19 what is asked for its address is not placed (ir/heap/lost-addresses.mlir).
// REQUIRES: llvm-22
// RUN: %same-output --level=2 %S/Inputs/prelude.mlir %s | FileCheck %s
// RUN: not %same-output --level=2 --pipeline='berth-arena{verify=false test-break-rule=no-calls}' %S/Inputs/prelude.mlir %s
// llvm.noalias says that nothing else reaches the bytes that a function uses
// through an argument, while it runs. Optimised code believes it: it loads ahead
// of stores, and keeps what it has loaded. What a call is given is live during
// the call, so views of one arena keep the promise; a plan that takes calls for
// nothing does not. (Lowered memrefs lose the attribute; pointers keep it.)

// Y[i] = 2 X[i + 1]: the second load of X is left out at -O2.
func.func private @twice(%x: !llvm.ptr {llvm.noalias}, %y: !llvm.ptr {llvm.noalias}) attributes {no_inline} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  scf.for %i = %c0 to %c7 step %c1 : i32 {
    %j = arith.addi %i, %c1 : i32
    %p = llvm.getelementptr %x[%j] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %q = llvm.getelementptr %y[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %a = llvm.load %p : !llvm.ptr -> i32
    llvm.store %c0, %q : i32, !llvm.ptr
    %b = llvm.load %p : !llvm.ptr -> i32
    %s = arith.addi %a, %b : i32
    llvm.store %s, %q : i32, !llvm.ptr
  }
  return
}

// The same where it is inlined: the promise becomes scopes, one for each call.
func.func private @inlined(%x: !llvm.ptr {llvm.noalias}, %y: !llvm.ptr {llvm.noalias}) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  scf.for %i = %c0 to %c7 step %c1 : i32 {
    %j = arith.addi %i, %c1 : i32
    %p = llvm.getelementptr %x[%j] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %q = llvm.getelementptr %y[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %a = llvm.load %p : !llvm.ptr -> i32
    %s = arith.addi %a, %i : i32
    llvm.store %s, %q : i32, !llvm.ptr
  }
  return
}

// Each result goes on, and the buffers take turns in the same bytes.
// CHECK-LABEL: in_turn: 64
func.func @in_turn() {
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %c = memref.alloc() : memref<8xi32>
  %d = memref.alloc() : memref<8xi32>
  call @count(%a, %one) : (memref<8xi32>, i32) -> ()
  %ai = memref.extract_aligned_pointer_as_index %a : memref<8xi32> -> index
  %aj = arith.index_cast %ai : index to i64
  %ap = llvm.inttoptr %aj : i64 to !llvm.ptr
  %bi = memref.extract_aligned_pointer_as_index %b : memref<8xi32> -> index
  %bj = arith.index_cast %bi : index to i64
  %bp = llvm.inttoptr %bj : i64 to !llvm.ptr
  %ci = memref.extract_aligned_pointer_as_index %c : memref<8xi32> -> index
  %cj = arith.index_cast %ci : index to i64
  %cp = llvm.inttoptr %cj : i64 to !llvm.ptr
  %di = memref.extract_aligned_pointer_as_index %d : memref<8xi32> -> index
  %dj = arith.index_cast %di : index to i64
  %dp = llvm.inttoptr %dj : i64 to !llvm.ptr
  linalg.fill ins(%one : i32) outs(%b : memref<8xi32>)
  call @twice(%ap, %bp) : (!llvm.ptr, !llvm.ptr) -> ()
  linalg.fill ins(%one : i32) outs(%c : memref<8xi32>)
  call @twice(%bp, %cp) : (!llvm.ptr, !llvm.ptr) -> ()
  linalg.fill ins(%one : i32) outs(%d : memref<8xi32>)
  call @twice(%cp, %dp) : (!llvm.ptr, !llvm.ptr) -> ()
  call @show(%d) : (memref<8xi32>) -> ()
  return
}

// Each result goes on, and the buffers take turns in the same bytes.
// CHECK-LABEL: in_turn_inlined: 64
func.func @in_turn_inlined() {
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  %c = memref.alloc() : memref<8xi32>
  %d = memref.alloc() : memref<8xi32>
  call @count(%a, %one) : (memref<8xi32>, i32) -> ()
  %ai = memref.extract_aligned_pointer_as_index %a : memref<8xi32> -> index
  %aj = arith.index_cast %ai : index to i64
  %ap = llvm.inttoptr %aj : i64 to !llvm.ptr
  %bi = memref.extract_aligned_pointer_as_index %b : memref<8xi32> -> index
  %bj = arith.index_cast %bi : index to i64
  %bp = llvm.inttoptr %bj : i64 to !llvm.ptr
  %ci = memref.extract_aligned_pointer_as_index %c : memref<8xi32> -> index
  %cj = arith.index_cast %ci : index to i64
  %cp = llvm.inttoptr %cj : i64 to !llvm.ptr
  %di = memref.extract_aligned_pointer_as_index %d : memref<8xi32> -> index
  %dj = arith.index_cast %di : index to i64
  %dp = llvm.inttoptr %dj : i64 to !llvm.ptr
  linalg.fill ins(%one : i32) outs(%b : memref<8xi32>)
  call @inlined(%ap, %bp) : (!llvm.ptr, !llvm.ptr) -> ()
  linalg.fill ins(%one : i32) outs(%c : memref<8xi32>)
  call @inlined(%bp, %cp) : (!llvm.ptr, !llvm.ptr) -> ()
  linalg.fill ins(%one : i32) outs(%d : memref<8xi32>)
  call @inlined(%cp, %dp) : (!llvm.ptr, !llvm.ptr) -> ()
  call @show(%d) : (memref<8xi32>) -> ()
  return
}

func.func @main() {
  call @in_turn() : () -> ()
  call @in_turn_inlined() : () -> ()
  return
}
