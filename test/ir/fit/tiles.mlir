// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which loops are served slice by slice, and where their tiles are filled.

// RUN: split-file %s %t
// DEFINE: %{fit} = --remarks-filter='berth-fit' --pass-pipeline='builtin.module(berth-fit{space=default backing=1 capacity=192 must-fit=false
// RUN: %berth-opt %t/turns.mlir %{fit}})' 2>&1 | FileCheck %s --check-prefix=TURNS
// RUN: %berth-opt %t/turns.mlir %{fit} test-break-rule=sure-turns})' 2>&1 | not FileCheck %s --check-prefix=TURNS
// RUN: %berth-opt %t/not.mlir %{fit}})' 2>&1 | FileCheck %s --check-prefix=NOT
// With a price of access a tile is made where it pays: what is read ten times.
// RUN: %berth-opt %t/priced.mlir %{fit} access=1})' 2>&1 | FileCheck %s --check-prefix=PRICED
// The remark tells what moves, latencies included.
// RUN: %berth-opt %t/turns.mlir %{fit} bandwidth=4 latency=5})' 2>&1 | FileCheck %s --check-prefix=TIME
// Described ops get tiles of the type that they want.
// RUN: %berth-opt %t/told.mlir --berth-target=%t/told.json --pass-pipeline='builtin.module(berth-fit{space=default backing=1 capacity=64},berth-verify)' | FileCheck %s --check-prefix=TOLD

//--- turns.mlir
#slice = strided<[1], offset: ?>
// The tile of %v is filled in front of an inner loop that is sure to have a turn, else
// in it: behind the last turn the slice may lie outside of the buffer.
// TURNS: remark: {{.*}}256 bytes: in default 0 times, brought in 0 times, taken out 0 times; 0 uses in the slow memory; 3 uses slice by slice
// TURNS: remark: {{.*}}576 bytes are brought in, 256 taken out and 0 touched in the slow memory (832 of what moves slice by slice), loops of unknown length and branches guessed
// TURNS-LABEL: func.func @turns
// TURNS: linalg.fill
// TURNS-NEXT: memref.copy {{.*}}berth.tile
// TURNS: scf.for
// TURNS: memref.copy {{.*}}berth.tile
// TURNS-NEXT: scf.for
// TURNS-NEXT: linalg.add
// TURNS: scf.for
// TURNS-NEXT: scf.for
// TURNS-NEXT: memref.subview
// TURNS-NEXT: memref.alloc
// TURNS-NEXT: memref.copy {{.*}}berth.tile
// TURNS-NEXT: linalg.add
// TIME: in 26 moves that take 338 units of time
func.func @turns(%o: memref<8xi32, 1>, %x: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : memref<64xi32>
  scf.for %i = %c0 to %c64 step %c8 {
    %v = memref.subview %a[%i] [8] [1] : memref<64xi32> to memref<8xi32, #slice>
    linalg.fill ins(%x : i32) outs(%v : memref<8xi32, #slice>)
  }
  scf.for %i = %c0 to %c64 step %c8 {
    scf.for %k = %c0 to %c8 step %c1 {
      %v = memref.subview %a[%i] [8] [1] : memref<64xi32> to memref<8xi32, #slice>
      linalg.add ins(%v, %v : memref<8xi32, #slice>, memref<8xi32, #slice>) outs(%o : memref<8xi32, 1>)
    }
  }
  scf.for %i = %c0 to %c64 step %c64 {
    scf.for %k = %c0 to %n step %c1 {
      %v = memref.subview %a[%i] [8] [1] : memref<64xi32> to memref<8xi32, #slice>
      linalg.add ins(%v, %v : memref<8xi32, #slice>, memref<8xi32, #slice>) outs(%o : memref<8xi32, 1>)
    }
  }
  return
}

//--- not.mlir
#slice = strided<[1], offset: ?>
// Slices of another length in each turn, single elements, slices of which one is
// written while another is in use, ones that a callee gets which nobody knows, or that a
// call wants as they lie, with gaps; and what is read before all
// of it is written.
// NOT-NOT: slice by slice
// NOT-LABEL: func.func @lengths
// NOT-NOT: berth.tile
func.func private @use(memref<8xi32, #slice>)
func.func @lengths(%o: memref<64xi32, 1>, %x: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : memref<64xi32>
  linalg.fill ins(%x : i32) outs(%a : memref<64xi32>)
  scf.for %i = %c0 to %c64 step %c8 {
    %v = memref.subview %a[%i] [%n] [1] : memref<64xi32> to memref<?xi32, #slice>
    linalg.fill ins(%x : i32) outs(%v : memref<?xi32, #slice>)
  }
  memref.copy %a, %o : memref<64xi32> to memref<64xi32, 1>
  return
}
func.func @elements(%o: memref<64xi32, 1>, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : memref<64xi32>
  scf.for %i = %c0 to %c64 step %c1 {
    memref.store %x, %a[%i] : memref<64xi32>
  }
  memref.copy %a, %o : memref<64xi32> to memref<64xi32, 1>
  return
}
func.func @two(%o: memref<64xi32, 1>, %x: i32) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c56 = arith.constant 56 : index
  %a = memref.alloc() : memref<64xi32>
  linalg.fill ins(%x : i32) outs(%a : memref<64xi32>)
  scf.for %i = %c0 to %c56 step %c8 {
    %j = arith.addi %i, %c4 : index
    %v = memref.subview %a[%i] [4] [1] : memref<64xi32> to memref<4xi32, #slice>
    %w = memref.subview %a[%j] [4] [1] : memref<64xi32> to memref<4xi32, #slice>
    linalg.add ins(%v, %v : memref<4xi32, #slice>, memref<4xi32, #slice>) outs(%w : memref<4xi32, #slice>)
  }
  memref.copy %a, %o : memref<64xi32> to memref<64xi32, 1>
  return
}
func.func @call(%o: memref<64xi32, 1>, %x: i32) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : memref<64xi32>
  linalg.fill ins(%x : i32) outs(%a : memref<64xi32>)
  scf.for %i = %c0 to %c64 step %c8 {
    %v = memref.subview %a[%i] [8] [1] : memref<64xi32> to memref<8xi32, #slice>
    func.call @use(%v) : (memref<8xi32, #slice>) -> ()
  }
  memref.copy %a, %o : memref<64xi32> to memref<64xi32, 1>
  return
}
func.func private @columns(%v: memref<4x2xi32, strided<[8, 1], offset: ?>>) {
  return
}
func.func @gaps(%o: memref<4x8xi32, 1>, %x: i32) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<4x8xi32>
  linalg.fill ins(%x : i32) outs(%a : memref<4x8xi32>)
  scf.for %i = %c0 to %c8 step %c2 {
    %v = memref.subview %a[0, %i] [4, 2] [1, 1] : memref<4x8xi32> to memref<4x2xi32, strided<[8, 1], offset: ?>>
    linalg.fill ins(%x : i32) outs(%v : memref<4x2xi32, strided<[8, 1], offset: ?>>)
    func.call @columns(%v) : (memref<4x2xi32, strided<[8, 1], offset: ?>>) -> ()
  }
  memref.copy %a, %o : memref<4x8xi32> to memref<4x8xi32, 1>
  return
}
func.func @half(%o: memref<64xi32, 1>, %x: i32) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : memref<64xi32>
  scf.for %i = %c0 to %c64 step %c8 {
    %v = memref.subview %a[%i] [8] [1] : memref<64xi32> to memref<8xi32, #slice>
    %w = memref.subview %v[0] [4] [1] : memref<8xi32, #slice> to memref<4xi32, #slice>
    linalg.fill ins(%x : i32) outs(%w : memref<4xi32, #slice>)
    linalg.fill ins(%x : i32) outs(%v : memref<8xi32, #slice>)
  }
  memref.copy %a, %o : memref<64xi32> to memref<64xi32, 1>
  return
}

//--- priced.mlir
#slice = strided<[1], offset: ?>
// PRICED: remark: {{.*}}0 uses in the slow memory; 1 uses slice by slice
// PRICED: remark: {{.*}}1 uses in the slow memory{{"}}
// PRICED: remark: {{.*}}(256 of what moves slice by slice); no fit costs less
func.func @priced(%x: memref<64xi32, 1> {llvm.noalias, llvm.readonly}, %y: memref<64xi32, 1> {llvm.noalias, llvm.readonly}, %o: memref<8xi32, 1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c10 = arith.constant 10 : index
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : memref<64xi32>
  %b = memref.alloc() : memref<64xi32>
  memref.copy %x, %a : memref<64xi32, 1> to memref<64xi32>
  memref.copy %y, %b : memref<64xi32, 1> to memref<64xi32>
  scf.for %i = %c0 to %c64 step %c8 {
    %v = memref.subview %a[%i] [8] [1] : memref<64xi32> to memref<8xi32, #slice>
    scf.for %k = %c0 to %c10 step %c1 {
      linalg.add ins(%v, %v : memref<8xi32, #slice>, memref<8xi32, #slice>) outs(%o : memref<8xi32, 1>)
    }
    %w = memref.subview %b[%i] [8] [1] : memref<64xi32> to memref<8xi32, #slice>
    memref.copy %w, %o : memref<8xi32, #slice> to memref<8xi32, 1> // (%o : memref<8xi32, 1>)
  }
  return
}

//--- told.json
{"ops": [{"name": "npu.exp", "reads": [0], "writes": [1]}]}

//--- told.mlir
#slice = strided<[1], offset: ?>
// TOLD-LABEL: func.func @told
// TOLD: %[[IN:.*]] = memref.cast %{{.*}} : memref<8xi32> to memref<8xi32, strided<[1], offset: ?>>
// TOLD-NEXT: %[[OUT:.*]] = memref.cast
// TOLD-NEXT: "npu.exp"(%[[IN]], %[[OUT]])
// TOLD-NEXT: memref.copy {{.*}}berth.tile
func.func @told(%x: memref<32xi32, 1>, %y: memref<32xi32, 1>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %a = memref.alloc() : memref<32xi32>
  %b = memref.alloc() : memref<32xi32>
  scf.for %i = %c0 to %c32 step %c8 {
    %v = memref.subview %a[%i] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
    %w = memref.subview %b[%i] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
    %u = memref.subview %x[%i] [8] [1] : memref<32xi32, 1> to memref<8xi32, #slice, 1>
    linalg.copy ins(%u : memref<8xi32, #slice, 1>) outs(%v : memref<8xi32, #slice>)
    linalg.copy ins(%u : memref<8xi32, #slice, 1>) outs(%w : memref<8xi32, #slice>)
    "npu.exp"(%v, %w) : (memref<8xi32, #slice>, memref<8xi32, #slice>) -> ()
  }
  scf.for %i = %c0 to %c32 step %c8 {
    %w = memref.subview %b[%i] [8] [1] : memref<32xi32> to memref<8xi32, #slice>
    %u = memref.subview %y[%i] [8] [1] : memref<32xi32, 1> to memref<8xi32, #slice, 1>
    linalg.copy ins(%w : memref<8xi32, #slice>) outs(%u : memref<8xi32, #slice, 1>)
  }
  return
}
