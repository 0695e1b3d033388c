//===- HeapWords.h - Blocks of a heap without pointers -------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_HEAP_HEAPWORDS_H
#define BERTH_LIB_IR_HEAP_HEAPWORDS_H

#include "IR/Heap/HeapJob.h"

/// The first use of a block, or of what a slot holds, that cannot become one of
/// words; null if all can.
MlirOperation berthHeapFindOtherUse(const BerthHeapJob *job, MlirValue value);

/// Checks that the scope's slots can become words.
BerthStatus berthHeapCheckSlots(const BerthHeapJob *job, BerthError *error);

/// Turns all loads and stores through `value` into accesses of the arena's
/// words behind `address`, an i32; where it is put into a slot, the address is.
void berthHeapUseWords(const BerthHeapJob *job, MlirValue value,
                       MlirValue address);

/// Turns the scope's slots, arguments whose elements are memrefs, into
/// arguments of words, and what is loaded from there into addresses.
void berthHeapChangeSlots(BerthHeapJob *job);

#endif // BERTH_LIB_IR_HEAP_HEAPWORDS_H
