//===- Pools.c - Replaying a tree of choices of pools ---------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A box lies in one of the pools that it may live in; a tree that has a branch
// for each of them leaves nothing out. What lies in a pool is a problem of its
// own: the other boxes, and the edges to them, are of no account there. So what
// is refuted for some boxes in a pool holds wherever these lie in it.
//
//===---------------------------------------------------------------------===//

#include "Pack/ProofCheck/Pools.h"

#include "Pack/ProofCheck/Boxes.h"
#include "Pack/ProofCheck/Tree.h"

#include <stdlib.h>
#include <string.h>

//===---------------------------------------------------------------------===//
// What lies in one pool
//===---------------------------------------------------------------------===//

typedef struct Part {
  BerthProblemData data;
  BerthBuffer *buffers;
  BerthEdge *edges;
  BerthDistance *distances;
  uint32_t *numberOf; ///< buffer -> its number in the part
} Part;

static bool isIn(const BerthProofChecker *checker, uint32_t buffer,
                 uint32_t pool) {
  return checker->poolOf[checker->state.boxOf[buffer]] == pool;
}

static void addBuffers(const BerthProofChecker *checker, uint32_t pool,
                       Part *part) {
  const BerthProblemData *problem = checker->problem;
  for (uint32_t i = 0; i < problem->numBuffers; ++i) {
    if (!isIn(checker, i, pool))
      continue;
    part->numberOf[i] = (uint32_t)part->data.numBuffers;
    part->buffers[part->data.numBuffers++] = problem->buffers[i];
  }
}

static void addEdges(const BerthProofChecker *checker, uint32_t pool,
                     Part *part) {
  const BerthProblemData *problem = checker->problem;
  for (size_t e = 0; e < problem->numEdges; ++e) {
    BerthEdge edge = problem->edges[e];
    if (!isIn(checker, edge.first, pool) || !isIn(checker, edge.second, pool))
      continue;
    edge.first = part->numberOf[edge.first];
    edge.second = part->numberOf[edge.second];
    part->edges[part->data.numEdges++] = edge;
  }
}

static void addDistances(const BerthProofChecker *checker, uint32_t pool,
                         Part *part) {
  const BerthProblemData *problem = checker->problem;
  for (size_t d = 0; d < problem->numDistances; ++d) {
    BerthDistance distance = problem->distances[d];
    if (!isIn(checker, distance.first, pool) ||
        !isIn(checker, distance.second, pool))
      continue;
    distance.first = part->numberOf[distance.first];
    distance.second = part->numberOf[distance.second];
    part->distances[part->data.numDistances++] = distance;
  }
}

// The boxes that were put into the pool, as a problem without pools. They keep
// their order, so box k is the kth of them.
static bool makePart(const BerthProofChecker *checker, uint32_t pool,
                     Part *part) {
  const BerthProblemData *problem = checker->problem;
  const BerthPool *memory = &problem->pools[pool];
  *part = (Part){.data = {.numCuts = problem->numCuts,
                          .cuts = problem->cuts,
                          .numReserved = memory->numReserved,
                          .reserved = memory->reserved}};
  part->buffers = calloc(problem->numBuffers + 1, sizeof *part->buffers);
  part->edges = calloc(problem->numEdges + 1, sizeof *part->edges);
  part->distances = calloc(problem->numDistances + 1, sizeof *part->distances);
  part->numberOf = calloc(problem->numBuffers + 1, sizeof *part->numberOf);
  if (!part->buffers || !part->edges || !part->distances || !part->numberOf)
    return false;
  part->data.buffers = part->buffers;
  part->data.edges = part->edges;
  part->data.distances = part->distances;
  addBuffers(checker, pool, part);
  addEdges(checker, pool, part);
  addDistances(checker, pool, part);
  return true;
}

static void freePart(Part *part) {
  free(part->buffers);
  free(part->edges);
  free(part->distances);
  free(part->numberOf);
}

// Checks the tree that follows for what lies in the pool.
static BerthStatus checkPart(BerthProofChecker *checker, uint32_t pool,
                             int64_t height) {
  Part part;
  BerthProofState whole = checker->state;
  if (!makePart(checker, pool, &part)) {
    freePart(&part);
    return berthReplayOutOfMemory(checker);
  }
  BerthStatus status =
      berthReplayStateInit(&checker->state, &part.data, checker->error);
  checker->state.bought = checker->bought;
  checker->state.height = height;
  if (!status)
    status = berthReplayCheckTree(checker);
  berthReplayStateFree(&checker->state);
  checker->state = whole;
  freePart(&part);
  return status;
}

//===---------------------------------------------------------------------===//
// Leaves
//===---------------------------------------------------------------------===//

static int64_t add(int64_t a, int64_t b) {
  return a > INT64_MAX - b ? INT64_MAX : a + b;
}

static int64_t multiply(int64_t a, int64_t b) {
  return b && a > INT64_MAX / b ? INT64_MAX : a * b;
}

static int64_t costIn(const BerthProofChecker *checker, uint32_t box,
                      uint32_t pool) {
  return multiply(checker->bytes[box], checker->problem->pools[pool].cost);
}

// What all boxes cost at least, those without a pool in their cheapest.
static int64_t leastCost(const BerthProofChecker *checker) {
  int64_t sum = 0;
  for (uint32_t box = 0; box < checker->state.numBoxes; ++box) {
    int64_t least = INT64_MAX;
    for (uint32_t pool = 0; pool < checker->problem->numPools; ++pool) {
      bool may = checker->poolOf[box] == UINT32_MAX
                     ? checker->mayUse[box] >> pool & 1
                     : checker->poolOf[box] == pool;
      int64_t cost = costIn(checker, box, pool);
      least = may && cost < least ? cost : least;
    }
    sum = add(sum, least);
  }
  return sum;
}

// Do the pools end too high, each no lower than this?
static bool overflows(const BerthProofChecker *checker, const int64_t *lowers) {
  const BerthProblemData *problem = checker->problem;
  int64_t sum = 0;
  for (size_t p = 0; p < problem->numPools; ++p) {
    int64_t capacity = problem->pools[p].capacity;
    if (lowers[p] == INT64_MAX || (capacity && lowers[p] > capacity))
      return true;
    sum = add(sum, lowers[p]);
  }
  return sum > checker->refutation.peak;
}

// Would all there is be too much even for one pool as large as all together?
static BerthStatus loadFails(BerthProofChecker *checker, bool *fails) {
  const BerthProblemData *problem = checker->problem;
  int64_t sum = 0;
  for (size_t p = 0; p < problem->numPools; ++p)
    sum = add(sum, problem->pools[p].capacity ? problem->pools[p].capacity
                                              : INT64_MAX);
  checker->state.height =
      sum < checker->refutation.peak ? sum : checker->refutation.peak;
  return berthReplayLoadFails(&checker->state, fails, checker->error);
}

// `h pool height`, and the tree that refutes the height.
static BerthStatus checkHeight(BerthProofChecker *checker, int64_t *lowers) {
  int64_t numbers[2];
  char pool[8], height[32], rest;
  if (sscanf(checker->text, "h %7s %31s%c", pool, height, &rest) != 2)
    return berthReplayReject(checker, "expected 'h', a pool and a height");
  if (!berthReplayReadLimit(pool, &numbers[0]) ||
      numbers[0] >= (int64_t)checker->problem->numPools)
    return berthReplayReject(checker, "the proof names no such pool");
  if (!berthReplayReadLimit(height, &numbers[1]) ||
      (numbers[1] > PROOF_MAX_HEIGHT && numbers[1] != INT64_MAX))
    return berthReplayReject(checker, "this is no height for the checker");
  bool any = numbers[1] == INT64_MAX;
  int64_t lower = any ? INT64_MAX : numbers[1] + 1;
  BerthStatus status = checkPart(checker, (uint32_t)numbers[0],
                                 any ? PROOF_MAX_HEIGHT : numbers[1]);
  if (lower > lowers[numbers[0]])
    lowers[numbers[0]] = lower;
  return status;
}

static BerthStatus checkLeaf(BerthProofChecker *checker) {
  int64_t lowers[64] = {0};
  while (checker->text[0] == 'h') {
    BerthStatus status = checkHeight(checker, lowers);
    if (!status)
      status = berthReplayReadLine(checker);
    if (status)
      return status;
  }
  if (!berthReplayIs(checker, "x"))
    return berthReplayReject(checker, "expected i, h or x");
  bool fails = overflows(checker, lowers) ||
               leastCost(checker) > checker->refutation.poolCost;
  BerthStatus status = fails ? BERTH_SUCCESS : loadFails(checker, &fails);
  return status || fails
             ? status
             : berthReplayReject(checker, "nothing has failed here");
}

//===---------------------------------------------------------------------===//
// The tree
//===---------------------------------------------------------------------===//

static BerthStatus checkNode(BerthProofChecker *checker);

// `i box`: a tree for each of its pools.
static BerthStatus checkChoice(BerthProofChecker *checker) {
  int64_t box;
  if (!berthReplayReadNumbers(checker, &box, 1) ||
      box >= checker->state.numBoxes)
    return berthReplayReject(checker, "the proof names no such buffer");
  if (checker->poolOf[box] != UINT32_MAX)
    return berthReplayReject(checker, "this buffer has its pool already");
  if (++checker->choices > kProofMaxDepth)
    return berthReplayReject(checker, "the proof chooses too often");
  BerthStatus status = BERTH_SUCCESS;
  for (uint32_t pool = 0; !status && pool < checker->problem->numPools; ++pool)
    if (checker->mayUse[box] >> pool & 1) {
      checker->poolOf[box] = pool;
      status = checkNode(checker);
    }
  checker->poolOf[box] = UINT32_MAX;
  --checker->choices;
  return status;
}

static BerthStatus checkNode(BerthProofChecker *checker) {
  BerthStatus status = berthReplayReadLine(checker);
  if (status)
    return status;
  return checker->text[0] == 'i' ? checkChoice(checker) : checkLeaf(checker);
}

BerthStatus berthReplayCheckPools(BerthProofChecker *checker) {
  for (uint32_t box = 0; box < checker->state.numBoxes; ++box)
    checker->poolOf[box] = UINT32_MAX;
  return checkNode(checker);
}

//===---------------------------------------------------------------------===//
// Memory
//===---------------------------------------------------------------------===//

bool berthReplayInitPools(BerthProofChecker *checker) {
  const BerthProblemData *problem = checker->problem;
  size_t n = checker->state.numBoxes;
  checker->mayUse = calloc(n + 1, sizeof *checker->mayUse);
  checker->bytes = calloc(n + 1, sizeof *checker->bytes);
  checker->poolOf = calloc(n + 1, sizeof *checker->poolOf);
  if (!checker->mayUse || !checker->bytes || !checker->poolOf)
    return false;
  for (size_t box = 0; box < n; ++box)
    checker->mayUse[box] = UINT64_MAX;
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    const BerthBuffer *buffer = &problem->buffers[i];
    uint32_t box = checker->state.boxOf[i];
    if (buffer->pools)
      checker->mayUse[box] &= buffer->pools;
    checker->bytes[box] =
        add(checker->bytes[box], multiply(buffer->size, buffer->weight));
  }
  return true;
}

void berthReplayFreePools(BerthProofChecker *checker) {
  free(checker->mayUse);
  free(checker->bytes);
  free(checker->poolOf);
}
