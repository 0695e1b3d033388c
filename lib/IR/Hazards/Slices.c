//===- Slices.c - Which thread touches which bytes ------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Hazards/Slices.h"
#include "IR/Ops/OrDie.h"
#include "IR/Threads/AccessBytes.h"

#include <string.h>

/// What may be spent: bytes of owners; slices of a buffer besides the whole of
/// it.
enum { kAllBytes = 1 << 25, kMostSlices = 12 };

typedef struct Search {
  BerthAccessBytes bytes;
  int64_t bytesLeft;
} Search;

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

static uint32_t addSlice(BerthSlices *slices, BerthSlice slice) {
  slices->items = berthGrow(slices->items, slices->count, &slices->capacity,
                            sizeof *slices->items);
  slices->items[slices->count] = slice;
  return (uint32_t)slices->count++;
}

static bool isSameSlice(const BerthSlice *slice, const Search *search) {
  return slice->lower == search->bytes.lower &&
         slice->upper == search->bytes.upper && slice->owners &&
         memcmp(slice->owners, search->bytes.owners + search->bytes.lower,
                (size_t)(search->bytes.upper - search->bytes.lower) *
                    sizeof *slice->owners) == 0;
}

/// The slice of an access; the whole of the buffer, its first one, where
/// nothing better is known.
static uint32_t sliceOf(BerthSlices *slices, Search *search, uint32_t buffer,
                        MlirOperation op) {
  uint32_t whole = slices->firstOf[buffer];
  berthAccessBytesClear(&search->bytes);
  if (!berthAccessBytesMark(&search->bytes, op) ||
      search->bytes.lower >= search->bytes.upper)
    return whole;
  for (uint32_t i = whole + 1; i < slices->count; ++i)
    if (isSameSlice(&slices->items[i], search))
      return i;
  size_t bytes = (size_t)(search->bytes.upper - search->bytes.lower) *
                 sizeof *search->bytes.owners;
  if (slices->count - whole > kMostSlices || search->bytesLeft < (int64_t)bytes)
    return whole;
  search->bytesLeft -= (int64_t)bytes;
  BerthSlice slice = {buffer, search->bytes.lower, search->bytes.upper,
                      berthAllocateOrDie(bytes, 1), false};
  memcpy(slice.owners, search->bytes.owners + search->bytes.lower, bytes);
  slice.isOneEach = true;
  for (int64_t at = 0; slice.isOneEach && at < slice.upper - slice.lower; ++at)
    slice.isOneEach = slice.owners[at] != BERTH_ANYBODY;
  return addSlice(slices, slice);
}

static void findOfBuffer(BerthSlices *slices, Search *search, uint32_t buffer,
                         const BerthBufferInfo *info) {
  slices->firstOf[buffer] =
      addSlice(slices, (BerthSlice){buffer, 0, info->size, NULL, false});
  slices->ofAccesses[buffer] =
      berthAllocateOrDie(info->numAccesses, sizeof(uint32_t));
  bool isPlaced = mlirOperationIsNull(info->callee) && !info->leaks &&
                  info->size <= search->bytesLeft;
  if (isPlaced)
    berthAccessBytesEnter(&search->bytes, info);
  for (size_t k = 0; k < info->numAccesses; ++k)
    slices->ofAccesses[buffer][k] =
        isPlaced ? sliceOf(slices, search, buffer, info->accesses[k].op)
                 : slices->firstOf[buffer];
  if (isPlaced)
    berthAccessBytesLeave(&search->bytes);
}

BerthSlices berthSlicesOf(const BerthJob *job) {
  size_t n = job->numPlaced;
  BerthSlices slices = {.numBuffers = n,
                        .firstOf = berthAllocateOrDie(n + 1, sizeof(uint32_t)),
                        .ofAccesses =
                            berthAllocateOrDie(n, sizeof(uint32_t *))};
  Search search = {.bytesLeft = kAllBytes};
  berthAccessBytesStart(&search.bytes, &job->scope,
                        job->options->alias.breakRule);
  for (uint32_t i = 0; i < n; ++i)
    findOfBuffer(&slices, &search, i, &job->scope.buffers[job->bufferOf[i]]);
  slices.firstOf[n] = (uint32_t)slices.count;
  berthAccessBytesFree(&search.bytes);
  return slices;
}

void berthSlicesFree(BerthSlices *slices) {
  for (size_t i = 0; i < slices->count; ++i)
    free(slices->items[i].owners);
  for (size_t i = 0; i < slices->numBuffers; ++i)
    free(slices->ofAccesses[i]);
  free(slices->items);
  free(slices->firstOf);
  free(slices->ofAccesses);
}

//===----------------------------------------------------------------------===//
// Two of them
//===----------------------------------------------------------------------===//

/// Who touches byte `at`, counted from where the arena begins.
static uint16_t ownerOf(const BerthSlice *slice, int64_t offset, int64_t at) {
  return slice->owners ? slice->owners[at - offset - slice->lower]
                       : BERTH_ANYBODY;
}

/// Most threads touch bytes of their own alike.
static bool areAlike(const BerthSlice *a, int64_t offsetA, const BerthSlice *b,
                     int64_t offsetB, int64_t lower, int64_t upper) {
  return (a->isOneEach || b->isOneEach) && a->owners && b->owners &&
         lower < upper &&
         memcmp(a->owners + (lower - offsetA - a->lower),
                b->owners + (lower - offsetB - b->lower),
                (size_t)(upper - lower) * sizeof *a->owners) == 0;
}

bool berthSlicesMeet(const BerthSlice *a, int64_t offsetA, const BerthSlice *b,
                     int64_t offsetB) {
  int64_t lower = offsetA + a->lower, upper = offsetA + a->upper;
  lower = lower < offsetB + b->lower ? offsetB + b->lower : lower;
  upper = upper > offsetB + b->upper ? offsetB + b->upper : upper;
  if (areAlike(a, offsetA, b, offsetB, lower, upper))
    return false;
  for (int64_t at = lower; at < upper; ++at) {
    uint16_t first = ownerOf(a, offsetA, at), second = ownerOf(b, offsetB, at);
    if (first != BERTH_NOBODY && second != BERTH_NOBODY &&
        (first != second || first == BERTH_ANYBODY))
      return true;
  }
  return false;
}

/// What bytes [lower, upper) a slice touches is less than its buffer has.
static bool isPart(const BerthSlices *slices, const BerthSlice *slice) {
  const BerthSlice *whole = &slices->items[slices->firstOf[slice->buffer]];
  return slice->lower > 0 || slice->upper < whole->upper;
}

bool berthSlicesMayMiss(const BerthSlices *slices, uint32_t a, uint32_t b) {
  const BerthSlice *first = &slices->items[a], *second = &slices->items[b];
  if (!first->owners || !second->owners)
    return false;
  return isPart(slices, first) || isPart(slices, second) ||
         !berthSlicesMeet(first, 0, second, 0);
}
