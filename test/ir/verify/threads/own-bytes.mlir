// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt-berth %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(berth-verify)' -o /dev/null
// Two accesses that no barrier separates may have bytes in common if each of
// these is touched by one thread only.

#wg = #gpu.address_space<workgroup>
gpu.module @same_bytes {
  gpu.func @kernel(%f: f32, %n: index) workgroup(%arena: memref<1024xi8, #wg>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %t = gpu.thread_id x
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<1024xi8, #wg> to memref<2x64xf32, #wg>
    %y = memref.view %arena[%c256][] {berth.buffer = 1} : memref<1024xi8, #wg> to memref<64xf32, #wg>
    %z = memref.view %arena[%c0][] {berth.buffer = 2} : memref<1024xi8, #wg> to memref<128xf32, #wg>
    // Some stage of X, and Z through what may be either.
    %stage = arith.remui %n, %c2 : index
    memref.store %f, %x[%stage, %t] : memref<2x64xf32, #wg>
    // The second one in the same bytes, the same thread.
    memref.store %f, %y[%t] : memref<64xf32, #wg>
    %shift = arith.muli %stage, %c64 : index
    %i = arith.addi %shift, %t : index
    memref.store %f, %z[%i] : memref<128xf32, #wg>
    gpu.return
  }
}

// -----

// Elements of 8 bytes: thread 1 writes where threads 2 and 3 have written.
#wg = #gpu.address_space<workgroup>
gpu.module @widths {
  gpu.func @kernel(%f: f32, %d: f64) workgroup(%arena: memref<512xi8, #wg>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf64, #wg>
    // expected-note @+1 {{after this access}}
    memref.store %f, %x[%t] : memref<64xf32, #wg>
    // expected-error @+1 {{other threads may still use}}
    memref.store %d, %y[%t] : memref<64xf64, #wg>
    gpu.return
  }
}

// -----

// One element further: the next thread's.
#wg = #gpu.address_space<workgroup>
gpu.module @shifted {
  gpu.func @kernel(%f: f32) workgroup(%arena: memref<512xi8, #wg>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %t = gpu.thread_id x
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c4][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    // expected-note @+1 {{after this access}}
    memref.store %f, %x[%t] : memref<64xf32, #wg>
    // expected-error @+1 {{other threads may still use}}
    memref.store %f, %y[%t] : memref<64xf32, #wg>
    gpu.return
  }
}

// -----

// Two rows of threads have the same x.
#wg = #gpu.address_space<workgroup>
gpu.module @rows {
  gpu.func @kernel(%f: f32) workgroup(%arena: memref<512xi8, #wg>) kernel
      attributes {known_block_size = array<i32: 64, 2, 1>} {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    // expected-note @+1 {{after this access}}
    %a = memref.load %x[%t] : memref<64xf32, #wg>
    // expected-error @+1 {{other threads may still use}}
    memref.store %a, %y[%t] : memref<64xf32, #wg>
    gpu.return
  }
}

// -----

// Nobody knows how many threads there are.
#wg = #gpu.address_space<workgroup>
gpu.module @any_block {
  gpu.func @kernel(%f: f32) workgroup(%arena: memref<512xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    // expected-note @+1 {{after this access}}
    %a = memref.load %x[%t] : memref<64xf32, #wg>
    // expected-error @+1 {{other threads may still use}}
    memref.store %a, %y[%t] : memref<64xf32, #wg>
    gpu.return
  }
}

// -----

// What is asynchronous goes on behind its op, whoever it belongs to.
#wg = #gpu.address_space<workgroup>
gpu.module @asynchronous {
  gpu.func @kernel(%in: memref<64xf32>, %f: f32) workgroup(%arena: memref<512xi8, #wg>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    // expected-note @+1 {{after this access}}
    %token = nvgpu.device_async_copy %in[%t], %x[%t], 1 : memref<64xf32> to memref<64xf32, #wg>
    // expected-error @+1 {{something asynchronous may still use}}
    memref.store %f, %y[%t] : memref<64xf32, #wg>
    %group = nvgpu.device_async_create_group %token
    nvgpu.device_async_wait %group {numGroups = 0 : i32}
    gpu.return
  }
}

// -----

// Each half by its own warp; then by the other one.
#wg = #gpu.address_space<workgroup>
gpu.module @warps {
  gpu.func @kernel(%f: f32) workgroup(%arena: memref<512xi8, #wg>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c63 = arith.constant 63 : index
    %t = gpu.thread_id x
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %z = memref.view %arena[%c0][] {berth.buffer = 2} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %isFirst = arith.cmpi ult, %t, %c32 : index
    scf.if %isFirst {
      // expected-note @+1 {{after this access}}
      memref.store %f, %x[%t] : memref<64xf32, #wg>
    } else {
      memref.store %f, %y[%t] : memref<64xf32, #wg>
    }
    %other = arith.subi %c63, %t : index
    // expected-error @+1 {{other threads may still use}}
    memref.store %f, %z[%other] : memref<64xf32, #wg>
    gpu.return
  }
}

// -----

// All turns of a loop count: another thread's bytes in the next one.
#wg = #gpu.address_space<workgroup>
gpu.module @turns {
  gpu.func @kernel(%f: f32) workgroup(%arena: memref<512xi8, #wg>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %t = gpu.thread_id x
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    // expected-note @+1 {{after this access}}
    memref.store %f, %y[%t] : memref<64xf32, #wg>
    scf.for %i = %c0 to %c2 step %c1 {
      %at = arith.addi %t, %i : index
      // expected-error @+1 {{other threads may still use}}
      memref.store %f, %x[%at] : memref<64xf32, #wg>
    }
    gpu.return
  }
}

// -----

// Elements that may be packed when they are lowered.
#wg = #gpu.address_space<workgroup>
gpu.module @nibbles {
  gpu.func @kernel(%f: i4) workgroup(%arena: memref<64xi8, #wg>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<64xi8, #wg> to memref<64xi4, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<64xi8, #wg> to memref<64xi4, #wg>
    // expected-note @+1 {{after this access}}
    memref.store %f, %x[%t] : memref<64xi4, #wg>
    // expected-error @+1 {{other threads may still use}}
    memref.store %f, %y[%t] : memref<64xi4, #wg>
    gpu.return
  }
}

// -----

// Whatever %n is, the remainder leaves the bytes behind element 7 alone.
#wg = #gpu.address_space<workgroup>
gpu.module @remainder {
  gpu.func @kernel(%f: f32, %n: index) workgroup(%arena: memref<96xi8, #wg>) kernel
      attributes {known_block_size = array<i32: 8, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<96xi8, #wg> to memref<16xf32, #wg>
    %y = memref.view %arena[%c32][] {berth.buffer = 1} : memref<96xi8, #wg> to memref<16xf32, #wg>
    %i = affine.apply affine_map<(d0) -> (d0 mod 8)>(%n)
    %j = affine.apply affine_map<(d0) -> (d0 mod 9)>(%n)
    memref.store %f, %x[%i] : memref<16xf32, #wg>
    // expected-note @+1 {{after this access}}
    memref.store %f, %y[%t] : memref<16xf32, #wg>
    // expected-error @+1 {{other threads may still use}}
    memref.store %f, %x[%j] : memref<16xf32, #wg>
    gpu.return
  }
}

// -----

// Nothing is known of %n, but that elements of Y are no byte of X's first one.
#wg = #gpu.address_space<workgroup>
gpu.module @anywhere {
  gpu.func @kernel(%f: f32, %n: index) workgroup(%arena: memref<36xi8, #wg>) kernel
      attributes {known_block_size = array<i32: 8, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<36xi8, #wg> to memref<8xf32, #wg>
    %y = memref.view %arena[%c4][] {berth.buffer = 1} : memref<36xi8, #wg> to memref<8xf32, #wg>
    memref.store %f, %x[%c0] : memref<8xf32, #wg>
    memref.store %f, %y[%n] : memref<8xf32, #wg>
    gpu.barrier
    // expected-note @+1 {{after this access}}
    memref.store %f, %x[%c1] : memref<8xf32, #wg>
    // expected-error @+1 {{other threads may still use}}
    memref.store %f, %y[%n] : memref<8xf32, #wg>
    gpu.return
  }
}
