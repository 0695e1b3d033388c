//===- FitTask.h - A problem as the search for a fit sees it -------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Each segment of a buffer is a *chain* of steps, its uses in order. What is to
// be chosen is how each step comes by its content:
//
//   KEEP   it stayed in the fast memory since the step before
//   FILL   it is brought in (or made) now
//   SLOW   the step is served from the slow memory, by slices where it has a
//          tile, which is held meanwhile
//   MAKE   it is made again now, where the problem says what that costs
//
// Where content outlives its last use, or has to be in the slow memory in the
// end, a step END closes the chain: KEEP means that it stays until then, SLOW
// that it leaves before.
//
// *Sections* are the times from one start of a use to the next. The most is
// held right at such a start, for in between buffers only leave; so these are
// all times at which the capacity has to be looked at.
//
// What is held is a sum of whole buffers. Where no such sum meets the capacity,
// the largest below it is as much as can be held: that is the section's limit.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_FIT_FITTASK_H
#define BERTH_LIB_PACK_FIT_FITTASK_H

#include "Pack/Fit/FitSpace.h"
#include "berth-c/Fit.h"

/// Where a chain's content is between two steps.
typedef enum BerthFitPlace {
  BERTH_FIT_OUT,   ///< in the slow memory only
  BERTH_FIT_CLEAN, ///< in both
  BERTH_FIT_DIRTY, ///< in the fast memory only
  BERTH_FIT_LOST,  ///< nowhere: it will be made again
  BERTH_FIT_NUM_PLACES
} BerthFitPlace;

typedef enum BerthFitChoice {
  BERTH_FIT_KEEP,
  BERTH_FIT_FILL,
  BERTH_FIT_SLOW,
  BERTH_FIT_MAKE,
  BERTH_FIT_NUM_CHOICES
} BerthFitChoice;

/// True if the content is in the fast memory.
static inline bool berthFitIsHeld(BerthFitPlace place) {
  return place == BERTH_FIT_CLEAN || place == BERTH_FIT_DIRTY;
}

/// What no choice may cost; sums of a few stay below 2^63.
#define BERTH_FIT_NEVER (INT64_C(1) << 61)

typedef struct BerthFitStep {
  uint32_t chain;
  uint32_t first; ///< sections [first, last) start during it
  uint32_t last;
  uint32_t before; ///< sections [before, first) start between the step before
                   ///< and it
  bool end;
  BerthUseKind kind;
  int64_t lower; ///< times; both the end of the life for END
  int64_t upper;
  int64_t bytes;  ///< touched
  int64_t access; ///< what SLOW costs, apart from a spill; BERTH_FIT_NEVER: the
                  ///< step cannot be SLOW
  int64_t make;   ///< what MAKE costs; BERTH_FIT_NEVER: it is not possible
  int64_t tile;   ///< what SLOW takes of the capacity during the step
  int64_t spare;  ///< by how much that is rounded up
} BerthFitStep;

typedef struct BerthFitChain {
  uint32_t buffer;
  uint32_t begin; ///< its steps [begin, end)
  uint32_t end;
  bool backed;
  bool isHeld;     ///< some run of the fast memory has room for it
  int64_t size;    ///< what it takes of the capacity
  int64_t rounded; ///< the most by which that, or a tile, has been rounded up
  int64_t fill;    ///< what moving all of it costs
  int64_t spill;
} BerthFitChain;

typedef struct BerthFitTask {
  uint32_t numChains;
  BerthFitChain *chains;
  uint32_t numSteps;
  BerthFitStep *steps; ///< chain by chain
  uint32_t numSections;
  int64_t *starts;     ///< section -> its time
  int64_t *capacities; ///< section -> bytes that may be held
  int64_t *limits;     ///< section -> the most that can be held, see below
  int64_t *needs;      ///< section -> what its uses need at least
  int64_t *spare;      ///< section -> by how much one of these is rounded up
  BerthFitSpace space;
  int64_t room; ///< bytes of the fast memory that can be held at any time
  int64_t unit; ///< every cost is a multiple of it
  int64_t most; ///< no plan costs more
  /// Where sums begin in which a byte at a price of 1 counts `scale`.
  int64_t scale;
} BerthFitTask;

/// The problem has passed berthProblemCheck.
BerthStatus berthFitTaskInit(BerthFitTask *task,
                             const BerthProblemData *problem,
                             const BerthFitOptions *options,
                             BerthMemory *memory, BerthError *error);

/// What one buffer's moves cost, by the options.
BerthFitPrice berthFitPriceOf(const BerthProblemData *problem,
                              const BerthFitOptions *options, size_t buffer);

/// True if the step may be SLOW.
static inline bool berthFitMayBeSlow(const BerthFitStep *step) {
  return step->access < BERTH_FIT_NEVER;
}

/// What a step costs that finds its content at `place`, BERTH_FIT_NEVER if that
/// choice is not open; `*next` is where the content is afterwards.
int64_t berthFitStepCost(const BerthFitTask *task, uint32_t step,
                         BerthFitPlace place, BerthFitChoice choice,
                         BerthFitPlace *next);

/// What every step takes at least: a tile where it may have one, be there room
/// for it or not. No choices of a plan take less at any time.
static inline BerthFitChoice berthFitLeastChoice(const BerthFitStep *step) {
  return berthFitMayBeSlow(step) || step->tile ? BERTH_FIT_SLOW
                                               : BERTH_FIT_FILL;
}

/// What all choices together cost.
int64_t berthFitCostOf(const BerthFitTask *task, const uint8_t *choices);

/// Does the choice hold the sections of the gap before the step? Those of the
/// step itself?
static inline bool berthFitHoldsGap(BerthFitChoice choice) {
  return choice == BERTH_FIT_KEEP;
}
static inline bool berthFitHoldsStep(const BerthFitStep *step,
                                     BerthFitChoice choice) {
  return choice != BERTH_FIT_SLOW && !step->end;
}

/// `loads[section]` = what is held at its start, sizes rounded down to
/// multiples of the grain. Room for numSections + 1.
void berthFitLoads(const BerthFitTask *task, const uint8_t *choices,
                   int64_t grain, int64_t *loads);

#endif // BERTH_LIB_PACK_FIT_FITTASK_H
