//===- SplitLives.c - One allocation for each life of a buffer ------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two accesses are of one life if some content may be there at both: if they
// are connected in the buffer's flow graph by steps over which content is live.
// A life ends with the last read and begins with a kill, which no live step
// leads to.
//
//===----------------------------------------------------------------------===//

#include "IR/Prepare/SplitLives.h"
#include "IR/Liveness/FlowGraph.h"
#include "IR/Liveness/Liveness.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Plan/Analyze.h"
#include "IR/Pointers/DeallocChains.h"

#include <string.h>

typedef struct Use {
  MlirOperation op;
  intptr_t operand;
  size_t alias; ///< which of the buffer's aliases it is
  size_t life;
} Use;

typedef struct Split {
  const BerthPoints *points;
  MlirOperation root;
  BerthBackup *backup;
  const BerthBufferInfo *buffer;
  BerthFlowGraph graph;
  uint32_t *parent;        ///< of each node, towards its life's first node
  size_t numLives;         ///< in the order of their first accesses
  BerthPointerMap lifeOf;  ///< accessing op -> life
  BerthPointerMap aliasOf; ///< value -> index into the buffer's aliases
  MlirValue *copies;       ///< [alias * numLives + life]; null: not made yet
} Split;

//===----------------------------------------------------------------------===//
// Which buffers
//===----------------------------------------------------------------------===//

/// True if nothing but views leads to the buffer: then each use can be told
/// which allocation it is of.
static bool hasViewsOnly(const BerthBufferInfo *buffer) {
  for (size_t i = 1; i < buffer->numAliases; ++i) {
    MlirValue alias = buffer->aliases[i];
    if (!mlirValueIsAOpResult(alias) ||
        mlirValueIsNull(berthViewGetSource(mlirOpResultGetOwner(alias))))
      return false;
  }
  return true;
}

static bool isSplittable(const BerthBufferInfo *buffer) {
  if (buffer->reason || buffer->leaks || buffer->isDynamic ||
      buffer->isBounded || buffer->size == 0 || buffer->numSegments < 2 ||
      berthIsConstrained(buffer->alloc) || !hasViewsOnly(buffer))
    return false;
  for (size_t i = 0; i < buffer->numAccesses; ++i)
    if (!berthOpIsPlainAccess(buffer->accesses[i].op))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Its lives
//===----------------------------------------------------------------------===//

static uint32_t rootOf(const Split *split, uint32_t node) {
  while (split->parent[node] != node) {
    split->parent[node] = split->parent[split->parent[node]];
    node = split->parent[node];
  }
  return node;
}

/// Joins the nodes between which content is handed on.
static void joinNodes(Split *split) {
  const BerthFlowGraph *graph = &split->graph;
  split->parent = berthAllocateOrDie(graph->numNodes, sizeof *split->parent);
  for (uint32_t i = 0; i < graph->numNodes; ++i)
    split->parent[i] = i;
  for (size_t i = 0; i < graph->numEdges; ++i) {
    const BerthFlowNode *to = &graph->nodes[graph->edges[i].to];
    if (to->liveIn && to->reachedIn)
      split->parent[rootOf(split, graph->edges[i].from)] =
          rootOf(split, graph->edges[i].to);
  }
}

/// Whether the scope's entry leads to each node; not so into a loop that never
/// turns.
static bool *findReached(const BerthFlowGraph *graph) {
  bool *isReached = berthAllocateOrDie(graph->numNodes, sizeof *isReached);
  uint32_t *stack = berthAllocateOrDie(graph->numNodes, sizeof *stack);
  size_t count = 1;
  stack[0] = BERTH_SCOPE_ENTRY;
  isReached[BERTH_SCOPE_ENTRY] = true;
  while (count > 0) {
    uint32_t edge = graph->nodes[stack[--count]].firstNext;
    for (; edge != UINT32_MAX; edge = graph->edges[edge].nextOut)
      if (!isReached[graph->edges[edge].to]) {
        isReached[graph->edges[edge].to] = true;
        stack[count++] = graph->edges[edge].to;
      }
  }
  free(stack);
  return isReached;
}

/// The access of a node, or numAccesses if it is of several. The stops are
/// more than the accesses, but in the same order.
static size_t accessOf(const Split *split, const BerthFlowNode *node) {
  const BerthBufferInfo *buffer = split->buffer;
  return node->numStops == 1 ? berthFirstAccessFrom(buffer, node->span.lower)
                             : buffer->numAccesses;
}

/// Numbers the lives. False if some access cannot be told apart, or never
/// happens: by itself it would have a buffer of its own, and now it has none.
static bool numberLives(Split *split) {
  const BerthFlowGraph *graph = &split->graph;
  BerthPointerMap lifeOfRoot = {0};
  bool isClear = true, *isReached = findReached(graph);
  split->numLives = 0;
  // A node's own address stands for it as a key.
  for (uint32_t i = 0; i < graph->numNodes && isClear; ++i) {
    if (!graph->nodes[i].isAccess)
      continue;
    size_t access = accessOf(split, &graph->nodes[i]);
    if (access >= split->buffer->numAccesses || !isReached[i]) {
      isClear = false;
      break;
    }
    const BerthFlowNode *root = &graph->nodes[rootOf(split, i)];
    if (berthPointerMapInsert(&lifeOfRoot, root, split->numLives))
      ++split->numLives;
    isClear = berthPointerMapInsert(&split->lifeOf,
                                    split->buffer->accesses[access].op.ptr,
                                    berthPointerMapFind(&lifeOfRoot, root));
  }
  free(isReached);
  berthPointerMapFree(&lifeOfRoot);
  return isClear;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

static MlirValue copyOfAlias(Split *split, size_t alias, size_t life);

/// Lets a copied view look at the copy of what it looked at.
static void retarget(Split *split, MlirOperation view, size_t life) {
  intptr_t count = mlirOperationGetNumOperands(view);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue operand = mlirOperationGetOperand(view, i);
    size_t source = berthPointerMapFind(&split->aliasOf, operand.ptr);
    if (source != BERTH_NOT_FOUND)
      mlirOperationSetOperand(view, i, copyOfAlias(split, source, life));
  }
}

/// The allocation or view of one life that stands for one of the buffer's
/// aliases, next to the original.
static MlirValue copyOfAlias(Split *split, size_t alias, size_t life) {
  MlirValue *copy = &split->copies[alias * split->numLives + life];
  if (!mlirValueIsNull(*copy))
    return *copy;
  MlirValue original = split->buffer->aliases[alias];
  MlirOperation op = mlirOpResultGetOwner(original);
  MlirOperation clone = mlirOperationClone(op);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(op), op, clone);
  if (alias == 0)
    berthSetAttribute(clone, BERTH_LIFE,
                      mlirUnitAttrGet(mlirOperationGetContext(clone)));
  else
    retarget(split, clone, life);
  *copy = mlirOperationGetResult(clone, mlirOpResultGetResultNumber(original));
  return *copy;
}

/// The life of an op's accesses; 0 for what is none (sizes, deallocations).
static size_t lifeAt(const Split *split, MlirOperation op) {
  MlirOperation access = berthPointsOutermostOpaque(split->points, op);
  size_t life = berthPointerMapFind(&split->lifeOf, access.ptr);
  return life == BERTH_NOT_FOUND ? 0 : life;
}

static bool isViewOfBuffer(const Split *split, MlirOperation op) {
  return mlirOperationGetNumResults(op) > 0 &&
         berthPointerMapFind(&split->aliasOf,
                             mlirOperationGetResult(op, 0).ptr) !=
             BERTH_NOT_FOUND;
}

/// All uses in lives after the first one, which keeps the allocation.
static Use *collectUses(const Split *split, size_t *count) {
  Use *uses = NULL;
  size_t capacity = 0;
  *count = 0;
  for (size_t i = 0; i < split->buffer->numAliases; ++i)
    for (MlirOpOperand use = mlirValueGetFirstUse(split->buffer->aliases[i]);
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      MlirOperation op = mlirOpOperandGetOwner(use);
      size_t life = lifeAt(split, op);
      if (life == 0 || isViewOfBuffer(split, op))
        continue;
      uses = berthGrow(uses, *count, &capacity, sizeof *uses);
      uses[(*count)++] = (Use){op, mlirOpOperandGetOperandNumber(use), i, life};
    }
  return uses;
}

static void rewrite(Split *split) {
  const BerthBufferInfo *buffer = split->buffer;
  for (size_t i = 0; i < buffer->numAliases; ++i)
    berthPointerMapInsert(&split->aliasOf, buffer->aliases[i].ptr, i);
  split->copies = berthAllocateOrDie(buffer->numAliases * split->numLives,
                                     sizeof *split->copies);
  size_t count;
  Use *uses = collectUses(split, &count);
  for (size_t i = 0; i < count; ++i)
    mlirOperationSetOperand(uses[i].op, uses[i].operand,
                            copyOfAlias(split, uses[i].alias, uses[i].life));
  free(uses);
  free(split->copies);
}

/// Bounds the table of copies.
enum { kMostCopies = 1 << 20 };

static bool splitBuffer(Split *split) {
  berthBufferSearch(&split->graph, split->points, split->buffer);
  joinNodes(split);
  bool isSplit = numberLives(split) && split->numLives > 1 &&
                 split->buffer->numAliases < kMostCopies / split->numLives;
  if (isSplit) {
    berthBackupTake(split->backup, split->root);
    rewrite(split);
  }
  free(split->parent);
  berthPointerMapClear(&split->lifeOf);
  berthPointerMapClear(&split->aliasOf);
  return isSplit;
}

/// What is split off has no deallocation, so all of it has to be placed. Some
/// forms have no place for what iterations allocate.
static bool maySplit(const BerthJob *job) {
  bool hasPlace = job->form == BERTH_ARENA_ALLOC ||
                  job->form == BERTH_ARENA_ALLOCA || !job->scope.isIteration;
  return job->options->splitLives && !job->options->explain && hasPlace &&
         job->form != BERTH_ARENA_ANNOTATE &&
         !berthScopeIsShared(&job->scope) && !job->scope.hasCores;
}

static bool splitAll(const BerthJob *job) {
  // What is split berth-verify never sees as one: so a cover, which the planner
  // alone has proved by then, ends no life.
  Split split = {.points = &job->points,
                 .root = job->root,
                 .backup = job->backup,
                 .graph = {.ignoresCovers = true}};
  bool changed = false;
  for (size_t i = 0; i < job->scope.numBuffers; ++i) {
    split.buffer = &job->scope.buffers[i];
    if (isSplittable(split.buffer))
      changed |= splitBuffer(&split);
  }
  berthFlowGraphFree(&split.graph);
  berthPointerMapFree(&split.lifeOf);
  berthPointerMapFree(&split.aliasOf);
  return changed;
}

/// The buffers are other ones then, and looked at anew.
void berthSplitLives(BerthJob *job) {
  if (!maySplit(job) || !splitAll(job))
    return;
  berthJobAnalyzeAnew(job);
}
