//===- SlotLoads.h - Slots that TMA fills ---------------------- C --------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each slot has an mbarrier of its own, of the same number: slot t mod n is
// loaded for turn t in phase t / n of it, and each phase has as many arrivals
// and bytes as the others. So a wait for number t mod n with parity
// (t / n) mod 2 is over when turn t's loads are, if it was so in each turn
// before.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_SLOTS_SLOTLOADS_H
#define BERTH_LIB_IR_VERIFY_SLOTS_SLOTLOADS_H

#include "IR/Verify/Slots/SlotCheck.h"

/// Phases, arrivals, waits, barriers, and where slots begin.
bool berthCheckSlotLoads(const BerthSlotCheck *check);

#endif // BERTH_LIB_IR_VERIFY_SLOTS_SLOTLOADS_H
