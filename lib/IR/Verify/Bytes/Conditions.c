//===- Conditions.c - Conditions of branches, made ready to be run --------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Bytes/Conditions.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/Versions.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { kNoTerm = -1 };

/// arith.cmpi's numbers.
enum { kEqual = 0, kAtLeast = 5, kNumPredicates = 10 };

/// One that may be either is left where there is no room.
static int addTerm(BerthCondition *condition, BerthTerm term) {
  if (condition->numTerms == BERTH_CONDITION_MOST_TERMS)
    return kNoTerm;
  condition->terms[condition->numTerms] = term;
  return condition->numTerms++;
}

static int addTruth(BerthCondition *condition, BerthTruth truth) {
  return addTerm(condition,
                 (BerthTerm){.kind = BERTH_TERM_KNOWN, .truth = truth});
}

static int addCompare(const BerthIndexProgram *program,
                      BerthCondition *condition, int64_t predicate, int a,
                      int b) {
  if (predicate < 0 || predicate >= kNumPredicates ||
      !berthIndexIsKnown(program, a) || !berthIndexIsKnown(program, b))
    return addTruth(condition, BERTH_EITHER);
  return addTerm(condition, (BerthTerm){.kind = BERTH_TERM_COMPARE,
                                        .predicate = predicate,
                                        .a = a,
                                        .b = b});
}

static int addJoined(BerthCondition *condition, BerthTermKind kind, int a,
                     int b) {
  if (a == kNoTerm || b == kNoTerm)
    return kNoTerm;
  return addTerm(condition, (BerthTerm){.kind = kind, .a = a, .b = b});
}

static int compileTruth(BerthIndexProgram *program, BerthCondition *condition,
                        MlirValue value);

static int compileJoined(BerthIndexProgram *program, BerthCondition *condition,
                         MlirOperation op, BerthTermKind kind) {
  int a = compileTruth(program, condition, mlirOperationGetOperand(op, 0));
  int b = compileTruth(program, condition, mlirOperationGetOperand(op, 1));
  return addJoined(condition, kind, a, b);
}

static int compileTruth(BerthIndexProgram *program, BerthCondition *condition,
                        MlirValue value) {
  int64_t constant;
  MlirType type = mlirValueGetType(value);
  if (!mlirTypeIsAInteger(type) || mlirIntegerTypeGetWidth(type) != 1 ||
      !mlirValueIsAOpResult(value))
    return addTruth(condition, BERTH_EITHER);
  if (berthValueIsConstant(value, &constant))
    return addTruth(condition, constant ? BERTH_TRUE : BERTH_FALSE);
  MlirOperation op = mlirOpResultGetOwner(value);
  if (berthOpIs(op, BERTH_OP_AND))
    return compileJoined(program, condition, op, BERTH_TERM_AND);
  if (berthOpIs(op, BERTH_OP_OR))
    return compileJoined(program, condition, op, BERTH_TERM_OR);
  if (berthOpIs(op, BERTH_OP_XOR))
    return compileJoined(program, condition, op, BERTH_TERM_XOR);
  if (!berthOpIs(op, BERTH_OP_COMPARISON) ||
      !mlirTypeIsAIndex(mlirValueGetType(mlirOperationGetOperand(op, 0))))
    return addTruth(condition, BERTH_EITHER);
  int a = berthIndexCompile(program, mlirOperationGetOperand(op, 0));
  int b = berthIndexCompile(program, mlirOperationGetOperand(op, 1));
  return addCompare(
      program, condition,
      mlirIntegerAttrGetValueInt(berthAttributeOf(op, "predicate")), a, b);
}

/// All of the set's constraints hold: expressions that are 0, or not below it.
static int compileSet(BerthIndexProgram *program, BerthCondition *condition,
                      MlirOperation branch) {
  MlirIntegerSet set =
      mlirIntegerSetAttrGetValue(berthAttributeOf(branch, "condition"));
  int all = addTruth(condition, BERTH_TRUE),
      zero = berthIndexNumber(program, 0);
  for (intptr_t i = 0; i < mlirIntegerSetGetNumConstraints(set); ++i) {
    int node =
        berthIndexCompileExpr(program, mlirIntegerSetGetConstraint(set, i),
                              branch, 0, mlirIntegerSetGetNumDims(set));
    bool isEqual = mlirIntegerSetIsConstraintEq(set, i);
    int next =
        addCompare(program, condition, isEqual ? kEqual : kAtLeast, node, zero);
    all = addJoined(condition, BERTH_TERM_AND, all, next);
  }
  return all;
}

void berthConditionCompile(BerthIndexProgram *program, MlirOperation branch,
                           BerthCondition *condition) {
  *condition = (BerthCondition){.numTerms = 0};
  int last = berthOpIsAffine(branch)
                 ? compileSet(program, condition, branch)
                 : compileTruth(program, condition,
                                mlirOperationGetOperand(branch, 0));
  if (last == kNoTerm)
    condition->numTerms = 0;
}

static BerthTruth truthOf(bool holds) {
  return holds ? BERTH_TRUE : BERTH_FALSE;
}

/// Unsigned comparisons come last; of numbers below 0 they are not asked.
static BerthTruth compare(int64_t predicate, int64_t a, int64_t b) {
  const bool results[] = {
      a == b, a != b, a<b, a <= b, a> b, a >= b, a<b, a <= b, a> b, a >= b};
  if (predicate > kAtLeast && (a < 0 || b < 0))
    return BERTH_EITHER;
  return truthOf(results[predicate]);
}

static BerthTruth join(BerthTermKind kind, BerthTruth a, BerthTruth b) {
  BerthTruth ends = kind == BERTH_TERM_AND ? BERTH_FALSE : BERTH_TRUE;
  if (kind != BERTH_TERM_XOR && (a == ends || b == ends))
    return ends;
  if (a == BERTH_EITHER || b == BERTH_EITHER)
    return BERTH_EITHER;
  return kind == BERTH_TERM_XOR ? truthOf(a != b) : truthOf(!ends);
}

BerthTruth berthConditionRun(const BerthCondition *condition,
                             const BerthIndexProgram *program,
                             const int64_t *variables) {
  int64_t values[BERTH_INDEX_MOST_NODES];
  BerthTruth truths[BERTH_CONDITION_MOST_TERMS];
  if (condition->numTerms == 0 ||
      !berthIndexRun(program, variables, program->numNodes - 1, values))
    return BERTH_EITHER;
  for (int i = 0; i < condition->numTerms; ++i) {
    const BerthTerm *term = &condition->terms[i];
    truths[i] = term->kind == BERTH_TERM_KNOWN ? term->truth
                : term->kind == BERTH_TERM_COMPARE
                    ? compare(term->predicate, values[term->a], values[term->b])
                    : join(term->kind, truths[term->a], truths[term->b]);
  }
  return truths[condition->numTerms - 1];
}
