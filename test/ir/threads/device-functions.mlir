// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// A device function gets a new barrier only where every call is known and made
// by all threads; where some threads do not come, barriers that stand in it do
// not count either. Its next call begins where the last one ended.
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena{space=workgroup report=-})' %s 2>&1 >/dev/null | FileCheck %s --match-full-lines
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(berth-arena)' %s | FileCheck %s --check-prefix=CODE
// On one function alone no caller is known.
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(gpu.module(func.func(berth-arena{arena=annotate report=-})))' %s 2>&1 >/dev/null | FileCheck %s --check-prefix=ALONE

!shared = memref<64xf32, #gpu.address_space<workgroup>>

gpu.module @known_and_uniform {
  // One barrier between X and Y.
  // CHECK: {"scope": "known",{{.*}} "bytes_before": 512, "bytes_after": 256,{{.*}}"barriers": {"inserted": 1,{{.*}}
  // ALONE: {"scope": "known",{{.*}} "bytes_after": 512,{{.*}}"barriers": {"inserted": 0,
  func.func private @known(%v: f32) -> f32 {
    %tid = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    gpu.barrier
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    gpu.barrier
    return %b : f32
  }
  gpu.func @caller(%v: f32, %c: i1) kernel {
    %r = func.call @known(%v) : (f32) -> f32
    scf.if %c {
      %s = func.call @known(%v) : (f32) -> f32
    }
    gpu.return
  }
}

gpu.module @barrier_between_calls {
  // Without barriers at its ends, a call's last access meets the next call's
  // first one: two barriers.
  // CHECK: {"scope": "again",{{.*}} "bytes_before": 512, "bytes_after": 256,{{.*}}"barriers": {"inserted": 2,{{.*}}
  // CODE-LABEL: func.func private @again(
  // CODE: gpu.barrier
  // CODE-NEXT: memref.store
  // CODE: gpu.barrier
  // CODE-NEXT: memref.store
  func.func private @again(%v: f32) -> f32 {
    %tid = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    return %b : f32
  }
  gpu.func @caller_again(%v: f32, %c: i1) kernel {
    %r = func.call @again(%v) : (f32) -> f32
    %s = func.call @again(%v) : (f32) -> f32
    gpu.return
  }
}

gpu.module @one_is_divergent {
  // Neither a new barrier nor the ones that stand are reached by all.
  // CHECK: {"scope": "sometimes",{{.*}} "bytes_before": 0, "bytes_after": 0,{{.*}}"barriers": {"inserted": 0,{{.*}}
  func.func private @sometimes(%v: f32) -> f32 {
    %tid = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    gpu.barrier
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    gpu.barrier
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    gpu.barrier
    return %b : f32
  }
  gpu.func @k1(%v: f32, %c: i1) kernel {
    %r = func.call @sometimes(%v) : (f32) -> f32
    gpu.return
  }
  gpu.func @k2(%v: f32, %c: i1) kernel {
    %t = gpu.thread_id x
    %p = arith.cmpi eq, %t, %t : index
    scf.if %p {
      %r = func.call @sometimes(%v) : (f32) -> f32
    }
    gpu.return
  }
}

gpu.module @through_another {
  // All come to @inner through @outer, which all call.
  // CHECK: {"scope": "inner",{{.*}} "bytes_before": 512, "bytes_after": 256,{{.*}}"barriers": {"inserted": 1,{{.*}}
  func.func private @inner(%v: f32) -> f32 {
    %tid = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    gpu.barrier
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    gpu.barrier
    return %b : f32
  }
  func.func private @outer(%v: f32) -> f32 {
    %r = func.call @inner(%v) : (f32) -> f32
    return %r : f32
  }
  gpu.func @k3(%v: f32, %c: i1) kernel {
    %r = func.call @outer(%v) : (f32) -> f32
    gpu.return
  }
}

gpu.module @through_a_divergent_call {
  // CHECK: {"scope": "inner2",{{.*}} "bytes_before": 0, "bytes_after": 0,{{.*}}"barriers": {"inserted": 0,{{.*}}
  func.func private @inner2(%v: f32) -> f32 {
    %tid = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    gpu.barrier
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    gpu.barrier
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    gpu.barrier
    return %b : f32
  }
  func.func private @outer2(%v: f32) -> f32 {
    %r = func.call @inner2(%v) : (f32) -> f32
    return %r : f32
  }
  gpu.func @k4(%v: f32, %c: i1) kernel {
    %t = gpu.thread_id x
    %p = arith.cmpi eq, %t, %t : index
    scf.if %p {
      %r = func.call @outer2(%v) : (f32) -> f32
    }
    gpu.return
  }
}

gpu.module @public_function {
  // A gpu.module is a whole program: public or not, all calls are in it.
  // CHECK: {"scope": "in_module",{{.*}} "bytes_before": 512, "bytes_after": 256,{{.*}}"barriers": {"inserted": 1,{{.*}}
  func.func @in_module(%v: f32) -> f32 {
    %tid = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    gpu.barrier
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    gpu.barrier
    return %b : f32
  }
  gpu.func @k5(%v: f32) kernel {
    %r = func.call @in_module(%v) : (f32) -> f32
    gpu.return
  }
}

// Outside of one, others may call a public function: no new barrier, but those
// that stand count.
// CHECK: {"scope": "open",{{.*}} "bytes_before": 512, "bytes_after": 512,{{.*}}"barriers": {"inserted": 0,{{.*}}
func.func @open(%v: f32) -> f32 {
  %tid = gpu.thread_id x
  %x = memref.alloc() : !shared
  %y = memref.alloc() : !shared
  gpu.barrier
  memref.store %v, %x[%tid] : !shared
  %a = memref.load %x[%tid] : !shared
  memref.store %a, %y[%tid] : !shared
  %b = memref.load %y[%tid] : !shared
  gpu.barrier
  return %b : f32
}
// CHECK: {"scope": "open_barrier",{{.*}} "bytes_before": 512, "bytes_after": 256,{{.*}}"barriers": {"inserted": 0,{{.*}}
func.func @open_barrier(%v: f32) -> f32 {
  %tid = gpu.thread_id x
  %x = memref.alloc() : !shared
  %y = memref.alloc() : !shared
  gpu.barrier
  memref.store %v, %x[%tid] : !shared
  %a = memref.load %x[%tid] : !shared
  gpu.barrier
  memref.store %a, %y[%tid] : !shared
  %b = memref.load %y[%tid] : !shared
  gpu.barrier
  return %b : f32
}
func.func @calls_open(%v: f32) -> f32 {
  %r = func.call @open(%v) : (f32) -> f32
  %s = func.call @open_barrier(%r) : (f32) -> f32
  return %s : f32
}

gpu.module @never_called {
  // CHECK: {"scope": "unused",{{.*}} "bytes_before": 512, "bytes_after": 512,{{.*}}"barriers": {"inserted": 0,{{.*}}
  func.func private @unused(%v: f32) -> f32 {
    %tid = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    gpu.barrier
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    gpu.barrier
    return %b : f32
  }
}

gpu.module @name_is_used {
  // Something else than a call knows its name.
  // CHECK: {"scope": "pointed_at",{{.*}} "bytes_before": 512, "bytes_after": 512,{{.*}}"barriers": {"inserted": 0,{{.*}}
  func.func private @pointed_at(%v: f32) -> f32 {
    %tid = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    gpu.barrier
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    gpu.barrier
    return %b : f32
  }
  gpu.func @k6(%v: f32, %c: i1) kernel {
    %r = func.call @pointed_at(%v) : (f32) -> f32
    %f = func.constant @pointed_at : (f32) -> f32
    gpu.return
  }
}

gpu.module @recursive {
  // All its instances would use the same bytes.
  // CHECK: {"scope": "itself",{{.*}} "bytes_before": 0, "bytes_after": 0,{{.*}}"barriers": {"inserted": 0,{{.*}}
  func.func private @itself(%v: f32) -> f32 {
    %tid = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    gpu.barrier
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    %n = func.call @itself(%a) : (f32) -> f32
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    gpu.barrier
    return %b : f32
  }
  gpu.func @k7(%v: f32, %c: i1) kernel {
    %r = func.call @itself(%v) : (f32) -> f32
    gpu.return
  }
}
