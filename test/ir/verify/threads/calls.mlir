// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// RUN: %mlir-opt-berth %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(berth-verify)' -o /dev/null
// What berth-verify sees of the barriers in called functions, and of those between
// calls, on plans made by hand. %x and %y have the same bytes. In the names, ok_
// stands for plans that are right.

#wg = #gpu.address_space<workgroup>
!arena = memref<512xi8, #wg>
!line = memref<64xf32, #wg>

gpu.module @phases {
  func.func private @first(%m: !line) {
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    memref.store %f, %m[%t] : !line
    gpu.barrier
    return
  }
  func.func private @last(%m: !line) {
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    gpu.barrier
    memref.store %f, %m[%t] : !line
    return
  }
  func.func private @middle(%m: !line) {
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    gpu.barrier
    memref.store %f, %m[%t] : !line
    gpu.barrier
    return
  }
  func.func private @meet() {
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    gpu.barrier
    return
  }
  func.func private @some() {
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %c0 = arith.constant 0 : index
    %b = gpu.block_id x
    %p = arith.cmpi eq, %b, %c0 : index
    scf.if %p {
      gpu.barrier
    }
    return
  }
  func.func private @some_of_it(%m: !line) {
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %c0 = arith.constant 0 : index
    %b = gpu.block_id x
    %p = arith.cmpi eq, %b, %c0 : index
    scf.if %p {
      memref.store %f, %m[%t] : !line
      gpu.barrier
    }
    return
  }
  func.func private @deep(%m: !line) {
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    func.call @last(%m) : (!line) -> ()
    func.call @meet() : () -> ()
    return
  }
  gpu.func @ok_first(%c: i1) workgroup(%arena: !arena) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : !arena to !line
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : !arena to !line
    func.call @first(%x) : (!line) -> ()
    memref.store %f, %y[%t] : !line
    gpu.return
  }
  gpu.func @first_meets(%c: i1) workgroup(%arena: !arena) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : !arena to !line
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : !arena to !line
    // expected-note @+1 {{after this access}}
    memref.store %f, %y[%t] : !line
    // expected-error @+1 {{other threads may still use}}
    func.call @first(%x) : (!line) -> ()
    gpu.return
  }
  gpu.func @ok_last(%c: i1) workgroup(%arena: !arena) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : !arena to !line
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : !arena to !line
    memref.store %f, %y[%t] : !line
    func.call @last(%x) : (!line) -> ()
    gpu.return
  }
  gpu.func @last_meets(%c: i1) workgroup(%arena: !arena) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : !arena to !line
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : !arena to !line
    // expected-note @+1 {{after this access}}
    func.call @last(%x) : (!line) -> ()
    // expected-error @+1 {{other threads may still use}}
    memref.store %f, %y[%t] : !line
    gpu.return
  }
  gpu.func @ok_middle(%c: i1) workgroup(%arena: !arena) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : !arena to !line
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : !arena to !line
    memref.store %f, %y[%t] : !line
    func.call @middle(%x) : (!line) -> ()
    memref.store %f, %y[%t] : !line
    gpu.return
  }
  gpu.func @ok_deep(%c: i1) workgroup(%arena: !arena) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : !arena to !line
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : !arena to !line
    memref.store %f, %y[%t] : !line
    func.call @deep(%x) : (!line) -> ()
    memref.store %f, %y[%t] : !line
    gpu.return
  }
  gpu.func @ok_meet(%c: i1) workgroup(%arena: !arena) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : !arena to !line
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : !arena to !line
    memref.store %f, %x[%t] : !line
    func.call @meet() : () -> ()
    memref.store %f, %y[%t] : !line
    gpu.return
  }
  gpu.func @some_meet(%c: i1) workgroup(%arena: !arena) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : !arena to !line
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : !arena to !line
    // expected-note @+1 {{after this access}}
    memref.store %f, %x[%t] : !line
    func.call @some() : () -> ()
    // expected-error @+1 {{other threads may still use}}
    memref.store %f, %y[%t] : !line
    gpu.return
  }
  // The ways on which it touches %x cross a barrier behind it.
  gpu.func @ok_some_of_it(%c: i1) workgroup(%arena: !arena) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : !arena to !line
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : !arena to !line
    func.call @some_of_it(%x) : (!line) -> ()
    memref.store %f, %y[%t] : !line
    gpu.return
  }
  gpu.func @some_of_it_meets(%c: i1) workgroup(%arena: !arena) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : !arena to !line
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : !arena to !line
    // expected-note @+1 {{after this access}}
    memref.store %f, %y[%t] : !line
    // expected-error @+1 {{other threads may still use}}
    func.call @some_of_it(%x) : (!line) -> ()
    gpu.return
  }
  // Not all threads come to the barrier.
  func.func private @apart(%m: !line) {
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    gpu.barrier
    memref.store %f, %m[%t] : !line
    gpu.barrier
    return
  }
  gpu.func @called_apart(%c: i1) workgroup(%arena: !arena) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : !arena to !line
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : !arena to !line
    // expected-note @+1 {{after this access}}
    memref.store %f, %y[%t] : !line
    %c8 = arith.constant 8 : index
    %p = arith.cmpi ult, %t, %c8 : index
    scf.if %p {
      // expected-error @+1 {{other threads may still use}}
      func.call @apart(%x) : (!line) -> ()
    }
    gpu.return
  }
  // A copy under way into bytes that are written between the callee's barriers.
  gpu.func @copy(%in: memref<64xf32>) workgroup(%arena: !arena) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : !arena to !line
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : !arena to !line
    // expected-note @+1 {{after this access}}
    %token = nvgpu.device_async_copy %in[%t], %x[%t], 1 : memref<64xf32> to !line
    %group = nvgpu.device_async_create_group %token
    // expected-error @+1 {{something asynchronous may still use}}
    func.call @middle(%y) : (!line) -> ()
    nvgpu.device_async_wait %group
    gpu.return
  }
  // What one call does to two buffers at once, between its barriers.
  func.func private @at_once(%m: !line, %n: !line) {
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    gpu.barrier
    memref.store %f, %m[%t] : !line
    memref.store %f, %n[%t] : !line
    gpu.barrier
    return
  }
  gpu.func @done_at_once(%c: i1) workgroup(%arena: !arena) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : !arena to !line
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : !arena to !line
    // expected-error @+1 {{other threads may still use}}
    func.call @at_once(%x, %y) : (!line, !line) -> ()
    gpu.return
  }
}

// -----

// Functions that are called again start where their last call ended, unless a
// barrier lies between any two calls. The arena is theirs.

#wg = #gpu.address_space<workgroup>
!arena = memref<512xi8, #wg>
!line = memref<64xf32, #wg>

gpu.module @ok_once {
  func.func @f(%arena: !arena) {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : !arena to !line
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : !arena to !line
    memref.store %f, %x[%t] : !line
    gpu.barrier
    memref.store %f, %y[%t] : !line
    return
  }
  gpu.func @kernel(%n: index) workgroup(%arena: !arena) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    func.call @f(%arena) : (!arena) -> ()
    gpu.return
  }
}
gpu.module @twice {
  func.func @f(%arena: !arena) {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : !arena to !line
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : !arena to !line
    // expected-error @+1 {{other threads may still use}}
    memref.store %f, %x[%t] : !line
    gpu.barrier
    // expected-note @+1 {{after this access}}
    memref.store %f, %y[%t] : !line
    return
  }
  gpu.func @kernel(%n: index) workgroup(%arena: !arena) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    func.call @f(%arena) : (!arena) -> ()
    func.call @f(%arena) : (!arena) -> ()
    gpu.return
  }
}
gpu.module @ok_between {
  func.func @f(%arena: !arena) {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : !arena to !line
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : !arena to !line
    memref.store %f, %x[%t] : !line
    gpu.barrier
    memref.store %f, %y[%t] : !line
    return
  }
  gpu.func @kernel(%n: index) workgroup(%arena: !arena) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    func.call @f(%arena) : (!arena) -> ()
    gpu.barrier
    func.call @f(%arena) : (!arena) -> ()
    gpu.return
  }
}
gpu.module @in_a_loop {
  func.func @f(%arena: !arena) {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : !arena to !line
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : !arena to !line
    // expected-error @+1 {{other threads may still use}}
    memref.store %f, %x[%t] : !line
    gpu.barrier
    // expected-note @+1 {{after this access}}
    memref.store %f, %y[%t] : !line
    return
  }
  gpu.func @kernel(%n: index) workgroup(%arena: !arena) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      func.call @f(%arena) : (!arena) -> ()
    }
    gpu.return
  }
}
gpu.module @ok_in_a_loop {
  func.func @f(%arena: !arena) {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : !arena to !line
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : !arena to !line
    memref.store %f, %x[%t] : !line
    gpu.barrier
    memref.store %f, %y[%t] : !line
    return
  }
  gpu.func @kernel(%n: index) workgroup(%arena: !arena) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      func.call @f(%arena) : (!arena) -> ()
      gpu.barrier
    }
    gpu.return
  }
}
gpu.module @through_others {
  func.func @f(%arena: !arena) {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : !arena to !line
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : !arena to !line
    // expected-error @+1 {{other threads may still use}}
    memref.store %f, %x[%t] : !line
    gpu.barrier
    // expected-note @+1 {{after this access}}
    memref.store %f, %y[%t] : !line
    return
  }
  func.func private @leaves(%arena: !arena) {
    gpu.barrier
    func.call @f(%arena) : (!arena) -> ()
    return
  }
  func.func private @enters(%arena: !arena) {
    func.call @f(%arena) : (!arena) -> ()
    gpu.barrier
    return
  }
  gpu.func @kernel(%n: index) workgroup(%arena: !arena) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    func.call @leaves(%arena) : (!arena) -> ()
    func.call @enters(%arena) : (!arena) -> ()
    gpu.return
  }
}
gpu.module @ok_through_others {
  func.func @f(%arena: !arena) {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : !arena to !line
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : !arena to !line
    memref.store %f, %x[%t] : !line
    gpu.barrier
    memref.store %f, %y[%t] : !line
    return
  }
  func.func private @leaves(%arena: !arena) {
    gpu.barrier
    func.call @f(%arena) : (!arena) -> ()
    return
  }
  func.func private @enters(%arena: !arena) {
    func.call @f(%arena) : (!arena) -> ()
    gpu.barrier
    return
  }
  gpu.func @kernel(%n: index) workgroup(%arena: !arena) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    func.call @enters(%arena) : (!arena) -> ()
    func.call @leaves(%arena) : (!arena) -> ()
    gpu.return
  }
}
// A recursion runs it any number of times.
gpu.module @recursion {
  func.func @f(%arena: !arena) {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : !arena to !line
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : !arena to !line
    // expected-error @+1 {{other threads may still use}}
    memref.store %f, %x[%t] : !line
    gpu.barrier
    // expected-note @+1 {{after this access}}
    memref.store %f, %y[%t] : !line
    return
  }
  func.func private @itself(%arena: !arena) {
    %c0 = arith.constant 0 : index
    %b = gpu.block_id x
    %p = arith.cmpi eq, %b, %c0 : index
    func.call @f(%arena) : (!arena) -> ()
    scf.if %p {
      gpu.barrier
      func.call @itself(%arena) : (!arena) -> ()
    }
    return
  }
  gpu.func @kernel(%n: index) workgroup(%arena: !arena) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    func.call @itself(%arena) : (!arena) -> ()
    gpu.return
  }
}
// Nobody calls it, that one can see.
gpu.module @uncalled {
  func.func @f(%arena: !arena) {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : !arena to !line
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : !arena to !line
    // expected-error @+1 {{other threads may still use}}
    memref.store %f, %x[%t] : !line
    gpu.barrier
    // expected-note @+1 {{after this access}}
    memref.store %f, %y[%t] : !line
    return
  }
  gpu.func @kernel(%n: index) workgroup(%arena: !arena) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    gpu.return
  }
}

// -----

// Its name is used otherwise.

#wg = #gpu.address_space<workgroup>
!arena = memref<512xi8, #wg>
!line = memref<64xf32, #wg>

gpu.module @by_name {
  func.func @f(%arena: !arena) {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : !arena to !line
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : !arena to !line
    // expected-error @+1 {{other threads may still use}}
    memref.store %f, %x[%t] : !line
    gpu.barrier
    // expected-note @+1 {{after this access}}
    memref.store %f, %y[%t] : !line
    return
  }
  gpu.func @kernel(%n: index) workgroup(%arena: !arena) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    func.call @f(%arena) : (!arena) -> ()
    %g = func.constant @f : (!arena) -> ()
    gpu.return
  }
}
