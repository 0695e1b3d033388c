//===- BottomLeft.c - A packer in a shared object ------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The smallest useful packer: items in the order of their first section, each
// at the lowest offset that its neighbours leave. It is built against the
// header alone and links nothing of Berth: all it may ask arrives in the host's
// table.
//
//   cc -std=c17 -shared -fPIC -I include BottomLeft.c -o BottomLeft.so
//   berth-pack --packer-plugin=./BottomLeft.so input.csv
//
//===---------------------------------------------------------------------===//

#include "berth-c/Packer.h"

enum { kMostConflicts = 64 };

// Moves `offset` past the first forbidden range that it lies in; false if there
// is none. A pair's ranges are those of offset(j) - offset(i).
static bool pushUp(const BerthTask *task, const BerthHost *host,
                   const int64_t *offsets, uint32_t item, uint32_t other,
                   int64_t *offset) {
  BerthRange ranges[kMostConflicts];
  size_t count =
      host->conflicts(host->context, other, item, ranges, kMostConflicts);
  if (count > kMostConflicts) { // too many to look at: stay above it
    ranges[0] = (BerthRange){-task->sizes[item], task->sizes[other]};
    count = 1;
  }
  for (size_t i = 0; i < count; ++i) {
    int64_t distance = *offset - offsets[other];
    if (ranges[i].lower < distance && distance < ranges[i].upper) {
      int64_t next = offsets[other] + ranges[i].upper;
      int64_t alignment = task->alignments[item];
      *offset = (next + alignment - 1) / alignment * alignment;
      return true;
    }
  }
  return false;
}

static int64_t lowestOffset(const BerthTask *task, const BerthHost *host,
                            const int64_t *offsets, uint32_t item,
                            const uint32_t *near, size_t count) {
  int64_t offset = 0;
  for (bool moved = true; moved;) { // each round pushes it up or is the last
    moved = false;
    for (size_t i = 0; i < count; ++i)
      if (offsets[near[i]] != BERTH_NONE)
        moved |= pushUp(task, host, offsets, item, near[i], &offset);
    host->step(host->context, count);
  }
  return offset;
}

// The first item by section that has no offset yet.
static uint32_t nextItem(const BerthTask *task, const int64_t *offsets) {
  uint32_t next = UINT32_MAX;
  for (uint32_t i = 0; i < task->numItems; ++i)
    if (offsets[i] == BERTH_NONE &&
        (next == UINT32_MAX || task->lowers[i] < task->lowers[next]))
      next = i;
  return next;
}

static BerthStatus pack(const BerthPacker *self, const BerthTask *task,
                        const BerthHost *host, BerthAnswer *answer) {
  (void)self;
  uint32_t *near = host->allocate(host->context, task->numItems * sizeof *near);
  if (!near)
    return BERTH_RESOURCE;
  for (uint32_t placed = 0; placed < task->numItems; ++placed) {
    uint32_t item = nextItem(task, answer->offsets);
    size_t count = host->neighbours(host->context, item, near, task->numItems);
    answer->offsets[item] =
        lowestOffset(task, host, answer->offsets, item, near, count);
  }
  return BERTH_SUCCESS;
}

static const BerthPacker kPacker = {
    .version = BERTH_PACKER_ABI,
    .size = sizeof(BerthPacker),
    .name = "bottom-left",
    .summary = "by first section, each at its lowest offset (an example)",
    .capabilities = BERTH_CAN_SEGMENTS | BERTH_CAN_GAPS | BERTH_CAN_ALIGNMENT |
                    BERTH_CAN_HARD_EDGES,
    .pack = pack,
    .traits = BERTH_PACKER_ONE_SHOT,
};

BERTH_EXPORT const BerthPacker *berthPackerPlugin(uint32_t abi);

const BerthPacker *berthPackerPlugin(uint32_t abi) {
  return abi >= BERTH_PACKER_ABI ? &kPacker : NULL;
}
