//===- Arith.c - Arithmetic of the program, each op once ------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Dynamic/Arith.h"

#include "IR/Ops/OrDie.h"

#include <stdlib.h>
#include <string.h>

/// An op that was built, so that no other one need be.
struct BerthArithOp {
  const char *name;
  int predicate;
  MlirValue operands[3];
  MlirValue result;
  size_t previous; ///< the one before with the same first operand
};

struct BerthArithConstant {
  int64_t value;
  MlirValue made;
};

/// Of an op that is no comparison.
enum { kNoPredicate = -1 };

BerthArith berthArithCreate(const BerthJob *job, const BerthHome *home,
                            MlirOperation call) {
  MlirContext context = mlirOperationGetContext(job->scope.op);
  BerthArith arith = {.maker = berthMakerCreate(job, home),
                      .index = mlirIndexTypeGet(context),
                      .i1 = mlirIntegerTypeGet(context, 1)};
  arith.maker.call = call;
  arith.at = berthMakerPoint(&arith.maker);
  return arith;
}

void berthArithFree(BerthArith *arith) {
  free(arith->constants);
  free(arith->built);
  berthPointerMapFree(&arith->lastUser);
  berthMakerFree(&arith->maker);
}

static bool isBuilt(const struct BerthArithOp *built, const char *name,
                    int predicate, size_t numOperands,
                    const MlirValue *operands) {
  if (strcmp(built->name, name) != 0 || built->predicate != predicate)
    return false;
  for (size_t i = 0; i < numOperands; ++i)
    if (!mlirValueEqual(built->operands[i], operands[i]))
      return false;
  return true;
}

MlirValue berthArithConstant(BerthArith *arith, int64_t value) {
  for (size_t i = 0; i < arith->numConstants; ++i)
    if (arith->constants[i].value == value)
      return arith->constants[i].made;
  struct BerthArithConstant made = {value, berthBuildIndex(arith->at, value)};
  arith->constants =
      berthGrow(arith->constants, arith->numConstants, &arith->constantCapacity,
                sizeof *arith->constants);
  arith->constants[arith->numConstants++] = made;
  return made.made;
}

/// The op on these operands, built once.
static MlirValue build(BerthArith *arith, const char *name, int predicate,
                       size_t numOperands, const MlirValue *operands,
                       MlirType type) {
  size_t last = berthPointerMapFind(&arith->lastUser, operands[0].ptr);
  for (size_t i = last; i != BERTH_NOT_FOUND; i = arith->built[i].previous)
    if (isBuilt(&arith->built[i], name, predicate, numOperands, operands))
      return arith->built[i].result;
  struct BerthArithOp built = {
      .name = name, .predicate = predicate, .previous = last};
  for (size_t i = 0; i < numOperands; ++i)
    built.operands[i] = operands[i];
  MlirNamedAttribute attribute;
  if (predicate != kNoPredicate)
    attribute = berthNamed(mlirTypeGetContext(type), "predicate",
                           berthI64(mlirTypeGetContext(type), predicate));
  built.result =
      berthBuildValue(arith->at, name, (intptr_t)numOperands, operands, type,
                      predicate != kNoPredicate, &attribute);
  arith->built = berthGrow(arith->built, arith->numBuilt, &arith->builtCapacity,
                           sizeof *arith->built);
  berthPointerMapSet(&arith->lastUser, operands[0].ptr, arith->numBuilt);
  arith->built[arith->numBuilt++] = built;
  return built.result;
}

MlirValue berthArithBinary(BerthArith *arith, const char *name, MlirValue a,
                           MlirValue b) {
  MlirValue operands[] = {a, b};
  return build(arith, name, kNoPredicate, 2, operands, mlirValueGetType(a));
}

MlirValue berthArithCompare(BerthArith *arith, int predicate, MlirValue a,
                            MlirValue b) {
  MlirValue operands[] = {a, b};
  return build(arith, BERTH_NAME_COMPARE, predicate, 2, operands, arith->i1);
}

MlirValue berthArithNot(BerthArith *arith, MlirValue a) {
  if (mlirValueIsNull(arith->truth))
    arith->truth = berthBuildInteger(arith->at, arith->i1, 1);
  return berthArithBinary(arith, BERTH_NAME_XOR, a, arith->truth);
}

MlirValue berthArithBoth(BerthArith *arith, MlirValue a, MlirValue b) {
  if (mlirValueIsNull(a) || mlirValueIsNull(b))
    return mlirValueIsNull(a) ? b : a;
  return berthArithBinary(arith, BERTH_NAME_AND, a, b);
}

MlirValue berthArithSelect(BerthArith *arith, MlirValue condition, MlirValue a,
                           MlirValue b) {
  MlirValue operands[] = {condition, a, b};
  return build(arith, BERTH_NAME_SELECT, kNoPredicate, 3, operands,
               mlirValueGetType(a));
}

MlirValue berthArithElements(BerthArith *arith, const BerthBufferInfo *buffer,
                             int64_t limit, MlirValue *fits) {
  intptr_t count = mlirOperationGetNumOperands(buffer->alloc);
  MlirValue result = {NULL};
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue extent =
        berthMake(&arith->maker, mlirOperationGetOperand(buffer->alloc, i));
    MlirValue most = {NULL};
    if (fits && i == 0) {
      most = berthArithConstant(arith, limit);
    } else if (fits) {
      MlirValue divisor = berthArithBinary(arith, BERTH_NAME_MAX, result,
                                           berthArithConstant(arith, 1));
      most = berthArithBinary(arith, BERTH_NAME_DIVIDE,
                              berthArithConstant(arith, limit), divisor);
    }
    if (fits)
      *fits = berthArithBoth(
          arith, *fits,
          berthArithCompare(arith, BERTH_UNSIGNED_LESS_EQUAL, extent, most));
    result = i ? berthArithBinary(arith, BERTH_NAME_MULTIPLY, result, extent)
               : extent;
  }
  return result;
}
