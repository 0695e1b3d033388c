// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Paths round loops: back edges, exits, entries again. 256 bytes each.
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(gpu.module(gpu.func(berth-arena{barriers=existing})))' %s | FileCheck %s
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(gpu.module(gpu.func(berth-arena)))' %s | FileCheck %s --check-prefix=INSERT

!shared = memref<64xf32, #gpu.address_space<workgroup>>

gpu.module @kernels {
  // Within a turn a barrier separates X and Y; from Y to the next turn's X the
  // back edge has none.
  // CHECK-LABEL: gpu.func @back_edge(
  // CHECK-SAME: memref<512xi8,
  // INSERT-LABEL: gpu.func @back_edge(
  // INSERT-SAME: memref<256xi8,
  // INSERT: scf.for
  // INSERT: gpu.barrier
  // INSERT: gpu.barrier
  // INSERT-NOT: gpu.barrier
  // INSERT: gpu.return
  gpu.func @back_edge(%out: memref<64xf32>, %v: f32, %n: index) kernel {
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %x = memref.alloc() : !shared
      %y = memref.alloc() : !shared
      memref.store %v, %x[%tid] : !shared
      %a = memref.load %x[%tid] : !shared
      gpu.barrier
      memref.store %a, %y[%tid] : !shared
      %b = memref.load %y[%tid] : !shared
      memref.store %b, %out[%tid] : memref<64xf32>
    }
    gpu.return
  }

  // With a barrier at the turn's end too, they share.
  // CHECK-LABEL: gpu.func @both_edges(
  // CHECK-SAME: memref<256xi8,
  gpu.func @both_edges(%out: memref<64xf32>, %v: f32, %n: index) kernel {
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %x = memref.alloc() : !shared
      %y = memref.alloc() : !shared
      memref.store %v, %x[%tid] : !shared
      %a = memref.load %x[%tid] : !shared
      gpu.barrier
      memref.store %a, %y[%tid] : !shared
      %b = memref.load %y[%tid] : !shared
      memref.store %b, %out[%tid] : memref<64xf32>
      gpu.barrier
    }
    gpu.return
  }

  // Without any barrier, slow threads may still read the last instance.
  // CHECK-LABEL: gpu.func @instances(
  // CHECK-NOT: memref.view
  // INSERT-LABEL: gpu.func @instances(
  // INSERT-SAME: memref<256xi8,
  // INSERT: gpu.barrier
  // INSERT-NOT: gpu.barrier
  // INSERT: gpu.return
  gpu.func @instances(%out: memref<64xf32>, %v: f32, %n: index) kernel {
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %x = memref.alloc() : !shared
      memref.store %v, %x[%tid] : !shared
      %a = memref.load %x[%tid] : !shared
      memref.store %a, %out[%tid] : memref<64xf32>
    }
    gpu.return
  }

  // Where the barrier stands in the turn does not matter: behind the allocation
  // and before the first access it separates the instances as well.
  // CHECK-LABEL: gpu.func @barrier_at_the_begin(
  // CHECK-SAME: memref<256xi8,
  gpu.func @barrier_at_the_begin(%out: memref<64xf32>, %v: f32, %n: index) kernel {
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %x = memref.alloc() : !shared
      gpu.barrier
      memref.store %v, %x[%tid] : !shared
      %a = memref.load %x[%tid] : !shared
      memref.store %a, %out[%tid] : memref<64xf32>
    }
    gpu.return
  }

  // A loop may run no time: its barrier is not on every path.
  // CHECK-LABEL: gpu.func @barrier_in_a_loop(
  // CHECK-SAME: memref<512xi8,
  gpu.func @barrier_in_a_loop(%out: memref<64xf32>, %v: f32, %n: index) kernel {
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    scf.for %i = %c0 to %n step %c1 {
      gpu.barrier
    }
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // X in the loop behind its barrier, Y behind the loop: the last turn's X
  // meets Y at the exit.
  // CHECK-LABEL: gpu.func @exit(
  // CHECK-SAME: memref<512xi8,
  // INSERT-LABEL: gpu.func @exit(
  // INSERT-SAME: memref<256xi8,
  // INSERT: scf.for
  // INSERT: gpu.barrier
  // INSERT-NOT: gpu.barrier
  // INSERT: }
  // INSERT: gpu.barrier
  // INSERT-NEXT: memref.store
  gpu.func @exit(%out: memref<64xf32>, %v: f32, %n: index) kernel {
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %x = memref.alloc() : !shared
      gpu.barrier
      memref.store %v, %x[%tid] : !shared
      %a = memref.load %x[%tid] : !shared
      memref.store %a, %out[%tid] : memref<64xf32>
    }
    %y = memref.alloc() : !shared
    memref.store %v, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // Two phases in an outer loop: from the second phase the outer back edge
  // enters the first again.
  // CHECK-LABEL: gpu.func @reentry(
  // CHECK-SAME: memref<512xi8,
  // INSERT-LABEL: gpu.func @reentry(
  // INSERT-SAME: memref<256xi8,
  // INSERT-COUNT-2: gpu.barrier
  // INSERT-NOT: gpu.barrier
  // INSERT: gpu.return
  gpu.func @reentry(%out: memref<64xf32>, %v: f32, %n: index) kernel {
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %k = %c0 to %n step %c1 {
      %x = memref.alloc() : !shared
      scf.for %i = %c0 to %n step %c1 {
        memref.store %v, %x[%i] : !shared
      }
      %a = memref.load %x[%tid] : !shared
      gpu.barrier
      %y = memref.alloc() : !shared
      scf.for %i = %c0 to %n step %c1 {
        memref.store %a, %y[%i] : !shared
      }
      %b = memref.load %y[%tid] : !shared
      memref.store %b, %out[%tid] : memref<64xf32>
    }
    gpu.return
  }

  // A loop in which threads leave at different times: no barrier in it counts,
  // none is added there, so what is allocated in it stays.
  // CHECK-LABEL: gpu.func @divergent_loop(
  // CHECK-NOT: memref.view
  // INSERT-LABEL: gpu.func @divergent_loop(
  // INSERT-NOT: memref.view
  gpu.func @divergent_loop(%out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %tid step %c1 {
      %x = memref.alloc() : !shared
      gpu.barrier
      memref.store %v, %x[%tid] : !shared
      %a = memref.load %x[%tid] : !shared
      memref.store %a, %out[%tid] : memref<64xf32>
      gpu.barrier
    }
    gpu.return
  }

  // scf.while: what it loads decides, so its turns are divergent. X is used in
  // the condition's region, Y in the body, X and Y together behind.
  // CHECK-LABEL: gpu.func @divergent_while(
  // CHECK-SAME: memref<512xi8,
  // INSERT-LABEL: gpu.func @divergent_while(
  // INSERT-SAME: memref<512xi8,
  // INSERT-NOT: gpu.barrier
  // INSERT: gpu.return
  gpu.func @divergent_while(%out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    scf.while : () -> () {
      memref.store %v, %x[%tid] : !shared
      %a = memref.load %x[%tid] : !shared
      %c = arith.cmpf olt, %a, %v : f32
      scf.condition(%c)
    } do {
      memref.store %v, %y[%tid] : !shared
      %b = memref.load %y[%tid] : !shared
      memref.store %b, %out[%tid] : memref<64xf32>
      scf.yield
    }
    gpu.return
  }

  // Of two cuts, the one outside the loop is cheaper.
  // INSERT-LABEL: gpu.func @cheap_cut(
  // INSERT-SAME: memref<256xi8,
  // INSERT: scf.for
  // INSERT-NOT: gpu.barrier
  // INSERT: }
  // INSERT: gpu.barrier
  // INSERT-NOT: gpu.barrier
  // INSERT: gpu.return
  gpu.func @cheap_cut(%out: memref<64xf32>, %v: f32, %n: index) kernel {
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %x = memref.alloc() : !shared
    scf.for %i = %c0 to %n step %c1 {
      memref.store %v, %x[%i] : !shared
    }
    %y = memref.alloc() : !shared
    scf.for %i = %c0 to %n step %c1 {
      memref.store %v, %y[%i] : !shared
    }
    gpu.return
  }
}
