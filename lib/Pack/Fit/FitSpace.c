//===- FitSpace.c - What a fast memory has room for ----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Fit/FitSpace.h"

#include "Support/Checked.h"
#include "Support/Sort.h"

#include <stdlib.h>
#include <string.h>

bool berthFitSpaceInit(BerthFitSpace *space, const BerthProblemData *problem,
                       int64_t unit, BerthMemory *memory) {
  size_t count = problem->numReserved;
  BerthRange *reserved = BERTH_MEMORY_NEW(memory, BerthRange, count + 1);
  *space = (BerthFitSpace){.unit = unit, .capacity = problem->capacity};
  space->runs = BERTH_MEMORY_NEW(memory, BerthRange, count + 1);
  if (memory->failed)
    return false;
  if (count) {
    memcpy(reserved, problem->reserved, count * sizeof *reserved);
    qsort(reserved, count, sizeof *reserved, berthCompareFirst);
  }
  int64_t from = 0; // they may overlap
  for (size_t i = 0; i < count; ++i) {
    if (reserved[i].lower > from)
      space->runs[space->numRuns++] = (BerthRange){from, reserved[i].lower};
    if (reserved[i].upper > from)
      from = reserved[i].upper;
  }
  space->runs[space->numRuns++] = (BerthRange){from, INT64_MAX};
  return true;
}

/// Rounded up, or INT64_MAX where that is too large.
static int64_t roundUp(int64_t value, int64_t alignment) {
  int64_t most = INT64_MAX - INT64_MAX % alignment;
  return value <= most ? berthRoundUp(value, alignment) : INT64_MAX;
}

static int64_t roomIn(const BerthFitSpace *space, BerthRange run,
                      int64_t rounded) {
  int64_t from = roundUp(run.lower, space->unit);
  int64_t to =
      berthRoundDown(berthAddSaturating(run.upper, rounded), space->unit);
  return to > from ? to - from : 0;
}

int64_t berthFitSpaceRoom(const BerthFitSpace *space, int64_t rounded) {
  int64_t room = 0;
  for (size_t i = 0; i < space->numRuns; ++i) {
    BerthRange run = space->runs[i];
    if (run.lower >= space->capacity)
      break;
    if (run.upper > space->capacity)
      run.upper = space->capacity;
    room = berthAddSaturating(room, roomIn(space, run, rounded));
  }
  return room;
}

int64_t berthFitSpaceNeeded(const BerthFitSpace *space, int64_t bytes,
                            int64_t rounded) {
  if (bytes <= 0)
    return 0;
  for (size_t i = 0;; ++i) {
    BerthRange run = space->runs[i];
    int64_t room = roomIn(space, run, rounded);
    if (bytes <= room || i + 1 == space->numRuns) {
      int64_t from = roundUp(run.lower, space->unit);
      return berthAddSaturating(from, bytes) - rounded;
    }
    bytes -= room;
  }
}

int64_t berthFitSpaceNeededAlone(const BerthFitSpace *space, int64_t size,
                                 int64_t alignment) {
  for (size_t i = 0;; ++i) {
    BerthRange run = space->runs[i];
    int64_t top = berthAddSaturating(roundUp(run.lower, alignment), size);
    if (top <= run.upper || i + 1 == space->numRuns)
      return top;
  }
}
