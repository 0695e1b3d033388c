//===- Dma.c - Transfers that go on behind their start -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// While a transfer is under way the statements see only buffers that have been
// made meanwhile: none of them touches what is transferred.
//
//===----------------------------------------------------------------------===//

#include "Smith.h"

/// The values that every start needs: indices, a number of elements, a tag.
typedef struct Start {
  BerthSmithValue from;
  int zero, count, tag;
  const char *tagType;
} Start;

static bool isPlain(const BerthSmith *smith, const BerthSmithValue *value,
                    const void *wanted) {
  (void)wanted;
  return berthSmithReadable(smith, *value) && !value->type.strided &&
         berthSmithIsStatic(value->type);
}

static bool isTarget(const BerthSmith *smith, const BerthSmithValue *value,
                     const void *wanted) {
  const BerthSmithValue *from = wanted;
  return value->root != from->root && !smith->roots[value->root].merged &&
         !smith->roots[from->root].merged &&
         berthSmithSameType(value->type, from->type);
}

static BerthSmithText zeros(int zero, int rank) {
  BerthSmithText text;
  if (rank == 1)
    snprintf(text.text, sizeof text.text, "%%s%d", zero);
  else
    snprintf(text.text, sizeof text.text, "%%s%d, %%s%d", zero, zero);
  return text;
}

static Start beginTransfers(BerthSmith *smith, BerthSmithValue from,
                            const char *tagType) {
  Start start = {.from = from, .tagType = tagType};
  start.zero = berthSmithConstantIndex(smith, 0);
  start.count = berthSmithConstantIndex(smith, berthSmithCount(from.type));
  start.tag = berthSmithNewId(smith);
  berthSmithLine(smith, "%%m%d = memref.alloc() : %s", start.tag, tagType);
  return start;
}

static void printStart(BerthSmith *smith, const Start *start, int to,
                       const char *at, const char *type, int element) {
  BerthSmithText source = berthSmithTypeText(start->from.type);
  berthSmithLine(smith,
                 "memref.dma_start %%m%d[%s], %%m%d[%s], %%s%d, %%m%d[%%s%d] : "
                 "%s, %s, %s",
                 start->from.id, zeros(start->zero, start->from.type.rank).text,
                 to, at, start->count, start->tag, element, source.text, type,
                 start->tagType);
}

static void printWait(BerthSmith *smith, const Start *start,
                      const char *element) {
  berthSmithLine(smith, "memref.dma_wait %%m%d[%%s%s], %%s%d : %s", start->tag,
                 element, start->count, start->tagType);
}

void berthSmithMeanwhile(BerthSmith *smith) {
  size_t firstValue = smith->firstValue;
  bool multiBlock = smith->multiBlock, atTop = smith->atTop;
  smith->firstValue = smith->numValues;
  smith->multiBlock = smith->atTop = false;
  ++smith->depth;
  berthSmithAlloc(smith);
  berthSmithFill(smith);
  berthSmithBody(smith);
  berthSmithObserve(smith);
  --smith->depth;
  smith->firstValue = firstValue;
  smith->multiBlock = multiBlock;
  smith->atTop = atTop;
}

bool berthSmithDma(BerthSmith *smith) {
  BerthSmithValue from, to;
  if (!berthSmithPick(smith, isPlain, NULL, &from))
    return false;
  if (berthRandomChance(&smith->random, 50) ||
      !berthSmithPick(smith, isTarget, &from, &to))
    to = berthSmithNewBuffer(smith, from.type);
  Start start = beginTransfers(smith, from, "memref<1xi32>");
  printStart(smith, &start, to.id, zeros(start.zero, to.type.rank).text,
             berthSmithTypeText(to.type).text, start.zero);
  berthSmithMeanwhile(smith);
  char element[16];
  snprintf(element, sizeof element, "%d", start.zero);
  printWait(smith, &start, element);
  berthSmithRead(smith, from);
  berthSmithWrote(smith, to);
  return true;
}

//===----------------------------------------------------------------------===//
// Two stages
//===----------------------------------------------------------------------===//

static bool isPlainRow(const BerthSmith *smith, const BerthSmithValue *value,
                       const void *wanted) {
  return isPlain(smith, value, wanted) && value->type.rank == 1;
}

/// What has arrived goes to a buffer that can be looked at.
static void printArrival(BerthSmith *smith, BerthSmithType row, int stages,
                         const char *type, int stage) {
  BerthSmithValue seen = berthSmithNewBuffer(smith, row);
  int id = berthSmithNewId(smith);
  char layout[64];
  snprintf(layout, sizeof layout, "memref<%lldx%s, strided<[1], offset: ?>>",
           (long long)row.shape[0], berthElementText(row.element));
  berthSmithLine(smith,
                 "%%m%d = memref.subview %%m%d[%%s%d, 0] [1, %lld] [1, 1] : %s "
                 "to %s",
                 id, stages, stage, (long long)row.shape[0], type, layout);
  berthSmithLine(smith, "memref.copy %%m%d, %%m%d : %s to %s", id, seen.id,
                 layout, berthSmithTypeText(row).text);
  berthSmithWrote(smith, seen);
}

/// One turn: the next transfer, other work, the wait for this turn's.
static void printTurn(BerthSmith *smith, const Start *start, int stages,
                      const char *type, int this, int next) {
  BerthSmithMark mark = berthSmithOpen(smith);
  char element[32];
  smith->multiBlock = smith->atTop = false;
  ++smith->indent;
  ++smith->depth;
  snprintf(element, sizeof element, "%%s%d, %%s%d", next, start->zero);
  printStart(smith, start, stages, element, type, next);
  berthSmithMeanwhile(smith);
  snprintf(element, sizeof element, "%d", this);
  printWait(smith, start, element);
  size_t firstValue = smith->firstValue;
  smith->firstValue = smith->numValues;
  printArrival(smith, start->from.type, stages, type, this);
  berthSmithObserve(smith);
  smith->firstValue = firstValue;
  --smith->depth;
  berthSmithClose(smith, mark);
  berthSmithLine(smith, "scf.yield %%s%d, %%s%d : index, index", next, this);
  --smith->indent;
  berthSmithLine(smith, "}");
}

bool berthSmithStages(BerthSmith *smith) {
  BerthSmithValue from;
  if (!berthSmithPick(smith, isPlainRow, NULL, &from))
    return false;
  char type[64], element[32];
  snprintf(type, sizeof type, "memref<2x%lldx%s>",
           (long long)from.type.shape[0], berthElementText(from.type.element));
  int stages = berthSmithNewId(smith);
  berthSmithLine(smith, "%%m%d = memref.alloc() : %s", stages, type);
  Start start = beginTransfers(smith, from, "memref<2xi32>");
  int one = berthSmithConstantIndex(smith, 1);
  int turns = berthSmithIndexBelow(smith, 4);
  int result = berthSmithNewId(smith), index = berthSmithNewId(smith);
  int this = berthSmithNewId(smith), next = berthSmithNewId(smith);
  printStart(smith, &start, stages, zeros(start.zero, 2).text, type,
             start.zero);
  berthSmithLine(smith,
                 "%%s%d:2 = scf.for %%s%d = %%s%d to %%s%d step %%s%d "
                 "iter_args(%%s%d = %%s%d, %%s%d = %%s%d) -> (index, index) {",
                 result, index, start.zero, turns, one, this, start.zero, next,
                 one);
  BerthSmithState before;
  berthSmithSave(smith, &before);
  printTurn(smith, &start, stages, type, this, next);
  berthSmithRestore(smith, &before);
  snprintf(element, sizeof element, "%d#0", result);
  printWait(smith, &start, element);
  berthSmithRead(smith, from);
  return true;
}
