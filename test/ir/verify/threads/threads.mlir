// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt-berth %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(berth-verify)' -o /dev/null
// berth-verify on memory that the threads of a workgroup share, on plans made
// by hand. %x and %y have bytes in common, %z has none with them. In the names,
// ok_ stands for plans that are right.

#wg = #gpu.address_space<workgroup>
gpu.module @kernels {
  gpu.func @ok_barrier(%out: memref<64xf32>) workgroup(%arena: memref<512xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    memref.store %f, %x[%t] : memref<64xf32, #wg>
    gpu.barrier
    memref.store %f, %y[%t] : memref<64xf32, #wg>
    gpu.return
  }

  gpu.func @no_barrier(%out: memref<64xf32>) workgroup(%arena: memref<512xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    memref.store %f, %x[%t] : memref<64xf32, #wg>
    gpu.barrier
    // expected-note @+1 {{after this access}}
    %v = memref.load %x[%c0] : memref<64xf32, #wg>
    // expected-error @+1 {{touches bytes of the arena that other threads may still use through another buffer: there is a way here without a barrier of the whole workgroup}}
    memref.store %v, %y[%t] : memref<64xf32, #wg>
    gpu.return
  }

  // Nobody minds readers.
  gpu.func @ok_both_read(%out: memref<64xf32>) workgroup(%arena: memref<512xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %v = memref.load %x[%c0] : memref<64xf32, #wg>
    %w = memref.load %y[%c0] : memref<64xf32, #wg>
    gpu.return
  }

  // Disjoint bytes need nothing; the same plan with one offset moved does.
  gpu.func @ok_apart(%out: memref<64xf32>) workgroup(%arena: memref<512xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %z = memref.view %arena[%c256][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    memref.store %f, %x[%t] : memref<64xf32, #wg>
    memref.store %f, %z[%t] : memref<64xf32, #wg>
    gpu.return
  }

  gpu.func @offset_moved(%out: memref<64xf32>) workgroup(%arena: memref<512xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %c252 = arith.constant 252 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %z = memref.view %arena[%c252][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    // expected-note @+1 {{after this access}}
    memref.store %f, %x[%t] : memref<64xf32, #wg>
    // expected-error @+1 {{other threads may still use}}
    memref.store %f, %z[%t] : memref<64xf32, #wg>
    gpu.return
  }

  // One op that does both is run by many threads.
  gpu.func @one_op(%p: i1) workgroup(%arena: memref<512xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    // expected-error @+2 {{reads a buffer while it writes another one}}
    // expected-error @+1 {{other threads may still use}}
    memref.copy %x, %y : memref<64xf32, #wg> to memref<64xf32, #wg>
    gpu.return
  }
}

// -----

// Loops.

#wg = #gpu.address_space<workgroup>
gpu.module @kernels {
  // A barrier in the middle of the body leaves the back edge open.
  gpu.func @back_edge(%n: index) workgroup(%arena: memref<512xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    scf.for %i = %c0 to %n step %c1 {
      // expected-error @+1 {{other threads may still use}}
      memref.store %f, %x[%t] : memref<64xf32, #wg>
      gpu.barrier
      // expected-note @+1 {{after this access}}
      memref.store %f, %y[%t] : memref<64xf32, #wg>
    }
    gpu.return
  }

  gpu.func @ok_two_barriers(%n: index) workgroup(%arena: memref<512xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    scf.for %i = %c0 to %n step %c1 {
      memref.store %f, %x[%t] : memref<64xf32, #wg>
      gpu.barrier
      memref.store %f, %y[%t] : memref<64xf32, #wg>
      gpu.barrier
    }
    gpu.return
  }

  // The loop may run not at all, so the barrier in it is no barrier after it.
  gpu.func @no_iteration(%n: index) workgroup(%arena: memref<512xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    // expected-note @+1 {{after this access}}
    memref.store %f, %x[%t] : memref<64xf32, #wg>
    scf.for %i = %c0 to %n step %c1 {
      gpu.barrier
    }
    // expected-error @+1 {{other threads may still use}}
    memref.store %f, %y[%t] : memref<64xf32, #wg>
    gpu.return
  }

  // From one inner loop's exit round the outer loop to the other's entry.
  gpu.func @loop_reentry(%n: index) workgroup(%arena: memref<512xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    scf.for %o = %c0 to %n step %c1 {
      scf.for %i = %c0 to %n step %c1 {
        // expected-error @+1 {{other threads may still use}}
        memref.store %f, %x[%t] : memref<64xf32, #wg>
      }
      gpu.barrier
      scf.for %i = %c0 to %n step %c1 {
        // expected-note @+1 {{after this access}}
        memref.store %f, %y[%t] : memref<64xf32, #wg>
      }
    }
    gpu.return
  }

  // Threads leave the loop at different times: its barrier is none.
  gpu.func @divergent_loop() workgroup(%arena: memref<512xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    scf.for %i = %c0 to %t step %c1 {
      // expected-error @+2 {{other threads may still use}}
      // expected-note @+1 {{after this access}}
      memref.store %f, %x[%t] : memref<64xf32, #wg>
      gpu.barrier
      // expected-error @+2 {{other threads may still use}}
      // expected-note @+1 {{after this access}}
      memref.store %f, %y[%t] : memref<64xf32, #wg>
      gpu.barrier
    }
    gpu.return
  }

  // A while loop that counts, and one whose end is loaded from memory.
  gpu.func @whiles(%n: index, %m: memref<1xi1>) workgroup(%arena: memref<512xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<32xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<32xf32, #wg>
    %z = memref.view %arena[%c256][] {berth.buffer = 2} : memref<512xi8, #wg> to memref<32xf32, #wg>
    %w = memref.view %arena[%c256][] {berth.buffer = 3} : memref<512xi8, #wg> to memref<32xf32, #wg>
    %r = scf.while (%i = %c0) : (index) -> index {
      %p = arith.cmpi ult, %i, %n : index
      scf.condition(%p) %i : index
    } do {
    ^bb0(%i: index):
      memref.store %f, %x[%t] : memref<32xf32, #wg>
      gpu.barrier
      memref.store %f, %y[%t] : memref<32xf32, #wg>
      gpu.barrier
      %j = arith.addi %i, %c1 : index
      scf.yield %j : index
    }
    scf.while : () -> () {
      %p = memref.load %m[%c0] : memref<1xi1>
      // expected-error @+2 {{other threads may still use}}
      // expected-note @+1 {{after this access}}
      memref.store %f, %z[%t] : memref<32xf32, #wg>
      gpu.barrier
      scf.condition(%p)
    } do {
      // expected-error @+2 {{other threads may still use}}
      // expected-note @+1 {{after this access}}
      memref.store %f, %w[%t] : memref<32xf32, #wg>
      scf.yield
    }
    gpu.return
  }
}

// -----

// Branches.

#wg = #gpu.address_space<workgroup>
gpu.module @kernels {
  // All threads take the same branch.
  gpu.func @ok_uniform(%n: index) workgroup(%arena: memref<512xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %p = arith.cmpi ult, %n, %c0 : index
    scf.if %p {
      memref.store %f, %x[%t] : memref<64xf32, #wg>
      %v = memref.load %x[%c0] : memref<64xf32, #wg>
    } else {
      memref.store %f, %y[%t] : memref<64xf32, #wg>
      %v = memref.load %y[%c0] : memref<64xf32, #wg>
    }
    gpu.return
  }

  // Warp specialisation: each half of the threads is busy in a branch.
  gpu.func @divergent(%n: index) workgroup(%arena: memref<512xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %p = arith.cmpi ult, %t, %c32 : index
    scf.if %p {
      // expected-note @+1 {{after this access}}
      memref.store %f, %x[%t] : memref<64xf32, #wg>
      %v = memref.load %x[%c0] : memref<64xf32, #wg>
    } else {
      // expected-error @+1 {{touches bytes of the arena that other threads, which may have taken another way, use through another buffer at the same time}}
      memref.store %f, %y[%t] : memref<64xf32, #wg>
      // expected-error @+1 {{other threads, which may have taken another way}}
      %v = memref.load %y[%c0] : memref<64xf32, #wg>
    }
    gpu.return
  }

  // A barrier in one of the branches does not help, one behind both does.
  gpu.func @barrier_inside(%n: index) workgroup(%arena: memref<512xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %p = arith.cmpi ult, %t, %c32 : index
    scf.if %p {
      // expected-note @+1 {{after this access}}
      memref.store %f, %x[%t] : memref<64xf32, #wg>
      gpu.barrier
      // expected-error @+1 {{other threads may still use}}
      memref.store %f, %y[%t] : memref<64xf32, #wg>
    }
    gpu.barrier
    memref.store %f, %x[%t] : memref<64xf32, #wg>
    gpu.return
  }

  // A barrier on one of two ways leaves the other open.
  gpu.func @one_way(%n: index) workgroup(%arena: memref<512xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %p = arith.cmpi ult, %n, %c0 : index
    // expected-note @+1 {{after this access}}
    memref.store %f, %x[%t] : memref<64xf32, #wg>
    scf.if %p {
      gpu.barrier
    }
    // expected-error @+1 {{other threads may still use}}
    memref.store %f, %y[%t] : memref<64xf32, #wg>
    gpu.return
  }

  gpu.func @ok_both_ways(%n: index) workgroup(%arena: memref<512xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    memref.store %f, %x[%t] : memref<64xf32, #wg>
    scf.index_switch %n
    case 0 {
      gpu.barrier
      scf.yield
    }
    default {
      gpu.barrier
    }
    memref.store %f, %y[%t] : memref<64xf32, #wg>
    gpu.return
  }
}

// -----

// Blocks.

#wg = #gpu.address_space<workgroup>
gpu.module @kernels {
  // Side by side up to the join; the barrier behind it counts.
  gpu.func @diamond(%n: index) workgroup(%arena: memref<512xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %p = arith.cmpi ult, %t, %c32 : index
    cf.cond_br %p, ^left, ^right
  ^left:
    // expected-note @+1 {{after this access}}
    memref.store %f, %x[%t] : memref<64xf32, #wg>
    cf.br ^join
  ^right:
    // expected-error @+1 {{other threads, which may have taken another way}}
    memref.store %f, %y[%t] : memref<64xf32, #wg>
    cf.br ^join
  ^join:
    gpu.barrier
    memref.store %f, %x[%t] : memref<64xf32, #wg>
    gpu.barrier
    memref.store %f, %y[%t] : memref<64xf32, #wg>
    gpu.return
  }

  gpu.func @ok_uniform_diamond(%n: index) workgroup(%arena: memref<512xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %p = arith.cmpi ult, %n, %c0 : index
    cf.cond_br %p, ^left, ^right
  ^left:
    memref.store %f, %x[%t] : memref<64xf32, #wg>
    cf.br ^join
  ^right:
    memref.store %f, %y[%t] : memref<64xf32, #wg>
    cf.br ^join
  ^join:
    gpu.return
  }

  // Some threads return early: those that stay do not meet them again, and a
  // barrier that not all reach is none.
  gpu.func @early_return(%n: index) workgroup(%arena: memref<512xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %p = arith.cmpi ult, %t, %c32 : index
    // expected-note @+1 {{after this access}}
    memref.store %f, %x[%t] : memref<64xf32, #wg>
    cf.cond_br %p, ^stay, ^leave
  ^stay:
    gpu.barrier
    // expected-error @+1 {{other threads may still use}}
    memref.store %f, %y[%t] : memref<64xf32, #wg>
    gpu.return
  ^leave:
    gpu.return
  }

  // What a divergent branch makes of a value is divergent: the second branch
  // parts the threads too.
  gpu.func @merged(%n: index) workgroup(%arena: memref<512xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %p = arith.cmpi ult, %t, %c32 : index
    cf.cond_br %p, ^merge(%c0 : index), ^merge(%c1 : index)
  ^merge(%m: index):
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
    gpu.return
  }

  // A loop of blocks that all threads run equally often.
  gpu.func @ok_block_loop(%n: index) workgroup(%arena: memref<512xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    cf.br ^head(%c0 : index)
  ^head(%i: index):
    %p = arith.cmpi ult, %i, %n : index
    cf.cond_br %p, ^body, ^exit
  ^body:
    memref.store %f, %x[%t] : memref<64xf32, #wg>
    gpu.barrier
    memref.store %f, %y[%t] : memref<64xf32, #wg>
    gpu.barrier
    %j = arith.addi %i, %c1 : index
    cf.br ^head(%j : index)
  ^exit:
    gpu.return
  }

  // The same loop with as many rounds as the thread's number.
  gpu.func @divergent_block_loop(%n: index) workgroup(%arena: memref<512xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    cf.br ^head(%c0 : index)
  ^head(%i: index):
    %p = arith.cmpi ult, %i, %t : index
    cf.cond_br %p, ^body, ^exit
  ^body:
    // expected-error @+2 {{other threads may still use}}
    // expected-note @+1 {{after this access}}
    memref.store %f, %x[%t] : memref<64xf32, #wg>
    gpu.barrier
    // expected-error @+2 {{other threads may still use}}
    // expected-note @+1 {{after this access}}
    memref.store %f, %y[%t] : memref<64xf32, #wg>
    gpu.barrier
    %j = arith.addi %i, %c1 : index
    cf.br ^head(%j : index)
  ^exit:
    gpu.return
  }
}

// -----

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
    memref.store %f, %x[%tx] : memref<64xf32, #wg>
    gpu.terminator
  }
  return
}

// -----

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

  // Direct loads to LDS share with nobody, before or after.
  gpu.func @gather(%g: memref<64xf32, #gpu.address_space<global>>) workgroup(%arena: memref<512xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
    %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
    // expected-note @+1 {{after this access}}
    memref.store %f, %y[%t] : memref<64xf32, #wg>
    gpu.barrier
    // expected-error @+2 {{touches bytes of the arena that something no barrier orders may still use through another buffer}}
    // expected-note @+1 {{after this access}}
    amdgpu.gather_to_lds %g[%t], %x[%c0] : f32, memref<64xf32, #gpu.address_space<global>>, memref<64xf32, #wg>
    gpu.barrier
    // expected-error @+1 {{something no barrier orders}}
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

// elsewhere it does not; workgroup memory is shared wherever it stands.
func.func @ok_number(%arena: memref<512xi8, 3>, %t: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, 3> to memref<64xf32, 3>
  %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, 3> to memref<64xf32, 3>
  memref.store %f, %x[%t] : memref<64xf32, 3>
  memref.store %f, %y[%t] : memref<64xf32, 3>
  return
}
func.func @elsewhere(%arena: memref<512xi8, #wg>, %t: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %x = memref.view %arena[%c0][] {berth.buffer = 0} : memref<512xi8, #wg> to memref<64xf32, #wg>
  %y = memref.view %arena[%c0][] {berth.buffer = 1} : memref<512xi8, #wg> to memref<64xf32, #wg>
  // expected-error @+2 {{other threads may still use}}
  // expected-note @+1 {{after this access}}
  memref.store %f, %x[%t] : memref<64xf32, #wg>
  // expected-error @+2 {{other threads may still use}}
  // expected-note @+1 {{after this access}}
  memref.store %f, %y[%t] : memref<64xf32, #wg>
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
