//===- SlotThreads.h - Slots that many threads fill --------- C -----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of what the threads of a kernel copy asynchronously. A turn makes `g` groups
// at fixed places. What turn t uses was put into a group n turns before, so
// that n * g groups and those of the turn itself up to a wait are newer, less
// those that were made in front of its own in its turn.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_SLOTS_SLOTTHREADS_H
#define BERTH_LIB_IR_VERIFY_SLOTS_SLOTTHREADS_H

#include "IR/Verify/Slots/SlotCheck.h"

/// False, and told, unless a wait of the turn covers what it uses, all threads
/// have left a slot before it is filled again, the source is settled in front
/// of the loop, nothing is under way behind it, and the copies of a turn fill
/// all that is read there.
bool berthCheckSlotThreads(const BerthSlotCheck *check);

#endif // BERTH_LIB_IR_VERIFY_SLOTS_SLOTTHREADS_H
