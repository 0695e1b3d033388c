// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unpacks run-length coded rows one by one and keeps the longest. How large a
// row is, and which of two rows dies, only the data says: no plan can place
// these buffers.
func.func @longest(%lengths: memref<?xindex>, %values: memref<?xf32>,
                   %arena: memref<?xi8> {berth.arena}) -> (index, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %rows = memref.dim %lengths, %c0 : memref<?xindex>
  %none = memref.alloc(%c0) : memref<?xf32>
  %best = scf.for %r = %c0 to %rows step %c1
      iter_args(%kept = %none) -> (memref<?xf32>) {
    %length = memref.load %lengths[%r] : memref<?xindex>
    %value = memref.load %values[%r] : memref<?xf32>
    %row = memref.alloc(%length) : memref<?xf32>
    linalg.fill ins(%value : f32) outs(%row : memref<?xf32>)
    %most = memref.dim %kept, %c0 : memref<?xf32>
    %longer = arith.cmpi ugt, %length, %most : index
    %next = scf.if %longer -> (memref<?xf32>) {
      memref.dealloc %kept : memref<?xf32>
      scf.yield %row : memref<?xf32>
    } else {
      memref.dealloc %row : memref<?xf32>
      scf.yield %kept : memref<?xf32>
    }
    scf.yield %next : memref<?xf32>
  }
  %length = memref.dim %best, %c0 : memref<?xf32>
  %sum = scf.for %i = %c0 to %length step %c1
      iter_args(%s = %zero) -> (f32) {
    %v = memref.load %best[%i] : memref<?xf32>
    %t = arith.addf %s, %v : f32
    scf.yield %t : f32
  }
  memref.dealloc %best : memref<?xf32>
  return %length, %sum : index, f32
}

memref.global "private" constant @lengths : memref<9xindex> =
  dense<[120, 300, 80, 310, 305, 12, 640, 500, 639]>
memref.global "private" constant @values : memref<9xf32> =
  dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]>

// Calls @longest on the data above with the given arena, and prints what it
// returns: 640 elements whose sum is 4480.
func.func @run(%arena: memref<?xi8>) {
  %lengths = memref.get_global @lengths : memref<9xindex>
  %values = memref.get_global @values : memref<9xf32>
  %l = memref.cast %lengths : memref<9xindex> to memref<?xindex>
  %v = memref.cast %values : memref<9xf32> to memref<?xf32>
  %length, %sum = call @longest(%l, %v, %arena)
      : (memref<?xindex>, memref<?xf32>, memref<?xi8>) -> (index, f32)
  vector.print str "longest row: "
  vector.print %length : index
  vector.print str "its sum: "
  vector.print %sum : f32
  return
}
