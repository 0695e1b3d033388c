//===- SlotTags.h - Slots that transfers fill ahead --------- C -----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A transfer of turn t tells its end in element t mod n of a tag, and each turn
// waits for its own. The turns whose transfers the loop has started and not
// waited for stand behind it, in their order.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_SLOTS_SLOTTAGS_H
#define BERTH_LIB_IR_VERIFY_SLOTS_SLOTTAGS_H

#include "IR/Verify/Slots/SlotCheck.h"

/// Of transfers that are ahead. False, and told, unless all transfers are
/// waited for so, and what uses a slot stands behind its wait.
bool berthCheckSlotTags(const BerthSlotCheck *check);

#endif // BERTH_LIB_IR_VERIFY_SLOTS_SLOTTAGS_H
