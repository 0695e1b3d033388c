// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An op that is marked to compute content again does what made it, from what that was
// made of. The programs of the first file are right; each other one has one thing changed.

// RUN: split-file %s %t
// RUN: %berth-opt %t/right.mlir -o %t/out --pass-pipeline='builtin.module(berth-verify)'
// Where an operand had its places there are views of an arena; which of them hold one
// content nobody can tell any more.
// RUN: %berth-opt %t/some-placed.mlir -o %t/out --pass-pipeline='builtin.module(berth-verify)'
// RUN: %berth-opt %t/all-placed.mlir -o %t/out --pass-pipeline='builtin.module(berth-verify)'
// DEFINE: %{file} =
// DEFINE: %{refused} = not %berth-opt %t/%{file}.mlir -o %t/out --pass-pipeline='builtin.module(berth-verify)' 2>&1 | FileCheck %t/%{file}.mlir
// REDEFINE: %{file} = operands
// RUN: %{refused}
// REDEFINE: %{file} = ops
// RUN: %{refused}
// REDEFINE: %{file} = changed
// RUN: %{refused}
// REDEFINE: %{file} = impure
// RUN: %{refused}

//--- right.mlir
#same = affine_map<(i) -> (i)>
func.func private @look(%m: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %m[%c0] : memref<4xi32>
  vector.print %v : i32
  return
}
func.func @fill(%y: memref<4xi32, 77>) {
  %k = arith.constant 7 : i32
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<4xi32>
  linalg.fill ins(%k : i32) outs(%a0 : memref<4xi32>)
  %same = arith.constant 7 : i32
  %a1 = memref.alloc() {berth.content = 1} : memref<4xi32>
  linalg.fill {berth.recompute = 1} ins(%same : i32) outs(%a1 : memref<4xi32>)
  linalg.copy ins(%a1 : memref<4xi32>) outs(%y : memref<4xi32, 77>)
  return
}
// What it reads has been moved, and is another part of another place, which is the same
// one of the content; a call looks at it; and its body is the same.
func.func @moved_operand(%x: memref<8xi32, 77>, %y: memref<4xi32, 77>) {
  %c0 = arith.constant 0 : index
  %b0 = memref.alloc() {berth.content = 2, berth.content_begins = [2]} : memref<8xi32>
  memref.copy %x, %b0 : memref<8xi32, 77> to memref<8xi32>
  %low = memref.subview %b0[4] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1], offset: 4>>
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<4xi32>
  linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel"]} ins(%low : memref<4xi32, strided<[1], offset: 4>>) outs(%a0 : memref<4xi32>) {
  ^bb0(%in: i32, %out: i32):
    %twice = arith.addi %in, %in : i32
    linalg.yield %twice : i32
  }
  func.call @look(%a0) : (memref<4xi32>) -> ()
  %s = memref.alloc() {berth.content = 2} : memref<8xi32, 77>
  memref.copy %b0, %s {berth.move = 2} : memref<8xi32> to memref<8xi32, 77>
  %other = memref.subview %s[4] [4] [1] : memref<8xi32, 77> to memref<4xi32, strided<[1], offset: 4>, 77>
  %a1 = memref.alloc() {berth.content = 1} : memref<4xi32>
  linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel"]} ins(%other : memref<4xi32, strided<[1], offset: 4>, 77>) outs(%a1 : memref<4xi32>) attrs = {berth.recompute = 1} {
  ^bb0(%in: i32, %out: i32):
    %twice = arith.addi %in, %in : i32
    linalg.yield %twice : i32
  }
  linalg.copy ins(%a1 : memref<4xi32>) outs(%y : memref<4xi32, 77>)
  return
}
// It reads what its operand was copied from.
func.func @source(%x: memref<4xi32, 77>) -> i32 {
  %c0 = arith.constant 0 : index
  %b0 = memref.alloc() {berth.content = 2, berth.content_copied = [2]} : memref<4xi32>
  memref.copy %x, %b0 {berth.move = 2} : memref<4xi32, 77> to memref<4xi32>
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<4xi32>
  linalg.copy ins(%b0 : memref<4xi32>) outs(%a0 : memref<4xi32>)
  %a1 = memref.alloc() {berth.content = 1} : memref<4xi32>
  linalg.copy {berth.content_read = [2, 0], berth.recompute = 1} ins(%x : memref<4xi32, 77>) outs(%a1 : memref<4xi32>)
  %v = memref.load %a1[%c0] : memref<4xi32>
  return %v : i32
}
// The operand may be one of two buffers, neither of which is written; the op itself
// writes memory that only it knows, and so does what stands in between.
func.func @one_of_two(%p: i1, %x: memref<4xi32>, %z: memref<4xi32>, %y: memref<4xi32, 77>) {
  %k = arith.constant 7 : i32
  %b = arith.select %p, %x, %z : memref<4xi32>
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<4xi32>
  memref.copy %b, %a0 : memref<4xi32> to memref<4xi32>
  %own = memref.alloc() : memref<4xi32>
  linalg.fill ins(%k : i32) outs(%own : memref<4xi32>)
  %a1 = memref.alloc() {berth.content = 1} : memref<4xi32>
  memref.copy %b, %a1 {berth.recompute = 1} : memref<4xi32> to memref<4xi32>
  linalg.copy ins(%a1 : memref<4xi32>) outs(%y : memref<4xi32, 77>)
  return
}
// In each turn anew, on one way or the other.
func.func @turns(%n: index, %p: i1, %y: memref<4xi32, 77>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %k = arith.index_cast %i : index to i32
    %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<4xi32>
    scf.if %p {
      linalg.fill ins(%k : i32) outs(%a0 : memref<4xi32>)
    } else {
      linalg.fill ins(%k : i32) outs(%a0 : memref<4xi32>)
    }
    %a1 = memref.alloc() {berth.content = 1} : memref<4xi32>
    linalg.fill {berth.recompute = 1} ins(%k : i32) outs(%a1 : memref<4xi32>)
    linalg.copy ins(%a1 : memref<4xi32>) outs(%y : memref<4xi32, 77>)
  }
  return
}
// A transfer writes its target and its tag, and nothing else.
func.func @transfer(%x: memref<4xi32>, %z: memref<4xi32, 77>, %y: memref<4xi32, 77>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %tag = memref.alloc() : memref<1xi32, 77>
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<4xi32>
  memref.copy %x, %a0 : memref<4xi32> to memref<4xi32>
  %own = memref.alloc() : memref<4xi32>
  memref.dma_start %z[%c0], %own[%c0], %c4, %tag[%c0] : memref<4xi32, 77>, memref<4xi32>, memref<1xi32, 77>
  memref.dma_wait %tag[%c0], %c4 : memref<1xi32, 77>
  %a1 = memref.alloc() {berth.content = 1} : memref<4xi32>
  memref.copy %x, %a1 {berth.recompute = 1} : memref<4xi32> to memref<4xi32>
  linalg.copy ins(%a1 : memref<4xi32>) outs(%y : memref<4xi32, 77>)
  return
}

//--- operands.mlir
func.func @number(%y: memref<4xi32, 77>) {
  %k = arith.constant 7 : i32
  %l = arith.constant 8 : i32
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<4xi32>
  // CHECK: :[[#@LINE+3]]:3: error: may compute something else than the content was
  linalg.fill ins(%k : i32) outs(%a0 : memref<4xi32>)
  %a1 = memref.alloc() {berth.content = 1} : memref<4xi32>
  linalg.fill {berth.recompute = 1} ins(%l : i32) outs(%a1 : memref<4xi32>)
  // CHECK: :[[#@LINE-3]]:3: note: changed here
  linalg.copy ins(%a1 : memref<4xi32>) outs(%y : memref<4xi32, 77>)
  return
}
func.func @memory(%x: memref<4xi32, 77>, %z: memref<4xi32, 77>, %y: memref<4xi32, 77>) {
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<4xi32>
  linalg.copy ins(%x : memref<4xi32, 77>) outs(%a0 : memref<4xi32>)
  %a1 = memref.alloc() {berth.content = 1} : memref<4xi32>
  // CHECK: :[[#@LINE+1]]:3: error: may compute something else
  linalg.copy {berth.recompute = 1} ins(%z : memref<4xi32, 77>) outs(%a1 : memref<4xi32>)
  linalg.copy ins(%a1 : memref<4xi32>) outs(%y : memref<4xi32, 77>)
  return
}
func.func @part(%x: memref<8xi32, 77>, %y: memref<4xi32, 77>) {
  %low = memref.subview %x[0] [4] [1] : memref<8xi32, 77> to memref<4xi32, strided<[1]>, 77>
  %high = memref.subview %x[4] [4] [1] : memref<8xi32, 77> to memref<4xi32, strided<[1], offset: 4>, 77>
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<4xi32>
  linalg.copy ins(%low : memref<4xi32, strided<[1]>, 77>) outs(%a0 : memref<4xi32>)
  %a1 = memref.alloc() {berth.content = 1} : memref<4xi32>
  // CHECK: :[[#@LINE+1]]:3: error: may compute something else
  linalg.copy {berth.recompute = 1} ins(%high : memref<4xi32, strided<[1], offset: 4>, 77>) outs(%a1 : memref<4xi32>)
  linalg.copy ins(%a1 : memref<4xi32>) outs(%y : memref<4xi32, 77>)
  return
}
// What the place of an operand holds is an old content of it.
func.func @old_place(%x: memref<4xi32, 77>, %y: memref<4xi32, 77>) {
  %b0 = memref.alloc() {berth.content = 2, berth.content_begins = [2]} : memref<4xi32>
  %s = memref.alloc() {berth.content = 2} : memref<4xi32, 77>
  linalg.copy ins(%x : memref<4xi32, 77>) outs(%b0 : memref<4xi32>)
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<4xi32>
  linalg.copy ins(%b0 : memref<4xi32>) outs(%a0 : memref<4xi32>)
  %a1 = memref.alloc() {berth.content = 1} : memref<4xi32>
  // CHECK: :[[#@LINE+1]]:3: error: may compute something else
  linalg.copy {berth.recompute = 1} ins(%s : memref<4xi32, 77>) outs(%a1 : memref<4xi32>)
  linalg.copy ins(%a1 : memref<4xi32>) outs(%y : memref<4xi32, 77>)
  return
}
// It fills another place than the one that is used.
func.func @target(%y: memref<4xi32, 77>) {
  %k = arith.constant 7 : i32
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<4xi32>
  linalg.fill ins(%k : i32) outs(%a0 : memref<4xi32>)
  %a1 = memref.alloc() {berth.content = 1} : memref<4xi32>
  linalg.fill {berth.recompute = 1} ins(%k : i32) outs(%a0 : memref<4xi32>)
  // CHECK: :[[#@LINE+1]]:3: error: reads a place that may not hold its content
  linalg.copy ins(%a1 : memref<4xi32>) outs(%y : memref<4xi32, 77>)
  return
}

//--- ops.mlir
#same = affine_map<(i) -> (i)>
func.func @attributes(%x: memref<4x4x4xi32, 77>, %y: memref<4x4x4xi32, 77>) {
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<4x4x4xi32>
  linalg.transpose ins(%x : memref<4x4x4xi32, 77>) outs(%a0 : memref<4x4x4xi32>) permutation = [1, 0, 2]
  %a1 = memref.alloc() {berth.content = 1} : memref<4x4x4xi32>
  // CHECK: :[[#@LINE+1]]:3: error: may compute something else
  linalg.transpose ins(%x : memref<4x4x4xi32, 77>) outs(%a1 : memref<4x4x4xi32>) permutation = [1, 2, 0] {berth.recompute = 1}
  linalg.copy ins(%a1 : memref<4x4x4xi32>) outs(%y : memref<4x4x4xi32, 77>)
  return
}
func.func @body(%x: memref<4xi32, 77>, %k: i32, %y: memref<4xi32, 77>) {
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<4xi32>
  linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel"]} ins(%x : memref<4xi32, 77>) outs(%a0 : memref<4xi32>) {
  ^bb0(%in: i32, %out: i32):
    %v = arith.subi %in, %k : i32
    linalg.yield %v : i32
  }
  %a1 = memref.alloc() {berth.content = 1} : memref<4xi32>
  // CHECK: :[[#@LINE+1]]:3: error: may compute something else
  linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel"]} ins(%x : memref<4xi32, 77>) outs(%a1 : memref<4xi32>) attrs = {berth.recompute = 1} {
  ^bb0(%in: i32, %out: i32):
    %v = arith.subi %k, %in : i32
    linalg.yield %v : i32
  }
  linalg.copy ins(%a1 : memref<4xi32>) outs(%y : memref<4xi32, 77>)
  return
}

//--- changed.mlir
#same = affine_map<(i) -> (i)>
func.func private @set(%m: memref<4xi32>) {
  %k = arith.constant 7 : i32
  linalg.fill ins(%k : i32) outs(%m : memref<4xi32>)
  return
}
func.func @argument_written(%x: memref<4xi32, 77>, %z: memref<4xi32, 77>, %y: memref<4xi32, 77>) {
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<4xi32>
  linalg.copy ins(%x : memref<4xi32, 77>) outs(%a0 : memref<4xi32>)
  linalg.copy ins(%a0 : memref<4xi32>) outs(%z : memref<4xi32, 77>)
  %a1 = memref.alloc() {berth.content = 1} : memref<4xi32>
  // CHECK: :[[#@LINE+1]]:3: error: may compute something else
  linalg.copy {berth.recompute = 1} ins(%x : memref<4xi32, 77>) outs(%a1 : memref<4xi32>)
  // CHECK: :[[#@LINE-4]]:3: note: changed here
  linalg.copy ins(%a1 : memref<4xi32>) outs(%y : memref<4xi32, 77>)
  return
}
// A transfer to the argument: started in between, or only waited for then.
func.func @transfer_started(%x: memref<4xi32, 77>, %z: memref<4xi32>, %y: memref<4xi32, 77>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %tag = memref.alloc() : memref<1xi32, 77>
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<4xi32>
  linalg.copy ins(%x : memref<4xi32, 77>) outs(%a0 : memref<4xi32>)
  memref.dma_start %z[%c0], %x[%c0], %c4, %tag[%c0] : memref<4xi32>, memref<4xi32, 77>, memref<1xi32, 77>
  %a1 = memref.alloc() {berth.content = 1} : memref<4xi32>
  // CHECK: :[[#@LINE+1]]:3: error: may compute something else
  linalg.copy {berth.recompute = 1} ins(%x : memref<4xi32, 77>) outs(%a1 : memref<4xi32>)
  // CHECK: :[[#@LINE-4]]:3: note: changed here
  memref.dma_wait %tag[%c0], %c4 : memref<1xi32, 77>
  linalg.copy ins(%a1 : memref<4xi32>) outs(%y : memref<4xi32, 77>)
  return
}
func.func @transfer_ended(%x: memref<4xi32, 77>, %z: memref<4xi32>, %y: memref<4xi32, 77>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %tag = memref.alloc() : memref<1xi32, 77>
  memref.dma_start %z[%c0], %x[%c0], %c4, %tag[%c0] : memref<4xi32>, memref<4xi32, 77>, memref<1xi32, 77>
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<4xi32>
  linalg.copy ins(%x : memref<4xi32, 77>) outs(%a0 : memref<4xi32>)
  memref.dma_wait %tag[%c0], %c4 : memref<1xi32, 77>
  %a1 = memref.alloc() {berth.content = 1} : memref<4xi32>
  // CHECK: :[[#@LINE+1]]:3: error: may compute something else
  linalg.copy {berth.recompute = 1} ins(%x : memref<4xi32, 77>) outs(%a1 : memref<4xi32>)
  // CHECK: :[[#@LINE-4]]:3: note: changed here
  linalg.copy ins(%a1 : memref<4xi32>) outs(%y : memref<4xi32, 77>)
  return
}
// Nobody knows which transfer this one waits for.
func.func @transfer_unknown(%x: memref<4xi32, 77>, %tag: memref<1xi32, 77>, %y: memref<4xi32, 77>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<4xi32>
  linalg.copy ins(%x : memref<4xi32, 77>) outs(%a0 : memref<4xi32>)
  memref.dma_wait %tag[%c0], %c4 : memref<1xi32, 77>
  %a1 = memref.alloc() {berth.content = 1} : memref<4xi32>
  // CHECK: :[[#@LINE+1]]:3: error: may compute something else
  linalg.copy {berth.recompute = 1} ins(%x : memref<4xi32, 77>) outs(%a1 : memref<4xi32>)
  linalg.copy ins(%a1 : memref<4xi32>) outs(%y : memref<4xi32, 77>)
  return
}
// Both places hold what their content is now, and the operand's is another one.
func.func @operand_written(%x: memref<4xi32, 77>, %y: memref<4xi32, 77>) {
  %b0 = memref.alloc() {berth.content = 2, berth.content_begins = [2]} : memref<4xi32>
  linalg.copy ins(%x : memref<4xi32, 77>) outs(%b0 : memref<4xi32>)
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<4xi32>
  linalg.copy ins(%b0 : memref<4xi32>) outs(%a0 : memref<4xi32>)
  linalg.add ins(%b0, %x : memref<4xi32>, memref<4xi32, 77>) outs(%b0 : memref<4xi32>)
  %b1 = memref.alloc() {berth.content = 2} : memref<4xi32>
  memref.copy %b0, %b1 {berth.move = 2} : memref<4xi32> to memref<4xi32>
  %a1 = memref.alloc() {berth.content = 1} : memref<4xi32>
  // CHECK: :[[#@LINE+1]]:3: error: may compute something else
  linalg.copy {berth.recompute = 1} ins(%b1 : memref<4xi32>) outs(%a1 : memref<4xi32>)
  // CHECK: :[[#@LINE-6]]:3: note: changed here
  linalg.copy ins(%a1 : memref<4xi32>) outs(%y : memref<4xi32, 77>)
  return
}
func.func @called(%x: memref<4xi32, 77>, %y: memref<4xi32, 77>) {
  %b = memref.alloc() : memref<4xi32>
  linalg.copy ins(%x : memref<4xi32, 77>) outs(%b : memref<4xi32>)
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<4xi32>
  linalg.copy ins(%b : memref<4xi32>) outs(%a0 : memref<4xi32>)
  func.call @set(%b) : (memref<4xi32>) -> ()
  %a1 = memref.alloc() {berth.content = 1} : memref<4xi32>
  // CHECK: :[[#@LINE+1]]:3: error: may compute something else
  linalg.copy {berth.recompute = 1} ins(%b : memref<4xi32>) outs(%a1 : memref<4xi32>)
  linalg.copy ins(%a1 : memref<4xi32>) outs(%y : memref<4xi32, 77>)
  return
}
// Another name of it is in a table.
func.func @leaked(%x: memref<4xi32, 77>, %table: memref<memref<4xi32>>, %y: memref<4xi32, 77>) {
  %k = arith.constant 7 : i32
  %b = memref.alloc() : memref<4xi32>
  memref.store %b, %table[] : memref<memref<4xi32>>
  linalg.copy ins(%x : memref<4xi32, 77>) outs(%b : memref<4xi32>)
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<4xi32>
  linalg.copy ins(%b : memref<4xi32>) outs(%a0 : memref<4xi32>)
  %name = memref.load %table[] : memref<memref<4xi32>>
  linalg.fill ins(%k : i32) outs(%name : memref<4xi32>)
  %a1 = memref.alloc() {berth.content = 1} : memref<4xi32>
  // CHECK: :[[#@LINE+1]]:3: error: may compute something else
  linalg.copy {berth.recompute = 1} ins(%b : memref<4xi32>) outs(%a1 : memref<4xi32>)
  linalg.copy ins(%a1 : memref<4xi32>) outs(%y : memref<4xi32, 77>)
  return
}
func.func @freed(%x: memref<4xi32, 77>, %y: memref<4xi32, 77>) {
  %b = memref.alloc() : memref<4xi32>
  linalg.copy ins(%x : memref<4xi32, 77>) outs(%b : memref<4xi32>)
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<4xi32>
  linalg.copy ins(%b : memref<4xi32>) outs(%a0 : memref<4xi32>)
  memref.dealloc %b : memref<4xi32>
  %a1 = memref.alloc() {berth.content = 1} : memref<4xi32>
  // CHECK: :[[#@LINE+1]]:3: error: may compute something else
  linalg.copy {berth.recompute = 1} ins(%b : memref<4xi32>) outs(%a1 : memref<4xi32>)
  linalg.copy ins(%a1 : memref<4xi32>) outs(%y : memref<4xi32, 77>)
  return
}
func.func @content_written(%x: memref<4xi32, 77>, %y: memref<4xi32, 77>) {
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<4xi32>
  linalg.copy ins(%x : memref<4xi32, 77>) outs(%a0 : memref<4xi32>)
  linalg.add ins(%a0, %x : memref<4xi32>, memref<4xi32, 77>) outs(%a0 : memref<4xi32>)
  %a1 = memref.alloc() {berth.content = 1} : memref<4xi32>
  // CHECK: :[[#@LINE+1]]:3: error: may compute something else
  linalg.copy {berth.recompute = 1} ins(%x : memref<4xi32, 77>) outs(%a1 : memref<4xi32>)
  linalg.copy ins(%a1 : memref<4xi32>) outs(%y : memref<4xi32, 77>)
  return
}
// What it adds to is its own content.
func.func @adds(%x: memref<4xi32, 77>, %y: memref<4xi32, 77>) {
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<4xi32>
  linalg.copy ins(%x : memref<4xi32, 77>) outs(%a0 : memref<4xi32>)
  linalg.add ins(%a0, %x : memref<4xi32>, memref<4xi32, 77>) outs(%a0 : memref<4xi32>)
  // CHECK: :[[#@LINE+1]]:3: error: may compute something else
  linalg.add {berth.recompute = 1} ins(%a0, %x : memref<4xi32>, memref<4xi32, 77>) outs(%a0 : memref<4xi32>)
  linalg.copy ins(%a0 : memref<4xi32>) outs(%y : memref<4xi32, 77>)
  return
}
// The number is that of the next turn.
func.func @next_turn(%n: index, %y: memref<4xi32, 77>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k0 = arith.constant 0 : i32
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<4xi32>
  linalg.fill ins(%k0 : i32) outs(%a0 : memref<4xi32>)
  scf.for %i = %c0 to %n step %c1 {
    %k = arith.index_cast %i : index to i32
    %first = arith.cmpi eq, %i, %c0 : index
    scf.if %first {
      linalg.fill ins(%k : i32) outs(%a0 : memref<4xi32>)
    } else {
      // CHECK: :[[#@LINE+1]]:7: error: may compute something else
      linalg.fill {berth.recompute = 1} ins(%k : i32) outs(%a0 : memref<4xi32>)
    }
    linalg.copy ins(%a0 : memref<4xi32>) outs(%y : memref<4xi32, 77>)
  }
  return
}
// The other way it was not made so.
func.func @one_way(%p: i1, %x: memref<4xi32, 77>, %y: memref<4xi32, 77>) {
  %k = arith.constant 7 : i32
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<4xi32>
  scf.if %p {
    linalg.fill ins(%k : i32) outs(%a0 : memref<4xi32>)
  } else {
    linalg.copy ins(%x : memref<4xi32, 77>) outs(%a0 : memref<4xi32>)
  }
  %a1 = memref.alloc() {berth.content = 1} : memref<4xi32>
  // CHECK: :[[#@LINE+1]]:3: error: may compute something else
  linalg.fill {berth.recompute = 1} ins(%k : i32) outs(%a1 : memref<4xi32>)
  linalg.copy ins(%a1 : memref<4xi32>) outs(%y : memref<4xi32, 77>)
  return
}
// It writes half of what its content was made of.
func.func @half(%k: i32, %y: memref<4xi32, 77>) {
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<4xi32>
  %low0 = memref.subview %a0[0] [2] [1] : memref<4xi32> to memref<2xi32, strided<[1]>>
  linalg.fill ins(%k : i32) outs(%low0 : memref<2xi32, strided<[1]>>)
  %a1 = memref.alloc() {berth.content = 1} : memref<4xi32>
  %low1 = memref.subview %a1[0] [2] [1] : memref<4xi32> to memref<2xi32, strided<[1]>>
  // CHECK: :[[#@LINE+1]]:3: error: may compute something else
  linalg.fill {berth.recompute = 1} ins(%k : i32) outs(%low1 : memref<2xi32, strided<[1]>>)
  linalg.copy ins(%a1 : memref<4xi32>) outs(%y : memref<4xi32, 77>)
  return
}

//--- impure.mlir
// Each run counts.
#same = affine_map<(i) -> (i)>
func.func @counts(%n: memref<i32, 77>, %y: memref<4xi32, 77>) {
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1]} : memref<4xi32>
  linalg.generic {indexing_maps = [#same], iterator_types = ["parallel"]} outs(%a0 : memref<4xi32>) {
  ^bb0(%out: i32):
    %v = memref.load %n[] : memref<i32, 77>
    %w = arith.addi %v, %v : i32
    memref.store %w, %n[] : memref<i32, 77>
    linalg.yield %v : i32
  }
  %a1 = memref.alloc() {berth.content = 1} : memref<4xi32>
  // CHECK: :[[#@LINE+1]]:3: error: may compute something else
  linalg.generic {indexing_maps = [#same], iterator_types = ["parallel"]} outs(%a1 : memref<4xi32>) attrs = {berth.recompute = 1} {
  ^bb0(%out: i32):
    %v = memref.load %n[] : memref<i32, 77>
    %w = arith.addi %v, %v : i32
    memref.store %w, %n[] : memref<i32, 77>
    linalg.yield %v : i32
  }
  linalg.copy ins(%a1 : memref<4xi32>) outs(%y : memref<4xi32, 77>)
  return
}

//--- some-placed.mlir
func.func @operand(%x: memref<4xi32, 77>, %y: memref<4xi32, 77>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %b0 = memref.view %arena[%c0][] : memref<64xi8> to memref<4xi32>
  %b1 = memref.view %arena[%c0][] : memref<64xi8> to memref<4xi32>
  memref.copy %x, %b0 : memref<4xi32, 77> to memref<4xi32>
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1], berth.content_places = 2} : memref<4xi32, 78>
  memref.copy %b0, %a0 : memref<4xi32> to memref<4xi32, 78>
  %s = memref.alloc() {berth.content = 2, berth.content_places = 3} : memref<4xi32, 77>
  memref.copy %b0, %s {berth.move = 2} : memref<4xi32> to memref<4xi32, 77>
  memref.copy %s, %b1 {berth.move = 2} : memref<4xi32, 77> to memref<4xi32>
  %a1 = memref.alloc() {berth.content = 1, berth.content_places = 2} : memref<4xi32, 78>
  memref.copy %b1, %a1 {berth.recompute = 1} : memref<4xi32> to memref<4xi32, 78>
  linalg.copy ins(%a1 : memref<4xi32, 78>) outs(%y : memref<4xi32, 77>)
  return
}
//--- all-placed.mlir
func.func @operand(%x: memref<4xi32, 77>, %k: i32, %y: memref<4xi32, 77>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %b0 = memref.view %arena[%c0][] : memref<64xi8> to memref<4xi32>
  %b1 = memref.view %arena[%c0][] : memref<64xi8> to memref<4xi32>
  linalg.fill ins(%k : i32) outs(%b0 : memref<4xi32>)
  %a0 = memref.alloc() {berth.content = 1, berth.content_begins = [1], berth.content_places = 2} : memref<4xi32, 78>
  memref.copy %b0, %a0 : memref<4xi32> to memref<4xi32, 78>
  linalg.fill {berth.recompute = 2} ins(%k : i32) outs(%b1 : memref<4xi32>)
  %a1 = memref.alloc() {berth.content = 1, berth.content_places = 2} : memref<4xi32, 78>
  memref.copy %b1, %a1 {berth.recompute = 1} : memref<4xi32> to memref<4xi32, 78>
  linalg.copy ins(%a1 : memref<4xi32, 78>) outs(%y : memref<4xi32, 77>)
  return
}
