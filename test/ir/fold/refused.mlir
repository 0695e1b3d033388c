// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// Every refusal is a remark at the op that stands in the way; the array stays.
// RUN: %berth-opt %s --berth-fold=max-operations=0 --remarks-filter='berth.*' -o %t 2>&1 | FileCheck %s
// RUN: mlir-opt %s -o %t.same && diff %t %t.same

func.func private @use(memref<8xf32>)

// CHECK: [[@LINE+4]]:3: remark: {{.*}}not folded: used by func.call
func.func @escapes() {
  %a = memref.alloc() : memref<8xf32>
  // The call may read anything.
  call @use(%a) : (memref<8xf32>) -> ()
  return
}

// CHECK: [[@LINE+2]]:8: remark: {{.*}}not folded: never accessed
func.func @view() {
  %a = memref.alloc() : memref<8xf32>
  %s = memref.subview %a[0] [4] [1] : memref<8xf32> to memref<4xf32>
  return
}

func.func private @use_view(memref<4xf32>)

// CHECK: [[@LINE+4]]:3: remark: {{.*}}not folded: used by func.call
func.func @view_escapes() {
  %a = memref.alloc() : memref<8xf32>
  %s = memref.subview %a[0] [4] [1] : memref<8xf32> to memref<4xf32>
  call @use_view(%s) : (memref<4xf32>) -> ()
  return
}

// CHECK: [[@LINE+4]]:8: remark: {{.*}}not folded: a view of it has a stride that is no positive number
func.func @stride(%x: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  %s = memref.subview %a[0] [2] [%n] : memref<8xf32> to memref<2xf32, strided<[?]>>
  memref.store %x, %s[%c0] : memref<2xf32, strided<[?]>>
  return
}

// CHECK: [[@LINE+3]]:3: remark: {{.*}}not folded: linalg.fill takes all of it at once
func.func @whole(%x: f32) {
  %a = memref.alloc() : memref<8x8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8x8xf32>)
  return
}

// What a transfer does beyond the end depends on where the end is.
// CHECK: [[@LINE+7]]:10: remark: {{.*}}not folded: vector.transfer_read takes all of it at once, or may go beyond it
func.func @beyond(%x: vector<4xf32>, %pad: f32, %out: memref<8x4xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %a = memref.alloc() : memref<8x4xf32>
  affine.for %i = 0 to 8 {
    vector.transfer_write %x, %a[%i, %c0] {in_bounds = [true]} : vector<4xf32>, memref<8x4xf32>
    %v = vector.transfer_read %a[%i, %c2], %pad : memref<8x4xf32>, vector<4xf32>
    vector.transfer_write %v, %out[%i, %c0] {in_bounds = [true]} : vector<4xf32>, memref<8x4xf32>
  }
  return
}

// Three rows wrap around in any ring of fewer than ten, behind the loop no
// window would be where it was, and mirrored rows are for loops whose iterations
// follow one another.
// CHECK: [[@LINE+4]]:8: remark: {{.*}}not folded: its cells are live together
func.func @wraps(%in: memref<10x4xf32>, %out: memref<8x4xf32>) {
  %c0 = arith.constant 0 : index
  %c9 = arith.constant 9 : index
  %a = memref.alloc() : memref<10x4xf32>
  affine.for %i = 0 to 10 {
    %s = memref.subview %in[%i, 0] [1, 4] [1, 1] : memref<10x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    %t = memref.subview %a[%i, 0] [1, 4] [1, 1] : memref<10x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    affine.parallel (%p) = (0) to (1) {
      memref.copy %s, %t : memref<1x4xf32, strided<[4, 1], offset: ?>> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    }
    affine.if affine_set<(d0) : (d0 - 2 >= 0)>(%i) {
      %j = affine.apply affine_map<(d0) -> (d0 - 2)>(%i)
      %w = memref.subview %a[%j, 0] [3, 4] [1, 1] : memref<10x4xf32> to memref<3x4xf32, strided<[4, 1], offset: ?>>
      %o = memref.subview %out[%j, 0] [1, 4] [1, 1] : memref<8x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
      linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (0, d1)>], iterator_types = ["reduction", "parallel"]} ins(%w : memref<3x4xf32, strided<[4, 1], offset: ?>>) outs(%o : memref<1x4xf32, strided<[4, 1], offset: ?>>) {
      ^bb0(%x: f32, %y: f32):
        %z = arith.addf %x, %y : f32
        linalg.yield %z : f32
      }
    }
  }
  %v = memref.load %a[%c9, %c0] : memref<10x4xf32>
  memref.store %v, %out[%c0, %c0] : memref<8x4xf32>
  return
}

// CHECK: [[@LINE+5]]:10: remark: {{.*}}not folded: may read what nothing has written
func.func @no_source(%out: memref<8xf32>) {
  %a = memref.alloc() : memref<8x8xf32>
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
    %v = affine.load %a[%i, %j] : memref<8x8xf32>
    affine.store %v, %out[%i] : memref<8xf32>
    }
  }
  return
}

// The branch is named, where it is what makes a load one without a source.
// CHECK: [[@LINE+10]]:14: remark: {{.*}}not folded: may read what nothing has written, as the condition of scf.if at line [[@LINE+9]] is not affine and so may hold wherever it is asked
func.func @condition(%out: memref<8xf32>, %x: f32, %p: memref<8xi1>) {
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<8x8xf32>
  affine.for %i = 0 to 8 {
    %data = affine.load %p[%i] : memref<8xi1>
    %late = arith.cmpi sge, %i, %c4 : index
    %either = arith.ori %late, %data : i1
    affine.for %j = 0 to 8 {
      scf.if %either {
        %v = affine.load %a[%i - 1, %j] : memref<8x8xf32>
        affine.store %v, %out[%j] : memref<8xf32>
      }
      affine.store %x, %a[%i, %j] : memref<8x8xf32>
    }
  }
  return
}

// CHECK: [[@LINE+6]]:5: remark: {{.*}}not folded: its subscripts are not affine
func.func @subscript(%p: memref<8xindex>, %x: f32) {
  %a = memref.alloc() : memref<8x8xf32>
  affine.for %i = 0 to 8 {
    %j = affine.load %p[%i] : memref<8xindex>
    // Nobody knows where this goes.
    memref.store %x, %a[%i, %j] : memref<8x8xf32>
  }
  return
}

// CHECK: [[@LINE+6]]:5: remark: {{.*}}not folded: the loop's bounds or step are not affine
func.func @bounds(%p: memref<8xindex>, %x: f32) {
  %a = memref.alloc() : memref<8x8xf32>
  affine.for %i = 0 to 8 {
    %c0 = arith.constant 0 : index %c1 = arith.constant 1 : index
    %n = memref.load %p[%i] : memref<8xindex>
    scf.for %j = %c0 to %n step %c1 {
      memref.store %x, %a[%i, %j] : memref<8x8xf32>
    }
  }
  return
}

// CHECK: [[@LINE+2]]:8: remark: {{.*}}not folded: its cells are live together
func.func @all_live(%out: memref<8xf32>, %x: f32) {
  %a = memref.alloc() : memref<8xf32>
  affine.for %i = 0 to 8 {
    affine.store %x, %a[%i] : memref<8xf32>
  }
  affine.for %i = 0 to 8 {
    %v = affine.load %a[%i] : memref<8xf32>
    affine.store %v, %out[%i] : memref<8xf32>
  }
  return
}

// CHECK: [[@LINE+3]]:3: remark: {{.*}}not folded: the array itself is stored
func.func @stored(%p: memref<1xmemref<8xf32>>) {
  %a = memref.alloc() : memref<8xf32>
  affine.store %a, %p[0] : memref<1xmemref<8xf32>>
  return
}

// CHECK: [[@LINE+7]]:5: remark: {{.*}}not folded: deallocated in another block
func.func @dealloc_elsewhere(%c: i1, %x: f32) {
  %a = memref.alloc() : memref<8xf32>
  affine.for %i = 0 to 8 {
    affine.store %x, %a[%i] : memref<8xf32>
  }
  scf.if %c {
    memref.dealloc %a : memref<8xf32>
  }
  return
}

// CHECK: [[@LINE+6]]:5: remark: {{.*}}not folded: accessed inside scf.while
func.func @while(%x: f32, %c: i1) {
  %a = memref.alloc() : memref<8xf32>
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    affine.store %x, %a[0] : memref<8xf32>
    scf.yield
  }
  return
}

// CHECK: [[@LINE+5]]:3: remark: {{.*}}not folded: the loop's bounds or step are not affine
func.func @unsigned(%x: f32, %n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for unsigned %i = %c0 to %n step %c1 {
    memref.store %x, %a[%i] : memref<?xf32>
    %v = memref.load %a[%i] : memref<?xf32>
  }
  return
}

// CHECK: [[@LINE+2]]:8: remark: {{.*}}not folded: its layout is not the identity
func.func @layout(%x: f32) {
  %a = memref.alloc() : memref<8x8xf32, affine_map<(d0, d1) -> (d1, d0)>>
  affine.for %i = 0 to 8 {
    affine.store %x, %a[%i, 0] : memref<8x8xf32, affine_map<(d0, d1) -> (d1, d0)>>
  }
  return
}

// CHECK: [[@LINE+4]]:10: remark: {{.*}}not folded: threads may share its memory
func.func @kernel(%x: f32) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %a = memref.alloc() : memref<8x8xf32, #gpu.address_space<workgroup>>
    affine.for %i = 0 to 8 {
      memref.store %x, %a[%i, %tx] : memref<8x8xf32, #gpu.address_space<workgroup>>
    }
    gpu.terminator
  }
  return
}

// CHECK: [[@LINE+2]]:8: remark: {{.*}}not folded: never accessed
func.func @never() {
  %a = memref.alloc() : memref<8xf32>
  return
}

// CHECK: [[@LINE+2]]:8: remark: {{.*}}not folded: a size that the folded array needs is computed after its first access
func.func @late(%out: memref<100xf32>, %p: memref<1xindex>, %x: f32) {
  %a = memref.alloc() : memref<100xf32>
  affine.store %x, %a[0] : memref<100xf32>
  %n = affine.load %p[0] : memref<1xindex>
  affine.for %i = 1 to %n {
    affine.store %x, %a[%i] : memref<100xf32>
  }
  affine.for %i = 0 to %n {
    affine.if affine_set<()[s0] : (s0 - 1 >= 0)>()[%n] {
    %v = affine.load %a[%i] : memref<100xf32>
    affine.store %v, %out[%i] : memref<100xf32>
    }
  }
  return
}

// CHECK: [[@LINE+2]]:8: remark: {{.*}}not folded: its accesses never run
func.func @zero_trip(%out: memref<8xf32>, %x: f32) {
  %a = memref.alloc() : memref<8xf32>
  affine.for %i = 5 to 5 {
    affine.store %x, %a[%i] : memref<8xf32>
    %v = affine.load %a[%i] : memref<8xf32>
    affine.store %v, %out[%i] : memref<8xf32>
  }
  return
}

// A slice that is never taken may be larger than what the array folds to.
// CHECK: [[@LINE+2]]:8: remark: {{.*}}not folded: a slice of it stands in code that never runs
func.func @slice_that_never_runs(%x: memref<20x4xi64>, %y: memref<20x4xi64>, %z: i64) {
  %a = memref.alloc() : memref<20x4xi64>
  affine.for %i = 0 to 7 {
    %from = memref.subview %x[%i, 0] [1, 4] [1, 1] : memref<20x4xi64> to memref<1x4xi64, strided<[4, 1], offset: ?>>
    %row = memref.subview %a[%i, 0] [1, 4] [1, 1] : memref<20x4xi64> to memref<1x4xi64, strided<[4, 1], offset: ?>>
    %to = memref.subview %y[%i, 0] [1, 4] [1, 1] : memref<20x4xi64> to memref<1x4xi64, strided<[4, 1], offset: ?>>
    memref.copy %from, %row : memref<1x4xi64, strided<[4, 1], offset: ?>> to memref<1x4xi64, strided<[4, 1], offset: ?>>
    memref.copy %row, %to : memref<1x4xi64, strided<[4, 1], offset: ?>> to memref<1x4xi64, strided<[4, 1], offset: ?>>
    affine.if affine_set<(d0) : (d0 - 9 >= 0)>(%i) {
      %rows = memref.subview %a[5, 0] [2, 4] [1, 1] : memref<20x4xi64> to memref<2x4xi64, strided<[4, 1], offset: 20>>
      linalg.fill ins(%z : i64) outs(%rows : memref<2x4xi64, strided<[4, 1], offset: 20>>)
    }
  }
  return
}

// CHECK: [[@LINE+2]]:8: remark: {{.*}}not folded: {{.*}}index differences of cells that are live at once are unbounded or too large
func.func @huge_live(%out: memref<8xf32>, %x: f32) {
  %a = memref.alloc() : memref<4000000000x4000000000xf32>
  affine.for %i = 0 to 4000000000 {
    affine.for %j = 0 to 4000000000 {
    affine.store %x, %a[%i, %j] : memref<4000000000x4000000000xf32>
    }
  }
  affine.for %i = 0 to 4000000000 {
    affine.for %j = 0 to 4000000000 {
    %v = affine.load %a[%i, %j] : memref<4000000000x4000000000xf32>
    affine.store %v, %out[0] : memref<8xf32>
    }
  }
  return
}

// CHECK: [[@LINE+3]]:8: remark: {{.*}}not folded: {{.*}}unbounded or too large
func.func @coefficient2(%out: memref<8xf32>, %x: f32) {
  %c8 = arith.constant 8 : index
  %a = memref.alloc(%c8) : memref<?xf32>
  affine.for %i = 0 to 4 {
    affine.store %x, %a[%i * 4611686018427387904] : memref<?xf32>
  }
  affine.for %i = 0 to 4 {
    %v = affine.load %a[%i * 4611686018427387904] : memref<?xf32>
    affine.store %v, %out[%i] : memref<8xf32>
  }
  return
}

// CHECK: [[@LINE+15]]:27: remark: {{.*}}not folded: nested too deeply
func.func @deep(%x: f32) {
  %a = memref.alloc() : memref<2xf32>
  affine.for %i0 = 0 to 2 {
    affine.for %i1 = 0 to 2 {
      affine.for %i2 = 0 to 2 {
        affine.for %i3 = 0 to 2 {
          affine.for %i4 = 0 to 2 {
            affine.for %i5 = 0 to 2 {
              affine.for %i6 = 0 to 2 {
                affine.for %i7 = 0 to 2 {
                  affine.for %i8 = 0 to 2 {
                    affine.for %i9 = 0 to 2 {
                      affine.for %i10 = 0 to 2 {
                        affine.for %i11 = 0 to 2 {
                          affine.for %i12 = 0 to 2 {
                            affine.store %x, %a[%i0] : memref<2xf32>
                          }
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
  }
  return
}

// Nothing proves that one thread runs the function.
// CHECK: [[@LINE+2]]:8: remark: {{.*}}not folded: threads may share its memory
func.func @three(%in: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32, 3>
  affine.for %i = 0 to 64 {
    %x = affine.load %in[%i] : memref<64xf32>
    affine.store %x, %a[%i] : memref<64xf32, 3>
    %y = affine.load %a[%i] : memref<64xf32, 3>
    affine.store %y, %in[%i] : memref<64xf32>
  }
  return
}

// CHECK: [[@LINE+3]]:8: remark: {{.*}}not folded: threads may share its memory
func.func @threads(%in: memref<64xf32>) {
  gpu.barrier
  %a = memref.alloc() : memref<64xf32, 7>
  affine.for %i = 0 to 64 {
    %x = affine.load %in[%i] : memref<64xf32>
    affine.store %x, %a[%i] : memref<64xf32, 7>
    %y = affine.load %a[%i] : memref<64xf32, 7>
    affine.store %y, %in[%i] : memref<64xf32>
  }
  return
}

// Two arrays, one of which other blocks use.
func.func @blocks(%c: i1, %x: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  affine.for %i = 0 to 8 {
    affine.store %x, %b[%i] : memref<8xf32>
  }
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  affine.for %i = 0 to 8 {
    affine.store %x, %a[%i] : memref<8xf32>
    %v = affine.load %a[%i] : memref<8xf32>
    affine.store %v, %b[%i] : memref<8xf32>
  }
  cf.br ^bb2
^bb2:
  %r = affine.load %b[0] : memref<8xf32>
  return
}
