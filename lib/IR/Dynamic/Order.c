//===- Order.c - Which buffer lies above which ----------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Any order of a home's buffers is right; a good one keeps the arena small.
// Candidates: the order of the offsets that the packer gives on each of some
// sample sizes, and the colours of a greedy colouring by falling size (then the
// arena is never larger than the sum over colours of the largest member, as in
// Futhark). Each candidate is computed on every sample; the one with the least
// sum of ratios to the best candidate on that sample wins, ties to the first.
//
//===----------------------------------------------------------------------===//

#include "IR/Dynamic/Order.h"
#include "IR/Dynamic/Sizes.h"
#include "IR/Ops/OrDie.h"
#include "IR/Scope/Segments.h"
#include "Support/Sort.h"

#include <stdlib.h>
#include <string.h>

/// The buffers of one group have one offset: a node.
typedef struct Node {
  size_t first;   ///< its first buffer of the scope
  int64_t group;  ///< BERTH_NONE: it is its only buffer
  int64_t bottom; ///< it lies above the static buffers that end here
  size_t numSegments;
  BerthSegment *segments;
  int64_t size[BERTH_NUM_SAMPLES];
} Node;

typedef struct Ordering {
  BerthJob *job;
  BerthHome *home;
  size_t numNodes;
  Node *nodes;
  bool *meets; ///< numNodes x numNodes
  int64_t *offsets;
  size_t *best;
  double bestScore;
} Ordering;

/// The packer's orders on all samples, and one of colours.
enum { kNumCandidates = BERTH_NUM_SAMPLES + 1 };
enum { kSampleSteps = 1 << 22 };

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

static Node *nodeOf(Ordering *ordering, size_t buffer) {
  int64_t group = ordering->job->scope.buffers[buffer].group;
  for (size_t i = 0; group != BERTH_NONE && i < ordering->numNodes; ++i)
    if (ordering->nodes[i].group == group)
      return &ordering->nodes[i];
  Node *node = &ordering->nodes[ordering->numNodes++];
  *node = (Node){.first = buffer, .group = group};
  return node;
}

static void addSegments(Ordering *ordering, Node *node,
                        const BerthBufferInfo *buffer) {
  BerthSegment *all = BERTH_NEW(&ordering->job->memory, BerthSegment,
                                node->numSegments + buffer->numSegments);
  if (node->numSegments)
    memcpy(all, node->segments, node->numSegments * sizeof *all);
  memcpy(all + node->numSegments, buffer->segments,
         buffer->numSegments * sizeof *all);
  node->numSegments =
      berthJoinSegments(all, node->numSegments + buffer->numSegments);
  node->segments = all;
}

int64_t berthStaticTop(const BerthJob *job, const BerthBufferInfo *buffer) {
  int64_t highest = 0;
  for (size_t i = 0; i < job->numPlaced; ++i) {
    const BerthBufferInfo *fixed = &job->scope.buffers[job->bufferOf[i]];
    int64_t top = fixed->offset + fixed->size;
    if (fixed->offset != BERTH_NONE && top > highest &&
        berthBuffersMeet(fixed, buffer))
      highest = top;
  }
  return highest;
}

/// Static buffers have their offsets: what meets them lies above.
static void raiseBottom(const BerthJob *job, Node *node,
                        const BerthBufferInfo *buffer) {
  int64_t top = berthStaticTop(job, buffer);
  if (top > node->bottom)
    node->bottom = top;
}

static void makeNodes(Ordering *ordering) {
  const BerthJob *job = ordering->job;
  BerthHome *home = ordering->home;
  ordering->nodes = berthAllocateOrDie(home->numBuffers, sizeof(Node));
  BerthSampler sampler = {.job = job};
  for (size_t i = 0; i < home->numBuffers; ++i) {
    const BerthBufferInfo *buffer = &job->scope.buffers[home->buffers[i]];
    Node *node = nodeOf(ordering, home->buffers[i]);
    addSegments(ordering, node, buffer);
    if (home->isEntry)
      raiseBottom(job, node, buffer);
    for (int s = 0; s < BERTH_NUM_SAMPLES; ++s) {
      int64_t size = berthSampleSize(&sampler, buffer, s);
      if (size > node->size[s])
        node->size[s] = size;
    }
  }
  berthSamplerFree(&sampler);
}

static bool meet(const Ordering *ordering, size_t a, size_t b) {
  return ordering->meets[a * ordering->numNodes + b];
}

static void findMeetings(Ordering *ordering) {
  size_t n = ordering->numNodes;
  ordering->meets = berthAllocateOrDie(n * n, sizeof *ordering->meets);
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j)
      ordering->meets[i * n + j] =
          i != j && berthSegmentsMeet(ordering->nodes[i].segments,
                                      ordering->nodes[i].numSegments,
                                      ordering->nodes[j].segments,
                                      ordering->nodes[j].numSegments);
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

/// Puts node numbers into `order` by key, then number.
static void sortByKey(uint32_t *order, size_t count, const int64_t *key) {
  BerthMemory memory = {0};
  BerthSorting sorting;
  berthSortingOrDie(&sorting, (uint32_t)count, &memory);
  for (size_t i = 0; i < count; ++i)
    sorting.keys[i] = berthKeyAscending(key[i]);
  memcpy(order, berthSort(&sorting), count * sizeof *order);
  berthMemoryFree(&memory);
}

/// False if the packer gave up.
static bool orderByPacking(Ordering *ordering, int sample, uint32_t *order) {
  BerthProblem *problem = berthOrDie(berthProblemCreate());
  for (size_t i = 0; i < ordering->numNodes; ++i) {
    const Node *node = &ordering->nodes[i];
    BerthBuffer buffer = berthBufferDefault();
    buffer.id = "";
    buffer.size = node->size[sample] ? node->size[sample] : 1;
    buffer.numSegments = node->numSegments;
    buffer.segments = node->segments;
    berthProblemAddBuffer(problem, &buffer);
  }
  berthProblemOrDie(problem);
  BerthPackOptions options = {.packer = ordering->job->options->packer,
                              .steps = kSampleSteps};
  BerthPlan plan = {0};
  BerthError error;
  bool isPacked = berthPack(berthProblemGetData(problem), &options, &plan,
                            &error) == BERTH_SUCCESS;
  if (isPacked)
    sortByKey(order, ordering->numNodes, plan.offsets);
  berthPlanFree(&plan);
  berthProblemDestroy(problem);
  return isPacked;
}

/// By colours, where the largest on the first sample choose first.
static void orderByColour(Ordering *ordering, uint32_t *order) {
  size_t n = ordering->numNodes;
  int64_t *key = berthAllocateOrDie(n, sizeof *key);
  int64_t *colour = berthAllocateOrDie(n, sizeof *colour);
  for (size_t i = 0; i < n; ++i) {
    key[i] = -ordering->nodes[i].size[0];
    colour[i] = -1;
  }
  sortByKey(order, n, key);
  bool *taken = berthAllocateOrDie(n, sizeof *taken);
  for (size_t i = 0; i < n; ++i) {
    memset(taken, 0, n * sizeof *taken);
    for (size_t k = 0; k < n; ++k)
      if (colour[k] >= 0 && meet(ordering, order[i], k))
        taken[colour[k]] = true;
    int64_t c = 0;
    while (taken[c])
      ++c;
    colour[order[i]] = c;
  }
  sortByKey(order, n, colour);
  free(key);
  free(colour);
  free(taken);
}

//===----------------------------------------------------------------------===//
// The best of them
//===----------------------------------------------------------------------===//

/// The arena's size on a sample: as the program will compute it.
static int64_t peakOf(const Ordering *ordering, const uint32_t *order,
                      int sample) {
  int64_t peak = 0;
  for (size_t i = 0; i < ordering->numNodes; ++i) {
    const Node *node = &ordering->nodes[order[i]];
    int64_t offset = node->bottom;
    for (size_t k = 0; k < i; ++k) {
      int64_t top =
          ordering->offsets[order[k]] + ordering->nodes[order[k]].size[sample];
      if (top > offset && meet(ordering, order[k], order[i]))
        offset = top;
    }
    ordering->offsets[order[i]] = offset;
    if (offset + node->size[sample] > peak)
      peak = offset + node->size[sample];
  }
  return peak;
}

typedef struct Candidate {
  uint32_t *order;
  bool exists;
  int64_t peaks[BERTH_NUM_SAMPLES];
} Candidate;

static double score(const Candidate *candidate, const int64_t *least) {
  double sum = 0;
  for (int s = 0; s < BERTH_NUM_SAMPLES; ++s)
    sum += ((double)candidate->peaks[s] + 1) / ((double)least[s] + 1);
  return sum;
}

static const uint32_t *chooseOrder(Ordering *ordering, Candidate *candidates) {
  int64_t least[BERTH_NUM_SAMPLES];
  for (int s = 0; s < BERTH_NUM_SAMPLES; ++s) {
    least[s] = INT64_MAX;
    for (int c = 0; c < kNumCandidates; ++c) {
      if (!candidates[c].exists)
        continue;
      candidates[c].peaks[s] = peakOf(ordering, candidates[c].order, s);
      if (candidates[c].peaks[s] < least[s])
        least[s] = candidates[c].peaks[s];
    }
  }
  const Candidate *best = &candidates[0];
  for (int c = 1; c < kNumCandidates; ++c)
    if (candidates[c].exists &&
        score(&candidates[c], least) < score(best, least))
      best = &candidates[c];
  return best->order;
}

/// Puts the home's buffers into the order of their nodes.
static void sortBuffers(Ordering *ordering, const uint32_t *order) {
  const BerthJob *job = ordering->job;
  BerthHome *home = ordering->home;
  size_t *sorted = berthAllocateOrDie(home->numBuffers, sizeof *sorted);
  size_t count = 0;
  for (size_t i = 0; i < ordering->numNodes; ++i) {
    const Node *node = &ordering->nodes[order[i]];
    for (size_t k = 0; k < home->numBuffers; ++k) {
      size_t buffer = home->buffers[k];
      if (node->group == BERTH_NONE
              ? buffer == node->first
              : job->scope.buffers[buffer].group == node->group)
        sorted[count++] = buffer;
    }
  }
  memcpy(home->buffers, sorted, count * sizeof *sorted);
  free(sorted);
}

static void orderHome(BerthJob *job, BerthHome *home) {
  Ordering ordering = {.job = job, .home = home};
  makeNodes(&ordering);
  findMeetings(&ordering);
  size_t n = ordering.numNodes;
  ordering.offsets = berthAllocateOrDie(n, sizeof *ordering.offsets);
  Candidate candidates[kNumCandidates];
  for (int c = 0; c < kNumCandidates; ++c)
    candidates[c].order = berthAllocateOrDie(n, sizeof *candidates[c].order);
  // The colours come first: they are never missing, and win ties.
  orderByColour(&ordering, candidates[0].order);
  candidates[0].exists = true;
  for (int s = 0; s < BERTH_NUM_SAMPLES; ++s)
    candidates[1 + s].exists =
        orderByPacking(&ordering, s, candidates[1 + s].order);
  sortBuffers(&ordering, chooseOrder(&ordering, candidates));
  for (int c = 0; c < kNumCandidates; ++c)
    free(candidates[c].order);
  free(ordering.nodes);
  free(ordering.meets);
  free(ordering.offsets);
}

void berthOrderHomes(BerthJob *job) {
  for (size_t i = 0; i < job->numHomes; ++i)
    if (job->homes[i].numBuffers)
      orderHome(job, &job->homes[i]);
}
