//===- Boxes.h - Jobs in boxes in boxes ---------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// What the packer `boxing` (Boxing.c) works on: jobs, which are items or boxes
// of other jobs, and the way back from boxes to offsets. Times are twice the
// sections, so that every job has a point strictly inside. Heights and offsets
// of boxes are doubles, since they only serve to order items.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_BASELINES_BOXES_H
#define BERTH_LIB_PACK_BASELINES_BOXES_H

#include "Support/BumpMemory.h"
#include "berth-c/Packer.h"

/// Job numbers.
typedef struct BerthJobs {
  uint32_t *data;
  uint32_t count;
  size_t room;
} BerthJobs;

typedef struct BerthJob {
  double height;
  uint32_t birth;
  uint32_t death;
  uint32_t item;      ///< UINT32_MAX: a box, or the dummy
  BerthJobs contents; ///< of a box
} BerthJob;

/// All jobs of one life; memory is the arena's.
typedef struct BerthBoxes {
  BerthMemory *arena;
  BerthJob *jobs;
  uint32_t count;
  size_t room;
} BerthBoxes;

static inline bool berthIsLiveAt(const BerthJob *job, uint32_t time) {
  return job->birth < time && time < job->death;
}

void berthJobsPush(BerthBoxes *boxes, BerthJobs *list, uint32_t job);
void berthJobsAppend(BerthBoxes *boxes, BerthJobs *list, const BerthJobs *more);
/// Adds a job and returns its number.
uint32_t berthBoxesAdd(BerthBoxes *boxes, BerthJob job);
/// Adds a box around jobs, of this height.
uint32_t berthBoxesWrap(BerthBoxes *boxes, BerthJobs contents, double height);

/// Sorts by birth, or by death; ties keep their order.
void berthJobsSort(BerthBoxes *boxes, BerthJobs *list, bool byDeath);

/// Interval colouring: sorts `list` by birth and writes for each of its places
/// the lowest row that is free then. Returns the number of rows.
uint32_t berthJobsColor(BerthBoxes *boxes, BerthJobs *list, uint32_t *rows);

/// Writes the offset of each item in `list`, boxes opened, from `offset` up.
/// Jobs of one height go into rows; others are taken by height, highest first.
void berthBoxesOpen(BerthBoxes *boxes, const BerthJobs *list, double offset,
                    double *offsets);

#endif // BERTH_LIB_PACK_BASELINES_BOXES_H
