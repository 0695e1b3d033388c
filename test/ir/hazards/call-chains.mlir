// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each caller is looked at once, however many ways lead from it to a function.
// With two calls a level there are 2^30 here, and without end where a function
// calls itself twice.
// RUN: %python %S/Inputs/call-chain.py 30 > %t.chain.mlir
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena)' %t.chain.mlir | FileCheck %s --check-prefix=CHAIN
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{barriers=existing arena=annotate report=-})' %s 2>&1 >/dev/null | FileCheck %s

// CHAIN: func.func private @f29(%{{.*}}: memref<{{.*}}xi8, #gpu.address_space<workgroup>>

!shared = memref<64xf32, #gpu.address_space<workgroup>>

// Whether all threads come back here, nobody knows: the barriers do not count.
// CHECK: {"scope": "twice",{{.*}} "bytes_before": 512, "bytes_after": 512,
// CHECK: {"scope": "once",{{.*}} "bytes_before": 512, "bytes_after": 256,
gpu.module @recursive {
  func.func private @twice(%v: f32, %n: index) -> f32 {
    %tid = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%tid] : !shared
    gpu.barrier
    %a = memref.load %x[%n] : !shared
    gpu.barrier
    memref.store %a, %y[%tid] : !shared
    gpu.barrier
    %b = memref.load %y[%n] : !shared
    func.call @twice(%a, %n) : (f32, index) -> f32
    func.call @twice(%b, %n) : (f32, index) -> f32
    return %b : f32
  }
  func.func private @once(%v: f32, %n: index) -> f32 {
    %tid = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%tid] : !shared
    gpu.barrier
    %a = memref.load %x[%n] : !shared
    gpu.barrier
    memref.store %a, %y[%tid] : !shared
    gpu.barrier
    %b = memref.load %y[%n] : !shared
    return %b : f32
  }
  gpu.func @kernel(%v: f32, %n: index) kernel {
    func.call @twice(%v, %n) : (f32, index) -> f32
    func.call @once(%v, %n) : (f32, index) -> f32
    gpu.return
  }
}
