//===- FitVerify.c - The independent verifier of fit plans ---------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Follows each buffer's content through its life, with the rules of docs/fit.md
// and the problem's own data, and none of the search's: which of the two
// memories has the content as it is now. Offsets are the plan verifier's
// business, to which the stays are buffers.
//
//===---------------------------------------------------------------------===//

#include "Pack/Fit/FitStays.h"
#include "Pack/Problem/Plan.h"
#include "Pack/Problem/Problem.h"
#include "Support/Allocate.h"
#include "Support/Checked.h"

#include <inttypes.h>

typedef struct Checking {
  const BerthProblemData *problem;
  const BerthFitPlan *plan;
  const BerthFitOptions *options;
  BerthError *error;
  size_t nextStay;
  size_t nextUse; ///< of the buffer
  bool inFast;    ///< the stay before nextStay has the content
  bool inSlow;    ///< the slow memory has it
  int64_t in;
  int64_t out;
  int64_t made;
  int64_t accessed;
  int64_t cost;
} Checking;

// Of the buffer, as the options have it.
static BerthFitPrice findPrice(const Checking *checking, size_t buffer) {
  const BerthFitOptions *options = checking->options;
  int64_t size = checking->problem->buffers[buffer].size;
  if (options->prices)
    return options->prices[buffer];
  return (BerthFitPrice){
      (options->fill ? options->fill : 1) * size + options->move,
      (options->spill ? options->spill : 1) * size + options->move,
      options->access ? options->access : BERTH_NONE};
}

static BerthStatus blame(const Checking *checking, size_t buffer, int64_t time,
                         const char *what) {
  return berthErrorSet(
      checking->error, BERTH_INVALID, "buffer '%s' at time %" PRId64 ": %s",
      berthBufferName(checking->problem, buffer).text, time, what);
}

// A use while `stay` (NULL: none) is there.
static BerthStatus touch(Checking *checking, size_t buffer, BerthBufferUse use,
                         const BerthStay *stay) {
  bool *has = stay ? &checking->inFast : &checking->inSlow;
  bool *other = stay ? &checking->inSlow : &checking->inFast;
  int64_t access = findPrice(checking, buffer).access;
  if (!stay && use.tile)
    return blame(checking, buffer, use.lower,
                 "it is served by slices, but has no tile");
  if (!stay && access == BERTH_NONE)
    return blame(checking, buffer, use.lower,
                 "it is used, but not in the fast memory");
  if (!*has && use.kind != BERTH_USE_WRITE)
    return blame(checking, buffer, use.lower,
                 stay ? "it is read in the fast memory, which lost the content"
                      : "it is read in the slow memory, which lacks the "
                        "content");
  if (use.kind != BERTH_USE_READ) {
    *has = true;
    *other = false;
  }
  if (!stay) {
    checking->accessed = berthAddSaturating(checking->accessed, use.bytes);
    checking->cost += use.bytes * access;
  }
  return BERTH_SUCCESS;
}

// The uses that the problem lists or implies, in order, within [from, to).
static bool takeUse(Checking *checking, const BerthBuffer *buffer,
                    BerthSegment life, int64_t from, int64_t to,
                    BerthBufferUse *use) {
  BerthBufferUse ends = {.lower = life.upper - 1,
                         .upper = life.upper,
                         .kind = BERTH_USE_READ,
                         .bytes = buffer->size};
  BerthBufferUse make = {.lower = life.lower,
                         .upper = life.lower + 1,
                         .kind = BERTH_USE_WRITE,
                         .bytes = buffer->size};
  bool listed = checking->nextUse < buffer->numUses &&
                buffer->uses[checking->nextUse].lower < to;
  if (!buffer->backed && from == life.lower &&
      !(listed && buffer->uses[checking->nextUse].lower == from)) {
    *use = make;
    return from < to;
  }
  if (buffer->numUses == 0) {
    *use = ends;
    return from <= ends.lower && ends.lower < to;
  }
  if (!listed)
    return false;
  *use = buffer->uses[checking->nextUse++];
  use->bytes = use->bytes ? use->bytes : buffer->size;
  if (use->lower == life.lower && !buffer->backed)
    use->kind = BERTH_USE_WRITE;
  return true;
}

// All uses that start in [from, to), during the stay or without one. `*time`
// is where the last one ends.
static BerthStatus touchAll(Checking *checking, size_t index, BerthSegment life,
                            int64_t to, const BerthStay *stay, int64_t *time) {
  const BerthBuffer *buffer = &checking->problem->buffers[index];
  BerthBufferUse use;
  while (takeUse(checking, buffer, life, *time, to, &use)) {
    if (use.upper > to)
      return blame(checking, index, use.lower,
                   "a stay starts or ends in the middle of a use");
    BerthStatus status = touch(checking, index, use, stay);
    if (status)
      return status;
    *time = use.upper;
  }
  if (*time < to)
    *time = to;
  return BERTH_SUCCESS;
}

// Content can be made again right in front of the uses that say so.
static BerthStatus make(Checking *checking, size_t index,
                        const BerthStay *stay) {
  const BerthBuffer *buffer = &checking->problem->buffers[index];
  const BerthBufferUse *use = &buffer->uses[checking->nextUse];
  if (checking->nextUse == buffer->numUses || use->lower != stay->lower ||
      use->make <= 0 || stay->filled)
    return blame(checking, index, stay->lower,
                 "it is made again where that is not possible");
  checking->inFast = true;
  checking->made = berthAddSaturating(checking->made, buffer->size);
  checking->cost = berthAddSaturating(checking->cost, use->make);
  return BERTH_SUCCESS;
}

// A tile is there for one use, which finds the content in the slow memory and
// leaves it there.
static BerthStatus touchSlices(Checking *checking, size_t index,
                               BerthSegment life, const BerthStay *stay,
                               int64_t *time) {
  const BerthBuffer *buffer = &checking->problem->buffers[index];
  BerthBufferUse use;
  bool isUse = takeUse(checking, buffer, life, *time, stay->upper, &use) &&
               use.tile > 0 && use.lower == stay->lower &&
               use.upper == stay->upper;
  if (!isUse || stay->filled || stay->spilled || stay->made)
    return blame(checking, index, stay->lower,
                 "a tile is there where no use has one, or has content of its "
                 "own");
  if (use.kind != BERTH_USE_WRITE && !checking->inSlow)
    return blame(checking, index, stay->lower,
                 "its slices are read in the slow memory, which lacks the "
                 "content");
  checking->inSlow = true;
  checking->cost = berthAddSaturating(checking->cost, use.slices);
  *time = use.upper;
  return BERTH_SUCCESS;
}

static BerthStatus checkStay(Checking *checking, size_t index,
                             BerthSegment life, const BerthStay *stay,
                             int64_t *time) {
  int64_t size = checking->problem->buffers[index].size;
  if (stay->lower >= stay->upper || stay->lower < *time ||
      stay->upper > life.upper)
    return blame(checking, index, stay->lower,
                 "a stay is empty, overlaps another or leaves the lifetime");
  BerthStatus status = touchAll(checking, index, life, stay->lower, NULL, time);
  if (status)
    return status;
  if (stay->tiled) {
    checking->inFast = false;
    return touchSlices(checking, index, life, stay, time);
  }
  if (stay->filled && !checking->inSlow)
    return blame(checking, index, stay->lower,
                 "it is filled with content that the slow memory lacks");
  checking->inFast = stay->filled;
  checking->in = berthAddSaturating(checking->in, stay->filled ? size : 0);
  checking->cost += stay->filled ? findPrice(checking, index).fill : 0;
  status = stay->made ? make(checking, index, stay) : BERTH_SUCCESS;
  if (status)
    return status;
  status = touchAll(checking, index, life, stay->upper, stay, time);
  if (status)
    return status;
  if (stay->spilled && !checking->inFast)
    return blame(checking, index, stay->upper,
                 "it spills what it does not hold");
  checking->inSlow |= stay->spilled;
  checking->out = berthAddSaturating(checking->out, stay->spilled ? size : 0);
  checking->cost += stay->spilled ? findPrice(checking, index).spill : 0;
  // At the very end of a life the content may be wanted in either memory.
  checking->inFast &= stay->upper == life.upper;
  return BERTH_SUCCESS;
}

static BerthStatus checkSegment(Checking *checking, size_t index,
                                BerthSegment life) {
  const BerthBuffer *buffer = &checking->problem->buffers[index];
  const BerthFitPlan *plan = checking->plan;
  int64_t time = life.lower;
  checking->inFast = false;
  checking->inSlow = buffer->backed;
  for (; checking->nextStay < plan->numStays; ++checking->nextStay) {
    const BerthStay *stay = &plan->stays[checking->nextStay];
    if (stay->buffer != index || stay->lower >= life.upper)
      break;
    BerthStatus status = checkStay(checking, index, life, stay, &time);
    if (status)
      return status;
  }
  BerthStatus status = touchAll(checking, index, life, life.upper, NULL, &time);
  if (status)
    return status;
  bool outlives = buffer->numUses > 0 &&
                  (checking->nextUse == 0 ||
                   buffer->uses[checking->nextUse - 1].upper < life.upper);
  if (buffer->backed && !checking->inSlow)
    return blame(checking, index, life.upper,
                 "what was written does not get back to the slow memory");
  if (outlives && !checking->inFast && !checking->inSlow)
    return blame(checking, index, life.upper, "its content is lost");
  return BERTH_SUCCESS;
}

static BerthStatus checkFigure(const Checking *checking, const char *name,
                               int64_t stated, int64_t found) {
  if (stated == found)
    return BERTH_SUCCESS;
  return berthErrorSet(checking->error, BERTH_INVALID,
                       "%s is stated as %" PRId64 ", but it is %" PRId64, name,
                       stated, found);
}

static BerthStatus checkFigures(const Checking *checking, int64_t peak) {
  const BerthFitPlan *plan = checking->plan;
  const struct {
    const char *name;
    int64_t stated;
    int64_t found;
  } figures[] = {{"what is brought in", plan->bytesIn, checking->in},
                 {"what is taken out", plan->bytesOut, checking->out},
                 {"what is accessed", plan->bytesAccessed, checking->accessed},
                 {"what is made again", plan->bytesMade, checking->made},
                 {"the peak", plan->peak, peak},
                 {"the cost", plan->cost, checking->cost}};
  for (size_t i = 0; i < sizeof figures / sizeof *figures; ++i) {
    BerthStatus status = checkFigure(checking, figures[i].name,
                                     figures[i].stated, figures[i].found);
    if (status)
      return status;
  }
  if (plan->costBound > plan->cost ||
      (plan->status == BERTH_PLAN_OPTIMAL && plan->costBound != plan->cost))
    return berthErrorSet(checking->error, BERTH_INVALID,
                         "a cost of %" PRId64
                         " does not go with a bound of %" PRId64,
                         plan->cost, plan->costBound);
  return BERTH_SUCCESS;
}

// The offsets, as a plan of a problem whose buffers are the stays.
static BerthStatus checkOffsets(const Checking *checking, int64_t *peak) {
  const BerthFitPlan *fit = checking->plan;
  BerthProblem *packing =
      berthFitStaysProblem(checking->problem, fit->stays, fit->numStays);
  const BerthProblemData *data = packing ? berthProblemGetData(packing) : NULL;
  BerthPlan plan = {0};
  BerthStatus status = data ? berthPlanInit(&plan, data, checking->error)
                            : berthOutOfMemory(checking->error);
  for (size_t i = 0; !status && i < fit->numStays; ++i) {
    int64_t end;
    plan.offsets[i] = fit->stays[i].offset;
    if (!berthAdd(plan.offsets[i], data->buffers[i].size, &end) ||
        end > checking->problem->capacity)
      status = blame(checking, fit->stays[i].buffer, fit->stays[i].lower,
                     "its stay ends beyond the capacity");
  }
  if (!status)
    *peak = plan.peak = berthPlanMeasure(data, &plan).peak;
  if (!status)
    status = berthPlanVerify(data, &plan, checking->error);
  berthPlanFree(&plan);
  berthProblemDestroy(packing);
  return status;
}

BerthStatus berthFitVerify(const BerthProblemData *problem,
                           const BerthFitOptions *options,
                           const BerthFitPlan *plan, BerthError *error) {
  static const BerthFitOptions kDefaults;
  options = options ? options : &kDefaults;
  Checking checking = {
      .problem = problem, .plan = plan, .options = options, .error = error};
  for (size_t i = 0; i < plan->numStays; ++i)
    if (plan->stays[i].buffer >= problem->numBuffers)
      return berthErrorSet(error, BERTH_INVALID, "stay %zu is of no buffer", i);
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    checking.nextUse = 0;
    for (size_t k = 0; k < problem->buffers[i].numSegments; ++k) {
      BerthStatus status =
          checkSegment(&checking, i, problem->buffers[i].segments[k]);
      if (status)
        return status;
    }
  }
  if (checking.nextStay < plan->numStays)
    return blame(&checking, plan->stays[checking.nextStay].buffer,
                 plan->stays[checking.nextStay].lower,
                 "a stay is out of order or outside the lifetime");
  int64_t peak = 0;
  BerthStatus status = checkOffsets(&checking, &peak);
  return status ? status : checkFigures(&checking, peak);
}
