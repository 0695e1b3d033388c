//===- ElementPlaces.h - Where the elements of accesses lie --------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which bytes of a buffer an op takes, as a program over the variables of the
// loops around it. The op may be given a view of the buffer, or a view of one:
// parts at places that loops compute, other shapes, other layouts.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_BYTES_ELEMENTPLACES_H
#define BERTH_LIB_IR_VERIFY_BYTES_ELEMENTPLACES_H

#include "IR/Verify/Bytes/IndexPrograms.h"
#include "IR/Verify/Roots/Access.h"

/// `count` elements of some bytes each; the first one begins `byteStride` bytes
/// ahead of the second one.
typedef struct BerthElementPlace {
  int at; ///< a node: the first byte, counted from the buffer's first
  int64_t count;
  int64_t byteStride;
  int64_t elementBytes;
} BerthElementPlace;

/// False where an op takes more than an element, or a vector of some of one
/// dimension, or where its place does not follow from the loops' variables
/// alone.
bool berthElementPlaceOf(BerthIndexProgram *program, const BerthViews *views,
                         const BerthRootAccess *access,
                         BerthElementPlace *place);

#endif // BERTH_LIB_IR_VERIFY_BYTES_ELEMENTPLACES_H
