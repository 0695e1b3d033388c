//===- Draw.c - What pictures of plans are made of ------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "IO/Pictures/Draw.h"
#include "Support/Allocate.h"
#include "Support/Sort.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

//===---------------------------------------------------------------------===//
// Pieces
//===---------------------------------------------------------------------===//

static size_t maxPieces(const BerthBuffer *buffer) {
  return buffer->numSegments + 2 * buffer->numGaps;
}

BerthDrawPiece *berthDrawPieceRoom(const BerthProblemData *problem) {
  size_t most = 0;
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    size_t count = maxPieces(&problem->buffers[i]);
    most = count > most ? count : most;
  }
  return berthZeroed(most, sizeof(BerthDrawPiece));
}

static size_t addPiece(BerthDrawPiece *pieces, size_t count,
                       BerthDrawPiece piece) {
  if (piece.lower >= piece.upper || piece.low >= piece.high)
    return count;
  pieces[count] = piece;
  return count + 1;
}

size_t berthDrawPieces(const BerthBuffer *buffer, BerthDrawPiece *pieces) {
  size_t count = 0;
  size_t gap = 0;
  for (size_t i = 0; i < buffer->numSegments; ++i) {
    BerthSegment segment = buffer->segments[i];
    int64_t time = segment.lower;
    for (; gap < buffer->numGaps && buffer->gaps[gap].upper <= segment.upper;
         ++gap) {
      const BerthGap *at = &buffer->gaps[gap];
      count = addPiece(pieces, count,
                       (BerthDrawPiece){time, at->lower, 0, buffer->size});
      count = addPiece(pieces, count,
                       (BerthDrawPiece){at->lower, at->upper, at->windowLower,
                                        at->windowUpper});
      time = at->upper;
    }
    count = addPiece(pieces, count,
                     (BerthDrawPiece){time, segment.upper, 0, buffer->size});
  }
  return count;
}

//===---------------------------------------------------------------------===//
// Load
//===---------------------------------------------------------------------===//

/// Each piece as two changes of the load, in an array with room for all.
static size_t collectChanges(const BerthProblemData *problem,
                             BerthDrawPiece *pieces,
                             BerthDrawLoadPoint *changes) {
  size_t count = 0;
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    size_t numPieces = berthDrawPieces(&problem->buffers[i], pieces);
    for (size_t k = 0; k < numPieces; ++k) {
      int64_t bytes = pieces[k].high - pieces[k].low;
      changes[count++] = (BerthDrawLoadPoint){pieces[k].lower, bytes};
      changes[count++] = (BerthDrawLoadPoint){pieces[k].upper, -bytes};
    }
  }
  return count;
}

bool berthDrawLoadCurve(const BerthProblemData *problem,
                        BerthDrawLoadPoint **points, size_t *count) {
  size_t most = 0;
  for (size_t i = 0; i < problem->numBuffers; ++i)
    most += 2 * maxPieces(&problem->buffers[i]);
  BerthDrawPiece *pieces = berthDrawPieceRoom(problem);
  *points = pieces ? berthZeroed(most, sizeof **points) : NULL;
  *count = 0;
  if (!*points) {
    free(pieces);
    return false;
  }
  size_t numChanges = collectChanges(problem, pieces, *points);
  free(pieces);
  qsort(*points, numChanges, sizeof **points, berthCompareFirst);
  // Unsigned: the order of changes within one time is arbitrary, and only the
  // sum after the last of them is bounded by the load.
  uint64_t load = 0;
  for (size_t i = 0; i < numChanges; ++i) {
    load += (uint64_t)(*points)[i].load;
    if (i + 1 < numChanges && (*points)[i + 1].time == (*points)[i].time)
      continue;
    (*points)[(*count)++] =
        (BerthDrawLoadPoint){(*points)[i].time, (int64_t)load};
  }
  return true;
}

//===---------------------------------------------------------------------===//
// Looks
//===---------------------------------------------------------------------===//

/// One channel of a colour given by hue (in turns), saturation and lightness.
static unsigned char channel(double hue, double saturation, double lightness,
                             double shift) {
  double position = fmod(shift + hue * 12.0, 12.0);
  double slope = fmin(fmin(position - 3.0, 9.0 - position), 1.0);
  double spread = saturation * fmin(lightness, 1.0 - lightness);
  return (unsigned char)(255.0 * (lightness - spread * fmax(slope, -1.0)) +
                         0.5);
}

BerthDrawColor berthDrawColor(size_t index, double lightness) {
  // Steps of the golden ratio spread the hues evenly, however many there are.
  double hue = fmod(0.56 + (double)(index % 100000) * 0.61803398874989485, 1.0);
  double saturation = 0.52;
  return (BerthDrawColor){channel(hue, saturation, lightness, 0.0),
                          channel(hue, saturation, lightness, 8.0),
                          channel(hue, saturation, lightness, 4.0)};
}

static const char *const units[] = {"B",   "KiB", "MiB", "GiB",
                                    "TiB", "PiB", "EiB"};

BerthDrawText berthDrawTick(double bytes, double step, double most) {
  BerthDrawText result;
  int unit = 0;
  double scale = 1.0;
  for (; most >= 10000.0 && most / scale >= 1024.0 && unit < 6; ++unit)
    scale *= 1024.0;
  int decimals = 0; // steps are powers of two
  for (double part = step / scale; part < 1.0 && decimals < 3; part *= 2.0)
    ++decimals;
  snprintf(result.text, sizeof result.text, "%.*f %s", decimals, bytes / scale,
           units[unit]);
  return result;
}

BerthDrawText berthDrawBytes(int64_t bytes) {
  BerthDrawText result;
  if (bytes < 10000) {
    snprintf(result.text, sizeof result.text, "%" PRId64 " B", bytes);
    return result;
  }
  double value = (double)bytes;
  int unit = 0;
  for (; value >= 1024.0 && unit < 6; ++unit)
    value /= 1024.0;
  int decimals = value == floor(value) ? 0 : value < 10.0 ? 2 : 1;
  snprintf(result.text, sizeof result.text, "%.*f %s", decimals, value,
           units[unit]);
  return result;
}

double berthDrawTickStep(double extent, int count, bool bytes) {
  double rough = extent / count;
  if (rough <= 1.0)
    return 1.0;
  if (bytes && rough > 256.0)
    return exp2(ceil(log2(rough) - 0.25));
  double magnitude = pow(10.0, floor(log10(rough)));
  double digits = rough / magnitude;
  return magnitude * (digits < 1.5   ? 1.0
                      : digits < 3.5 ? 2.0
                      : digits < 7.5 ? 5.0
                                     : 10.0);
}
