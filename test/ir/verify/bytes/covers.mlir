// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not %berth-opt %s --pass-pipeline='builtin.module(berth-verify)' -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error:

// %a is read, %b written where %a lies, and then %a piece by piece: that is right
// if these are all of it.

func.func private @use(memref<8x4xi32>)

// Columns and rows, the latter by two loops.
func.func @whole(%x: i32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<128xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<128xi8> to memref<8x4xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<128xi8> to memref<8x4xi32>
  linalg.fill ins(%x : i32) outs(%b : memref<8x4xi32>)
  affine.for %i = 0 to 8 step 3 {
    %n = affine.min affine_map<(d0) -> (3, 8 - d0)>(%i)
    %p = memref.subview %a[%i, 0] [%n, 4] [1, 1] : memref<8x4xi32> to memref<?x4xi32, strided<[4, 1], offset: ?>>
    linalg.fill ins(%x : i32) outs(%p : memref<?x4xi32, strided<[4, 1], offset: ?>>)
  }
  call @use(%a) : (memref<8x4xi32>) -> ()
  affine.for %j = 0 to 4 {
    linalg.fill ins(%x : i32) outs(%b : memref<8x4xi32>)
  }
  affine.for %j = 0 to 4 {
    affine.for %i = 0 to 4 {
      affine.for %k = 0 to 2 {
        affine.store %x, %a[2 * %i + %k, 3 - %j] : memref<8x4xi32>
      }
    }
  }
  call @use(%a) : (memref<8x4xi32>) -> ()
  memref.dealloc %arena : memref<128xi8>
  return
}

// Rows that overlap in one element, which no order of joining two makes one.
func.func @pinwheel(%x: i32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<36xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<36xi8> to memref<3x3xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<36xi8> to memref<3x3xi32>
  linalg.fill ins(%x : i32) outs(%b : memref<3x3xi32>)
  %north = memref.subview %a[0, 0] [1, 2] [1, 1] : memref<3x3xi32> to memref<1x2xi32, strided<[3, 1]>>
  %east = memref.subview %a[0, 2] [2, 1] [1, 1] : memref<3x3xi32> to memref<2x1xi32, strided<[3, 1], offset: 2>>
  %south = memref.subview %a[2, 1] [1, 2] [1, 1] : memref<3x3xi32> to memref<1x2xi32, strided<[3, 1], offset: 7>>
  %west = memref.subview %a[1, 0] [2, 1] [1, 1] : memref<3x3xi32> to memref<2x1xi32, strided<[3, 1], offset: 3>>
  %middle = memref.subview %a[1, 1] [1, 1] [1, 1] : memref<3x3xi32> to memref<1x1xi32, strided<[3, 1], offset: 4>>
  linalg.fill ins(%x : i32) outs(%north : memref<1x2xi32, strided<[3, 1]>>)
  linalg.fill ins(%x : i32) outs(%east : memref<2x1xi32, strided<[3, 1], offset: 2>>)
  linalg.fill ins(%x : i32) outs(%south : memref<1x2xi32, strided<[3, 1], offset: 7>>)
  linalg.fill ins(%x : i32) outs(%west : memref<2x1xi32, strided<[3, 1], offset: 3>>)
  linalg.fill ins(%x : i32) outs(%middle : memref<1x1xi32, strided<[3, 1], offset: 4>>)
  vector.print str "middle"
  %y = memref.load %a[%c0, %c0] : memref<3x3xi32>
  vector.print %y : i32
  memref.dealloc %arena : memref<36xi8>
  return
}

// The last row is left out.
func.func @not_whole(%x: i32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<128xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<128xi8> to memref<8x4xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<128xi8> to memref<8x4xi32>
  linalg.fill ins(%x : i32) outs(%a : memref<8x4xi32>)
  linalg.fill ins(%x : i32) outs(%b : memref<8x4xi32>)
  affine.for %i = 0 to 7 {
    affine.for %j = 0 to 4 {
      affine.store %x, %a[%i, %j] : memref<8x4xi32>
    }
  }
  // CHECK: :[[#@LINE+1]]:3: error: reads a buffer whose bytes in the arena may have been overwritten
  call @use(%a) : (memref<8x4xi32>) -> ()
  memref.dealloc %arena : memref<128xi8>
  return
}

// What has been overwritten is spoilt again before the loop is over.
func.func @spoilt_again(%x: i32) {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %arena = memref.alloc() : memref<32xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<32xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<32xi8> to memref<8xi32>
  affine.for %i = 0 to 8 {
    affine.store %x, %a[%i] : memref<8xi32>
    memref.store %x, %b[%c7] : memref<8xi32>
  }
  // CHECK: :[[#@LINE+1]]:8: error: reads a buffer whose bytes in the arena may have been overwritten
  %y = memref.load %a[%c0] : memref<8xi32>
  vector.print %y : i32
  memref.dealloc %arena : memref<32xi8>
  return
}

// The other one is read while it is overwritten.
func.func @read_meanwhile(%x: i32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<32xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<32xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<32xi8> to memref<8xi32>
  linalg.fill ins(%x : i32) outs(%b : memref<8xi32>)
  affine.for %i = 0 to 8 {
    // CHECK: :[[#@LINE+1]]:10: error: reads a buffer whose bytes in the arena may have been overwritten
    %y = affine.load %b[7 - %i] : memref<8xi32>
    affine.store %y, %a[%i] : memref<8xi32>
  }
  memref.dealloc %arena : memref<32xi8>
  return
}

// From where an outer variable cancels out, sums and multiples of it.
func.func @moves_along(%x: i32, %v: vector<2xi32>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %arena = memref.alloc() : memref<32xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<32xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<32xi8> to memref<8xi32>
  scf.for %y = %c0 to %c3 step %c3 {
    linalg.fill ins(%x : i32) outs(%b : memref<8xi32>)
    affine.for %k = 0 to 4 {
      %t = affine.apply affine_map<(d0, d1) -> (3 * d0 + 2 * d1)>(%y, %k)
      %p = arith.muli %c3, %y : index
      %i = arith.subi %t, %p : index
      vector.store %v, %a[%i] : memref<8xi32>, vector<2xi32>
    }
    %z = memref.load %a[%c3] : memref<8xi32>
    vector.print %z : i32
  }
  memref.dealloc %arena : memref<32xi8>
  return
}

// It does not: another variable, another multiple, a product.
func.func @moves_away(%x: i32, %v: vector<8xi32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %arena = memref.alloc() : memref<32xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<32xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<32xi8> to memref<8xi32>
  linalg.fill ins(%x : i32) outs(%a : memref<8xi32>)
  scf.for %y = %c0 to %c2 step %c2 {
    scf.for %w = %c0 to %c2 step %c2 {
      linalg.fill ins(%x : i32) outs(%b : memref<8xi32>)
      %i = arith.subi %y, %w : index
      vector.transfer_write %v, %a[%i] {in_bounds = [true]} : vector<8xi32>, memref<8xi32>
      // CHECK: :[[#@LINE+1]]:12: error: reads a buffer whose bytes in the arena may have been overwritten
      %z = memref.load %a[%c0] : memref<8xi32>
      vector.print %z : i32
      linalg.fill ins(%x : i32) outs(%b : memref<8xi32>)
      %d = affine.apply affine_map<(d0) -> (2 * d0)>(%y)
      %j = arith.subi %d, %y : index
      vector.transfer_write %v, %a[%j] {in_bounds = [true]} : vector<8xi32>, memref<8xi32>
      // CHECK: :[[#@LINE+1]]:13: error: reads a buffer whose bytes in the arena may have been overwritten
      %z2 = memref.load %a[%c0] : memref<8xi32>
      vector.print %z2 : i32
      linalg.fill ins(%x : i32) outs(%b : memref<8xi32>)
      %s = arith.muli %y, %y : index
      %k = arith.subi %s, %y : index
      vector.transfer_write %v, %a[%k] {in_bounds = [true]} : vector<8xi32>, memref<8xi32>
      // CHECK: :[[#@LINE+1]]:13: error: reads a buffer whose bytes in the arena may have been overwritten
      %z3 = memref.load %a[%c0] : memref<8xi32>
      vector.print %z3 : i32
    }
  }
  memref.dealloc %arena : memref<32xi8>
  return
}

// Another shape of the very same bytes, and of half of them.
func.func @reshaped(%x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %arena = memref.alloc() : memref<128xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<128xi8> to memref<8x4xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<128xi8> to memref<8x4xi32>
  %flat = memref.collapse_shape %a [[0, 1]] : memref<8x4xi32> into memref<32xi32>
  linalg.fill ins(%x : i32) outs(%a : memref<8x4xi32>)
  linalg.fill ins(%x : i32) outs(%b : memref<8x4xi32>)
  scf.for %i = %c0 to %c32 step %c1 {
    memref.store %x, %flat[%i] : memref<32xi32>
  }
  call @use(%a) : (memref<8x4xi32>) -> ()
  linalg.fill ins(%x : i32) outs(%b : memref<8x4xi32>)
  scf.for %i = %c0 to %c16 step %c1 {
    memref.store %x, %flat[%i] : memref<32xi32>
  }
  // CHECK: [[#@LINE+1]]:3: error: reads a buffer whose bytes in the arena may have been overwritten
  call @use(%a) : (memref<8x4xi32>) -> ()
  memref.dealloc %arena : memref<128xi8>
  return
}

// What a branch yields has all of it written by then: only what is read by the
// name of the result is read.
func.func @merged(%p: i1, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
  scf.for %k = %c0 to %c8 step %c1 {
    %r = scf.if %p -> memref<8xi32> {
      scf.for %i = %c0 to %c8 step %c1 {
        memref.store %x, %a[%i] : memref<8xi32>
      }
      scf.yield %a : memref<8xi32>
    } else {
      scf.for %i = %c0 to %c8 step %c1 {
        memref.store %x, %b[%i] : memref<8xi32>
      }
      scf.yield %b : memref<8xi32>
    }
    %v = memref.load %r[%k] : memref<8xi32>
    vector.print %v : i32
  }
  memref.dealloc %arena : memref<64xi8>
  return
}

// %r, read in between, may be %a.
func.func @read_by_another_name(%p: i1, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %arena = memref.alloc() : memref<64xi8>
  %d = memref.alloc() : memref<8xi32>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8> to memref<8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8> to memref<8xi32>
  linalg.fill ins(%x : i32) outs(%a : memref<8xi32>)
  linalg.fill ins(%x : i32) outs(%d : memref<8xi32>)
  %r = scf.if %p -> memref<8xi32> {
    scf.yield %a : memref<8xi32>
  } else {
    scf.yield %d : memref<8xi32>
  }
  linalg.fill ins(%x : i32) outs(%b : memref<8xi32>)
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %x, %a[%i] : memref<8xi32>
  }
  // CHECK: [[#@LINE+1]]:8: error: reads a buffer whose bytes in the arena may have been overwritten
  %v = memref.load %r[%c8] : memref<8xi32>
  scf.for %i = %c4 to %c8 step %c1 {
    memref.store %x, %a[%i] : memref<8xi32>
  }
  vector.print %v : i32
  memref.dealloc %arena : memref<64xi8>
  memref.dealloc %d : memref<8xi32>
  return
}

// The same layout in other words, with all elements and with a part.
func.func @laid_out(%x: i32, %use: memref<32xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %arena = memref.alloc() : memref<128xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<128xi8> to memref<32xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<128xi8> to memref<32xi32>
  %same = memref.reinterpret_cast %a to offset: [0], sizes: [32], strides: [1] : memref<32xi32> to memref<32xi32, strided<[1]>>
  linalg.fill ins(%x : i32) outs(%a : memref<32xi32>)
  linalg.fill ins(%x : i32) outs(%b : memref<32xi32>)
  scf.for %i = %c0 to %c32 step %c1 {
    memref.store %x, %same[%i] : memref<32xi32, strided<[1]>>
  }
  memref.copy %a, %use : memref<32xi32> to memref<32xi32>
  linalg.fill ins(%x : i32) outs(%b : memref<32xi32>)
  scf.for %i = %c0 to %c16 step %c1 {
    memref.store %x, %same[%i] : memref<32xi32, strided<[1]>>
  }
  // CHECK: [[#@LINE+1]]:3: error: reads a buffer whose bytes in the arena may have been overwritten
  memref.copy %a, %use : memref<32xi32> to memref<32xi32>
  memref.dealloc %arena : memref<128xi8>
  return
}

// Rows behind rows, in other words.
func.func @laid_out_rows(%x: i32, %use: memref<4x8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %arena = memref.alloc() : memref<128xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<128xi8> to memref<4x8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<128xi8> to memref<32xi32>
  %same = memref.reinterpret_cast %a to offset: [0], sizes: [4, 8], strides: [8, 1] : memref<4x8xi32> to memref<4x8xi32, strided<[8, 1]>>
  linalg.fill ins(%x : i32) outs(%a : memref<4x8xi32>)
  linalg.fill ins(%x : i32) outs(%b : memref<32xi32>)
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      memref.store %x, %same[%i, %j] : memref<4x8xi32, strided<[8, 1]>>
    }
  }
  memref.copy %a, %use : memref<4x8xi32> to memref<4x8xi32>
  linalg.fill ins(%x : i32) outs(%b : memref<32xi32>)
  scf.for %i = %c0 to %c3 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      memref.store %x, %same[%i, %j] : memref<4x8xi32, strided<[8, 1]>>
    }
  }
  // CHECK: [[#@LINE+1]]:3: error: reads a buffer whose bytes in the arena may have been overwritten
  memref.copy %a, %use : memref<4x8xi32> to memref<4x8xi32>
  memref.dealloc %arena : memref<128xi8>
  return
}
