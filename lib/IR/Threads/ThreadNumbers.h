//===- ThreadNumbers.h - Numbers that each thread has -------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Which numbers a value of index arithmetic may have in which thread. What is
// made of thread ids, constants and the variables of loops becomes a list of
// steps, each of which takes the numbers of earlier ones:
//
//     %t = gpu.thread_id x                  0: thread x
//     %s = arith.remui %i, %c2              1: one of 0, 1      %i: anything
//     %o = arith.muli %s, %c64              2: 64; 3: 1 * 2
//     %k = arith.addi %o, %t                4: 3 + 0
//
// The list is run for each thread of the workgroup and each choice. So what is
// found is what each thread may have at some time, in whichever turn of loops.
// What cannot be computed is not added; whoever uses it has to do without.
//
// Numbers are what they are in mathematics: where one would not fit its type,
// or an unsigned operation has a negative operand, the run fails.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_THREADS_THREADNUMBERS_H
#define BERTH_LIB_IR_THREADS_THREADNUMBERS_H

#include "IR/Ops/OpKinds.h"
#include "IR/Ops/PointerMap.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/IR.h"

#include <stdint.h>

#define BERTH_NO_STEP UINT32_MAX

typedef enum BerthStepKind {
  BERTH_STEP_CONSTANT, ///< `constant`
  BERTH_STEP_THREAD,   ///< the thread's place in dimension `constant`
  BERTH_STEP_RANGE,    ///< any of [`constant`, `end`)
  BERTH_STEP_LOOP,     ///< from operand 0 up to operand 1, by operand 2
  BERTH_STEP_GUARD,    ///< goes on only if operand 0 is `constant`
  BERTH_STEP_OP        ///< what the op makes of its operands
} BerthStepKind;

typedef struct BerthNumberStep {
  BerthStepKind kind;
  BerthOpKind op;
  uint32_t operands[3];
  int64_t constant; ///< of a comparison: the predicate
  int64_t end;
  unsigned width; ///< of the type, in bits
} BerthNumberStep;

/// Zero-initialise, then berthThreadNumbersStart; berthThreadNumbersFree.
typedef struct BerthThreadNumbers {
  MlirOperation scope;
  bool knowsShape; ///< how many threads there are
  int64_t shape[3];
  bool asksThread; ///< some step is the thread's place
  size_t count, capacity;
  BerthNumberStep *steps;
  MlirValue *values; ///< by step: whose numbers it has, or null
  size_t valueCapacity;
} BerthThreadNumbers;

/// `scope` is a kernel or a launch, or any function whose block is not known.
void berthThreadNumbersStart(BerthThreadNumbers *numbers, MlirOperation scope);
void berthThreadNumbersFree(BerthThreadNumbers *numbers);

/// Forgets all steps.
void berthThreadNumbersClear(BerthThreadNumbers *numbers);

/// The step of a value, of a number, of a sum, of a multiple, or of an affine
/// expression over operands of `op`; BERTH_NO_STEP if nothing is known of it.
/// Of BERTH_NO_STEP follows BERTH_NO_STEP.
uint32_t berthThreadNumbersAdd(BerthThreadNumbers *numbers, MlirValue value);
uint32_t berthThreadNumbersAddConstant(BerthThreadNumbers *numbers,
                                       int64_t constant);
uint32_t berthThreadNumbersAddSum(BerthThreadNumbers *numbers, uint32_t a,
                                  uint32_t b);
uint32_t berthThreadNumbersAddMultiple(BerthThreadNumbers *numbers, uint32_t a,
                                       int64_t factor);
uint32_t berthThreadNumbersAddExpr(BerthThreadNumbers *numbers,
                                   MlirAffineExpr expr, MlirOperation op,
                                   intptr_t firstDim, intptr_t numDims);

/// From here on only threads, and turns, that come to the op, as far as the
/// condition of the op right around it tells. False if that is none that can be
/// computed.
bool berthThreadNumbersAddGuard(BerthThreadNumbers *numbers, MlirOperation op);

/// The same for all conditions around it that can be computed.
void berthThreadNumbersAddGuards(BerthThreadNumbers *numbers, MlirOperation op);

/// Calls back for each thread and each choice. `thread` counts through all
/// dimensions; 0 if no step asks for it. `found` is by step.
typedef void (*BerthNumbersCallback)(uint32_t thread, const int64_t *found,
                                     void *userData);

/// False if a number cannot be computed after all, or all of them are too many:
/// `*budget` is counted down.
bool berthThreadNumbersVisit(const BerthThreadNumbers *numbers,
                             BerthNumbersCallback callback, void *userData,
                             uint64_t *budget);

#endif // BERTH_LIB_IR_THREADS_THREADNUMBERS_H
