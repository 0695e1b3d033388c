//===- HeapArena.h - The arena that a scope's heap lives in -------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_HEAP_HEAPARENA_H
#define BERTH_LIB_IR_HEAP_HEAPARENA_H

#include "IR/Heap/HeapJob.h"

/// The form that the scope's arena takes, its bytes, and the ops that make it.
BerthStatus berthHeapCheckArena(const BerthHeapJob *job, BerthError *error);

/// Says so where a kernel's marked argument is of no use.
void berthHeapWarnOfArena(const BerthHeapJob *job);
int64_t berthHeapArenaBytes(const BerthHeapJob *job);
int64_t berthHeapArenaAlignment(const BerthHeapJob *job);
void berthHeapCreateArena(BerthHeapJob *job);

/// The memory space of a marked argument; false if there is none.
bool berthHeapFindArenaSpace(const BerthHeapJob *job, MlirAttribute *space);

/// True if the arena is an argument of words: then what is allocated there can
/// be no memref, and its accesses become accesses of words (HeapWords.c).
bool berthHeapHasWordsOnly(const BerthHeapJob *job);

#endif // BERTH_LIB_IR_HEAP_HEAPARENA_H
