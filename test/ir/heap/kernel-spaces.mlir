// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In kernels the heap lives in workgroup memory, by whichever name: several
// workgroups could not share one in global memory without ordered atomics.
// RUN: %berth-opt %s --berth-heap=space=default --remarks-filter='berth.*' -o %t 2>&1 | FileCheck %s --check-prefix=GLOBAL
// RUN: FileCheck %s --check-prefix=NONE < %t
// RUN: %berth-opt %s --berth-heap='space="3 : i64" arena=argument' | FileCheck %s --check-prefix=THREE
// RUN: %berth-opt %s --berth-heap='space="3 : i64"' --remarks-filter='berth.*' -o /dev/null 2>&1 | FileCheck %s --check-prefix=GIVEN

// NONE-NOT: berth_heap
// THREE-LABEL: gpu.func @spaces
// THREE: memref.get_global @berth_heap_arena : memref<16384xi8, 3>
// THREE: memref.view %{{.*}} : memref<16384xi8, 3> to memref<?xf32, 3>
gpu.module @kernels {
  gpu.func @spaces(%arena: memref<?xi8> {berth.arena}, %n: index) kernel {
    // GLOBAL: :[[#@LINE+1]]:{{.*}}Missed{{.*}}"in kernels the heap lives in workgroup memory (see arena=global-device)"
    %a = memref.alloc(%n) : memref<?xf32>
    memref.dealloc %a : memref<?xf32>
    %b = memref.alloc(%n) : memref<?xf32, 3>
    memref.dealloc %b : memref<?xf32, 3>
    gpu.return
  }
}

// A function that threads run is a kernel here, too: one heap for all of them.
// THREE-LABEL: func.func @threads
// THREE: memref.get_global @berth_heap_arena{{.*}} : memref<16384xi8, 3>
func.func @threads(%n: index) {
  gpu.barrier
  %a = memref.alloc() : memref<64xf32, 3>
  %number = gpu.thread_id x
  %b = memref.alloc(%n) : memref<?xf32, 3>
  memref.dealloc %b : memref<?xf32, 3>
  return
}

// Each thread may be given another size.
// GIVEN: :[[#@LINE+2]]:{{.*}}Missed{{.*}}"its size may differ between the threads of the workgroup"
func.func @given(%n: index) {
  %b = memref.alloc(%n) : memref<?xf32, 3>
  memref.dealloc %b : memref<?xf32, 3>
  return
}
