// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a pass gets no memory, the compiler ends with one line: no signal, no
// half-written file. Requests are counted that berth-opt itself makes.
// REQUIRES: mlir
// UNSUPPORTED: sanitizer
// RUN: rm -rf %t && split-file %s %t
// RUN: %python %S/refuse.py %berth_bin/test/refuse/Refuse.so --most 12 %t/arena/out berth-opt %t/function.mlir --pass-pipeline='builtin.module(berth-arena{report=-},berth-verify)' -o %t/arena/out | FileCheck %s
// RUN: %python %S/refuse.py %berth_bin/test/refuse/Refuse.so --most 12 %t/kernel/out berth-opt %t/kernel.mlir --pass-pipeline='builtin.module(gpu.module(gpu.func(berth-arena)))' -o %t/kernel/out | FileCheck %s
// RUN: %python %S/refuse.py %berth_bin/test/refuse/Refuse.so --most 6 %t/merge/out berth-opt %t/function.mlir --berth-merge -o %t/merge/out | FileCheck %s
// RUN: %if heap %{ %python %S/refuse.py %berth_bin/test/refuse/Refuse.so --most 6 %t/heap/out berth-opt %t/function.mlir --berth-heap -o %t/heap/out | FileCheck %s %}
// Nor does a report stay half-written.
// RUN: %python %S/refuse.py %berth_bin/test/refuse/Refuse.so --most 10 %t/json/out.json berth-opt %t/function.mlir --pass-pipeline='builtin.module(berth-arena{report=%t/json/out.json})' -o /dev/null | FileCheck %s
// RUN: %python %S/refuse.py %berth_bin/test/refuse/Refuse.so --most 6 %t/svg/out.svg berth-opt %t/function.mlir --pass-pipeline='builtin.module(berth-arena{report=%t/svg/out.svg})' -o /dev/null | FileCheck %s
// Threads that run out side by side say so once.
// RUN: %if fold %{ %python %S/refuse.py %berth_bin/test/refuse/Refuse.so --most 6 %t/fold/out berth-opt %S/../exec/fold/stencil-1d.mlir --pass-pipeline='builtin.module(func.func(berth-fold))' -o %t/fold/out | FileCheck %s %}
// CHECK: requests, every {{.*}} refused

//--- function.mlir
func.func @f(%x: memref<64xf32>, %n: index, %c: i1) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  scf.if %c {
    %d = memref.alloc(%n) : memref<?xf32>
    %e = memref.alloc() : memref<64xf32>
    linalg.exp ins(%a : memref<64xf32>) outs(%e : memref<64xf32>)
    linalg.exp ins(%e : memref<64xf32>) outs(%b : memref<64xf32>)
    memref.dealloc %d : memref<?xf32>
  }
  linalg.exp ins(%b : memref<64xf32>) outs(%x : memref<64xf32>)
  return
}

//--- kernel.mlir
gpu.module @m {
  gpu.func @k(%x: memref<64xf32>) kernel {
    %t = gpu.thread_id x
    %a = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    %b = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    %v = memref.load %x[%t] : memref<64xf32>
    memref.store %v, %a[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %w = memref.load %a[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %w, %b[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %u = memref.load %b[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %u, %x[%t] : memref<64xf32>
    gpu.return
  }
}
