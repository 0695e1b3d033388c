//===- LoopCarried.h - Allocations whose last instance may live on -- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// An allocation that runs again (in a loop) makes a new instance. If a value
// that may point to the instance before can still be used then, the buffer
// interferes with itself: one range of bytes cannot hold both. Whether it can
// is ordinary liveness of that value at the allocation: the next use must be
// reached without passing the value's own definition.
//
//   scf.for iter_args(%prev = %init) {
//     %next = memref.alloc()            <- %prev is live here: two instances
//     linalg.op ins(%prev) outs(%next)
//     scf.yield %next
//   }
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_POINTERS_LOOPCARRIED_H
#define BERTH_LIB_IR_POINTERS_LOOPCARRIED_H

#include "IR/Scope/Points.h"
#include "IR/Scope/Scope.h"

/// True if the buffer may be live twice at a time. With `freesGo` its
/// deallocations will be erased, and using an instance only to free it, or to
/// decide on that, does not count; `root` is what the pass runs on.
bool berthIsCarried(const BerthPoints *points, const BerthBufferInfo *buffer,
                    bool freesGo, MlirOperation root);

#endif // BERTH_LIB_IR_POINTERS_LOOPCARRIED_H
