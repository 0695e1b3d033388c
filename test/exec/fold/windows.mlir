// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows that slide for some iterations before their rows are copied.
// RUN: %berth-opt %s --berth-fold=max-operations=0 --remarks-filter=berth-fold 2>&1 | FileCheck %s
// RUN: %berth-opt %s --berth-fold='max-operations=0 copy-slack=50' --remarks-filter=berth-fold 2>&1 | FileCheck %s --check-prefix=SLACK
// RUN: %same-output --pipeline='berth-fold{max-operations=0}' --pipeline='berth-fold{max-operations=0},berth-arena{poison=true},berth-verify' --pipeline='berth-fold{max-operations=0 copy-slack=50},berth-arena{poison=true}' --pipeline='berth-fold{max-operations=0 copy-slack=30}' %s

// Thirty-six rows at once, two of them new: to copy all others each time were
// more than sixteen for one.
// CHECK-DAG: "folded: a window of 36 along dimension 0, which moves by 4 every 2 iterations through 38 rows (34 copied), 152 cells of 240
// SLACK-DAG: "folded: a window of 36 along dimension 0, which moves by 4 every 2 iterations through 38 rows (34 copied), 152 cells of 240
// Half of that more would save too little.
// What mirrored rows copy costs less than this window, which a slack lets count.
// CHECK-DAG: "folded: a window of 7 along dimension 0, which moves by 1 in each iteration (6 copied), 28 cells of 88
// SLACK-DAG: "folded: A0[x0, x1] -> [x0 mod 7 (1 mirrored), x1 mod 4] by lefebvre-feautrier, 32 cells of 88
// Each iteration writes all of its window.
// CHECK-DAG: "folded: a window of 2 along dimension 0, which moves by 1 in each iteration (1 copied), 2 cells of 7
// SLACK-DAG: "folded: A0[x0] -> [x0 mod 2 (1 mirrored)] by lefebvre-feautrier, 3 cells of 7

#R = strided<[4, 1], offset: ?>

// CHECK-LABEL: func.func @tall
func.func @tall(%in: memref<60x4xi64>, %f: memref<36x1xi64>, %out: memref<25x4xi64>) {
  %A = memref.alloc() : memref<60x4xi64>
  affine.for %y = 3 to 63 step 2 {
    %t = affine.apply affine_map<(d0) -> (d0 - 3)>(%y)
    %i = memref.subview %in[%t, 0] [2, 4] [1, 1] : memref<60x4xi64> to memref<2x4xi64, #R>
    %a = memref.subview %A[%t, 0] [2, 4] [1, 1] : memref<60x4xi64> to memref<2x4xi64, #R>
    memref.copy %i, %a : memref<2x4xi64, #R> to memref<2x4xi64, #R>
    affine.if affine_set<(d0) : (d0 - 37 >= 0)>(%y) {
      %t2 = affine.apply affine_map<(d0) -> (d0 - 37)>(%y)
      %w = memref.subview %A[%t2, 0] [36, 4] [1, 1] : memref<60x4xi64> to memref<36x4xi64, #R>
      %o = memref.subview %out[%t2, 0] [1, 4] [1, 1] : memref<25x4xi64> to memref<1x4xi64, #R>
      linalg.conv_2d ins(%w, %f : memref<36x4xi64, #R>, memref<36x1xi64>) outs(%o : memref<1x4xi64, #R>)
    }
  }
  memref.dealloc %A : memref<60x4xi64>
  return
}

func.func @wait(%in: memref<60x4xi64>, %out: memref<25x4xi64>) {
  %A = memref.alloc() : memref<22x4xi64>
  affine.for %y = 0 to 22 {
    %i = memref.subview %in[%y, 0] [1, 4] [1, 1] : memref<60x4xi64> to memref<1x4xi64, #R>
    %a = memref.subview %A[%y, 0] [1, 4] [1, 1] : memref<22x4xi64> to memref<1x4xi64, #R>
    memref.copy %i, %a : memref<1x4xi64, #R> to memref<1x4xi64, #R>
    affine.if affine_set<(d0) : (d0 - 6 >= 0)>(%y) {
      %t = affine.apply affine_map<(d0) -> (d0 - 6)>(%y)
      %w = memref.subview %A[%t, 0] [2, 4] [1, 1] : memref<22x4xi64> to memref<2x4xi64, #R>
      %o = memref.subview %out[%t, 0] [2, 4] [1, 1] : memref<25x4xi64> to memref<2x4xi64, #R>
      linalg.add ins(%w, %o : memref<2x4xi64, #R>, memref<2x4xi64, #R>) outs(%o : memref<2x4xi64, #R>)
    }
  }
  memref.dealloc %A : memref<22x4xi64>
  return
}

// What was moved is dead, and poisoned.
func.func @rewritten(%out: memref<25x4xi64>) {
  %A = memref.alloc() : memref<7xi64>
  affine.for %y = 0 to 6 {
    %t = arith.constant dense<38> : vector<2xi64>
    vector.transfer_write %t, %A[%y] {in_bounds = [true]} : vector<2xi64>, memref<7xi64>
    affine.for %v = 0 to 2 {
      %q = affine.load %A[%y + %v] : memref<7xi64>
      affine.store %q, %out[%y + 2 * %v, %v] : memref<25x4xi64>
    }
  }
  memref.dealloc %A : memref<7xi64>
  return
}

func.func @main() {
  %zero = arith.constant 0 : i64
  %in = memref.alloc() : memref<60x4xi64>
  %f = memref.alloc() : memref<36x1xi64>
  %out = memref.alloc() : memref<25x4xi64>
  affine.for %i = 0 to 60 {
    affine.for %j = 0 to 4 {
      %m = arith.constant 31 : i64
      %x0 = arith.index_cast %i : index to i64
      %x1 = arith.index_cast %j : index to i64
      %z = arith.muli %x0, %m : i64
      %v = arith.addi %z, %x1 : i64
      affine.store %v, %in[%i, %j] : memref<60x4xi64>
    }
  }
  affine.for %i = 0 to 36 {
    %v = arith.index_cast %i : index to i64
    affine.store %v, %f[%i, 0] : memref<36x1xi64>
  }
  affine.for %i = 0 to 25 {
    affine.for %j = 0 to 4 {
      affine.store %zero, %out[%i, %j] : memref<25x4xi64>
    }
  }
  call @tall(%in, %f, %out) : (memref<60x4xi64>, memref<36x1xi64>, memref<25x4xi64>) -> ()
  call @wait(%in, %out) : (memref<60x4xi64>, memref<25x4xi64>) -> ()
  call @rewritten(%out) : (memref<25x4xi64>) -> ()
  affine.for %i = 0 to 25 {
    %v = affine.vector_load %out[%i, 0] : memref<25x4xi64>, vector<4xi64>
    vector.print %v : vector<4xi64>
  }
  memref.dealloc %in : memref<60x4xi64>
  memref.dealloc %f : memref<36x1xi64>
  memref.dealloc %out : memref<25x4xi64>
  return
}
