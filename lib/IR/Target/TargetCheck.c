//===- TargetCheck.c - A target description against a program -------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Target/TargetCheck.h"
#include "IR/Facts/FileDiagnostics.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpRows.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Spaces.h"
#include "IR/Ops/Text.h"
#include "IR/Target/AllocationCheck.h"
#include "IR/Target/ForeignType.h"
#include "IR/Target/TargetData.h"
#include "Support/Nearest.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

/// What became of an entry of the description in the program.
typedef struct Fate {
  bool isThere;        ///< an op of its name is, or the function
  bool isMet;          ///< an op was asked for it, or a call of the function
  bool isUsed;         ///< it is what holds of one of them
  bool hasAlignment;   ///< one of them says it where the entry reads it,
  bool lacksAlignment; ///< one does not
  bool makesNone;      ///< it tells to allocate, and too little for a buffer
  const BerthOpRow
      *before; ///< would hold too, but this one comes first; or NULL
} Fate;

typedef struct Check {
  const BerthTarget *target;   ///< NULL: there is none
  const BerthOpRow *described; ///< its entry for the op at hand, or NULL
  Fate *fates;                 ///< per entry of the description, in its order
  bool failed;
} Check;

/// Emits the error at the op, and frees the text.
static void fail(Check *check, MlirOperation op, BerthText *text) {
  berthEmitError(op, text->data, (MlirOperation){NULL}, NULL);
  berthTextFree(text);
  check->failed = true;
}

/// The same at a place of the description.
static void failThere(Check *check, MlirOperation root, BerthTargetPlace place,
                      BerthText *text) {
  berthEmitErrorAt(
      berthTargetLocate(check->target, mlirOperationGetContext(root), place),
      text->data);
  berthTextFree(text);
  check->failed = true;
}

/// "the target description (FILE:LINE:COLUMN)" of an entry.
static void appendEntry(BerthText *text, const Check *check,
                        const BerthOpRow *entry) {
  berthTargetAppend(text, check->target, check->target->places[entry->order]);
}

/// Who tells what a key says of the op: its attribute of that name, or the
/// description.
static void appendTeller(BerthText *text, const Check *check, MlirOperation op,
                         const char *attribute) {
  if (check->described && mlirAttributeIsNull(berthAttributeOf(op, attribute)))
    appendEntry(text, check, check->described);
  else
    berthTextAppend(text, "%s", attribute);
}

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

static const char *const lists[] = {"berth.reads", "berth.writes",
                                    "berth.frees", "berth.views",
                                    "berth.waits", "berth.chooses"};

enum { kNumLists = sizeof lists / sizeof *lists };

static bool hasLists(MlirOperation op) {
  for (size_t i = 0; i < kNumLists; ++i)
    if (!mlirAttributeIsNull(berthAttributeOf(op, lists[i])))
      return true;
  return false;
}

/// Who tells of the operands: the description, or where the op itself does the
/// attribute that names this one, or one that could.
static void appendSource(BerthText *text, const Check *check, MlirOperation op,
                         intptr_t operand) {
  if (check->described && !hasLists(op)) {
    appendEntry(text, check, check->described);
    return;
  }
  const char *name = "berth.reads and the like";
  MlirAttribute value = {NULL};
  for (size_t i = 0; i < kNumLists; ++i) {
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
  appendSource(&text, check, op, operand);
  berthTextAppend(&text, format, (long long)operand);
  fail(check, op, &text);
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
  appendTeller(&text, check, op, "berth.token");
  berthTextAppend(&text, " names result %d, which it does not have",
                  row->token - 1);
  fail(check, op, &text);
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
  appendTeller(&text, check, op, "berth.cores");
  berthTextAppend(&text,
                  " has its result tell which of %d cores runs it, "
                  "but it has no result",
                  row->numCores);
  fail(check, op, &text);
}

/// A condition on an operand that the op lacks would never hold.
static void checkConditions(Check *check, MlirOperation op,
                            const BerthOpRow *entry) {
  for (size_t i = 0; i < entry->numConditions && !check->failed; ++i) {
    long long operand = (long long)entry->conditions[i].operand;
    if (operand < mlirOperationGetNumOperands(op))
      continue;
    BerthText text = {0};
    berthTextAppend(&text, "a condition of ");
    appendEntry(&text, check, entry);
    berthTextAppend(&text, " names operand %lld, which it does not have",
                    operand);
    fail(check, op, &text);
  }
}

/// Notes what becomes of entries of the op's name, or of its function's.
static void seeEntries(Check *check, MlirOperation op,
                       const BerthOpRow *entries, size_t count) {
  for (size_t i = 0; i < count && !check->failed; ++i) {
    const BerthOpRow *entry = &entries[i];
    Fate *fate = &check->fates[entry->order];
    fate->isThere = fate->isMet = true;
    checkConditions(check, op, entry);
    if (fate->isUsed || check->failed)
      continue;
    fate->isUsed = entry == check->described;
    if (!fate->isUsed && check->described && berthRowHolds(entry, op))
      fate->before = check->described;
  }
}

/// The families of the description that the op is in do occur. One that is no
/// row of the op, since entries of its own or of a longer name are, is met
/// behind those.
static void seeFamilies(Check *check, MlirOperation op) {
  const BerthOpRows *rows = &check->target->rows;
  size_t count;
  const BerthOpRow *entries = berthEntriesOf(op, &count);
  for (size_t i = 0; i < rows->numFamilies; ++i) {
    const BerthOpRow *family = &rows->families[i];
    if (!berthIsInFamily(mlirIdentifierStr(mlirOperationGetName(op)), family))
      continue;
    Fate *fate = &check->fates[family->order];
    fate->isThere = true;
    fate->isUsed |= berthFamilyShares(family);
    if (!berthFamilyMakesRow(family) || !count ||
        strcmp(entries->name, family->name) == 0)
      continue;
    fate->isMet = true;
    if (berthRowHolds(family, op))
      fate->before = check->described ? check->described : entries;
  }
}

/// What an entry of one name is refused for at once, of a family is known here.
static void checkEnd(Check *check, MlirOperation op, const BerthOpRow *row) {
  size_t count;
  const BerthOpRow *known =
      berthFindRow(berthRowsCurrent()->builtin,
                   mlirIdentifierStr(mlirOperationGetName(op)), &count);
  if (row->async != BERTH_ASYNC_WORK || !known || !berthRowEndsByGroups(known))
    return;
  BerthText text = {0};
  if (check->described)
    appendEntry(&text, check, check->described);
  else
    berthTextAppend(&text, "berth.pending or berth.barrier");
  berthTextAppend(&text, " has it pending or a barrier, but when it ends is "
                         "known, and not by a barrier");
  fail(check, op, &text);
}

/// A function that is there tells itself what it does.
static void checkCallee(Check *check, MlirOperation op) {
  MlirOperation callee;
  if (!berthOpGetCallee(op, &callee) || berthFunctionIsUnseen(callee))
    return;
  BerthText text = {0};
  bool isDescribed = check->described && check->described->name[0] == '@';
  if (isDescribed && !hasLists(op))
    appendEntry(&text, check, check->described);
  else
    berthTextAppend(&text, "berth.reads and the like");
  berthTextAppend(&text,
                  " %s what the called function does, which has a body "
                  "that tells it",
                  isDescribed && !hasLists(op) ? "tells" : "tell");
  berthEmitError(op, text.data, callee, "the function");
  berthTextFree(&text);
  check->failed = true;
}

/// So it is of one that nobody calls. What is there occurs.
static void checkFunction(Check *check, MlirOperation op) {
  MlirAttribute symbol = berthAttributeOf(op, "sym_name");
  if (!check->target->rows.hasFunctions || !berthOpIsFunction(op) ||
      mlirAttributeIsNull(symbol) || !mlirAttributeIsAString(symbol))
    return;
  BerthText name = {0};
  berthTextAppend(&name, "@");
  berthTextCallback(mlirStringAttrGetValue(symbol), &name);
  size_t count;
  const BerthOpRow *entries = berthFindRow(
      &check->target->rows, (MlirStringRef){name.data, name.length}, &count);
  for (size_t i = 0; i < count; ++i)
    check->fates[entries[i].order].isThere = true;
  berthTextFree(&name);
  if (!count || berthFunctionIsUnseen(op))
    return;
  BerthText text = {0};
  appendEntry(&text, check, entries);
  berthTextAppend(&text,
                  " tells what the function does, which has a body that tells "
                  "it");
  fail(check, op, &text);
}

/// " tells of the memories L1, L3".
static void appendMemories(BerthText *text, const BerthTarget *target) {
  for (size_t i = 0; i < berthTargetNumMemories(target); ++i)
    berthTextAppend(text, "%s%s", i ? ", " : " tells of the memories ",
                    berthTargetGetMemory(target, i)->space);
}

/// An allocation that asks for a memory which nobody has described would be in
/// none that is planned.
static void checkSpace(Check *check, MlirOperation op) {
  size_t count = berthTargetNumMemories(check->target);
  MlirAttribute space = berthAttributeOf(op, BERTH_SPACE);
  if (!count || mlirAttributeIsNull(space))
    return;
  MlirAttribute named = berthSpaceNamedBy(space);
  if (berthTargetFindSpace(check->target, mlirOperationGetContext(op), named))
    return;
  BerthText text = {0};
  berthTextAppend(&text, BERTH_SPACE " = ");
  mlirAttributePrint(space, berthTextCallback, &text);
  berthTextAppend(&text, ": ");
  berthTargetAppend(&text, check->target,
                    berthTargetGetMemory(check->target, 0)->place);
  appendMemories(&text, check->target);
  fail(check, op, &text);
}

/// The name in `memories` that a text is most like, but for this memory's own.
static const char *nearestMemory(const BerthTarget *target,
                                 const BerthTargetMemory *memory) {
  const char *nearest = "default";
  const char *text = memory->backing;
  size_t length = strlen(text);
  size_t least = berthNameDistance(text, length, nearest);
  for (size_t i = 0; i < berthTargetNumMemories(target); ++i) {
    const BerthTargetMemory *other = berthTargetGetMemory(target, i);
    size_t far = berthNameDistance(text, length, other->space);
    if (other == memory || far > least)
      continue;
    nearest = other->space;
    least = far;
  }
  return nearest;
}

/// A text that is neither a name nor an attribute stands for a string that
/// hardly any type has. What begins with '#' may be of a dialect that is not
/// there.
static void checkSpaceText(Check *check, MlirOperation root, const char *text,
                           BerthTargetPlace place) {
  MlirAttribute space;
  MlirContext context = mlirOperationGetContext(root);
  if (!text || check->failed)
    return;
  bool isParsed =
      berthSpaceOfText(context, mlirStringRefCreateFromCString(text), &space);
  bool isFit =
      isParsed ? mlirAttributeIsNull(space) || berthAttributeMayBeSpace(space)
               : !strchr("!\"'<>()[]{}@%^-+*?", *text);
  if (isFit)
    return;
  BerthText message = {0};
  berthTextAppend(&message,
                  "space '%s' is no name, nor the text of an attribute that "
                  "types have as a memory space",
                  text);
  failThere(check, root, place, &message);
}

static void checkSpaceTexts(Check *check, MlirOperation root) {
  const BerthTarget *target = check->target;
  for (size_t i = 0; i < berthTargetNumMemories(target); ++i) {
    const BerthTargetMemory *memory = berthTargetGetMemory(target, i);
    checkSpaceText(check, root, memory->space, memory->place);
    checkSpaceText(check, root, memory->backing, memory->backingAt);
  }
  for (size_t i = 0; target && i < target->numOps; ++i) {
    const BerthOpRow *row = &target->ops[i];
    BerthTargetPlace place = target->places[row->order];
    if (row->allocates)
      checkSpaceText(check, root, row->allocates->space.text, place);
    for (size_t k = 0; k < row->numConditions; ++k)
      if (!row->conditions[k].attribute)
        checkSpaceText(check, root, row->conditions[k].text, place);
  }
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
                    "'%s' (line %d) and '%s'",
                    first->space, first->place.line, memory->space);
    failThere(check, root, memory->place, &text);
  }
}

/// Content would have to go to a memory of which nothing is known. The default
/// one is always there.
static void checkBackings(Check *check, MlirOperation root) {
  MlirContext context = mlirOperationGetContext(root);
  for (size_t i = 0; i < berthTargetNumMemories(check->target); ++i) {
    const BerthTargetMemory *memory = berthTargetGetMemory(check->target, i);
    MlirAttribute space;
    if (!memory->backing || check->failed)
      continue;
    berthSpaceOfText(context, mlirStringRefCreateFromCString(memory->backing),
                     &space);
    if (mlirAttributeIsNull(space) ||
        berthTargetFindSpace(check->target, context, space))
      continue;
    BerthText text = {0};
    berthTextAppend(&text,
                    "the backing '%s' of memory '%s' is none of 'memories': "
                    "the nearest one is '%s'",
                    memory->backing, memory->space,
                    nearestMemory(check->target, memory));
    failThere(check, root, memory->backingAt, &text);
  }
}

static void checkDescribed(Check *check, MlirOperation op) {
  check->described = NULL;
  if (!check->target)
    return;
  size_t count;
  const BerthOpRow *entries;
  check->described = berthDescribedRowOf(op);
  checkSpace(check, op);
  checkFunction(check, op);
  seeFamilies(check, op);
  if ((entries = berthFunctionEntriesOf(op, &count)))
    seeEntries(check, op, entries, count);
  if ((entries = berthEntriesOf(op, &count)))
    seeEntries(check, op, entries, count);
}

static void seeAlignment(Check *check, MlirOperation op,
                         const BerthOpAllocation *allocates) {
  Fate *fate = &check->fates[check->described->order];
  if (mlirAttributeIsNull(berthAttributeOf(op, allocates->alignment.attribute)))
    fate->lacksAlignment = true;
  else
    fate->hasAlignment = true;
}

static void noteAllocates(BerthEffect effect, void *userData) {
  *(bool *)userData |= effect.kind == BERTH_EFFECT_ALLOCATE;
}

/// Of an op of which nobody knows what it reads and writes no buffer is made.
static void seeBuffer(Check *check, MlirOperation op, bool isToldHere) {
  bool allocates = false;
  berthOpGetEffects(op, noteAllocates, &allocates);
  if (allocates)
    return;
  if (check->described && !isToldHere)
    check->fates[check->described->order].makesNone = true;
  else
    berthEmitWarning(op,
                     "it is told to allocate, and makes no buffer: nothing "
                     "tells what else it does to memory",
                     "berth.reads = [] beside berth.allocates says that it "
                     "touches none");
}

static void checkPorts(Check *check, MlirOperation op, uint64_t ports) {
  intptr_t last = 63 - __builtin_clzll(ports);
  if (last >= mlirOperationGetNumOperands(op))
    failAt(check, op, "", last, " names operand %lld, which it does not have");
}

static void checkTold(Check *check, MlirOperation op, const BerthOpRow *row) {
  bool isOwn = row != check->described;
  checkEnd(check, op, row);
  if (row->name[0] == '@' || (isOwn && (row->traits & kDescribed)))
    checkCallee(check, op);
  if (!check->failed)
    checkToken(check, op, row);
  if (!check->failed)
    checkCores(check, op, row);
  if (row->ports && !check->failed)
    checkPorts(check, op, row->ports);
  if (row->allocates && !check->failed) {
    BerthText teller = {0};
    appendTeller(&teller, check, op, "berth.allocates");
    bool isToldHere =
        !mlirAttributeIsNull(berthAttributeOf(op, "berth.allocates"));
    check->failed =
        !berthCheckAllocation(op, row->allocates, teller.data, isToldHere);
    berthTextFree(&teller);
    if (!check->failed)
      seeBuffer(check, op, isToldHere);
    if (check->described && !isToldHere && row->allocates->alignment.attribute)
      seeAlignment(check, op, row->allocates);
  }
  if (!(row->traits & kDescribed))
    return;
  checkNumbers(check, op, row);
  if (!check->failed && row->operands[0])
    checkInterface(check, op);
  if (!check->failed && row->operands[0])
    checkWaits(check, op);
}

static MlirWalkResult checkOp(MlirOperation op, void *userData) {
  Check *check = userData;
  checkDescribed(check, op);
  const BerthOpRow *row = check->failed ? NULL : berthToldRowOf(op);
  if (row)
    checkTold(check, op, row);
  return check->failed ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/// Emits the remark at the entry, and frees the text.
static void remarkAt(const Check *check, MlirOperation root, const char *pass,
                     const BerthOpRow *entry, BerthText *text) {
  berthEmitRemarkAt(berthTargetLocate(check->target,
                                      mlirOperationGetContext(root),
                                      check->target->places[entry->order]),
                    BERTH_REMARK_ANALYSIS, pass, text->data);
  berthTextFree(text);
}

/// Says of an entry that holds of no op why.
static void remarkUnused(const Check *check, MlirOperation root,
                         const char *pass, const BerthOpRow *entry) {
  const Fate *fate = &check->fates[entry->order];
  const char *name = entry->name;
  BerthText text = {0};
  if (!fate->isThere)
    berthTextAppend(&text,
                    "the target description tells of '%s', which does not "
                    "occur",
                    name);
  else if (!fate->before)
    berthTextAppend(&text,
                    "this entry of '%s' never applies: what it asks for with "
                    "'if' holds of none",
                    name);
  else {
    BerthTargetPlace place = check->target->places[fate->before->order];
    berthTextAppend(&text,
                    "this entry of '%s' never applies: the one in line %d, "
                    "column %d comes first",
                    name, place.line, place.column);
  }
  remarkAt(check, root, pass, entry, &text);
}

static void warnOfNone(const Check *check, MlirOperation root,
                       const BerthOpRow *entry) {
  BerthText text = {0};
  berthTextAppend(&text,
                  "'%s' is told to allocate, and makes no buffer: nothing "
                  "tells what else it does to memory; \"reads\": [] beside "
                  "'allocates' says that it touches none",
                  entry->name);
  berthEmitWarningAt(berthTargetLocate(check->target,
                                       mlirOperationGetContext(root),
                                       check->target->places[entry->order]),
                     text.data);
  berthTextFree(&text);
}

/// What became of an entry that nobody may have meant.
static void remarkEntry(const Check *check, MlirOperation root,
                        const char *pass, const BerthOpRow *entry) {
  const Fate *fate = &check->fates[entry->order];
  if (!fate->isUsed && (fate->isMet || !fate->isThere))
    remarkUnused(check, root, pass, entry);
  if (fate->makesNone)
    warnOfNone(check, root, entry);
  if (!fate->lacksAlignment || fate->hasAlignment)
    return;
  BerthText text = {0};
  berthTextAppend(&text,
                  "this entry of '%s' reads the alignment from the attribute "
                  "'%s', which none of these ops has",
                  entry->name, entry->allocates->alignment.attribute);
  remarkAt(check, root, pass, entry, &text);
}

BerthStatus berthTargetCheck(MlirOperation root, bool isWhole,
                             const char *pass) {
  const BerthTarget *target = berthTargetCurrent();
  size_t numEntries = target ? target->numOps : 0;
  Check check = {.target = target,
                 .fates = berthAllocateOrDie(numEntries, sizeof(Fate))};
  checkSpaceTexts(&check, root);
  checkMemories(&check, root);
  checkBackings(&check, root);
  if (!check.failed)
    mlirOperationWalk(root, checkOp, &check, MlirWalkPreOrder);
  for (size_t i = 0; i < numEntries && isWhole && !check.failed; ++i)
    remarkEntry(&check, root, pass, &target->ops[i]);
  free(check.fates);
  return check.failed ? BERTH_INVALID : BERTH_SUCCESS;
}
