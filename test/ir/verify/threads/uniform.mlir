// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt-berth %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(berth-verify)' -o /dev/null
// berth-verify on memory that the threads of a workgroup share, on plans made
// by hand: what all threads agree on, and who calls. %x and %y have bytes in common,
// %z has none with them. In the names, ok_ stands for plans that are right.

// What is uniform.

#wg = #gpu.address_space<workgroup>
gpu.module @kernels {
  // Merged by a uniform branch, from uniform values.
  gpu.func @ok_merged(%n: index) workgroup(%arena: memref<512xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %p = arith.cmpi ult, %b, %n : index
    %m = scf.if %p -> index {
      scf.yield %c1 : index
    } else {
      scf.yield %n : index
    }
    memref.store %f, %x[%t] : memref<64xf32, #wg>
    gpu.barrier
    scf.for %i = %c0 to %m step %c1 {
      memref.store %f, %y[%t] : memref<64xf32, #wg>
      gpu.barrier
      memref.store %f, %x[%t] : memref<64xf32, #wg>
      gpu.barrier
    }
    gpu.return
  }

  // Merged by a divergent one, and loaded: even of the same address.
  gpu.func @not_uniform(%n: memref<1xindex>) workgroup(%arena: memref<512xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %z = memref.view %arena[%c256][] {berth.buffer = 2} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %w = memref.view %arena[%c256][] {berth.buffer = 3} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %p = arith.cmpi ult, %t, %c1 : index
    %m = scf.if %p -> index {
      scf.yield %c0 : index
    } else {
      scf.yield %c1 : index
    }
    %q = arith.cmpi eq, %m, %c0 : index
    // expected-note @+1 {{after this access}}
    memref.store %f, %x[%t] : memref<64xf32, #wg>
    scf.if %q {
      gpu.barrier
    } else {
      gpu.barrier
    }
    // expected-error @+1 {{other threads may still use}}
    memref.store %f, %y[%t] : memref<64xf32, #wg>
    gpu.barrier
    %l = memref.load %n[%c0] : memref<1xindex>
    %r = arith.cmpi eq, %l, %c0 : index
    // expected-note @+1 {{after this access}}
    memref.store %f, %z[%t] : memref<64xf32, #wg>
    scf.if %r {
      gpu.barrier
    } else {
      gpu.barrier
    }
    // expected-error @+1 {{other threads may still use}}
    memref.store %f, %w[%t] : memref<64xf32, #wg>
    gpu.return
  }

  // Arguments of kernels are uniform, those of other functions are not; and a
  // function that is called again begins where its last call ended.
  memref.global "private" @arena : memref<512xi8, #wg> = uninitialized {alignment = 16}
  func.func @device(%n: index) {
    %c0 = arith.constant 0 : index
    %p = arith.cmpi ult, %n, %c0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %arena = memref.get_global @arena : memref<512xi8, #wg>
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    // expected-note @+1 {{after this access}}
    memref.store %f, %x[%t] : memref<64xf32, #wg>
    scf.if %p {
      gpu.barrier
    } else {
      gpu.barrier
    }
    // expected-error @+1 {{other threads may still use}}
    memref.store %f, %y[%t] : memref<64xf32, #wg>
    gpu.barrier
    return
  }

  memref.global "private" @again : memref<512xi8, #wg> = uninitialized {alignment = 16}
  func.func @called_again() {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %arena = memref.get_global @again : memref<512xi8, #wg>
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    // expected-error @+1 {{other threads may still use}}
    memref.store %f, %x[%t] : memref<64xf32, #wg>
    gpu.barrier
    // expected-note @+1 {{after this access}}
    memref.store %f, %y[%t] : memref<64xf32, #wg>
    return
  }

  // A call touches what it is given.
  func.func @fill(%m: memref<64xf32, #wg>) {
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    memref.store %f, %m[%t] : memref<64xf32, #wg>
    return
  }
  gpu.func @calls(%n: index) workgroup(%arena: memref<512xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    // expected-note @+1 {{after this access}}
    func.call @fill(%x) : (memref<64xf32, #wg>) -> ()
    // expected-error @+1 {{other threads may still use}}
    func.call @fill(%y) : (memref<64xf32, #wg>) -> ()
    gpu.return
  }
}

// -----

// A gpu.launch body: block ids and host values are uniform, thread ids are not.

#wg = #gpu.address_space<workgroup>
memref.global "private" @arena : memref<512xi8, #wg> = uninitialized {alignment = 16}
func.func @host(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f = arith.constant 1.0 : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %arena = memref.get_global @arena : memref<512xi8, #wg>
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %p = arith.cmpi ult, %bx, %n : index
    %q = arith.cmpi ult, %tx, %n : index
    memref.store %f, %x[%tx] : memref<64xf32, #wg>
    scf.if %p {
      gpu.barrier
    } else {
      gpu.barrier
    }
    // expected-note @+1 {{after this access}}
    memref.store %f, %y[%tx] : memref<64xf32, #wg>
    scf.if %q {
      gpu.barrier
    } else {
      gpu.barrier
    }
    // expected-error @+1 {{other threads may still use}}
    memref.store %f, %x[%c0] : memref<64xf32, #wg>
    gpu.terminator
  }
  return
}

// -----

// Who calls: a barrier in a function that some threads call is not for all.

#wg = #gpu.address_space<workgroup>
gpu.module @kernels {
  memref.global "private" @arena : memref<512xi8, #wg> = uninitialized {alignment = 16}
  memref.global "private" @arena_all : memref<512xi8, #wg> = uninitialized {alignment = 16}
  memref.global "private" @arena_through : memref<512xi8, #wg> = uninitialized {alignment = 16}
  func.func private @some_call() {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %arena = memref.get_global @arena : memref<512xi8, #wg>
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    // expected-error @+2 {{other threads may still use}}
    // expected-note @+1 {{after this access}}
    memref.store %f, %x[%t] : memref<64xf32, #wg>
    gpu.barrier
    // expected-error @+2 {{other threads may still use}}
    // expected-note @+1 {{after this access}}
    memref.store %f, %y[%t] : memref<64xf32, #wg>
    gpu.barrier
    return
  }
  func.func private @ok_all_call() {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %arena = memref.get_global @arena_all : memref<512xi8, #wg>
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    memref.store %f, %x[%t] : memref<64xf32, #wg>
    gpu.barrier
    memref.store %f, %y[%t] : memref<64xf32, #wg>
    gpu.barrier
    return
  }
  func.func private @inner() {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %arena = memref.get_global @arena_through : memref<512xi8, #wg>
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    // expected-error @+2 {{other threads may still use}}
    // expected-note @+1 {{after this access}}
    memref.store %f, %x[%t] : memref<64xf32, #wg>
    gpu.barrier
    // expected-error @+2 {{other threads may still use}}
    // expected-note @+1 {{after this access}}
    memref.store %f, %y[%t] : memref<64xf32, #wg>
    gpu.barrier
    return
  }
  func.func private @outer() {
    func.call @inner() : () -> ()
    return
  }
  gpu.func @k(%n: index) kernel {
    %t = gpu.thread_id x
    %p = arith.cmpi ult, %t, %n : index
    %q = arith.cmpi ult, %n, %n : index
    func.call @some_call() : () -> ()
    scf.if %p {
      func.call @some_call() : () -> ()
      func.call @outer() : () -> ()
    }
    scf.if %q {
      func.call @ok_all_call() : () -> ()
    }
    gpu.return
  }
}

// -----

// A flag in a buffer with other bytes, where another buffer lies.
#wg = #gpu.address_space<workgroup>
gpu.module @flags {
  gpu.func @ok_beside_the_flag(%n: i32) workgroup(%arena: memref<512xi8, #wg>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0 : i32
    %t = gpu.thread_id x
    %flag = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xi32, #wg>
    %x = memref.view %arena[%c4][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<32xi32, #wg>
    %y = memref.view %arena[%c4][] {berth.buffer = 2} : memref<512xi8, #wg> to memref<32xi32, #wg>
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      memref.store %n, %flag[%c0] : memref<64xi32, #wg>
    }
    gpu.barrier
    %l = memref.load %flag[%c0] : memref<64xi32, #wg>
    %c = arith.cmpi ne, %l, %zero : i32
    scf.if %c {
      memref.store %l, %x[%t] : memref<32xi32, #wg>
      gpu.barrier
      memref.store %l, %y[%t] : memref<32xi32, #wg>
    }
    gpu.return
  }

  // The same, but that the other buffers have the flag's own bytes.
  gpu.func @over_the_flag(%n: i32) workgroup(%arena: memref<512xi8, #wg>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0 : i32
    %t = gpu.thread_id x
    %r = arith.xori %t, %c1 : index
    %flag = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xi32, #wg>
    %x = memref.view %arena[%c4][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<32xi32, #wg>
    %y = memref.view %arena[%c4][] {berth.buffer = 2} : memref<512xi8, #wg> to memref<32xi32, #wg>
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      memref.store %n, %flag[%c1] : memref<64xi32, #wg>
    }
    gpu.barrier
    // expected-note @+1 {{after this access}}
    %l = memref.load %flag[%c1] : memref<64xi32, #wg>
    %c = arith.cmpi ne, %l, %zero : i32
    scf.if %c {
      // expected-error @+1 {{other threads may still use}}
      memref.store %l, %x[%t] : memref<32xi32, #wg>
      gpu.barrier
      // expected-error @+1 {{other threads may still use}}
      memref.store %l, %y[%r] : memref<32xi32, #wg>
    }
    gpu.return
  }
}
