// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays that are too dear to fold become rings of rows.
// RUN: %berth-opt %s --berth-fold=max-operations=12000 --remarks-filter='berth.*' 2>&1 | FileCheck %s
// RUN: %same-output --pipeline='berth-fold{max-operations=12000}' --pipeline='berth-fold{max-operations=12000},berth-arena{poison=true},berth-verify' %s

// CHECK-DAG: ran out of isl's operation budget (8 loads, 1 stores): needs more than {{[0-9]+}} operations and saves at most {{[0-9]+}} cells of 320;
// CHECK-DAG: folded: a ring of 3 along dimension 0, 48 cells of 320
// CHECK-DAG: memref.alloc() : memref<3x16xi64>

func.func @stages(%in: memref<20x16xi64>, %out: memref<20x16xi64>) {
  %I = memref.alloc() : memref<20x16xi64>
  %Ix = memref.alloc() : memref<20x16xi64>
  %Iy = memref.alloc() : memref<20x16xi64>
  %Ixx = memref.alloc() : memref<20x16xi64>
  %Iyy = memref.alloc() : memref<20x16xi64>
  %Ixy = memref.alloc() : memref<20x16xi64>
  %Sxx = memref.alloc() : memref<20x16xi64>
  %Syy = memref.alloc() : memref<20x16xi64>
  %Sxy = memref.alloc() : memref<20x16xi64>
  affine.for %y = 0 to 20 {
    affine.for %x = 0 to 16 {
      %v = affine.load %in[%y, %x] : memref<20x16xi64>
      affine.store %v, %I[%y, %x] : memref<20x16xi64>
    }
    affine.if affine_set<(d0) : (d0 - 2 >= 0)>(%y) {
      affine.for %x = 1 to 15 {
        %l1 = affine.load %I[%y - 2, %x + -1] : memref<20x16xi64>
        %l2 = affine.load %I[%y - 2, %x + 0] : memref<20x16xi64>
        %l3 = affine.load %I[%y - 2, %x + 1] : memref<20x16xi64>
        %l4 = affine.load %I[%y - 1, %x + -1] : memref<20x16xi64>
        %l5 = affine.load %I[%y - 1, %x + 1] : memref<20x16xi64>
        %l6 = affine.load %I[%y - 0, %x + -1] : memref<20x16xi64>
        %l7 = affine.load %I[%y - 0, %x + 0] : memref<20x16xi64>
        %l8 = affine.load %I[%y - 0, %x + 1] : memref<20x16xi64>
        %l9 = arith.addi %l3, %l5 : i64
        %l10 = arith.addi %l9, %l8 : i64
        %l11 = arith.addi %l1, %l4 : i64
        %l12 = arith.addi %l11, %l6 : i64
        %l13 = arith.subi %l10, %l12 : i64
        %l14 = arith.addi %l6, %l7 : i64
        %l15 = arith.addi %l14, %l8 : i64
        %l16 = arith.addi %l1, %l2 : i64
        %l17 = arith.addi %l16, %l3 : i64
        %l18 = arith.subi %l15, %l17 : i64
        affine.store %l13, %Ix[%y - 1, %x] : memref<20x16xi64>
        affine.store %l18, %Iy[%y - 1, %x] : memref<20x16xi64>
      }
    }
    affine.if affine_set<(d0) : (d0 - 2 >= 0)>(%y) {
      affine.for %x = 1 to 15 {
        %l19 = affine.load %Ix[%y - 1, %x + 0] : memref<20x16xi64>
        %l20 = affine.load %Ix[%y - 1, %x + 0] : memref<20x16xi64>
        %l21 = arith.muli %l19, %l20 : i64
        affine.store %l21, %Ixx[%y - 1, %x] : memref<20x16xi64>
        %l22 = affine.load %Iy[%y - 1, %x + 0] : memref<20x16xi64>
        %l23 = affine.load %Iy[%y - 1, %x + 0] : memref<20x16xi64>
        %l24 = arith.muli %l22, %l23 : i64
        affine.store %l24, %Iyy[%y - 1, %x] : memref<20x16xi64>
        %l25 = affine.load %Ix[%y - 1, %x + 0] : memref<20x16xi64>
        %l26 = affine.load %Iy[%y - 1, %x + 0] : memref<20x16xi64>
        %l27 = arith.muli %l25, %l26 : i64
        affine.store %l27, %Ixy[%y - 1, %x] : memref<20x16xi64>
      }
    }
    affine.if affine_set<(d0) : (d0 - 4 >= 0)>(%y) {
      affine.for %x = 2 to 14 {
        %l28 = affine.load %Ixx[%y - 3, %x + -1] : memref<20x16xi64>
        %l29 = affine.load %Ixx[%y - 3, %x + 0] : memref<20x16xi64>
        %l30 = arith.addi %l28, %l29 : i64
        %l31 = affine.load %Ixx[%y - 3, %x + 1] : memref<20x16xi64>
        %l32 = arith.addi %l30, %l31 : i64
        %l33 = affine.load %Ixx[%y - 2, %x + -1] : memref<20x16xi64>
        %l34 = arith.addi %l32, %l33 : i64
        %l35 = affine.load %Ixx[%y - 2, %x + 0] : memref<20x16xi64>
        %l36 = arith.addi %l34, %l35 : i64
        %l37 = affine.load %Ixx[%y - 2, %x + 1] : memref<20x16xi64>
        %l38 = arith.addi %l36, %l37 : i64
        %l39 = affine.load %Ixx[%y - 1, %x + -1] : memref<20x16xi64>
        %l40 = arith.addi %l38, %l39 : i64
        %l41 = affine.load %Ixx[%y - 1, %x + 0] : memref<20x16xi64>
        %l42 = arith.addi %l40, %l41 : i64
        %l43 = affine.load %Ixx[%y - 1, %x + 1] : memref<20x16xi64>
        %l44 = arith.addi %l42, %l43 : i64
        affine.store %l44, %Sxx[%y - 2, %x] : memref<20x16xi64>
        %l45 = affine.load %Iyy[%y - 3, %x + -1] : memref<20x16xi64>
        %l46 = affine.load %Iyy[%y - 3, %x + 0] : memref<20x16xi64>
        %l47 = arith.addi %l45, %l46 : i64
        %l48 = affine.load %Iyy[%y - 3, %x + 1] : memref<20x16xi64>
        %l49 = arith.addi %l47, %l48 : i64
        %l50 = affine.load %Iyy[%y - 2, %x + -1] : memref<20x16xi64>
        %l51 = arith.addi %l49, %l50 : i64
        %l52 = affine.load %Iyy[%y - 2, %x + 0] : memref<20x16xi64>
        %l53 = arith.addi %l51, %l52 : i64
        %l54 = affine.load %Iyy[%y - 2, %x + 1] : memref<20x16xi64>
        %l55 = arith.addi %l53, %l54 : i64
        %l56 = affine.load %Iyy[%y - 1, %x + -1] : memref<20x16xi64>
        %l57 = arith.addi %l55, %l56 : i64
        %l58 = affine.load %Iyy[%y - 1, %x + 0] : memref<20x16xi64>
        %l59 = arith.addi %l57, %l58 : i64
        %l60 = affine.load %Iyy[%y - 1, %x + 1] : memref<20x16xi64>
        %l61 = arith.addi %l59, %l60 : i64
        affine.store %l61, %Syy[%y - 2, %x] : memref<20x16xi64>
        %l62 = affine.load %Ixy[%y - 3, %x + -1] : memref<20x16xi64>
        %l63 = affine.load %Ixy[%y - 3, %x + 0] : memref<20x16xi64>
        %l64 = arith.addi %l62, %l63 : i64
        %l65 = affine.load %Ixy[%y - 3, %x + 1] : memref<20x16xi64>
        %l66 = arith.addi %l64, %l65 : i64
        %l67 = affine.load %Ixy[%y - 2, %x + -1] : memref<20x16xi64>
        %l68 = arith.addi %l66, %l67 : i64
        %l69 = affine.load %Ixy[%y - 2, %x + 0] : memref<20x16xi64>
        %l70 = arith.addi %l68, %l69 : i64
        %l71 = affine.load %Ixy[%y - 2, %x + 1] : memref<20x16xi64>
        %l72 = arith.addi %l70, %l71 : i64
        %l73 = affine.load %Ixy[%y - 1, %x + -1] : memref<20x16xi64>
        %l74 = arith.addi %l72, %l73 : i64
        %l75 = affine.load %Ixy[%y - 1, %x + 0] : memref<20x16xi64>
        %l76 = arith.addi %l74, %l75 : i64
        %l77 = affine.load %Ixy[%y - 1, %x + 1] : memref<20x16xi64>
        %l78 = arith.addi %l76, %l77 : i64
        affine.store %l78, %Sxy[%y - 2, %x] : memref<20x16xi64>
      }
    }
    affine.if affine_set<(d0) : (d0 - 4 >= 0)>(%y) {
      affine.for %x = 2 to 14 {
        %l79 = affine.load %Sxx[%y - 2, %x + 0] : memref<20x16xi64>
        %l80 = affine.load %Syy[%y - 2, %x + 0] : memref<20x16xi64>
        %l81 = affine.load %Sxy[%y - 2, %x + 0] : memref<20x16xi64>
        %l82 = arith.muli %l79, %l80 : i64
        %l83 = arith.muli %l81, %l81 : i64
        %l84 = arith.subi %l82, %l83 : i64
        affine.store %l84, %out[%y - 2, %x] : memref<20x16xi64>
      }
    }
  }
  memref.dealloc %I : memref<20x16xi64>
  memref.dealloc %Ix : memref<20x16xi64>
  memref.dealloc %Iy : memref<20x16xi64>
  memref.dealloc %Ixx : memref<20x16xi64>
  memref.dealloc %Iyy : memref<20x16xi64>
  memref.dealloc %Ixy : memref<20x16xi64>
  memref.dealloc %Sxx : memref<20x16xi64>
  memref.dealloc %Syy : memref<20x16xi64>
  memref.dealloc %Sxy : memref<20x16xi64>
  return
}

// The rest of the program has another shape.
func.func @kernel(%in: memref<20x16xi64>, %f: memref<3x3xi64>, %out: memref<16x12xi64>) {
  %all = memref.alloc() : memref<20x16xi64>
  call @stages(%in, %all) : (memref<20x16xi64>, memref<20x16xi64>) -> ()
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 12 {
      %v = affine.load %all[%i + 2, %j + 2] : memref<20x16xi64>
      affine.store %v, %out[%i, %j] : memref<16x12xi64>
    }
  }
  memref.dealloc %all : memref<20x16xi64>
  return
}

func.func @main() {
  %in = memref.alloc() : memref<20x16xi64>
  %f = memref.alloc() : memref<3x3xi64>
  %out = memref.alloc() : memref<16x12xi64>
  affine.for %i = 0 to 20 {
    affine.for %j = 0 to 16 {
      %seed = arith.constant 1 : i64
      %m = arith.constant 31 : i64
      %r = arith.constant 17 : i64
      %x0 = arith.index_cast %i : index to i64
      %y0 = arith.addi %seed, %x0 : i64
      %z0 = arith.muli %y0, %m : i64
      %x1 = arith.index_cast %j : index to i64
      %y1 = arith.addi %z0, %x1 : i64
      %z1 = arith.muli %y1, %m : i64
      %v = arith.remsi %z1, %r : i64
      affine.store %v, %in[%i, %j] : memref<20x16xi64>
    }
  }
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to 3 {
      %seed = arith.constant 2 : i64
      %m = arith.constant 31 : i64
      %r = arith.constant 17 : i64
      %x0 = arith.index_cast %i : index to i64
      %y0 = arith.addi %seed, %x0 : i64
      %z0 = arith.muli %y0, %m : i64
      %x1 = arith.index_cast %j : index to i64
      %y1 = arith.addi %z0, %x1 : i64
      %z1 = arith.muli %y1, %m : i64
      %v = arith.remsi %z1, %r : i64
      affine.store %v, %f[%i, %j] : memref<3x3xi64>
    }
  }
  call @kernel(%in, %f, %out) : (memref<20x16xi64>, memref<3x3xi64>, memref<16x12xi64>) -> ()
  affine.for %i = 0 to 16 {
    %v = affine.vector_load %out[%i, 0] : memref<16x12xi64>, vector<12xi64>
    vector.print %v : vector<12xi64>
  }
  memref.dealloc %in : memref<20x16xi64>
  memref.dealloc %f : memref<3x3xi64>
  memref.dealloc %out : memref<16x12xi64>
  return
}
