//===- VerifyTiles.h - Slices that tiles hold ------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An allocation marked by `berth.tile = 1` holds a slice of content 1 for the
// rest of its block, and copies so marked bring it there and back:
//
//   %v = subview %s[%i]      %s is a place of content 1
//   %t = alloc               %t holds anything
//   copy %v, %t              %t holds the slice
//   exp  outs(%t)            what %v holds is old
//   copy %t, %v              and no longer
//
// To the places of the content such copies are ops like any others: they read
// and write a part of the place (VerifyContents.h). What is to be seen here is
// that who uses the tile finds in it what the slice holds, and that nobody
// notices what the slice does not hold meanwhile.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_TILES_VERIFYTILES_H
#define BERTH_LIB_IR_VERIFY_TILES_VERIFYTILES_H

#include "IR/Verify/Roots/Contents.h"

/// Checks the tiles of the contents of this layer and returns the number of
/// errors, each of which it has emitted.
size_t berthVerifyTiles(const BerthContents *contents, MlirOperation function,
                        BerthCallees *callees, BerthMemory *memory);

#endif // BERTH_LIB_IR_VERIFY_TILES_VERIFYTILES_H
