// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MLIR 19 loses the addresses of views (test/ir/heap/lost-addresses.mlir).
// REQUIRES: llvm-22
// RUN: %berth-opt %s --berth-heap=size=4096 | FileCheck %s

// Static, but with two instances at a time: the handle comes from the address.
// A static buffer of bounded lifetime is left to a plan.
// CHECK-LABEL: func.func @ping_pong
// CHECK:       memref.alloc() : memref<8xf32>
// CHECK:       scf.for {{.*}} iter_args(%[[OLD:.*]] = %{{.*}}) -> (memref<64xf32>)
// CHECK:         %[[TAKE:.*]]:3 = func.call @berth_heap_take
// CHECK:         %[[NEW:.*]] = memref.view %{{.*}}[%[[TAKE]]#1][] : memref<4096xi8> to memref<64xf32>
// CHECK:         %[[ADDRESS:.*]] = memref.extract_aligned_pointer_as_index %[[OLD]]
// CHECK:         %[[HANDLE:.*]] = func.call @berth_heap_handle_at(%{{.*}}, %[[ADDRESS]])
// CHECK:         func.call @berth_heap_give(%{{.*}}, %[[HANDLE]])
// CHECK:         scf.yield %[[NEW]]
func.func @ping_pong(%k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %scratch = memref.alloc() : memref<8xf32>
  %a = memref.alloc(%k) : memref<?xf32>
  %first = memref.cast %a : memref<?xf32> to memref<64xf32>
  %last = scf.for %i = %c0 to %k step %c1 iter_args(%p = %first) -> (memref<64xf32>) {
    %b = memref.alloc() : memref<64xf32>
    memref.copy %p, %b : memref<64xf32> to memref<64xf32>
    memref.dealloc %p : memref<64xf32>
    scf.yield %b : memref<64xf32>
  }
  memref.dealloc %last : memref<64xf32>
  %v = memref.load %scratch[%c0] : memref<8xf32>
  memref.dealloc %scratch : memref<8xf32>
  return
}
