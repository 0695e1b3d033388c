//===- Draw.h - What pictures of plans are made of ------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IO_PICTURES_DRAW_H
#define BERTH_LIB_IO_PICTURES_DRAW_H

#include "berth-c/Pack.h"

/// A rectangle of a buffer: at times [lower, upper) it occupies its bytes
/// [low, high), relative to its offset.
typedef struct BerthDrawPiece {
  int64_t lower;
  int64_t upper;
  int64_t low;
  int64_t high;
} BerthDrawPiece;

/// Room for the pieces of any one buffer, which the caller frees. NULL if out
/// of memory.
BerthDrawPiece *berthDrawPieceRoom(const BerthProblemData *problem);
/// The pieces in order of time; empty windows give none. Returns their number.
size_t berthDrawPieces(const BerthBuffer *buffer, BerthDrawPiece *pieces);

/// From `time` on, up to the next point, `load` bytes are live.
typedef struct BerthDrawLoadPoint {
  int64_t time;
  int64_t load;
} BerthDrawLoadPoint;

/// The load over time: points at which it changes, the last with load 0. The
/// caller frees `*points`. False if out of memory; there are no points then.
bool berthDrawLoadCurve(const BerthProblemData *problem,
                        BerthDrawLoadPoint **points, size_t *count);

/// A colour that is calm, and far from those of nearby indices.
typedef struct BerthDrawColor {
  unsigned char red, green, blue;
} BerthDrawColor;
BerthDrawColor berthDrawColor(size_t index, double lightness);

/// "37 B", "984.4 KiB": at most four digits, exact below 10,000.
typedef struct BerthDrawText {
  char text[32];
} BerthDrawText;
BerthDrawText berthDrawBytes(int64_t bytes);

/// A tick of an axis up to `most` with ticks `step` apart: all in one unit.
BerthDrawText berthDrawTick(double bytes, double step, double most);

/// A round distance between ticks, so that about `count` fit into `extent`;
/// for bytes a power of two once that is what their unit counts in.
double berthDrawTickStep(double extent, int count, bool bytes);

#endif // BERTH_LIB_IO_PICTURES_DRAW_H
