//===- ClusterHold.c - Buffers that a whole cluster reaches ---------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Liveness/ClusterHold.h"
#include "IR/Liveness/FlowGraph.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "IR/Ops/WholeBarrier.h"
#include "IR/Scope/Segments.h"
#include "IR/Threads/Uniformity.h"
#include "Support/Bitset.h"

#include <stdlib.h>

/// More phases than that are not told apart.
enum { kMostPhases = 1024 };

typedef struct Phases {
  const BerthPoints *points;
  const char *breakRule;
  BerthScope agreed; ///< the scope, and what all of the cluster agree on
  bool areKnown;
  MlirOperation unknownAt; ///< the op because of which they are not
  BerthAccess *barriers;   ///< each begins a phase; the first one has none
  size_t numBarriers, capacity;
  BerthFlowGraph graph;
  size_t count, words;
  uint64_t *ofNode; ///< by node: the phases in which it may be passed
  uint64_t *behind; ///< by phase: those that may follow, and itself
  uint64_t *isHeld; ///< those of the buffer at hand
} Phases;

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

/// True if the op may wait for the cluster where nobody sees it.
static bool mayHideWait(MlirOperation op) {
  MlirOperation callee;
  MlirValue id;
  BerthEffects effects;
  if (berthOpGetCallee(op, &callee))
    return true;
  if (berthOpIs(op, BERTH_OP_CLUSTER_MAP) ||
      berthOpIs(op, BERTH_OP_CLUSTER_ARRIVE) ||
      berthOpIs(op, BERTH_OP_CLUSTER_WAIT))
    return false;
  if (berthOpLetsEscape(op))
    return true;
  bool isKnown = berthOpIsBarrier(op) || berthOpIsPartOfBarrier(op, &id) ||
                 berthOpNeverWaits(op) || berthOpIsRegionBranch(op) ||
                 berthOpIsReturn(op);
  return !isKnown && !berthOpSumEffects(op, (MlirValue){NULL}, &effects);
}

static bool endsBarrier(const Phases *phases, MlirOperation op) {
  return berthOpEndsClusterBarrier(op) ||
         (berthIsBroken(phases->breakRule, "any-cluster-wait") &&
          berthOpIs(op, BERTH_OP_CLUSTER_WAIT)) ||
         (berthIsBroken(phases->breakRule, "lone-workgroups") &&
          berthOpIsWholeBarrier(op));
}

static MlirWalkResult visitOp(MlirOperation op, void *userData) {
  Phases *phases = userData;
  if (mlirOperationEqual(op, phases->agreed.op))
    return MlirWalkResultAdvance;
  bool isWait = berthOpIs(op, BERTH_OP_CLUSTER_WAIT);
  phases->unknownAt = op;
  phases->areKnown &= !mayHideWait(op);
  if (isWait)
    phases->areKnown &=
        berthControlIsUniform(&phases->agreed, op, NULL) &&
        mlirOperationEqual(berthPointsOutermostOpaque(phases->points, op), op);
  if (!phases->areKnown)
    return MlirWalkResultInterrupt;
  if (!endsBarrier(phases, op))
    return MlirWalkResultAdvance;
  phases->barriers = berthGrow(phases->barriers, phases->numBarriers,
                               &phases->capacity, sizeof *phases->barriers);
  phases->barriers[phases->numBarriers++] =
      (BerthAccess){.op = op,
                    .lower = berthPointsLower(phases->points, op),
                    .upper = berthPointsUpper(phases->points, op)};
  return MlirWalkResultAdvance;
}

static void findBarriers(Phases *phases) {
  phases->agreed.uniformity = NULL;
  phases->agreed.agreesInCluster =
      !berthIsBroken(phases->breakRule, "clusters-agree");
  berthScopeFindUniformity(&phases->agreed, phases->breakRule);
  phases->areKnown = true;
  mlirOperationWalk(phases->agreed.op, visitOp, phases, MlirWalkPreOrder);
  berthScopeFreeUniformity(&phases->agreed);
  phases->areKnown &= phases->numBarriers < kMostPhases;
}

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

static uint64_t *phasesOfNode(const Phases *phases, uint32_t node) {
  return phases->ofNode + node * phases->words;
}

static uint64_t *phasesBehind(const Phases *phases, size_t phase) {
  return phases->behind + phase * phases->words;
}

/// The phase that begins at the node; 0: none does.
static size_t phaseBegunBy(const Phases *phases, uint32_t node) {
  const BerthFlowNode *at = &phases->graph.nodes[node];
  return at->numStops ? at->firstStop + 1 : 0;
}

/// From where the phase begins to the barriers that end it.
static void followPhase(Phases *phases, size_t phase, uint32_t start,
                        uint32_t *pending) {
  BerthFlowGraph *graph = &phases->graph;
  size_t numPending = 1;
  berthBitSet(phasesOfNode(phases, start), phase);
  berthBitSet(phasesBehind(phases, phase), phase);
  pending[0] = start;
  while (numPending) {
    const BerthFlowNode *node = &graph->nodes[pending[--numPending]];
    for (uint32_t e = node->firstNext; e != BERTH_NO_NODE;
         e = graph->edges[e].nextOut) {
      uint32_t next = graph->edges[e].to;
      size_t begun = phaseBegunBy(phases, next);
      if (begun) {
        berthBitSet(phasesBehind(phases, phase), begun);
      } else if (!berthBitTest(phasesOfNode(phases, next), phase)) {
        berthBitSet(phasesOfNode(phases, next), phase);
        pending[numPending++] = next;
      }
    }
  }
}

/// What follows what follows a phase follows it.
static void closeBehind(Phases *phases) {
  for (size_t via = 0; via < phases->count; ++via)
    for (size_t from = 0; from < phases->count; ++from)
      for (size_t w = 0;
           berthBitTest(phasesBehind(phases, from), via) && w < phases->words;
           ++w)
        phasesBehind(phases, from)[w] |= phasesBehind(phases, via)[w];
}

static void findPhases(Phases *phases) {
  if (phases->numBarriers)
    qsort(phases->barriers, phases->numBarriers, sizeof *phases->barriers,
          berthCompareAccesses);
  berthFlowGraphBuildStops(&phases->graph, phases->points, phases->barriers,
                           phases->numBarriers, NULL, false);
  size_t numNodes = phases->graph.numNodes;
  phases->count = phases->numBarriers + 1;
  phases->words = berthBitWords(phases->count);
  phases->ofNode = berthAllocateOrDie(numNodes * phases->words, 8);
  phases->behind = berthAllocateOrDie(phases->count * phases->words, 8);
  phases->isHeld = berthAllocateOrDie(phases->words, 8);
  uint32_t *pending = berthAllocateOrDie(numNodes, sizeof *pending);
  followPhase(phases, 0, BERTH_SCOPE_ENTRY, pending);
  for (uint32_t n = 0; n < numNodes; ++n) {
    size_t begun = phaseBegunBy(phases, n);
    if (begun)
      followPhase(phases, begun, n, pending);
  }
  free(pending);
  closeBehind(phases);
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

static bool endsWithOp(const BerthAccess *access) {
  MlirOperation op = access->op;
  BerthEffects effects;
  if (berthOpIs(op, BERTH_OP_CLUSTER_MAP))
    return true;
  return !berthOpLetsEscape(op) && !berthOpIsOtherProxy(op) &&
         !berthOpIsAsyncProxy(op) && !berthOpIsTransfer(op) &&
         !berthOpStartsAnyAsync(op) && !berthOpIsAsync(op) &&
         berthOpSumEffects(op, (MlirValue){NULL}, &effects);
}

bool berthBufferEndsWithOps(const BerthBufferInfo *buffer) {
  bool ends = !buffer->leaks || buffer->isOfCluster;
  for (size_t i = 0; i < buffer->numAccesses; ++i)
    ends &= endsWithOp(&buffer->accesses[i]);
  return ends && mlirOperationIsNull(buffer->callee);
}

/// True if it leaks, but to a cluster only.
static bool leaksToCluster(const BerthBufferInfo *buffer) {
  return !buffer->reason && buffer->leaks && !buffer->leaksElsewhere &&
         mlirOperationIsNull(buffer->callee);
}

/// The same of one whose one instance is there from the beginning.
static bool isCandidate(const BerthScope *scope,
                        const BerthBufferInfo *buffer) {
  if (!leaksToCluster(buffer) || buffer->isDynamic ||
      !mlirBlockEqual(mlirOperationGetBlock(buffer->alloc),
                      mlirRegionGetFirstBlock(scope->body)))
    return false;
  for (size_t i = 0; i < buffer->numAccesses; ++i)
    if (!endsWithOp(&buffer->accesses[i]))
      return false;
  return true;
}

static bool mayBeReached(const Phases *phases, uint32_t node,
                         const uint64_t *set) {
  for (size_t w = 0; w < phases->words; ++w)
    if (phasesOfNode(phases, node)[w] & set[w])
      return true;
  return false;
}

/// The phases of all accesses.
static void gatherPhases(const Phases *phases, const BerthBufferInfo *buffer,
                         uint64_t *touched) {
  for (uint32_t n = 0; n < phases->graph.numNodes; ++n) {
    BerthSegment span = phases->graph.nodes[n].span;
    for (size_t i = 0; i < buffer->numAccesses; ++i)
      if (span.lower < buffer->accesses[i].upper &&
          buffer->accesses[i].lower < span.upper)
        for (size_t w = 0; w < phases->words; ++w)
          touched[w] |= phasesOfNode(phases, n)[w];
  }
}

/// The phases of which one of these may follow, and which may follow one.
static void addBetween(const Phases *phases, const uint64_t *touched) {
  for (size_t c = 0; c < phases->count; ++c) {
    bool isBehind = false, isBefore = false;
    for (size_t t = 0; t < phases->count; ++t) {
      if (!berthBitTest(touched, t))
        continue;
      isBehind |= berthBitTest(phasesBehind(phases, t), c);
      isBefore |= berthBitTest(phasesBehind(phases, c), t);
    }
    berthBitClear(phases->isHeld, c);
    if (isBehind && isBefore)
      berthBitSet(phases->isHeld, c);
  }
}

static void holdBuffer(BerthScope *scope, const Phases *phases,
                       BerthBufferInfo *buffer) {
  BerthSegments list = {0};
  uint64_t *touched = berthAllocateOrDie(phases->words, sizeof *touched);
  gatherPhases(phases, buffer, touched);
  addBetween(phases, touched);
  free(touched);
  for (uint32_t n = 0; n < phases->graph.numNodes; ++n)
    if (mayBeReached(phases, n, phases->isHeld))
      berthSegmentsAdd(&list, phases->graph.nodes[n].span.lower,
                       phases->graph.nodes[n].span.upper);
  list.count = berthJoinSegments(list.segments, list.count);
  buffer->numSegments = list.count;
  buffer->segments = berthNewCopy(scope->memory, list.segments, list.count,
                                  sizeof *list.segments);
  buffer->isOfCluster = true;
  free(list.segments);
}

/// True if the kernel may end in one of the phases in which it is held.
static bool isHeldToEnd(const Phases *phases) {
  return mayBeReached(phases, BERTH_SCOPE_EXIT, phases->isHeld);
}

/// For the user: why the buffer's bytes are nobody else's behind its last use.
static void explain(const BerthScope *scope, const Phases *phases,
                    BerthBufferInfo *buffer) {
  buffer->clusterReasonAt = (MlirOperation){NULL};
  if (!isCandidate(scope, buffer)) {
    buffer->clusterReason = "that ends only for what a kernel allocates in its "
                            "first block, and uses while its ops run";
  } else if (!phases->areKnown) {
    buffer->clusterReason =
        "not all workgroups of the cluster are seen to come to the same "
        "barriers of it";
    buffer->clusterReasonAt = phases->unknownAt;
  } else if (isHeldToEnd(phases)) {
    buffer->clusterReason =
        "no full barrier of the cluster stands behind its last use there, and "
        "none is inserted (nvvm.cluster.arrive, nvvm.cluster.wait)";
  }
}

static bool hasCandidates(const BerthScope *scope) {
  bool isInKernel =
      scope->kind == BERTH_SCOPE_KERNEL || scope->kind == BERTH_SCOPE_LAUNCH;
  for (size_t i = 0; i < scope->numBuffers; ++i)
    if (isInKernel && isCandidate(scope, &scope->buffers[i]))
      return berthScopeIsShared(scope) && !scope->isIteration &&
             scope->arrival == BERTH_ARRIVAL_TOGETHER;
  return false;
}

void berthScopeHoldClusters(BerthScope *scope, const BerthPoints *points,
                            const char *breakRule) {
  if (!hasCandidates(scope))
    return;
  Phases phases = {.points = points, .breakRule = breakRule, .agreed = *scope};
  findBarriers(&phases);
  if (phases.areKnown)
    findPhases(&phases);
  for (size_t i = 0; i < scope->numBuffers; ++i) {
    BerthBufferInfo *buffer = &scope->buffers[i];
    if (phases.areKnown && isCandidate(scope, buffer))
      holdBuffer(scope, &phases, buffer);
    if (leaksToCluster(buffer))
      explain(scope, &phases, buffer);
  }
  berthFlowGraphFree(&phases.graph);
  free(phases.barriers);
  free(phases.ofNode);
  free(phases.behind);
  free(phases.isHeld);
}
