//===- FitSweep.c - Many half-made fits side by side ---------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Fit/FitSweep.h"

#include "Pack/Fit/FitPolicy.h"
#include "Support/Checked.h"
#include "Support/Sort.h"

#include <stdlib.h>
#include <string.h>

/// A state but for its bits.
typedef struct Head {
  int64_t least; ///< what its best end costs at least, times the scale
  int64_t loads[BERTH_FIT_ROWS]; ///< by row of the rents
  uint64_t hash;                 ///< of its bits
  uint32_t parent;               ///< entry of the trail that led here
} Head;

/// A choice that some state made; `parent` is the one before it.
typedef struct Trail {
  uint32_t parent;
  uint32_t step; ///< its lowest two bits are the choice
} Trail;

enum { kNoTrail = 0, kMostTrail = 1 << 25, kFirstTrail = 1 << 16 };

typedef struct Sweep {
  BerthFitSweep *options;
  const BerthFitTask *task;
  const BerthFitPrices *prices;
  BerthMemory memory;
  BerthFitEvents events;
  uint32_t *slots; ///< chain -> its number in the bits, while it lives
  uint32_t words;  ///< of a state: one bit a slot for held, one for dirty
  uint32_t count;
  uint32_t room;
  Head *heads;
  uint64_t *bits; ///< state after state
  Trail *trail;
  size_t numTrail;
  size_t capTrail;
  size_t fullTrail; ///< entries from which on it is cleared of dead ones
  bool isFixed;     ///< decisions are those of the plan to better
  bool cut;         ///< a state went that might have been the best
  bool failed;      ///< memory ran out
} Sweep;

static uint64_t *bitsOf(const Sweep *sweep, uint32_t state) {
  return sweep->bits + (size_t)state * sweep->words;
}

static BerthFitPlace placeOf(const Sweep *sweep, uint32_t state,
                             uint32_t chain) {
  uint32_t bit = 2 * sweep->slots[chain];
  return (BerthFitPlace)(bitsOf(sweep, state)[bit / 64] >> bit % 64 & 3);
}

// A fixed number for each place of each chain (splitmix64).
static uint64_t mix(uint32_t chain, BerthFitPlace place) {
  uint64_t x = ((uint64_t)chain * 4 + place) * UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

static void setPlace(Sweep *sweep, uint32_t state, uint32_t chain,
                     BerthFitPlace place) {
  uint32_t bit = 2 * sweep->slots[chain];
  uint64_t *word = &bitsOf(sweep, state)[bit / 64];
  BerthFitPlace old = (BerthFitPlace)(*word >> bit % 64 & 3);
  Head *head = &sweep->heads[state];
  const int64_t *weights = sweep->prices->weights + BERTH_FIT_ROWS * chain;
  int held = berthFitIsHeld(place) - berthFitIsHeld(old);
  *word ^= (uint64_t)(old ^ place) << bit % 64;
  for (uint32_t r = 0; held && r < sweep->prices->numRows; ++r)
    head->loads[r] += held * weights[r];
  head->hash ^= old != BERTH_FIT_OUT ? mix(chain, old) : 0;
  head->hash ^= place != BERTH_FIT_OUT ? mix(chain, place) : 0;
}

//===---------------------------------------------------------------------===//
// States come and go
//===---------------------------------------------------------------------===//

static bool reserveStates(Sweep *sweep, uint32_t count) {
  if (count <= sweep->room)
    return true;
  uint32_t room = count > 2 * sweep->room ? count : 2 * sweep->room;
  Head *heads = realloc(sweep->heads, room * sizeof *heads);
  if (heads)
    sweep->heads = heads;
  uint64_t *bits =
      heads ? realloc(sweep->bits, (size_t)room * sweep->words * sizeof *bits)
            : NULL;
  if (bits)
    sweep->bits = bits;
  sweep->failed |= !bits;
  if (bits)
    sweep->room = room;
  return !sweep->failed;
}

static uint32_t note(Sweep *sweep, uint32_t parent, uint32_t step,
                     BerthFitChoice choice) {
  if (sweep->numTrail == sweep->capTrail) {
    size_t capacity = 2 * sweep->capTrail + 1024;
    Trail *trail = realloc(sweep->trail, capacity * sizeof *trail);
    if (!trail) {
      sweep->failed = true;
      return kNoTrail;
    }
    sweep->trail = trail;
    sweep->capTrail = capacity;
  }
  sweep->trail[sweep->numTrail] = (Trail){parent, step << 2 | (uint32_t)choice};
  return (uint32_t)sweep->numTrail++;
}

// Forgets what no state came by. Entries stand behind their parents.
static void clearTrail(Sweep *sweep) {
  uint32_t *numbers = calloc(sweep->numTrail, sizeof *numbers);
  uint32_t kept = kNoTrail + 1;
  if (!numbers) {
    sweep->failed = true;
    return;
  }
  for (uint32_t i = 0; i < sweep->count; ++i)
    numbers[sweep->heads[i].parent] = 1;
  for (size_t at = sweep->numTrail; at-- > kept;)
    if (numbers[at])
      numbers[sweep->trail[at].parent] = 1;
  numbers[kNoTrail] = kNoTrail;
  for (size_t at = kept; at < sweep->numTrail; ++at)
    if (numbers[at]) {
      Trail entry = sweep->trail[at];
      numbers[at] = kept;
      sweep->trail[kept++] = (Trail){numbers[entry.parent], entry.step};
    }
  for (uint32_t i = 0; i < sweep->count; ++i)
    sweep->heads[i].parent = numbers[sweep->heads[i].parent];
  free(numbers);
  sweep->numTrail = kept;
  sweep->fullTrail = kept > kFirstTrail / 2 ? 2 * (size_t)kept : kFirstTrail;
}

static void moveState(Sweep *sweep, uint32_t from, uint32_t to) {
  if (from == to)
    return;
  sweep->heads[to] = sweep->heads[from];
  memcpy(bitsOf(sweep, to), bitsOf(sweep, from),
         sweep->words * sizeof *sweep->bits);
}

// Can the state end in something cheaper than what is known? All costs are
// multiples of the unit.
static bool isOpen(const Sweep *sweep, int64_t least) {
  int64_t most = sweep->options->known - sweep->task->unit;
  return least <= most * sweep->task->scale;
}

static void keepOpen(Sweep *sweep) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < sweep->count; ++i)
    if (isOpen(sweep, sweep->heads[i].least))
      moveState(sweep, i, kept++);
  sweep->count = kept;
}

// Of equal states only the cheapest goes on.
static void dropEqual(Sweep *sweep) {
  uint32_t size = 2, kept = 0;
  while (size < 2 * sweep->count)
    size *= 2;
  BerthMemoryMark mark = berthMemoryGetMark(&sweep->memory);
  uint32_t *table = BERTH_MEMORY_NEW(&sweep->memory, uint32_t, size);
  if (!table) {
    sweep->failed = true;
    return;
  }
  for (uint32_t i = 0; i < sweep->count; ++i) {
    uint32_t at = (uint32_t)sweep->heads[i].hash & (size - 1);
    for (; table[at]; at = (at + 1) & (size - 1)) {
      uint32_t other = table[at] - 1;
      if (sweep->heads[other].hash == sweep->heads[i].hash &&
          memcmp(bitsOf(sweep, other), bitsOf(sweep, i),
                 sweep->words * sizeof *sweep->bits) == 0)
        break;
    }
    if (table[at]) {
      if (sweep->heads[i].least < sweep->heads[table[at] - 1].least)
        sweep->heads[table[at] - 1] = sweep->heads[i];
      continue;
    }
    moveState(sweep, i, kept);
    table[at] = ++kept;
  }
  sweep->count = kept;
  berthMemoryRelease(&sweep->memory, mark);
}

// The most promising ones go on, in the order in which they stood.
static void narrow(Sweep *sweep, uint32_t width) {
  if (sweep->count <= width)
    return;
  BerthMemoryMark mark = berthMemoryGetMark(&sweep->memory);
  BerthSorting sorting;
  bool *stays = BERTH_MEMORY_NEW(&sweep->memory, bool, sweep->count);
  if (!stays || !berthSortingInit(&sorting, sweep->count, &sweep->memory)) {
    sweep->failed = true;
    return;
  }
  for (uint32_t i = 0; i < sweep->count; ++i)
    sorting.keys[i] = berthKeyAscending(sweep->heads[i].least);
  const uint32_t *order = berthSort(&sorting);
  for (uint32_t i = 0; i < width; ++i)
    stays[order[i]] = true;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < sweep->count; ++i)
    if (stays[i])
      moveState(sweep, i, kept++);
  sweep->count = kept;
  sweep->cut = true;
  berthMemoryRelease(&sweep->memory, mark);
}

//===---------------------------------------------------------------------===//
// Choices
//===---------------------------------------------------------------------===//

// One way to go on from a state.
typedef struct Way {
  int64_t regret; ///< above the cheapest way; BERTH_FIT_NEVER: closed
  BerthFitPlace place;
  BerthFitChoice choice;
} Way;

static void go(Sweep *sweep, uint32_t state, uint32_t step, const Way *way) {
  setPlace(sweep, state, sweep->task->steps[step].chain, way->place);
  Head *head = &sweep->heads[state];
  head->least += way->regret;
  head->parent = note(sweep, head->parent, step, way->choice);
}

// The state goes all ways that are open: the first one in place, the others at
// the end of the list.
static void branch(Sweep *sweep, uint32_t state, uint32_t step, const Way *ways,
                   int numWays) {
  const Way *first = NULL;
  int64_t least = sweep->heads[state].least;
  for (int i = 0; i < numWays; ++i) {
    if (ways[i].regret >= BERTH_FIT_NEVER ||
        !isOpen(sweep, least + ways[i].regret))
      continue;
    if (!first) {
      first = &ways[i];
      continue;
    }
    if (!reserveStates(sweep, sweep->count + 1))
      return;
    moveState(sweep, state, sweep->count);
    go(sweep, sweep->count++, step, &ways[i]);
  }
  if (first)
    go(sweep, state, step, first);
  else
    sweep->heads[state].least = INT64_MAX; // goes with the next keepOpen
}

// Closes the ways that the plan to better does not go.
static void followFixed(const Sweep *sweep, Way *ways, int numWays, int way) {
  if (!sweep->isFixed || ways[way].regret >= BERTH_FIT_NEVER)
    return;
  for (int i = 0; i < numWays; ++i)
    if (i != way)
      ways[i].regret = BERTH_FIT_NEVER;
}

static int64_t lesser(int64_t a, int64_t b) { return a < b ? a : b; }

// What a buffer pays from the step on that is out: brought in or made again,
// and served from outside.
typedef struct Return {
  int64_t comes;
  int64_t stays;
  int64_t least;      ///< of both
  BerthFitChoice how; ///< it comes
} Return;

static Return returnOf(const Sweep *sweep, uint32_t step) {
  int64_t pay[BERTH_FIT_NUM_CHOICES];
  for (int choice = BERTH_FIT_FILL; choice < BERTH_FIT_NUM_CHOICES; ++choice)
    pay[choice] = berthFitPay(sweep->prices, sweep->task, step, BERTH_FIT_OUT,
                              (BerthFitChoice)choice);
  Return back = {.comes = lesser(pay[BERTH_FIT_FILL], pay[BERTH_FIT_MAKE]),
                 .stays = pay[BERTH_FIT_SLOW]};
  back.how = pay[BERTH_FIT_MAKE] < pay[BERTH_FIT_FILL] ? BERTH_FIT_MAKE
                                                       : BERTH_FIT_FILL;
  back.least = lesser(back.comes, back.stays);
  return back;
}

// What it pays that leaves in front of the step: if it is dirty it is taken
// out.
static int64_t payToLeave(const Sweep *sweep, uint32_t step,
                          BerthFitPlace place) {
  const BerthFitTask *task = sweep->task;
  int64_t spill = place == BERTH_FIT_DIRTY
                      ? task->chains[task->steps[step].chain].spill
                      : 0;
  return berthAddSaturating(returnOf(sweep, step).least, spill * task->scale);
}

// States in which the step is served by slices hold its tile meanwhile:
// `times` is 1 where it begins, and -1 where it is over.
static void countTile(Sweep *sweep, uint32_t index, int times) {
  const BerthFitStep *step = &sweep->task->steps[index];
  const BerthFitPrices *prices = sweep->prices;
  for (uint32_t i = 0; step->tile && i < sweep->count; ++i)
    for (uint32_t r = 0; r < prices->numRows; ++r)
      if (placeOf(sweep, i, step->chain) == BERTH_FIT_OUT)
        sweep->heads[i].loads[r] +=
            times * berthRoundDown(step->tile, prices->grains[r]);
}

// A step is over: does the buffer stay until the next one?
static void finish(Sweep *sweep, uint32_t index) {
  enum { STAYS, LEAVES, IS_LOST, NUM_WAYS };
  const BerthFitTask *task = sweep->task;
  const BerthFitStep *step = &task->steps[index];
  uint32_t chain = step->chain, next = index + 1;
  bool last = next == task->chains[chain].end;
  bool wanted = !last && step[1].kind != BERTH_USE_WRITE;
  uint32_t states = sweep->count;
  int64_t pay[BERTH_FIT_NUM_PLACES][NUM_WAYS], least[BERTH_FIT_NUM_PLACES];
  for (int place = BERTH_FIT_CLEAN; wanted && place <= BERTH_FIT_DIRTY;
       ++place) {
    const BerthFitPrices *prices = sweep->prices;
    BerthFitPlace at = (BerthFitPlace)place;
    bool dirty = at == BERTH_FIT_DIRTY;
    pay[at][STAYS] = berthFitPay(prices, task, next, at, BERTH_FIT_KEEP);
    pay[at][LEAVES] = payToLeave(sweep, next, at);
    pay[at][IS_LOST] = dirty
                           ? berthFitPay(prices, task, next, at, BERTH_FIT_MAKE)
                           : BERTH_FIT_NEVER;
    least[at] =
        lesser(lesser(pay[at][STAYS], pay[at][LEAVES]), pay[at][IS_LOST]);
  }
  for (uint32_t i = 0; i < states && !sweep->failed; ++i) {
    BerthFitPlace place = placeOf(sweep, i, chain);
    if (!berthFitIsHeld(place) || sweep->heads[i].least == INT64_MAX)
      continue;
    if (!wanted) {
      setPlace(sweep, i, chain, BERTH_FIT_OUT);
      continue;
    }
    // An END without sections holds nothing that anybody could want.
    bool touches = step[1].before == step[1].first;
    bool idle = step[1].end && touches;
    Way ways[NUM_WAYS] = {{0, idle ? BERTH_FIT_OUT : place, BERTH_FIT_KEEP},
                          {0, BERTH_FIT_OUT, BERTH_FIT_SLOW},
                          {0, BERTH_FIT_LOST, BERTH_FIT_MAKE}};
    for (int way = 0; way < NUM_WAYS; ++way)
      ways[way].regret = pay[place][way] < BERTH_FIT_NEVER
                             ? pay[place][way] - least[place]
                             : BERTH_FIT_NEVER;
    if (touches)
      ways[IS_LOST].regret = BERTH_FIT_NEVER; // and would be back at once
    if (idle && ways[STAYS].regret == 0)
      ways[LEAVES].regret = BERTH_FIT_NEVER;
    else if (idle)
      ways[STAYS].regret = BERTH_FIT_NEVER;
    else if (!berthFitMayBeSlow(&step[1]) && touches)
      ways[LEAVES].regret = BERTH_FIT_NEVER;
    if (sweep->isFixed) {
      uint8_t fixed = sweep->options->fixed[next];
      bool lost = fixed == BERTH_FIT_MAKE && place == BERTH_FIT_DIRTY;
      followFixed(sweep, ways, NUM_WAYS,
                  fixed == BERTH_FIT_KEEP ? STAYS
                  : lost                  ? IS_LOST
                                          : LEAVES);
    }
    branch(sweep, i, next, ways, NUM_WAYS);
  }
}

// A use starts: what was out is brought in, or served from outside.
static void begin(Sweep *sweep, uint32_t index) {
  enum { COMES, STAYS, NUM_WAYS };
  const BerthFitStep *step = &sweep->task->steps[index];
  bool read = step->kind == BERTH_USE_READ;
  uint32_t states = sweep->count;
  Return back = returnOf(sweep, index);
  Way ways[NUM_WAYS] = {
      {back.comes, read ? BERTH_FIT_CLEAN : BERTH_FIT_DIRTY, back.how},
      {back.stays, BERTH_FIT_OUT, BERTH_FIT_SLOW}};
  for (int way = 0; way < NUM_WAYS; ++way)
    if (ways[way].regret < BERTH_FIT_NEVER)
      ways[way].regret -= back.least;
  // What was to stay, and was sent out in between, may do either.
  if (sweep->isFixed && sweep->options->fixed[index] != BERTH_FIT_KEEP)
    followFixed(sweep, ways, NUM_WAYS,
                sweep->options->fixed[index] == BERTH_FIT_SLOW ? STAYS : COMES);
  for (uint32_t i = 0; i < states && !sweep->failed; ++i) {
    if (sweep->heads[i].least == INT64_MAX)
      continue;
    BerthFitPlace place = placeOf(sweep, i, step->chain);
    if (place == BERTH_FIT_OUT)
      branch(sweep, i, index, ways, NUM_WAYS);
    else if (!read || place == BERTH_FIT_LOST)
      setPlace(sweep, i, step->chain, BERTH_FIT_DIRTY);
  }
}

//===---------------------------------------------------------------------===//
// Sections
//===---------------------------------------------------------------------===//

// No state fits: the cheapest one lets go of what costs least a byte, as if it
// had left at the end of its last use.
static void rescue(Sweep *sweep, uint32_t section, const uint32_t *nextStep,
                   const bool *busy) {
  const BerthFitTask *task = sweep->task;
  const BerthFitPrices *prices = sweep->prices;
  uint32_t best = 0;
  for (uint32_t i = 1; i < sweep->count; ++i)
    if (sweep->heads[i].least < sweep->heads[best].least)
      best = i;
  moveState(sweep, best, 0);
  sweep->count = 1;
  while (sweep->heads[0].loads[0] > task->capacities[section]) {
    uint32_t victim = UINT32_MAX;
    double least = 0;
    int64_t change = 0;
    for (uint32_t c = 0; c < task->numChains; ++c) {
      uint32_t next = nextStep[c];
      if (sweep->slots[c] == UINT32_MAX || busy[c] ||
          !berthFitIsHeld(placeOf(sweep, 0, c)))
        continue;
      BerthFitPlace place = placeOf(sweep, 0, c);
      int64_t more =
          payToLeave(sweep, next, place) -
          berthFitPay(prices, task, next, place, BERTH_FIT_KEEP) +
          berthFitRent(prices, task, c, task->steps[next].before, section);
      double each = (double)more / (double)task->chains[c].size;
      if (victim == UINT32_MAX || each < least) {
        victim = c;
        least = each;
        change = more;
      }
    }
    if (victim == UINT32_MAX) {
      sweep->count = 0;
      return;
    }
    setPlace(sweep, 0, victim, BERTH_FIT_OUT);
    sweep->heads[0].least += change;
    sweep->heads[0].parent =
        note(sweep, sweep->heads[0].parent, nextStep[victim], BERTH_FIT_SLOW);
  }
}

static void closeSection(Sweep *sweep, uint32_t section,
                         const uint32_t *nextStep, const bool *busy) {
  int64_t capacity = sweep->task->capacities[section];
  const BerthFitPrices *prices = sweep->prices;
  uint32_t kept = 0;
  bool some = false;
  for (uint32_t i = 0; i < sweep->count; ++i)
    some |= sweep->heads[i].loads[0] <= capacity;
  if (!some && sweep->cut && sweep->count > 0)
    rescue(sweep, section, nextStep, busy);
  for (uint32_t i = 0; i < sweep->count; ++i) {
    Head *head = &sweep->heads[i];
    if (head->loads[0] > capacity)
      continue;
    // What is free earns nothing.
    for (uint32_t r = 0; r < prices->numRows; ++r)
      head->least = berthAddSaturating(
          head->least, prices->rents[sweep->task->numSections * r + section] *
                           (berthFitCapacity(prices, sweep->task, r, section) -
                            head->loads[r]));
    if (isOpen(sweep, head->least))
      moveState(sweep, i, kept++);
  }
  sweep->count = kept;
  if (sweep->count > 1)
    dropEqual(sweep);
  narrow(sweep, sweep->options->width);
}

// A chain has a slot from its first step until it is over.
static bool giveSlots(Sweep *sweep) {
  const BerthFitTask *task = sweep->task;
  uint32_t *order =
      BERTH_MEMORY_NEW(&sweep->memory, uint32_t, (size_t)task->numSections + 2);
  if (!order)
    return false;
  uint32_t most = 0, live = 0;
  for (uint32_t c = 0; c < task->numChains; ++c) {
    ++order[task->steps[task->chains[c].begin].first];
    --order[task->steps[task->chains[c].end - 1].last];
  }
  for (uint32_t k = 0; k <= task->numSections; ++k) {
    live += order[k];
    most = live > most ? live : most;
  }
  sweep->words = (2 * most + 63) / 64 + 1;
  return true;
}

static void sweepSections(Sweep *sweep) {
  const BerthFitTask *task = sweep->task;
  BerthMemory *memory = &sweep->memory;
  uint32_t slots = sweep->words * 32, numFree = 0, started = 0, ended = 0;
  uint32_t *freeSlots = BERTH_MEMORY_NEW(memory, uint32_t, slots);
  uint32_t *nextStep = BERTH_MEMORY_NEW(memory, uint32_t, task->numChains);
  bool *busy = BERTH_MEMORY_NEW(memory, bool, task->numChains);
  sweep->failed |= memory->failed;
  for (uint32_t i = slots; !sweep->failed && i-- > 0;)
    freeSlots[numFree++] = i;
  for (uint32_t k = 0; k < task->numSections && !sweep->failed; ++k) {
    uint64_t work = 0;
    sweep->isFixed = sweep->options->fixed &&
                     (k < sweep->options->from || k >= sweep->options->to);
    for (; ended < task->numSteps; ++ended) {
      uint32_t index = sweep->events.ends[ended];
      uint32_t chain = task->steps[index].chain;
      if (task->steps[index].last > k)
        break;
      countTile(sweep, index, -1);
      finish(sweep, index);
      busy[chain] = false;
      nextStep[chain] = index + 1;
      if (index + 1 == task->chains[chain].end) {
        freeSlots[numFree++] = sweep->slots[chain];
        sweep->slots[chain] = UINT32_MAX;
      }
      work += sweep->count;
      if (sweep->count > 4 * sweep->options->width)
        narrow(sweep, sweep->options->width);
    }
    for (; started < sweep->events.numStarts &&
           task->steps[sweep->events.starts[started]].first == k;
         ++started) {
      uint32_t index = sweep->events.starts[started];
      uint32_t chain = task->steps[index].chain;
      if (index == task->chains[chain].begin)
        sweep->slots[chain] = freeSlots[--numFree];
      begin(sweep, index);
      countTile(sweep, index, 1);
      busy[chain] = true;
      work += sweep->count;
      if (sweep->count > 4 * sweep->options->width)
        narrow(sweep, sweep->options->width);
    }
    keepOpen(sweep);
    closeSection(sweep, k, nextStep, busy);
    work = (work + sweep->count) * (4 + sweep->words);
    if (sweep->count == 0)
      break;
    if (sweep->numTrail > sweep->fullTrail)
      clearTrail(sweep);
    if (work >= sweep->options->steps ||
        sweep->numTrail > kMostTrail - 4 * (size_t)sweep->options->width) {
      sweep->options->steps = 0;
      sweep->cut = true;
      sweep->count = 0;
      break;
    }
    sweep->options->steps -= work;
  }
}

//===---------------------------------------------------------------------===//
// All
//===---------------------------------------------------------------------===//

// The choices of the best state: those of its trail, and the cheapest ones
// where nothing was to be decided.
static void follow(const Sweep *sweep, uint8_t *choices) {
  const BerthFitTask *task = sweep->task;
  uint32_t best = 0;
  for (uint32_t i = 1; i < sweep->count; ++i)
    if (sweep->heads[i].least < sweep->heads[best].least)
      best = i;
  memset(choices, UINT8_MAX, task->numSteps);
  // The latest entry of a step is the last word on it.
  for (uint32_t at = sweep->heads[best].parent; at != kNoTrail;
       at = sweep->trail[at].parent) {
    uint32_t step = sweep->trail[at].step >> 2;
    if (choices[step] == UINT8_MAX)
      choices[step] = (uint8_t)(sweep->trail[at].step & 3);
  }
  for (uint32_t c = 0; c < task->numChains; ++c) {
    BerthFitPlace place = BERTH_FIT_OUT;
    for (uint32_t s = task->chains[c].begin; s < task->chains[c].end; ++s) {
      BerthFitChoice choice = (BerthFitChoice)choices[s];
      if (choices[s] == UINT8_MAX) {
        int64_t least = BERTH_FIT_NEVER;
        for (int k = BERTH_FIT_KEEP; k < BERTH_FIT_NUM_CHOICES; ++k) {
          int64_t pay =
              berthFitPay(sweep->prices, task, s, place, (BerthFitChoice)k);
          if (pay < least) {
            least = pay;
            choice = (BerthFitChoice)k;
          }
        }
      }
      choices[s] = (uint8_t)choice;
      berthFitStepCost(task, s, place, choice, &place);
    }
  }
}

bool berthFitSweepRun(BerthFitSweep *options, const BerthFitTask *task,
                      const BerthFitPrices *prices, uint8_t *choices) {
  Sweep sweep = {.options = options, .task = task, .prices = prices};
  options->found = options->complete = false;
  sweep.slots = BERTH_MEMORY_NEW(&sweep.memory, uint32_t, task->numChains);
  sweep.failed = !sweep.slots ||
                 !berthFitEventsInit(&sweep.events, task, &sweep.memory) ||
                 !giveSlots(&sweep) || !reserveStates(&sweep, 4);
  if (!sweep.failed) {
    memset(sweep.slots, UINT8_MAX, task->numChains * sizeof *sweep.slots);
    note(&sweep, kNoTrail, 0, BERTH_FIT_KEEP); // number 0 is none
    sweep.fullTrail = kFirstTrail;
    sweep.heads[0] = (Head){.least = prices->bound};
    memset(sweep.bits, 0, sweep.words * sizeof *sweep.bits);
    sweep.count = isOpen(&sweep, prices->bound);
  }
  if (!sweep.failed)
    sweepSections(&sweep);
  if (!sweep.failed) {
    options->found = sweep.count > 0;
    options->complete = !sweep.cut;
    if (options->found)
      follow(&sweep, choices);
  }
  free(sweep.heads);
  free(sweep.bits);
  free(sweep.trail);
  berthMemoryFree(&sweep.memory);
  return !sweep.failed;
}
