//===- NextRun.h - Buffers that are not over when they are made anew - C --===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An allocation in a loop gives each turn a buffer of its own. In an arena they
// all have one place. So where several runners (CoreHold.h) touch it, and on
// some way no barrier comes between an access and the allocation in the next
// turn, one runner may be at work in the last turn's buffer while another has
// begun with the next one's:
//
//   scf.for {
//     %b = memref.alloc()      the program, turn i + 1
//     fill %b
//     barrier
//     send %b                  a unit, still in turn i
//   }
//
// The end of the function is such a place, too: its next call, and whoever else
// gets the bytes then. What the program itself does has ended there, unless a
// unit, or another core, uses the buffer as well.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_CORES_NEXTRUN_H
#define BERTH_LIB_IR_CORES_NEXTRUN_H

#include "IR/Scope/Points.h"
#include "IR/Scope/Scope.h"

/// Who touches one buffer.
typedef struct BerthTouchers {
  bool areSeveral; ///< runners
  bool goOn;       ///< one of them is no program that waits for its own ops
} BerthTouchers;

/// Leaves buffers alone that may be in use when they are made anew, or when
/// their function returns. `touchers` tells of each buffer of the scope. Unless
/// `isInStep`, one core may be turns ahead of another, whatever barriers it has
/// come to.
void berthRejectUnfinished(BerthScope *scope, const BerthPoints *points,
                           const BerthTouchers *touchers, bool isInStep,
                           const char *breakRule);

#endif // BERTH_LIB_IR_CORES_NEXTRUN_H
