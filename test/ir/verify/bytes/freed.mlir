// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %berth-opt %s --verify-diagnostics --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-verify)' -o /dev/null

func.func @used_later(%x: i32, %c: i1) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<32xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<32xi8> to memref<8xi32>
  %half = memref.subview %a[0] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1]>>
  linalg.fill ins(%x : i32) outs(%a : memref<8xi32>)
  // expected-note @+1 {{here}}
  memref.dealloc %arena : memref<32xi8>
  // To look at its size is no use.
  %n = memref.dim %a, %c0 : memref<8xi32>
  scf.if %c {
    // expected-error @+1 {{uses a buffer whose arena has been freed}}
    %y = memref.load %half[%c0] : memref<4xi32, strided<[1]>>
    vector.print %y : i32
  }
  return
}

// Another arena is another matter.
func.func @other(%x: i32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<32xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<32xi8> to memref<8xi32>
  %second = memref.alloc() : memref<32xi8>
  %b = memref.view %second[%c0][] {berth.buffer = 0} : memref<32xi8> to memref<8xi32>
  linalg.fill ins(%x : i32) outs(%a : memref<8xi32>)
  memref.dealloc %arena : memref<32xi8>
  linalg.fill ins(%x : i32) outs(%b : memref<8xi32>)
  memref.dealloc %second : memref<32xi8>
  return
}

// A buffer that an attribute places lies in memory that is not freed here; its
// copy may be the same bytes, as far as anybody tells.
func.func @placed(%x: i32) -> i32 attributes {berth.arena_size = 32 : i64} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {berth.offset = 0 : i64, berth.size = 32 : i64} : memref<8xi32>
  linalg.fill ins(%x : i32) outs(%a : memref<8xi32>)
  %b = bufferization.clone %a : memref<8xi32> to memref<8xi32>
  memref.dealloc %a : memref<8xi32>
  %y = memref.load %b[%c0] : memref<8xi32>
  memref.dealloc %b : memref<8xi32>
  return %y : i32
}
