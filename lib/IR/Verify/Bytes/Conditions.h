//===- Conditions.h - Conditions of branches, made ready to be run -- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a branch asks of the variables of loops around it: comparisons, and what
// joins them. Where something else decides, the answer may be either.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_BYTES_CONDITIONS_H
#define BERTH_LIB_IR_VERIFY_BYTES_CONDITIONS_H

#include "IR/Verify/Bytes/IndexPrograms.h"

enum { BERTH_CONDITION_MOST_TERMS = 32 };

typedef enum BerthTruth {
  BERTH_FALSE,
  BERTH_TRUE,
  BERTH_EITHER ///< nobody knows
} BerthTruth;

typedef enum BerthTermKind {
  BERTH_TERM_KNOWN,   ///< `truth`
  BERTH_TERM_COMPARE, ///< nodes a and b of the program, by arith.cmpi's number
  BERTH_TERM_AND,     ///< earlier terms a and b
  BERTH_TERM_OR,
  BERTH_TERM_XOR
} BerthTermKind;

typedef struct BerthTerm {
  BerthTermKind kind;
  BerthTruth truth;
  int64_t predicate;
  int a, b;
} BerthTerm;

/// The last term is the condition; none: either.
typedef struct BerthCondition {
  BerthTerm terms[BERTH_CONDITION_MOST_TERMS];
  int numTerms;
} BerthCondition;

/// What the op, which has two regions, takes the first one by.
void berthConditionCompile(BerthIndexProgram *program, MlirOperation branch,
                           BerthCondition *condition);

/// With these values of the loops' variables.
BerthTruth berthConditionRun(const BerthCondition *condition,
                             const BerthIndexProgram *program,
                             const int64_t *variables);

#endif // BERTH_LIB_IR_VERIFY_BYTES_CONDITIONS_H
