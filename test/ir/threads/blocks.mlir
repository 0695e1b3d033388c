// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches between blocks: threads that part meet again where all ways come
// together. 256 bytes each.
// RUN: %mlir-opt-berth --allow-unregistered-dialect --pass-pipeline='builtin.module(gpu.module(gpu.func(berth-arena{barriers=existing})))' %s | FileCheck %s
// RUN: %mlir-opt-berth --allow-unregistered-dialect --pass-pipeline='builtin.module(gpu.module(gpu.func(berth-arena)))' %s | FileCheck %s --check-prefix=INSERT

!shared = memref<64xf32, #gpu.address_space<workgroup>>

gpu.module @kernels {
  // Behind the meeting a barrier counts, and one may be added there: X, Y of the
  // two ways are apart, Z shares with them.
  // CHECK-LABEL: gpu.func @diamond(
  // CHECK-SAME: memref<512xi8,
  gpu.func @diamond(%out: memref<64xf32>, %v: f32, %n: index) kernel {
    %tid = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %z = memref.alloc() : !shared
    %c = arith.cmpi ult, %tid, %n : index
    cf.cond_br %c, ^one, ^two
  ^one:
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    cf.br ^together(%a : f32)
  ^two:
    memref.store %v, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    cf.br ^together(%b : f32)
  ^together(%r: f32):
    gpu.barrier
    memref.store %r, %z[%tid] : !shared
    %d = memref.load %z[%tid] : !shared
    memref.store %d, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // The same without a barrier: it is added where all have met.
  // CHECK-LABEL: gpu.func @diamond_without_barrier(
  // CHECK-SAME: memref<768xi8,
  // INSERT-LABEL: gpu.func @diamond_without_barrier(
  // INSERT-SAME: memref<512xi8,
  // INSERT: ^bb3
  // INSERT: gpu.barrier
  // INSERT: gpu.return
  gpu.func @diamond_without_barrier(%out: memref<64xf32>, %v: f32, %n: index) kernel {
    %tid = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %z = memref.alloc() : !shared
    %c = arith.cmpi ult, %tid, %n : index
    cf.cond_br %c, ^one, ^two
  ^one:
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    cf.br ^together(%a : f32)
  ^two:
    memref.store %v, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    cf.br ^together(%b : f32)
  ^together(%r: f32):
    memref.store %r, %z[%tid] : !shared
    %d = memref.load %z[%tid] : !shared
    memref.store %d, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // Some threads return early: behind, not all are left.
  // CHECK-LABEL: gpu.func @early_return(
  // CHECK-SAME: memref<512xi8,
  // INSERT-LABEL: gpu.func @early_return(
  // INSERT-SAME: memref<512xi8,
  gpu.func @early_return(%out: memref<64xf32>, %v: f32, %n: index) kernel {
    %tid = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %c = arith.cmpi ult, %tid, %n : index
    cf.cond_br %c, ^work, ^leave
  ^work:
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    gpu.barrier
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    cf.br ^leave
  ^leave:
    gpu.return
  }

  // A barrier behind a divergent loop is met by all threads, one inside is not.
  // CHECK-LABEL: gpu.func @divergent_loop(
  // CHECK-SAME: memref<512xi8,
  gpu.func @divergent_loop(%out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %z = memref.alloc() : !shared
    cf.br ^loop
  ^loop:
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    gpu.barrier
    memref.store %v, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    %c = arith.cmpf olt, %a, %b : f32
    cf.cond_br %c, ^loop, ^behind
  ^behind:
    gpu.barrier
    memref.store %v, %z[%tid] : !shared
    %d = memref.load %z[%tid] : !shared
    memref.store %d, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // A uniform branch: its ways are alternatives, and its barriers count.
  // CHECK-LABEL: gpu.func @uniform(
  // CHECK-SAME: memref<256xi8,
  gpu.func @uniform(%out: memref<64xf32>, %v: f32, %c: i1, %n: index) kernel {
    %tid = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %z = memref.alloc() : !shared
    // What is handed on need not be uniform.
    cf.cond_br %c, ^one(%tid : index), ^two
  ^one(%t: index):
    memref.store %v, %x[%t] : !shared
    %a = memref.load %x[%t] : !shared
    gpu.barrier
    memref.store %a, %z[%tid] : !shared
    %d = memref.load %z[%tid] : !shared
    memref.store %d, %out[%tid] : memref<64xf32>
    cf.br ^end
  ^two:
    memref.store %v, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    cf.br ^end
  ^end:
    gpu.return
  }

  // Of a branch that nobody knows nobody knows whether all take it alike.
  // CHECK-LABEL: gpu.func @unknown(
  // CHECK-SAME: memref<512xi8,
  gpu.func @unknown(%out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    "test.branch"()[^one, ^two] : () -> ()
  ^one:
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    memref.store %a, %out[%tid] : memref<64xf32>
    cf.br ^end
  ^two:
    memref.store %v, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    cf.br ^end
  ^end:
    gpu.return
  }

  // One way never ends: the others cannot count on meeting it.
  // CHECK-LABEL: gpu.func @endless(
  // CHECK-SAME: memref<512xi8,
  gpu.func @endless(%out: memref<64xf32>, %v: f32, %n: index) kernel {
    %tid = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %c = arith.cmpi ult, %tid, %n : index
    cf.cond_br %c, ^ever, ^work
  ^ever:
    memref.store %v, %x[%tid] : !shared
    cf.br ^ever
  ^work:
    gpu.barrier
    memref.store %v, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }
}
