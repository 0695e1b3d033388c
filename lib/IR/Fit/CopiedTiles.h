//===- CopiedTiles.h - Places in turns that are brought as a whole -- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program copies a part of some memory behind, and only reads the copy. Where
// that has left the fast memory it is brought in again, as a whole:
//
//   %v = subview %x[%i]                  %v = subview %x[%i]
//   %a0 = alloc  (place of 1)            %a0 = alloc  (tile of 1)
//   copy %v, %a0 (move of 1)             copy %v, %a0 (of 1)
//   exp ins(%a0)                         exp ins(%a0)
//   ...                                  ...
//   %a1 = alloc  (place of 1)            %a1 = alloc  (tile of 1)
//   copy %v, %a1 (move of 1)             copy %v, %a1 (of 1)
//   sqrt ins(%a1)                        sqrt ins(%a1)
//
// If nobody writes %x meanwhile, each of these is as good as a tile of a
// content that is all of %x, and a transfer may bring it: places are as long as
// what is moved, and have its layout.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FIT_COPIEDTILES_H
#define BERTH_LIB_IR_FIT_COPIEDTILES_H

#include "IR/Fit/FitLevel.h"
#include "IR/Scope/Job.h"

/// Makes tiles of all such places of the scope, as it is now. Returns of how
/// many contents.
size_t berthFitMakeCopiedTiles(const BerthJob *job, const BerthFitLevel *levels,
                               size_t numLevels);

#endif // BERTH_LIB_IR_FIT_COPIEDTILES_H
