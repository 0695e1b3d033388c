//===- Emit.c - Sizes and offsets computed by the program -----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// At a home, for the buffers of memref.alloc(%n) : memref<?xf32> and of
// memref.alloc(%m), which meet:
//
//     %fits = arith.cmpi ule, %n, %limit     for the check at the allocation
//     %bytes = arith.muli %n, %c4
//     ... rounded up to the arena's alignment
//     %size = arith.select %fits, %rounded, %c0
//     %offset = arith.maxui ...              above all that it meets
//
// The limit is so low that no sum of offsets can overflow. A size that is
// negative, too large, or of an allocation that does not run, counts as 0.
//
//===----------------------------------------------------------------------===//

#include "IR/Dynamic/Emit.h"
#include "IR/Dynamic/Arith.h"
#include "IR/Dynamic/Checks.h"
#include "IR/Dynamic/Order.h"
#include "IR/Ops/Allocations.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "IR/Scope/Segments.h"

#include <stdlib.h>

typedef struct Emission {
  BerthJob *job;
  BerthHome *home;
  BerthArith arith;
  int64_t alignment; ///< of every offset
  int64_t limit;     ///< of every size
  size_t numNodes;
  struct Node *nodes;
} Emission;

/// One group of buffers, or one buffer.
typedef struct Node {
  size_t begin, end; ///< in the home's order
  MlirValue size;
  MlirValue top; ///< offset + size
} Node;

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// Rounds up to the arena's alignment, a power of two.
static MlirValue roundUp(Emission *emission, MlirValue bytes, int64_t unit) {
  BerthArith *arith = &emission->arith;
  int64_t mask = emission->alignment - 1;
  if (unit % emission->alignment == 0)
    return bytes;
  MlirValue raised = berthArithBinary(arith, BERTH_NAME_ADD, bytes,
                                      berthArithConstant(arith, mask));
  return berthArithBinary(arith, BERTH_NAME_AND, raised,
                          berthArithConstant(arith, ~mask));
}

/// Bounds are compared as the loop compares them.
static MlirValue condition(Emission *emission, BerthCondition condition) {
  BerthArith *arith = &emission->arith;
  MlirValue first = berthMake(&arith->maker, condition.values[0]);
  if (condition.runs == BERTH_RUNS_WHEN_TRUE)
    return first;
  if (condition.runs == BERTH_RUNS_WHEN_FALSE)
    return berthArithNot(arith, first);
  bool isUnsigned =
      condition.runs == BERTH_RUNS_WHEN_LESS_UNSIGNED &&
      !berthIsBroken(emission->job->options->alias.breakRule, "signed-bounds");
  MlirValue second = berthMake(&arith->maker, condition.values[1]);
  return berthArithCompare(arith,
                           isUnsigned ? BERTH_UNSIGNED_LESS : BERTH_SIGNED_LESS,
                           first, second);
}

/// Whether the allocation runs; null: it does.
static MlirValue runs(Emission *emission, const BerthBufferInfo *buffer) {
  BerthCondition conditions[BERTH_MAX_CONDITIONS];
  size_t count;
  berthFindConditions(emission->job, emission->home, buffer->alloc, conditions,
                      &count);
  MlirValue all = {NULL};
  for (size_t i = count; i-- > 0;)
    all = berthArithBoth(&emission->arith, all,
                         condition(emission, conditions[i]));
  return all;
}

/// The bytes that the buffer takes of the arena.
static MlirValue sizeOf(Emission *emission, BerthBufferInfo *buffer) {
  BerthArith *arith = &emission->arith;
  if (buffer->unitBytes == 0)
    return berthArithConstant(arith, 0);
  bool isChecked = emission->job->options->sizeChecks;
  MlirValue fits = {NULL};
  MlirValue count =
      berthArithElements(arith, buffer, emission->limit / buffer->unitBytes,
                         isChecked ? &fits : NULL);
  MlirValue bytes =
      berthArithBinary(arith, BERTH_NAME_MULTIPLY, count,
                       berthArithConstant(arith, buffer->unitBytes));
  bytes = roundUp(emission, bytes, buffer->unitBytes);
  buffer->fits = fits;
  buffer->count = count;
  MlirValue isMade = runs(emission, buffer);
  MlirValue counts = berthArithBoth(arith, isMade, fits);
  if (berthSizesAreForHost(emission->job) && !mlirValueIsNull(fits))
    berthBuildEntrySizeCheck(
        buffer, arith->at,
        mlirValueIsNull(isMade)
            ? fits
            : berthArithNot(arith, berthArithBoth(arith, isMade,
                                                  berthArithNot(arith, fits))));
  if (mlirValueIsNull(counts))
    return bytes;
  return berthArithSelect(arith, counts, bytes, berthArithConstant(arith, 0));
}

//===----------------------------------------------------------------------===//
// Offsets
//===----------------------------------------------------------------------===//

static BerthBufferInfo *bufferAt(const Emission *emission, size_t place) {
  return &emission->job->scope.buffers[emission->home->buffers[place]];
}

static bool meet(const Emission *emission, const Node *a, const Node *b) {
  for (size_t i = a->begin; i < a->end; ++i)
    for (size_t k = b->begin; k < b->end; ++k)
      if (berthBuffersMeet(bufferAt(emission, i), bufferAt(emission, k)))
        return true;
  return false;
}

/// The end of the static buffers that the node meets, rounded up.
static int64_t bottomOf(const Emission *emission, const Node *node) {
  const BerthJob *job = emission->job;
  int64_t bottom = 0;
  for (size_t k = node->begin; emission->home->isEntry && k < node->end; ++k) {
    int64_t top = berthStaticTop(job, bufferAt(emission, k));
    if (top > bottom)
      bottom = top;
  }
  int64_t mask = emission->alignment - 1;
  return (bottom + mask) & ~mask;
}

/// The largest of `least` (unless it is 0) and of the values; none: a constant.
static MlirValue largest(Emission *emission, const MlirValue *values,
                         size_t count, int64_t least) {
  MlirValue result =
      least || !count ? berthArithConstant(&emission->arith, least) : values[0];
  for (size_t i = least ? 0 : 1; i < count; ++i) {
    bool isNew = true;
    for (size_t k = 0; k < i; ++k)
      isNew &= !mlirValueEqual(values[k], values[i]);
    if (isNew)
      result =
          berthArithBinary(&emission->arith, BERTH_NAME_MAX, result, values[i]);
  }
  return result;
}

/// The tops of earlier nodes that node `n` meets (all of them if `n` is the
/// number of nodes), without those that lie below another one of these.
static size_t collectTops(const Emission *emission, size_t n, MlirValue *values,
                          size_t *kept) {
  size_t count = 0;
  for (size_t i = n; i-- > 0;) {
    const Node *node = &emission->nodes[i];
    bool counts =
        n == emission->numNodes || meet(emission, node, &emission->nodes[n]);
    for (size_t k = 0; counts && k < count; ++k)
      counts = !meet(emission, node, &emission->nodes[kept[k]]);
    if (!counts)
      continue;
    kept[count] = i;
    values[count++] = node->top;
  }
  return count;
}

static MlirValue topOf(Emission *emission, size_t n, MlirValue offset) {
  const Node *node = &emission->nodes[n];
  int64_t number;
  if (berthValueIsConstant(offset, &number) && number == 0)
    return node->size;
  return berthArithBinary(&emission->arith, BERTH_NAME_ADD, offset, node->size);
}

static void placeNode(Emission *emission, size_t n, MlirValue *values,
                      size_t *kept) {
  Node *node = &emission->nodes[n];
  MlirValue sizes = {NULL};
  for (size_t i = node->begin; i < node->end; ++i) {
    MlirValue size = sizeOf(emission, bufferAt(emission, i));
    bufferAt(emission, i)->bytes = size;
    bool isFirst = mlirValueIsNull(sizes);
    if (isFirst || mlirValueEqual(sizes, size))
      sizes = size;
    else
      sizes = berthArithBinary(&emission->arith, BERTH_NAME_MAX, sizes, size);
  }
  node->size = sizes;
  size_t count = collectTops(emission, n, values, kept);
  MlirValue offset = largest(emission, values, count, bottomOf(emission, node));
  for (size_t i = node->begin; i < node->end; ++i)
    bufferAt(emission, i)->shift = offset;
  node->top = topOf(emission, n, offset);
}

static void findNodes(Emission *emission) {
  const BerthHome *home = emission->home;
  emission->nodes =
      berthAllocateOrDie(home->numBuffers, sizeof *emission->nodes);
  for (size_t i = 0; i < home->numBuffers;) {
    Node *node = &emission->nodes[emission->numNodes++];
    int64_t group = bufferAt(emission, i)->group;
    node->begin = i++;
    while (group != BERTH_NONE && i < home->numBuffers &&
           bufferAt(emission, i)->group == group)
      ++i;
    node->end = i;
  }
}

/// Sums of all sizes and static bytes must stay within an index, below 2^63 at
/// most.
static int64_t sizeLimit(const Emission *emission, int64_t leastBytes) {
  int64_t most = berthIndexMax(emission->job->scope.op);
  int64_t share = (most - leastBytes - emission->alignment) /
                  ((int64_t)emission->home->numBuffers + 1);
  return share > emission->alignment ? share - emission->alignment : 0;
}

/// At the home, or in front of a call of the job's function if that is not
/// null.
static MlirValue buildOffsets(BerthJob *job, BerthHome *home,
                              int64_t leastBytes, MlirOperation call) {
  Emission emission = {.job = job,
                       .home = home,
                       .arith = berthArithCreate(job, home, call),
                       .alignment = 1};
  for (size_t i = 0; i < home->numBuffers; ++i)
    if (bufferAt(&emission, i)->alignment > emission.alignment)
      emission.alignment = bufferAt(&emission, i)->alignment;
  if (emission.alignment > job->arenaAlignment)
    job->arenaAlignment = emission.alignment;
  emission.limit = sizeLimit(&emission, leastBytes);
  findNodes(&emission);
  MlirValue *values = berthAllocateOrDie(emission.numNodes, sizeof *values);
  size_t *kept = berthAllocateOrDie(emission.numNodes, sizeof *kept);
  for (size_t n = 0; n < emission.numNodes; ++n)
    placeNode(&emission, n, values, kept);
  size_t count = collectTops(&emission, emission.numNodes, values, kept);
  MlirValue total = largest(&emission, values, count, leastBytes);
  free(values);
  free(kept);
  free(emission.nodes);
  berthArithFree(&emission.arith);
  return total;
}

MlirValue berthBuildOffsets(BerthJob *job, BerthHome *home,
                            int64_t leastBytes) {
  return buildOffsets(job, home, leastBytes, (MlirOperation){NULL});
}

MlirValue berthBuildBytesAtCall(BerthJob *job, MlirOperation call) {
  return buildOffsets(job, &job->homes[0], job->arenaSize, call);
}

/// One colour is one node.
MlirValue berthBuildLargestSize(BerthJob *job, const BerthHome *home,
                                const size_t *buffers, size_t numBuffers,
                                int64_t *alignment) {
  BerthHome block = *home;
  block.numBuffers = numBuffers;
  block.buffers = BERTH_NEW(&job->memory, size_t, numBuffers);
  for (size_t i = 0; i < numBuffers; ++i) {
    BerthBufferInfo *buffer = &job->scope.buffers[buffers[i]];
    buffer->group = (int64_t)buffers[0];
    block.buffers[i] = buffers[i];
    if (buffer->alignment > *alignment)
      *alignment = buffer->alignment;
  }
  return berthBuildOffsets(job, &block, 0);
}

//===----------------------------------------------------------------------===//
// Arenas
//===----------------------------------------------------------------------===//

void berthFreeAtHome(const BerthJob *job, const BerthHome *home,
                     MlirValue value) {
  bool isOutermost =
      mlirBlockEqual(home->block, mlirRegionGetFirstBlock(job->scope.body));
  if (isOutermost)
    berthDeallocAtExits(job->scope.body, value);
  else
    berthBuildDealloc(berthInsertBefore(mlirBlockGetTerminator(home->block)),
                      value);
}

MlirValue berthBuildByteArena(const BerthJob *job, BerthInsertPoint at,
                              MlirValue bytes) {
  bool isFreed = berthAllocatesOnHeap(job);
  return berthBuildAllocation(
      at, isFreed,
      berthByteMemRef(mlirOperationGetContext(job->scope.op), -1,
                      job->scope.space),
      bytes,
      berthArenaAlignment(isFreed, job->scope.space, job->arenaAlignment),
      isFreed);
}

void berthBuildHomes(BerthJob *job) {
  bool isFreed = berthAllocatesOnHeap(job);
  for (size_t i = 1; i < job->numHomes; ++i) {
    BerthHome *home = &job->homes[i];
    if (home->numBuffers == 0)
      continue;
    BerthInsertPoint at = {home->block, home->before,
                           mlirOperationGetLocation(home->before)};
    MlirValue bytes = berthBuildOffsets(job, home, 0);
    home->arena = berthBuildByteArena(job, at, bytes);
    if (isFreed)
      berthFreeAtHome(job, home, home->arena);
  }
}
