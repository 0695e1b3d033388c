//===- ClusterHold.c - Buffers that a whole cluster reaches ---------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Liveness/ClusterHold.h"
#include "IR/Liveness/ClusterSpan.h"
#include "IR/Liveness/FlowGraph.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "IR/Ops/WholeBarrier.h"
#include "IR/Pointers/Aliases.h"
#include "IR/Scope/Segments.h"
#include "IR/Threads/Uniformity.h"
#include "Support/Bitset.h"

#include <stdlib.h>
#include <string.h>

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
  phases->areKnown &= phases->numBarriers < kMostPhases;
}

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

static uint64_t *phasesOfNode(const Phases *phases, uint32_t node) {
  return phases->ofNode + node * phases->words;
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
  pending[0] = start;
  while (numPending) {
    const BerthFlowNode *node = &graph->nodes[pending[--numPending]];
    for (uint32_t e = node->firstNext; e != BERTH_NO_NODE;
         e = graph->edges[e].nextOut) {
      uint32_t next = graph->edges[e].to;
      if (phaseBegunBy(phases, next) ||
          berthBitTest(phasesOfNode(phases, next), phase))
        continue;
      berthBitSet(phasesOfNode(phases, next), phase);
      pending[numPending++] = next;
    }
  }
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
  phases->isHeld = berthAllocateOrDie(phases->words, 8);
  uint32_t *pending = berthAllocateOrDie(numNodes, sizeof *pending);
  followPhase(phases, 0, BERTH_SCOPE_ENTRY, pending);
  for (uint32_t n = 0; n < numNodes; ++n) {
    size_t begun = phaseBegunBy(phases, n);
    if (begun)
      followPhase(phases, begun, n, pending);
  }
  free(pending);
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

/// The same of one all of whose uses end with their ops.
static bool isCandidate(const BerthBufferInfo *buffer) {
  if (!leaksToCluster(buffer) || buffer->isDynamic)
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

/// Adds those that begin with a content which is wanted in them or later. False
/// if nothing is known of the phases of its instances.
static bool addBetween(Phases *phases, const BerthBufferInfo *buffer) {
  uint64_t *over = berthAllocateOrDie(phases->words, sizeof *over);
  bool areApart = berthClusterSpan(phases->points, buffer, phases->barriers,
                                   phases->numBarriers, over);
  for (size_t i = 0; i < phases->numBarriers; ++i)
    if (berthBitTest(over, i))
      berthBitSet(phases->isHeld, i + 1);
  free(over);
  return (areApart &&
          berthControlIsUniform(&phases->agreed, buffer->alloc, NULL)) ||
         berthIsBroken(phases->breakRule, "peers-are-done");
}

static void holdBuffer(BerthScope *scope, Phases *phases,
                       BerthBufferInfo *buffer) {
  BerthSegments list = {0};
  memset(phases->isHeld, 0, phases->words * sizeof *phases->isHeld);
  gatherPhases(phases, buffer, phases->isHeld);
  if (!addBetween(phases, buffer))
    return;
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
static void explain(const Phases *phases, BerthBufferInfo *buffer) {
  buffer->clusterReasonAt = (MlirOperation){NULL};
  if (!isCandidate(buffer)) {
    buffer->clusterReason = "that ends only for what a kernel allocates, and "
                            "uses while its ops run";
  } else if (!phases->areKnown) {
    buffer->clusterReason =
        "not all workgroups of the cluster are seen to come to the same "
        "barriers of it";
    buffer->clusterReasonAt = phases->unknownAt;
  } else if (!buffer->isOfCluster) {
    buffer->clusterReason =
        "there is a way from its use to where it is allocated again without a "
        "full barrier of the cluster, or workgroups may disagree on that";
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
    if (isInKernel && isCandidate(&scope->buffers[i]))
      return berthScopeIsShared(scope) && !scope->isIteration &&
             scope->arrival == BERTH_ARRIVAL_TOGETHER;
  return false;
}

/// Of the others the address is held to the end of the kernel.
static void rejectNextInstances(BerthScope *scope, const BerthPoints *points) {
  for (size_t i = 0; i < scope->numBuffers; ++i) {
    BerthBufferInfo *buffer = &scope->buffers[i];
    if (leaksToCluster(buffer) && !buffer->isOfCluster &&
        berthPointsMayRunAgain(points, buffer->alloc))
      berthRejectNextInstance(scope, buffer, buffer->clusterReason);
  }
}

static void holdCandidates(BerthScope *scope, Phases *phases) {
  findBarriers(phases);
  if (phases->areKnown)
    findPhases(phases);
  for (size_t i = 0; i < scope->numBuffers; ++i) {
    BerthBufferInfo *buffer = &scope->buffers[i];
    if (phases->areKnown && isCandidate(buffer))
      holdBuffer(scope, phases, buffer);
    if (leaksToCluster(buffer))
      explain(phases, buffer);
  }
  berthScopeFreeUniformity(&phases->agreed);
  berthFlowGraphFree(&phases->graph);
  free(phases->barriers);
  free(phases->ofNode);
  free(phases->isHeld);
}

void berthScopeHoldClusters(BerthScope *scope, const BerthPoints *points,
                            bool haveBarriers, const char *breakRule) {
  Phases phases = {.points = points, .breakRule = breakRule, .agreed = *scope};
  if (haveBarriers && hasCandidates(scope))
    holdCandidates(scope, &phases);
  if (!berthIsBroken(breakRule, "no-second-instance"))
    rejectNextInstances(scope, points);
}
