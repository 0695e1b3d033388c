//===- Frees.h - Deallocations of placed buffers -------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_POINTERS_FREES_H
#define BERTH_LIB_IR_POINTERS_FREES_H

#include "IR/Scope/Scope.h"

/// Rejects buffers of which some deallocation cannot be erased safely.
void berthCheckFrees(BerthScope *scope);

/// True if everything that `value` may point to is (still) to be placed.
bool berthPointsToPlacedOnly(const BerthScope *scope, MlirValue value);

#endif // BERTH_LIB_IR_POINTERS_FREES_H
