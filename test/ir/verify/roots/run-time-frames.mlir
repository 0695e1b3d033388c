// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines of parts of a file are told from its start since LLVM 22.
// REQUIRES: llvm-22
// RUN: not %mlir-opt-berth %s --split-input-file --pass-pipeline='builtin.module(berth-verify)' -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error:
// A function that has its buffers in memory of which no type tells the length: each call
// has to bring as much as they need, for all numbers that it may be given.

// Right.
func.func private @f(%n: index, %m: index, %frame: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %most = arith.constant 1048576 : index
  %fits = arith.cmpi ule, %m, %most : index
  %some = arith.muli %n, %c4 : index
  cf.assert %fits, "fits"
  %a = memref.view %frame[%c0][%n] {berth.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<?xf32>)
  %b = memref.view %frame[%some][%m] {berth.buffer = 1 : i64} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<?xf32>)
  return
}
func.func @g(%x: memref<?xf32>, %k: index, %p: memref<index>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %most = arith.constant 1048576 : index
  %d = memref.dim %x, %c0 : memref<?xf32>
  %fits = arith.cmpi ule, %k, %most : index
  %some = arith.muli %d, %c4 : index
  %more = arith.muli %k, %c4 : index
  %other = arith.select %fits, %more, %c0 : index
  %total = arith.addi %some, %other : index
  %all = arith.addi %some, %total : index
  %arena = memref.alloc(%all) : memref<?xi8>
  %own = memref.view %arena[%c0][%d] {berth.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
  %part = memref.view %arena[%some][%total] {berth.buffer = 1 : i64} : memref<?xi8> to memref<?xi8>
  call @f(%d, %k, %part) : (index, index, memref<?xi8>) -> ()
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// The size of the other argument.
// CHECK: :[[@LINE+30]]:3: error: hands a frame to a function that has a buffer there of which it is not proved that it ends in it
// CHECK: note: this buffer
func.func private @f(%n: index, %m: index, %frame: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %most = arith.constant 1048576 : index
  %fits = arith.cmpi ule, %m, %most : index
  %some = arith.muli %n, %c4 : index
  cf.assert %fits, "fits"
  %a = memref.view %frame[%c0][%n] {berth.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<?xf32>)
  %b = memref.view %frame[%some][%m] {berth.buffer = 1 : i64} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<?xf32>)
  return
}
func.func @g(%x: memref<?xf32>, %k: index, %p: memref<index>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %most = arith.constant 1048576 : index
  %d = memref.dim %x, %c0 : memref<?xf32>
  %fits = arith.cmpi ule, %k, %most : index
  %some = arith.muli %d, %c4 : index
  %more = arith.muli %d, %c4 : index
  %other = arith.select %fits, %more, %c0 : index
  %total = arith.addi %some, %other : index
  %all = arith.addi %some, %total : index
  %arena = memref.alloc(%all) : memref<?xi8>
  %own = memref.view %arena[%c0][%d] {berth.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
  %part = memref.view %arena[%some][%total] {berth.buffer = 1 : i64} : memref<?xi8> to memref<?xi8>
  call @f(%d, %k, %part) : (index, index, memref<?xi8>) -> ()
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// Too few bytes of an element.
// CHECK: :[[@LINE+31]]:3: error: hands a frame to a function that has a buffer there of which it is not proved that it ends in it
// CHECK: note: this buffer
func.func private @f(%n: index, %m: index, %frame: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %most = arith.constant 1048576 : index
  %fits = arith.cmpi ule, %m, %most : index
  %some = arith.muli %n, %c4 : index
  cf.assert %fits, "fits"
  %a = memref.view %frame[%c0][%n] {berth.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<?xf32>)
  %b = memref.view %frame[%some][%m] {berth.buffer = 1 : i64} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<?xf32>)
  return
}
func.func @g(%x: memref<?xf32>, %k: index, %p: memref<index>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %most = arith.constant 1048576 : index
  %d = memref.dim %x, %c0 : memref<?xf32>
  %fits = arith.cmpi ule, %k, %most : index
  %some = arith.muli %d, %c4 : index
  %c3 = arith.constant 3 : index
  %more = arith.muli %k, %c3 : index
  %other = arith.select %fits, %more, %c0 : index
  %total = arith.addi %some, %other : index
  %all = arith.addi %some, %total : index
  %arena = memref.alloc(%all) : memref<?xi8>
  %own = memref.view %arena[%c0][%d] {berth.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
  %part = memref.view %arena[%some][%total] {berth.buffer = 1 : i64} : memref<?xi8> to memref<?xi8>
  call @f(%d, %k, %part) : (index, index, memref<?xi8>) -> ()
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// One of two buffers.
// CHECK: :[[@LINE+30]]:3: error: hands a frame to a function that has a buffer there of which it is not proved that it ends in it
// CHECK: note: this buffer
func.func private @f(%n: index, %m: index, %frame: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %most = arith.constant 1048576 : index
  %fits = arith.cmpi ule, %m, %most : index
  %some = arith.muli %n, %c4 : index
  cf.assert %fits, "fits"
  %a = memref.view %frame[%c0][%n] {berth.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<?xf32>)
  %b = memref.view %frame[%some][%m] {berth.buffer = 1 : i64} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<?xf32>)
  return
}
func.func @g(%x: memref<?xf32>, %k: index, %p: memref<index>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %most = arith.constant 1048576 : index
  %d = memref.dim %x, %c0 : memref<?xf32>
  %fits = arith.cmpi ule, %k, %most : index
  %some = arith.muli %d, %c4 : index
  %more = arith.muli %k, %c4 : index
  %other = arith.select %fits, %more, %c0 : index
  %total = arith.addi %some, %other : index
  %all = arith.addi %some, %total : index
  %arena = memref.alloc(%all) : memref<?xi8>
  %own = memref.view %arena[%c0][%d] {berth.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
  %part = memref.view %arena[%some][%some] {berth.buffer = 1 : i64} : memref<?xi8> to memref<?xi8>
  call @f(%d, %k, %part) : (index, index, memref<?xi8>) -> ()
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// The arguments change places.
// CHECK: :[[@LINE+32]]:3: error: hands a frame to a function that has a buffer there of which it is not proved that it ends in it
// CHECK: note: this buffer
// CHECK: :[[@LINE+30]]:3: error: hands a frame to a function that has a buffer there of which it is not proved that it ends in it
// CHECK: note: this buffer
func.func private @f(%n: index, %m: index, %frame: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %most = arith.constant 1048576 : index
  %fits = arith.cmpi ule, %m, %most : index
  %some = arith.muli %n, %c4 : index
  cf.assert %fits, "fits"
  %a = memref.view %frame[%c0][%n] {berth.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<?xf32>)
  %b = memref.view %frame[%some][%m] {berth.buffer = 1 : i64} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<?xf32>)
  return
}
func.func @g(%x: memref<?xf32>, %k: index, %p: memref<index>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %most = arith.constant 1048576 : index
  %d = memref.dim %x, %c0 : memref<?xf32>
  %fits = arith.cmpi ule, %k, %most : index
  %some = arith.muli %d, %c4 : index
  %more = arith.muli %k, %c4 : index
  %other = arith.select %fits, %more, %c0 : index
  %total = arith.addi %some, %other : index
  %all = arith.addi %some, %total : index
  %arena = memref.alloc(%all) : memref<?xi8>
  %own = memref.view %arena[%c0][%d] {berth.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
  %part = memref.view %arena[%some][%total] {berth.buffer = 1 : i64} : memref<?xi8> to memref<?xi8>
  call @f(%k, %d, %part) : (index, index, memref<?xi8>) -> ()
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// A number that the call does not give.
// CHECK: :[[@LINE+31]]:3: error: hands a frame to a function that has a buffer there of which it is not proved that it ends in it
// CHECK: note: this buffer
func.func private @f(%n: index, %m: index, %frame: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %most = arith.constant 1048576 : index
  %fits = arith.cmpi ule, %m, %most : index
  %some = arith.muli %n, %c4 : index
  cf.assert %fits, "fits"
  %a = memref.view %frame[%c0][%n] {berth.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<?xf32>)
  %b = memref.view %frame[%some][%m] {berth.buffer = 1 : i64} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<?xf32>)
  return
}
func.func @g(%x: memref<?xf32>, %k: index, %p: memref<index>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %most = arith.constant 1048576 : index
  %d = memref.dim %x, %c0 : memref<?xf32>
  %fits = arith.cmpi ule, %k, %most : index
  %some = arith.muli %d, %c4 : index
  %l = memref.load %p[] : memref<index>
  %more = arith.muli %l, %c4 : index
  %other = arith.select %fits, %more, %c0 : index
  %total = arith.addi %some, %other : index
  %all = arith.addi %some, %total : index
  %arena = memref.alloc(%all) : memref<?xi8>
  %own = memref.view %arena[%c0][%d] {berth.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
  %part = memref.view %arena[%some][%total] {berth.buffer = 1 : i64} : memref<?xi8> to memref<?xi8>
  call @f(%d, %k, %part) : (index, index, memref<?xi8>) -> ()
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// Nobody has seen to it that the size counts.
// CHECK: :[[@LINE+29]]:3: error: hands a frame to a function that has a buffer there of which it is not proved that it ends in it
// CHECK: note: this buffer
func.func private @f(%n: index, %m: index, %frame: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %most = arith.constant 1048576 : index
  %fits = arith.cmpi ule, %m, %most : index
  %some = arith.muli %n, %c4 : index
  %a = memref.view %frame[%c0][%n] {berth.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<?xf32>)
  %b = memref.view %frame[%some][%m] {berth.buffer = 1 : i64} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<?xf32>)
  return
}
func.func @g(%x: memref<?xf32>, %k: index, %p: memref<index>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %most = arith.constant 1048576 : index
  %d = memref.dim %x, %c0 : memref<?xf32>
  %fits = arith.cmpi ule, %k, %most : index
  %some = arith.muli %d, %c4 : index
  %more = arith.muli %k, %c4 : index
  %other = arith.select %fits, %more, %c0 : index
  %total = arith.addi %some, %other : index
  %all = arith.addi %some, %total : index
  %arena = memref.alloc(%all) : memref<?xi8>
  %own = memref.view %arena[%c0][%d] {berth.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
  %part = memref.view %arena[%some][%total] {berth.buffer = 1 : i64} : memref<?xi8> to memref<?xi8>
  call @f(%d, %k, %part) : (index, index, memref<?xi8>) -> ()
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// Another limit than the one that is asked for.
// CHECK: :[[@LINE+30]]:3: error: hands a frame to a function that has a buffer there of which it is not proved that it ends in it
// CHECK: note: this buffer
func.func private @f(%n: index, %m: index, %frame: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %most = arith.constant 1048576 : index
  %fits = arith.cmpi ule, %m, %most : index
  %some = arith.muli %n, %c4 : index
  cf.assert %fits, "fits"
  %a = memref.view %frame[%c0][%n] {berth.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<?xf32>)
  %b = memref.view %frame[%some][%m] {berth.buffer = 1 : i64} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<?xf32>)
  return
}
func.func @g(%x: memref<?xf32>, %k: index, %p: memref<index>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %most = arith.constant 1048575 : index
  %d = memref.dim %x, %c0 : memref<?xf32>
  %fits = arith.cmpi ule, %k, %most : index
  %some = arith.muli %d, %c4 : index
  %more = arith.muli %k, %c4 : index
  %other = arith.select %fits, %more, %c0 : index
  %total = arith.addi %some, %other : index
  %all = arith.addi %some, %total : index
  %arena = memref.alloc(%all) : memref<?xi8>
  %own = memref.view %arena[%c0][%d] {berth.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
  %part = memref.view %arena[%some][%total] {berth.buffer = 1 : i64} : memref<?xi8> to memref<?xi8>
  call @f(%d, %k, %part) : (index, index, memref<?xi8>) -> ()
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// A larger buffer.
// CHECK: :[[@LINE+31]]:3: error: hands a frame to a function that has a buffer there of which it is not proved that it ends in it
// CHECK: note: this buffer
func.func private @f(%n: index, %m: index, %frame: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %most = arith.constant 1048576 : index
  %fits = arith.cmpi ule, %m, %most : index
  %some = arith.muli %n, %c4 : index
  cf.assert %fits, "fits"
  %a = memref.view %frame[%c0][%n] {berth.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<?xf32>)
  %z = arith.addi %m, %m : index
  %b = memref.view %frame[%some][%z] {berth.buffer = 1 : i64} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<?xf32>)
  return
}
func.func @g(%x: memref<?xf32>, %k: index, %p: memref<index>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %most = arith.constant 1048576 : index
  %d = memref.dim %x, %c0 : memref<?xf32>
  %fits = arith.cmpi ule, %k, %most : index
  %some = arith.muli %d, %c4 : index
  %more = arith.muli %k, %c4 : index
  %other = arith.select %fits, %more, %c0 : index
  %total = arith.addi %some, %other : index
  %all = arith.addi %some, %total : index
  %arena = memref.alloc(%all) : memref<?xi8>
  %own = memref.view %arena[%c0][%d] {berth.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
  %part = memref.view %arena[%some][%total] {berth.buffer = 1 : i64} : memref<?xi8> to memref<?xi8>
  call @f(%d, %k, %part) : (index, index, memref<?xi8>) -> ()
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// A buffer farther up.
// CHECK: :[[@LINE+31]]:3: error: hands a frame to a function that has a buffer there of which it is not proved that it ends in it
// CHECK: note: this buffer
func.func private @f(%n: index, %m: index, %frame: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %most = arith.constant 1048576 : index
  %fits = arith.cmpi ule, %m, %most : index
  %c8 = arith.constant 8 : index
  %some = arith.muli %n, %c8 : index
  cf.assert %fits, "fits"
  %a = memref.view %frame[%c0][%n] {berth.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<?xf32>)
  %b = memref.view %frame[%some][%m] {berth.buffer = 1 : i64} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<?xf32>)
  return
}
func.func @g(%x: memref<?xf32>, %k: index, %p: memref<index>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %most = arith.constant 1048576 : index
  %d = memref.dim %x, %c0 : memref<?xf32>
  %fits = arith.cmpi ule, %k, %most : index
  %some = arith.muli %d, %c4 : index
  %more = arith.muli %k, %c4 : index
  %other = arith.select %fits, %more, %c0 : index
  %total = arith.addi %some, %other : index
  %all = arith.addi %some, %total : index
  %arena = memref.alloc(%all) : memref<?xi8>
  %own = memref.view %arena[%c0][%d] {berth.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
  %part = memref.view %arena[%some][%total] {berth.buffer = 1 : i64} : memref<?xi8> to memref<?xi8>
  call @f(%d, %k, %part) : (index, index, memref<?xi8>) -> ()
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// A part that the arena does not hold.
// CHECK: :[[@LINE+30]]:3: error: hands over a part of an arena of which it is not proved that it ends in that arena
// CHECK: note: this part
func.func private @f(%n: index, %m: index, %frame: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %most = arith.constant 1048576 : index
  %fits = arith.cmpi ule, %m, %most : index
  %some = arith.muli %n, %c4 : index
  cf.assert %fits, "fits"
  %a = memref.view %frame[%c0][%n] {berth.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<?xf32>)
  %b = memref.view %frame[%some][%m] {berth.buffer = 1 : i64} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<?xf32>)
  return
}
func.func @g(%x: memref<?xf32>, %k: index, %p: memref<index>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %most = arith.constant 1048576 : index
  %d = memref.dim %x, %c0 : memref<?xf32>
  %fits = arith.cmpi ule, %k, %most : index
  %some = arith.muli %d, %c4 : index
  %more = arith.muli %k, %c4 : index
  %other = arith.select %fits, %more, %c0 : index
  %total = arith.addi %some, %other : index
  %all = arith.addi %some, %total : index
  %arena = memref.alloc(%total) : memref<?xi8>
  %own = memref.view %arena[%c0][%d] {berth.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
  %part = memref.view %arena[%some][%total] {berth.buffer = 1 : i64} : memref<?xi8> to memref<?xi8>
  call @f(%d, %k, %part) : (index, index, memref<?xi8>) -> ()
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// A part behind the end.
// CHECK: :[[@LINE+30]]:3: error: hands over a part of an arena of which it is not proved that it ends in that arena
// CHECK: note: this part
func.func private @f(%n: index, %m: index, %frame: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %most = arith.constant 1048576 : index
  %fits = arith.cmpi ule, %m, %most : index
  %some = arith.muli %n, %c4 : index
  cf.assert %fits, "fits"
  %a = memref.view %frame[%c0][%n] {berth.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<?xf32>)
  %b = memref.view %frame[%some][%m] {berth.buffer = 1 : i64} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<?xf32>)
  return
}
func.func @g(%x: memref<?xf32>, %k: index, %p: memref<index>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %most = arith.constant 1048576 : index
  %d = memref.dim %x, %c0 : memref<?xf32>
  %fits = arith.cmpi ule, %k, %most : index
  %some = arith.muli %d, %c4 : index
  %more = arith.muli %k, %c4 : index
  %other = arith.select %fits, %more, %c0 : index
  %total = arith.addi %some, %other : index
  %all = arith.addi %some, %total : index
  %arena = memref.alloc(%all) : memref<?xi8>
  %own = memref.view %arena[%c0][%d] {berth.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
  %part = memref.view %arena[%all][%total] {berth.buffer = 1 : i64} : memref<?xi8> to memref<?xi8>
  call @f(%d, %k, %part) : (index, index, memref<?xi8>) -> ()
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// Memory of a length that nobody knows.
// CHECK: error: hands a function memory for its buffers of which nothing tells the size
func.func private @f(%n: index, %m: index, %frame: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %most = arith.constant 1048576 : index
  %fits = arith.cmpi ule, %m, %most : index
  %some = arith.muli %n, %c4 : index
  cf.assert %fits, "fits"
  %a = memref.view %frame[%c0][%n] {berth.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<?xf32>)
  %b = memref.view %frame[%some][%m] {berth.buffer = 1 : i64} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<?xf32>)
  return
}
func.func @g(%q: memref<?xi8>, %x: memref<?xf32>, %k: index, %p: memref<index>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %most = arith.constant 1048576 : index
  %d = memref.dim %x, %c0 : memref<?xf32>
  %fits = arith.cmpi ule, %k, %most : index
  %some = arith.muli %d, %c4 : index
  %more = arith.muli %k, %c4 : index
  %other = arith.select %fits, %more, %c0 : index
  %total = arith.addi %some, %other : index
  %all = arith.addi %some, %total : index
  %arena = memref.alloc(%all) : memref<?xi8>
  %own = memref.view %arena[%c0][%d] {berth.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
  %part = memref.view %arena[%some][%total] {berth.buffer = 1 : i64} : memref<?xi8> to memref<?xi8>
  call @f(%d, %k, %q) : (index, index, memref<?xi8>) -> ()
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// Whoever calls it from elsewhere knows.
func.func @f(%n: index, %m: index, %frame: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %most = arith.constant 1048576 : index
  %fits = arith.cmpi ule, %m, %most : index
  %some = arith.muli %n, %c4 : index
  cf.assert %fits, "fits"
  %a = memref.view %frame[%c0][%n] {berth.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<?xf32>)
  %b = memref.view %frame[%some][%m] {berth.buffer = 1 : i64} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<?xf32>)
  return
}
func.func @g(%x: memref<?xf32>, %k: index, %p: memref<index>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %most = arith.constant 1048576 : index
  %d = memref.dim %x, %c0 : memref<?xf32>
  %fits = arith.cmpi ule, %k, %most : index
  %some = arith.muli %d, %c4 : index
  %more = arith.muli %k, %c4 : index
  %other = arith.select %fits, %more, %c0 : index
  %total = arith.addi %some, %other : index
  %all = arith.addi %some, %total : index
  %arena = memref.alloc(%all) : memref<?xi8>
  %own = memref.view %arena[%c0][%d] {berth.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
  %part = memref.view %arena[%some][%total] {berth.buffer = 1 : i64} : memref<?xi8> to memref<?xi8>
  call @f(%d, %k, %part) : (index, index, memref<?xi8>) -> ()
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// It is called by its address, too.
// CHECK: error: has its buffers in an arena that it is given, and may be called from where nobody sees how long that is
// CHECK: note: by this
func.func private @f(%n: index, %m: index, %frame: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %most = arith.constant 1048576 : index
  %fits = arith.cmpi ule, %m, %most : index
  %some = arith.muli %n, %c4 : index
  cf.assert %fits, "fits"
  %a = memref.view %frame[%c0][%n] {berth.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<?xf32>)
  %b = memref.view %frame[%some][%m] {berth.buffer = 1 : i64} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<?xf32>)
  return
}
func.func @g(%x: memref<?xf32>, %k: index, %p: memref<index>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %most = arith.constant 1048576 : index
  %d = memref.dim %x, %c0 : memref<?xf32>
  %fits = arith.cmpi ule, %k, %most : index
  %some = arith.muli %d, %c4 : index
  %more = arith.muli %k, %c4 : index
  %other = arith.select %fits, %more, %c0 : index
  %total = arith.addi %some, %other : index
  %all = arith.addi %some, %total : index
  %arena = memref.alloc(%all) : memref<?xi8>
  %own = memref.view %arena[%c0][%d] {berth.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
  %part = memref.view %arena[%some][%total] {berth.buffer = 1 : i64} : memref<?xi8> to memref<?xi8>
  call @f(%d, %k, %part) : (index, index, memref<?xi8>) -> ()
  %address = func.constant @f : (index, index, memref<?xi8>) -> ()
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// It calls itself.
// CHECK: error: calls the function around, which has its buffers in an arena that it is given
// CHECK: error: uses an arena that its function is given, and is no view of it
func.func private @f(%n: index, %m: index, %frame: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %most = arith.constant 1048576 : index
  %fits = arith.cmpi ule, %m, %most : index
  %some = arith.muli %n, %c4 : index
  cf.assert %fits, "fits"
  %a = memref.view %frame[%c0][%n] {berth.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<?xf32>)
  %b = memref.view %frame[%some][%m] {berth.buffer = 1 : i64} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<?xf32>)
  func.call @f(%n, %m, %frame) : (index, index, memref<?xi8>) -> ()
  return
}
func.func @g(%x: memref<?xf32>, %k: index, %p: memref<index>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %most = arith.constant 1048576 : index
  %d = memref.dim %x, %c0 : memref<?xf32>
  %fits = arith.cmpi ule, %k, %most : index
  %some = arith.muli %d, %c4 : index
  %more = arith.muli %k, %c4 : index
  %other = arith.select %fits, %more, %c0 : index
  %total = arith.addi %some, %other : index
  %all = arith.addi %some, %total : index
  %arena = memref.alloc(%all) : memref<?xi8>
  %own = memref.view %arena[%c0][%d] {berth.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
  %part = memref.view %arena[%some][%total] {berth.buffer = 1 : i64} : memref<?xi8> to memref<?xi8>
  call @f(%d, %k, %part) : (index, index, memref<?xi8>) -> ()
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// It does more with it.
// CHECK: error: uses an arena that its function is given, and is no view of it
func.func private @f(%n: index, %m: index, %frame: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %most = arith.constant 1048576 : index
  %fits = arith.cmpi ule, %m, %most : index
  %some = arith.muli %n, %c4 : index
  cf.assert %fits, "fits"
  %a = memref.view %frame[%c0][%n] {berth.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<?xf32>)
  %b = memref.view %frame[%some][%m] {berth.buffer = 1 : i64} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<?xf32>)
  %byte = arith.constant 0 : i8
  memref.store %byte, %frame[%m] : memref<?xi8>
  return
}
func.func @g(%x: memref<?xf32>, %k: index, %p: memref<index>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %most = arith.constant 1048576 : index
  %d = memref.dim %x, %c0 : memref<?xf32>
  %fits = arith.cmpi ule, %k, %most : index
  %some = arith.muli %d, %c4 : index
  %more = arith.muli %k, %c4 : index
  %other = arith.select %fits, %more, %c0 : index
  %total = arith.addi %some, %other : index
  %all = arith.addi %some, %total : index
  %arena = memref.alloc(%all) : memref<?xi8>
  %own = memref.view %arena[%c0][%d] {berth.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
  %part = memref.view %arena[%some][%total] {berth.buffer = 1 : i64} : memref<?xi8> to memref<?xi8>
  call @f(%d, %k, %part) : (index, index, memref<?xi8>) -> ()
  memref.dealloc %arena : memref<?xi8>
  return
}
