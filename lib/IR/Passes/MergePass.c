//===- MergePass.c - The pass berth-merge, in C ---------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Passes/MergePass.h"
#include "IR/Barriers/Pairs.h"
#include "IR/Dynamic/Checks.h"
#include "IR/Dynamic/Emit.h"
#include "IR/Dynamic/Homes.h"
#include "IR/Dynamic/Sizes.h"
#include "IR/Liveness/Alternatives.h"
#include "IR/Ops/Allocations.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Recursion.h"
#include "IR/Ops/Text.h"
#include "IR/Passes/Remarks.h"
#include "IR/Plan/Analyze.h"
#include "IR/Plan/Problem.h"
#include "IR/Pointers/DeallocChains.h"
#include "IR/Pointers/Frees.h"
#include "IR/Prepare/RefillCopies.h"
#include "IR/Rewrite/DistinctObjects.h"
#include "IR/Rewrite/EraseFrees.h"
#include "IR/Scope/ScopeKind.h"
#include "IR/Scope/Segments.h"
#include "Support/Nearest.h"
#include "Support/Sort.h"

#include <stdlib.h>
#include <string.h>

enum { kNoColour = -1 };

typedef struct Merge {
  BerthJob job; ///< its options are those of the arena that it would become
  BerthArenaOptions arenaOptions;
  const BerthMergeOptions *options;
  BerthAlternatives alternatives;
  bool *joined;     ///< pairs that no barrier separates; NULL for one thread
  int64_t *colours; ///< per scope buffer; kNoColour: it stays as it is
  int64_t numColours;
} Merge;

BerthStatus berthParseMayMerge(const char *text, BerthMayMerge *mayMerge,
                               BerthError *error) {
  static const char *const names[] = {"same-type", "same-size", "any"};
  for (int i = 0; i <= BERTH_MERGE_ANY; ++i)
    if (strcmp(text, names[i]) == 0) {
      *mayMerge = (BerthMayMerge)i;
      return BERTH_SUCCESS;
    }
  return berthErrorSet(error, BERTH_INVALID,
                       "may-merge '%s' is none of same-type, same-size, any%s",
                       text,
                       berthNearest(text, names, BERTH_MERGE_ANY + 1).text);
}

//===----------------------------------------------------------------------===//
// Colouring
//===----------------------------------------------------------------------===//

static bool isSameOp(const BerthBufferInfo *a, const BerthBufferInfo *b) {
  return mlirIdentifierEqual(mlirOperationGetName(a->alloc),
                             mlirOperationGetName(b->alloc));
}

static bool isCompatible(const Merge *merge, const BerthBufferInfo *a,
                         const BerthBufferInfo *b) {
  if (!isSameOp(a, b))
    return false;
  switch (merge->options->mayMerge) {
  case BERTH_MERGE_SAME_TYPE:
    return mlirTypeEqual(mlirValueGetType(a->value),
                         mlirValueGetType(b->value)) &&
           (!a->isDynamic || berthHaveSameSizes(a, b));
  case BERTH_MERGE_SAME_SIZE:
    return a->isDynamic ? berthHaveSameSizes(a, b) : a->size == b->size;
  case BERTH_MERGE_ANY:
    return true;
  }
  return false;
}

/// By their numbers in the problem.
static bool interfere(const Merge *merge, size_t a, size_t b) {
  const BerthJob *job = &merge->job;
  size_t x = job->bufferOf[a], y = job->bufferOf[b];
  bool meet = berthBuffersMeet(&job->scope.buffers[x], &job->scope.buffers[y]);
  return (meet && !berthAreAlternatives(&merge->alternatives, x, y)) ||
         (merge->joined && merge->joined[a * job->numPlaced + b]);
}

static bool mayTake(const Merge *merge, size_t buffer, int64_t colour) {
  const BerthJob *job = &merge->job;
  for (size_t i = 0; i < job->numPlaced; ++i) {
    if (merge->colours[job->bufferOf[i]] != colour)
      continue;
    if (interfere(merge, buffer, i) ||
        !isCompatible(merge, &job->scope.buffers[job->bufferOf[buffer]],
                      &job->scope.buffers[job->bufferOf[i]]))
      return false;
  }
  return true;
}

/// The numbers of the problem's buffers by falling size, then as written.
static const uint32_t *orderBySize(BerthJob *job) {
  BerthSorting sorting;
  berthSortingOrDie(&sorting, (uint32_t)job->numPlaced, &job->memory);
  for (size_t i = 0; i < job->numPlaced; ++i)
    sorting.keys[i] =
        berthKeyDescending(job->scope.buffers[job->bufferOf[i]].size);
  return berthSort(&sorting);
}

/// What this pass knows how to make anew: memref.alloc and memref.alloca. With
/// a static size their only operands are symbols of the layout, which may not
/// be there yet where the block is allocated.
static bool isRebuildable(const BerthBufferInfo *buffer) {
  return berthOpIsPlainAllocation(buffer->alloc) &&
         mlirOperationGetNumOperands(buffer->alloc) == 0;
}

static void colour(Merge *merge) {
  BerthJob *job = &merge->job;
  merge->colours = BERTH_NEW(&job->memory, int64_t, job->scope.numBuffers);
  for (size_t i = 0; i < job->scope.numBuffers; ++i)
    merge->colours[i] = kNoColour;
  const uint32_t *order = orderBySize(job);
  for (size_t i = 0; i < job->numPlaced; ++i) {
    size_t buffer = job->bufferOf[order[i]];
    if (!isRebuildable(&job->scope.buffers[buffer]))
      continue;
    int64_t c = 0;
    while (c < merge->numColours && !mayTake(merge, order[i], c))
      ++c;
    merge->colours[buffer] = c;
    if (c == merge->numColours)
      ++merge->numColours;
  }
}

//===----------------------------------------------------------------------===//
// Colouring sizes that are known only at run time
//===----------------------------------------------------------------------===//

static bool mayTakeDynamic(const Merge *merge, size_t buffer, int64_t colour) {
  const BerthScope *scope = &merge->job.scope;
  const BerthBufferInfo *info = &scope->buffers[buffer];
  bool sharesHome = false;
  for (size_t i = 0; i < scope->numBuffers; ++i) {
    const BerthBufferInfo *member = &scope->buffers[i];
    if (merge->colours[i] != colour)
      continue;
    sharesHome = member->isDynamic && member->home == info->home;
    if (!sharesHome || berthBuffersMeet(info, member) ||
        !isCompatible(merge, info, member))
      return false;
  }
  return sharesHome;
}

/// Without views the block is the allocation of one of its members, which must
/// then run.
static bool runsAtHome(const BerthJob *job, const BerthBufferInfo *buffer) {
  BerthCondition conditions[BERTH_MAX_CONDITIONS];
  size_t count;
  berthFindConditions(job, &job->homes[buffer->home], buffer->alloc, conditions,
                      &count);
  return count == 0;
}

/// In the order of the code: which is larger, nobody knows.
static void colourDynamic(Merge *merge) {
  BerthJob *job = &merge->job;
  int64_t first = merge->numColours;
  for (size_t i = 0; i < job->scope.numBuffers; ++i) {
    const BerthBufferInfo *buffer = &job->scope.buffers[i];
    bool isOneType = merge->options->mayMerge == BERTH_MERGE_SAME_TYPE;
    if (!buffer->isDynamic || buffer->reason ||
        (isOneType && !runsAtHome(job, buffer)))
      continue;
    int64_t c = first;
    while (c < merge->numColours && !mayTakeDynamic(merge, i, c))
      ++c;
    merge->colours[i] = c;
    if (c == merge->numColours)
      ++merge->numColours;
  }
}

/// Here a bound on the size is no help: no offset depends on it.
static void forgetBounds(BerthScope *scope) {
  for (size_t i = 0; i < scope->numBuffers; ++i) {
    BerthBufferInfo *buffer = &scope->buffers[i];
    if (!buffer->isBounded)
      continue;
    buffer->isBounded = false;
    buffer->isDynamic = true;
    buffer->size = 0;
  }
}

/// A merged block has no offsets, and is no longer the buffer that the user
/// spoke of.
static void leaveConstrained(BerthScope *scope) {
  for (size_t i = 0; i < scope->numBuffers; ++i)
    if (berthIsConstrained(scope->buffers[i].alloc))
      berthRejectBuffer(&scope->buffers[i],
                        "berth.pin, berth.group or berth.no_reuse binds it",
                        scope->buffers[i].alloc);
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// What one colour's allocation must be.
typedef struct Block {
  size_t numMembers;
  const BerthBufferInfo *first; ///< the largest, earliest member
  int64_t alignment;
  bool isOneType;
  bool isFreed; ///< some member was: then so is the block, by us
} Block;

static Block describeBlock(const Merge *merge, int64_t colour) {
  const BerthJob *job = &merge->job;
  Block block = {.isOneType = true, .alignment = 1};
  for (size_t i = 0; i < job->scope.numBuffers; ++i) {
    const BerthBufferInfo *member = &job->scope.buffers[i];
    if (merge->colours[i] != colour)
      continue;
    if (!block.first || member->size > block.first->size)
      block.first = member;
    if (member->alignment > block.alignment)
      block.alignment = member->alignment;
    block.isFreed |= member->numFrees > 0;
    ++block.numMembers;
  }
  for (size_t i = 0; i < job->scope.numBuffers; ++i)
    if (merge->colours[i] == colour)
      block.isOneType &=
          mlirTypeEqual(mlirValueGetType(job->scope.buffers[i].value),
                        mlirValueGetType(block.first->value));
  return block;
}

static MlirValue buildBlock(const Merge *merge, const Block *block) {
  const BerthJob *job = &merge->job;
  MlirContext context = mlirOperationGetContext(job->scope.op);
  bool isAlloc = berthOpIs(block->first->alloc, BERTH_OP_ALLOC);
  MlirType type =
      block->isOneType
          ? mlirValueGetType(block->first->value)
          : berthByteMemRef(context, block->first->size, job->scope.space);
  BerthInsertPoint at = berthInsertAtEntry(
      job->scope.body, mlirOperationGetLocation(block->first->alloc));
  return berthBuildAllocation(at, isAlloc, type, (MlirValue){NULL},
                              block->alignment, isAlloc && block->isFreed);
}

/// Homes stand in front of ops, and some of these go.
static void destroyAllocation(BerthJob *job, MlirOperation alloc) {
  for (size_t i = 0; i < job->numHomes; ++i)
    if (mlirOperationEqual(job->homes[i].before, alloc))
      job->homes[i].before = mlirOperationGetNextInBlock(alloc);
  mlirOperationDestroy(alloc);
}

static void replaceMember(BerthJob *job, BerthBufferInfo *member,
                          const Block *block, MlirValue value) {
  if (!block->isOneType)
    value = berthBuildView(berthInsertBefore(member->alloc), value, 0,
                           mlirValueGetType(member->value));
  mlirValueReplaceAllUsesOfWith(member->value, value);
  destroyAllocation(job, member->alloc);
}

static void remarkBlock(const BerthBufferInfo *member, const Block *block) {
  BerthText text = {0};
  if (member->isDynamic) {
    berthTextAppend(&text,
                    "one of %zu allocations merged into one of the largest "
                    "size at run time",
                    block->numMembers);
    berthEmitRemark(member->alloc, BERTH_REMARK_PASSED, "berth-merge",
                    text.data);
    berthTextFree(&text);
    return;
  }
  berthTextAppend(&text, "one of %zu allocations merged into one of %lld bytes",
                  block->numMembers, (long long)block->first->size);
  berthEmitRemark(member->alloc, BERTH_REMARK_PASSED, "berth-merge", text.data);
  berthTextFree(&text);
}

/// The members of a colour, in the order of the code.
static size_t *membersOf(Merge *merge, int64_t colour, size_t count) {
  size_t *members = BERTH_NEW(&merge->job.memory, size_t, count);
  count = 0;
  for (size_t i = 0; i < merge->job.scope.numBuffers; ++i)
    if (merge->colours[i] == colour)
      members[count++] = i;
  return members;
}

/// memref.alloc of the first member's type, its sizes computed at the home.
static MlirValue buildTypedBlock(BerthJob *job, const BerthHome *home,
                                 const BerthBufferInfo *first) {
  BerthMaker maker = berthMakerCreate(job, home);
  MlirOperation alloc = mlirOperationClone(first->alloc);
  intptr_t count = mlirOperationGetNumOperands(alloc);
  for (intptr_t i = 0; i < count; ++i)
    mlirOperationSetOperand(
        alloc, i, berthMake(&maker, mlirOperationGetOperand(alloc, i)));
  mlirBlockInsertOwnedOperationBefore(home->block, home->before, alloc);
  berthMakerFree(&maker);
  return mlirOperationGetResult(alloc, 0);
}

static MlirValue buildDynamicBlock(Merge *merge, const Block *block,
                                   const size_t *members) {
  BerthJob *job = &merge->job;
  const BerthHome *home = &job->homes[block->first->home];
  bool isAlloc = berthOpIs(block->first->alloc, BERTH_OP_ALLOC);
  if (merge->options->mayMerge == BERTH_MERGE_SAME_TYPE)
    return buildTypedBlock(job, home, block->first);
  int64_t alignment = block->alignment;
  MlirValue bytes =
      berthBuildLargestSize(job, home, members, block->numMembers, &alignment);
  MlirContext context = mlirOperationGetContext(job->scope.op);
  BerthInsertPoint at = {home->block, home->before,
                         mlirOperationGetLocation(block->first->alloc)};
  return berthBuildAllocation(at, isAlloc,
                              berthByteMemRef(context, -1, job->scope.space),
                              bytes, alignment, isAlloc && block->isFreed);
}

static void replaceDynamicMember(Merge *merge, BerthBufferInfo *member,
                                 MlirValue value) {
  BerthInsertPoint at = berthInsertBefore(member->alloc);
  if (merge->options->mayMerge != BERTH_MERGE_SAME_TYPE) {
    berthBuildSizeCheck(&merge->job, member);
    value =
        berthBuildDynamicView(at, value, berthBuildIndex(at, 0), member->alloc);
  }
  mlirValueReplaceAllUsesOfWith(member->value, value);
  destroyAllocation(&merge->job, member->alloc);
}

static void applyDynamicColour(Merge *merge, const Block *block,
                               int64_t colour) {
  BerthJob *job = &merge->job;
  const size_t *members = membersOf(merge, colour, block->numMembers);
  MlirValue value = buildDynamicBlock(merge, block, members);
  bool isAlloc = berthOpIs(block->first->alloc, BERTH_OP_ALLOC);
  if (isAlloc && block->isFreed)
    berthFreeAtHome(job, &job->homes[block->first->home], value);
  for (size_t i = 0; i < block->numMembers; ++i)
    remarkBlock(&job->scope.buffers[members[i]], block);
  for (size_t i = 0; i < block->numMembers; ++i)
    replaceDynamicMember(merge, &job->scope.buffers[members[i]], value);
}

static void applyColour(Merge *merge, int64_t colour) {
  BerthJob *job = &merge->job;
  Block block = describeBlock(merge, colour);
  if (block.numMembers < 2)
    return;
  if (block.first->isDynamic) {
    applyDynamicColour(merge, &block, colour);
    return;
  }
  MlirValue value = buildBlock(merge, &block);
  bool isAlloc = berthOpIs(block.first->alloc, BERTH_OP_ALLOC);
  if (isAlloc && block.isFreed)
    berthDeallocAtExits(job->scope.body, value);
  for (size_t i = 0; i < job->scope.numBuffers; ++i)
    if (merge->colours[i] == colour)
      remarkBlock(&job->scope.buffers[i], &block);
  for (size_t i = 0; i < job->scope.numBuffers; ++i)
    if (merge->colours[i] == colour)
      replaceMember(job, &job->scope.buffers[i], &block, value);
}

/// Buffers that stay alone keep their deallocations; a deallocation that may
/// hit one of these and a merged one too keeps both from merging.
static void keepLonelyFrees(Merge *merge) {
  BerthJob *job = &merge->job;
  bool changed = true;
  while (changed) {
    changed = false;
    for (size_t i = 0; i < job->scope.numBuffers; ++i) {
      bool isMerged = merge->colours[i] != kNoColour &&
                      describeBlock(merge, merge->colours[i]).numMembers > 1;
      if (isMerged || job->scope.buffers[i].reason)
        continue;
      berthRejectBuffer(&job->scope.buffers[i], "it is merged with no other",
                        job->scope.buffers[i].alloc);
      merge->colours[i] = kNoColour;
      changed = true;
    }
    berthCheckFrees(&job->scope);
    for (size_t i = 0; i < job->scope.numBuffers; ++i)
      if (job->scope.buffers[i].reason && merge->colours[i] != kNoColour) {
        merge->colours[i] = kNoColour;
        changed = true;
      }
  }
}

typedef struct MergeRun {
  MlirOperation root;
  const BerthMergeOptions *options;
  BerthMergeFigures *figures;
  BerthPointerMap unknown; ///< ops
  BerthDistinct distinct;
} MergeRun;

static void mergeScope(Merge *merge, MlirOperation op, MergeRun *run) {
  BerthJob *job = &merge->job;
  berthAnalyzeScope(job, op);
  berthSetTablesAside(job);
  job->form = BERTH_ARENA_ALLOC;
  forgetBounds(&job->scope);
  leaveConstrained(&job->scope);
  berthFindHomes(job);
  berthExtractProblem(job);
  merge->alternatives = berthFindAlternatives(job);
  if (merge->alternatives.count)
    job->alternatives = &merge->alternatives;
  if (berthScopeIsShared(&job->scope))
    merge->joined = berthJoinedPairs(job);
  colour(merge);
  colourDynamic(merge);
  run->figures->buffers += job->scope.numBuffers;
  run->figures->allocations += (uint64_t)merge->numColours;
  keepLonelyFrees(merge);
  for (size_t i = 0; i < job->scope.numBuffers; ++i)
    if (job->scope.buffers[i].reason)
      berthRemarkRejection(&job->scope.buffers[i], "berth-merge", "not merged");
  berthListUnknownOps(job, &run->unknown);
  berthListDistinct(job, &run->distinct);
  berthEraseFrees(job);
  for (int64_t c = 0; c < merge->numColours; ++c)
    applyColour(merge, c);
}

static void mergeOne(MlirOperation op, void *userData) {
  MergeRun *run = userData;
  Merge merge = {.options = run->options};
  merge.arenaOptions.collect = run->options->collect;
  merge.arenaOptions.sizeChecks = run->options->sizeChecks;
  merge.arenaOptions.alias = run->options->alias;
  merge.arenaOptions.keepsArenas = true;
  merge.job.options = &merge.arenaOptions;
  merge.job.root = run->root;
  mergeScope(&merge, op, run);
  free(merge.joined);
  berthJobFree(&merge.job);
}

void berthMergeRun(MlirOperation root, const BerthMergeOptions *options,
                   BerthMergeFigures *figures) {
  BerthMergeOptions own = *options;
  own.collect.iterations = true;
  BerthPointerMap threadFunctions =
      berthFindThreadFunctions(root, &own.collect);
  own.collect.threadFunctions = &threadFunctions;
  BerthNamedFunctions named = {0};
  own.alias.root = root;
  own.alias.named = &named;
  if (own.refill && !berthHasConcurrentUnits())
    berthRefillCopies(root, &own.collect, &own.alias, NULL);
  own.alias.followsTransfers = true;
  MergeRun run = {.root = root, .options = &own, .figures = figures};
  berthForEachScope(root, &own.collect, mergeOne, &run);
  berthWarnOfUnknownOps(root, &run.unknown);
  berthPointerMapFree(&run.unknown);
  berthDropDistinct(&run.distinct, "berth-merge");
  berthNamedFunctionsFree(&named);
  berthPointerMapFree(&threadFunctions);
}
