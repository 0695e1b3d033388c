// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// (Affine maps take thread ids for symbols there only.)
// RUN: %berth-opt %s --pass-pipeline='builtin.module(berth-print-interference)' \
// RUN:   -o %t 2>&1 | FileCheck %s

// What all threads of a workgroup overwrite together, and what not. In each
// kernel %a and %b share exactly if all of %a is overwritten in each turn, and
// nobody reads in the same phase what another thread writes.

#w = #gpu.address_space<workgroup>
!a = memref<100xi32, #w>
!b = memref<64xi32, #w>
!two = memref<16x4xi32, #w>
!out = memref<64xi32>

gpu.module @kernels {
// With a tail: threads 0 to 35 take two turns.
// CHECK-LABEL: interference of @strided
// CHECK-NOT:   both live
  gpu.func @strided(%v: i32, %n: index, %out: !out) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %size = gpu.block_dim x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c100 = arith.constant 100 : index
    %a = memref.alloc() : !a
    %b = memref.alloc() : !b
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %t to %c100 step %size {
        memref.store %v, %a[%j] : !a
      }
      gpu.barrier
      %x = affine.load %a[99 - %t] : !a
      gpu.barrier
      linalg.fill ins(%x : i32) outs(%b : !b)
      memref.copy %b, %out : !b to !out
    }
    gpu.return
  }

// The last element stays.
// CHECK-LABEL: interference of @short
// CHECK:       both live
  gpu.func @short(%v: i32, %n: index, %out: !out) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %size = gpu.block_dim x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c99 = arith.constant 99 : index
    %a = memref.alloc() : !a
    %b = memref.alloc() : !b
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %t to %c99 step %size {
        memref.store %v, %a[%j] : !a
      }
      gpu.barrier
      %x = affine.load %a[99 - %t] : !a
      gpu.barrier
      linalg.fill ins(%x : i32) outs(%b : !b)
      memref.copy %b, %out : !b to !out
    }
    gpu.return
  }

// How many threads there are is not known.
// CHECK-LABEL: interference of @any_block
// CHECK:       both live
  gpu.func @any_block(%v: i32, %n: index, %out: !out) kernel {
    %t = gpu.thread_id x
    %size = gpu.block_dim x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c100 = arith.constant 100 : index
    %a = memref.alloc() : !a
    %b = memref.alloc() : !b
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %t to %c100 step %size {
        memref.store %v, %a[%j] : !a
      }
      gpu.barrier
      %x = affine.load %a[99 - %t] : !a
      gpu.barrier
      linalg.fill ins(%x : i32) outs(%b : !b)
      memref.copy %b, %out : !b to !out
    }
    gpu.return
  }

// A loop of %n turns may have none.
// CHECK-LABEL: interference of @perhaps_no_turns
// CHECK:       both live
  gpu.func @perhaps_no_turns(%v: i32, %n: index, %out: !out) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %size = gpu.block_dim x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c100 = arith.constant 100 : index
    %a = memref.alloc() : !a
    %b = memref.alloc() : !b
    scf.for %i = %c0 to %n step %c1 {
      scf.for %k = %c0 to %n step %c1 {
        scf.for %j = %t to %c100 step %size {
          memref.store %v, %a[%j] : !a
        }
      }
      gpu.barrier
      %x = affine.load %a[99 - %t] : !a
      gpu.barrier
      linalg.fill ins(%x : i32) outs(%b : !b)
      memref.copy %b, %out : !b to !out
    }
    gpu.return
  }

// All threads agree on %yes, and yet it may be false.
// CHECK-LABEL: interference of @perhaps
// CHECK:       both live
  gpu.func @perhaps(%v: i32, %n: index, %yes: i1, %out: !out) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %size = gpu.block_dim x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c100 = arith.constant 100 : index
    %a = memref.alloc() : !a
    %b = memref.alloc() : !b
    scf.for %i = %c0 to %n step %c1 {
      scf.if %yes {
        scf.for %j = %t to %c100 step %size {
          memref.store %v, %a[%j] : !a
        }
      }
      gpu.barrier
      %x = affine.load %a[99 - %t] : !a
      gpu.barrier
      linalg.fill ins(%x : i32) outs(%b : !b)
      memref.copy %b, %out : !b to !out
    }
    gpu.return
  }

// Each thread does its part by what its number tells.
// CHECK-LABEL: interference of @guarded
// CHECK-NOT:   both live
  gpu.func @guarded(%v: i32, %n: index, %out: !out) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c36 = arith.constant 36 : index
    %a = memref.alloc() : !a
    %b = memref.alloc() : !b
    %first = arith.cmpi ult, %t, %c36 : index
    scf.for %i = %c0 to %n step %c1 {
      affine.store %v, %a[99 - %t] : !a
      scf.if %first {
        affine.store %v, %a[%t] : !a
      }
      gpu.barrier
      %x = affine.load %a[99 - %t] : !a
      gpu.barrier
      linalg.fill ins(%x : i32) outs(%b : !b)
      memref.copy %b, %out : !b to !out
    }
    gpu.return
  }

// Threads 0 to 34 are one too few.
// CHECK-LABEL: interference of @guarded_short
// CHECK:       both live
  gpu.func @guarded_short(%v: i32, %n: index, %out: !out) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c35 = arith.constant 35 : index
    %a = memref.alloc() : !a
    %b = memref.alloc() : !b
    %first = arith.cmpi ult, %t, %c35 : index
    scf.for %i = %c0 to %n step %c1 {
      affine.store %v, %a[99 - %t] : !a
      scf.if %first {
        affine.store %v, %a[%t] : !a
      }
      gpu.barrier
      %x = affine.load %a[99 - %t] : !a
      gpu.barrier
      linalg.fill ins(%x : i32) outs(%b : !b)
      memref.copy %b, %out : !b to !out
    }
    gpu.return
  }

// Both ways together overwrite %a, from where the threads part: %b is used behind
// that, though ahead of the first store on its way.
// CHECK-LABEL: interference of @inside
// CHECK:       both live
  gpu.func @inside(%v: i32, %n: index, %out: !out) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %a = memref.alloc() : !b
    %b = memref.alloc() : !b
    %first = arith.cmpi ult, %t, %c32 : index
    scf.for %i = %c0 to %n step %c1 {
      scf.if %first {
        linalg.fill ins(%v : i32) outs(%b : !b)
        memref.copy %b, %out : !b to !out
        memref.store %v, %a[%t] : !b
      } else {
        affine.store %v, %a[95 - %t] : !b
      }
      gpu.barrier
      %x = affine.load %a[63 - %t] : !b
      memref.store %x, %out[%t] : !out
      gpu.barrier
    }
    gpu.return
  }

// What another thread writes is read in the same phase.
// CHECK-LABEL: interference of @no_barrier_behind
// CHECK:       both live
  gpu.func @no_barrier_behind(%v: i32, %n: index, %out: !out) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %size = gpu.block_dim x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c100 = arith.constant 100 : index
    %a = memref.alloc() : !a
    %b = memref.alloc() : !b
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %t to %c100 step %size {
        memref.store %v, %a[%j] : !a
      }
      %x = affine.load %a[99 - %t] : !a
      gpu.barrier
      linalg.fill ins(%x : i32) outs(%b : !b)
      memref.copy %b, %out : !b to !out
    }
    gpu.return
  }

// Another thread may still read the old content when the cover has begun.
// CHECK-LABEL: interference of @no_barrier_ahead
// CHECK:       both live
  gpu.func @no_barrier_ahead(%v: i32, %n: index, %out: !out) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %size = gpu.block_dim x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c100 = arith.constant 100 : index
    %a = memref.alloc() : !a
    %b = memref.alloc() : !b
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %t to %c100 step %size {
        memref.store %v, %a[%j] : !a
      }
      gpu.barrier
      %x = affine.load %a[99 - %t] : !a
      linalg.fill ins(%x : i32) outs(%b : !b)
      memref.copy %b, %out : !b to !out
    }
    gpu.return
  }

// Each thread reads what it has written itself: no barrier is needed for that.
// CHECK-LABEL: interference of @own_elements
// CHECK-NOT:   both live
  gpu.func @own_elements(%v: i32, %n: index, %out: !out) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %size = gpu.block_dim x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c100 = arith.constant 100 : index
    %a = memref.alloc() : !a
    %b = memref.alloc() : !b
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %t to %c100 step %size {
        memref.store %v, %a[%j] : !a
      }
      %x = memref.load %a[%t] : !a
      linalg.fill ins(%x : i32) outs(%b : !b)
      memref.copy %b, %out : !b to !out
    }
    gpu.return
  }

// Which half is written follows from the turn: the other one stays.
// CHECK-LABEL: interference of @halves
// CHECK:       both live
  gpu.func @halves(%v: i32, %n: index, %out: !out) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %a = memref.alloc() : !b
    %b = memref.alloc() : !b
    scf.for %i = %c0 to %c2 step %c1 {
      %s = arith.muli %i, %c32 : index
      %j = arith.addi %s, %t : index
      memref.store %v, %a[%j] : !b
      gpu.barrier
      %x = affine.load %a[63 - %t] : !b
      gpu.barrier
      linalg.fill ins(%x : i32) outs(%b : !b)
      memref.copy %b, %out : !b to !out
    }
    gpu.return
  }

// Only some threads come to where the rest is overwritten.
// CHECK-LABEL: interference of @some_threads
// CHECK:       both live
  gpu.func @some_threads(%in: !out, %v: i32, %n: index, %out: !out) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %size = gpu.block_dim x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c100 = arith.constant 100 : index
    %a = memref.alloc() : !a
    %b = memref.alloc() : !b
    scf.for %i = %c0 to %n step %c1 {
      %d = memref.load %in[%t] : !out
      %is = arith.cmpi sgt, %d, %v : i32
      scf.if %is {
        scf.for %j = %t to %c100 step %size {
          memref.store %v, %a[%j] : !a
        }
      }
      gpu.barrier
      %x = affine.load %a[99 - %t] : !a
      gpu.barrier
      linalg.fill ins(%x : i32) outs(%b : !b)
      memref.copy %b, %out : !b to !out
    }
    gpu.return
  }

// Two dimensions of threads and of elements, and vectors.
// CHECK-LABEL: interference of @rows
// CHECK-NOT:   both live
  gpu.func @rows(%v: vector<2xi32>, %n: index, %out: !out) kernel
      attributes {known_block_size = array<i32: 2, 16, 1>} {
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %a = memref.alloc() : !two
    %b = memref.alloc() : !b
    scf.for %i = %c0 to %n step %c1 {
      %row = memref.subview %a[%ty, 0] [1, 4] [1, 1] : !two to memref<4xi32, strided<[1], offset: ?>, #w>
      %j = arith.muli %tx, %c2 : index
      vector.store %v, %row[%j] : memref<4xi32, strided<[1], offset: ?>, #w>, vector<2xi32>
      gpu.barrier
      %x = affine.load %a[15 - %ty, %tx] : !two
      gpu.barrier
      linalg.fill ins(%x : i32) outs(%b : !b)
      memref.copy %b, %out : !b to !out
    }
    gpu.return
  }

// A mask may leave something out.
// CHECK-LABEL: interference of @masked
// CHECK:       both live
  gpu.func @masked(%v: vector<2xi32>, %m: vector<2xi1>, %n: index, %out: !out) kernel
      attributes {known_block_size = array<i32: 2, 16, 1>} {
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %a = memref.alloc() : !two
    %b = memref.alloc() : !b
    scf.for %i = %c0 to %n step %c1 {
      %j = arith.muli %tx, %c2 : index
      vector.transfer_write %v, %a[%ty, %j], %m {in_bounds = [true]} : vector<2xi32>, !two
      gpu.barrier
      %x = affine.load %a[15 - %ty, %tx] : !two
      gpu.barrier
      linalg.fill ins(%x : i32) outs(%b : !b)
      memref.copy %b, %out : !b to !out
    }
    gpu.return
  }

// Asynchronous copies are there behind a wait and a barrier.
// CHECK-LABEL: interference of @copies
// CHECK-NOT:   both live
  gpu.func @copies(%in: memref<64xi32>, %n: index, %out: !out) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %j = arith.muli %t, %c4 : index
    %a = memref.alloc() : !b
    %b = memref.alloc() : !b
    scf.for %i = %c0 to %n step %c1 {
      %copy = nvgpu.device_async_copy %in[%j], %a[%j], 4 : memref<64xi32> to !b
      %group = nvgpu.device_async_create_group %copy
      nvgpu.device_async_wait %group
      gpu.barrier
      %x = affine.load %a[63 - %t] : !b
      gpu.barrier
      linalg.fill ins(%x : i32) outs(%b : !b)
      memref.copy %b, %out : !b to !out
    }
    gpu.return
  }

// The barrier comes first: other threads have not waited for what they copy.
// CHECK-LABEL: interference of @copies_seen_early
// CHECK:       both live
  gpu.func @copies_seen_early(%in: memref<64xi32>, %n: index, %out: !out) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %j = arith.muli %t, %c4 : index
    %a = memref.alloc() : !b
    %b = memref.alloc() : !b
    scf.for %i = %c0 to %n step %c1 {
      %copy = nvgpu.device_async_copy %in[%j], %a[%j], 4 : memref<64xi32> to !b
      %group = nvgpu.device_async_create_group %copy
      gpu.barrier
      nvgpu.device_async_wait %group
      %x = affine.load %a[63 - %t] : !b
      gpu.barrier
      linalg.fill ins(%x : i32) outs(%b : !b)
      memref.copy %b, %out : !b to !out
    }
    gpu.return
  }

// One group may still be under way, and it is this one.
// CHECK-LABEL: interference of @copies_pending
// CHECK:       both live
  gpu.func @copies_pending(%in: memref<64xi32>, %n: index, %out: !out) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %j = arith.muli %t, %c4 : index
    %a = memref.alloc() : !b
    %b = memref.alloc() : !b
    scf.for %i = %c0 to %n step %c1 {
      %copy = nvgpu.device_async_copy %in[%j], %a[%j], 4 : memref<64xi32> to !b
      %group = nvgpu.device_async_create_group %copy
      nvgpu.device_async_wait %group {numGroups = 1 : i32}
      gpu.barrier
      %x = affine.load %a[63 - %t] : !b
      gpu.barrier
      linalg.fill ins(%x : i32) outs(%b : !b)
      memref.copy %b, %out : !b to !out
    }
    gpu.return
  }
}
