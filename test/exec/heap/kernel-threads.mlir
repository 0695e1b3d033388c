// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel with a heap, run by one CPU thread per GPU thread under
// ThreadSanitizer: results, races, and exhaustion in the middle. The GPU ops
// become calls of Inputs/workgroup.c, workgroup memory becomes global memory.
// UNSUPPORTED: sanitizer

// RUN: %berth-opt %s --berth-heap=size=4096 -o %t.heap.mlir
// RUN: sed -f %berth_src/examples/heap/cpu.sed %t.heap.mlir > %t.cpu.mlir
// RUN: mlir-opt %t.cpu.mlir --llvm-request-c-wrappers --test-lower-to-llvm | mlir-translate --mlir-to-llvmir | sed -e 's/^\(define .*\) {$/\1 sanitize_thread {/' > %t.ll
// RUN: clang -Wno-override-module -O1 -g -fsanitize=thread %t.ll %S/Inputs/workgroup.c -o %t.exe
// RUN: %t.exe 40 10 | FileCheck %s --check-prefix=FITS
// RUN: %t.exe 40 464 | FileCheck %s --check-prefix=EXHAUSTED

// And without the barrier in front of the free, the race is found.
// RUN: sed -e '/func.func private @berth_heap_give/,/return/s/func.call @workgroup_barrier() : () -> ()//' %t.cpu.mlir > %t.broken.mlir
// RUN: mlir-opt %t.broken.mlir --llvm-request-c-wrappers --test-lower-to-llvm | mlir-translate --mlir-to-llvmir | sed -e 's/^\(define .*\) {$/\1 sanitize_thread {/' > %t.broken.ll
// RUN: clang -Wno-override-module -O1 -g -fsanitize=thread %t.broken.ll %S/Inputs/workgroup.c -o %t.broken.exe
// RUN: not %t.broken.exe 40 10 2>&1 | FileCheck %s --check-prefix=RACE

// FITS: status 0, 40 reversed, 0 untouched, 0 wrong
// Of 1024 words the header and the lists take 46, each tag one: two rows of up to
// 488 elements fit. The first one is not the last block when it is freed, so that
// freeing it writes links into it, which is what the barrier keeps from those
// who still read it.
// EXHAUSTED: status 1, 25 reversed, 15 untouched, 0 wrong
// RACE: data race

gpu.module @kernels {
  gpu.func @reverse_rows(%in: memref<?xf32>, %out: memref<?xf32>, %rows: index, %base: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %pitch = arith.constant 4096 : index
    %t = gpu.thread_id x
    %threads = gpu.block_dim x
    scf.for %r = %c0 to %rows step %c1 {
      %length = arith.addi %base, %r : index
      %start = arith.muli %r, %pitch : index
      %last = arith.subi %length, %c1 : index
      %row = memref.alloc(%length) : memref<?xf32, #gpu.address_space<workgroup>>
      %twin = memref.alloc(%length) : memref<?xf32, #gpu.address_space<workgroup>>
      scf.for %i = %t to %length step %threads {
        %at = arith.addi %start, %i : index
        %v = memref.load %in[%at] : memref<?xf32>
        memref.store %v, %row[%i] : memref<?xf32, #gpu.address_space<workgroup>>
        memref.store %v, %twin[%i] : memref<?xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      scf.for %i = %t to %length step %threads {
        %at = arith.addi %start, %i : index
        %mirrored = arith.subi %last, %i : index
        %v = memref.load %row[%mirrored] : memref<?xf32, #gpu.address_space<workgroup>>
        memref.store %v, %out[%at] : memref<?xf32>
      }
      scf.for %i = %t to %length step %threads {
        %at = arith.addi %start, %i : index
        %mirrored = arith.subi %last, %i : index
        %v = memref.load %twin[%mirrored] : memref<?xf32, #gpu.address_space<workgroup>>
        memref.store %v, %out[%at] : memref<?xf32>
      }
    }
    gpu.return
  }
}
