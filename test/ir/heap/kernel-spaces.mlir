// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In kernels the heap lives in workgroup memory, by whichever name: several
// workgroups could not share one in global memory without ordered atomics.
// RUN: %berth-opt %s --berth-heap=space=default --remarks-filter='berth.*' -o %t 2>&1 | FileCheck %s --check-prefix=GLOBAL
// RUN: FileCheck %s --check-prefix=NONE < %t
// RUN: %berth-opt %s --berth-heap='space="3 : i64" arena=argument' | FileCheck %s --check-prefix=THREE

// NONE-NOT: berth_heap
// THREE-LABEL: gpu.func @spaces
// THREE: memref.get_global @berth_heap_arena : memref<16384xi8, 3>
// THREE: memref.view %{{.*}} : memref<16384xi8, 3> to memref<?xf32, 3>
gpu.module @kernels {
  gpu.func @spaces(%arena: memref<?xi8> {berth.arena}, %n: index) kernel {
    // GLOBAL: :[[#@LINE+1]]:{{.*}}Missed{{.*}}"in kernels the heap lives in workgroup memory only"
    %a = memref.alloc(%n) : memref<?xf32>
    memref.dealloc %a : memref<?xf32>
    %b = memref.alloc(%n) : memref<?xf32, 3>
    memref.dealloc %b : memref<?xf32, 3>
    gpu.return
  }
}
