//===- ThreadCover.c - Buffers overwritten by all threads -----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As in Cover.c, by runs of uses in each block that no read interrupts. What a
// run writes is counted byte by byte; where it is all of the buffer, the graph
// of liveness with the scope's barriers tells who reads in the same phase.
//
//===----------------------------------------------------------------------===//

#include "IR/Liveness/ThreadCover.h"
#include "IR/Liveness/Cover.h"
#include "IR/Liveness/FlowGraph.h"
#include "IR/Ops/BlockShape.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "IR/Ops/WholeBarrier.h"
#include "IR/Threads/AccessBytes.h"
#include "IR/Threads/Uniformity.h"

#include <stdlib.h>
#include <string.h>

/// Larger buffers are not looked at.
enum { kMostBytes = 1 << 20 };

/// A run of uses of the buffer, sorted by point.
typedef struct Uses {
  const BerthAccess *begin;
  const BerthAccess *end;
} Uses;

typedef struct Search {
  const BerthScope *scope;
  const BerthPoints *points;
  const char *breakRule;
  BerthMemory *memory;
  BerthAccessBytes bytes;
  BerthAccess *signals; ///< barriers that count, groups and waits for them
  size_t numSignals;
  BerthPointerMap barriers; ///< those of them
  // The buffer at hand:
  BerthBufferInfo *buffer;
  BerthAccess *uses; ///< one for each op
  size_t numUses;
  BerthFlowGraph graph;
  BerthAccess *stops; ///< uses and signals; NULL: there is no graph yet
} Search;

static bool isCopy(MlirOperation op) {
  return berthOpStartsAsync(op, BERTH_ASYNC_COPY);
}

static bool isWait(MlirOperation op) {
  int64_t mayPend;
  return berthOpWaitsForGroups(op, BERTH_ASYNC_COPY, &mayPend) && mayPend == 0;
}

//===----------------------------------------------------------------------===//
// From the writes of a cover to reads
//===----------------------------------------------------------------------===//

/// How far what was written has come: another thread sees it behind the next
/// barrier once it has ended.
typedef enum Progress { STARTED, IN_GROUP, ENDED, NUM_PROGRESSES } Progress;

static void addSignal(Search *search, MlirOperation op, bool isBarrier) {
  int64_t point = berthPointsLower(search->points, op);
  search->signals[search->numSignals++] =
      (BerthAccess){.op = op, .lower = point, .upper = point + 1};
  if (isBarrier)
    berthPointerMapInsert(&search->barriers, op.ptr, 1);
}

/// A call of a function that nobody passes without a barrier is one, to all
/// that the function does not touch.
static void addCalledBarriers(Search *search, const BerthCall *calls,
                              size_t numCalls) {
  for (size_t i = 0; i < numCalls; ++i) {
    MlirOperation op = calls[i].op;
    const BerthCallEnds *ends = calls[i].callee->ends;
    if (ends && !ends->isOpen &&
        berthControlIsUniform(search->scope, op, NULL) &&
        mlirOperationEqual(berthPointsOutermostOpaque(search->points, op), op))
      addSignal(search, op, true);
  }
}

static void findSignals(Search *search, size_t numCalls) {
  const BerthPoints *points = search->points;
  search->signals = berthAllocateOrDie((size_t)points->count + numCalls,
                                       sizeof *search->signals);
  for (int64_t point = 0; point < points->count; ++point) {
    MlirOperation op = points->opAt[point];
    bool isBarrier = berthOpIsWholeBarrier(op) &&
                     berthControlIsUniform(search->scope, op, NULL);
    bool isSignal =
        isBarrier || berthOpMakesGroup(op, BERTH_ASYNC_COPY) || isWait(op);
    if (!isSignal || berthPointsLower(points, op) != point ||
        !mlirOperationEqual(berthPointsOutermostOpaque(points, op), op))
      continue;
    addSignal(search, op, isBarrier);
  }
}

static void buildGraph(Search *search) {
  const BerthScope *scope = search->scope;
  bool isKernel =
      scope->kind == BERTH_SCOPE_KERNEL || scope->kind == BERTH_SCOPE_LAUNCH;
  size_t count = search->numUses + search->numSignals;
  search->stops = berthAllocateOrDie(count, sizeof *search->stops);
  memcpy(search->stops, search->uses, search->numUses * sizeof *search->uses);
  if (search->numSignals)
    memcpy(search->stops + search->numUses, search->signals,
           search->numSignals * sizeof *search->signals);
  qsort(search->stops, count, sizeof *search->stops, berthCompareAccesses);
  berthFlowGraphBuildStops(&search->graph, search->points, search->stops, count,
                           scope, !isKernel && !scope->runsAreApart);
}

static uint32_t nodeOf(const Search *search, const BerthAccess *use) {
  for (uint32_t n = 0; n < search->graph.numNodes; ++n) {
    const BerthFlowNode *node = &search->graph.nodes[n];
    for (uint32_t k = 0; k < node->numStops; ++k)
      if (mlirOperationEqual(search->stops[node->firstStop + k].op, use->op))
        return n;
  }
  return BERTH_SCOPE_ENTRY; // no use is without a stop
}

/// True if a byte that one thread writes may be read by another one.
static bool meet(Search *search, MlirOperation write, MlirOperation read) {
  BerthAccessBytes *bytes = &search->bytes;
  size_t size = (size_t)search->buffer->size * sizeof *bytes->owners;
  berthAccessBytesClear(bytes);
  if (!berthAccessBytesMark(bytes, write))
    return true;
  uint16_t *written = berthAllocateOrDie(size, 1);
  memcpy(written, bytes->owners, size);
  berthAccessBytesClear(bytes);
  bool doMeet = !berthAccessBytesMark(bytes, read) ||
                berthOwnersMeet(written, bytes->owners, search->buffer->size);
  free(written);
  return doMeet;
}

/// True if the search stands at a read of the buffer that may meet the write.
static bool meetsAt(Search *search, const BerthAccess *write,
                    const BerthFlowNode *node) {
  for (uint32_t k = 0; k < node->numStops; ++k) {
    const BerthAccess *stop = &search->stops[node->firstStop + k];
    if (stop->reads && (isCopy(write->op) || meet(search, write->op, stop->op)))
      return true;
  }
  return false;
}

/// Behind the node.
static Progress advance(const Search *search, const BerthFlowNode *node,
                        Progress progress) {
  for (uint32_t k = 0; k < node->numStops; ++k) {
    MlirOperation op = search->stops[node->firstStop + k].op;
    if (progress == STARTED && berthOpMakesGroup(op, BERTH_ASYNC_COPY))
      progress = IN_GROUP;
    else if (progress == IN_GROUP && isWait(op))
      progress = ENDED;
  }
  return progress;
}

static bool endsAt(const Search *search, const BerthFlowNode *node) {
  return node->numStops > 0 &&
         berthPointerMapFind(&search->barriers,
                             search->stops[node->firstStop].op.ptr) !=
             BERTH_NOT_FOUND;
}

/// True if some thread may come from the write to a read that meets it, or from
/// such a read to the write, before what is written is surely there, or all
/// that was there is surely read.
static bool meetsRead(Search *search, const BerthAccess *write,
                      bool isBackward) {
  const BerthFlowGraph *graph = &search->graph;
  uint32_t start = nodeOf(search, write);
  size_t numStates = graph->numNodes * NUM_PROGRESSES, pending = 0;
  bool *isReached = berthAllocateOrDie(numStates, sizeof *isReached);
  uint32_t *states = berthAllocateOrDie(numStates, sizeof *states);
  bool isFound = false;
  Progress first = isBackward || !isCopy(write->op) ? ENDED : STARTED;
  states[pending++] = start * NUM_PROGRESSES + first;
  while (pending && !isFound) {
    uint32_t state = states[--pending], index = state / NUM_PROGRESSES;
    const BerthFlowNode *node = &graph->nodes[index];
    Progress progress = (Progress)(state % NUM_PROGRESSES);
    isFound = meetsAt(search, write, node);
    if (progress == ENDED && endsAt(search, node))
      continue;
    if (!isBackward)
      progress = advance(search, node, progress);
    for (uint32_t e = isBackward ? node->firstPrevious : node->firstNext;
         e != BERTH_NO_NODE;
         e = isBackward ? graph->edges[e].nextIn : graph->edges[e].nextOut) {
      uint32_t to = isBackward ? graph->edges[e].from : graph->edges[e].to;
      uint32_t next = to * NUM_PROGRESSES + progress;
      if (isReached[next])
        continue;
      isReached[next] = true;
      states[pending++] = next;
    }
  }
  free(isReached);
  free(states);
  return isFound;
}

/// True if nobody reads what the run writes in the same phase.
static bool isApart(Search *search, Uses run) {
  if (berthIsBroken(search->breakRule, "unmet-covers"))
    return true;
  if (!search->stops)
    buildGraph(search);
  for (const BerthAccess *use = run.begin; use != run.end; ++use)
    if (meetsRead(search, use, false) || meetsRead(search, use, true))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

static bool isAll(const Search *search) {
  const BerthAccessBytes *bytes = &search->bytes;
  if (berthIsBroken(search->breakRule, "partial-covers"))
    return bytes->lower < bytes->upper;
  for (int64_t i = 0; i < search->buffer->size; ++i)
    if (bytes->owners[i] == BERTH_NOBODY)
      return false;
  return true;
}

/// The uses, from the first one on, that stand below a point.
static Uses usesBelow(Uses uses, int64_t upper) {
  Uses below = {uses.begin, uses.begin};
  while (below.end != uses.end && below.end->lower < upper)
    ++below.end;
  return below;
}

/// Those of one op of the block, or of what is in it.
static Uses usesOfOp(const Search *search, MlirBlock block, Uses uses,
                     MlirOperation *top) {
  *top = berthAncestorInRegion(uses.begin->op, mlirBlockGetParentRegion(block));
  return usesBelow(uses, berthPointsUpper(search->points, *top));
}

static bool anyReads(Uses uses) {
  for (const BerthAccess *use = uses.begin; use != uses.end; ++use)
    if (use->reads)
      return true;
  return false;
}

/// A block that all threads come to together.
static void findInBlock(Search *search, MlirBlock block, Uses uses) {
  MlirOperation start = {NULL}, top;
  Uses run = {NULL, NULL};
  while (uses.begin != uses.end) {
    Uses inside = usesOfOp(search, block, uses, &top);
    uses.begin = inside.end;
    bool reads = anyReads(inside);
    if (mlirOperationIsNull(start) && !reads) {
      start = top;
      run = inside;
      berthAccessBytesClear(&search->bytes);
    }
    run.end = inside.end;
    for (const BerthAccess *use = inside.begin; use != inside.end && !reads;
         ++use)
      berthAccessBytesMarkWritten(&search->bytes, use->op, top);
    bool isCovered = !reads && isAll(search);
    if (isCovered && isApart(search, run))
      berthBufferNoteCover(search->buffer, search->points, search->memory,
                           start);
    if (reads || isCovered)
      start = (MlirOperation){NULL};
  }
}

static void findInRegion(Search *search, MlirRegion region, Uses uses);

static void findInOps(Search *search, MlirBlock block, Uses uses) {
  MlirOperation top;
  while (uses.begin != uses.end) {
    Uses inside = usesOfOp(search, block, uses, &top);
    uses.begin = inside.end;
    if (mlirOperationEqual(top, inside.begin->op))
      continue;
    for (intptr_t i = 0; i < mlirOperationGetNumRegions(top); ++i) {
      MlirRegion region = mlirOperationGetRegion(top, i);
      Uses own = usesBelow(inside,
                           berthPointsRegionSpan(search->points, region).upper);
      inside.begin = own.end;
      findInRegion(search, region, own);
    }
  }
}

static void findInRegion(Search *search, MlirRegion region, Uses uses) {
  for (MlirBlock block = mlirRegionGetFirstBlock(region);
       !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
    Uses inside =
        usesBelow(uses, berthPointsBlockSpan(search->points, block).upper);
    uses.begin = inside.end;
    if (inside.begin == inside.end)
      continue;
    findInOps(search, block, inside);
    MlirOperation first = mlirBlockGetFirstOperation(block);
    if (berthControlIsUniform(search->scope, first, NULL))
      findInBlock(search, block, inside);
  }
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// Each op once.
static void collectUses(Search *search) {
  const BerthBufferInfo *buffer = search->buffer;
  search->uses = berthAllocateOrDie(buffer->numAccesses, sizeof *search->uses);
  search->numUses = 0;
  for (size_t i = 0; i < buffer->numAccesses; ++i) {
    const BerthAccess *access = &buffer->accesses[i];
    BerthAccess *last =
        search->numUses ? &search->uses[search->numUses - 1] : NULL;
    if (last && mlirOperationEqual(last->op, access->op)) {
      last->reads |= access->reads;
      last->writes |= access->writes;
    } else {
      search->uses[search->numUses++] = *access;
    }
  }
}

/// True if the op is understood, or waits for its copy as it should.
static bool isUnderstood(const Search *search, MlirOperation op) {
  if (!isCopy(op))
    return berthAccessBytesIsPlain(&search->bytes, op);
  BerthAsyncCopy parts = berthAsyncCopyGet(op);
  const BerthPointerMap *aliases = &search->bytes.aliases;
  return berthPointerMapFind(aliases, parts.target.ptr) != BERTH_NOT_FOUND &&
         berthPointerMapFind(aliases, parts.source.ptr) == BERTH_NOT_FOUND;
}

static void findOfBuffer(Search *search) {
  bool isFine = true;
  berthAccessBytesEnter(&search->bytes, search->buffer);
  collectUses(search);
  for (size_t i = 0; i < search->numUses && isFine; ++i)
    isFine = isUnderstood(search, search->uses[i].op);
  if (isFine)
    findInRegion(search, search->points->body,
                 (Uses){search->uses, search->uses + search->numUses});
  free(search->uses);
  free(search->stops);
  search->stops = NULL;
  berthAccessBytesLeave(&search->bytes);
}

/// True if something may read what an earlier run, or turn, has left, or might.
static bool isCandidate(const BerthBufferInfo *buffer) {
  bool writes = false;
  if (!berthBufferHasViewsOnly(buffer) || buffer->size > kMostBytes ||
      buffer->size == 0)
    return false;
  for (size_t i = 0; i < buffer->numAccesses; ++i)
    writes |= buffer->accesses[i].writes && !buffer->accesses[i].kills;
  return writes;
}

void berthFindThreadCovers(BerthScope *scope, const BerthPoints *points,
                           const BerthAliasOptions *options,
                           const BerthCall *calls, size_t numCalls) {
  int64_t shape[3];
  if (!berthScopeIsShared(scope) || berthHasConcurrentUnits() ||
      berthNumCores() > 0 || scope->arrival != BERTH_ARRIVAL_TOGETHER ||
      !berthBlockShape(scope->op, shape) ||
      berthIsBroken(options->breakRule, "no-kills") ||
      berthIsBroken(options->breakRule, "no-covers"))
    return;
  berthScopeFindUniformity(scope, options->breakRule);
  Search search = {.scope = scope,
                   .points = points,
                   .breakRule = options->breakRule,
                   .memory = scope->memory};
  findSignals(&search, numCalls);
  addCalledBarriers(&search, calls, numCalls);
  berthAccessBytesStart(&search.bytes, scope, options->breakRule);
  for (size_t i = 0; i < scope->numBuffers; ++i) {
    search.buffer = &scope->buffers[i];
    if (isCandidate(search.buffer))
      findOfBuffer(&search);
  }
  berthAccessBytesFree(&search.bytes);
  berthFlowGraphFree(&search.graph);
  berthPointerMapFree(&search.barriers);
  free(search.signals);
}
