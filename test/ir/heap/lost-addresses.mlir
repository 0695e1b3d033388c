// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expand-strided-metadata of MLIR 19 takes the address of a memref.view for that
// of what it views. So no buffer becomes one whose address somebody asks for: the
// program, or Berth itself, to find the block of what is deallocated.
// UNSUPPORTED: llvm-22
// RUN: mlir-opt %s --expand-strided-metadata | FileCheck %s --check-prefix=LOST
// RUN: %berth-opt %s --berth-heap=allocations=all --remarks-filter=berth -o /dev/null 2>&1 | FileCheck %s
// RUN: %berth-opt %s --berth-arena --remarks-filter=berth -o /dev/null 2>&1 | FileCheck %s --check-prefix=ARENA

// LOST-LABEL: func.func @view
// LOST-SAME:  (%[[A:.*]]: memref<64xi8>
// LOST:       %[[ADDRESS:.*]] = memref.extract_aligned_pointer_as_index %[[A]]
// LOST:       return %[[ADDRESS]]
func.func @view(%a: memref<64xi8>, %shift: index) -> index {
  %v = memref.view %a[%shift][] : memref<64xi8> to memref<4xi32>
  %p = memref.extract_aligned_pointer_as_index %v : memref<4xi32> -> index
  return %p : index
}

func.func private @library(index)

// CHECK: lost-addresses.mlir:[[#@LINE+4]]:{{.*}}Missed{{.*}}"this MLIR loses the address of a view, which an op takes"
// ARENA: lost-addresses.mlir:[[#@LINE+3]]:{{.*}}Missed{{.*}}"not placed: this MLIR loses the address of a view, which an op takes (memref.extract_aligned_pointer_as_index at line [[#@LINE+6]])"
func.func @asked(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<64xf32>
  memref.store %x, %a[%c0] : memref<64xf32>
  %s = memref.subview %a[8] [8] [1] : memref<64xf32> to memref<8xf32, strided<[1], offset: 8>>
  %p = memref.extract_aligned_pointer_as_index %s : memref<8xf32, strided<[1], offset: 8>> -> index
  call @library(%p) : (index) -> ()
  %y = memref.load %a[%c0] : memref<64xf32>
  memref.dealloc %a : memref<64xf32>
  return %y : f32
}

// CHECK: lost-addresses.mlir:[[#@LINE+4]]:{{.*}}Missed{{.*}}"which buffer is deallocated here is known by its address only, and this MLIR loses the address of a view"
func.func @either(%k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %last = scf.for %i = %c0 to %k step %c1 iter_args(%p = %a) -> (memref<64xf32>) {
    %b = memref.alloc() : memref<64xf32>
    memref.copy %p, %b : memref<64xf32> to memref<64xf32>
    memref.dealloc %p : memref<64xf32>
    scf.yield %b : memref<64xf32>
  }
  memref.dealloc %last : memref<64xf32>
  return
}
