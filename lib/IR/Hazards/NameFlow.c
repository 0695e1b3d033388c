//===- NameFlow.c - Where names are used and handed on --------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Hazards/NameFlow.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Ops that hand names on
//===----------------------------------------------------------------------===//

typedef struct Search {
  const BerthJob *job;
  BerthNameFlow *flow;
  BerthPointerMap webOf; ///< value of a name -> its web
  BerthPointerMap nameOf;
  MlirOperation op; ///< at hand
  int from;         ///< the region that it ends, or BERTH_PARENT
} Search;

static void listNames(Search *search) {
  const BerthAlternatives *alternatives = search->job->alternatives;
  for (size_t w = 0; w < alternatives->numWebs; ++w)
    for (size_t i = 0; i < alternatives->webs[w].numNames; ++i) {
      const void *key = alternatives->webs[w].names[i].value.ptr;
      berthPointerMapInsert(&search->webOf, key, w);
      berthPointerMapInsert(&search->nameOf, key, i);
    }
}

static void handOver(MlirValue from, MlirValue to, void *userData) {
  Search *search = userData;
  BerthNameFlow *flow = search->flow;
  size_t web = berthPointerMapFind(&search->webOf, to.ptr);
  if (web == BERTH_NOT_FOUND)
    return;
  uint32_t name = BERTH_ANY_NAME;
  if (!mlirValueIsNull(from)) {
    MlirValue source = berthValueBehindViews(from);
    bool isOfWeb = berthPointerMapFind(&search->webOf, source.ptr) == web;
    name = isOfWeb ? (uint32_t)berthPointerMapFind(&search->nameOf, source.ptr)
                   : BERTH_NO_NAME;
  }
  flow->handOvers = berthGrow(flow->handOvers, flow->numHandOvers,
                              &flow->handOverCapacity, sizeof *flow->handOvers);
  flow->handOvers[flow->numHandOvers++] = (BerthHandOver){
      .op = search->op,
      .web = (uint32_t)web,
      .from = name,
      .to = (uint32_t)berthPointerMapFind(&search->nameOf, to.ptr)};
}

static void handOverEdge(const BerthRegionEdge *edge, void *userData) {
  const Search *search = userData;
  for (intptr_t i = 0; edge->from == search->from && i < edge->numValues; ++i)
    handOver(edge->forwarded[i], edge->received[i], userData);
}

static void visitSelect(Search *search, MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i)
    if (berthOpGetRole(op, i) == BERTH_OPERAND_CHOSEN)
      handOver(mlirOperationGetOperand(op, i), mlirOperationGetResult(op, 0),
               search);
}

static int regionOf(MlirOperation parent, MlirBlock block) {
  int number = 0;
  while (!mlirRegionEqual(mlirOperationGetRegion(parent, number),
                          mlirBlockGetParentRegion(block)))
    ++number;
  return number;
}

static void visitOp(Search *search, MlirOperation op) {
  search->op = op;
  intptr_t numSuccessors = mlirOperationGetNumSuccessors(op);
  for (intptr_t i = 0; i < numSuccessors; ++i)
    berthBranchGetOperands(op, i, handOver, search);
  search->from = BERTH_PARENT;
  if (mlirOperationGetNumRegions(op) > 0)
    berthOpGetRegionEdges(op, handOverEdge, search);
  MlirBlock block = mlirOperationGetBlock(op);
  MlirOperation parent = mlirBlockGetParentOperation(block);
  if (numSuccessors == 0 && mlirOperationEqual(berthBlockGetLast(block), op) &&
      !mlirOperationEqual(parent, search->job->scope.op)) {
    search->from = regionOf(parent, block);
    berthOpGetRegionEdges(parent, handOverEdge, search);
  }
  visitSelect(search, op);
}

static uint32_t *noneOf(size_t count) {
  uint32_t *none = berthAllocateOrDie(count, sizeof *none);
  for (size_t i = 0; i < count; ++i)
    none[i] = BERTH_NO_NAME;
  return none;
}

/// Which buffers of the problem are in which web.
static void findMembers(BerthNameFlow *flow, const BerthJob *job) {
  flow->webOf = noneOf(job->numPlaced);
  flow->memberOf = noneOf(job->numPlaced);
  uint32_t *numberOf = noneOf(job->scope.numBuffers);
  for (size_t i = 0; i < job->numPlaced; ++i)
    numberOf[job->bufferOf[i]] = (uint32_t)i;
  for (size_t w = 0; w < job->alternatives->numWebs; ++w) {
    const BerthWeb *web = &job->alternatives->webs[w];
    for (size_t i = 0; i < web->numMembers; ++i) {
      uint32_t number = numberOf[web->members[i]];
      if (number == BERTH_NO_NAME)
        continue;
      flow->webOf[number] = (uint32_t)w;
      flow->memberOf[number] = (uint32_t)i;
    }
  }
  free(numberOf);
}

BerthNameFlow *berthNameFlowOf(const BerthJob *job) {
  if (!job->alternatives)
    return NULL;
  BerthNameFlow *flow = berthAllocateOrDie(1, sizeof *flow);
  Search search = {.job = job, .flow = flow};
  listNames(&search);
  for (int64_t point = 0; point < job->points.count; ++point) {
    MlirOperation op = job->points.opAt[point];
    if (berthPointsLower(&job->points, op) == point)
      visitOp(&search, op);
  }
  findMembers(flow, job);
  berthPointerMapFree(&search.webOf);
  berthPointerMapFree(&search.nameOf);
  return flow;
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

typedef struct Place {
  BerthNameFlow *flow;
  const BerthJob *job;
  const BerthFlowGraph *graph;
  const BerthAccess *stops;
  const uint32_t *nodeAt;
} Place;

static void addUse(BerthNameFlow *flow, uint32_t node, size_t web,
                   size_t name) {
  flow->uses = berthGrow(flow->uses, flow->numUses, &flow->useCapacity,
                         sizeof *flow->uses);
  flow->uses[flow->numUses++] =
      (BerthNameUse){node, (uint32_t)web, (uint32_t)name};
}

/// A call that is looked into may use a name in front of its barriers, and
/// behind them.
static void addUsesOf(const Place *place, size_t web, size_t name) {
  BerthNameFlow *flow = place->flow;
  const BerthName *of = &place->job->alternatives->webs[web].names[name];
  for (size_t i = 0; i < of->numUses; ++i) {
    uint32_t node =
        place->nodeAt[berthPointsLower(&place->job->points, of->uses[i])];
    if (node == BERTH_NO_NODE)
      continue; // hands it on
    addUse(flow, node, web, name);
    if (!place->stops[place->graph->nodes[node].firstStop].ends)
      continue;
    addUse(flow, node + BERTH_CALL_FIRST, web, name);
    addUse(flow, node + BERTH_CALL_LAST, web, name);
  }
}

static int compareUses(const void *left, const void *right) {
  const BerthNameUse *a = left, *b = right;
  if (a->node != b->node)
    return a->node < b->node ? -1 : 1;
  if (a->web != b->web)
    return a->web < b->web ? -1 : 1;
  return a->name < b->name ? -1 : a->name > b->name;
}

static int compareHandOvers(const void *left, const void *right) {
  const BerthHandOver *a = left, *b = right;
  if (a->node != b->node)
    return a->node < b->node ? -1 : 1;
  if (a->web != b->web)
    return a->web < b->web ? -1 : 1;
  if (a->to != b->to)
    return a->to < b->to ? -1 : 1;
  return a->from < b->from ? -1 : a->from > b->from;
}

/// The gap in front of each op that hands names on. False if one has none.
static bool placeHandOvers(BerthNameFlow *flow, const BerthFlowGraph *graph) {
  BerthPointerMap gapOf = {0};
  for (uint32_t n = 0; n < graph->numNodes; ++n) {
    MlirOperation end = graph->nodes[n].gapEnd;
    if (!mlirOperationIsNull(end))
      berthPointerMapInsert(&gapOf, end.ptr, n);
  }
  bool isWhole = true;
  for (size_t i = 0; i < flow->numHandOvers; ++i) {
    size_t gap = berthPointerMapFind(&gapOf, flow->handOvers[i].op.ptr);
    flow->handOvers[i].node = (uint32_t)gap;
    isWhole &= gap != BERTH_NOT_FOUND;
  }
  berthPointerMapFree(&gapOf);
  return isWhole;
}

void berthNameFlowPlace(BerthNameFlow *flow, const BerthJob *job,
                        const BerthFlowGraph *graph, const BerthAccess *stops,
                        const uint32_t *nodeAt) {
  const BerthAlternatives *alternatives = job->alternatives;
  size_t numNodes = graph->numNodes;
  Place place = {flow, job, graph, stops, nodeAt};
  for (size_t w = 0; w < alternatives->numWebs; ++w)
    for (size_t i = 0; i < alternatives->webs[w].numNames; ++i)
      addUsesOf(&place, w, i);
  flow->isWhole = placeHandOvers(flow, graph);
  if (!flow->isWhole)
    return;
  if (flow->numUses)
    qsort(flow->uses, flow->numUses, sizeof *flow->uses, compareUses);
  if (flow->numHandOvers)
    qsort(flow->handOvers, flow->numHandOvers, sizeof *flow->handOvers,
          compareHandOvers);
  flow->useBegin = berthAllocateOrDie(numNodes + 1, sizeof(uint32_t));
  flow->handOverBegin = berthAllocateOrDie(numNodes + 1, sizeof(uint32_t));
  for (size_t i = 0; i < flow->numUses; ++i)
    ++flow->useBegin[flow->uses[i].node + 1];
  for (size_t i = 0; i < flow->numHandOvers; ++i)
    ++flow->handOverBegin[flow->handOvers[i].node + 1];
  for (size_t n = 0; n < numNodes; ++n) {
    flow->useBegin[n + 1] += flow->useBegin[n];
    flow->handOverBegin[n + 1] += flow->handOverBegin[n];
  }
}

void berthNameFlowFree(BerthNameFlow *flow) {
  if (!flow)
    return;
  free(flow->handOvers);
  free(flow->uses);
  free(flow->handOverBegin);
  free(flow->useBegin);
  free(flow->webOf);
  free(flow->memberOf);
  free(flow);
}
