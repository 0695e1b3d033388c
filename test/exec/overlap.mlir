// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that write a buffer over one that they have read (overlap=on): the bytes
// of each arena are those of the larger buffer and of what has to lie beside it.
// REQUIRES: mlir
// RUN: %same-output --pipeline='berth-arena{overlap=on}' --pipeline='berth-arena{overlap=on poison=true}' \
// RUN:   --pipeline='berth-arena{overlap=on split-lives=false poison=true}' \
// RUN:   --pipeline='berth-arena{overlap=on arena=alloca split-arenas=true in-place=false poison=true}' \
// RUN:   %S/Inputs/prelude.mlir %s | FileCheck %s

func.func private @print_bytes(%m: memref<64xi8>) {
  %c0 = arith.constant 0 : index
  %v = vector.load %m[%c0] : memref<64xi8>, vector<64xi8>
  vector.print %v : vector<64xi8>
  return
}

func.func private @print_words(%m: memref<64xi32>) {
  %c0 = arith.constant 0 : index
  %v = vector.load %m[%c0] : memref<64xi32>, vector<64xi32>
  vector.print %v : vector<64xi32>
  return
}

func.func private @fill_words(%m: memref<64xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %three = arith.constant 3 : i32
  scf.for %i = %c0 to %c64 step %c1 {
    %j = arith.index_cast %i : index to i32
    %x = arith.muli %j, %three : i32
    memref.store %x, %m[%i] : memref<64xi32>
  }
  return
}

// CHECK: narrower: 256
func.func @narrower() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %x = memref.alloc() : memref<64xi32>
  %y = memref.alloc() : memref<64xi8>
  call @fill_words(%x) : (memref<64xi32>) -> ()
  scf.for %i = %c0 to %c64 step %c1 {
    %v = memref.load %x[%i] : memref<64xi32>
    %t = arith.trunci %v : i32 to i8
    memref.store %t, %y[%i] : memref<64xi8>
  }
  call @print_bytes(%y) : (memref<64xi8>) -> ()
  return
}

// From the last element on the input lies at the output's start.
// CHECK: wider_from_behind: 256
func.func @wider_from_behind() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %x = memref.alloc() : memref<64xi8>
  %y = memref.alloc() : memref<64xi32>
  scf.for %i = %c0 to %c64 step %c1 {
    %b = arith.index_cast %i : index to i8
    memref.store %b, %x[%i] : memref<64xi8>
  }
  scf.for %i = %c0 to %c64 step %c1 {
    %at = arith.subi %c63, %i : index
    %v = memref.load %x[%at] : memref<64xi8>
    %w = arith.extsi %v : i8 to i32
    memref.store %w, %y[%at] : memref<64xi32>
  }
  call @print_words(%y) : (memref<64xi32>) -> ()
  return
}

// From the first one on it lies at its end.
// CHECK: wider: 256
func.func @wider() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %x = memref.alloc() : memref<64xi8>
  %y = memref.alloc() : memref<64xi32>
  scf.for %i = %c0 to %c64 step %c1 {
    %b = arith.index_cast %i : index to i8
    memref.store %b, %x[%i] : memref<64xi8>
  }
  scf.for %i = %c0 to %c64 step %c1 {
    %v = memref.load %x[%i] : memref<64xi8>
    %w = arith.extsi %v : i8 to i32
    memref.store %w, %y[%i] : memref<64xi32>
  }
  call @print_words(%y) : (memref<64xi32>) -> ()
  return
}

// Maxima of two by two. An output element is written before the first of its
// four is read, so it lies one element ahead.
// CHECK: pooling: 1028
func.func @pooling() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %least = arith.constant -1000 : i32
  %x = memref.alloc() : memref<16x16xi32>
  %y = memref.alloc() : memref<8x8xi32>
  scf.for %i = %c0 to %c16 step %c1 {
    scf.for %j = %c0 to %c16 step %c1 {
      %k = arith.muli %i, %j : index
      %l = arith.addi %k, %i : index
      %v = arith.index_cast %l : index to i32
      memref.store %v, %x[%i, %j] : memref<16x16xi32>
    }
  }
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      memref.store %least, %y[%i, %j] : memref<8x8xi32>
      scf.for %k = %c0 to %c2 step %c1 {
        scf.for %l = %c0 to %c2 step %c1 {
          %r = affine.apply affine_map<(d0, d1) -> (2 * d0 + d1)>(%i, %k)
          %s = affine.apply affine_map<(d0, d1) -> (2 * d0 + d1)>(%j, %l)
          %v = memref.load %x[%r, %s] : memref<16x16xi32>
          %m = memref.load %y[%i, %j] : memref<8x8xi32>
          %n = arith.maxsi %v, %m : i32
          memref.store %n, %y[%i, %j] : memref<8x8xi32>
        }
      }
    }
  }
  %flat = memref.collapse_shape %y [[0, 1]] : memref<8x8xi32> into memref<64xi32>
  call @print_words(%flat) : (memref<64xi32>) -> ()
  return
}

// Rows of 8 that read one row more on either side, if there is one: the output
// starts a row and an element ahead of the input.
// CHECK: three_rows: 292
func.func @three_rows() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %x = memref.alloc() : memref<8x8xi32>
  %y = memref.alloc() : memref<8x8xi32>
  %all = memref.collapse_shape %x [[0, 1]] : memref<8x8xi32> into memref<64xi32>
  call @fill_words(%all) : (memref<64xi32>) -> ()
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %here = memref.load %x[%i, %j] : memref<8x8xi32>
      memref.store %here, %y[%i, %j] : memref<8x8xi32>
      %hasAbove = arith.cmpi sgt, %i, %c0 : index
      scf.if %hasAbove {
        %a = arith.subi %i, %c1 : index
        %v = memref.load %x[%a, %j] : memref<8x8xi32>
        %s = memref.load %y[%i, %j] : memref<8x8xi32>
        %t = arith.addi %v, %s : i32
        memref.store %t, %y[%i, %j] : memref<8x8xi32>
      }
      %hasBelow = arith.cmpi slt, %i, %c7 : index
      scf.if %hasBelow {
        %b = arith.addi %i, %c1 : index
        %v = memref.load %x[%b, %j] : memref<8x8xi32>
        %s = memref.load %y[%i, %j] : memref<8x8xi32>
        %t = arith.addi %v, %s : i32
        memref.store %t, %y[%i, %j] : memref<8x8xi32>
      }
    }
  }
  %flat = memref.collapse_shape %y [[0, 1]] : memref<8x8xi32> into memref<64xi32>
  call @print_words(%flat) : (memref<64xi32>) -> ()
  return
}

// Each element needs its neighbours: the output lies one element ahead.
// CHECK: stencil: 260
func.func @stencil() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %x = memref.alloc() : memref<64xi32>
  %y = memref.alloc() : memref<64xi32>
  call @fill_words(%x) : (memref<64xi32>) -> ()
  %first = memref.load %x[%c0] : memref<64xi32>
  %last = memref.load %x[%c63] : memref<64xi32>
  scf.for %k = %c0 to %c1 step %c1 {
    memref.store %first, %y[%c0] : memref<64xi32>
    scf.for %i = %c1 to %c63 step %c1 {
      %p = arith.subi %i, %c1 : index
      %n = arith.addi %i, %c1 : index
      %a = memref.load %x[%p] : memref<64xi32>
      %b = memref.load %x[%i] : memref<64xi32>
      %c = memref.load %x[%n] : memref<64xi32>
      %s = arith.addi %a, %b : i32
      %t = arith.muli %s, %c : i32
      memref.store %t, %y[%i] : memref<64xi32>
    }
    memref.store %last, %y[%c63] : memref<64xi32>
  }
  call @print_words(%y) : (memref<64xi32>) -> ()
  return
}

// What is read first is read last, too: only the output's last element may lie on
// the input's first.
// CHECK: reads_behind: 508
func.func @reads_behind() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %x = memref.alloc() : memref<64xi32>
  %y = memref.alloc() : memref<64xi32>
  call @fill_words(%x) : (memref<64xi32>) -> ()
  scf.for %i = %c0 to %c64 step %c1 {
    %at = arith.subi %c63, %i : index
    %a = memref.load %x[%at] : memref<64xi32>
    %b = memref.load %x[%i] : memref<64xi32>
    %c = arith.subi %a, %b : i32
    memref.store %c, %y[%i] : memref<64xi32>
  }
  call @print_words(%y) : (memref<64xi32>) -> ()
  return
}

// Nobody says in which order turns come.
// CHECK: in_any_order: 320
func.func @in_any_order() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %x = memref.alloc() : memref<64xi32>
  %y = memref.alloc() : memref<64xi8>
  call @fill_words(%x) : (memref<64xi32>) -> ()
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %v = memref.load %x[%i] : memref<64xi32>
    %t = arith.trunci %v : i32 to i8
    memref.store %t, %y[%i] : memref<64xi8>
  }
  call @print_bytes(%y) : (memref<64xi8>) -> ()
  return
}

// CHECK: affine: 256
func.func @affine() {
  %x = memref.alloc() : memref<64xi32>
  %y = memref.alloc() : memref<64xi8>
  call @fill_words(%x) : (memref<64xi32>) -> ()
  affine.for %i = 0 to 64 {
    %v = affine.load %x[%i] : memref<64xi32>
    %t = arith.trunci %v : i32 to i8
    affine.store %t, %y[%i] : memref<64xi8>
  }
  call @print_bytes(%y) : (memref<64xi8>) -> ()
  return
}

// Values that affine loops hand on, and conditions.
// CHECK: affine_pooling: 1024
func.func @affine_pooling() {
  %least = arith.constant -1000 : i32
  %x = memref.alloc() : memref<16x16xi32>
  %y = memref.alloc() : memref<8x8xi32>
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 16 {
      %k = affine.apply affine_map<(d0, d1) -> ((d0 * 7 + d1 * 3) mod 11)>(%i, %j)
      %v = arith.index_cast %k : index to i32
      affine.store %v, %x[%i, %j] : memref<16x16xi32>
    }
  }
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %m = affine.for %k = 0 to 2 iter_args(%a = %least) -> i32 {
        %n = affine.for %l = 0 to 2 iter_args(%b = %a) -> i32 {
          %v = affine.load %x[2 * %i + %k, 2 * %j + %l] : memref<16x16xi32>
          %o = arith.maxsi %v, %b : i32
          affine.yield %o : i32
        }
        %q = affine.if affine_set<(d0, d1) : (d0 - 1 >= 0, d1 - 4 == 0)>(%i, %j) -> i32 {
          %w = affine.load %x[2 * %i + %k, 2 * %j] : memref<16x16xi32>
          affine.yield %w : i32
        } else {
          affine.yield %n : i32
        }
        affine.yield %q : i32
      }
      affine.store %m, %y[%i, %j] : memref<8x8xi32>
    }
  }
  %flat = memref.collapse_shape %y [[0, 1]] : memref<8x8xi32> into memref<64xi32>
  call @print_words(%flat) : (memref<64xi32>) -> ()
  return
}

// Through views: tiles in another shape on the one side, another type on the
// other one.
// CHECK: views: 256
func.func @views() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %x = memref.alloc() : memref<8x8xi32>
  %y = memref.alloc() : memref<8x8xi8>
  %xf = memref.collapse_shape %x [[0, 1]] : memref<8x8xi32> into memref<64xi32>
  call @fill_words(%xf) : (memref<64xi32>) -> ()
  %yf = memref.reinterpret_cast %y to offset: [0], sizes: [64], strides: [1] : memref<8x8xi8> to memref<64xi8>
  scf.for %i = %c0 to %c64 step %c16 {
    %xs = memref.subview %xf[%i] [16] [1] : memref<64xi32> to memref<16xi32, strided<[1], offset: ?>>
    %xe = memref.expand_shape %xs [[0, 1]] output_shape [4, 4] : memref<16xi32, strided<[1], offset: ?>> into memref<4x4xi32, strided<[4, 1], offset: ?>>
    %ys = memref.subview %yf[%i] [16] [1] : memref<64xi8> to memref<16xi8, strided<[1], offset: ?>>
    %yc = memref.cast %ys : memref<16xi8, strided<[1], offset: ?>> to memref<?xi8, strided<[?], offset: ?>>
    scf.for %j = %c0 to %c4 step %c1 {
      scf.for %k = %c0 to %c4 step %c1 {
        %v = memref.load %xe[%j, %k] : memref<4x4xi32, strided<[4, 1], offset: ?>>
        %t = arith.trunci %v : i32 to i8
        %m = arith.muli %j, %c4 : index
        %n = arith.addi %m, %k : index
        memref.store %t, %yc[%n] : memref<?xi8, strided<[?], offset: ?>>
      }
    }
  }
  %out = memref.collapse_shape %y [[0, 1]] : memref<8x8xi8> into memref<64xi8>
  call @print_bytes(%out) : (memref<64xi8>) -> ()
  return
}

// Rows that overlap, as parts of the input: the output starts where it does.
// CHECK: parts: 320
func.func @parts() {
  %x = memref.alloc() : memref<10x8xi32>
  %y = memref.alloc() : memref<8x8xi32>
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 8 {
      %k = affine.apply affine_map<(d0, d1) -> (d0 * 9 + d1)>(%i, %j)
      %v = arith.index_cast %k : index to i32
      affine.store %v, %x[%i, %j] : memref<10x8xi32>
    }
  }
  affine.for %i = 0 to 8 {
    %w = memref.subview %x[%i, 0] [3, 8] [1, 1] : memref<10x8xi32> to memref<3x8xi32, strided<[8, 1], offset: ?>>
    %o = memref.subview %y[%i, 0] [1, 8] [1, 1] : memref<8x8xi32> to memref<8xi32, strided<[1], offset: ?>>
    affine.for %j = 0 to 8 {
      %a = affine.load %w[0, %j] : memref<3x8xi32, strided<[8, 1], offset: ?>>
      %b = affine.load %w[1, %j] : memref<3x8xi32, strided<[8, 1], offset: ?>>
      %c = affine.load %w[2, %j] : memref<3x8xi32, strided<[8, 1], offset: ?>>
      %s = arith.muli %a, %b : i32
      %t = arith.subi %s, %c : i32
      affine.store %t, %o[%j] : memref<8xi32, strided<[1], offset: ?>>
    }
  }
  %flat = memref.collapse_shape %y [[0, 1]] : memref<8x8xi32> into memref<64xi32>
  call @print_words(%flat) : (memref<64xi32>) -> ()
  return
}

// Sums of rows lie on the first rows, sums of columns at an element's distance.
// CHECK: row_sums: 1024
func.func @row_sums() {
  %zero = arith.constant 0 : i32
  %x = memref.alloc() : memref<64x4xi32>
  %y = memref.alloc() : memref<64xi32>
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 4 {
      %k = affine.apply affine_map<(d0, d1) -> (d0 * 5 + d1)>(%i, %j)
      %v = arith.index_cast %k : index to i32
      affine.store %v, %x[%i, %j] : memref<64x4xi32>
    }
  }
  affine.for %i = 0 to 64 {
    %s = affine.for %j = 0 to 4 iter_args(%a = %zero) -> i32 {
      %v = affine.load %x[%i, %j] : memref<64x4xi32>
      %t = arith.addi %a, %v : i32
      affine.yield %t : i32
    }
    affine.store %s, %y[%i] : memref<64xi32>
  }
  call @print_words(%y) : (memref<64xi32>) -> ()
  return
}

// CHECK: column_sums: 1028
func.func @column_sums() {
  %zero = arith.constant 0 : i32
  %x = memref.alloc() : memref<4x64xi32>
  %y = memref.alloc() : memref<64xi32>
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 64 {
      %k = affine.apply affine_map<(d0, d1) -> (d0 * 70 + d1)>(%i, %j)
      %v = arith.index_cast %k : index to i32
      affine.store %v, %x[%i, %j] : memref<4x64xi32>
    }
  }
  affine.for %j = 0 to 64 {
    affine.store %zero, %y[%j] : memref<64xi32>
    affine.for %i = 0 to 4 {
      %v = affine.load %x[%i, %j] : memref<4x64xi32>
      %a = affine.load %y[%j] : memref<64xi32>
      %t = arith.addi %a, %v : i32
      affine.store %t, %y[%j] : memref<64xi32>
    }
  }
  call @print_words(%y) : (memref<64xi32>) -> ()
  return
}

// Of a transpose, what a row of the output is long comes first: two long rows
// become 32 short ones, and the last elements of the output are on the first row.
// CHECK: transpose: 380
func.func @transpose() {
  %x = memref.alloc() : memref<2x32xi32>
  %y = memref.alloc() : memref<32x2xi32>
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 32 {
      %k = affine.apply affine_map<(d0, d1) -> (d0 * 70 + d1)>(%i, %j)
      %v = arith.index_cast %k : index to i32
      affine.store %v, %x[%i, %j] : memref<2x32xi32>
    }
  }
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 32 {
      %v = affine.load %x[%i, %j] : memref<2x32xi32>
      affine.store %v, %y[%j, %i] : memref<32x2xi32>
    }
  }
  %flat = memref.collapse_shape %y [[0, 1]] : memref<32x2xi32> into memref<64xi32>
  call @print_words(%flat) : (memref<64xi32>) -> ()
  return
}

// Of a square one only two rows have a place in common.
// CHECK: square: 452
func.func @square() {
  %x = memref.alloc() : memref<8x8xi32>
  %y = memref.alloc() : memref<8x8xi32>
  %all = memref.collapse_shape %x [[0, 1]] : memref<8x8xi32> into memref<64xi32>
  call @fill_words(%all) : (memref<64xi32>) -> ()
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %v = affine.load %x[%i, %j] : memref<8x8xi32>
      affine.store %v, %y[%j, %i] : memref<8x8xi32>
    }
  }
  %flat = memref.collapse_shape %y [[0, 1]] : memref<8x8xi32> into memref<64xi32>
  call @print_words(%flat) : (memref<64xi32>) -> ()
  return
}

// Fills in front of the loops move into them: all of an element's turns follow
// each other.
// CHECK: filled_before: 1028
func.func @filled_before() {
  %least = arith.constant -1000 : i32
  %x = memref.alloc() : memref<16x16xi32>
  %y = memref.alloc() : memref<8x8xi32>
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 16 {
      %k = affine.apply affine_map<(d0, d1) -> ((d0 * 7 + d1 * 3) mod 11)>(%i, %j)
      %v = arith.index_cast %k : index to i32
      affine.store %v, %x[%i, %j] : memref<16x16xi32>
    }
  }
  linalg.fill ins(%least : i32) outs(%y : memref<8x8xi32>)
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      affine.for %k = 0 to 2 {
        affine.for %l = 0 to 2 {
          %v = affine.load %x[2 * %i + %k, 2 * %j + %l] : memref<16x16xi32>
          %m = affine.load %y[%i, %j] : memref<8x8xi32>
          %n = arith.maxsi %v, %m : i32
          affine.store %n, %y[%i, %j] : memref<8x8xi32>
        }
      }
    }
  }
  %flat = memref.collapse_shape %y [[0, 1]] : memref<8x8xi32> into memref<64xi32>
  call @print_words(%flat) : (memref<64xi32>) -> ()
  return
}

// A row of the output at a time: the loop in between is none of its own.
// CHECK: filled_rows: 544
func.func @filled_rows() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %five = arith.constant 5 : i32
  %x = memref.alloc() : memref<8x16xi32>
  %y = memref.alloc() : memref<8x8xi32>
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 16 {
      %k = affine.apply affine_map<(d0, d1) -> ((d0 * 7 + d1 * 3) mod 11)>(%i, %j)
      %v = arith.index_cast %k : index to i32
      affine.store %v, %x[%i, %j] : memref<8x16xi32>
    }
  }
  affine.for %j = 0 to 8 {
    affine.for %i = 0 to 8 {
      affine.store %five, %y[%i, %j] : memref<8x8xi32>
    }
  }
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %k = %c0 to %c16 step %c1 {
      scf.for %j = %c0 to %c8 step %c1 {
        %v = memref.load %x[%i, %k] : memref<8x16xi32>
        %w = arith.index_cast %j : index to i32
        %m = memref.load %y[%i, %j] : memref<8x8xi32>
        %p = arith.muli %v, %w : i32
        %n = arith.addi %p, %m : i32
        memref.store %n, %y[%i, %j] : memref<8x8xi32>
      }
    }
  }
  %flat = memref.collapse_shape %y [[0, 1]] : memref<8x8xi32> into memref<64xi32>
  call @print_words(%flat) : (memref<64xi32>) -> ()
  return
}

// Not where loops leave some out, come to them again, or where somebody looks at
// the fill before.
// CHECK: some_filled: 512
func.func @some_filled() {
  %five = arith.constant 5 : i32
  %x = memref.alloc() : memref<64xi32>
  %y = memref.alloc() : memref<64xi32>
  call @fill_words(%x) : (memref<64xi32>) -> ()
  linalg.fill ins(%five : i32) outs(%y : memref<64xi32>)
  affine.for %i = 0 to 60 {
    %v = affine.load %x[%i] : memref<64xi32>
    %m = affine.load %y[%i] : memref<64xi32>
    %n = arith.addi %v, %m : i32
    affine.store %n, %y[%i] : memref<64xi32>
  }
  call @print_words(%y) : (memref<64xi32>) -> ()
  return
}

// CHECK: filled_again: 512
func.func @filled_again() {
  %five = arith.constant 5 : i32
  %x = memref.alloc() : memref<64xi32>
  %y = memref.alloc() : memref<64xi32>
  call @fill_words(%x) : (memref<64xi32>) -> ()
  linalg.fill ins(%five : i32) outs(%y : memref<64xi32>)
  affine.for %k = 0 to 2 {
    affine.for %i = 0 to 64 {
      %v = affine.load %x[%i] : memref<64xi32>
      %m = affine.load %y[%i] : memref<64xi32>
      %n = arith.addi %v, %m : i32
      affine.store %n, %y[%i] : memref<64xi32>
    }
  }
  call @print_words(%y) : (memref<64xi32>) -> ()
  return
}

// CHECK: seen_before: 512
func.func @seen_before() {
  %five = arith.constant 5 : i32
  %x = memref.alloc() : memref<64xi32>
  %y = memref.alloc() : memref<64xi32>
  call @fill_words(%x) : (memref<64xi32>) -> ()
  linalg.fill ins(%five : i32) outs(%y : memref<64xi32>)
  call @print_words(%y) : (memref<64xi32>) -> ()
  affine.for %i = 0 to 64 {
    %v = affine.load %x[%i] : memref<64xi32>
    %m = affine.load %y[%i] : memref<64xi32>
    %n = arith.addi %v, %m : i32
    affine.store %n, %y[%i] : memref<64xi32>
  }
  call @print_words(%y) : (memref<64xi32>) -> ()
  return
}

// The input is wanted once more, the output was there before, and each time
// round a loop.
// CHECK: read_again: 320
func.func @read_again() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %x = memref.alloc() : memref<64xi32>
  %y = memref.alloc() : memref<64xi8>
  call @fill_words(%x) : (memref<64xi32>) -> ()
  scf.for %i = %c0 to %c64 step %c1 {
    %v = memref.load %x[%i] : memref<64xi32>
    %t = arith.trunci %v : i32 to i8
    memref.store %t, %y[%i] : memref<64xi8>
  }
  call @print_words(%x) : (memref<64xi32>) -> ()
  call @print_bytes(%y) : (memref<64xi8>) -> ()
  return
}

// CHECK: there_before: 320
func.func @there_before() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %seven = arith.constant 7 : i8
  %x = memref.alloc() : memref<64xi32>
  %y = memref.alloc() : memref<64xi8>
  call @fill_words(%x) : (memref<64xi32>) -> ()
  linalg.fill ins(%seven : i8) outs(%y : memref<64xi8>)
  scf.for %i = %c0 to %c32 step %c1 {
    %v = memref.load %x[%i] : memref<64xi32>
    %t = arith.trunci %v : i32 to i8
    memref.store %t, %y[%i] : memref<64xi8>
  }
  call @print_bytes(%y) : (memref<64xi8>) -> ()
  return
}

// CHECK: vectors: 256
func.func @vectors() {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %x = memref.alloc() : memref<64xi32>
  %y = memref.alloc() : memref<64xi8>
  call @fill_words(%x) : (memref<64xi32>) -> ()
  scf.for %i = %c0 to %c64 step %c4 {
    %v = vector.load %x[%i] : memref<64xi32>, vector<4xi32>
    %t = arith.trunci %v : vector<4xi32> to vector<4xi8>
    vector.store %t, %y[%i] : memref<64xi8>, vector<4xi8>
  }
  call @print_bytes(%y) : (memref<64xi8>) -> ()
  return
}

// All is read once more at the end: only the last vector of the output may lie on
// the first one of the input.
// CHECK: wide_vectors: 48
func.func @wide_vectors() {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1 : i32
  %x = memref.alloc() : memref<8xi32>
  %y = memref.alloc() : memref<8xi32>
  call @count(%x, %one) : (memref<8xi32>, i32) -> ()
  scf.for %i = %c0 to %c8 step %c4 {
    %at = arith.subi %c4, %i : index
    %v = vector.load %x[%i] : memref<8xi32>, vector<4xi32>
    %w = vector.load %x[%at] : memref<8xi32>, vector<4xi32>
    %s = arith.muli %v, %w : vector<4xi32>
    vector.store %s, %y[%i] : memref<8xi32>, vector<4xi32>
  }
  call @show(%y) : (memref<8xi32>) -> ()
  return
}

// CHECK: in_a_loop: 256
func.func @in_a_loop() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %x = memref.alloc() : memref<64xi32>
  %y = memref.alloc() : memref<64xi8>
  scf.for %k = %c0 to %c3 step %c1 {
    func.call @fill_words(%x) : (memref<64xi32>) -> ()
    scf.for %i = %c0 to %c64 step %c1 {
      %v = memref.load %x[%i] : memref<64xi32>
      %t = arith.trunci %v : i32 to i8
      memref.store %t, %y[%i] : memref<64xi8>
    }
    func.call @print_bytes(%y) : (memref<64xi8>) -> ()
  }
  return
}

// The same input each time: it is read again in the next turn.
// CHECK: in_the_next_turn: 320
func.func @in_the_next_turn() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %x = memref.alloc() : memref<64xi32>
  %y = memref.alloc() : memref<64xi8>
  call @fill_words(%x) : (memref<64xi32>) -> ()
  scf.for %k = %c0 to %c3 step %c1 {
    scf.for %i = %c0 to %c64 step %c1 {
      %v = memref.load %x[%i] : memref<64xi32>
      %t = arith.trunci %v : i32 to i8
      memref.store %t, %y[%i] : memref<64xi8>
    }
    func.call @print_bytes(%y) : (memref<64xi8>) -> ()
  }
  return
}

// Nothing is written over what is read in a loop without turns.
// CHECK: no_turns: 512
func.func @no_turns() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1 : i8
  %x = memref.alloc() : memref<64xi32>
  call @fill_words(%x) : (memref<64xi32>) -> ()
  %y = memref.alloc() : memref<64xi8>
  scf.for %i = %c0 to %c64 step %c1 {
    memref.store %one, %y[%i] : memref<64xi8>
  }
  affine.for %k = 3 to 3 {
    affine.for %i = 0 to 64 {
      %v = memref.load %x[%i] : memref<64xi32>
      %t = arith.trunci %v : i32 to i8
      memref.store %t, %y[%i] : memref<64xi8>
    }
  }
  %z = memref.alloc() : memref<64xi32>
  scf.for %i = %c0 to %c64 step %c1 {
    %v = memref.load %y[%i] : memref<64xi8>
    %t = arith.extsi %v : i8 to i32
    memref.store %t, %z[%i] : memref<64xi32>
  }
  call @print_words(%x) : (memref<64xi32>) -> ()
  call @print_words(%z) : (memref<64xi32>) -> ()
  return
}

// Vectors of affine loops: y[i] = x[i] + x[i + 2], a row of 8 at a time.
// CHECK: affine_vectors: 288
func.func @affine_vectors() {
  %c0 = arith.constant 0 : index
  %x = memref.alloc() : memref<9x8xi32>
  affine.for %i = 0 to 9 {
    affine.for %j = 0 to 8 {
      %n = affine.apply affine_map<(i, j) -> (i * 8 + j)>(%i, %j)
      %v = arith.index_cast %n : index to i32
      affine.store %v, %x[%i, %j] : memref<9x8xi32>
    }
  }
  %y = memref.alloc() : memref<7x8xi32>
  affine.for %i = 0 to 7 {
    %a = affine.vector_load %x[%i, 0] : memref<9x8xi32>, vector<8xi32>
    %b = affine.vector_load %x[%i + 2, 0] : memref<9x8xi32>, vector<8xi32>
    %c = arith.addi %a, %b : vector<8xi32>
    affine.vector_store %c, %y[%i, 0] : memref<7x8xi32>, vector<8xi32>
  }
  %flat = memref.collapse_shape %y [[0, 1]] : memref<7x8xi32> into memref<56xi32>
  %z = vector.load %flat[%c0] : memref<56xi32>, vector<56xi32>
  vector.print %z : vector<56xi32>
  return
}

// The loop around has one turn, and its variable is a subscript. Filled in loops
// of their own, as linalg's become.
// CHECK: one_turn: 260
func.func @one_turn() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %x = memref.alloc() : memref<1x64xi32>
  %rows = memref.collapse_shape %x [[0, 1]] : memref<1x64xi32> into memref<64xi32>
  call @fill_words(%rows) : (memref<64xi32>) -> ()
  %y = memref.alloc() : memref<1x32xi32>
  affine.for %i = 0 to 1 {
    affine.for %j = 0 to 32 {
      affine.store %zero, %y[%i, %j] : memref<1x32xi32>
    }
  }
  affine.for %i = 0 to 1 {
    affine.for %j = 0 to 32 {
      affine.for %k = 0 to 2 {
        %v = affine.load %x[%i, 2 * %j + %k] : memref<1x64xi32>
        %s = affine.load %y[%i, %j] : memref<1x32xi32>
        %t = arith.addi %v, %s : i32
        affine.store %t, %y[%i, %j] : memref<1x32xi32>
      }
    }
  }
  %z = vector.load %y[%c0, %c0] : memref<1x32xi32>, vector<32xi32>
  vector.print %z : vector<32xi32>
  return
}

func.func @main() {
  call @affine_vectors() : () -> ()
  call @one_turn() : () -> ()
  call @narrower() : () -> ()
  call @wider_from_behind() : () -> ()
  call @wider() : () -> ()
  call @pooling() : () -> ()
  call @three_rows() : () -> ()
  call @stencil() : () -> ()
  call @reads_behind() : () -> ()
  call @in_any_order() : () -> ()
  call @affine() : () -> ()
  call @affine_pooling() : () -> ()
  call @views() : () -> ()
  call @parts() : () -> ()
  call @row_sums() : () -> ()
  call @column_sums() : () -> ()
  call @transpose() : () -> ()
  call @square() : () -> ()
  call @filled_before() : () -> ()
  call @filled_rows() : () -> ()
  call @some_filled() : () -> ()
  call @filled_again() : () -> ()
  call @seen_before() : () -> ()
  call @read_again() : () -> ()
  call @there_before() : () -> ()
  call @vectors() : () -> ()
  call @wide_vectors() : () -> ()
  call @in_a_loop() : () -> ()
  call @in_the_next_turn() : () -> ()
  call @no_turns() : () -> ()
  return
}
