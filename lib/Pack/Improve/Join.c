//===- Join.c - Undoing the cuts of a plan without waste -----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Improve/Join.h"

#include <stdlib.h>

enum {
  kNone = UINT32_MAX,
  kMostPairs = 1 << 14, ///< of what ends and what begins in one section
  kMostParts = 64,      ///< of a stack, that are chosen from
  kMostChoices = 3000,  ///< steps for one such choice
  kMostArms = 16        ///< of pinwheels in one section
};

/// The blocks without parent that begin, or end, in each section.
typedef struct Table {
  uint32_t *first;    ///< section -> block
  uint32_t *next;     ///< block -> block
  uint32_t *previous; ///< likewise
} Table;

/// A block that ends, or begins, in the section in question.
typedef struct Part {
  uint32_t other; ///< the section of its other side
  uint32_t block;
  int64_t size;
} Part;

/// All of them: those of one lifetime together, the largest first.
typedef struct Side {
  Part *parts;
  uint32_t count;
} Side;

/// One block, or all of one lifetime, of one side.
typedef struct Group {
  int64_t size;
  uint32_t begin; ///< in its side
  uint32_t end;
} Group;

typedef struct Join {
  const BerthTask *task;
  const BerthHost *host;
  BerthBlock *blocks;
  uint32_t count;
  uint32_t numLeft; ///< without parent
  Table begins;
  Table ends;
  Side sides[2];   ///< of one section: what ends there, what begins
  Group *groups;   ///< of one side
  uint32_t *queue; ///< sections to look at; the last one first, which brings
                   ///< one place to its end before others are looked at
  uint32_t queued;
  bool *isQueued;
  int64_t floor; ///< smaller sizes say nothing yet
  bool stopped;
} Join;

//===---------------------------------------------------------------------===//
// Blocks by section
//===---------------------------------------------------------------------===//

static void look(Join *b, uint32_t section) {
  if (b->isQueued[section])
    return;
  b->isQueued[section] = true;
  b->queue[b->queued++] = section;
}

static void enter(Table *table, uint32_t section, uint32_t block) {
  uint32_t next = table->first[section];
  table->first[section] = block;
  table->next[block] = next;
  table->previous[block] = kNone;
  if (next != kNone)
    table->previous[next] = block;
}

static void leave(Table *table, uint32_t section, uint32_t block) {
  uint32_t next = table->next[block], previous = table->previous[block];
  if (previous == kNone)
    table->first[section] = next;
  else
    table->next[previous] = next;
  if (next != kNone)
    table->previous[next] = previous;
}

static uint32_t add(Join *b, uint32_t lower, uint32_t upper, int64_t size) {
  b->blocks[b->count] = (BerthBlock){lower, upper, size, kNone, 0};
  enter(&b->begins, lower, b->count);
  enter(&b->ends, upper, b->count);
  look(b, lower);
  look(b, upper);
  ++b->numLeft;
  return b->count++;
}

static void put(Join *b, uint32_t child, uint32_t parent, int64_t offset) {
  BerthBlock *block = &b->blocks[child];
  leave(&b->begins, block->lower, child);
  leave(&b->ends, block->upper, child);
  look(b, block->lower);
  look(b, block->upper);
  --b->numLeft;
  block->parent = parent;
  block->offset = offset;
}

/// Blocks of one lifetime as one.
static uint32_t stack(Join *b, const uint32_t *list, uint32_t count) {
  int64_t size = 0;
  if (count == 1)
    return list[0];
  for (uint32_t k = 0; k < count; ++k)
    size += b->blocks[list[k]].size;
  const BerthBlock *first = &b->blocks[list[0]];
  uint32_t whole = add(b, first->lower, first->upper, size);
  int64_t offset = 0;
  for (uint32_t k = 0; k < count; ++k) {
    put(b, list[k], whole, offset);
    offset += b->blocks[list[k]].size;
  }
  return whole;
}

static void row(Join *b, uint32_t x, uint32_t y) {
  uint32_t whole =
      add(b, b->blocks[x].lower, b->blocks[y].upper, b->blocks[x].size);
  put(b, x, whole, 0);
  put(b, y, whole, 0);
}

//===---------------------------------------------------------------------===//
// Rows
//===---------------------------------------------------------------------===//

static int compareParts(const void *x, const void *y) {
  const Part *a = x, *b = y;
  if (a->other != b->other)
    return a->other < b->other ? -1 : 1;
  if (a->size != b->size)
    return a->size > b->size ? -1 : 1;
  return a->block < b->block ? -1 : a->block > b->block;
}

static void gather(Join *b, uint32_t section, unsigned which) {
  const Table *table = which ? &b->begins : &b->ends;
  Side *side = &b->sides[which];
  side->count = 0;
  for (uint32_t x = table->first[section]; x != kNone; x = table->next[x])
    side->parts[side->count++] = (Part){
        which ? b->blocks[x].upper : b->blocks[x].lower, x, b->blocks[x].size};
  qsort(side->parts, side->count, sizeof *side->parts, compareParts);
}

/// One past the last part with the lifetime of the one at `at`.
static uint32_t endOfStack(const Side *side, uint32_t at) {
  uint32_t end = at;
  while (end < side->count && side->parts[end].other == side->parts[at].other)
    ++end;
  return end;
}

static bool isOneStack(const Side *side) {
  return side->count && endOfStack(side, 0) == side->count;
}

static uint32_t countSize(const Side *side, int64_t size, uint32_t *last) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < side->count; ++k)
    if (side->parts[k].size == size) {
      *last = side->parts[k].block;
      ++count;
    }
  return count;
}

/// The largest size that one block on either side has.
static bool joinEqual(Join *b, int64_t floor) {
  uint32_t x = 0, y = 0, first = kNone, second = kNone;
  int64_t most = floor - 1;
  for (uint32_t k = 0; k < b->sides[0].count; ++k) {
    int64_t size = b->sides[0].parts[k].size;
    if (size > most && countSize(&b->sides[0], size, &x) == 1 &&
        countSize(&b->sides[1], size, &y) == 1) {
      first = x;
      second = y;
      most = size;
    }
  }
  if (first != kNone)
    row(b, first, second);
  return first != kNone;
}

/// A choice of parts of one stack that are together as large as asked for.
typedef struct Choice {
  const Part *parts;
  uint32_t count;
  int64_t left[kMostParts + 1]; ///< all from this part on
  uint32_t chosen[kMostParts];
  uint32_t numChosen;
  uint32_t steps;
} Choice;

static bool choose(Choice *choice, uint32_t at, int64_t size) {
  if (size == 0)
    return true;
  if (at == choice->count || choice->left[at] < size ||
      ++choice->steps > kMostChoices)
    return false;
  if (choice->parts[at].size <= size) {
    choice->chosen[choice->numChosen++] = choice->parts[at].block;
    if (choose(choice, at + 1, size - choice->parts[at].size))
      return true;
    --choice->numChosen;
  }
  return choose(choice, at + 1, size);
}

/// Joins the blocks of `list` (of the side `which`, of one lifetime, `size`
/// bytes together) to some that are one stack of the other side.
static bool joinToParts(Join *b, unsigned which, const uint32_t *list,
                        uint32_t count, int64_t size) {
  const Side *side = &b->sides[!which];
  for (uint32_t at = 0, end; at < side->count; at = end) {
    Choice choice = {.parts = side->parts + at};
    end = endOfStack(side, at);
    choice.count = end - at;
    if (choice.count > kMostParts)
      continue;
    for (uint32_t k = choice.count; k-- > 0;)
      choice.left[k] = choice.left[k + 1] + choice.parts[k].size;
    bool found = choose(&choice, 0, size);
    b->stopped |= !b->host->step(b->host->context, choice.steps + 1);
    if (b->stopped)
      return false;
    if (!found)
      continue;
    uint32_t x = stack(b, list, count),
             y = stack(b, choice.chosen, choice.numChosen);
    row(b, which ? y : x, which ? x : y);
    return true;
  }
  return false;
}

static int compareGroups(const void *x, const void *y) {
  const Group *a = x, *b = y;
  if (a->size != b->size)
    return a->size > b->size ? -1 : 1;
  return a->begin < b->begin ? -1 : a->begin > b->begin;
}

static uint32_t listGroups(Join *b, unsigned which, bool stacks) {
  const Side *side = &b->sides[which];
  uint32_t count = 0;
  for (uint32_t at = 0, end; at < side->count; at = end) {
    Group *group = &b->groups[count];
    end = stacks ? endOfStack(side, at) : at + 1;
    *group = (Group){.begin = at, .end = end};
    for (uint32_t k = at; k < end; ++k)
      group->size += side->parts[k].size;
    count += end - at <= kMostParts;
  }
  qsort(b->groups, count, sizeof *b->groups, compareGroups);
  return count;
}

/// The largest first, as they tell most.
static bool joinGroups(Join *b, int64_t floor, bool stacks) {
  uint32_t list[kMostParts];
  for (unsigned which = 0; which < 2; ++which) {
    uint32_t count = listGroups(b, which, stacks);
    for (uint32_t g = 0; g < count && b->groups[g].size >= floor && !b->stopped;
         ++g) {
      Group group = b->groups[g];
      for (uint32_t k = group.begin; k < group.end; ++k)
        list[k - group.begin] = b->sides[which].parts[k].block;
      if (joinToParts(b, which, list, group.end - group.begin, group.size))
        return true;
    }
  }
  return false;
}

static bool joinIn(Join *b, uint32_t section) {
  gather(b, section, 0);
  gather(b, section, 1);
  uint64_t pairs = (uint64_t)b->sides[0].count * b->sides[1].count;
  b->stopped |= !b->host->step(b->host->context,
                               b->sides[0].count + b->sides[1].count + 1);
  if (b->stopped || pairs == 0 || pairs > kMostPairs)
    return false;
  bool alone = isOneStack(&b->sides[0]) && isOneStack(&b->sides[1]);
  int64_t floor = alone ? 0 : b->floor;
  return joinEqual(b, floor) || joinGroups(b, floor, false) ||
         joinGroups(b, floor, true);
}

static void joinRows(Join *b) {
  static const unsigned char kShifts[] = {9, 13, 18, 63};
  uint32_t sections = b->task->numSections;
  for (size_t k = 0; k < sizeof kShifts && !b->stopped; ++k) {
    b->floor = b->task->load >> kShifts[k];
    for (uint32_t s = 0; s <= sections; ++s)
      look(b, s);
    while (b->queued && !b->stopped) {
      uint32_t section = b->queue[--b->queued];
      b->isQueued[section] = false;
      while (joinIn(b, section))
        ;
    }
  }
}

//===---------------------------------------------------------------------===//
// Pinwheels
//===---------------------------------------------------------------------===//

/// The block that ends in section `upper` as well as beginning in `lower`, of
/// this size; or kNone.
static uint32_t findBlock(const Join *b, uint32_t lower, uint32_t upper,
                          int64_t size) {
  uint32_t x = b->begins.first[lower];
  while (x != kNone &&
         (b->blocks[x].upper != upper || b->blocks[x].size != size))
    x = b->begins.next[x];
  return x;
}

static bool isCrowded(const Table *table, uint32_t section) {
  uint32_t count = 0, x = table->first[section];
  for (; x != kNone && count <= kMostArms; x = table->next[x])
    ++count;
  return count > kMostArms;
}

/// Joins the pinwheel round e that has these arms.
static bool joinArms(Join *b, uint32_t e, uint32_t c, uint32_t d) {
  const BerthBlock *blocks = b->blocks;
  uint32_t section = blocks[e].upper;
  for (uint32_t a = b->ends.first[section]; a != kNone; a = b->ends.next[a]) {
    if (a == e || blocks[a].lower != blocks[d].lower)
      continue;
    uint32_t right =
        findBlock(b, section, blocks[c].upper, blocks[a].size + blocks[e].size);
    if (right == kNone)
      continue;
    int64_t low = blocks[a].size, high = low + blocks[e].size;
    uint32_t whole =
        add(b, blocks[d].lower, blocks[c].upper, low + blocks[d].size);
    put(b, a, whole, 0);
    put(b, right, whole, 0);
    put(b, d, whole, low);
    put(b, e, whole, low);
    put(b, c, whole, high);
    return true;
  }
  return false;
}

static bool joinPinwheel(Join *b, uint32_t e) {
  const BerthBlock *blocks = b->blocks;
  uint32_t lower = blocks[e].lower, upper = blocks[e].upper;
  if (isCrowded(&b->begins, lower) || isCrowded(&b->ends, lower) ||
      isCrowded(&b->begins, upper) || isCrowded(&b->ends, upper))
    return false;
  for (uint32_t c = b->begins.first[lower]; c != kNone; c = b->begins.next[c])
    for (uint32_t d = b->ends.first[lower]; d != kNone; d = b->ends.next[d])
      if (c != e && blocks[d].size == blocks[c].size + blocks[e].size &&
          joinArms(b, e, c, d))
        return true;
  return false;
}

static bool joinPinwheels(Join *b) {
  bool joined = false;
  for (uint32_t x = 0; x < b->count && !b->stopped; ++x) {
    b->stopped |= !b->host->step(b->host->context, 1);
    joined |= b->blocks[x].parent == kNone && joinPinwheel(b, x);
  }
  return joined;
}

//===---------------------------------------------------------------------===//
// All of it
//===---------------------------------------------------------------------===//

/// What is left of one lifetime becomes one.
static void stackAll(Join *b, uint32_t *scratch) {
  Side *side = &b->sides[1];
  for (uint32_t s = 0; s < b->task->numSections; ++s) {
    gather(b, s, 1);
    for (uint32_t at = 0, end; at < side->count; at = end) {
      end = endOfStack(side, at);
      for (uint32_t k = at; k < end; ++k)
        scratch[k - at] = side->parts[k].block;
      stack(b, scratch, end - at);
    }
  }
}

static bool initJoin(Join *b, BerthMemory *arena) {
  uint32_t n = b->task->numItems, sections = b->task->numSections,
           most = 2 * n; // a join leaves at least one block less
  Table *tables[] = {&b->begins, &b->ends};
  b->blocks = BERTH_MEMORY_NEW(arena, BerthBlock, most);
  b->groups = BERTH_MEMORY_NEW(arena, Group, n);
  b->queue = BERTH_MEMORY_NEW(arena, uint32_t, sections + 1);
  b->isQueued = BERTH_MEMORY_NEW(arena, bool, sections + 1);
  for (int t = 0; t < 2; ++t) {
    b->sides[t].parts = BERTH_MEMORY_NEW(arena, Part, n);
    tables[t]->first = BERTH_MEMORY_NEW(arena, uint32_t, sections + 1);
    tables[t]->next = BERTH_MEMORY_NEW(arena, uint32_t, most);
    tables[t]->previous = BERTH_MEMORY_NEW(arena, uint32_t, most);
  }
  if (arena->failed)
    return false;
  for (uint32_t s = 0; s <= sections; ++s)
    b->begins.first[s] = b->ends.first[s] = kNone;
  for (uint32_t i = 0; i < n; ++i)
    add(b, b->task->lowers[i], b->task->uppers[i], b->task->sizes[i]);
  return true;
}

bool berthJoinItems(const BerthTask *task, const BerthHost *host,
                    BerthMemory *arena, BerthBlocks *blocks) {
  Join b = {.task = task, .host = host};
  if (!initJoin(&b, arena))
    return false;
  do
    joinRows(&b);
  while (joinPinwheels(&b));
  uint32_t *scratch = BERTH_MEMORY_NEW(arena, uint32_t, task->numItems);
  if (!scratch)
    return false;
  stackAll(&b, scratch);
  *blocks = (BerthBlocks){b.blocks, b.count, b.numLeft};
  return true;
}
