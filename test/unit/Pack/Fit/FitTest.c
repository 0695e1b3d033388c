//===- FitTest.c - Fits against all fits ---------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The judge of tiny problems tries every set of times at which each buffer is
// in the fast memory, and every offset of every stay. It shares nothing with
// the library but the problem's data types, and follows docs/fit.md time by
// time, not use by use.
//
//===---------------------------------------------------------------------===//

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../AddBuffer.h"
#include "Pack/Fit/FitPrices.h"
#include "berth-c/Fit.h"

enum { kTimes = 6, kSets = 1 << kTimes, kBuffers = 3, kFar = 1 << 28 };

static uint64_t randomState;
static int64_t draw(int64_t least, int64_t most) {
  randomState = randomState * UINT64_C(6364136223846793005) +
                UINT64_C(1442695040888963407);
  return least + (int64_t)(randomState >> 33) % (most - least + 1);
}

//===---------------------------------------------------------------------===//
// The judge
//===---------------------------------------------------------------------===//

static int64_t lesser(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t price(int64_t given) { return given ? given : 1; }

// The use at a time that starts there, or NULL; `*inside` if one goes on.
static const BerthBufferUse *useAt(const BerthBuffer *buffer, int64_t time,
                                   bool *inside) {
  *inside = false;
  for (size_t i = 0; i < buffer->numUses; ++i) {
    if (buffer->uses[i].lower == time)
      return &buffer->uses[i];
    *inside |= buffer->uses[i].lower < time && time < buffer->uses[i].upper;
  }
  return NULL;
}

// The bytes of a tile that is there at a time if the buffer is not.
static int64_t tileAt(const BerthBuffer *buffer, int64_t time) {
  for (size_t i = 0; i < buffer->numUses; ++i)
    if (buffer->uses[i].lower <= time && time < buffer->uses[i].upper)
      return buffer->uses[i].tile;
  return 0;
}

// The least that a buffer costs that is in the fast memory at the times of
// `set`. What is tracked is which memories have the content: bit 0 the fast
// one, bit 1 the slow one; each of the four cases with its cost.
static int64_t costOf(const BerthProblemData *problem, size_t index,
                      const BerthFitOptions *options, unsigned set) {
  const BerthBuffer *buffer = &problem->buffers[index];
  BerthSegment life = buffer->segments[0];
  int64_t costs[4] = {kFar, kFar, kFar, kFar};
  int64_t fill = price(options->fill) * buffer->size + options->move;
  int64_t spill = price(options->spill) * buffer->size + options->move;
  int64_t access = options->access ? options->access : BERTH_NONE;
  if (options->prices) {
    fill = options->prices[index].fill;
    spill = options->prices[index].spill;
    access = options->prices[index].access;
  }
  costs[buffer->backed ? 2 : 0] = 0;
  for (int64_t time = life.lower; time <= life.upper; ++time) {
    bool in = time < life.upper && set >> time & 1;
    bool was = time > life.lower && set >> (time - 1) & 1;
    bool inside = false;
    const BerthBufferUse *use =
        time < life.upper ? useAt(buffer, time, &inside) : NULL;
    if (inside && in != was)
      return kFar;
    if (was) // it may be spilled at any time
      costs[3] = lesser(costs[3], costs[1] + spill);
    if (was && !in && time < life.upper) {
      costs[2] = lesser(costs[2], costs[3]);
      costs[0] = lesser(costs[0], costs[1]);
      costs[1] = costs[3] = kFar;
    }
    if (in) // it may be filled at any time
      costs[3] = lesser(costs[3], costs[2] + fill);
    for (unsigned state = 0; in && use && use->make && state < 4; ++state)
      costs[state | 1] = lesser(costs[state | 1], costs[state] + use->make);
    BerthUseKind kind = use ? use->kind : BERTH_USE_READ;
    if (time == life.lower && !buffer->backed)
      kind = BERTH_USE_WRITE;
    else if (!use)
      continue;
    unsigned here = in ? 1 : 2;
    int64_t bytes = use && use->bytes ? use->bytes : buffer->size;
    int64_t extra = in                     ? 0
                    : use && use->tile     ? use->slices
                    : access != BERTH_NONE ? access * bytes
                                           : kFar;
    int64_t after[4] = {kFar, kFar, kFar, kFar};
    for (unsigned state = 0; state < 4; ++state) {
      unsigned next = kind == BERTH_USE_READ ? state : here;
      if (kind == BERTH_USE_WRITE || state & here)
        after[next] = lesser(after[next], costs[state] + extra);
    }
    memcpy(costs, after, sizeof costs);
  }
  int64_t slow = lesser(costs[2], costs[3]);
  const BerthBufferUse *last =
      buffer->numUses ? &buffer->uses[buffer->numUses - 1] : NULL;
  bool outlives = !last || last->upper < life.upper;
  if (buffer->backed)
    return slow;
  return outlives ? lesser(slow, costs[1])
                  : lesser(slow, lesser(costs[0], costs[1]));
}

typedef struct Stay {
  int64_t size;
  int64_t alignment;
  unsigned times;
  int64_t offset;
  int64_t group; ///< of one offset, or BERTH_NONE
} Stay;

static bool place(const BerthProblemData *problem, Stay *stays, size_t count,
                  size_t at) {
  if (at == count)
    return true;
  Stay *stay = &stays[at];
  for (stay->offset = 0; stay->offset + stay->size <= problem->capacity;
       stay->offset += stay->alignment) {
    bool free = true;
    for (size_t i = 0; i < problem->numReserved; ++i)
      free &= problem->reserved[i].upper <= stay->offset ||
              stay->offset + stay->size <= problem->reserved[i].lower;
    for (size_t i = 0; i < at; ++i)
      free &= stay->group == BERTH_NONE || stays[i].group != stay->group ||
              stays[i].offset == stay->offset;
    for (size_t i = 0; i < at; ++i)
      free &= !(stays[i].times & stay->times) ||
              stays[i].offset + stays[i].size <= stay->offset ||
              stay->offset + stay->size <= stays[i].offset;
    if (free && place(problem, stays, count, at + 1))
      return true;
  }
  return false;
}

// Is there an offset for every stay? What is overwritten may start anew.
static bool fits(const BerthProblemData *problem, const unsigned *sets) {
  Stay stays[kBuffers * kTimes];
  size_t count = 0;
  for (size_t b = 0; b < problem->numBuffers; ++b)
    for (unsigned time = 0; time < kTimes; ++time) {
      bool inside;
      const BerthBufferUse *use = useAt(&problem->buffers[b], time, &inside);
      if (!(sets[b] >> time & 1)) {
        if (use && use->tile)
          stays[count++] =
              (Stay){use->tile, problem->buffers[b].alignment,
                     (1u << use->upper) - (1u << use->lower), 0, BERTH_NONE};
        continue;
      }
      if (time == 0 || !(sets[b] >> (time - 1) & 1) ||
          (use && use->kind == BERTH_USE_WRITE))
        stays[count++] =
            (Stay){problem->buffers[b].size, problem->buffers[b].alignment, 0,
                   0, problem->buffers[b].group};
      stays[count - 1].times |= 1u << time;
    }
  return place(problem, stays, count, 0);
}

static bool fitsLoad(const BerthProblemData *problem, const unsigned *sets) {
  for (unsigned time = 0; time < kTimes; ++time) {
    int64_t load = 0;
    for (size_t b = 0; b < problem->numBuffers; ++b)
      load += sets[b] >> time & 1 ? problem->buffers[b].size
                                  : tileAt(&problem->buffers[b], time);
    if (load > problem->capacity)
      return false;
  }
  return true;
}

// The least cost of any fit; kFar if there is none.
static int64_t judge(const BerthProblemData *problem,
                     const BerthFitOptions *options) {
  static int64_t costs[kBuffers][kSets];
  int64_t best = kFar;
  unsigned sets[kBuffers] = {0};
  for (size_t b = 0; b < kBuffers; ++b)
    for (unsigned set = 0; set < kSets; ++set)
      costs[b][set] = costOf(problem, b, options, set);
  for (sets[0] = 0; sets[0] < kSets; ++sets[0]) {
    if (costs[0][sets[0]] >= best)
      continue;
    for (sets[1] = 0; sets[1] < kSets; ++sets[1]) {
      if (costs[0][sets[0]] + costs[1][sets[1]] >= best)
        continue;
      for (sets[2] = 0; sets[2] < kSets; ++sets[2]) {
        int64_t cost =
            costs[0][sets[0]] + costs[1][sets[1]] + costs[2][sets[2]];
        if (cost < best && fitsLoad(problem, sets) && fits(problem, sets))
          best = cost;
      }
    }
  }
  return best;
}

//===---------------------------------------------------------------------===//
// Random problems
//===---------------------------------------------------------------------===//

static void addRandom(BerthProblem *problem, int64_t alignment, int64_t group) {
  BerthBuffer buffer = berthBufferDefault();
  BerthBufferUse uses[kTimes];
  int64_t lower = draw(0, kTimes - 2), upper = draw(lower + 1, kTimes);
  buffer.size = draw(1, 5);
  buffer.alignment = alignment;
  buffer.group = group;
  buffer.backed = draw(0, 3) == 0;
  for (int64_t time = lower; time < upper; ++time) {
    if (draw(0, 1))
      continue;
    int64_t end = draw(0, 4) == 0 && time + 2 <= upper ? time + 2 : time + 1;
    uses[buffer.numUses++] =
        (BerthBufferUse){time,
                         end,
                         (BerthUseKind)draw(0, 2),
                         draw(0, 1) ? draw(1, 2 * buffer.size) : 0,
                         0,
                         0,
                         0};
    if (uses[buffer.numUses - 1].kind != BERTH_USE_WRITE && draw(0, 2) == 0)
      uses[buffer.numUses - 1].make = draw(1, 3 * buffer.size);
    if (draw(0, 3) == 0) {
      uses[buffer.numUses - 1].tile = draw(1, buffer.size);
      uses[buffer.numUses - 1].slices = draw(1, 3 * buffer.size);
    }
    time = end - 1;
  }
  if (buffer.numUses == 0)
    uses[buffer.numUses++] =
        (BerthBufferUse){upper - 1, upper, BERTH_USE_READ, 0, 0, 0, 0};
  buffer.uses = uses;
  addLive(problem, buffer, lower, upper);
}

static BerthProblem *randomProblem(BerthFitOptions *options,
                                   BerthFitPrice *prices) {
  BerthProblem *problem = berthProblemCreate();
  int64_t alignment = draw(0, 3) ? 1 : 2;
  for (int i = 0; i < kBuffers; ++i)
    addRandom(problem, alignment, BERTH_NONE);
  berthProblemSetCapacity(problem, draw(3, 10));
  *options = (BerthFitOptions){.fill = draw(0, 3),
                               .spill = draw(0, 3),
                               .access = draw(0, 1) ? draw(1, 3) : 0};
  options->move = draw(0, 1) ? draw(1, 9) : 0;
  if (draw(0, 2))
    return problem;
  options->prices = prices;
  for (int i = 0; i < kBuffers; ++i)
    prices[i] = (BerthFitPrice){draw(0, 12), draw(0, 12),
                                draw(0, 2) ? draw(0, 4) : BERTH_NONE};
  return problem;
}

//===---------------------------------------------------------------------===//
// Tests
//===---------------------------------------------------------------------===//

static void checkAgainstJudge(uint64_t seed, unsigned seen[4]) {
  BerthFitOptions options;
  BerthFitPrice prices[kBuffers];
  BerthFitPlan plan;
  BerthError error;
  randomState = seed;
  BerthProblem *problem = randomProblem(&options, prices);
  const BerthProblemData *data = berthProblemGetData(problem);
  int64_t least = judge(data, &options);
  if (berthFit(data, &options, &plan, &error) != BERTH_SUCCESS)
    fail_msg("seed %llu: %s", (unsigned long long)seed, error.message);
  ++seen[plan.status];
  switch (plan.status) {
  case BERTH_PLAN_OPTIMAL:
    if (plan.cost != least)
      fail_msg("seed %llu: cost %lld said to be least, but it is %lld",
               (unsigned long long)seed, (long long)plan.cost,
               (long long)least);
    break;
  case BERTH_PLAN_FEASIBLE:
    if (plan.cost < least || plan.costBound > least)
      fail_msg("seed %llu: cost %lld, bound %lld, least %lld",
               (unsigned long long)seed, (long long)plan.cost,
               (long long)plan.costBound, (long long)least);
    break;
  case BERTH_PLAN_INFEASIBLE:
    assert_int_equal(least, kFar);
    break;
  case BERTH_PLAN_BUDGET:
    break;
  }
  int64_t cost = plan.cost;
  bool found = plan.numStays > 0;
  berthFitPlanFree(&plan);
  for (size_t i = 0; i < berthFitPolicyCount(); ++i) {
    options.policy = berthFitPolicyName(i);
    assert_int_equal(berthFit(data, &options, &plan, &error), BERTH_SUCCESS);
    if (found && plan.numStays > 0 && plan.cost < cost)
      fail_msg("seed %llu: %s costs %lld, the search %lld",
               (unsigned long long)seed, options.policy, (long long)plan.cost,
               (long long)cost);
    berthFitPlanFree(&plan);
  }
  berthProblemDestroy(problem);
}

static void testAgainstJudge(void **state) {
  (void)state;
  unsigned seen[4] = {0};
  for (uint64_t seed = 1; seed <= 600; ++seed)
    checkAgainstJudge(seed, seen);
  print_message("optimal %u, with a gap %u, infeasible %u, none found %u\n",
                seen[0], seen[1], seen[2], seen[3]);
  assert_true(seen[BERTH_PLAN_OPTIMAL] >= 400);
  assert_true(seen[BERTH_PLAN_INFEASIBLE] >= 30);
}

// With reserved bytes, buffers of one offset, and alignments of which one is no
// multiple of a size, both the bound and what is said to be needed are proofs,
// and next to nothing that cannot fit is left unproven.
static void testNeeded(void **state) {
  (void)state;
  unsigned met = 0, unproven = 0, seen[4] = {0};
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    BerthProblem *problem = berthProblemCreate();
    BerthFitPlan plan;
    BerthError error;
    randomState = seed;
    for (int i = 0; i < kBuffers; ++i)
      addRandom(problem, 1 << draw(0, 2), draw(0, 1) ? i : BERTH_NONE);
    for (int64_t i = draw(0, 2), at = 0; i > 0; --i) {
      at += draw(0, 5);
      berthProblemAddReserved(problem, (BerthRange){at, at + draw(1, 3)});
    }
    BerthFitOptions options = {.access = draw(0, 2) == 0};
    int64_t capacity = draw(3, 14);
    berthProblemSetCapacity(problem, capacity);
    const BerthProblemData *data = berthProblemGetData(problem);
    int64_t least = judge(data, &options);
    if (berthFit(data, &options, &plan, &error) != BERTH_SUCCESS)
      fail_msg("seed %llu: %s", (unsigned long long)seed, error.message);
    ++seen[plan.status];
    unproven += plan.status == BERTH_PLAN_BUDGET && least == kFar;
    if (plan.costBound > least || (plan.numStays && plan.cost < least) ||
        (plan.status == BERTH_PLAN_INFEASIBLE && least != kFar) ||
        (plan.status == BERTH_PLAN_INFEASIBLE) != (plan.needed > capacity))
      fail_msg("seed %llu: cost %lld, bound %lld, least %lld, needed %lld",
               (unsigned long long)seed, (long long)plan.cost,
               (long long)plan.costBound, (long long)least,
               (long long)plan.needed);
    if (plan.needed > 1) {
      berthProblemSetCapacity(problem, plan.needed - 1);
      if (judge(data, &options) != kFar)
        fail_msg("seed %llu: fewer than %lld are enough",
                 (unsigned long long)seed, (long long)plan.needed);
    }
    berthProblemSetCapacity(problem, plan.needed);
    met += judge(data, &options) != kFar;
    berthFitPlanFree(&plan);
    berthProblemDestroy(problem);
  }
  print_message("optimal %u, with a gap %u, infeasible %u, none found %u; "
                "needed is enough %u\n",
                seen[0], seen[1], seen[2], seen[3], met);
  assert_int_equal(unproven, 0);
  assert_true(met >= 150);
}

// The bound with the first rows of the rents.
static int64_t boundOf(const BerthProblemData *problem,
                       const BerthFitOptions *options, int64_t known,
                       uint32_t mostRows) {
  enum { kRounds = 400 };
  BerthMemory memory = {0};
  BerthFitTask task;
  BerthFitPrices prices;
  BerthError error;
  assert_int_equal(berthFitTaskInit(&task, problem, options, &memory, &error),
                   BERTH_SUCCESS);
  assert_true(berthFitPricesInit(&prices, &task, &memory));
  if (prices.numRows > mostRows)
    prices.numRows = mostRows;
  assert_true(berthFitPricesRaise(&prices, &task, known, kRounds));
  int64_t bound = berthFitPricesBound(&prices, &task);
  berthMemoryFree(&memory);
  return bound;
}

// More rows prove more, and never too much.
static void testRows(void **state) {
  (void)state;
  unsigned better = 0;
  for (uint64_t seed = 1; seed <= 600; ++seed) {
    BerthFitOptions options;
    BerthFitPrice prices[kBuffers];
    randomState = seed;
    BerthProblem *problem = randomProblem(&options, prices);
    const BerthProblemData *data = berthProblemGetData(problem);
    int64_t least = judge(data, &options);
    if (least != kFar) {
      int64_t bound = boundOf(data, &options, least, BERTH_FIT_ROWS);
      if (bound > least)
        fail_msg("seed %llu: bound %lld, least %lld", (unsigned long long)seed,
                 (long long)bound, (long long)least);
      better += bound > boundOf(data, &options, least, 1);
    }
    berthProblemDestroy(problem);
  }
  assert_true(better >= 5);
}

// Three weights in turns where two and a half fit: a small buffer fills the
// memory up, and is worth nothing.
static void testRowsOfWeights(void **state) {
  (void)state;
  enum { kTurns = 8, kWeight = 10 };
  BerthProblem *problem = berthProblemCreate();
  BerthBufferUse uses[kTurns];
  for (int i = 0; i < 3; ++i) {
    BerthBuffer buffer = berthBufferDefault();
    for (int k = 0; k < kTurns; ++k)
      uses[k] = (BerthBufferUse){
          3 * k + i, 3 * k + i + 1, BERTH_USE_READ, 0, 0, 0, 0};
    buffer.size = kWeight;
    buffer.backed = true;
    buffer.uses = uses;
    buffer.numUses = kTurns;
    addLive(problem, buffer, i, 3 * (kTurns - 1) + i + 1);
  }
  for (int i = 0; i < 5; ++i) {
    const BerthBufferUse ends[] = {
        {0, 1, BERTH_USE_WRITE, 0, 0, 0, 0},
        {3 * kTurns - 1, 3 * kTurns, BERTH_USE_READ, 0, 0, 0, 0}};
    addUsed(problem, 1, 0, 3 * kTurns, ends, 2);
  }
  berthProblemSetCapacity(problem, 25);
  const BerthProblemData *data = berthProblemGetData(problem);
  BerthFitOptions options = {.access = 1};
  BerthFitPlan plan;
  BerthError error;
  assert_int_equal(berthFit(data, &options, &plan, &error), BERTH_SUCCESS);
  assert_int_equal(plan.status, BERTH_PLAN_OPTIMAL);
  assert_true(boundOf(data, &options, plan.cost, 1) < plan.cost);
  assert_int_equal(boundOf(data, &options, plan.cost, BERTH_FIT_ROWS),
                   plan.cost);
  berthFitPlanFree(&plan);
  berthProblemDestroy(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(testAgainstJudge),
      cmocka_unit_test(testRows),
      cmocka_unit_test(testRowsOfWeights),
      cmocka_unit_test(testNeeded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
