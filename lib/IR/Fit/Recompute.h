//===- Recompute.h - What is computed again ------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instead of being kept or moved, content may be computed again by the op that
// made it, its *producer*:
//
//   exp ins(%x) outs(%a)             exp ins(%x) outs(%a0)
//   ...                              ...
//                                    exp ins(%x) outs(%a1)
//   sqrt ins(%a)                     sqrt ins(%a1)
//
// The producer has to be an op that writes all of the buffer, reads none of it
// and does nothing else. What it reads has to be there with the content that it
// had, and so has what no fit moves: nobody writes or frees it in between. A
// buffer that it reads and that may leave has to have a use at the very op, or
// at one that holds both, so that it is there (or is served from the slow
// memory) anyway. Else it may be given one: then its life is longer, which
// takes bytes and moves of its own (Choose.c).
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FIT_RECOMPUTE_H
#define BERTH_LIB_IR_FIT_RECOMPUTE_H

#include "IR/Fit/FitJob.h"
#include "berth-c/Fit.h"

/// Fills in the `producer` of uses, `bufferOf` and `longer`. Needs all uses.
void berthFitFindProducers(BerthFitJob *fit);

/// A copy of the shortest lives, prolonged for all that is taken.
BerthFitBuffer *berthFitProlong(BerthFitJob *fit);

/// Takes what the plan fills, or touches in the slow memory, and what could be
/// made again instead from smaller buffers that live longer. Of what was taken
/// before only what the plan computes again; false: nothing.
bool berthFitTakeLonger(BerthFitJob *fit, const BerthFitPlan *plan);
void berthFitTakeNone(BerthFitJob *fit);

/// Bytes that the producer reads in the slow memory if it runs in front of the
/// use: with `isPlanned` where the stays are, else at most.
double berthFitProducerReads(const BerthFitJob *fit, const BerthFitUse *use,
                             bool isPlanned);

/// True if content is computed again for the use, the first one of its stay.
bool berthFitIsComputedAgain(const BerthFitBuffer *buffer, size_t use,
                             const BerthFitPlan *plan);

/// A producer that runs again, in front of the use.
typedef struct BerthFitAgain {
  MlirOperation op;
  const BerthFitUse *use;
  size_t buffer;
  int64_t at; ///< the point of the producer
} BerthFitAgain;

/// All of them, by use, in the order in which they stand in front of it.
typedef struct BerthFitAgains {
  size_t count;
  BerthFitAgain *items;
  BerthPointerMap at;      ///< op -> its index
  BerthPointerMap firstOf; ///< a use's op -> the index of the first
} BerthFitAgains;

/// Puts them there, on the buffers that their producers have.
BerthFitAgains berthFitComputeAgain(const BerthFitJob *fit,
                                    const BerthFitPlan *plan,
                                    BerthMemory *memory);
void berthFitAgainsFree(BerthFitAgains *agains);

/// What stands in front of a use has to be put in front of this op.
MlirOperation berthFitFrontOf(const BerthFitAgains *agains, MlirOperation use);

/// The use that an op of the block belongs to: the op itself, or the one that
/// it computes something for.
MlirOperation berthFitUseOf(const BerthFitAgains *agains, MlirOperation op);

#endif // BERTH_LIB_IR_FIT_RECOMPUTE_H
