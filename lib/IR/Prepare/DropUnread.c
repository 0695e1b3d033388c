//===- DropUnread.c - What nobody reads goes ------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fill or copy goes if its target is surely part of one buffer, and what that
// buffer holds behind it is read on no way before it is overwritten. A copy
// that goes may have been the last one to read its source: so this is done
// again until nothing goes.
//
//===----------------------------------------------------------------------===//

#include "IR/Prepare/DropUnread.h"
#include "IR/Facts/Versions.h"
#include "IR/Liveness/FlowGraph.h"
#include "IR/Liveness/Liveness.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "IR/Ops/Worklist.h"
#include "IR/Plan/Analyze.h"
#include "IR/Prepare/Unused.h"

typedef struct Search {
  const BerthJob *job;
  BerthFlowGraph graph;
  BerthWorklist writes; ///< ops that go
  BerthWorklist allocs; ///< with all that looks at them
} Search;

/// One-thread code in the order of its ops, which nobody else has looked at.
static bool mayDrop(const BerthJob *job) {
  const BerthArenaOptions *options = job->options;
  return options->dropUnread && !options->explain && !options->memory &&
         !job->kept && !options->planOut && job->form != BERTH_ARENA_ANNOTATE &&
         !job->scope.isIteration && job->scope.kind != BERTH_SCOPE_LAUNCH &&
         !berthScopeIsShared(&job->scope) && !job->scope.hasCores &&
         !berthHasConcurrentUnits();
}

/// Parallel bodies and launches are scopes of their own, which know the ops in
/// them.
static bool isOwnOp(const Search *search, MlirOperation op) {
  return mlirOperationEqual(
      berthPointsOutermostOpaque(&search->job->points, op), op);
}

//===----------------------------------------------------------------------===//
// Writes
//===----------------------------------------------------------------------===//

/// The operand that linalg.fill and memref.copy write.
enum { kTarget = 1 };

/// True if the value is the buffer, or a view of it, whatever was done before.
static bool isSurelyOf(const BerthBufferInfo *buffer, MlirValue value) {
  while (!mlirValueEqual(value, buffer->value)) {
    if (!mlirValueIsAOpResult(value))
      return false;
    value = berthViewGetSource(mlirOpResultGetOwner(value));
    if (mlirValueIsNull(value))
      return false;
  }
  return true;
}

static bool onlyWrites(const Search *search, const BerthBufferInfo *buffer,
                       const BerthAccess *access) {
  MlirOperation op = access->op;
  return access->writes && !access->reads &&
         (berthOpIs(op, BERTH_OP_FILL) || berthOpIsCopy(op)) &&
         mlirOperationGetNumResults(op) == 0 &&
         mlirOperationGetNumOperands(op) == 2 &&
         mlirAttributeIsNull(berthAttributeOf(op, BERTH_MOVE)) &&
         mlirAttributeIsNull(berthAttributeOf(op, BERTH_CONTENT_COPIED)) &&
         mlirAttributeIsNull(berthAttributeOf(op, BERTH_TILE)) &&
         isSurelyOf(buffer, mlirOperationGetOperand(op, kTarget)) &&
         isOwnOp(search, op);
}

/// The access that the node is of, or NULL if it is of several or of none.
static const BerthAccess *accessOf(const BerthBufferInfo *buffer,
                                   const BerthFlowNode *node) {
  size_t first = berthFirstAccessFrom(buffer, node->span.lower);
  bool isOne = first < buffer->numAccesses && node->numStops == 1 &&
               buffer->accesses[first].lower == node->span.lower &&
               buffer->accesses[first].upper == node->span.upper &&
               (first + 1 == buffer->numAccesses ||
                buffer->accesses[first + 1].lower > node->span.lower);
  return isOne ? &buffer->accesses[first] : NULL;
}

static bool isReadBehind(const BerthFlowGraph *graph,
                         const BerthFlowNode *node) {
  for (uint32_t e = node->firstNext; e != BERTH_NO_NODE;
       e = graph->edges[e].nextOut)
    if (graph->nodes[graph->edges[e].to].liveIn)
      return true;
  return false;
}

static bool isPlain(const BerthBufferInfo *buffer) {
  return !buffer->reason && !buffer->leaks && !mlirValueIsNull(buffer->value) &&
         !berthIsConstrained(buffer->alloc);
}

static bool hasPlainWrites(const Search *search,
                           const BerthBufferInfo *buffer) {
  for (size_t i = 0; i < buffer->numAccesses; ++i)
    if (onlyWrites(search, buffer, &buffer->accesses[i]))
      return true;
  return false;
}

static void findWrites(Search *search, const BerthBufferInfo *buffer) {
  if (!isPlain(buffer) || !hasPlainWrites(search, buffer))
    return;
  const BerthFlowGraph *graph = &search->graph;
  berthBufferSearch(&search->graph, &search->job->points, buffer);
  for (size_t i = 0; i < graph->numNodes; ++i) {
    const BerthFlowNode *node = &graph->nodes[i];
    if (!node->isAccess || !node->writes || node->reads ||
        isReadBehind(graph, node))
      continue;
    const BerthAccess *access = accessOf(buffer, node);
    if (access && onlyWrites(search, buffer, access))
      berthWorklistAdd(&search->writes, access->op.ptr);
  }
}

static void eraseWrites(BerthWorklist *writes) {
  while (writes->numPending)
    mlirOperationDestroy((MlirOperation){(void *)berthWorklistTake(writes)});
}

//===----------------------------------------------------------------------===//
// Allocations
//===----------------------------------------------------------------------===//

/// True if the buffer, its views and its deallocations are no others' ops.
static bool areOwnOps(const Search *search, const BerthBufferInfo *buffer) {
  for (size_t i = 0; i < buffer->numAliases; ++i) {
    MlirValue alias = buffer->aliases[i];
    if (!mlirValueIsAOpResult(alias) ||
        !isOwnOp(search, mlirOpResultGetOwner(alias)))
      return false;
  }
  for (size_t i = 0; i < buffer->numFrees; ++i)
    if (!isOwnOp(search, buffer->frees[i]))
      return false;
  return true;
}

/// The uses say whether anything else is done with it, once the writes went.
static void findAllocations(Search *search) {
  const BerthScope *scope = &search->job->scope;
  for (size_t i = 0; i < scope->numBuffers; ++i) {
    const BerthBufferInfo *buffer = &scope->buffers[i];
    if (isPlain(buffer) && berthOpIsPlainAllocation(buffer->alloc) &&
        areOwnOps(search, buffer) && berthIsUnused(buffer->value))
      berthWorklistAdd(&search->allocs, buffer->alloc.ptr);
  }
}

/// One round; true if something went.
static bool dropOnce(BerthJob *job) {
  Search search = {.job = job};
  // What covers a buffer piece by piece the planner alone has proved
  // (SplitLives.c).
  search.graph.ignoresCovers = true;
  search.graph.ignoresBackEdges =
      berthIsBroken(job->options->alias.breakRule, "unread-fills");
  for (size_t i = 0; i < job->scope.numBuffers; ++i)
    findWrites(&search, &job->scope.buffers[i]);
  bool dropsAny = search.writes.numPending > 0;
  if (dropsAny)
    berthBackupTake(job->backup, job->root);
  eraseWrites(&search.writes);
  findAllocations(&search);
  if (search.allocs.numPending > 0 && !dropsAny)
    berthBackupTake(job->backup, job->root);
  dropsAny |= search.allocs.numPending > 0;
  while (search.allocs.numPending)
    berthEraseWithUsers(
        (MlirOperation){(void *)berthWorklistTake(&search.allocs)});
  berthFlowGraphFree(&search.graph);
  berthWorklistFree(&search.writes);
  berthWorklistFree(&search.allocs);
  return dropsAny;
}

bool berthDropUnread(BerthJob *job) {
  enum { kMostRounds = 8 };
  bool drops = mayDrop(job), dropsAny = false;
  for (int round = 0; drops && round < kMostRounds; ++round) {
    drops = dropOnce(job);
    dropsAny |= drops;
    if (drops)
      berthJobAnalyzeAnew(job);
  }
  return dropsAny;
}
