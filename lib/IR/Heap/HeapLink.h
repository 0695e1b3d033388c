//===- HeapLink.h - The heap's functions in a module --------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_HEAP_HEAPLINK_H
#define BERTH_LIB_IR_HEAP_HEAPLINK_H

#include "IR/Heap/HeapJob.h"

/// Makes the heap's functions known around the scope.
BerthStatus berthHeapLink(const BerthHeapJob *job, BerthError *error);

/// The same for a module that only calls the heap by itself: if it declares
/// @berth_heap_open and no scope has brought the functions.
BerthStatus berthHeapLinkDeclared(MlirOperation module,
                                  const BerthHeapOptions *options,
                                  BerthError *error);

/// The linked function that is called; null for any other callee.
MlirOperation berthHeapFindLinked(MlirOperation call);

/// Takes the functions around the scope away again if they are those for
/// SPIR-V, which all kernels have inlined.
void berthHeapUnlinkInlined(MlirOperation scope);

/// True for functions that berthHeapLink has put there.
bool berthHeapIsLinked(MlirOperation function);

#endif // BERTH_LIB_IR_HEAP_HEAPLINK_H
