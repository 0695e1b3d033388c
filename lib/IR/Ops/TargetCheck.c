//===- TargetCheck.c - A target description against a program -------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Ops/TargetCheck.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/AllocationCheck.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/ForeignType.h"
#include "IR/Ops/OpRows.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Spaces.h"
#include "IR/Ops/TargetData.h"
#include "IR/Ops/Text.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

typedef struct Check {
  const BerthTarget *target; ///< NULL: there is none
  bool isOwn;                ///< of the op at hand: its own attributes say it
  bool *isSeen;              ///< per entry of the description, in its order
  bool failed;
} Check;

/// True if a list of numbers has this one.
static bool listHas(MlirAttribute list, intptr_t number) {
  intptr_t count =
      mlirAttributeIsAArray(list) ? mlirArrayAttrGetNumElements(list) : 0;
  for (intptr_t i = 0; i < count; ++i) {
    MlirAttribute element = mlirArrayAttrGetElement(list, i);
    if (mlirAttributeIsAInteger(element) &&
        mlirIntegerAttrGetValueInt(element) == number)
      return true;
  }
  return false;
}

/// What the op's interface says of one operand.
typedef struct OperandEffects {
  MlirValue value;
  int kinds;
} OperandEffects;

static void addKind(BerthEffect effect, void *userData) {
  OperandEffects *effects = userData;
  if (!mlirValueIsNull(effect.value) &&
      mlirValueEqual(effect.value, effects->value))
    effects->kinds |= effect.kind;
}

/// "the target description", or where the op itself says it the attribute that
/// names the operand, or one that could.
static void appendSource(BerthText *text, MlirOperation op, bool isOwn,
                         intptr_t operand) {
  if (!isOwn) {
    berthTextAppend(text, "the target description");
    return;
  }
  static const char *const lists[] = {"berth.reads", "berth.writes",
                                      "berth.frees", "berth.views",
                                      "berth.waits"};
  const char *name = "berth.reads and the like";
  MlirAttribute value = {NULL};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i) {
    MlirAttribute list = berthAttributeOf(op, lists[i]);
    if (mlirAttributeIsNull(list) || !listHas(list, operand))
      continue;
    name = lists[i];
    value = list;
  }
  berthTextAppend(text, "%s", name);
  if (mlirAttributeIsNull(value))
    return;
  berthTextAppend(text, " = ");
  mlirAttributePrint(value, berthTextCallback, text);
}

/// "SOURCE names operand 2, which it does not have": `format` is what follows
/// the source.
static void failAt(Check *check, MlirOperation op, const char *before,
                   intptr_t operand, const char *format) {
  BerthText text = {0};
  berthTextAppend(&text, "%s", before);
  appendSource(&text, op, check->isOwn, operand);
  berthTextAppend(&text, format, (long long)operand);
  berthEmitError(op, text.data, (MlirOperation){NULL}, NULL);
  berthTextFree(&text);
  check->failed = true;
}

static void checkNumbers(Check *check, MlirOperation op,
                         const BerthOpRow *row) {
  intptr_t count = mlirOperationGetNumOperands(op);
  const char *format = " names operand %lld, which it does not have";
  if (row->bySegments) {
    MlirAttribute sizes = berthAttributeOf(op, "operandSegmentSizes");
    bool hasSizes =
        !mlirAttributeIsNull(sizes) && mlirAttributeIsADenseI32Array(sizes);
    count = hasSizes ? mlirDenseArrayGetNumElements(sizes) : 0;
    format = " names segment %lld of its operands, which its "
             "operandSegmentSizes does not have";
  }
  if ((intptr_t)strlen(row->operands) > count)
    failAt(check, op, "", (intptr_t)strlen(row->operands) - 1, format);
}

/// What an interface says is not for a description to deny.
static void checkInterface(Check *check, MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count && !check->failed; ++i) {
    OperandEffects effects = {.value = mlirOperationGetOperand(op, i)};
    if (!berthInterfaceGetEffects(op, addKind, &effects))
      return;
    if (berthTypeMayCarryPointer(mlirValueGetType(effects.value)) &&
        effects.kinds != berthRoleEffects(berthOpGetRole(op, i)))
      failAt(check, op, "what ", i,
             " says of operand %lld is not what the op's own interface says");
  }
}

/// What goes on behind the op is told by one of its results.
static void checkToken(Check *check, MlirOperation op, const BerthOpRow *row) {
  if (row->token <= mlirOperationGetNumResults(op))
    return;
  BerthText text = {0};
  berthTextAppend(&text, "%s names result %d, which it does not have",
                  check->isOwn ? "berth.token" : "the target description",
                  row->token - 1);
  berthEmitError(op, text.data, (MlirOperation){NULL}, NULL);
  berthTextFree(&text);
  check->failed = true;
}

/// What is waited for is a token, and a memref is none: the op would be taken
/// to leave it alone.
static void checkWaits(Check *check, MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count && !check->failed; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    if (berthOpGetRole(op, i) == BERTH_OPERAND_AWAITED &&
        (mlirTypeIsAMemRef(type) || mlirTypeIsAUnrankedMemRef(type)))
      failAt(check, op, "", i,
             " has operand %lld waited for, which is a memref, and no token");
  }
}

/// Which core runs it is told by the result.
static void checkCores(Check *check, MlirOperation op, const BerthOpRow *row) {
  if (!row->numCores || mlirOperationGetNumResults(op) > 0)
    return;
  BerthText text = {0};
  berthTextAppend(&text,
                  "%s has its result tell which of %d cores runs it, "
                  "but it has no result",
                  check->isOwn ? "berth.cores" : "the target description",
                  row->numCores);
  berthEmitError(op, text.data, (MlirOperation){NULL}, NULL);
  berthTextFree(&text);
  check->failed = true;
}

/// A condition on an operand that the op lacks would never hold.
static void checkConditions(Check *check, MlirOperation op) {
  if (!check->target)
    return;
  size_t count;
  const BerthOpRow *rows =
      berthFindRow(&check->target->rows,
                   mlirIdentifierStr(mlirOperationGetName(op)), &count);
  for (size_t k = 0; k < count && !check->failed; ++k)
    for (size_t i = 0; i < rows[k].numConditions && !check->failed; ++i)
      if (rows[k].conditions[i].operand >= mlirOperationGetNumOperands(op)) {
        check->isOwn = false;
        failAt(check, op, "a condition of ", rows[k].conditions[i].operand,
               " names operand %lld, which it does not have");
      }
}

/// The families of the description that the op is in do occur.
static void seeFamilies(Check *check, MlirOperation op) {
  const BerthOpRows *rows = check->target ? &check->target->rows : NULL;
  for (size_t i = 0; rows && i < rows->numFamilies; ++i)
    if (berthIsInFamily(mlirIdentifierStr(mlirOperationGetName(op)),
                        &rows->families[i]))
      check->isSeen[rows->families[i].order] = true;
}

/// What an entry of one name is refused for at once, of a family is known here.
static void checkEnd(Check *check, MlirOperation op, const BerthOpRow *row) {
  size_t count;
  const BerthOpRow *known =
      berthFindRow(berthRowsCurrent()->builtin,
                   mlirIdentifierStr(mlirOperationGetName(op)), &count);
  if (row->async != BERTH_ASYNC_WORK || !known || !berthRowEndsByGroups(known))
    return;
  berthEmitError(op,
                 "the target description has it pending or a barrier, but when "
                 "it ends is known, and not by a barrier",
                 (MlirOperation){NULL}, NULL);
  check->failed = true;
}

/// A function that is there tells itself what it does.
static void checkCallee(Check *check, MlirOperation op) {
  MlirOperation callee;
  bool hasBody =
      berthOpGetCallee(op, &callee) && !mlirOperationIsNull(callee) &&
      !mlirBlockIsNull(
          mlirRegionGetFirstBlock(mlirOperationGetRegion(callee, 0)));
  if (!hasBody)
    return;
  berthEmitError(op,
                 check->isOwn
                     ? "berth.reads and the like tell what the called function "
                       "does, which has a body that tells it"
                     : "the target description tells what the called function "
                       "does, which has a body that tells it",
                 callee, "the function");
  check->failed = true;
}

/// An allocation that asks for a memory which nobody has described would be in
/// none that is planned.
static void checkSpace(Check *check, MlirOperation op) {
  size_t count = berthTargetNumMemories(check->target);
  MlirAttribute space = berthAttributeOf(op, BERTH_SPACE);
  if (!count || mlirAttributeIsNull(space))
    return;
  MlirAttribute named = berthSpaceNamedBy(space);
  bool isKnown =
      berthTargetFindSpace(check->target, mlirOperationGetContext(op), named);
  BerthText message = {0};
  berthTextAppend(&message, BERTH_SPACE " = ");
  mlirAttributePrint(space, berthTextCallback, &message);
  berthTextAppend(&message, ": the target description tells of ");
  for (size_t i = 0; i < count; ++i)
    berthTextAppend(&message, "%s%s", i ? ", " : "",
                    berthTargetGetMemory(check->target, i)->space);
  if (!isKnown)
    berthEmitError(op, message.data, (MlirOperation){NULL}, NULL);
  check->failed |= !isKnown;
  berthTextFree(&message);
}

/// Two texts may mean one memory: then either would be planned for itself.
static void checkMemories(Check *check, MlirOperation root) {
  MlirContext context = mlirOperationGetContext(root);
  for (size_t i = 0; i < berthTargetNumMemories(check->target); ++i) {
    const BerthTargetMemory *memory = berthTargetGetMemory(check->target, i);
    const BerthTargetMemory *first =
        berthTargetFindMemory(check->target, context, memory->space);
    if (!first || first == memory || check->failed)
      continue;
    BerthText text = {0};
    berthTextAppend(&text,
                    "the target description tells of one memory twice: "
                    "'%s' and '%s'",
                    first->space, memory->space);
    berthEmitError(root, text.data, (MlirOperation){NULL}, NULL);
    berthTextFree(&text);
    check->failed = true;
  }
}

static MlirWalkResult checkOp(MlirOperation op, void *userData) {
  Check *check = userData;
  const BerthOpRow *row = berthToldRowOf(op);
  checkSpace(check, op);
  seeFamilies(check, op);
  if (!check->failed)
    checkConditions(check, op);
  if (check->failed)
    return MlirWalkResultInterrupt;
  if (!row)
    return MlirWalkResultAdvance;
  const BerthOpRow *described = berthDescribedRowOf(op);
  check->isOwn = row != described;
  if (described)
    check->isSeen[described->order] = true;
  checkEnd(check, op, row);
  if (row->name[0] == '@' || (check->isOwn && (row->traits & kDescribed)))
    checkCallee(check, op);
  if (!check->failed)
    checkToken(check, op, row);
  if (!check->failed)
    checkCores(check, op, row);
  if (row->allocates && !check->failed)
    check->failed = !berthCheckAllocation(op, row->allocates, check->isOwn);
  if (row->traits & kDescribed) {
    checkNumbers(check, op, row);
    if (!check->failed && row->operands[0])
      checkInterface(check, op);
    if (!check->failed && row->operands[0])
      checkWaits(check, op);
  }
  return check->failed ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static void remarkUnseen(const Check *check, MlirOperation root,
                         const char *pass) {
  for (size_t i = 0; i < check->target->numOps; ++i) {
    if (check->isSeen[check->target->ops[i].order])
      continue;
    BerthText text = {0};
    berthTextAppend(&text,
                    "the target description tells of '%s', which does not "
                    "occur",
                    check->target->ops[i].name);
    berthEmitRemark(root, BERTH_REMARK_ANALYSIS, pass, text.data);
    berthTextFree(&text);
  }
}

BerthStatus berthTargetCheck(MlirOperation root, bool isWhole,
                             const char *pass) {
  const BerthTarget *target = berthTargetCurrent();
  Check check = {
      .target = target,
      .isSeen = berthAllocateOrDie(target ? target->numOps : 0, sizeof(bool))};
  checkMemories(&check, root);
  if (!check.failed)
    mlirOperationWalk(root, checkOp, &check, MlirWalkPreOrder);
  if (target && isWhole && !check.failed)
    remarkUnseen(&check, root, pass);
  free(check.isSeen);
  return check.failed ? BERTH_INVALID : BERTH_SUCCESS;
}
