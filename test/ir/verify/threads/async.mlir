// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: %mlir-opt-berth %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(berth-verify)' -o /dev/null
// berth-verify on memory that the threads of a workgroup share, on plans made
// by hand: asynchronous accesses, instances, and which barriers and memory
// count. %x and %y have bytes in common, %z has none with them. In the names,
// ok_ stands for plans that are right.

// Asynchronous accesses.

#wg = #gpu.address_space<workgroup>
gpu.module @kernels {
  gpu.func @ok_waited(%g: memref<64xf32>) workgroup(%arena: memref<512xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %token = nvgpu.device_async_copy %g[%t], %x[%t], 1 : memref<64xf32> to memref<64xf32, #wg>
    %group = nvgpu.device_async_create_group %token
    nvgpu.device_async_wait %group {numGroups = 0 : i32}
    gpu.barrier
    memref.store %f, %y[%t] : memref<64xf32, #wg>
    gpu.return
  }

  // A barrier does not end the copy,
  gpu.func @not_waited(%g: memref<64xf32>) workgroup(%arena: memref<512xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    // expected-note @+1 {{after this access}}
    %token = nvgpu.device_async_copy %g[%t], %x[%t], 1 : memref<64xf32> to memref<64xf32, #wg>
    gpu.barrier
    // expected-error @+1 {{touches bytes of the arena that something asynchronous may still use through another buffer}}
    memref.store %f, %y[%t] : memref<64xf32, #wg>
    gpu.return
  }

  // nor does a wait that lets a group pend;
  gpu.func @pending(%g: memref<64xf32>) workgroup(%arena: memref<512xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    // expected-note @+1 {{after this access}}
    %token = nvgpu.device_async_copy %g[%t], %x[%t], 1 : memref<64xf32> to memref<64xf32, #wg>
    %group = nvgpu.device_async_create_group %token
    nvgpu.device_async_wait %group {numGroups = 1 : i32}
    gpu.barrier
    // expected-error @+1 {{something asynchronous may still use}}
    memref.store %f, %y[%t] : memref<64xf32, #wg>
    gpu.return
  }

  // nor one that comes before the copy is in a group;
  gpu.func @no_group(%g: memref<64xf32>) workgroup(%arena: memref<512xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %group = nvgpu.device_async_create_group {}
    // expected-note @+1 {{after this access}}
    %token = nvgpu.device_async_copy %g[%t], %x[%t], 1 : memref<64xf32> to memref<64xf32, #wg>
    nvgpu.device_async_wait %group
    gpu.barrier
    // expected-error @+1 {{something asynchronous may still use}}
    memref.store %f, %y[%t] : memref<64xf32, #wg>
    gpu.return
  }

  // nor what the caller of its function does;
  func.func @start(%g: memref<64xf32>, %m: memref<64xf32, #wg>) {
    %t = gpu.thread_id x
    %token = nvgpu.device_async_copy %g[%t], %m[%t], 1 : memref<64xf32> to memref<64xf32, #wg>
    return
  }
  gpu.func @in_callee(%g: memref<64xf32>) workgroup(%arena: memref<512xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    // expected-note @+1 {{after this access}}
    func.call @start(%g, %x) : (memref<64xf32>, memref<64xf32, #wg>) -> ()
    %group = nvgpu.device_async_create_group {}
    nvgpu.device_async_wait %group
    gpu.barrier
    // expected-error @+1 {{something no barrier orders}}
    memref.store %f, %y[%t] : memref<64xf32, #wg>
    gpu.return
  }

  // the wait alone is the thread's own.
  gpu.func @no_barrier(%g: memref<64xf32>) workgroup(%arena: memref<512xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    // expected-note @+1 {{after this access}}
    %token = nvgpu.device_async_copy %g[%t], %x[%t], 1 : memref<64xf32> to memref<64xf32, #wg>
    %group = nvgpu.device_async_create_group %token
    gpu.barrier
    nvgpu.device_async_wait %group {numGroups = 0 : i32}
    // expected-error @+1 {{other threads may still use}}
    memref.store %f, %y[%t] : memref<64xf32, #wg>
    gpu.return
  }

  // Direct loads to LDS are like stores to what comes before them, and outlast
  // barriers up to a wait for all loads.
  gpu.func @gather(%g: memref<64xf32, #gpu.address_space<global>>) workgroup(%arena: memref<512xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    memref.store %f, %y[%t] : memref<64xf32, #wg>
    gpu.barrier
    // expected-note @+1 {{after this access}}
    amdgpu.gather_to_lds %g[%t], %x[%c0] : f32, memref<64xf32, #gpu.address_space<global>>, memref<64xf32, #wg>
    amdgpu.memory_counter_wait load(1)
    gpu.barrier
    // expected-error @+1 {{something asynchronous may still use}}
    memref.store %f, %y[%t] : memref<64xf32, #wg>
    amdgpu.memory_counter_wait load(0)
    gpu.barrier
    memref.store %f, %y[%t] : memref<64xf32, #wg>
    gpu.return
  }

  gpu.func @gather_at_once(%g: memref<64xf32, #gpu.address_space<global>>) workgroup(%arena: memref<512xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    // expected-note @+1 {{after this access}}
    memref.store %f, %y[%t] : memref<64xf32, #wg>
    // expected-error @+2 {{other threads may still use}}
    // expected-note @+1 {{after this access}}
    amdgpu.gather_to_lds %g[%t], %x[%c0] : f32, memref<64xf32, #gpu.address_space<global>>, memref<64xf32, #wg>
    amdgpu.memory_counter_wait load(0)
    // expected-error @+1 {{other threads may still use}}
    memref.store %f, %y[%t] : memref<64xf32, #wg>
    gpu.return
  }
}

// -----

// Instances: the allocation stood in the loop.

#wg = #gpu.address_space<workgroup>
gpu.module @kernels {
  gpu.func @made_anew(%n: index) workgroup(%arena: memref<512xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    scf.for %i = %c0 to %n step %c1 {
      %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
      // expected-error @+1 {{touches a buffer that has been made anew while other threads may still use its last instance: there is a way here without a barrier of the whole workgroup}}
      memref.store %f, %x[%t] : memref<64xf32, #wg>
      gpu.barrier
      // expected-note @+1 {{after this access}}
      %v = memref.load %x[%c0] : memref<64xf32, #wg>
    }
    gpu.return
  }

  gpu.func @ok_made_anew(%n: index) workgroup(%arena: memref<512xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    scf.for %i = %c0 to %n step %c1 {
      %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
      memref.store %f, %x[%t] : memref<64xf32, #wg>
      gpu.barrier
      %v = memref.load %x[%c0] : memref<64xf32, #wg>
      gpu.barrier
    }
    gpu.return
  }

  // Each branch makes its own; the older instance of the one meets the other.
  gpu.func @ok_in_branches(%n: index) workgroup(%arena: memref<512xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %p = arith.cmpi ult, %t, %c32 : index
    scf.if %p {
      %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
      memref.store %f, %x[%t] : memref<64xf32, #wg>
    } else {
      %z = memref.view %arena[%c256][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
      memref.store %f, %z[%t] : memref<64xf32, #wg>
    }
    gpu.return
  }

  // Regions that run we know not how count as one access; a barrier in them as
  // none.
  gpu.func @at_once(%n: index) workgroup(%arena: memref<512xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    scf.parallel (%i) = (%c0) to (%n) step (%c1) {
      // expected-note @+1 {{after this access}}
      memref.store %f, %x[%i] : memref<64xf32, #wg>
      gpu.barrier
      // expected-error @+1 {{other threads may still use}}
      memref.store %f, %y[%i] : memref<64xf32, #wg>
    }
    gpu.return
  }
}

// -----

// Which barriers, and which memory.

#wg = #gpu.address_space<workgroup>
gpu.module @kernels {
  gpu.func @ok_barriers() workgroup(%arena: memref<512xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    memref.store %f, %x[%t] : memref<64xf32, #wg>
    nvvm.barrier0
    memref.store %f, %y[%t] : memref<64xf32, #wg>
    amdgpu.lds_barrier
    memref.store %f, %x[%t] : memref<64xf32, #wg>
    rocdl.barrier
    memref.store %f, %y[%t] : memref<64xf32, #wg>
    gpu.return
  }

  gpu.func @no_barriers() workgroup(%arena: memref<512xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %id = arith.constant 1 : i32
    %count = arith.constant 32 : i32
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    // expected-note @+1 {{after this access}}
    memref.store %f, %x[%t] : memref<64xf32, #wg>
    nvvm.barrier id = %id number_of_threads = %count
    nvvm.bar.warp.sync %count : i32
    rocdl.s.barrier
    // expected-error @+1 {{other threads may still use}}
    memref.store %f, %y[%t] : memref<64xf32, #wg>
    gpu.return
  }

  // Each thread has its own private memory.
  gpu.func @ok_private() private(%arena: memref<512xi8, #gpu.address_space<private>>) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #gpu.address_space<private>> to memref<64xf32, #gpu.address_space<private>>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #gpu.address_space<private>> to memref<64xf32, #gpu.address_space<private>>
    memref.store %f, %x[%t] : memref<64xf32, #gpu.address_space<private>>
    memref.store %f, %y[%t] : memref<64xf32, #gpu.address_space<private>>
    gpu.return
  }

  // In GPU code the number 3 means workgroup memory,
  gpu.func @number() workgroup(%arena: memref<512xi8, 3>) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, 3> to memref<64xf32, 3>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, 3> to memref<64xf32, 3>
    // expected-note @+1 {{after this access}}
    memref.store %f, %x[%t] : memref<64xf32, 3>
    // expected-error @+1 {{other threads may still use}}
    memref.store %f, %y[%t] : memref<64xf32, 3>
    gpu.return
  }
}

// in any function: nothing proves that one thread runs it.
func.func @number(%arena: memref<512xi8, 3>, %t: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, 3> to memref<64xf32, 3>
  %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, 3> to memref<64xf32, 3>
  // expected-note @+1 {{after this access}}
  memref.store %f, %x[%t] : memref<64xf32, 3>
  // expected-error @+1 {{other threads may still use}}
  memref.store %f, %y[%t] : memref<64xf32, 3>
  return
}
func.func @elsewhere(%arena: memref<512xi8, #wg>, %t: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
  %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
  // expected-note @+1 {{after this access}}
  memref.store %f, %x[%t] : memref<64xf32, #wg>
  // expected-error @+1 {{other threads may still use}}
  memref.store %f, %y[%t] : memref<64xf32, #wg>
  return
}

// -----

// One arena under two values: a global, as inlining leaves it, and dynamic shared
// memory.

#wg = #gpu.address_space<workgroup>
gpu.module @kernels {
  memref.global "private" @arena : memref<512xi8, #wg> = uninitialized {alignment = 16}
  memref.global "private" @other : memref<512xi8, #wg> = uninitialized {alignment = 16}
  gpu.func @one_global() kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %arena = memref.get_global @arena : memref<512xi8, #wg>
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    // expected-note @+1 {{after this access}}
    memref.store %f, %x[%t] : memref<64xf32, #wg>
    %again = memref.get_global @arena : memref<512xi8, #wg>
    %y = memref.view %again[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    // expected-error @+1 {{other threads may still use}}
    memref.store %f, %y[%t] : memref<64xf32, #wg>
    gpu.return
  }
  gpu.func @ok_two_globals() kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %arena = memref.get_global @arena : memref<512xi8, #wg>
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    memref.store %f, %x[%t] : memref<64xf32, #wg>
    %other = memref.get_global @other : memref<512xi8, #wg>
    %y = memref.view %other[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    memref.store %f, %y[%t] : memref<64xf32, #wg>
    gpu.return
  }
  // The same buffer, made anew: a call that was inlined twice.
  gpu.func @one_number() kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %arena = memref.get_global @arena : memref<512xi8, #wg>
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    // expected-note @+1 {{after this access}}
    memref.store %f, %x[%t] : memref<64xf32, #wg>
    %again = memref.get_global @arena : memref<512xi8, #wg>
    %y = memref.view %again[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    // expected-error @+1 {{has been made anew}}
    memref.store %f, %y[%t] : memref<64xf32, #wg>
    gpu.return
  }
  gpu.func @dynamic_memory() kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %arena = gpu.dynamic_shared_memory : memref<?xi8, #wg>
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<?xi8, #wg> to memref<64xf32, #wg>
    // expected-note @+1 {{after this access}}
    memref.store %f, %x[%t] : memref<64xf32, #wg>
    %again = gpu.dynamic_shared_memory : memref<?xi8, #wg>
    %y = memref.view %again[%c0][] {berth.buffer = 1} : memref<?xi8, #wg> to memref<64xf32, #wg>
    // expected-error @+1 {{other threads may still use}}
    memref.store %f, %y[%t] : memref<64xf32, #wg>
    gpu.return
  }
}
