// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Appended to longest.mlir: with Berth, the owner of the arena opens it as a
// heap, in checked mode, and looks into its header afterwards
// (include/berth-c/Heap.h says which word is which).
func.func private @berth_heap_open(memref<?xi32>, i32) -> i32

func.func @main() {
  %checked = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %four = arith.constant 4 : i32
  %used_word = arith.constant 6 : index
  %high_water_word = arith.constant 7 : index
  %num_words = arith.constant 2048 : index
  %memory = memref.alloc() {alignment = 64} : memref<8192xi8>
  %words = memref.view %memory[%c0][%num_words]
      : memref<8192xi8> to memref<?xi32>
  %status = call @berth_heap_open(%words, %checked)
      : (memref<?xi32>, i32) -> i32
  %arena = memref.cast %memory : memref<8192xi8> to memref<?xi8>
  call @run(%arena) : (memref<?xi8>) -> ()
  %used = memref.load %words[%used_word] : memref<?xi32>
  %high_water = memref.load %words[%high_water_word] : memref<?xi32>
  %bytes = arith.muli %high_water, %four : i32
  vector.print str "words still in use: "
  vector.print %used : i32
  vector.print str "high-water mark in bytes: "
  vector.print %bytes : i32
  memref.dealloc %memory : memref<8192xi8>
  return
}
