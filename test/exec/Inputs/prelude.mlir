// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the programs in this folder print with; put before each of them.

func.func private @show(%m: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %v = vector.load %m[%c0] : memref<8xi32>, vector<8xi32>
  vector.print %v : vector<8xi32>
  return
}

func.func private @show4(%m: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %v = vector.load %m[%c0] : memref<4xi32>, vector<4xi32>
  vector.print %v : vector<4xi32>
  return
}

// m[i] = x + i: writes everything.
func.func private @count(%m: memref<8xi32>, %x: i32) {
  %c0 = arith.constant 0 : index
  %base = vector.broadcast %x : i32 to vector<8xi32>
  %steps = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : vector<8xi32>
  %v = arith.addi %base, %steps : vector<8xi32>
  vector.store %v, %m[%c0] : memref<8xi32>, vector<8xi32>
  return
}

