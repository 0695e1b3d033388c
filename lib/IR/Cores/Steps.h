//===- Steps.h - What several cores do between barriers ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Several cores run one function, each its own branches of it, and wait for
// each other at barriers. The n-th barrier that one core comes to is the n-th
// of all others, wherever they stand. So what a core does is cut at its
// barriers, and at the ends of loops that hold some; where all cores have the
// same cuts, in the same order, the pieces between them are the *steps* of the
// function:
//
//   core 0                core 1                       step
//   load A                                             0
//   barrier               barrier
//   scf.for 1 .. 7 {      scf.for 0 .. 6 {             1
//     load B                multiply A                 2
//     barrier               barrier
//   }                     }                            3
//   store C                                            4
//
// What stands in one step runs at the same time, as does what stands in steps
// between which control passes without a barrier: 1 and 2, 3 and 2, 3 and 4.
// Two loops are a pair if their numbers of turns are surely equal. If the cuts
// do not fit, `reason` says so, and nothing is known of the order.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_CORES_STEPS_H
#define BERTH_LIB_IR_CORES_STEPS_H

#include "IR/Scope/Points.h"

typedef enum BerthMarkKind {
  BERTH_MARK_BARRIER,
  BERTH_MARK_LOOP,
  BERTH_MARK_LOOP_END
} BerthMarkKind;

/// Where a step ends and the next one begins.
typedef struct BerthMark {
  BerthMarkKind kind;
  MlirOperation op;
  size_t partner;      ///< of a loop: where the other end of it is
  bool mayHaveNoTurns; ///< of a loop
} BerthMark;

typedef struct BerthSteps {
  const char *reason; ///< NULL, or why the cores cannot be held together
  MlirOperation reasonAt;
  int numCores;     ///< 1 where a description tells of none
  size_t count;     ///< step i ends at marks[i], the last one with the function
  BerthMark *marks; ///< of the first core; the others have their like
  int64_t numPoints;
  int32_t *stepAt; ///< [core * numPoints + point]; -1: it does not come there
  bool *isLoose;   ///< by point: in a branch on which cores may disagree
  bool *isSure;    ///< by point: each time that the step is run
} BerthSteps;

/// `root` is the program. Arrays live in `memory`.
BerthSteps berthStepsOf(MlirOperation scope, const BerthPoints *points,
                        MlirOperation root, const char *breakRule,
                        BerthMemory *memory);

/// Where control may go from the end of a step; returns how many `next` has.
/// `*isBehindBarrier`: only when all cores have arrived.
size_t berthStepNext(const BerthSteps *steps, size_t step, size_t next[2],
                     bool *isBehindBarrier);

/// The step in which a core comes to a point, or -1.
static inline int32_t berthStepAt(const BerthSteps *steps, int core,
                                  int64_t point) {
  return steps->stepAt[core * steps->numPoints + point];
}

#endif // BERTH_LIB_IR_CORES_STEPS_H
