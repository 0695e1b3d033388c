//===- HeapKernel.mlir - Calls from all threads of a workgroup -------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the pass berth-heap calls in kernels: every thread of the workgroup
// makes each call, with the same arguments. The first one works on the heap;
// the others wait, and read what it found from workgroup memory.
//
// A kernel cannot assert (ROCDL has no lowering for that), so the first
// failure of any workgroup is left in @berth_heap_status, for the host to
// read: a BerthHeapStatus, or 0.
//
//===----------------------------------------------------------------------===//

memref.global @berth_heap_status : memref<1xi32, #gpu.address_space<global>> = dense<0>
memref.global "private" @berth_heap_slot : memref<1xi32, #gpu.address_space<workgroup>> = uninitialized

func.func @berth_heap_is_first_thread() -> i1 {
  %c0 = arith.constant 0 : index
  %x = gpu.thread_id x
  %y = gpu.thread_id y
  %z = gpu.thread_id z
  %xy = arith.ori %x, %y : index
  %xyz = arith.ori %xy, %z : index
  %first = arith.cmpi eq, %xyz, %c0 : index
  return %first : i1
}

func.func @berth_heap_tell(%status: i32) {
  %c0 = arith.constant 0 : index
  %none = arith.constant 0 : i32
  %failed = arith.cmpi ne, %status, %none : i32
  scf.if %failed {
    %told = memref.get_global @berth_heap_status : memref<1xi32, #gpu.address_space<global>>
    %old = memref.atomic_rmw maxu %status, %told[%c0] : (i32, memref<1xi32, #gpu.address_space<global>>) -> i32
  }
  return
}

func.func @berth_heap_open(%heap: !heap, %mode: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %first = func.call @berth_heap_is_first_thread() : () -> i1
  scf.if %first {
    %status = func.call @berth_heap_init(%heap, %mode) : (!heap, i32) -> i32
    func.call @berth_heap_tell(%status) : (i32) -> ()
  }
  gpu.barrier
  return %c0 : i32
}

// Status, the payload's first byte, handle. The second barrier keeps the slot
// until everybody has read it.
func.func @berth_heap_take(%heap: !heap, %words: i32, %alignment: i32) -> (i32, index, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %here = arith.constant 0 : index
  %slot = memref.get_global @berth_heap_slot : memref<1xi32, #gpu.address_space<workgroup>>
  %first = func.call @berth_heap_is_first_thread() : () -> i1
  scf.if %first {
    %address, %mine = func.call @berth_heap_alloc_aligned(%heap, %words, %alignment) : (!heap, i32, i32) -> (i32, i32)
    memref.store %mine, %slot[%here] : memref<1xi32, #gpu.address_space<workgroup>>
    %none = arith.cmpi eq, %mine, %c0 : i32
    scf.if %none {
      %reason = func.call @berth_heap_get(%heap, %c3, %c0) : (!heap, i32, i32) -> i32
      func.call @berth_heap_tell(%reason) : (i32) -> ()
    }
  }
  gpu.barrier
  %handle = memref.load %slot[%here] : memref<1xi32, #gpu.address_space<workgroup>>
  gpu.barrier
  %failed = arith.cmpi eq, %handle, %c0 : i32
  %status = arith.select %failed, %c1, %c0 : i32
  %shift = func.call @berth_heap_shift(%handle) : (i32) -> index
  return %status, %shift, %handle : i32, index, i32
}

// The barrier lets every thread finish with the block first.
func.func @berth_heap_give(%heap: !heap, %handle: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  gpu.barrier
  %first = func.call @berth_heap_is_first_thread() : () -> i1
  scf.if %first {
    %status = func.call @berth_heap_free(%heap, %handle) : (!heap, i32) -> i32
    func.call @berth_heap_tell(%status) : (i32) -> ()
  }
  return %c0 : i32
}
