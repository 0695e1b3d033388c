// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %berth-opt %s --berth-arena | FileCheck %s
// With MLIR 19 what is freed by its address stays (ir/heap/lost-addresses.mlir).
// RUN: %if heap %{ %if llvm-22 %{ %berth-opt %s --berth-heap=allocations=all | FileCheck %s --check-prefix=HEAP %} %}

// A block argument is freed: what branches hand over decides. Both are placed, so
// the deallocations go; a heap is given both back.
// CHECK-LABEL: func.func @both
// CHECK:       memref.dealloc %alloc {bufferization.manual_deallocation}
// CHECK-NOT:   memref.dealloc
// HEAP-LABEL:  func.func @both
// HEAP-COUNT-2: call @berth_heap_give
// HEAP-NOT:    memref.dealloc %{{[0-9]}} :
func.func @both(%c: i1, %x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.exp ins(%x : memref<8xf32>) outs(%b : memref<8xf32>)
  cf.cond_br %c, ^bb1(%a, %b : memref<8xf32>, memref<8xf32>), ^bb1(%b, %a : memref<8xf32>, memref<8xf32>)
^bb1(%m: memref<8xf32>, %n: memref<8xf32>):
  memref.copy %m, %x : memref<8xf32> to memref<8xf32>
  memref.dealloc %m : memref<8xf32>
  memref.dealloc %n : memref<8xf32>
  return
}

// One may be a caller's: the deallocation has to stay, and the buffer.
// CHECK-LABEL: func.func @foreign
// CHECK-NEXT:  memref.alloc() : memref<8xf32>
// CHECK:       memref.dealloc %{{[0-9]}} : memref<8xf32>
// HEAP-LABEL:  func.func @foreign
// HEAP-NOT:    berth_heap_give
// HEAP:        memref.dealloc %{{[0-9]}} : memref<8xf32>
func.func @foreign(%c: i1, %x: memref<8xf32>, %y: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  cf.cond_br %c, ^bb1(%a : memref<8xf32>), ^bb1(%y : memref<8xf32>)
^bb1(%m: memref<8xf32>):
  memref.copy %m, %x : memref<8xf32> to memref<8xf32>
  memref.dealloc %m : memref<8xf32>
  return
}
