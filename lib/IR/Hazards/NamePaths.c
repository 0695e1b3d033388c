//===- NamePaths.c - Ways between names without barrier -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Hazards/NamePaths.h"
#include "IR/Hazards/NameFlow.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"

#include <stdlib.h>
#include <string.h>

typedef struct Search {
  const BerthHazards *hazards;
  const BerthNameFlow *names;
  const bool *cuts;
  uint32_t slice; ///< where it starts, of this buffer,
  uint32_t buffer;
  bool fromWrites;
  uint32_t web;
  const BerthWeb *members;
  uint32_t *cameFrom; ///< by state, as in HazardSearch.h
  uint32_t *queue;
  uint32_t head, tail;
} Search;

//===----------------------------------------------------------------------===//
// Which buffers
//===----------------------------------------------------------------------===//

static size_t inScope(const BerthHazards *hazards, uint32_t buffer) {
  return hazards->job->bufferOf[buffer];
}

bool berthNamesTellApart(const BerthHazards *hazards, uint32_t a, uint32_t b) {
  return hazards->names && hazards->names->isWhole &&
         hazards->names->webOf[a] != BERTH_NO_NAME &&
         hazards->names->webOf[a] == hazards->names->webOf[b] &&
         berthAreAlternatives(hazards->job->alternatives, inScope(hazards, a),
                              inScope(hazards, b));
}

static bool mayBe(const Search *search, uint32_t name, uint32_t buffer) {
  return search->members->names[name].members >>
             search->names->memberOf[buffer] &
         1;
}

/// The name is the buffer at the start, and nothing else ever.
static bool isOwnName(const Search *search, uint32_t name) {
  const BerthBufferInfo *info =
      &search->hazards->job->scope
           .buffers[inScope(search->hazards, search->buffer)];
  return mlirValueEqual(search->members->names[name].value, info->value);
}

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

static uint32_t nodeOf(const Search *search, uint32_t state) {
  return state / (uint32_t)search->members->numNames;
}

static uint32_t nameOf(const Search *search, uint32_t state) {
  return state % (uint32_t)search->members->numNames;
}

static void reach(Search *search, uint32_t node, uint32_t name, uint32_t from) {
  uint32_t state = node * (uint32_t)search->members->numNames + name;
  if (search->cameFrom[state] != BERTH_NO_NODE)
    return;
  search->cameFrom[state] = from == BERTH_NO_NODE ? state : from;
  search->queue[search->tail++] = state;
}

/// True if some name that is used at the node may be the buffer. If not, nobody
/// knows through which one it is touched there.
static bool isNamedAt(const Search *search, uint32_t node, uint32_t buffer) {
  const BerthNameFlow *names = search->names;
  for (uint32_t u = names->useBegin[node]; u < names->useBegin[node + 1]; ++u)
    if (names->uses[u].web == search->web &&
        mayBe(search, names->uses[u].name, buffer))
      return true;
  return false;
}

/// What is touched at the node through `through`: any other name may be B.
static void startAt(Search *search, uint32_t node, uint32_t through) {
  for (uint32_t i = 0; i < search->members->numNames; ++i)
    if (i != through && !isOwnName(search, i))
      reach(search, node, i, BERTH_NO_NODE);
}

static void start(Search *search) {
  const BerthHazards *hazards = search->hazards;
  const BerthNameFlow *names = search->names;
  for (uint32_t k = hazards->touchedAtBegin[search->buffer];
       k < hazards->touchedAtBegin[search->buffer + 1]; ++k) {
    BerthTouchedAt at = hazards->touchedAt[k];
    if (at.slice != search->slice || (search->fromWrites && !at.writes))
      continue;
    for (uint32_t u = names->useBegin[at.node];
         u < names->useBegin[at.node + 1]; ++u)
      if (names->uses[u].web == search->web &&
          mayBe(search, names->uses[u].name, search->buffer))
        startAt(search, at.node, names->uses[u].name);
    if (!isNamedAt(search, at.node, search->buffer))
      startAt(search, at.node, BERTH_NO_NAME);
  }
}

static Search create(const BerthHazards *hazards, const bool *cuts,
                     uint32_t slice, bool fromWrites) {
  uint32_t buffer = hazards->slices.items[slice].buffer;
  uint32_t web = hazards->names->webOf[buffer];
  const BerthWeb *members = &hazards->job->alternatives->webs[web];
  size_t numStates = hazards->graph.numNodes * members->numNames;
  Search search = {.hazards = hazards,
                   .names = hazards->names,
                   .cuts = cuts,
                   .slice = slice,
                   .buffer = buffer,
                   .fromWrites = fromWrites,
                   .web = web,
                   .members = members,
                   .cameFrom = berthAllocateOrDie(numStates, sizeof(uint32_t)),
                   .queue = berthAllocateOrDie(numStates, sizeof(uint32_t))};
  memset(search.cameFrom, 0xff, numStates * sizeof *search.cameFrom);
  start(&search);
  return search;
}

static void freeSearch(Search *search) {
  free(search->cameFrom);
  free(search->queue);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// Goes on from a node with a name, behind what is handed over there.
static void follow(Search *search, uint32_t state, uint32_t name) {
  const BerthHazards *hazards = search->hazards;
  const BerthFlowGraph *graph = &hazards->graph;
  bool oneThread =
      berthIsBroken(hazards->job->options->alias.breakRule, "no-divergence");
  uint32_t e = graph->nodes[nodeOf(search, state)].firstNext;
  for (; e != BERTH_NO_NODE; e = graph->edges[e].nextOut)
    if (!oneThread || !graph->edges[e].isBeside)
      reach(search, graph->edges[e].to, name, state);
}

static void step(Search *search, uint32_t state) {
  uint32_t node = nodeOf(search, state), name = nameOf(search, state);
  const BerthNameFlow *names = search->names;
  if (berthIsBroken(search->hazards->job->options->alias.breakRule,
                    "names-stay"))
    return;
  bool isKept = true;
  for (uint32_t i = names->handOverBegin[node];
       i < names->handOverBegin[node + 1]; ++i) {
    const BerthHandOver *handOver = &names->handOvers[i];
    if (handOver->web != search->web)
      continue;
    if (handOver->from == name || handOver->from == BERTH_ANY_NAME)
      follow(search, state, handOver->to);
    isKept &= handOver->to != name;
  }
  if (isKept)
    follow(search, state, name);
}

/// The state reached next, or BERTH_NO_NODE.
static uint32_t next(Search *search) {
  if (search->head == search->tail)
    return BERTH_NO_NODE;
  uint32_t state = search->queue[search->head++];
  uint32_t node = nodeOf(search, state);
  if (!search->hazards->isBarrier[node] &&
      !(search->cuts && search->cuts[node]))
    step(search, state);
  return state;
}

static bool usesName(const Search *search, uint32_t node, uint32_t name) {
  const BerthNameFlow *names = search->names;
  for (uint32_t u = names->useBegin[node]; u < names->useBegin[node + 1]; ++u)
    if (names->uses[u].web == search->web && names->uses[u].name == name)
      return true;
  return false;
}

/// Sets what is touched through the name that is followed; true if it is among
/// the targets, where there are any.
static bool meet(const Search *search, uint32_t state, const bool *targets,
                 bool *conflicts) {
  const BerthHazards *hazards = search->hazards;
  uint32_t node = nodeOf(search, state), name = nameOf(search, state);
  bool isUsed = usesName(search, node, name), isTarget = false;
  for (uint32_t k = hazards->touchBegin[node];
       k < hazards->touchBegin[node + 1]; ++k) {
    BerthTouch touch = hazards->touches[k];
    if ((!search->fromWrites && !touch.writes) ||
        !berthNamesTellApart(hazards, search->buffer, touch.buffer) ||
        !mayBe(search, name, touch.buffer) ||
        (!isUsed && isNamedAt(search, node, touch.buffer)))
      continue;
    if (conflicts)
      conflicts[touch.slice] = true;
    isTarget |= targets && targets[touch.slice];
  }
  return isTarget;
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

/// True if names may tell the slice's buffer from some other.
static bool isNamed(const BerthHazards *hazards, uint32_t slice) {
  return hazards->names && hazards->names->isWhole &&
         hazards->names->webOf[hazards->slices.items[slice].buffer] !=
             BERTH_NO_NAME;
}

void berthNamesReach(const BerthHazards *hazards, const bool *cuts, uint32_t s,
                     bool *conflicts) {
  for (int fromReads = 0; isNamed(hazards, s) && fromReads < 2; ++fromReads) {
    Search search = create(hazards, cuts, s, !fromReads);
    for (uint32_t state = next(&search); state != BERTH_NO_NODE;
         state = next(&search))
      meet(&search, state, NULL, conflicts);
    freeSearch(&search);
  }
}

static size_t storePath(const Search *search, uint32_t last, uint32_t *path) {
  bool *isStored =
      berthAllocateOrDie(search->hazards->graph.numNodes, sizeof *isStored);
  size_t length = 0;
  for (uint32_t state = last;; state = search->cameFrom[state]) {
    uint32_t node = nodeOf(search, state);
    if (!isStored[node])
      path[length++] = node;
    isStored[node] = true;
    if (search->cameFrom[state] == state)
      break;
  }
  free(isStored);
  for (size_t i = 0; i < length / 2; ++i) {
    uint32_t node = path[i];
    path[i] = path[length - 1 - i];
    path[length - 1 - i] = node;
  }
  return length;
}

bool berthNamesFindPath(const BerthHazards *hazards, const bool *cuts,
                        uint32_t s, const bool *targets, uint32_t *path,
                        size_t *length) {
  bool isFound = false;
  for (int fromReads = 0; isNamed(hazards, s) && !isFound && fromReads < 2;
       ++fromReads) {
    Search search = create(hazards, cuts, s, !fromReads);
    for (uint32_t state = next(&search); state != BERTH_NO_NODE && !isFound;
         state = next(&search)) {
      isFound = meet(&search, state, targets, NULL);
      if (isFound)
        *length = storePath(&search, state, path);
    }
    freeSearch(&search);
  }
  return isFound;
}
