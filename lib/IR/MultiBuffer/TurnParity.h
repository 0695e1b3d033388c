//===- TurnParity.h - Waits for the phase of their turn ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_MULTIBUFFER_TURNPARITY_H
#define BERTH_LIB_IR_MULTIBUFFER_TURNPARITY_H

#include "mlir-c/IR.h"

#include <stdbool.h>

/// True if the wait for an mbarrier in the body of a scf.for is given the
/// parity of the number of the turn: a bit that the loop carries, false at
/// first and turned in each turn, or what is computed from its variable.
bool berthWaitsForPhaseOfTurn(MlirOperation loop, MlirOperation wait);

#endif // BERTH_LIB_IR_MULTIBUFFER_TURNPARITY_H
