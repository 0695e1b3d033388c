//===- VerifyTransfer.c - What code does to the state of buffers ---------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/VerifyTransfer.h"

#include <string.h>

const BerthTransfer berthTransferNothing = {
    BERTH_CONTENT_UNSET, BERTH_CONTENT_VALID, BERTH_CONTENT_KEPT};

//===----------------------------------------------------------------------===//
// One buffer
//===----------------------------------------------------------------------===//

BerthContentState berthStateJoin(BerthContentState a, BerthContentState b) {
  if (a >= BERTH_CONTENT_CLOBBERED && b >= BERTH_CONTENT_CLOBBERED)
    return a < b ? a : b;
  return a < b ? b : a;
}

BerthContentState berthTransferApply(BerthTransfer transfer,
                                     BerthContentState state) {
  if (state == BERTH_CONTENT_UNSET)
    return transfer.ofUnset;
  if (state == BERTH_CONTENT_VALID)
    return transfer.ofValid;
  return transfer.ofClobbered == BERTH_CONTENT_KEPT ? state
                                                    : transfer.ofClobbered;
}

BerthTransfer berthTransferCompose(BerthTransfer first, BerthTransfer then) {
  BerthTransfer result;
  result.ofUnset = berthTransferApply(then, first.ofUnset);
  result.ofValid = berthTransferApply(then, first.ofValid);
  result.ofClobbered = first.ofClobbered == BERTH_CONTENT_KEPT
                           ? then.ofClobbered
                           : berthTransferApply(then, first.ofClobbered);
  return result;
}

BerthTransfer berthTransferJoin(BerthTransfer a, BerthTransfer b) {
  BerthTransfer result;
  result.ofUnset = berthStateJoin(a.ofUnset, b.ofUnset);
  result.ofValid = berthStateJoin(a.ofValid, b.ofValid);
  bool isKept = a.ofClobbered == BERTH_CONTENT_KEPT ||
                b.ofClobbered == BERTH_CONTENT_KEPT;
  result.ofClobbered = isKept ? BERTH_CONTENT_KEPT
                              : berthStateJoin(a.ofClobbered, b.ofClobbered);
  return result;
}

//===----------------------------------------------------------------------===//
// Many
//===----------------------------------------------------------------------===//

BerthTransferMap berthTransferMapIdentity(void) {
  return (BerthTransferMap){.isReached = true};
}

/// Walks two maps in step: at each root that either has, both transfers.
typedef struct Merge {
  BerthTransferMap a, b;
  size_t i, k;
  uint32_t root;
  BerthTransfer ofA, ofB;
} Merge;

static bool mergeNext(Merge *merge) {
  bool hasA = merge->i < merge->a.count, hasB = merge->k < merge->b.count;
  if (!hasA && !hasB)
    return false;
  uint32_t rootA = hasA ? merge->a.roots[merge->i] : UINT32_MAX;
  uint32_t rootB = hasB ? merge->b.roots[merge->k] : UINT32_MAX;
  merge->root = rootA < rootB ? rootA : rootB;
  merge->ofA = merge->ofB = berthTransferNothing;
  if (rootA == merge->root)
    merge->ofA = merge->a.transfers[merge->i++];
  if (rootB == merge->root)
    merge->ofB = merge->b.transfers[merge->k++];
  return true;
}

static BerthTransferMap
combine(BerthArena *memory, BerthTransferMap a, BerthTransferMap b,
        BerthTransfer (*combineOne)(BerthTransfer, BerthTransfer)) {
  // Maps of nested code are large and nearly alike: no room is wasted.
  size_t capacity = 0, count = 0;
  for (Merge merge = {.a = a, .b = b}; mergeNext(&merge);)
    ++capacity;
  uint32_t *roots = BERTH_ARENA_NEW(memory, uint32_t, capacity);
  BerthTransfer *transfers = BERTH_ARENA_NEW(memory, BerthTransfer, capacity);
  for (Merge merge = {.a = a, .b = b}; mergeNext(&merge); ++count) {
    roots[count] = merge.root;
    transfers[count] = combineOne(merge.ofA, merge.ofB);
  }
  return (BerthTransferMap){true, count, roots, transfers};
}

BerthTransferMap berthTransferMapCompose(BerthArena *memory,
                                         BerthTransferMap first,
                                         BerthTransferMap then) {
  if (!first.isReached || !then.isReached)
    return (BerthTransferMap){0};
  if (!then.count)
    return first;
  if (!first.count)
    return then;
  return combine(memory, first, then, berthTransferCompose);
}

/// Maps are never changed, so that several may share their arrays.
static bool isOneMap(BerthTransferMap a, BerthTransferMap b) {
  return a.count == b.count && a.roots == b.roots && a.transfers == b.transfers;
}

BerthTransferMap berthTransferMapJoin(BerthArena *memory, BerthTransferMap a,
                                      BerthTransferMap b) {
  if (!a.isReached || !b.isReached)
    return a.isReached ? a : b;
  if (isOneMap(a, b))
    return a;
  return combine(memory, a, b, berthTransferJoin);
}

bool berthTransferMapEqual(BerthTransferMap a, BerthTransferMap b) {
  if (a.isReached != b.isReached)
    return false;
  if (isOneMap(a, b))
    return true;
  for (Merge merge = {.a = a, .b = b}; mergeNext(&merge);)
    if (memcmp(&merge.ofA, &merge.ofB, sizeof merge.ofA) != 0)
      return false;
  return true;
}
