//===- FitTask.c - A problem as the search for a fit sees it -------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Fit/FitTask.h"

#include "Pack/Problem/Problem.h"
#include "Support/Allocate.h"
#include "Support/Checked.h"
#include "Support/Sort.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/// Costs stay below this, so that 2^8 of them with a scale fit 63 bits.
#define MOST_COST (INT64_C(1) << 52)

static int64_t priceOf(int64_t given) { return given > 0 ? given : 1; }

BerthFitPrice berthFitPriceOf(const BerthProblemData *problem,
                              const BerthFitOptions *options, size_t buffer) {
  int64_t size = problem->buffers[buffer].size;
  if (options->prices)
    return options->prices[buffer];
  int64_t fill = berthMultiplySaturating(size, priceOf(options->fill));
  int64_t spill = berthMultiplySaturating(size, priceOf(options->spill));
  return (BerthFitPrice){.fill = berthAddSaturating(fill, options->move),
                         .spill = berthAddSaturating(spill, options->move),
                         .access =
                             options->access ? options->access : BERTH_NONE};
}

//===---------------------------------------------------------------------===//
// Steps
//===---------------------------------------------------------------------===//

static int64_t accessOf(BerthBufferUse use, int64_t price) {
  if (use.tile)
    return use.slices;
  return price == BERTH_NONE ? BERTH_FIT_NEVER
                             : berthMultiplySaturating(use.bytes, price);
}

static void addStep(BerthFitTask *task, uint32_t chain, BerthBufferUse use,
                    int64_t price) {
  task->steps[task->numSteps++] =
      (BerthFitStep){.chain = chain,
                     .kind = use.kind,
                     .lower = use.lower,
                     .upper = use.upper,
                     .bytes = use.bytes,
                     .access = accessOf(use, price),
                     .make = use.make ? use.make : BERTH_FIT_NEVER,
                     .tile = use.tile};
}

static bool holds(const BerthFitTask *task, int64_t size, int64_t alignment) {
  return berthFitSpaceNeededAlone(&task->space, size, alignment) <=
         task->space.capacity;
}

// What it takes to hold the buffer, or its tiles.
static void measure(BerthFitTask *task, BerthFitChain *chain,
                    const BerthBuffer *buffer) {
  int64_t unit = task->space.unit;
  chain->size = berthRoundUp(buffer->size, unit);
  chain->rounded = chain->size - buffer->size;
  chain->isHeld = holds(task, buffer->size, buffer->alignment);
  for (uint32_t s = chain->begin; s < task->numSteps; ++s) {
    BerthFitStep *step = &task->steps[s];
    int64_t bytes = step->tile;
    if (bytes && !holds(task, bytes, buffer->alignment))
      step->access = BERTH_FIT_NEVER;
    step->tile = berthRoundUp(bytes, unit);
    step->spare = step->tile - bytes;
    if (step->spare > chain->rounded)
      chain->rounded = step->spare;
  }
}

// The uses of one segment, which starts with the making of its content unless
// that comes from the slow memory.
static void addSegment(BerthFitTask *task, const BerthBuffer *buffer,
                       uint32_t chain, BerthSegment life, size_t *next,
                       int64_t price) {
  BerthBufferUse make = {
      life.lower, life.lower + 1, BERTH_USE_WRITE, buffer->size, 0, 0, 0};
  bool plain = buffer->numUses == 0;
  bool listed = !plain && *next < buffer->numUses &&
                buffer->uses[*next].lower == life.lower;
  if (!buffer->backed && !listed)
    addStep(task, chain, make, price);
  uint32_t first = task->numSteps;
  for (; *next < buffer->numUses && buffer->uses[*next].upper <= life.upper;
       ++*next) {
    BerthBufferUse use = buffer->uses[*next];
    use.bytes = use.bytes ? use.bytes : buffer->size;
    addStep(task, chain, use, price);
  }
  if (listed && !buffer->backed) {
    task->steps[first].kind = BERTH_USE_WRITE;
    task->steps[first].make = BERTH_FIT_NEVER;
  }
  if (plain && (buffer->backed || life.upper - life.lower > 1))
    addStep(task, chain,
            (BerthBufferUse){life.upper - 1, life.upper, BERTH_USE_READ,
                             buffer->size, 0, 0, 0},
            price);
}

// Content that outlives its last use, or that must get back to where it came
// from, has an END.
static void addEnd(BerthFitTask *task, const BerthFitChain *chain,
                   uint32_t index, int64_t upper) {
  bool some = task->numSteps > chain->begin;
  bool outlives = some && task->steps[task->numSteps - 1].upper < upper;
  bool written = false;
  for (uint32_t s = chain->begin; s < task->numSteps; ++s)
    written |= task->steps[s].kind != BERTH_USE_READ;
  if (chain->backed ? written : outlives) {
    addStep(task, index, (BerthBufferUse){.lower = upper, .upper = upper}, 0);
    task->steps[task->numSteps - 1].end = true;
  }
}

static bool addChains(BerthFitTask *task, const BerthProblemData *problem,
                      const BerthFitOptions *options, BerthMemory *memory) {
  size_t chains = 0, steps = 0;
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    chains += problem->buffers[i].numSegments;
    steps += problem->buffers[i].numUses + 3 * problem->buffers[i].numSegments;
  }
  if (steps >= UINT32_MAX / 16)
    return false;
  task->chains = BERTH_MEMORY_NEW(memory, BerthFitChain, chains);
  task->steps = BERTH_MEMORY_NEW(memory, BerthFitStep, steps);
  if (memory->failed)
    return false;
  for (uint32_t i = 0; i < problem->numBuffers; ++i) {
    const BerthBuffer *buffer = &problem->buffers[i];
    size_t next = 0;
    for (size_t k = 0; k < buffer->numSegments; ++k) {
      uint32_t index = task->numChains;
      BerthFitChain *chain = &task->chains[index];
      BerthFitPrice price = berthFitPriceOf(problem, options, i);
      *chain = (BerthFitChain){.buffer = i,
                               .begin = task->numSteps,
                               .backed = buffer->backed,
                               .fill = price.fill,
                               .spill = price.spill};
      addSegment(task, buffer, index, buffer->segments[k], &next, price.access);
      addEnd(task, chain, index, buffer->segments[k].upper);
      measure(task, chain, buffer);
      chain->end = task->numSteps;
      task->numChains += chain->end > chain->begin;
    }
  }
  return true;
}

//===---------------------------------------------------------------------===//
// Sections
//===---------------------------------------------------------------------===//

// The first section that starts at `time` or later.
static uint32_t findSection(const BerthFitTask *task, int64_t time) {
  uint32_t low = 0, high = task->numSections;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (task->starts[middle] < time)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool addSections(BerthFitTask *task, BerthMemory *memory) {
  task->starts = BERTH_MEMORY_NEW(memory, int64_t, task->numSteps);
  if (memory->failed)
    return false;
  uint32_t count = 0;
  for (uint32_t s = 0; s < task->numSteps; ++s)
    if (!task->steps[s].end)
      task->starts[count++] = task->steps[s].lower;
  qsort(task->starts, count, sizeof *task->starts, berthCompareFirst);
  for (uint32_t i = 0; i < count; ++i)
    if (i == 0 || task->starts[i] != task->starts[i - 1])
      task->starts[task->numSections++] = task->starts[i];
  task->capacities = BERTH_MEMORY_NEW(memory, int64_t, task->numSections);
  task->limits = BERTH_MEMORY_NEW(memory, int64_t, task->numSections);
  task->needs = BERTH_MEMORY_NEW(memory, int64_t, task->numSections + 1);
  task->spare = BERTH_MEMORY_NEW(memory, int64_t, task->numSections);
  if (memory->failed)
    return false;
  for (uint32_t s = 0; s < task->numSteps; ++s) {
    BerthFitStep *step = &task->steps[s];
    bool begins = s == task->chains[step->chain].begin;
    step->first = findSection(task, step->lower);
    step->last = findSection(task, step->upper);
    step->before = begins ? step->first : step[-1].last;
  }
  return true;
}

//===---------------------------------------------------------------------===//
// Limits
//===---------------------------------------------------------------------===//

enum { kMostSums = 1 << 20, kLimitWork = 1 << 28 };

// The sums of some chains, a bit for each multiple of their common divisor.
typedef struct Sums {
  uint64_t *bits;
  size_t words;
} Sums;

// With or without one more, of `shift` units.
static void addToSums(const Sums *sums, size_t shift) {
  size_t words = shift / 64, bits = shift % 64;
  for (size_t i = sums->words; i-- > words;) {
    uint64_t moved = sums->bits[i - words] << bits;
    if (bits && i > words)
      moved |= sums->bits[i - words - 1] >> (64 - bits);
    sums->bits[i] |= moved;
  }
}

// The largest sum of `sizes` that is at most `room`, which it returns where
// that takes too much work; `*work` is what is left of it.
static int64_t largestSum(const int64_t *sizes, uint32_t count, int64_t room,
                          Sums *sums, size_t *work) {
  int64_t unit = 0, total = 0;
  for (uint32_t i = 0; i < count; ++i) {
    unit = berthGcd(unit, sizes[i]);
    total = berthAddSaturating(total, sizes[i]);
  }
  if (total <= room || unit == 0)
    return total;
  int64_t units = room / unit;
  sums->words = (size_t)units / 64 + 1;
  if (units >= kMostSums || count * sums->words > *work)
    return berthRoundDown(room, unit);
  *work -= count * sums->words;
  memset(sums->bits, 0, sums->words * sizeof *sums->bits);
  sums->bits[0] = 1;
  for (uint32_t i = 0; i < count; ++i)
    if (sizes[i] <= room)
      addToSums(sums, (size_t)(sizes[i] / unit));
  while (!(sums->bits[units / 64] >> units % 64 & 1))
    --units;
  return units * unit;
}

// What lies on top may stick out by that much.
static int64_t mostRounded(const BerthFitTask *task, const uint32_t *alive,
                           uint32_t count) {
  int64_t most = 0;
  for (uint32_t i = 0; i < count; ++i) {
    int64_t rounded = task->chains[alive[i]].rounded;
    most = rounded > most ? rounded : most;
  }
  return most;
}

// What may be held at a section: the chains that are alive there.
static bool findLimits(BerthFitTask *task, BerthMemory *memory) {
  BerthSorting begins, ends;
  Sums sums = {.bits = BERTH_MEMORY_NEW(memory, uint64_t, kMostSums / 64 + 1)};
  uint32_t *alive = BERTH_MEMORY_NEW(memory, uint32_t, task->numChains);
  uint32_t *at = BERTH_MEMORY_NEW(memory, uint32_t, task->numChains);
  int64_t *sizes = BERTH_MEMORY_NEW(memory, int64_t, task->numChains);
  if (!berthSortingInit(&begins, task->numChains, memory) ||
      !berthSortingInit(&ends, task->numChains, memory) || memory->failed)
    return false;
  for (uint32_t c = 0; c < task->numChains; ++c) {
    begins.keys[c] = task->steps[task->chains[c].begin].first;
    ends.keys[c] = task->steps[task->chains[c].end - 1].last;
  }
  const uint32_t *begin = berthSort(&begins), *end = berthSort(&ends);
  uint32_t count = 0, begun = 0, ended = 0;
  size_t work = kLimitWork;
  int64_t rounded = -1, room = 0;
  for (uint32_t k = 0; k < task->numSections; ++k) {
    for (; ended < task->numChains && ends.keys[end[ended]] <= k; ++ended) {
      uint32_t hole = at[end[ended]];
      alive[hole] = alive[--count];
      sizes[hole] = sizes[count];
      at[alive[hole]] = hole;
    }
    for (; begun < task->numChains && begins.keys[begin[begun]] == k; ++begun) {
      at[begin[begun]] = count;
      const BerthFitChain *chain = &task->chains[begin[begun]];
      sizes[count] = chain->isHeld ? chain->size : 0;
      alive[count++] = begin[begun];
    }
    int64_t most = mostRounded(task, alive, count);
    if (most != rounded)
      room = berthFitSpaceRoom(&task->space, rounded = most);
    task->room = room > task->room ? room : task->room;
    task->capacities[k] = room;
    task->limits[k] = largestSum(sizes, count, room, &sums, &work);
  }
  // With tiles there are more sums.
  for (uint32_t s = 0; s < task->numSteps; ++s)
    for (uint32_t k = task->steps[s].first;
         task->steps[s].tile && k < task->steps[s].last; ++k)
      task->limits[k] = task->capacities[k];
  for (uint32_t k = 0; k < task->numSections; ++k)
    task->capacities[k] = task->limits[k];
  return true;
}

//===---------------------------------------------------------------------===//
// Figures
//===---------------------------------------------------------------------===//

// Offsets are multiples of it.
static int64_t findUnit(const BerthProblemData *problem) {
  int64_t unit = 0;
  for (size_t i = 0; i < problem->numBuffers; ++i)
    unit = berthGcd(unit, problem->buffers[i].alignment);
  return unit ? unit : 1;
}

// What has to be held at each section, and by how much one of it is rounded up.
static bool findNeeds(BerthFitTask *task, const BerthProblemData *problem,
                      BerthMemory *memory) {
  BerthMemoryMark mark = berthMemoryGetMark(memory);
  uint8_t *least = BERTH_MEMORY_NEW(memory, uint8_t, task->numSteps);
  if (memory->failed)
    return false;
  for (uint32_t s = 0; s < task->numSteps; ++s)
    least[s] = (uint8_t)berthFitLeastChoice(&task->steps[s]);
  berthFitLoads(task, least, 1, task->needs);
  for (uint32_t s = 0; s < task->numSteps; ++s) {
    const BerthFitStep *step = &task->steps[s];
    const BerthFitChain *chain = &task->chains[step->chain];
    bool isHeld = berthFitHoldsStep(step, (BerthFitChoice)least[s]);
    int64_t size = problem->buffers[chain->buffer].size;
    int64_t rounded = isHeld ? chain->size - size : step->spare;
    for (uint32_t k = step->first; rounded > 0 && k < step->last; ++k)
      if (task->spare[k] < rounded)
        task->spare[k] = rounded;
  }
  berthMemoryRelease(memory, mark);
  return true;
}

static bool sumCosts(BerthFitTask *task) {
  int64_t most = 0, unit = 0;
  for (uint32_t s = 0; s < task->numSteps; ++s) {
    const BerthFitChain *chain = &task->chains[task->steps[s].chain];
    bool isFast = !berthFitMayBeSlow(&task->steps[s]);
    int64_t access = isFast ? 0 : task->steps[s].access;
    int64_t make = task->steps[s].make;
    make = make < BERTH_FIT_NEVER ? make : 0;
    most = berthAddSaturating(most, chain->fill);
    most = berthAddSaturating(most, chain->spill);
    most = berthAddSaturating(most, access);
    most = berthAddSaturating(most, make);
    unit = berthGcd(unit, berthGcd(chain->fill, chain->spill));
    unit = berthGcd(berthGcd(unit, access), make);
  }
  task->most = most;
  task->unit = unit ? unit : 1;
  task->scale = 1;
  while (task->scale < 1 << 12 && task->most < MOST_COST / 4 / task->scale)
    task->scale *= 2;
  return most < MOST_COST;
}

// A buffer in a group has one offset in all of its stays. Several in one could
// lie over each other, which no load tells.
static bool haveGroupsApart(const BerthProblemData *problem,
                            BerthMemory *memory) {
  BerthMemoryMark mark = berthMemoryGetMark(memory);
  int64_t *groups = BERTH_MEMORY_NEW(memory, int64_t, problem->numBuffers);
  size_t count = 0;
  bool areApart = true;
  for (size_t i = 0; !memory->failed && i < problem->numBuffers; ++i)
    if (problem->buffers[i].group != BERTH_NONE)
      groups[count++] = problem->buffers[i].group;
  if (count)
    qsort(groups, count, sizeof *groups, berthCompareFirst);
  for (size_t i = 1; i < count; ++i)
    areApart &= groups[i] != groups[i - 1];
  berthMemoryRelease(memory, mark);
  return areApart;
}

static BerthStatus refuse(const BerthProblemData *problem,
                          const BerthFitOptions *options, BerthMemory *memory,
                          BerthError *error) {
  const char *what = NULL;
  bool uses = false;
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    const BerthBuffer *buffer = &problem->buffers[i];
    uses |= buffer->numUses > 0;
    if (buffer->numGaps > 0)
      what = "windows";
    else if (buffer->fixedOffset != BERTH_NONE)
      what = "fixed offsets";
  }
  if (!haveGroupsApart(problem, memory))
    what = "groups of several buffers";
  if (problem->numEdges > 0)
    what = "edges";
  if (problem->numDistances > 0)
    what = "distances";
  if (problem->numPools > 0)
    what = "pools";
  if (what)
    return berthErrorSet(error, BERTH_INVALID, "a fit cannot have %s", what);
  if (problem->capacity <= 0)
    return berthErrorSet(error, BERTH_INVALID, "a fit needs a capacity");
  if (!uses && problem->numBuffers > 0)
    return berthErrorSet(error, BERTH_INVALID,
                         "no buffer has uses, so nothing says when one may "
                         "leave");
  for (size_t i = 0; options->prices && i < problem->numBuffers; ++i) {
    const BerthFitPrice *price = &options->prices[i];
    if (price->fill < 0 || price->spill < 0 || price->access < BERTH_NONE ||
        price->access > 1 << 20)
      return berthErrorSet(error, BERTH_INVALID,
                           "the prices of buffer '%s' are not within 0 and "
                           "1048576 a byte",
                           berthBufferName(problem, i).text);
  }
  const int64_t prices[] = {options->fill, options->spill, options->access};
  for (int i = 0; i < 3; ++i)
    if (prices[i] < 0 || prices[i] > 1 << 20)
      return berthErrorSet(error, BERTH_INVALID,
                           "price %" PRId64 " is not within 0 and 1048576",
                           prices[i]);
  if (options->move < 0 || options->move > INT64_C(1) << 40)
    return berthErrorSet(error, BERTH_INVALID,
                         "price %" PRId64 " of a move is not within 0 and 2^40",
                         options->move);
  return BERTH_SUCCESS;
}

BerthStatus berthFitTaskInit(BerthFitTask *task,
                             const BerthProblemData *problem,
                             const BerthFitOptions *options,
                             BerthMemory *memory, BerthError *error) {
  *task = (BerthFitTask){0};
  BerthStatus status = refuse(problem, options, memory, error);
  if (status)
    return status;
  if (!berthFitSpaceInit(&task->space, problem, findUnit(problem), memory) ||
      !addChains(task, problem, options, memory) ||
      !addSections(task, memory) || !findLimits(task, memory))
    return memory->failed ? berthOutOfMemory(error)
                          : berthErrorSet(error, BERTH_INVALID,
                                          "too many uses for one fit");
  if (!sumCosts(task))
    return berthErrorSet(error, BERTH_INVALID,
                         "sizes and prices are too large: all moves together "
                         "may cost 2^52 at most");
  return findNeeds(task, problem, memory) ? BERTH_SUCCESS
                                          : berthOutOfMemory(error);
}

//===---------------------------------------------------------------------===//
// What choices cost and hold
//===---------------------------------------------------------------------===//

int64_t berthFitStepCost(const BerthFitTask *task, uint32_t index,
                         BerthFitPlace place, BerthFitChoice choice,
                         BerthFitPlace *next) {
  const BerthFitStep *step = &task->steps[index];
  const BerthFitChain *chain = &task->chains[step->chain];
  bool wanted = step->kind != BERTH_USE_WRITE;
  int64_t spill = place == BERTH_FIT_DIRTY && wanted ? chain->spill : 0;
  if (place == BERTH_FIT_LOST && wanted && choice != BERTH_FIT_MAKE)
    return BERTH_FIT_NEVER;
  switch (choice) {
  case BERTH_FIT_KEEP:
    if (!berthFitIsHeld(place) || !wanted)
      return BERTH_FIT_NEVER;
    *next = step->kind == BERTH_USE_READ ? place : BERTH_FIT_DIRTY;
    return step->end && chain->backed ? spill : 0;
  case BERTH_FIT_FILL:
    if (step->end || !chain->isHeld)
      return BERTH_FIT_NEVER;
    *next = step->kind == BERTH_USE_READ ? BERTH_FIT_CLEAN : BERTH_FIT_DIRTY;
    return wanted ? spill + chain->fill : 0;
  case BERTH_FIT_SLOW:
    if (!berthFitMayBeSlow(step))
      return BERTH_FIT_NEVER;
    *next = BERTH_FIT_OUT;
    return spill + step->access;
  case BERTH_FIT_MAKE:
    if (!chain->isHeld)
      return BERTH_FIT_NEVER;
    // What the slow memory has is still the same.
    *next = step->kind == BERTH_USE_READ &&
                    (place == BERTH_FIT_OUT || place == BERTH_FIT_CLEAN)
                ? BERTH_FIT_CLEAN
                : BERTH_FIT_DIRTY;
    return step->make;
  case BERTH_FIT_NUM_CHOICES:
    break;
  }
  return BERTH_FIT_NEVER;
}

int64_t berthFitCostOf(const BerthFitTask *task, const uint8_t *choices) {
  int64_t cost = 0;
  for (uint32_t c = 0; c < task->numChains; ++c) {
    BerthFitPlace place = BERTH_FIT_OUT;
    for (uint32_t s = task->chains[c].begin; s < task->chains[c].end; ++s)
      cost = berthAddSaturating(
          cost,
          berthFitStepCost(task, s, place, (BerthFitChoice)choices[s], &place));
  }
  return cost;
}

void berthFitLoads(const BerthFitTask *task, const uint8_t *choices,
                   int64_t grain, int64_t *loads) {
  for (uint32_t k = 0; k <= task->numSections; ++k)
    loads[k] = 0;
  for (uint32_t s = 0; s < task->numSteps; ++s) {
    const BerthFitStep *step = &task->steps[s];
    BerthFitChoice choice = (BerthFitChoice)choices[s];
    bool isTiled = choice == BERTH_FIT_SLOW && step->tile > 0;
    int64_t size = isTiled ? step->tile : task->chains[step->chain].size;
    uint32_t from = berthFitHoldsGap(choice) ? step->before : step->first;
    uint32_t to =
        isTiled || berthFitHoldsStep(step, choice) ? step->last : step->first;
    loads[from] += berthRoundDown(size, grain);
    loads[to] -= berthRoundDown(size, grain);
  }
  for (uint32_t k = 0; k < task->numSections; ++k)
    loads[k + 1] += loads[k];
}
