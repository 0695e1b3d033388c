// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// A buffer gets the most alignment that any of its uses needs.
// RUN: %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-arena{report=- in-place=false})' -o /dev/null 2>&1 | FileCheck %s
// RUN: not %mlir-opt-berth %s --pass-pipeline='builtin.module(berth-arena{report=- in-place=false test-break-rule=no-alignments})' -o /dev/null 2>&1 | %status 1 FileCheck %s

// CHECK-LABEL: "scope": "wider_view"
// CHECK-SAME:  "type": "memref<64xi8>", {{[^}]*}}"alignment": 8,
// CHECK-SAME:  "type": "memref<5xi8>", {{[^}]*}}"alignment": 1,
func.func @wider_view(%f: f64, %x: i8) -> f64 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<64xi8>
  %b = memref.alloc() : memref<5xi8>
  %v = memref.view %a[%c0][] : memref<64xi8> to memref<8xf64>
  memref.store %x, %b[%c0] : memref<5xi8>
  memref.store %f, %v[%c0] : memref<8xf64>
  %y = memref.load %b[%c0] : memref<5xi8>
  memref.store %y, %b[%c0] : memref<5xi8>
  %r = memref.load %v[%c0] : memref<8xf64>
  return %r : f64
}

// CHECK-LABEL: "scope": "vectors"
// CHECK-SAME:  "type": "memref<8xf32>", {{[^}]*}}"alignment": 32,
func.func @vectors(%x: vector<8xf32>) -> vector<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  %v = vector.type_cast %a : memref<8xf32> to memref<vector<8xf32>>
  memref.store %x, %v[] : memref<vector<8xf32>>
  %r = memref.load %v[] : memref<vector<8xf32>>
  return %r : vector<8xf32>
}

// CHECK-LABEL: "scope": "assumed"
// CHECK-SAME:  "type": "memref<8xf32>", {{[^}]*}}"alignment": 64,
func.func @assumed(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  %v = memref.assume_alignment %a, 64 : memref<8xf32>
  memref.store %x, %v[%c0] : memref<8xf32>
  %r = memref.load %v[%c0] : memref<8xf32>
  return %r : f32
}

// What nobody sees may rely on malloc: 16 bytes, or less for less than that.
// CHECK-LABEL: "scope": "unseen"
// CHECK-SAME:  "type": "memref<8xf32>", {{[^}]*}}"alignment": 16,
// CHECK-SAME:  "type": "memref<3xf32>", {{[^}]*}}"alignment": 8,
// CHECK-SAME:  "type": "memref<12xi8>", {{[^}]*}}"alignment": 8,
func.func private @unseen_code(memref<8xf32>, memref<3xf32>)
func.func @unseen(%x: i8) -> i8 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<3xf32>
  %c = memref.alloc() : memref<12xi8>
  call @unseen_code(%a, %b) : (memref<8xf32>, memref<3xf32>) -> ()
  memref.store %x, %c[%c0] : memref<12xi8>
  %p = memref.extract_aligned_pointer_as_index %c : memref<12xi8> -> index
  %i = arith.index_cast %p : index to i64
  %q = llvm.inttoptr %i : i64 to !llvm.ptr
  %r = llvm.load %q : !llvm.ptr -> i8
  return %r : i8
}

// Shared memory and the stack promise nothing.
// CHECK-LABEL: "scope": "stack"
// CHECK-SAME:  "type": "memref<8xf32>", {{[^}]*}}"alignment": 4,
func.func private @unseen_too(memref<8xf32>)
func.func @stack() {
  %a = memref.alloca() : memref<8xf32>
  call @unseen_too(%a) : (memref<8xf32>) -> ()
  return
}
