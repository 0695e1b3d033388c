//===- Boxes.c - Jobs in boxes in boxes ----------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Baselines/Boxes.h"

#include "Support/Sort.h"

#include <string.h>

void berthJobsPush(BerthBoxes *boxes, BerthJobs *list, uint32_t job) {
  if (berthMemoryReserve(boxes->arena, &list->data, &list->room,
                         list->count + 1)) // else the arena remembers
    list->data[list->count++] = job;
}

void berthJobsAppend(BerthBoxes *boxes, BerthJobs *list,
                     const BerthJobs *more) {
  for (uint32_t i = 0; i < more->count; ++i)
    berthJobsPush(boxes, list, more->data[i]);
}

uint32_t berthBoxesAdd(BerthBoxes *boxes, BerthJob job) {
  if (!berthMemoryReserve(boxes->arena, &boxes->jobs, &boxes->room,
                          boxes->count + 1))
    return 0;
  boxes->jobs[boxes->count] = job;
  return boxes->count++;
}

uint32_t berthBoxesWrap(BerthBoxes *boxes, BerthJobs contents, double height) {
  BerthJob box = {.height = height,
                  .birth = UINT32_MAX,
                  .item = UINT32_MAX,
                  .contents = contents};
  for (uint32_t i = 0; i < contents.count; ++i) {
    const BerthJob *job = &boxes->jobs[contents.data[i]];
    box.birth = job->birth < box.birth ? job->birth : box.birth;
    box.death = job->death > box.death ? job->death : box.death;
  }
  return berthBoxesAdd(boxes, box);
}

// A positive double's bits sort as the double does.
static uint64_t bitsOf(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

typedef enum JobKey { BY_BIRTH, BY_DEATH, BY_HEIGHT_DOWN } JobKey;

static void sortJobs(BerthBoxes *boxes, BerthJobs *list, JobKey key) {
  if (list->count < 2)
    return;
  BerthMemoryMark mark = berthMemoryGetMark(boxes->arena);
  BerthSorting sorting;
  if (berthSortingInit(&sorting, list->count, boxes->arena)) {
    for (uint32_t i = 0; i < list->count; ++i) {
      const BerthJob *job = &boxes->jobs[list->data[i]];
      sorting.keys[i] = key == BY_BIRTH   ? job->birth
                        : key == BY_DEATH ? job->death
                                          : ~bitsOf(job->height);
    }
    berthSort(&sorting);
    for (uint32_t i = 0; i < list->count; ++i)
      sorting.scratch[i] = list->data[sorting.order[i]];
    memcpy(list->data, sorting.scratch, list->count * sizeof *list->data);
  }
  berthMemoryRelease(boxes->arena, mark);
}

void berthJobsSort(BerthBoxes *boxes, BerthJobs *list, bool byDeath) {
  sortJobs(boxes, list, byDeath ? BY_DEATH : BY_BIRTH);
}

uint32_t berthJobsColor(BerthBoxes *boxes, BerthJobs *list, uint32_t *rows) {
  BerthMemoryMark mark = berthMemoryGetMark(boxes->arena);
  uint32_t *ends = BERTH_MEMORY_NEW(boxes->arena, uint32_t, list->count);
  uint32_t count = 0;
  berthJobsSort(boxes, list, false);
  for (uint32_t i = 0; ends && i < list->count; ++i) {
    const BerthJob *job = &boxes->jobs[list->data[i]];
    uint32_t row = 0;
    while (row < count && ends[row] > job->birth)
      ++row;
    count += row == count;
    ends[row] = job->death;
    rows[i] = row;
  }
  berthMemoryRelease(boxes->arena, mark);
  return count;
}

// Opens jobs of one height, which are neighbours in the list, into rows.
static double openRows(BerthBoxes *boxes, BerthJobs *same, double offset,
                       double *offsets) {
  uint32_t *rows = BERTH_MEMORY_NEW(boxes->arena, uint32_t, same->count);
  if (!rows || same->count == 0)
    return offset;
  double height = boxes->jobs[same->data[0]].height;
  uint32_t count = berthJobsColor(boxes, same, rows);
  for (uint32_t i = 0; i < same->count; ++i) {
    const BerthJob *job = &boxes->jobs[same->data[i]];
    double at = offset + height * rows[i];
    if (job->item != UINT32_MAX)
      offsets[job->item] = at;
    else
      berthBoxesOpen(boxes, &job->contents, at, offsets);
  }
  return offset + height * count;
}

static bool neverMeet(BerthBoxes *boxes, BerthJobs *list) {
  berthJobsSort(boxes, list, false);
  for (uint32_t i = 1; i < list->count; ++i)
    if (boxes->jobs[list->data[i]].birth < boxes->jobs[list->data[i - 1]].death)
      return false;
  return true;
}

void berthBoxesOpen(BerthBoxes *boxes, const BerthJobs *list, double offset,
                    double *offsets) {
  BerthJobs own = {0};
  berthJobsAppend(boxes, &own, list);
  bool alone = neverMeet(boxes, &own);
  sortJobs(boxes, &own, BY_HEIGHT_DOWN);
  for (uint32_t i = 0, j; i < own.count; i = j) {
    double height = boxes->jobs[own.data[i]].height;
    for (j = i + 1; j < own.count && boxes->jobs[own.data[j]].height >= height;)
      ++j;
    BerthJobs same = {own.data + i, j - i, j - i};
    double top = openRows(boxes, &same, offset, offsets);
    offset = alone ? offset : top;
  }
}
