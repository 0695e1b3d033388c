//===- FitPolicy.c - Eviction as the machine would do it -----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Fit/FitPolicy.h"

#include "Support/Sort.h"

enum { FURTHEST_USE, LEAST_RECENT, LARGEST, NUM_POLICIES };
static const char *const kNames[NUM_POLICIES] = {"furthest-use", "least-recent",
                                                 "largest"};

size_t berthFitPolicyCount(void) { return NUM_POLICIES; }

const char *berthFitPolicyName(size_t index) {
  return index < NUM_POLICIES ? kNames[index] : NULL;
}

bool berthFitEventsInit(BerthFitEvents *events, const BerthFitTask *task,
                        BerthMemory *memory) {
  BerthSorting starts, ends;
  if (!berthSortingInit(&starts, task->numSteps, memory) ||
      !berthSortingInit(&ends, task->numSteps, memory))
    return false;
  for (uint32_t s = 0; s < task->numSteps; ++s) {
    const BerthFitStep *step = &task->steps[s];
    starts.keys[s] = step->end ? UINT64_MAX : step->first;
    ends.keys[s] = step->last;
    events->numStarts += !step->end;
  }
  events->starts = berthSort(&starts);
  events->ends = berthSort(&ends);
  return true;
}

typedef struct Machine {
  const BerthFitTask *task;
  size_t policy;
  uint8_t *choices;
  uint32_t *held; ///< chains in the fast memory
  uint32_t numHeld;
  uint32_t *at;   ///< chain -> its place in `held`, plus 1; 0: out
  uint32_t *next; ///< chain -> the step that comes next
  bool *busy;     ///< chain -> is in use
  int64_t load;
} Machine;

static void hold(Machine *machine, uint32_t chain) {
  machine->held[machine->numHeld++] = chain;
  machine->at[chain] = machine->numHeld;
  machine->load += machine->task->chains[chain].size;
}

static void drop(Machine *machine, uint32_t chain) {
  uint32_t last = machine->held[--machine->numHeld];
  machine->held[machine->at[chain] - 1] = last;
  machine->at[last] = machine->at[chain];
  machine->at[chain] = 0;
  machine->load -= machine->task->chains[chain].size;
}

// The more, the sooner it goes.
static uint64_t rank(const Machine *machine, uint32_t chain) {
  uint32_t next = machine->next[chain];
  const BerthFitStep *steps = machine->task->steps;
  switch (machine->policy) {
  case FURTHEST_USE:
    return steps[next].end ? UINT64_MAX : berthKeyAscending(steps[next].lower);
  case LEAST_RECENT:
    return berthKeyDescending(steps[next - 1].upper);
  default:
    return berthKeyAscending(machine->task->chains[chain].size);
  }
}

static bool evict(Machine *machine) {
  uint32_t victim = UINT32_MAX;
  uint64_t most = 0;
  for (uint32_t i = 0; i < machine->numHeld; ++i) {
    uint32_t chain = machine->held[i];
    if (machine->busy[chain])
      continue;
    uint64_t key = rank(machine, chain);
    if (victim == UINT32_MAX || key > most || (key == most && chain < victim)) {
      victim = chain;
      most = key;
    }
  }
  if (victim == UINT32_MAX)
    return false;
  machine->choices[machine->next[victim]] = BERTH_FIT_SLOW; // until it is used
  drop(machine, victim);
  return true;
}

// Serves the largest use that starts in these events from the slow memory.
static bool demote(Machine *machine, const uint32_t *steps, uint32_t count) {
  uint32_t victim = UINT32_MAX;
  int64_t most = -1;
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t chain = machine->task->steps[steps[i]].chain;
    int64_t size =
        machine->task->chains[chain].size - machine->task->steps[steps[i]].tile;
    if (machine->at[chain] && size > most &&
        berthFitMayBeSlow(&machine->task->steps[steps[i]])) {
      victim = steps[i];
      most = size;
    }
  }
  if (victim == UINT32_MAX)
    return false;
  machine->choices[victim] = BERTH_FIT_SLOW;
  drop(machine, machine->task->steps[victim].chain);
  machine->load += machine->task->steps[victim].tile;
  return true;
}

// The step is over: the buffer stays, unless its content is not wanted.
static void finish(Machine *machine, uint32_t index) {
  const BerthFitStep *step = &machine->task->steps[index];
  uint32_t chain = step->chain;
  bool last = index + 1 == machine->task->chains[chain].end;
  machine->busy[chain] = false;
  machine->next[chain] = index + 1;
  if (!machine->at[chain]) {
    machine->load -= step->tile;
    return;
  }
  if (last || step[1].kind == BERTH_USE_WRITE)
    drop(machine, chain);
  else if (step[1].end)
    machine->choices[index + 1] = BERTH_FIT_KEEP;
}

static void begin(Machine *machine, uint32_t index) {
  const BerthFitStep *step = &machine->task->steps[index];
  uint32_t chain = step->chain;
  machine->busy[chain] = true;
  if (!machine->task->chains[chain].isHeld) {
    machine->choices[index] = BERTH_FIT_SLOW;
    machine->load += step->tile;
    return;
  }
  machine->choices[index] = BERTH_FIT_KEEP;
  if (machine->at[chain])
    return;
  machine->choices[index] = BERTH_FIT_FILL;
  hold(machine, chain);
}

static bool runSections(Machine *machine, const BerthFitEvents *events) {
  const BerthFitTask *task = machine->task;
  uint32_t started = 0, ended = 0;
  for (uint32_t k = 0; k < task->numSections; ++k) {
    // What ends before its section starts has not begun yet: an END of a gap
    // without sections comes right after the step before it.
    for (; ended < task->numSteps; ++ended) {
      const BerthFitStep *step = &task->steps[events->ends[ended]];
      if (step->last > k)
        break;
      finish(machine, events->ends[ended]);
    }
    uint32_t from = started;
    for (; started < events->numStarts &&
           task->steps[events->starts[started]].first == k;
         ++started)
      begin(machine, events->starts[started]);
    while (machine->load > task->capacities[k])
      if (!evict(machine) &&
          !demote(machine, events->starts + from, started - from))
        return false;
  }
  for (; ended < task->numSteps; ++ended)
    finish(machine, events->ends[ended]);
  return true;
}

bool berthFitPolicyRun(const BerthFitTask *task, size_t policy,
                       uint8_t *choices, BerthMemory *memory) {
  Machine machine = {.task = task, .policy = policy, .choices = choices};
  BerthFitEvents events = {0};
  BerthMemoryMark mark = berthMemoryGetMark(memory);
  machine.held = BERTH_MEMORY_NEW(memory, uint32_t, task->numChains);
  machine.at = BERTH_MEMORY_NEW(memory, uint32_t, task->numChains);
  machine.next = BERTH_MEMORY_NEW(memory, uint32_t, task->numChains);
  machine.busy = BERTH_MEMORY_NEW(memory, bool, task->numChains);
  if (!berthFitEventsInit(&events, task, memory) || memory->failed)
    return false;
  for (uint32_t s = 0; s < task->numSteps; ++s)
    choices[s] = BERTH_FIT_SLOW; // what an END is, unless it is kept
  for (uint32_t c = 0; c < task->numChains; ++c)
    machine.next[c] = task->chains[c].begin;
  bool done = runSections(&machine, &events);
  berthMemoryRelease(memory, mark);
  return done;
}
