//===- Environment.c - What is visible and what is known of it -----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Smith.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// Scopes
//===----------------------------------------------------------------------===//

BerthSmithMark berthSmithOpen(BerthSmith *smith) {
  BerthSmithMark mark = {smith->numValues, smith->numRoots, smith->numScalars,
                         smith->multiBlock, smith->atTop};
  return mark;
}

void berthSmithFree(BerthSmith *smith, size_t first) {
  if (!(smith->features & BERTH_SMITH_DEALLOC))
    return;
  for (size_t i = first; i < smith->numValues; ++i) {
    BerthSmithValue value = smith->values[i];
    const BerthSmithRoot *root = &smith->roots[value.root];
    if (root->id == value.id && root->owned && !root->escapes)
      berthSmithLine(smith, "memref.dealloc %%m%d : %s", value.id,
                     berthSmithTypeText(value.type).text);
  }
}

void berthSmithClose(BerthSmith *smith, BerthSmithMark mark) {
  berthSmithFree(smith, mark.numValues);
  berthSmithForget(smith, mark);
}

void berthSmithForget(BerthSmith *smith, BerthSmithMark mark) {
  smith->numValues = mark.numValues;
  smith->numRoots = mark.numRoots;
  smith->numScalars = mark.numScalars;
  smith->multiBlock = mark.multiBlock;
  smith->atTop = mark.atTop;
}

void berthSmithSave(const BerthSmith *smith, BerthSmithState *state) {
  state->numRoots = smith->numRoots;
  for (size_t i = 0; i < smith->numRoots; ++i) {
    state->initialised[i] = smith->roots[i].initialised;
    state->resting[i] = smith->roots[i].resting;
  }
}

void berthSmithRestore(BerthSmith *smith, const BerthSmithState *state) {
  for (size_t i = 0; i < state->numRoots && i < smith->numRoots; ++i) {
    smith->roots[i].initialised = state->initialised[i];
    smith->roots[i].resting = state->resting[i];
  }
}

void berthSmithJoin(BerthSmith *smith, const BerthSmithState *other) {
  for (size_t i = 0; i < other->numRoots && i < smith->numRoots; ++i) {
    smith->roots[i].initialised &= other->initialised[i];
    smith->roots[i].resting |= other->resting[i];
  }
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

bool berthSmithHasRoom(const BerthSmith *smith) {
  return smith->numValues + 16 < BERTH_SMITH_MAX_VALUES &&
         smith->numScalars + 16 < BERTH_SMITH_MAX_VALUES;
}

size_t berthSmithAddView(BerthSmith *smith, int id, BerthSmithType type,
                         int root, bool whole) {
  smith->values[smith->numValues] = (BerthSmithValue){id, root, whole, type};
  return smith->numValues++;
}

size_t berthSmithAddAllocation(BerthSmith *smith, int id, BerthSmithType type) {
  BerthSmithRoot root = {.id = id, .owned = true, .sources = {-1, -1}};
  smith->roots[smith->numRoots++] = root;
  return berthSmithAddView(smith, id, type, (int)smith->numRoots - 1, true);
}

size_t berthSmithAddMerge(BerthSmith *smith, int id, BerthSmithType type,
                          int source0, int source1) {
  BerthSmithRoot root = {.id = id,
                         .merged = true,
                         .initialised = true,
                         .sources = {source0, source1}};
  smith->roots[smith->numRoots++] = root;
  return berthSmithAddView(smith, id, type, (int)smith->numRoots - 1, true);
}

void berthSmithAddScalar(BerthSmith *smith, int id) {
  if (smith->numScalars < BERTH_SMITH_MAX_VALUES)
    smith->scalars[smith->numScalars++] = id;
}

void berthSmithWrote(BerthSmith *smith, BerthSmithValue value) {
  if (!value.whole)
    return;
  smith->roots[value.root].initialised = true;
  smith->roots[value.root].resting = false;
}

void berthSmithRead(BerthSmith *smith, BerthSmithValue value) {
  if (berthRandomChance(&smith->random, 25))
    smith->roots[value.root].resting = true;
}

void berthSmithEscape(BerthSmith *smith, int root) {
  if (root < 0 || smith->roots[root].escapes)
    return;
  smith->roots[root].escapes = true;
  berthSmithEscape(smith, smith->roots[root].sources[0]);
  berthSmithEscape(smith, smith->roots[root].sources[1]);
}

//===----------------------------------------------------------------------===//
// Picking
//===----------------------------------------------------------------------===//

bool berthSmithReadable(const BerthSmith *smith, BerthSmithValue value) {
  const BerthSmithRoot *root = &smith->roots[value.root];
  return root->initialised && !root->resting;
}

bool berthSmithPick(BerthSmith *smith, BerthSmithFilter accepts,
                    const void *wanted, BerthSmithValue *out) {
  int seen = 0;
  for (size_t i = smith->firstValue; i < smith->numValues; ++i)
    if (accepts(smith, &smith->values[i], wanted) &&
        berthRandomBelow(&smith->random, ++seen) == 0)
      *out = smith->values[i];
  return seen > 0;
}

bool berthSmithAny(const BerthSmith *smith, const BerthSmithValue *value,
                   const void *wanted) {
  (void)smith, (void)value, (void)wanted;
  return true;
}

bool berthSmithIsReadable(const BerthSmith *smith, const BerthSmithValue *value,
                          const void *wanted) {
  (void)wanted;
  return berthSmithReadable(smith, *value);
}

bool berthSmithReadableShape(const BerthSmith *smith,
                             const BerthSmithValue *value, const void *type) {
  return berthSmithReadable(smith, *value) &&
         berthSmithSameShape(value->type, *(const BerthSmithType *)type);
}

bool berthSmithCarriable(const BerthSmith *smith, const BerthSmithValue *value,
                         const void *type) {
  return value->whole && smith->roots[value->root].initialised &&
         berthSmithSameType(value->type, *(const BerthSmithType *)type);
}
