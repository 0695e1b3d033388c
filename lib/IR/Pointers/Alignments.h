//===- Alignments.h - The alignment that a buffer's uses need ------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// malloc gives 16 bytes of alignment without being asked, and code relies on
// it: a view of bytes as vectors, an assumption, a library function. In an
// arena a buffer gets what its own type asks for, and the most that any of its
// uses may need:
//
//   - a memref that may point into it: its elements' alignment
//   - an op with an attribute `alignment` that is given one: that many bytes
//   - an op that is described as `aligned`: the same
//   - an op that nobody explains, and an address that is no memref any more:
//     what malloc promised
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_POINTERS_ALIGNMENTS_H
#define BERTH_LIB_IR_POINTERS_ALIGNMENTS_H

#include "IR/Scope/Scope.h"

/// Raises the buffer's alignment to what a value that may point into it, and
/// the ops that are given the value, need.
void berthRaiseAlignment(BerthBufferInfo *buffer, MlirValue alias);

/// Raises it to what malloc would have given.
void berthKeepPromisedAlignment(BerthBufferInfo *buffer);

#endif // BERTH_LIB_IR_POINTERS_ALIGNMENTS_H
