// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// A new barrier never stands between one thread's wait and the signal that
// another gives behind it: it would never open. It goes in front of the wait, or
// X and Y (256 bytes each) are kept apart.
// RUN: %mlir-opt-berth --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena)' %s | FileCheck %s
// RUN: %mlir-opt-berth --allow-unregistered-dialect --pass-pipeline='builtin.module(berth-arena{test-break-rule=no-waits})' %s | FileCheck %s --check-prefix=BROKEN

!shared = memref<64xf32, #gpu.address_space<workgroup>>
!flag = memref<1xi32>
!mbarrier = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>

gpu.module @waits {
  // Warp 0 waits at barrier 1 for warp 1, which comes there behind the store.
  // CHECK-LABEL: gpu.func @named(
  // CHECK-SAME: memref<256xi8,
  // CHECK: gpu.barrier
  // CHECK-NEXT: scf.if
  // CHECK-NOT: gpu.barrier
  // CHECK: gpu.return
  // BROKEN-LABEL: gpu.func @named(
  // BROKEN: scf.if
  // BROKEN: gpu.barrier
  // BROKEN: scf.if
  gpu.func @named(%out: memref<64xf32>, %v: f32, %flag: !flag, %m: !mbarrier) kernel {
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %ticks = arith.constant 1000 : index
    %false = arith.constant false
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %all = arith.constant 64 : i32
    %w0 = arith.cmpi ult, %tid, %c32 : index
    %w1 = arith.cmpi uge, %tid, %c32 : index
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    scf.if %w0 {
      nvvm.barrier id = %one number_of_threads = %all
    }
    memref.store %a, %y[%tid] : !shared
    scf.if %w1 {
      nvvm.barrier id = %one number_of_threads = %all
    }
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // Warp 0 waits for a flag.
  // CHECK-LABEL: gpu.func @spin(
  // CHECK-SAME: memref<256xi8,
  // CHECK: gpu.barrier
  // CHECK-NEXT: scf.if
  // CHECK-NOT: gpu.barrier
  // CHECK: gpu.return
  // BROKEN-LABEL: gpu.func @spin(
  // BROKEN: scf.if
  // BROKEN: gpu.barrier
  // BROKEN: scf.if
  gpu.func @spin(%out: memref<64xf32>, %v: f32, %flag: !flag, %m: !mbarrier) kernel {
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %ticks = arith.constant 1000 : index
    %false = arith.constant false
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %all = arith.constant 64 : i32
    %w0 = arith.cmpi ult, %tid, %c32 : index
    %w1 = arith.cmpi uge, %tid, %c32 : index
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    scf.if %w0 {
      scf.while : () -> () {
        %f = memref.load %flag[%c0] : !flag
        %c = arith.cmpi ne, %f, %one : i32
        scf.condition(%c)
      } do {
        scf.yield
      }
    }
    memref.store %a, %y[%tid] : !shared
    scf.if %w1 {
      memref.store %one, %flag[%c0] : !flag
    }
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // A loop that counts its turns waits for nothing, whatever it reads.
  // CHECK-LABEL: gpu.func @counted(
  // CHECK-SAME: memref<256xi8,
  // CHECK: scf.while
  // CHECK: gpu.barrier
  // CHECK-NEXT: memref.store
  gpu.func @counted(%out: memref<64xf32>, %v: f32, %flag: !flag, %m: !mbarrier) kernel {
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %four = arith.constant 4 : i32
    %w0 = arith.cmpi ult, %tid, %c32 : index
    %w1 = arith.cmpi uge, %tid, %c32 : index
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    scf.if %w0 {
      %end = scf.while (%i = %zero) : (i32) -> i32 {
        %c = arith.cmpi ult, %i, %four : i32
        scf.condition(%c) %i : i32
      } do {
      ^bb0(%i: i32):
        %f = memref.load %flag[%c0] : !flag
        %next = arith.addi %i, %one : i32
        scf.yield %next : i32
      }
    }
    memref.store %a, %y[%tid] : !shared
    scf.if %w1 {
      memref.store %one, %flag[%c0] : !flag
    }
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // This one counts by what it reads.
  // CHECK-LABEL: gpu.func @counts_flags(
  // CHECK-SAME: memref<256xi8,
  // CHECK: gpu.barrier
  // CHECK: scf.while
  // CHECK-NOT: gpu.barrier
  // CHECK: gpu.return
  gpu.func @counts_flags(%out: memref<64xf32>, %v: f32, %flag: !flag, %m: !mbarrier) kernel {
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %four = arith.constant 4 : i32
    %w0 = arith.cmpi ult, %tid, %c32 : index
    %w1 = arith.cmpi uge, %tid, %c32 : index
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    scf.if %w0 {
      %end = scf.while (%i = %zero) : (i32) -> i32 {
        %c = arith.cmpi ult, %i, %four : i32
        scf.condition(%c) %i : i32
      } do {
      ^bb0(%i: i32):
        %f = memref.load %flag[%c0] : !flag
        %next = arith.addi %i, %f : i32
        scf.yield %next : i32
      }
    }
    memref.store %a, %y[%tid] : !shared
    scf.if %w1 {
      memref.store %one, %flag[%c0] : !flag
    }
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // Warp 0 waits for an arrival.
  // CHECK-LABEL: gpu.func @mbarrier(
  // CHECK-SAME: memref<256xi8,
  // CHECK: gpu.barrier
  // CHECK-NEXT: scf.if
  // CHECK-NOT: gpu.barrier
  // CHECK: gpu.return
  // BROKEN-LABEL: gpu.func @mbarrier(
  // BROKEN: scf.if
  // BROKEN: gpu.barrier
  // BROKEN: scf.if
  gpu.func @mbarrier(%out: memref<64xf32>, %v: f32, %flag: !flag, %m: !mbarrier) kernel {
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %ticks = arith.constant 1000 : index
    %false = arith.constant false
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %all = arith.constant 64 : i32
    %w0 = arith.cmpi ult, %tid, %c32 : index
    %w1 = arith.cmpi uge, %tid, %c32 : index
    memref.store %v, %x[%tid] : !shared
    %a = memref.load %x[%tid] : !shared
    scf.if %w0 {
      nvgpu.mbarrier.try_wait.parity %m[%c0], %false, %ticks : !mbarrier
    }
    memref.store %a, %y[%tid] : !shared
    scf.if %w1 {
      %t = nvgpu.mbarrier.arrive %m[%c0] : !mbarrier -> !nvgpu.mbarrier.token
    }
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // X is used up to the wait: no gap is left.
  // CHECK-LABEL: gpu.func @no_gap(
  // CHECK-SAME: memref<512xi8,
  // CHECK-NOT: gpu.barrier
  // CHECK: gpu.return
  // BROKEN-LABEL: gpu.func @no_gap(
  // BROKEN-SAME: memref<256xi8,
  gpu.func @no_gap(%out: memref<64xf32>, %v: f32, %flag: !flag, %m: !mbarrier) kernel {
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %ticks = arith.constant 1000 : index
    %false = arith.constant false
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %all = arith.constant 64 : i32
    %w0 = arith.cmpi ult, %tid, %c32 : index
    %w1 = arith.cmpi uge, %tid, %c32 : index
    memref.store %v, %x[%tid] : !shared
    scf.if %w0 {
      nvvm.barrier id = %one number_of_threads = %all
    }
    %a = memref.load %x[%tid] : !shared
    memref.store %a, %y[%tid] : !shared
    scf.if %w1 {
      nvvm.barrier id = %one number_of_threads = %all
    }
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // Behind the signal nobody waits any more.
  // CHECK-LABEL: gpu.func @behind_both(
  // CHECK-SAME: memref<256xi8,
  // CHECK-COUNT-2: scf.if
  // CHECK: gpu.barrier
  // CHECK: gpu.return
  gpu.func @behind_both(%out: memref<64xf32>, %v: f32, %flag: !flag, %m: !mbarrier) kernel {
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %ticks = arith.constant 1000 : index
    %false = arith.constant false
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %all = arith.constant 64 : i32
    %w0 = arith.cmpi ult, %tid, %c32 : index
    %w1 = arith.cmpi uge, %tid, %c32 : index
    memref.store %v, %x[%tid] : !shared
    scf.if %w0 {
      nvvm.barrier id = %one number_of_threads = %all
    }
    scf.if %w1 {
      nvvm.barrier id = %one number_of_threads = %all
    }
    %a = memref.load %x[%tid] : !shared
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // Nor behind a barrier that was there.
  // CHECK-LABEL: gpu.func @parted(
  // CHECK-SAME: memref<256xi8,
  // CHECK-COUNT-2: gpu.barrier
  // CHECK: gpu.return
  gpu.func @parted(%out: memref<64xf32>, %v: f32, %flag: !flag, %m: !mbarrier) kernel {
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %ticks = arith.constant 1000 : index
    %false = arith.constant false
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %all = arith.constant 64 : i32
    %w0 = arith.cmpi ult, %tid, %c32 : index
    %w1 = arith.cmpi uge, %tid, %c32 : index
    memref.store %v, %x[%tid] : !shared
    scf.if %w0 {
      nvvm.barrier id = %one number_of_threads = %all
    }
    gpu.barrier
    %a = memref.load %x[%tid] : !shared
    memref.store %a, %y[%tid] : !shared
    scf.if %w1 {
      nvvm.barrier id = %one number_of_threads = %all
    }
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // Where all threads wait for the same, all may go on if one may.
  // CHECK-LABEL: gpu.func @alike(
  // CHECK-SAME: memref<256xi8,
  // CHECK: try_wait
  // CHECK: gpu.barrier
  // CHECK: gpu.return
  gpu.func @alike(%out: memref<64xf32>, %v: f32, %flag: !flag, %m: !mbarrier) kernel {
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %ticks = arith.constant 1000 : index
    %false = arith.constant false
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %all = arith.constant 64 : i32
    %w0 = arith.cmpi ult, %tid, %c32 : index
    %w1 = arith.cmpi uge, %tid, %c32 : index
    memref.store %v, %x[%tid] : !shared
    nvgpu.mbarrier.try_wait.parity %m[%c0], %false, %ticks : !mbarrier
    %a = memref.load %x[%tid] : !shared
    memref.store %a, %y[%tid] : !shared
    scf.if %w1 {
      %t = nvgpu.mbarrier.arrive %m[%c0] : !mbarrier -> !nvgpu.mbarrier.token
    }
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // Each thread may wait for another mbarrier.
  // CHECK-LABEL: gpu.func @own_number(
  // CHECK-SAME: memref<512xi8,
  // BROKEN-LABEL: gpu.func @own_number(
  // BROKEN-SAME: memref<256xi8,
  gpu.func @own_number(%out: memref<64xf32>, %v: f32, %flag: !flag, %m: !mbarrier) kernel {
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %ticks = arith.constant 1000 : index
    %false = arith.constant false
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %all = arith.constant 64 : i32
    %w0 = arith.cmpi ult, %tid, %c32 : index
    %w1 = arith.cmpi uge, %tid, %c32 : index
    memref.store %v, %x[%tid] : !shared
    nvgpu.mbarrier.try_wait.parity %m[%tid], %false, %ticks : !mbarrier
    %a = memref.load %x[%tid] : !shared
    memref.store %a, %y[%tid] : !shared
    scf.if %w1 {
      %t = nvgpu.mbarrier.arrive %m[%c0] : !mbarrier -> !nvgpu.mbarrier.token
    }
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // Barrier 0 with a count is the one that gpu.barrier is lowered to: warp 1 would
  // arrive there for the new one.
  // CHECK-LABEL: gpu.func @number_zero(
  // CHECK-SAME: memref<512xi8,
  // BROKEN-LABEL: gpu.func @number_zero(
  // BROKEN-SAME: memref<256xi8,
  gpu.func @number_zero(%out: memref<64xf32>, %v: f32, %flag: !flag, %m: !mbarrier) kernel {
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %ticks = arith.constant 1000 : index
    %false = arith.constant false
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %all = arith.constant 64 : i32
    %w0 = arith.cmpi ult, %tid, %c32 : index
    %w1 = arith.cmpi uge, %tid, %c32 : index
    memref.store %v, %x[%tid] : !shared
    scf.if %w0 {
      nvvm.barrier id = %zero number_of_threads = %all
    }
    %a = memref.load %x[%tid] : !shared
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // So it may be in a text.
  // CHECK-LABEL: gpu.func @text_zero(
  // CHECK-SAME: memref<512xi8,
  // BROKEN-LABEL: gpu.func @text_zero(
  // BROKEN-SAME: memref<256xi8,
  gpu.func @text_zero(%out: memref<64xf32>, %v: f32, %flag: !flag, %m: !mbarrier) kernel {
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %ticks = arith.constant 1000 : index
    %false = arith.constant false
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %all = arith.constant 64 : i32
    %w0 = arith.cmpi ult, %tid, %c32 : index
    %w1 = arith.cmpi uge, %tid, %c32 : index
    memref.store %v, %x[%tid] : !shared
    nvvm.inline_ptx "bar.sync 0, 64;"
    %a = memref.load %x[%tid] : !shared
    memref.store %a, %y[%tid] : !shared
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // A loop whose turns are counted waits for nobody.
  // CHECK-LABEL: gpu.func @known_turns(
  // CHECK-SAME: memref<256xi8,
  gpu.func @known_turns(%out: memref<64xf32>, %v: f32, %flag: !flag, %m: !mbarrier) kernel {
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %ticks = arith.constant 1000 : index
    %false = arith.constant false
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %all = arith.constant 64 : i32
    %w0 = arith.cmpi ult, %tid, %c32 : index
    %w1 = arith.cmpi uge, %tid, %c32 : index
    memref.store %v, %x[%tid] : !shared
    scf.for %i = %c0 to %tid step %c32 {
      %f = memref.load %flag[%c0] : !flag
    }
    %a = memref.load %x[%tid] : !shared
    memref.store %a, %y[%tid] : !shared
    scf.if %w1 {
      memref.store %one, %flag[%c0] : !flag
    }
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // What nobody knows may be a wait, and its signal.
  // CHECK-LABEL: gpu.func @unknown(
  // CHECK-SAME: memref<512xi8,
  // BROKEN-LABEL: gpu.func @unknown(
  // BROKEN-SAME: memref<256xi8,
  gpu.func @unknown(%out: memref<64xf32>, %v: f32, %flag: !flag, %m: !mbarrier) kernel {
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %ticks = arith.constant 1000 : index
    %false = arith.constant false
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %all = arith.constant 64 : i32
    %w0 = arith.cmpi ult, %tid, %c32 : index
    %w1 = arith.cmpi uge, %tid, %c32 : index
    memref.store %v, %x[%tid] : !shared
    "mychip.wait"(%tid) : (index) -> ()
    %a = memref.load %x[%tid] : !shared
    memref.store %a, %y[%tid] : !shared
    "mychip.signal"(%tid) : (index) -> ()
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }

  // A called function may do both.
  // CHECK-LABEL: gpu.func @called(
  // CHECK-SAME: memref<512xi8,
  // BROKEN-LABEL: gpu.func @called(
  // BROKEN-SAME: memref<256xi8,
  gpu.func @called(%out: memref<64xf32>, %v: f32, %flag: !flag, %m: !mbarrier) kernel {
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %tid = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %ticks = arith.constant 1000 : index
    %false = arith.constant false
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %all = arith.constant 64 : i32
    %w0 = arith.cmpi ult, %tid, %c32 : index
    %w1 = arith.cmpi uge, %tid, %c32 : index
    memref.store %v, %x[%tid] : !shared
    func.call @meet(%w0) : (i1) -> ()
    %a = memref.load %x[%tid] : !shared
    memref.store %a, %y[%tid] : !shared
    func.call @meet(%w1) : (i1) -> ()
    %b = memref.load %y[%tid] : !shared
    memref.store %b, %out[%tid] : memref<64xf32>
    gpu.return
  }
  func.func private @meet(%c: i1) {
    %one = arith.constant 1 : i32
    %all = arith.constant 64 : i32
    scf.if %c {
      nvvm.barrier id = %one number_of_threads = %all
    }
    return
  }
}
