//===- TurnForms.h - Numbers as functions of a loop's turn ---- C ---------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The verifier's own reading of what a program computes from a loop's variable:
// a sum of multiples of what the loop is made of, or the remainder of the
// number of a turn.
//
//   %since = arith.subi %i, %lb           1 turn step
//   %turn = arith.divui %since, %step     1 turn
//   %k = arith.remui %turn + 1, %c3       1 turn + 1, modulo 3
//   %more = arith.subi %ub - 1, %i        1 ub - 1 lb - 1 turn step - 1
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_TURNS_TURNFORMS_H
#define BERTH_LIB_IR_VERIFY_TURNS_TURNFORMS_H

#include "mlir-c/IR.h"

#include <stdbool.h>
#include <stdint.h>

/// What a form is a sum of, besides values from outside of the loop.
typedef enum BerthTurnTerm {
  BERTH_TERM_TURN,      ///< the number of the turn, from 0
  BERTH_TERM_TURN_STEP, ///< that times the loop's step, if this is no constant
  BERTH_TERM_NUMBER,    ///< 1
  BERTH_NUM_TURN_TERMS
} BerthTurnTerm;

enum { BERTH_MOST_OUTER_VALUES = 6 };

typedef struct BerthTurnForm {
  bool isKnown;
  int64_t terms[BERTH_NUM_TURN_TERMS];
  int numOuter;
  MlirValue outer[BERTH_MOST_OUTER_VALUES];
  int64_t factors[BERTH_MOST_OUTER_VALUES]; ///< of these; none is 0
  int64_t modulus; ///< the sum is that modulo this; 0: it is not
} BerthTurnForm;

/// A scf.for.
typedef struct BerthTurnLoop {
  MlirOperation op; ///< null: there is none, and all are numbers
  MlirBlock body;
  MlirValue variable, lower, upper, step;
  bool isUnsigned;
  bool hasLower, hasUpper, hasStep; ///< they are constants
  int64_t lowerNumber, upperNumber, stepNumber;
  int64_t count; ///< of turns; -1: not constant
} BerthTurnLoop;

BerthTurnLoop berthTurnLoopOf(MlirOperation loop);

/// What the value is in a turn, or, if `turn`, in the turn of that number,
/// which may be below 0.
BerthTurnForm berthTurnFormOf(const BerthTurnLoop *loop, MlirValue value,
                              const int64_t *turn);

/// The form of the loop's variable in the turn of that number.
BerthTurnForm berthTurnFormOfVariable(const BerthTurnLoop *loop,
                                      const int64_t *turn);

/// True if both are known, and the same.
bool berthTurnFormsAreEqual(const BerthTurnForm *a, const BerthTurnForm *b);

/// True if the second one is so much more than the first one.
bool berthTurnFormsDistance(const BerthTurnForm *a, const BerthTurnForm *b,
                            int64_t *distance);

/// True if it is a number.
bool berthTurnFormIsNumber(const BerthTurnForm *form, int64_t *number);

/// True if it is the number of the turn plus `*ahead`, modulo `modulus`.
bool berthTurnFormIsSlot(const BerthTurnForm *form, int64_t modulus,
                         int64_t *ahead);

/// What conditions say of the turns that there are.
typedef struct BerthTurnGuard {
  bool isKnown;    ///< nothing else is asked for
  bool takesTurn;  ///< the loop takes a turn
  bool isFollowed; ///< at least `ahead` turns follow the one whose variable is
                   ///< `variable`
  BerthTurnForm variable;
  int64_t ahead;
} BerthTurnGuard;

/// Adds what a condition says that is true.
void berthTurnGuardAdd(const BerthTurnLoop *loop, MlirValue condition,
                       BerthTurnGuard *guard);

#endif // BERTH_LIB_IR_VERIFY_TURNS_TURNFORMS_H
