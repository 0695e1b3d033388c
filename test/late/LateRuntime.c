//===- LateRuntime.c - Transfers as late as can be -----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A start spoils its target and leaves its number in its tag; the wait for that
// number reads the source and writes the target. So a program that uses the
// target's bytes early, or the source's before they are read, computes
// something else. To see also what it overwrites and puts back in between, the
// wait compares the source with what it was, and looks whether the target is as
// spoilt as before. What it finds it says where the program prints.
//
//===----------------------------------------------------------------------===//

#include "berth-c/Support.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Transfer {
  unsigned char *source, *target, *tag, *before;
  int64_t count, bytes;   ///< elements, and bytes of one
  int64_t side;           ///< with the stride: 0 none, 1 source, 2 target
  int64_t stride, atOnce; ///< elements
  uint32_t number;        ///< what is in the tag: from 1 on
  int isUnderWay;
} Transfer;

enum { kMostAtOnce = 1 << 12, kSpoilt = 0xa5 };

/// Each takes the place of one that has ended.
static Transfer transfers[kMostAtOnce + 1];
static uint32_t numTransfers;

static void say(const char *what, const Transfer *transfer) {
  printf("late: %s (transfer %d)\n", what, (int)transfer->number);
  fflush(stdout);
}

/// The address of an element, with a stride or without.
static unsigned char *element(const Transfer *transfer, unsigned char *base,
                              int64_t side, int64_t i) {
  if (transfer->side == side)
    i = i / transfer->atOnce * transfer->stride + i % transfer->atOnce;
  return base + i * transfer->bytes;
}

static unsigned char *sourceOf(const Transfer *transfer, int64_t i) {
  return element(transfer, transfer->source, 1, i);
}

static unsigned char *targetOf(const Transfer *transfer, int64_t i) {
  return element(transfer, transfer->target, 2, i);
}

BERTH_EXPORT void late_start(int64_t source, int64_t target, int64_t count,
                             int64_t bytes, int64_t tag, int64_t side,
                             int64_t stride, int64_t atOnce) {
  Transfer *transfer = transfers;
  while (transfer->isUnderWay)
    if (++transfer == transfers + kMostAtOnce)
      abort();
  *transfer = (Transfer){.source = (unsigned char *)(intptr_t)source,
                         .target = (unsigned char *)(intptr_t)target,
                         .tag = (unsigned char *)(intptr_t)tag,
                         .before = malloc((size_t)(count * bytes) + 1),
                         .count = count,
                         .bytes = bytes,
                         .side = side,
                         .stride = stride,
                         .atOnce = atOnce,
                         .number = ++numTransfers,
                         .isUnderWay = 1};
  if (!transfer->before)
    abort();
  for (int64_t i = 0; i < count; ++i) {
    memcpy(transfer->before + i * bytes, sourceOf(transfer, i), (size_t)bytes);
    memset(targetOf(transfer, i), kSpoilt, (size_t)bytes);
  }
  memcpy(transfer->tag, &numTransfers, sizeof numTransfers);
}

static void complete(Transfer *transfer) {
  size_t bytes = (size_t)transfer->bytes;
  int sourceIsOther = 0, targetIsOther = 0;
  for (int64_t i = 0; i < transfer->count; ++i) {
    const unsigned char *source = sourceOf(transfer, i);
    unsigned char *target = targetOf(transfer, i);
    sourceIsOther |=
        memcmp(source, transfer->before + i * (int64_t)bytes, bytes);
    for (size_t k = 0; k < bytes; ++k)
      targetIsOther |= target[k] != kSpoilt;
    memmove(target, source, bytes);
  }
  if (sourceIsOther)
    say("the source has changed meanwhile", transfer);
  if (targetIsOther)
    say("the target has been written meanwhile", transfer);
  transfer->isUnderWay = 0;
  free(transfer->before);
}

/// The newest on the tag, if the tag has been overwritten.
static Transfer *newestOn(const unsigned char *tag) {
  Transfer *newest = NULL;
  for (Transfer *transfer = transfers;
       transfer->number && transfer < transfers + kMostAtOnce; ++transfer)
    if (transfer->tag == tag && transfer->isUnderWay &&
        (!newest || newest->number < transfer->number))
      newest = transfer;
  return newest;
}

BERTH_EXPORT void late_wait(int64_t address) {
  unsigned char *tag = (unsigned char *)(intptr_t)address;
  Transfer *transfer = newestOn(tag);
  uint32_t number;
  memcpy(&number, tag, sizeof number);
  if (!transfer) {
    printf("late: nothing to wait for\n");
    fflush(stdout);
    return;
  }
  if (number != transfer->number)
    say("the tag has been overwritten", transfer);
  complete(transfer);
  memset(tag, 0, sizeof number);
}

//===----------------------------------------------------------------------===//
// Functions that are not seen, for berth-smith's feature `handles`
//===----------------------------------------------------------------------===//

/// A row of i64, as a lowered memref has it.
typedef struct Row {
  const int64_t *elements;
  int64_t size, stride;
} Row;

/// The work begun last, which ends when somebody asks for it.
static Row *begun;

static int64_t sum(const Row *row) {
  int64_t total = 0;
  for (int64_t i = 0; row && i < row->size; ++i)
    total = 31 * total + row->elements[i * row->stride];
  return total;
}

BERTH_EXPORT void *late_box(void) { return calloc(1, sizeof(Row)); }

/// Puts the row into the box.
BERTH_EXPORT void late_keep(const int64_t *allocated, const int64_t *aligned,
                            int64_t offset, int64_t size, int64_t stride,
                            void *box) {
  (void)allocated;
  *(Row *)box = (Row){aligned + offset, size, stride};
}

/// What is in the box, or what the work of this token comes to: it reads its
/// row only now.
BERTH_EXPORT int64_t late_find(const void *box) { return sum(box); }

/// Begins work on the row, and returns its token.
BERTH_EXPORT void *late_begin(const int64_t *allocated, const int64_t *aligned,
                              int64_t offset, int64_t size, int64_t stride) {
  begun = late_box();
  if (!begun)
    abort();
  late_keep(allocated, aligned, offset, size, stride, begun);
  return begun;
}

/// What the work begun last comes to.
BERTH_EXPORT int64_t late_flush(void) { return sum(begun); }
