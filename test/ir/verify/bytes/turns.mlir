// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not %berth-opt %s --pass-pipeline='builtin.module(berth-verify)' -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error:

// Loops that write %b, where %a lies, element by element over what they read:
// right if no turn reads what another one, or the same one before, has written.

func.func private @use(memref<8x8xi32>)

// Two loops, one parallel op, one loop of each kind: with all loops in the
// subscripts.
func.func @right() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c0_i32 = arith.constant 0 : i32
  %arena = memref.alloc() : memref<256xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<256xi8> to memref<8x8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<256xi8> to memref<8x8xi32>
  // In each turn of a loop around them %a is written anew.
  scf.for %k = %c0 to %c8 step %c1 {
    linalg.fill ins(%c0_i32 : i32) outs(%a : memref<8x8xi32>)
    scf.for %i = %c0 to %c8 step %c1 {
      scf.for %j = %c0 to %c8 step %c1 {
        %x = memref.load %a[%j, %i] : memref<8x8xi32>
        %y = memref.load %a[%j, %i] : memref<8x8xi32>
        %z = arith.muli %x, %y : i32
        memref.store %z, %b[%j, %i] : memref<8x8xi32>
      }
    }
    func.call @use(%b) : (memref<8x8xi32>) -> ()
  }
  linalg.fill ins(%c0_i32 : i32) outs(%a : memref<8x8xi32>)
  scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c8) step (%c1, %c1) {
    %x = memref.load %a[%i, %j] : memref<8x8xi32>
    memref.store %x, %b[%i, %j] : memref<8x8xi32>
  }
  func.call @use(%b) : (memref<8x8xi32>) -> ()
  linalg.fill ins(%c0_i32 : i32) outs(%a : memref<8x8xi32>)
  scf.for %i = %c0 to %c8 step %c1 {
    scf.parallel (%j) = (%c0) to (%c8) step (%c1) {
      %x = memref.load %a[%i, %j] : memref<8x8xi32>
      memref.store %x, %b[%i, %j] : memref<8x8xi32>
    }
  }
  func.call @use(%b) : (memref<8x8xi32>) -> ()
  linalg.fill ins(%c0_i32 : i32) outs(%a : memref<8x8xi32>)
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %x = affine.load %a[%i, %j] : memref<8x8xi32>
      affine.store %x, %b[%i, %j] : memref<8x8xi32>
    }
  }
  func.call @use(%b) : (memref<8x8xi32>) -> ()
  memref.dealloc %arena : memref<256xi8>
  return
}

// A dimension of one element has one index, whatever it is called; another type
// of the same size lies as the first one does.
func.func @dimension_of_one(%p: memref<1x8xi32>, %q: memref<1x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %arena = memref.alloc() : memref<32xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<32xi8> to memref<1x8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<32xi8> to memref<1x8xf32>
  memref.copy %p, %a : memref<1x8xi32> to memref<1x8xi32>
  scf.for %i = %c0 to %c1 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %x = memref.load %a[%c0, %j] : memref<1x8xi32>
      %y = arith.sitofp %x : i32 to f32
      memref.store %y, %b[%i, %j] : memref<1x8xf32>
    }
  }
  memref.copy %b, %q : memref<1x8xf32> to memref<1x8xf32>
  memref.dealloc %arena : memref<32xi8>
  return
}

// Sizes that are known at run time only, and bounds that say nothing of them.
func.func @dynamic(%n: index, %m: index, %p: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %bytes = arith.muli %n, %c4 : index
  %arena = memref.alloc(%bytes) : memref<?xi8>
  %a = memref.view %arena[%c0][%n] {berth.buffer = 0} : memref<?xi8> to memref<?xi32>
  %b = memref.view %arena[%c0][%n] {berth.buffer = 1} : memref<?xi8> to memref<?xi32>
  memref.copy %p, %a : memref<?xi32> to memref<?xi32>
  scf.for %i = %c0 to %m step %c1 {
    %x = memref.load %a[%i] : memref<?xi32>
    memref.store %x, %b[%i] : memref<?xi32>
  }
  memref.copy %b, %p : memref<?xi32> to memref<?xi32>
  memref.dealloc %arena : memref<?xi8>
  return
}

// Each function below breaks one condition.

func.func @other_element() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c0_i32 = arith.constant 0 : i32
  %arena = memref.alloc() : memref<256xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<256xi8> to memref<8x8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<256xi8> to memref<8x8xi32>
  linalg.fill ins(%c0_i32 : i32) outs(%a : memref<8x8xi32>)
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: reads a buffer whose bytes
      %x = memref.load %a[%j, %i] : memref<8x8xi32>
      memref.store %x, %b[%i, %j] : memref<8x8xi32>
    }
  }
  memref.dealloc %arena : memref<256xi8>
  return
}

func.func @one_more_element() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c0_i32 = arith.constant 0 : i32
  %arena = memref.alloc() : memref<256xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<256xi8> to memref<8x8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<256xi8> to memref<8x8xi32>
  linalg.fill ins(%c0_i32 : i32) outs(%a : memref<8x8xi32>)
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: reads a buffer whose bytes
      %x = memref.load %a[%i, %j] : memref<8x8xi32>
      // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: reads a buffer whose bytes
      %y = memref.load %a[%i, %c0] : memref<8x8xi32>
      %z = arith.addi %x, %y : i32
      memref.store %z, %b[%i, %j] : memref<8x8xi32>
    }
  }
  memref.dealloc %arena : memref<256xi8>
  return
}

func.func @behind_the_write() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c0_i32 = arith.constant 0 : i32
  %arena = memref.alloc() : memref<256xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<256xi8> to memref<8x8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<256xi8> to memref<8x8xi32>
  linalg.fill ins(%c0_i32 : i32) outs(%a : memref<8x8xi32>)
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: reads a buffer whose bytes
      %x = memref.load %a[%i, %j] : memref<8x8xi32>
      memref.store %x, %b[%i, %j] : memref<8x8xi32>
      // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: reads a buffer whose bytes
      %y = memref.load %a[%i, %j] : memref<8x8xi32>
      vector.print %y : i32
    }
  }
  memref.dealloc %arena : memref<256xi8>
  return
}

// All turns of the outer loop are of the same elements.
func.func @turns_alike() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c0_i32 = arith.constant 0 : i32
  %arena = memref.alloc() : memref<256xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<256xi8> to memref<8x8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<256xi8> to memref<8x8xi32>
  linalg.fill ins(%c0_i32 : i32) outs(%a : memref<8x8xi32>)
  scf.for %k = %c0 to %c8 step %c1 {
    scf.for %i = %c0 to %c8 step %c1 {
      scf.for %j = %c0 to %c8 step %c1 {
        // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: reads a buffer whose bytes
        %x = memref.load %a[%i, %j] : memref<8x8xi32>
        memref.store %x, %b[%i, %j] : memref<8x8xi32>
      }
    }
  }
  memref.dealloc %arena : memref<256xi8>
  return
}

// The same where they run in any order: in one op, and around loops.
func.func @turns_alike_at_once() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c0_i32 = arith.constant 0 : i32
  %arena = memref.alloc() : memref<256xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<256xi8> to memref<8x8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<256xi8> to memref<8x8xi32>
  linalg.fill ins(%c0_i32 : i32) outs(%a : memref<8x8xi32>)
  scf.parallel (%k, %i, %j) = (%c0, %c0, %c0) to (%c8, %c8, %c8) step (%c1, %c1, %c1) {
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: reads a buffer whose bytes
    %x = memref.load %a[%i, %j] : memref<8x8xi32>
    memref.store %x, %b[%i, %j] : memref<8x8xi32>
  }
  linalg.fill ins(%c0_i32 : i32) outs(%a : memref<8x8xi32>)
  scf.parallel (%k) = (%c0) to (%c8) step (%c1) {
    scf.for %i = %c0 to %c8 step %c1 {
      scf.for %j = %c0 to %c8 step %c1 {
        // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: reads a buffer whose bytes
        %x = memref.load %a[%i, %j] : memref<8x8xi32>
        memref.store %x, %b[%i, %j] : memref<8x8xi32>
      }
    }
  }
  memref.dealloc %arena : memref<256xi8>
  return
}

func.func @behind_the_loops() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c0_i32 = arith.constant 0 : i32
  %arena = memref.alloc() : memref<256xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<256xi8> to memref<8x8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<256xi8> to memref<8x8xi32>
  linalg.fill ins(%c0_i32 : i32) outs(%a : memref<8x8xi32>)
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %x = memref.load %a[%i, %j] : memref<8x8xi32>
      memref.store %x, %b[%i, %j] : memref<8x8xi32>
    }
  }
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: reads a buffer whose bytes
  func.call @use(%a) : (memref<8x8xi32>) -> ()
  linalg.fill ins(%c0_i32 : i32) outs(%a : memref<8x8xi32>)
  scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c8) step (%c1, %c1) {
    %x = memref.load %a[%i, %j] : memref<8x8xi32>
    memref.store %x, %b[%i, %j] : memref<8x8xi32>
  }
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: reads a buffer whose bytes
  func.call @use(%a) : (memref<8x8xi32>) -> ()
  memref.dealloc %arena : memref<256xi8>
  return
}

// A called function reads it all; so may whoever is handed the buffer.
func.func @handed_on(%c: i1, %d: memref<8x8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c0_i32 = arith.constant 0 : i32
  %arena = memref.alloc() : memref<256xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<256xi8> to memref<8x8xi32>
  %b = memref.view %arena[%c0][] {berth.buffer = 1} : memref<256xi8> to memref<8x8xi32>
  linalg.fill ins(%c0_i32 : i32) outs(%a : memref<8x8xi32>)
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: reads a buffer whose bytes
      func.call @use(%a) : (memref<8x8xi32>) -> ()
      // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: reads a buffer whose bytes
      %x = memref.load %a[%i, %j] : memref<8x8xi32>
      memref.store %x, %b[%i, %j] : memref<8x8xi32>
    }
  }
  linalg.fill ins(%c0_i32 : i32) outs(%a : memref<8x8xi32>)
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %e = arith.select %c, %a, %d : memref<8x8xi32>
      // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: reads a buffer whose bytes
      %y = memref.load %e[%c0, %c0] : memref<8x8xi32>
      vector.print %y : i32
      // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: reads a buffer whose bytes
      %x = memref.load %a[%i, %j] : memref<8x8xi32>
      memref.store %x, %b[%i, %j] : memref<8x8xi32>
    }
  }
  memref.dealloc %arena : memref<256xi8>
  return
}

// Bytes are not where elements of the same number are: rows of another length,
// elements of another size, another start.
func.func @other_bytes(%p: memref<4x4xi32>, %q: memref<8x2xi32>, %r: memref<4x4xi16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %arena = memref.alloc() : memref<68xi8>
  %a = memref.view %arena[%c0][] {berth.buffer = 0} : memref<68xi8> to memref<4x4xi32>
  %rows = memref.view %arena[%c0][] {berth.buffer = 1} : memref<68xi8> to memref<8x2xi32>
  %small = memref.view %arena[%c0][] {berth.buffer = 2} : memref<68xi8> to memref<4x4xi16>
  %late = memref.view %arena[%c4][] {berth.buffer = 3} : memref<68xi8> to memref<4x4xi32>
  memref.copy %q, %rows : memref<8x2xi32> to memref<8x2xi32>
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c1 step %c1 {
      // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: reads a buffer whose bytes
      %x = memref.load %rows[%i, %j] : memref<8x2xi32>
      memref.store %x, %a[%i, %j] : memref<4x4xi32>
    }
  }
  memref.copy %r, %small : memref<4x4xi16> to memref<4x4xi16>
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: reads a buffer whose bytes
      %x = memref.load %small[%i, %j] : memref<4x4xi16>
      %y = arith.extsi %x : i16 to i32
      memref.store %y, %a[%i, %j] : memref<4x4xi32>
    }
  }
  memref.copy %p, %a : memref<4x4xi32> to memref<4x4xi32>
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: reads a buffer whose bytes
      %x = memref.load %a[%i, %j] : memref<4x4xi32>
      memref.store %x, %late[%i, %j] : memref<4x4xi32>
    }
  }
  memref.dealloc %arena : memref<68xi8>
  return
}

// Rows of a length that is another number.
func.func @other_length(%n: index, %m: index, %p: memref<?x?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %count = arith.muli %n, %m : index
  %bytes = arith.muli %count, %c4 : index
  %arena = memref.alloc(%bytes) : memref<?xi8>
  %a = memref.view %arena[%c0][%n, %m] {berth.buffer = 0} : memref<?xi8> to memref<?x?xi32>
  %b = memref.view %arena[%c0][%m, %n] {berth.buffer = 1} : memref<?xi8> to memref<?x?xi32>
  memref.copy %p, %a : memref<?x?xi32> to memref<?x?xi32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: reads a buffer whose bytes
      %x = memref.load %a[%i, %j] : memref<?x?xi32>
      memref.store %x, %b[%i, %j] : memref<?x?xi32>
    }
  }
  memref.dealloc %arena : memref<?xi8>
  return
}

// Columns of the one are rows of the other.
func.func @other_layout(%p: memref<8x8xi32>) attributes {berth.arena_size = 256} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() {berth.offset = 0, berth.size = 256} : memref<8x8xi32, strided<[1, 8]>>
  %b = memref.alloc() {berth.offset = 0, berth.size = 256} : memref<8x8xi32>
  memref.copy %p, %a : memref<8x8xi32> to memref<8x8xi32, strided<[1, 8]>>
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: reads a buffer whose bytes
      %x = memref.load %a[%i, %j] : memref<8x8xi32, strided<[1, 8]>>
      memref.store %x, %b[%i, %j] : memref<8x8xi32>
    }
  }
  return
}
