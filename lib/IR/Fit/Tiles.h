//===- Tiles.h - Slices of what stays out -------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop may need a buffer slice by slice. Then the buffer can lie in the slow
// memory, and each turn has a *tile* of its slice in the fast one:
//
//   scf.for %i                       scf.for %i
//     %v = subview %a[%i]              %v = subview %s[%i]
//     exp ins(%v) outs(%w)             %t = alloc
//                                      copy %v, %t        what it held
//                                      exp ins(%t) outs(%w)
//                                      copy %t, %v        what was written
//
// A tile begins and ends in one run of a block, and nothing of it is left
// then: the slow memory has it all. So turns have nothing to do with each
// other, and a loop may have none. In between nobody may write to what the tile
// holds but through the tile, nor read what was written there. So of two slices
// that are open at one time, neither is written, be they parts of each other or
// not.
//
// The block is the one of the subview, or one around it, where the loops in
// between are sure to have a turn and nothing of the slice depends on them.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FIT_TILES_H
#define BERTH_LIB_IR_FIT_TILES_H

#include "IR/Fit/FitJob.h"

/// Fills in `tiles` of the uses that touch the buffer in slices only. Needs the
/// uses, and the source if there is one.
void berthFitFindTiles(const BerthJob *job, BerthFitBuffer *buffer,
                       BerthMemory *memory);

/// What a use moves and takes if it is served by slices, in one run of the
/// buffer's block.
typedef struct BerthFitSlices {
  int64_t bytes; ///< of the fast memory, at a time
  double bytesIn;
  double bytesOut;
  double moves;
  bool isKnown; ///< no length of a loop had to be guessed
} BerthFitSlices;

BerthFitSlices berthFitSlicesOf(const BerthFitBuffer *buffer,
                                const BerthFitUse *use);

/// True if the alias shows the slice, or a part of it, in the runs of the
/// tile's block.
bool berthFitIsInTile(const BerthBufferInfo *info, const BerthFitTile *tile,
                      MlirOperation use, MlirValue alias);

/// A tile in the program.
typedef struct BerthFitOpenTile {
  MlirValue slice;    ///< in the slow memory
  MlirValue whole;    ///< the tile
  MlirOperation fill; ///< or null
  MlirAttribute number;
} BerthFitOpenTile;

/// Allocates it in the memory `space`, and brings in what it held in `place`.
/// Marks have the number.
BerthFitOpenTile berthFitOpenTile(const BerthBufferInfo *info,
                                  const BerthFitTile *tile, MlirValue place,
                                  MlirAttribute space, MlirAttribute number);

/// What `user` is given of the tile instead of such an alias.
MlirValue berthFitViewInTile(const BerthBufferInfo *info, MlirValue alias,
                             MlirValue whole, MlirOperation user);

/// Frees it, and with `returns` takes out what it holds.
void berthFitCloseTile(const BerthFitTile *tile, const BerthFitOpenTile *open,
                       bool returns);

#endif // BERTH_LIB_IR_FIT_TILES_H
