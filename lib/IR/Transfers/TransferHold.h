//===- TransferHold.h - Buffers that transfers still use ------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_TRANSFERS_TRANSFERHOLD_H
#define BERTH_LIB_IR_TRANSFERS_TRANSFERHOLD_H

#include "IR/Scope/Points.h"
#include "IR/Scope/Scope.h"

/// Extends the segments of every buffer that a transfer (Transfers.h) uses.
void berthScopeHoldTransfers(BerthScope *scope, const BerthPoints *points,
                             const char *breakRule);

#endif // BERTH_LIB_IR_TRANSFERS_TRANSFERHOLD_H
