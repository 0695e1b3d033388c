//===- PairTable.c - Which offsets forbid which --------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Place/PairTable.h"

#include "Pack/Task/Overlap.h"

enum { kMostEntries = 1 << 20 };

typedef struct Builder {
  const BerthTask *task;
  BerthMemory *arena;
  BerthOverlapIndex index;
  uint32_t *found;
  BerthRange *ranges;
  size_t rangeRoom;
  BerthPairTable *table;
  size_t count;
  size_t room;
} Builder;

// False without memory, and where there are too many.
static bool addPair(Builder *builder, uint32_t item, uint32_t other) {
  size_t count =
      berthItemConflicts(builder->task, other, item, &builder->ranges,
                         &builder->rangeRoom, builder->arena);
  BerthPairTable *table = builder->table;
  if (count > kMostEntries - builder->count ||
      !berthMemoryReserve(builder->arena, &table->entries, &builder->room,
                          builder->count + count))
    return false;
  for (size_t i = 0; i < count; ++i) // what lies strictly between
    table->entries[builder->count++] = (BerthForbidden){
        other, builder->ranges[i].lower + 1, builder->ranges[i].upper};
  return true;
}

static bool addItem(Builder *builder, uint32_t item) {
  const BerthTask *task = builder->task;
  size_t found = berthOverlapQuery(&builder->index, task->lowers[item],
                                   task->uppers[item], builder->found);
  for (size_t i = 0; i < found; ++i)
    if (builder->found[i] != item && !addPair(builder, item, builder->found[i]))
      return false;
  for (uint32_t at = task->hardBegin[item]; at < task->hardBegin[item + 1];
       ++at)
    if (!berthItemsMeet(task, item, task->hardEdges[at]) &&
        !addPair(builder, item, task->hardEdges[at]))
      return false;
  builder->table->begin[item + 1] = builder->count;
  return true;
}

const BerthPairTable *berthPairTableCreate(const BerthTask *task,
                                           BerthMemory *arena) {
  uint32_t n = task->numItems;
  Builder builder = {.task = task, .arena = arena};
  builder.table = BERTH_MEMORY_NEW(arena, BerthPairTable, 1);
  builder.found = BERTH_MEMORY_NEW(arena, uint32_t, n);
  if (arena->failed || !berthOverlapInit(&builder.index, task, true, arena))
    return NULL;
  builder.table->begin = BERTH_MEMORY_NEW(arena, size_t, (size_t)n + 1);
  if (!builder.table->begin)
    return NULL;
  for (uint32_t i = 0; i < n; ++i)
    if (!addItem(&builder, i))
      return NULL;
  return builder.table;
}
