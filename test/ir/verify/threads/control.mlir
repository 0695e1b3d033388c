// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt-berth %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(berth-verify)' -o /dev/null
// berth-verify on memory that the threads of a workgroup share, on plans made
// by hand: loops, branches and blocks. %x and %y have bytes in common,
// %z has none with them. In the names, ok_ stands for plans that are right.

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
