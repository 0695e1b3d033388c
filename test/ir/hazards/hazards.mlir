// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// Paths from one buffer's access to the other's. Each buffer has 256 bytes: 256
// in all means that they share, 512 that they are kept apart.
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(gpu.module(gpu.func(berth-arena{barriers=existing})))' %s | FileCheck %s
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(gpu.module(gpu.func(berth-arena{barriers=existing verify=false test-break-rule=no-hazards})))' %s | FileCheck %s --check-prefix=BROKEN
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(gpu.module(gpu.func(berth-arena{barriers=existing verify=false test-break-rule=no-divergence})))' %s | FileCheck %s --check-prefix=ALTERNATIVES
// RUN: %mlir-opt-berth --pass-pipeline='builtin.module(gpu.module(gpu.func(berth-arena{barriers=existing verify=false test-break-rule=any-barrier})))' %s | FileCheck %s --check-prefix=ANYWHERE

!shared = memref<64xf32, #gpu.address_space<workgroup>>

gpu.module @kernels {
  // X then Y: some thread still reads X where another writes Y.
  // CHECK-LABEL: gpu.func @no_barrier(
  // CHECK-SAME: memref<512xi8,
  // BROKEN-LABEL: gpu.func @no_barrier(
  // BROKEN-SAME: memref<256xi8,
  gpu.func @no_barrier(%out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // Both only read what was never written: nobody can tell.
  // CHECK-LABEL: gpu.func @only_reads(
  // CHECK-SAME: memref<256xi8,
  gpu.func @only_reads(%out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %a = memref.load %x[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    %s = arith.addf %a, %b : f32
    memref.store %s, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // The barrier stands on one path of two.
  // CHECK-LABEL: gpu.func @barrier_on_one_path(
  // CHECK-SAME: memref<512xi8,
  gpu.func @barrier_on_one_path(%out: memref<64xf32>, %v: f32, %c: i1) kernel {
    %tid = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    scf.if %c {
      gpu.barrier
    }
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // On both paths, in uniform control.
  // CHECK-LABEL: gpu.func @barrier_on_both_paths(
  // CHECK-SAME: memref<256xi8,
  gpu.func @barrier_on_both_paths(%out: memref<64xf32>, %v: f32, %c: i1) kernel {
    %tid = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    scf.if %c {
      gpu.barrier
    } else {
      gpu.barrier
    }
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // Under divergent control the input is wrong already; nothing is built on it.
  // CHECK-LABEL: gpu.func @barriers_under_divergent_control(
  // CHECK-SAME: memref<512xi8,
  // ANYWHERE-LABEL: gpu.func @barriers_under_divergent_control(
  // ANYWHERE-SAME: memref<256xi8,
  gpu.func @barriers_under_divergent_control(%out: memref<64xf32>, %v: f32, %n: index) kernel {
    %tid = gpu.thread_id x
    %c = arith.cmpi ult, %tid, %n : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    scf.if %c {
      gpu.barrier
    } else {
      gpu.barrier
    }
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // A barrier in a called function is not looked for.
  // CHECK-LABEL: gpu.func @barrier_in_callee(
  // CHECK-SAME: memref<512xi8,
  func.func private @sync() {
    gpu.barrier
    return
  }
  gpu.func @barrier_in_callee(%out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    func.call @sync() : () -> ()
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // Warp specialisation: half of the threads use X, the others Y.
  // CHECK-LABEL: gpu.func @halves(
  // CHECK-SAME: memref<512xi8,
  // ALTERNATIVES-LABEL: gpu.func @halves(
  // ALTERNATIVES-SAME: memref<256xi8,
  gpu.func @halves(%out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %c32 = arith.constant 32 : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %c = arith.cmpi ult, %tid, %c32 : index
    scf.if %c {
      memref.store %v, %x[%tid] : !shared
      %a = memref.load %x[%tid] : !shared
      memref.store %a, %out[%tid] : memref<64xf32>
    } else {
      memref.store %v, %y[%tid] : !shared
      %a = memref.load %y[%tid] : !shared
      memref.store %a, %out[%tid] : memref<64xf32>
    }
    gpu.return
  }

  // The same with the allocations inside: they are no new instances of each
  // other, and still kept apart.
  // CHECK-LABEL: gpu.func @halves_allocate(
  // CHECK-SAME: memref<512xi8,
  // CHECK-COUNT-2: memref.view
  gpu.func @halves_allocate(%out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %c32 = arith.constant 32 : index
    %c = arith.cmpi ult, %tid, %c32 : index
    scf.if %c {
      %x = memref.alloc() : !shared
      memref.store %v, %x[%tid] : !shared
      %a = memref.load %x[%tid] : !shared
      memref.store %a, %out[%tid] : memref<64xf32>
    } else {
      %y = memref.alloc() : !shared
      memref.store %v, %y[%tid] : !shared
      %a = memref.load %y[%tid] : !shared
      memref.store %a, %out[%tid] : memref<64xf32>
    }
    gpu.return
  }

  // Three warps, three roles, nested.
  // CHECK-LABEL: gpu.func @three_roles(
  // CHECK-SAME: memref<768xi8,
  gpu.func @three_roles(%out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %z = memref.alloc() : !shared
    %c = arith.cmpi ult, %tid, %c32 : index
    scf.if %c {
      memref.store %v, %x[%tid] : !shared
      %a = memref.load %x[%tid] : !shared
      memref.store %a, %out[%tid] : memref<64xf32>
    } else {
      %d = arith.cmpi ult, %tid, %c64 : index
      scf.if %d {
        memref.store %v, %y[%tid] : !shared
        %a = memref.load %y[%tid] : !shared
        memref.store %a, %out[%tid] : memref<64xf32>
      } else {
        memref.store %v, %z[%tid] : !shared
        %a = memref.load %z[%tid] : !shared
        memref.store %a, %out[%tid] : memref<64xf32>
      }
    }
    gpu.return
  }

  // A switch on the warp's number: its cases run beside each other.
  // CHECK-LABEL: gpu.func @switch_on_warp(
  // CHECK-SAME: memref<512xi8,
  gpu.func @switch_on_warp(%out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %warp = gpu.subgroup_id : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    scf.index_switch %warp
    case 0 {
      memref.store %v, %x[%tid] : !shared
      %a = memref.load %x[%tid] : !shared
      memref.store %a, %out[%tid] : memref<64xf32>
      scf.yield
    }
    default {
      memref.store %v, %y[%tid] : !shared
      %a = memref.load %y[%tid] : !shared
      memref.store %a, %out[%tid] : memref<64xf32>
    }
    gpu.return
  }

  // The same between blocks.
  // CHECK-LABEL: gpu.func @halves_in_blocks(
  // CHECK-SAME: memref<512xi8,
  // ALTERNATIVES-LABEL: gpu.func @halves_in_blocks(
  // ALTERNATIVES-SAME: memref<256xi8,
  gpu.func @halves_in_blocks(%out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %c32 = arith.constant 32 : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %c = arith.cmpi ult, %tid, %c32 : index
    cf.cond_br %c, ^one, ^two
  ^one:
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    cf.br ^end(%a : f32)
  ^two:
    memref.store %v, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    cf.br ^end(%b : f32)
  ^end(%r: f32):
    memref.store %r, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // After the halves have met at a barrier, Z takes the bytes of X or Y.
  // CHECK-LABEL: gpu.func @halves_then_all(
  // CHECK-SAME: memref<512xi8,
  gpu.func @halves_then_all(%out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %c32 = arith.constant 32 : index
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %z = memref.alloc() : !shared
    %c = arith.cmpi ult, %tid, %c32 : index
    scf.if %c {
      memref.store %v, %x[%tid] : !shared
      %a = memref.load %x[%tid] : !shared
      memref.store %a, %out[%tid] : memref<64xf32>
    } else {
      memref.store %v, %y[%tid] : !shared
      %a = memref.load %y[%tid] : !shared
      memref.store %a, %out[%tid] : memref<64xf32>
    }
    gpu.barrier
    memref.store %v, %z[%tid] : !shared
    %b = memref.load %z[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // One lane of a warp runs the region, whatever its operand is.
  // CHECK-LABEL: gpu.func @barrier_on_lane_0(
  // CHECK-SAME: memref<512xi8,
  gpu.func @barrier_on_lane_0(%out: memref<64xf32>, %v: f32, %lane: index) kernel {
    %tid = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    gpu.warp_execute_on_lane_0(%lane)[32] {
      gpu.barrier
    }
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // Private memory has one thread: its order is enough.
  // CHECK-LABEL: gpu.func @shared_and_private(
  // CHECK-SAME: memref<256xi8,
  // CHECK-COUNT-2: memref.alloca
  gpu.func @shared_and_private(%out: memref<64xf32>, %v: f32) kernel {
    %tid = gpu.thread_id x
    %x = memref.alloc() : !shared
    %p = memref.alloca() : memref<64xf32, #gpu.address_space<private>>
    %q = memref.alloca() : memref<64xf32, #gpu.address_space<private>>
    memref.store %v, %p[%tid] : memref<64xf32, #gpu.address_space<private>>
    memref.store %v, %x[%tid] : !shared
    memref.store %v, %q[%tid] : memref<64xf32, #gpu.address_space<private>>
    gpu.return
  }
}
