//===- Verify.c - Is a plan what it claims to be? ------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Stands between every packer and its user. It takes nothing over from the
// packers: each rule of Pack.h is checked on the problem as given, and every
// figure of the plan is computed again.
//
//===---------------------------------------------------------------------===//

#include "Pack/Problem/Overlaps.h"
#include "Pack/Problem/Plan.h"
#include "Pack/Problem/Problem.h"
#include "Support/Checked.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct Verifier {
  const BerthProblemData *problem;
  const BerthPlan *plan;
  BerthError *error;
} Verifier;

static BerthStatus reject(const Verifier *verifier, size_t index,
                          const char *what, int64_t value) {
  return berthErrorSet(
      verifier->error, BERTH_INVALID, "buffer '%s': %s %" PRId64,
      berthBufferName(verifier->problem, index).text, what, value);
}

// Reserved ranges bind the whole buffer, windows or not.
static BerthStatus verifyReserved(const Verifier *verifier, size_t index,
                                  const BerthRange *ranges, size_t count) {
  int64_t low = verifier->plan->offsets[index];
  int64_t high = low + verifier->problem->buffers[index].size;
  for (size_t i = 0; i < count; ++i)
    if (low < ranges[i].upper && ranges[i].lower < high)
      return reject(verifier, index,
                    "it uses bytes that are reserved from offset",
                    ranges[i].lower);
  return BERTH_SUCCESS;
}

static BerthStatus verifyPool(const Verifier *verifier, size_t index) {
  const BerthProblemData *problem = verifier->problem;
  const BerthPlan *plan = verifier->plan;
  const BerthBuffer *buffer = &problem->buffers[index];
  uint32_t pool = plan->pools[index];
  if (pool >= (problem->numPools ? problem->numPools : 1) ||
      (buffer->pools && !(buffer->pools >> pool & 1)))
    return reject(verifier, index, "it may not live in pool", pool);
  bool fits =
      plan->status == BERTH_PLAN_OPTIMAL || plan->status == BERTH_PLAN_FEASIBLE;
  int64_t capacity =
      problem->numPools ? problem->pools[pool].capacity : problem->capacity;
  int64_t over = plan->offsets[index] + buffer->size - capacity;
  if (fits && capacity && over > 0)
    return berthErrorSet(verifier->error, BERTH_INVALID,
                         "buffer '%s': it ends %" PRId64
                         " B above the capacity of %" PRId64 " B",
                         berthBufferName(problem, index).text, over, capacity);
  if (problem->numPools)
    return verifyReserved(verifier, index, problem->pools[pool].reserved,
                          problem->pools[pool].numReserved);
  return verifyReserved(verifier, index, problem->reserved,
                        problem->numReserved);
}

static BerthStatus verifyBuffer(const Verifier *verifier, size_t index) {
  const BerthBuffer *buffer = &verifier->problem->buffers[index];
  int64_t offset = verifier->plan->offsets[index], top;
  if (offset < 0)
    return reject(verifier, index, "it has a negative offset,", offset);
  if (!berthAdd(offset, buffer->size, &top))
    return reject(verifier, index, "its end exceeds 2^63 - 1 at offset",
                  offset);
  if (buffer->alignment != 1 && offset % buffer->alignment)
    return berthErrorSet(verifier->error, BERTH_INVALID,
                         "buffer '%s': its alignment %" PRId64
                         " does not divide its offset %" PRId64,
                         berthBufferName(verifier->problem, index).text,
                         buffer->alignment, offset);
  if (buffer->fixedOffset != BERTH_NONE && buffer->fixedOffset != offset)
    return reject(verifier, index, "it is not at its fixed offset",
                  buffer->fixedOffset);
  return verifyPool(verifier, index);
}

//===---------------------------------------------------------------------===//
// Pairs
//===---------------------------------------------------------------------===//

static bool bought(const BerthPlan *plan, const BerthEdge *edge) {
  for (size_t i = 0; i < edge->numAlternatives; ++i) {
    const BerthCutSet *set = &edge->alternatives[i];
    bool all = true;
    for (size_t j = 0; j < set->numCuts; ++j)
      all &= plan->cutsBought[set->cuts[j]] != 0;
    if (all)
      return true;
  }
  return false;
}

// A group is as large as its largest member, for edges too.
static int64_t extent(const BerthProblemData *problem, uint32_t index) {
  int64_t size = problem->buffers[index].size;
  int64_t group = problem->buffers[index].group;
  for (size_t i = 0; group != BERTH_NONE && i < problem->numBuffers; ++i)
    if (problem->buffers[i].group == group && problem->buffers[i].size > size)
      size = problem->buffers[i].size;
  return size;
}

static BerthStatus verifyEdge(const Verifier *verifier, const BerthEdge *edge) {
  const BerthPlan *plan = verifier->plan;
  uint32_t a = edge->first, b = edge->second;
  if (plan->pools[a] != plan->pools[b] || bought(plan, edge))
    return BERTH_SUCCESS;
  int64_t low = plan->offsets[a], other = plan->offsets[b];
  if (low >= other + extent(verifier->problem, b) ||
      other >= low + extent(verifier->problem, a))
    return BERTH_SUCCESS;
  return berthErrorSet(verifier->error, BERTH_INVALID,
                       "buffers '%s' at offset %" PRId64
                       " and '%s' at offset %" PRId64
                       " share bytes although an edge keeps them apart",
                       berthBufferName(verifier->problem, a).text, low,
                       berthBufferName(verifier->problem, b).text, other);
}

typedef struct Member {
  int64_t group;
  uint32_t index;
} Member;

static int compareMembers(const void *a, const void *b) {
  const Member *x = a, *y = b;
  if (x->group != y->group)
    return x->group > y->group ? 1 : -1;
  return (x->index > y->index) - (x->index < y->index);
}

static BerthStatus verifyGroups(const Verifier *verifier) {
  const BerthProblemData *problem = verifier->problem;
  const BerthPlan *plan = verifier->plan;
  size_t count = 0;
  for (uint32_t i = 0; i < problem->numBuffers; ++i)
    count += problem->buffers[i].group != BERTH_NONE;
  Member *members = malloc((count + 1) * sizeof *members);
  if (!members)
    return berthErrorSet(verifier->error, BERTH_RESOURCE, "out of memory");
  count = 0;
  for (uint32_t i = 0; i < problem->numBuffers; ++i)
    if (problem->buffers[i].group != BERTH_NONE)
      members[count++] = (Member){problem->buffers[i].group, i};
  qsort(members, count, sizeof *members, compareMembers);
  BerthStatus status = BERTH_SUCCESS;
  for (size_t i = 1; !status && i < count; ++i) {
    uint32_t a = members[i - 1].index, b = members[i].index;
    if (members[i - 1].group == members[i].group &&
        (plan->offsets[a] != plan->offsets[b] ||
         plan->pools[a] != plan->pools[b]))
      status = reject(verifier, b,
                      "it is not at the same place as the rest of group",
                      members[i].group);
  }
  free(members);
  return status;
}

//===---------------------------------------------------------------------===//
// Figures
//===---------------------------------------------------------------------===//

static BerthStatus verifyFigure(const Verifier *verifier, const char *name,
                                int64_t claimed, int64_t actual) {
  if (claimed == actual)
    return BERTH_SUCCESS;
  return berthErrorSet(verifier->error, BERTH_INVALID,
                       "the plan claims a %s of %" PRId64
                       ", but it is %" PRId64,
                       name, claimed, actual);
}

static BerthStatus verifyFigures(const Verifier *verifier) {
  const BerthPlan *plan = verifier->plan;
  BerthFigures figures = berthPlanMeasure(verifier->problem, plan);
  BerthStatus status = verifyFigure(verifier, "peak", plan->peak, figures.peak);
  if (!status)
    status = verifyFigure(verifier, "price", plan->price, figures.price);
  if (!status)
    status =
        verifyFigure(verifier, "pool cost", plan->poolCost, figures.poolCost);
  if (!status)
    status = verifyFigure(verifier, "hint distance", plan->hintDistance,
                          figures.hintDistance);
  if (!status && plan->lowerBound > plan->peak)
    status =
        verifyFigure(verifier, "lower bound", plan->lowerBound, plan->peak);
  return status;
}

static BerthStatus verifyShape(const Verifier *verifier) {
  const BerthPlan *plan = verifier->plan;
  if (plan->numBuffers != verifier->problem->numBuffers ||
      plan->numCuts != verifier->problem->numCuts)
    return berthErrorSet(verifier->error, BERTH_INVALID,
                         "the plan has %zu buffers and %zu cuts, the problem "
                         "%zu and %zu",
                         plan->numBuffers, plan->numCuts,
                         verifier->problem->numBuffers,
                         verifier->problem->numCuts);
  for (size_t i = 0; i < plan->numConflict; ++i)
    if (plan->conflict[i] >= plan->numBuffers)
      return berthErrorSet(verifier->error, BERTH_INVALID,
                           "the plan's conflict names buffer %u of %zu",
                           plan->conflict[i], plan->numBuffers);
  return BERTH_SUCCESS;
}

BerthStatus berthPlanVerify(const BerthProblemData *problem,
                            const BerthPlan *plan, BerthError *error) {
  Verifier verifier = {problem, plan, error};
  BerthStatus status = verifyShape(&verifier);
  for (size_t i = 0; !status && i < problem->numBuffers; ++i)
    status = verifyBuffer(&verifier, i);
  if (!status)
    status = verifyGroups(&verifier);
  for (size_t i = 0; !status && i < problem->numEdges; ++i)
    status = verifyEdge(&verifier, &problem->edges[i]);
  if (!status)
    status = berthCheckOverlaps(problem, plan->offsets, plan->pools, error);
  if (!status)
    status = verifyFigures(&verifier);
  return status;
}
