//===- Fit.c - What must leave a memory that is too small ----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
//   policies -> prices and sweeps, ever wider -> stays -> offsets -> verified
//                      ^                                      |
//                      +--- less capacity where they stick out
//
// The search is over loads: what is held at one time has to fit as a sum. Its
// bound holds for offsets too. Where the offsets of its best choices do not
// fit, it runs again with a smaller capacity at those times.
//
//===---------------------------------------------------------------------===//

#include "Pack/Fit/FitPolicy.h"
#include "Pack/Fit/FitPrices.h"
#include "Pack/Fit/FitStays.h"
#include "Pack/Fit/FitSweep.h"
#include "Support/Allocate.h"
#include "Support/Checked.h"

#include <string.h>

enum {
  kDefaultSteps = 400000000,
  kFirstWidth = 16,
  kMostWidth = 1 << 16,
  kRounds = 400,     ///< of prices, before the first sweep
  kMoreRounds = 100, ///< before each other one
  kWindow = 32,      ///< sections
  kWindowWidth = 256,
  kGentle = 4, ///< and by one part in so many of what sticks out
  kRepairSteps = kDefaultSteps / 8,
  kRepairWidth = 128,
  kRepairs = 16, ///< times that the capacity shrinks where stays stick out
  kShares = 32,  ///< a policy gives up so many parts of the capacity
  kFewStays = 500,
  kPackSteps = 1 << 24, ///< of the packer, for a few stays
  kManySteps = 1 << 21, ///< for many
  kLongPacks = 4,       ///< that may spend all of them
  kLessSteps = 32       ///< later ones have one part in so many
};

// Choices of which the packer has said that they have no offsets. It is asked
// for other choices again and again, and says the same.
typedef struct Refused {
  uint8_t **items;
  size_t count, capacity;
} Refused;

typedef struct Fit {
  const BerthProblemData *problem;
  const BerthFitOptions *options;
  BerthError *error;
  BerthMemory memory;
  BerthFitTask task;
  BerthFitPrices prices;
  uint8_t *choices; ///< under way
  uint8_t *best;    ///< the least cost, whatever the offsets
  int64_t bestCost;
  int64_t bound;
  int64_t *loads;
  Refused refused;
  unsigned numLong;     ///< packs that came to no end
  uint64_t steps;       ///< left
  uint64_t repairSteps; ///< spent on choices with offsets, which have their own
  BerthFitPlan *plan;   ///< the best with offsets; no stays: none yet
} Fit;

//===---------------------------------------------------------------------===//
// Offsets
//===---------------------------------------------------------------------===//

static BerthStatus pack(Fit *fit, const BerthFitPlan *plan, bool minimize,
                        BerthPlan *offsets) {
  uint64_t steps = plan->numStays > kFewStays ? kManySteps : kPackSteps;
  if (fit->numLong >= kLongPacks)
    steps /= kLessSteps;
  BerthPackOptions options = {.steps = minimize ? 2 * steps : steps,
                              .minimize = minimize,
                              .unexplained = true};
  BerthProblem *packing =
      berthFitStaysProblem(fit->problem, plan->stays, plan->numStays);
  BerthStatus status = packing && berthProblemGetData(packing)
                           ? berthPack(berthProblemGetData(packing), &options,
                                       offsets, fit->error)
                           : berthOutOfMemory(fit->error);
  berthProblemDestroy(packing);
  fit->numLong += !status && offsets->stopped == BERTH_STOP_STEPS;
  return status;
}

static bool isRefused(const Fit *fit, const uint8_t *choices) {
  for (size_t i = 0; i < fit->refused.count; ++i)
    if (memcmp(fit->refused.items[i], choices, fit->task.numSteps) == 0)
      return true;
  return false;
}

// False if memory ran out.
static bool refuse(Fit *fit, const uint8_t *choices) {
  Refused *refused = &fit->refused;
  uint8_t *copy = BERTH_MEMORY_NEW(&fit->memory, uint8_t, fit->task.numSteps);
  if (!copy || !berthMemoryReserve(&fit->memory, &refused->items,
                                   &refused->capacity, refused->count + 1))
    return false;
  memcpy(copy, choices, fit->task.numSteps);
  refused->items[refused->count++] = copy;
  return true;
}

static bool isPacked(const BerthPlan *offsets) {
  return offsets->status == BERTH_PLAN_OPTIMAL ||
         offsets->status == BERTH_PLAN_FEASIBLE;
}

// Gives less to the times at which stays stick out. False if memory ran out.
static bool shrinkCapacities(Fit *fit, const BerthFitPlan *plan,
                             const BerthPlan *offsets) {
  BerthFitTask *task = &fit->task;
  BerthMemoryMark mark = berthMemoryGetMark(&fit->memory);
  bool *done = BERTH_MEMORY_NEW(&fit->memory, bool, task->numSections);
  if (!done)
    return false;
  for (size_t i = 0; i < plan->numStays; ++i) {
    const BerthStay *stay = &plan->stays[i];
    int64_t over = offsets->offsets[i] + berthFitStayBytes(fit->problem, stay) -
                   fit->problem->capacity;
    if (over <= 0)
      continue;
    for (uint32_t k = 0; k < task->numSections; ++k) {
      if (task->starts[k] < stay->lower || task->starts[k] >= stay->upper)
        continue;
      int64_t held = fit->loads[k] < task->capacities[k] ? fit->loads[k]
                                                         : task->capacities[k];
      int64_t less = held - (over + kGentle - 1) / kGentle;
      int64_t least = task->needs[k];
      if (done[k])
        continue;
      done[k] = true;
      task->capacities[k] = less > least ? less : least;
    }
  }
  berthMemoryRelease(&fit->memory, mark);
  return true;
}

// Takes the choices as the plan if they are cheaper and have offsets; `*fits`
// says so. If not, the capacities shrink where `shrink` says so.
static BerthStatus offer(Fit *fit, const uint8_t *choices, bool shrink,
                         bool *fits) {
  BerthFitPlan plan = {0};
  BerthPlan offsets = {0};
  *fits = false;
  if (fit->plan->stays &&
      berthFitCostOf(&fit->task, choices) >= fit->plan->cost)
    return BERTH_SUCCESS;
  if (!shrink && isRefused(fit, choices))
    return BERTH_SUCCESS;
  if (!berthFitStaysMake(&fit->task, fit->problem, choices, &plan))
    return berthOutOfMemory(fit->error);
  BerthStatus status = pack(fit, &plan, false, &offsets);
  *fits = !status && isPacked(&offsets);
  if (*fits) {
    for (size_t i = 0; i < plan.numStays; ++i)
      plan.stays[i].offset = offsets.offsets[i];
    plan.peak = offsets.peak;
    berthFitPlanFree(fit->plan);
    *fit->plan = plan;
  } else {
    berthFitLoads(&fit->task, choices, 1, fit->loads);
    if (!status && ((shrink && !shrinkCapacities(fit, &plan, &offsets)) ||
                    !refuse(fit, choices)))
      status = berthOutOfMemory(fit->error);
    berthFitPlanFree(&plan);
  }
  berthPlanFree(&offsets);
  return status;
}

// All but so many shares of the capacity.
static void giveUpShare(Fit *fit, int64_t share) {
  BerthFitTask *task = &fit->task;
  int64_t room = task->room - task->room / kShares * share;
  for (uint32_t k = 0; k < task->numSections; ++k)
    task->capacities[k] = room < task->limits[k] ? room : task->limits[k];
}

//===---------------------------------------------------------------------===//
// Policies
//===---------------------------------------------------------------------===//

static void take(Fit *fit) {
  int64_t cost = berthFitCostOf(&fit->task, fit->choices);
  if (cost >= fit->bestCost)
    return;
  fit->bestCost = cost;
  memcpy(fit->best, fit->choices, fit->task.numSteps);
}

// What the policy makes of the capacity, or of as much of it as leaves offsets.
static BerthStatus offerPolicy(Fit *fit, size_t policy) {
  BerthStatus status = BERTH_SUCCESS;
  bool fits = false;
  for (int64_t share = 0; !status && !fits && share < kShares; ++share) {
    giveUpShare(fit, share);
    if (!berthFitPolicyRun(&fit->task, policy, fit->choices, &fit->memory)) {
      status = fit->memory.failed ? berthOutOfMemory(fit->error) : status;
      break;
    }
    if (fit->plan->stays &&
        berthFitCostOf(&fit->task, fit->choices) >= fit->plan->cost)
      break; // less capacity makes nothing cheaper
    status = offer(fit, fit->choices, false, &fits);
  }
  giveUpShare(fit, 0);
  return status;
}

//===---------------------------------------------------------------------===//
// Search
//===---------------------------------------------------------------------===//

// One sweep, cheaper than `known` if any; its result is in `choices`.
static BerthStatus sweep(Fit *fit, uint32_t width, int64_t known,
                         BerthFitSweep *result) {
  *result =
      (BerthFitSweep){.width = width, .known = known, .steps = fit->steps};
  if (!berthFitSweepRun(result, &fit->task, &fit->prices, fit->choices))
    return berthOutOfMemory(fit->error);
  fit->steps = result->steps;
  return BERTH_SUCCESS;
}

static BerthStatus raisePrices(Fit *fit, int64_t known, unsigned rounds) {
  uint64_t work = (uint64_t)rounds * fit->task.numSteps * 4;
  if (work > fit->steps / 2)
    rounds = (unsigned)(fit->steps / 2 / ((uint64_t)fit->task.numSteps * 4));
  if (!berthFitPricesRaise(&fit->prices, &fit->task, known, rounds))
    return berthOutOfMemory(fit->error);
  fit->steps -= (uint64_t)rounds * fit->task.numSteps * 4;
  return BERTH_SUCCESS;
}

// The widest that the budget allows, as far as it can be told beforehand.
static uint32_t widest(const Fit *fit) {
  uint64_t width = fit->steps / ((uint64_t)fit->task.numSteps * 12 + 1);
  return width < kMostWidth ? (uint32_t)width : kMostWidth;
}

// Betters the best choices a window of time at a time, as long as that helps:
// all that is decided elsewhere stays, so the states are few and all of the
// width is the window's.
static BerthStatus improve(Fit *fit) {
  uint32_t sections = fit->task.numSections;
  uint32_t size = kWindow;
  while (size <= 4 * kWindow) {
    bool better = false;
    for (uint32_t from = 0; from < sections; from += size / 2) {
      BerthFitSweep result = {.width = kWindowWidth,
                              .known = fit->bestCost,
                              .steps = fit->steps,
                              .fixed = fit->best,
                              .from = from,
                              .to = from + size};
      if (fit->bestCost == fit->bound || fit->steps == 0)
        return BERTH_SUCCESS;
      if (!berthFitSweepRun(&result, &fit->task, &fit->prices, fit->choices))
        return berthOutOfMemory(fit->error);
      fit->steps = result.steps;
      better |= result.found;
      if (result.found)
        take(fit);
    }
    size = better ? size : 2 * size;
  }
  return BERTH_SUCCESS;
}

// Prices and sweeps in turns, with the rents that there are.
static BerthStatus searchByRents(Fit *fit) {
  BerthStatus status = BERTH_SUCCESS;
  for (uint32_t width = kFirstWidth; !status; width *= 8) {
    if (width == kFirstWidth * 64)
      status = improve(fit);
    if (!status)
      status = raisePrices(fit, fit->bestCost,
                           width == kFirstWidth ? kRounds : kMoreRounds);
    int64_t bound = berthFitPricesBound(&fit->prices, &fit->task);
    fit->bound = bound > fit->bound ? bound : fit->bound;
    if (status || fit->bound >= fit->bestCost)
      return status;
    uint32_t most = widest(fit);
    if (most < 2 || width > kMostWidth)
      return status;
    BerthFitSweep result;
    status = sweep(fit, width < most ? width : most, fit->bestCost, &result);
    if (status)
      return status;
    if (result.found)
      take(fit);
    if (result.complete) {
      fit->bound = fit->bestCost;
      return status;
    }
  }
  return status;
}

// The least cost, whatever the offsets: first by the rents of bytes alone,
// which lead to more plans, then by those of all rows, which prove more.
static BerthStatus search(Fit *fit) {
  BerthStatus status = BERTH_SUCCESS;
  uint32_t numRows = fit->prices.numRows;
  uint64_t later = numRows > 1 ? fit->steps / 2 : 0;
  for (size_t policy = 0; policy < berthFitPolicyCount(); ++policy) {
    if (berthFitPolicyRun(&fit->task, policy, fit->choices, &fit->memory))
      take(fit);
    else if (fit->memory.failed)
      return berthOutOfMemory(fit->error);
  }
  fit->steps -= later;
  fit->prices.numRows = 1;
  status = searchByRents(fit);
  fit->steps += later;
  fit->prices.numRows = numRows;
  if (status || numRows == 1 || fit->bound >= fit->bestCost)
    return status;
  berthFitPricesReset(&fit->prices, &fit->task);
  return searchByRents(fit);
}

// The best choices for the capacities as they are now, if they are cheaper than
// the plan; `*over` where none are, or where they have offsets.
static BerthStatus repair(Fit *fit, bool shrink, bool *over) {
  int64_t known =
      fit->plan->stays ? fit->plan->cost : fit->task.most + fit->task.unit;
  BerthFitSweep result = {0};
  bool fits = false;
  uint64_t left = fit->steps;
  fit->steps = kRepairSteps;
  BerthStatus status = raisePrices(fit, known, kMoreRounds);
  uint32_t width = widest(fit) / 8;
  if (!status)
    status = sweep(fit, width < kRepairWidth ? width + 1 : kRepairWidth, known,
                   &result);
  if (!status && result.found)
    status = offer(fit, fit->choices, shrink, &fits);
  fit->repairSteps += kRepairSteps - fit->steps;
  fit->steps = left;
  *over = status || !result.found || fits;
  return status;
}

// Offsets for the best choices, or for the best that have some: first with
// ever less of the capacity, then with less only where it does not suffice.
static BerthStatus findOffsets(Fit *fit) {
  bool over;
  BerthStatus status = offer(fit, fit->best, false, &over);
  int64_t share = 1;
  for (; !status && !over && share < kShares; ++share) {
    giveUpShare(fit, share);
    status = repair(fit, false, &over);
  }
  for (size_t policy = 0; !status && policy < berthFitPolicyCount(); ++policy) {
    if (fit->plan->stays && fit->plan->cost == fit->bestCost)
      return status;
    status = offerPolicy(fit, policy);
  }
  giveUpShare(fit, share > 2 ? share - 2 : 0);
  over = false;
  for (unsigned i = 0; !status && !over && i < kRepairs; ++i)
    status = repair(fit, true, &over);
  giveUpShare(fit, 0);
  return status;
}

//===---------------------------------------------------------------------===//
// All
//===---------------------------------------------------------------------===//

static bool start(Fit *fit) {
  const BerthFitTask *task = &fit->task;
  fit->choices = BERTH_MEMORY_NEW(&fit->memory, uint8_t, task->numSteps);
  fit->best = BERTH_MEMORY_NEW(&fit->memory, uint8_t, task->numSteps);
  fit->loads = BERTH_MEMORY_NEW(&fit->memory, int64_t, task->numSections + 1);
  if (!berthFitPricesInit(&fit->prices, task, &fit->memory) ||
      fit->memory.failed)
    return false;
  // Nothing stays that may go: that is a plan where there is any.
  for (uint32_t s = 0; s < task->numSteps; ++s)
    fit->best[s] =
        berthFitMayBeSlow(&task->steps[s]) ? BERTH_FIT_SLOW : BERTH_FIT_FILL;
  fit->bestCost = berthFitCostOf(task, fit->best);
  return true;
}

static void raiseNeeded(BerthFitPlan *plan, int64_t needed, int64_t time,
                        int64_t bytes) {
  if (needed <= plan->needed)
    return;
  plan->needed = needed;
  plan->tightTime = time;
  plan->tightBytes = bytes;
}

// What is used at one time needs most. Each by itself first: reserved bytes may
// leave no room for a buffer that is smaller than what is free.
static void findNeeded(const Fit *fit, BerthFitPlan *plan) {
  const BerthFitTask *task = &fit->task;
  for (uint32_t s = 0; s < task->numSteps; ++s) {
    const BerthFitStep *step = &task->steps[s];
    uint32_t buffer = task->chains[step->chain].buffer;
    const BerthBuffer *whole = &fit->problem->buffers[buffer];
    bool isHeld = berthFitHoldsStep(step, berthFitLeastChoice(step));
    int64_t bytes = isHeld ? whole->size : step->tile - step->spare;
    if (bytes > 0)
      raiseNeeded(
          plan, berthFitSpaceNeededAlone(&task->space, bytes, whole->alignment),
          step->lower, task->needs[step->first] - task->spare[step->first]);
  }
  for (uint32_t k = 0; k < task->numSections; ++k)
    raiseNeeded(
        plan, berthFitSpaceNeeded(&task->space, task->needs[k], task->spare[k]),
        task->starts[k], task->needs[k] - task->spare[k]);
}

// What has to be there, at the times at which it has to, as stays.
static bool makeLeast(Fit *fit, BerthFitPlan *least) {
  const BerthFitTask *task = &fit->task;
  least->stays = berthZeroed(task->numSteps, sizeof *least->stays);
  for (uint32_t s = 0; least->stays && s < task->numSteps; ++s) {
    const BerthFitStep *step = &task->steps[s];
    bool isHeld = berthFitHoldsStep(step, berthFitLeastChoice(step));
    if (isHeld || step->tile > 0)
      least->stays[least->numStays++] =
          (BerthStay){.buffer = task->chains[step->chain].buffer,
                      .lower = step->lower,
                      .upper = step->upper,
                      .tiled = !isHeld};
  }
  return least->stays != NULL;
}

// Alignment and reserved bytes may leave no offsets for what has to be there:
// then no choices have any.
static BerthStatus proveNeeded(Fit *fit, BerthFitPlan *plan) {
  BerthFitPlan least = {0};
  BerthPlan offsets = {0};
  BerthStatus status = makeLeast(fit, &least)
                           ? pack(fit, &least, true, &offsets)
                           : berthOutOfMemory(fit->error);
  if (!status && least.numStays && offsets.lowerBound > plan->needed)
    plan->needed = offsets.lowerBound;
  berthPlanFree(&offsets);
  berthFitPlanFree(&least);
  return status;
}

static BerthStatus findPolicy(const BerthFitOptions *options, size_t *policy,
                              BerthError *error) {
  for (*policy = 0; *policy < berthFitPolicyCount(); ++*policy)
    if (strcmp(options->policy, berthFitPolicyName(*policy)) == 0)
      return BERTH_SUCCESS;
  return berthErrorSet(error, BERTH_INVALID,
                       "unknown policy '%.64s'; known are furthest-use, "
                       "least-recent, largest",
                       options->policy);
}

static BerthStatus lowerPeak(Fit *fit) {
  BerthFitPlan *plan = fit->plan;
  BerthPlan offsets = {0};
  BerthStatus status = pack(fit, plan, true, &offsets);
  for (size_t i = 0; !status && i < plan->numStays; ++i)
    if (offsets.peak < plan->peak)
      plan->stays[i].offset = offsets.offsets[i];
  if (!status) {
    plan->peakBound = offsets.lowerBound;
    plan->peak = offsets.peak < plan->peak ? offsets.peak : plan->peak;
  }
  berthPlanFree(&offsets);
  return status;
}

static BerthStatus run(Fit *fit) {
  size_t policy;
  BerthStatus status = BERTH_SUCCESS;
  if (fit->options->policy) {
    status = findPolicy(fit->options, &policy, fit->error);
    return status ? status : offerPolicy(fit, policy);
  }
  status = search(fit);
  return status ? status : findOffsets(fit);
}

// `needed`: the figures of what is needed.
static BerthStatus conclude(Fit *fit, const BerthFitPlan *needed,
                            uint64_t budget) {
  BerthFitPlan *plan = fit->plan;
  BerthStatus status = BERTH_SUCCESS;
  plan->tightTime = needed->tightTime;
  plan->tightBytes = needed->tightBytes;
  plan->needed = needed->needed;
  plan->costBound = fit->bound;
  plan->steps = budget - fit->steps + fit->repairSteps;
  if (!plan->stays) {
    plan->status = plan->needed <= fit->problem->capacity
                       ? BERTH_PLAN_BUDGET
                       : BERTH_PLAN_INFEASIBLE;
    return status;
  }
  plan->status =
      plan->cost == plan->costBound ? BERTH_PLAN_OPTIMAL : BERTH_PLAN_FEASIBLE;
  status = lowerPeak(fit);
  if (status)
    return status;
  BerthError reason;
  status = berthFitVerify(fit->problem, fit->options, plan, &reason);
  if (status == BERTH_INVALID)
    return berthErrorSet(fit->error, BERTH_INTERNAL,
                         "the fit plan is wrong: %.400s", reason.message);
  return status ? berthErrorSet(fit->error, status, "%s", reason.message)
                : status;
}

BerthStatus berthFit(const BerthProblemData *problem,
                     const BerthFitOptions *options, BerthFitPlan *plan,
                     BerthError *error) {
  static const BerthFitOptions kDefaults;
  Fit fit = {.problem = problem,
             .options = options ? options : &kDefaults,
             .error = error,
             .plan = plan};
  *plan = (BerthFitPlan){0};
  uint64_t budget = fit.options->steps ? fit.options->steps : kDefaultSteps;
  fit.steps = budget;
  BerthStatus status = berthProblemCheck(problem, NULL, error);
  if (!status)
    status =
        berthFitTaskInit(&fit.task, problem, fit.options, &fit.memory, error);
  if (!status && !start(&fit))
    status = berthOutOfMemory(error);
  if (!status) {
    BerthFitPlan needed = {0};
    bool isSplit = problem->numReserved > 0;
    findNeeded(&fit, &needed);
    if (isSplit)
      status = proveNeeded(&fit, &needed);
    if (!status && needed.needed <= problem->capacity)
      status = run(&fit);
    if (!status && !plan->stays && !isSplit)
      status = proveNeeded(&fit, &needed);
    if (!status)
      status = conclude(&fit, &needed, budget);
  }
  berthMemoryFree(&fit.memory);
  if (status)
    berthFitPlanFree(plan);
  return status;
}
