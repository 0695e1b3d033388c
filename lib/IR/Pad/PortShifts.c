//===- PortShifts.c - Offsets in different banks for ports ----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   ops with ports -> where their operands begin -> a buffer that meets another
//   -> offsets in other banks, the cheapest first -> is it a plan?
//
// Twice: one buffer after the other is moved, with all of its group, as long as
// fewer passes are left by it; and all are put down anew in the order in which
// they lay, and then moved. The one with fewer passes, or bytes, is taken. What
// is tried is what a lowest fit would be: behind another buffer, or at the
// start, from there on the next offset in a bank.
//
//===----------------------------------------------------------------------===//

#include "IR/Pad/PortShifts.h"
#include "IR/Facts/SliceFacts.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "IR/Ops/Text.h"
#include "IR/Pad/BankConflicts.h"
#include "IR/Plan/Capacity.h"
#include "Pack/Problem/Overlaps.h"
#include "Pack/Problem/Plan.h"
#include "Support/Checked.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

static const char category[] = "berth-arena";

enum {
  /// Plans that are looked at for one scope.
  kMostPlans = 4096,
  kMostPorts = 64,
  kMostBanks = 128
};

/// An operand of an op that has ports.
typedef struct Port {
  size_t buffer; ///< of the problem
  int64_t start; ///< its first byte there
} Port;

typedef struct Step {
  MlirOperation op;
  size_t numPorts;
  size_t numUnknown; ///< ports that begin where nobody knows
  int64_t turns;
  Port ports[kMostPorts];
} Step;

typedef struct Shifts {
  BerthJob *job;
  const BerthProblemData *problem;
  int64_t banks, width, limit;
  Step *steps;
  size_t numSteps, capSteps;
  size_t plansLeft;
} Shifts;

//===----------------------------------------------------------------------===//
// Ops with ports
//===----------------------------------------------------------------------===//

/// The first byte of the value in the buffer; -1: not known.
static int64_t startOf(const BerthBufferInfo *info, MlirValue value) {
  int64_t strides[BERTH_SLICE_MAX_RANK], offset;
  BerthTypeSize size;
  MlirType type = mlirValueGetType(value);
  for (MlirValue v = value; !mlirValueEqual(v, info->value);) {
    BerthSubView view;
    if (!mlirValueIsAOpResult(v))
      return -1;
    MlirOperation op = mlirOpResultGetOwner(v);
    if (!berthSubViewGet(op, &view) && !berthOpIs(op, BERTH_OP_CAST))
      return -1;
    v = mlirOperationGetOperand(op, 0);
  }
  if (!mlirTypeIsAMemRef(type) ||
      mlirShapedTypeGetRank(type) > BERTH_SLICE_MAX_RANK ||
      berthMemRefGetSize(type, info->alloc, &size) != BERTH_SIZE_OK ||
      mlirLogicalResultIsFailure(
          mlirMemRefTypeGetStridesAndOffset(type, strides, &offset)) ||
      offset < 0 || offset > INT64_MAX / 2 / (size.elementBytes + 1))
    return -1;
  return offset * size.elementBytes;
}

static Step *stepOf(Shifts *shifts, MlirOperation op) {
  for (size_t i = shifts->numSteps; i-- > 0;)
    if (mlirOperationEqual(shifts->steps[i].op, op))
      return &shifts->steps[i];
  shifts->steps = berthGrow(shifts->steps, shifts->numSteps, &shifts->capSteps,
                            sizeof *shifts->steps);
  Step *step = &shifts->steps[shifts->numSteps++];
  *step = (Step){.op = op,
                 .turns = berthCountTurnsAround(op, shifts->job->scope.op)};
  return step;
}

static void addPorts(Shifts *shifts, size_t buffer, const BerthAccess *access) {
  const BerthBufferInfo *info =
      &shifts->job->scope.buffers[shifts->job->bufferOf[buffer]];
  uint64_t ports = berthOpGetPorts(access->op);
  if (!ports || mlirValueIsNull(access->through))
    return;
  intptr_t count = mlirOperationGetNumOperands(access->op);
  for (intptr_t i = 0; i < count && i < kMostPorts; ++i) {
    if (!(ports >> i & 1) ||
        !mlirValueEqual(mlirOperationGetOperand(access->op, i),
                        access->through))
      continue;
    Step *step = stepOf(shifts, access->op);
    int64_t start = startOf(info, access->through);
    if (start < 0 || step->numPorts == kMostPorts)
      ++step->numUnknown;
    else
      step->ports[step->numPorts++] = (Port){buffer, start};
  }
}

static void findSteps(Shifts *shifts) {
  for (size_t i = 0; i < shifts->job->numPlaced; ++i) {
    const BerthBufferInfo *info =
        &shifts->job->scope.buffers[shifts->job->bufferOf[i]];
    for (size_t k = 0; k < info->numAccesses; ++k) {
      const BerthAccess *access = &info->accesses[k];
      bool isAgain = k > 0 && mlirOperationEqual(access[-1].op, access->op) &&
                     mlirValueEqual(access[-1].through, access->through);
      if (!isAgain)
        addPorts(shifts, i, access);
    }
  }
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

/// How many words the fullest bank has to hand out in a step.
static int64_t passesOf(const Shifts *shifts, const Step *step) {
  int64_t words[kMostPorts * 2], passes[kMostBanks] = {0}, most = 1;
  size_t count = 0;
  for (size_t i = 0; i < step->numPorts; ++i) {
    const Port *port = &step->ports[i];
    if (shifts->job->plan.offsets[port->buffer] == BERTH_NONE)
      continue; // not yet put down
    int64_t at = shifts->job->plan.offsets[port->buffer] + port->start;
    int64_t last = (at + shifts->width - 1) / shifts->width;
    for (int64_t word = at / shifts->width; word <= last; ++word) {
      size_t k = 0;
      while (k < count && words[k] != word)
        ++k;
      if (k < count)
        continue; // it goes to both ports
      words[count++] = word;
      int64_t here = ++passes[word % shifts->banks];
      most = here > most ? here : most;
    }
  }
  return most;
}

static int64_t costOf(const Shifts *shifts) {
  int64_t cost = 0;
  for (size_t i = 0; i < shifts->numSteps; ++i)
    cost += passesOf(shifts, &shifts->steps[i]) * shifts->steps[i].turns;
  return cost;
}

/// With one pass for each step.
static int64_t leastCost(const Shifts *shifts) {
  int64_t cost = 0;
  for (size_t i = 0; i < shifts->numSteps; ++i)
    cost += shifts->steps[i].turns;
  return cost;
}

//===----------------------------------------------------------------------===//
// Moving a buffer
//===----------------------------------------------------------------------===//

/// All of a group lie at one offset.
static void putAt(Shifts *shifts, size_t buffer, int64_t offset) {
  const BerthProblemData *problem = shifts->problem;
  int64_t group = problem->buffers[buffer].group;
  for (size_t i = 0; i < problem->numBuffers; ++i)
    if (i == buffer ||
        (group != BERTH_NONE && problem->buffers[i].group == group))
      shifts->job->plan.offsets[i] = offset;
}

/// Tells the plan its own figures. False: it is none.
static bool isPlan(Shifts *shifts) {
  BerthPlan *plan = &shifts->job->plan;
  BerthError error;
  BerthFigures figures = berthPlanMeasure(shifts->problem, plan);
  plan->peak = figures.peak;
  plan->hintDistance = figures.hintDistance;
  plan->status =
      plan->peak > plan->lowerBound ? BERTH_PLAN_FEASIBLE : BERTH_PLAN_OPTIMAL;
  return plan->peak <= shifts->limit &&
         (berthIsBroken(shifts->job->options->alias.breakRule, "shift-over") ||
          berthPlanVerify(shifts->problem, plan, &error) == BERTH_SUCCESS);
}

typedef struct Choice {
  int64_t cost, top, offset;
} Choice;

static int compareChoices(const void *left, const void *right) {
  const Choice *a = left, *b = right;
  if (a->cost != b->cost)
    return a->cost < b->cost ? -1 : 1;
  if (a->top != b->top)
    return a->top < b->top ? -1 : 1;
  return (a->offset > b->offset) - (a->offset < b->offset);
}

typedef struct Choices {
  Choice *items;
  size_t count, capacity;
} Choices;

/// From `start` on the next offset in each bank.
static void addChoices(Shifts *shifts, Choices *choices, size_t buffer,
                       int64_t start, int64_t below) {
  const BerthBuffer *info = &shifts->problem->buffers[buffer];
  int64_t old = shifts->job->plan.offsets[buffer];
  bool isSeen[kMostBanks] = {false};
  int64_t offset = berthRoundUp(start, info->alignment);
  int64_t step = berthRoundUp(shifts->width, info->alignment);
  for (int64_t i = 0; i < shifts->banks && offset <= shifts->limit - info->size;
       ++i, offset += step) {
    int64_t bank = offset / shifts->width % shifts->banks;
    if (isSeen[bank] || offset == old)
      continue;
    isSeen[bank] = true;
    putAt(shifts, buffer, offset);
    int64_t cost = costOf(shifts);
    if (cost >= below)
      continue;
    choices->items = berthGrow(choices->items, choices->count,
                               &choices->capacity, sizeof *choices->items);
    choices->items[choices->count++] =
        (Choice){cost, offset + info->size, offset};
  }
  putAt(shifts, buffer, old);
}

/// Offsets that leave less than that, the cheapest first.
static Choices choicesFor(Shifts *shifts, size_t buffer, int64_t below) {
  const BerthPlan *plan = &shifts->job->plan;
  Choices choices = {0};
  addChoices(shifts, &choices, buffer, 0, below);
  for (size_t i = 0; i < plan->numBuffers; ++i)
    if (plan->offsets[i] != BERTH_NONE)
      addChoices(shifts, &choices, buffer,
                 plan->offsets[i] + shifts->problem->buffers[i].size, below);
  if (plan->offsets[buffer] != BERTH_NONE)
    addChoices(shifts, &choices, buffer, plan->offsets[buffer], below);
  if (choices.count)
    qsort(choices.items, choices.count, sizeof *choices.items, compareChoices);
  return choices;
}

/// True if the buffer lies where fewer passes are taken now.
static bool move(Shifts *shifts, size_t buffer) {
  BerthPlan *plan = &shifts->job->plan;
  BerthPlan before = *plan; // but for the offsets
  int64_t old = plan->offsets[buffer];
  Choices choices = choicesFor(shifts, buffer, costOf(shifts));
  bool isMoved = false;
  for (size_t i = 0; i < choices.count && !isMoved && shifts->plansLeft; ++i) {
    --shifts->plansLeft;
    putAt(shifts, buffer, choices.items[i].offset);
    isMoved = isPlan(shifts);
  }
  free(choices.items);
  if (!isMoved) {
    *plan = before;
    putAt(shifts, buffer, old);
  }
  return isMoved;
}

/// One that stands in a step of more than one pass.
static bool moveSome(Shifts *shifts) {
  for (size_t i = 0; i < shifts->numSteps; ++i) {
    const Step *step = &shifts->steps[i];
    for (size_t k = 0; passesOf(shifts, step) > 1 && k < step->numPorts; ++k)
      if (move(shifts, step->ports[k].buffer))
        return true;
  }
  return false;
}

static void moveAll(Shifts *shifts) {
  while (moveSome(shifts))
    ;
}

//===----------------------------------------------------------------------===//
// All anew
//===----------------------------------------------------------------------===//

typedef struct Place {
  int64_t offset;
  size_t buffer;
} Place;

static int comparePlaces(const void *left, const void *right) {
  const Place *a = left, *b = right;
  if (a->offset != b->offset)
    return a->offset < b->offset ? -1 : 1;
  return (a->buffer > b->buffer) - (a->buffer < b->buffer);
}

/// Among those that are put down already.
static bool putDown(Shifts *shifts, size_t buffer) {
  BerthPlan *plan = &shifts->job->plan;
  int64_t pin = shifts->problem->buffers[buffer].fixedOffset;
  BerthError error;
  if (pin != BERTH_NONE) {
    putAt(shifts, buffer, pin);
    return true;
  }
  Choices choices = choicesFor(shifts, buffer, INT64_MAX);
  bool isDone = false;
  for (size_t i = 0; i < choices.count && !isDone && shifts->plansLeft; ++i) {
    --shifts->plansLeft;
    putAt(shifts, buffer, choices.items[i].offset);
    isDone = berthCheckOverlaps(shifts->problem, plan->offsets, plan->pools,
                                &error) == BERTH_SUCCESS;
  }
  free(choices.items);
  return isDone;
}

/// In the order in which they lie now. False: that is no plan.
static bool placeAnew(Shifts *shifts) {
  BerthPlan *plan = &shifts->job->plan;
  size_t count = plan->numBuffers;
  Place *places = berthAllocateOrDie(count, sizeof *places);
  bool isPlaced = true;
  for (size_t i = 0; i < count; ++i) {
    places[i] = (Place){plan->offsets[i], i};
    plan->offsets[i] = BERTH_NONE;
  }
  qsort(places, count, sizeof *places, comparePlaces);
  for (size_t i = 0; i < count && isPlaced; ++i)
    if (plan->offsets[places[i].buffer] == BERTH_NONE)
      isPlaced = putDown(shifts, places[i].buffer);
  free(places);
  return isPlaced && isPlan(shifts);
}

/// The better one of two ways.
static void shiftPlan(Shifts *shifts) {
  BerthPlan *plan = &shifts->job->plan;
  size_t size = plan->numBuffers * sizeof *plan->offsets;
  int64_t *first = berthAllocateOrDie(plan->numBuffers, sizeof *first);
  int64_t *moved = berthAllocateOrDie(plan->numBuffers, sizeof *moved);
  memcpy(first, plan->offsets, size);
  moveAll(shifts);
  memcpy(moved, plan->offsets, size);
  BerthPlan found = *plan; // but for the offsets
  int64_t cost = costOf(shifts);
  memcpy(plan->offsets, first, size);
  shifts->plansLeft = kMostPlans;
  bool isBetter = placeAnew(shifts);
  if (isBetter) {
    moveAll(shifts);
    isBetter = costOf(shifts) < cost ||
               (costOf(shifts) == cost && plan->peak < found.peak);
  }
  if (!isBetter) {
    *plan = found;
    memcpy(plan->offsets, moved, size);
  }
  free(first);
  free(moved);
}

//===----------------------------------------------------------------------===//
// The station
//===----------------------------------------------------------------------===//

static void remark(MlirOperation op, BerthRemarkKind kind, const char *format,
                   long long a, long long b) {
  BerthText text = {0};
  berthTextAppend(&text, format, a, b);
  berthEmitRemark(op, kind, category, text.data);
  berthTextFree(&text);
}

static void remarkSteps(const Shifts *shifts, const int64_t *before) {
  for (size_t i = 0; i < shifts->numSteps; ++i) {
    const Step *step = &shifts->steps[i];
    remark(step->op, BERTH_REMARK_ANALYSIS,
           "passes over the banks in a step of its ports: %lld, before: %lld",
           (long long)passesOf(shifts, step), (long long)before[i]);
    if (step->numUnknown)
      remark(step->op, BERTH_REMARK_ANALYSIS,
             "%lld of its ports begin at a place that is known at run time "
             "only",
             (long long)step->numUnknown, 0);
  }
}

/// Of an op that gets at several memories the most passes count.
static void markStep(const Shifts *shifts, const Step *step) {
  int64_t passes = passesOf(shifts, step), told = 0;
  MlirAttribute old = berthAttributeOf(step->op, BERTH_PASSES);
  if (!mlirAttributeIsNull(old))
    berthAttributeGetNumber(old, &told);
  if (step->numPorts && passes > told)
    berthSetAttribute(step->op, BERTH_PASSES,
                      berthI64(mlirOperationGetContext(step->op), passes));
}

void berthMarkPorts(BerthJob *job) {
  const BerthArenaOptions *options = job->options;
  if (!options->interleavedBanks || job->numPlaced == 0 ||
      berthScopeIsShared(&job->scope))
    return;
  Shifts shifts = {.job = job,
                   .problem = berthProblemGetData(job->problem),
                   .banks = options->interleavedBanks,
                   .width = options->bankWidth};
  findSteps(&shifts);
  for (size_t i = 0; i < shifts.numSteps; ++i)
    markStep(&shifts, &shifts.steps[i]);
  free(shifts.steps);
}

static void shift(Shifts *shifts) {
  BerthPlan *plan = &shifts->job->plan;
  int64_t peak = plan->peak, cost;
  findSteps(shifts);
  int64_t *before = berthAllocateOrDie(shifts->numSteps + 1, sizeof *before);
  for (size_t i = 0; i < shifts->numSteps; ++i)
    before[i] = passesOf(shifts, &shifts->steps[i]);
  cost = costOf(shifts);
  if (cost > leastCost(shifts))
    shiftPlan(shifts);
  remarkSteps(shifts, before);
  if (costOf(shifts) < cost)
    remark(shifts->job->scope.op, BERTH_REMARK_PASSED,
           "offsets are shifted so that ports meet in fewer banks: %lld bytes, "
           "before: %lld",
           (long long)plan->peak, (long long)peak);
  free(before);
  free(shifts->steps);
}

void berthShiftBanks(BerthJob *job) {
  const BerthArenaOptions *options = job->options;
  if (!options->shiftsBanks || !options->interleavedBanks || job->kept ||
      job->status != BERTH_SUCCESS || job->numPlaced == 0 ||
      !berthPlanFits(job))
    return;
  if (berthScopeIsShared(&job->scope)) {
    berthEmitRemark(job->scope.op, BERTH_REMARK_MISSED, category,
                    "no offset is shifted: threads share this memory, where "
                    "padding=auto counts banks");
    return;
  }
  Shifts shifts = {.job = job,
                   .problem = berthProblemGetData(job->problem),
                   .banks = options->interleavedBanks,
                   .width = options->bankWidth,
                   .limit =
                       options->capacity ? options->capacity : job->plan.peak,
                   .plansLeft = kMostPlans};
  shift(&shifts);
}
