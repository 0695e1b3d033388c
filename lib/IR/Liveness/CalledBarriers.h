//===- CalledBarriers.h - Barriers in called functions ------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A barrier of a target description may stand in a function that is called. If
// that function is one block, all that come to the call come to the barrier.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_LIVENESS_CALLEDBARRIERS_H
#define BERTH_LIB_IR_LIVENESS_CALLEDBARRIERS_H

#include "IR/Ops/PointerMap.h"
#include "mlir-c/IR.h"

#include <stdbool.h>

/// True if the op is a barrier, or surely comes to one in what it calls.
/// `known` keeps what was found of functions.
bool berthOpSurelyMeets(BerthPointerMap *known, MlirOperation op);

/// True if, moreover, nothing in it touches a buffer of its caller behind its
/// last barrier.
bool berthOpEndsInMeeting(BerthPointerMap *known, MlirOperation op);

/// True if nothing stands around the op in a body of one block but loops, so
/// that a barrier in a function that it calls is met in each turn. Elsewhere
/// nothing may count on it: the verifier does not match it either.
bool berthIsInLoopsOnly(MlirOperation op, MlirRegion body);

#endif // BERTH_LIB_IR_LIVENESS_CALLEDBARRIERS_H
