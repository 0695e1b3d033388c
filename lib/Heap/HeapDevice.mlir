//===- HeapDevice.mlir - Calls from the threads of many kernels ------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the pass berth-heap calls in kernels whose heap lies in global memory.
// Each thread calls for itself, so the lock is contended, also by lanes of one
// subgroup, which may run in lock step. A lane that spins there could keep the
// holder, a lane beside it, from ever going on, and compilers do turn a careful
// loop around the critical section into a loop in front of it (LLVM does). So
// the lanes of a subgroup take turns: at most one of them is at the lock at a
// time, and it can only ever wait for another subgroup.
//
// The first failure stays in the heap's status word, for the host to read.
//
//===----------------------------------------------------------------------===//

// The lock is taken whatever the mode says: whoever has opened the arena need not
// know that kernels will share it.
func.func @berth_heap_is_shared(%heap: !heap) -> i1 {
  %true = arith.constant true
  return %true : i1
}

func.func @berth_heap_open(%heap: !heap, %mode: i32) -> i32 {
  %status = func.call @berth_heap_init(%heap, %mode) : (!heap, i32) -> i32
  return %status : i32
}

func.func @berth_heap_status(%heap: !heap) -> i32 {
  %c0 = arith.constant 0 : i32
  %word = arith.constant 3 : index
  %status = memref.atomic_rmw ori %c0, %heap[%word] : (i32, !heap) -> i32
  return %status : i32
}

// Status, the payload's first byte, handle. The status only says whether there
// is a block: why not is for the host.
func.func @berth_heap_take(%heap: !heap, %words: i32, %alignment: i32) -> (i32, index, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i32
  %ok = arith.constant 0 : i32
  %exhausted = arith.constant 1 : i32
  %lane = gpu.lane_id
  %lanes = func.call @berth_heap_lanes() : () -> index
  %handle = scf.for %turn = %c0 to %lanes step %c1 iter_args(%so_far = %none) -> i32 {
    %is_mine = arith.cmpi eq, %turn, %lane : index
    %after = scf.if %is_mine -> i32 {
      %address, %new = func.call @berth_heap_alloc_aligned(%heap, %words, %alignment) : (!heap, i32, i32) -> (i32, i32)
      scf.yield %new : i32
    } else {
      scf.yield %so_far : i32
    }
    scf.yield %after : i32
  }
  %failed = arith.cmpi eq, %handle, %none : i32
  %status = arith.select %failed, %exhausted, %ok : i32
  %shift = func.call @berth_heap_shift(%handle) : (i32) -> index
  return %status, %shift, %handle : i32, index, i32
}

func.func @berth_heap_give(%heap: !heap, %handle: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ok = arith.constant 0 : i32
  %lane = gpu.lane_id
  %lanes = func.call @berth_heap_lanes() : () -> index
  %status = scf.for %turn = %c0 to %lanes step %c1 iter_args(%so_far = %ok) -> i32 {
    %is_mine = arith.cmpi eq, %turn, %lane : index
    %after = scf.if %is_mine -> i32 {
      %new = func.call @berth_heap_free(%heap, %handle) : (!heap, i32) -> i32
      scf.yield %new : i32
    } else {
      scf.yield %so_far : i32
    }
    scf.yield %after : i32
  }
  return %status : i32
}
