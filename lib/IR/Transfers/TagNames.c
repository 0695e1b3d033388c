//===- TagNames.c - What a tag's element is called on a way ---------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Transfers/TagNames.h"

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

static void addForm(BerthDmaName *name, BerthIndex form) {
  if (!form.isKnown || name->numForms == BERTH_MOST_FORMS)
    return;
  for (int i = 0; i < name->numForms; ++i)
    if (berthIndicesAreEqual(name->forms[i], form))
      return;
  name->forms[name->numForms++] = form;
}

static bool isConstant(BerthIndex form) { return mlirValueIsNull(form.base); }

/// Finds the number itself, if some form is one.
static bool findConstant(const BerthDmaName *name, int64_t *value) {
  for (int i = 0; i < name->numForms; ++i)
    if (isConstant(name->forms[i])) {
      *value = name->forms[i].offset;
      return true;
    }
  return false;
}

/// What `index` comes to on this way: a number that is known and is also
/// base + offset tells the base.
static BerthIndex evaluate(const BerthDmaName *name, BerthIndex index) {
  int64_t value, base;
  for (int i = 0; findConstant(name, &value) && i < name->numForms; ++i) {
    BerthIndex form = name->forms[i];
    if (!isConstant(form) && form.divisor == 1 && !form.modulus &&
        mlirValueEqual(form.base, index.base) &&
        !__builtin_sub_overflow(value, form.offset, &base))
      return berthIndexAt(index, base);
  }
  return index;
}

static bool isIndex(const BerthDmaName *name, BerthIndex index) {
  index = evaluate(name, index);
  for (int i = 0; i < name->numForms; ++i)
    if (berthIndicesAreEqual(name->forms[i], index))
      return true;
  return false;
}

static bool isNotIndex(const BerthDmaName *name, BerthIndex index) {
  BerthIndex value = evaluate(name, index);
  for (int i = 0; i < name->numForms; ++i)
    if (berthIndicesDiffer(name->forms[i], index) ||
        berthIndicesDiffer(name->forms[i], value))
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

bool berthDmaElementOf(MlirOperation op, BerthDmaElement *element) {
  BerthDma dma;
  *element = (BerthDmaElement){0};
  if (!berthOpGetDma(op, &dma) || dma.numTagIndices > BERTH_MOST_TAG_INDICES)
    return false;
  element->rank = (int)dma.numTagIndices;
  for (int i = 0; i < element->rank; ++i)
    addForm(&element->names[i], berthDmaGetTagIndex(op, i));
  return true;
}

bool berthDmaElementIs(const BerthDmaElement *element, MlirOperation op) {
  for (int i = 0; i < element->rank; ++i)
    if (!isIndex(&element->names[i], berthDmaGetTagIndex(op, i)))
      return false;
  return true;
}

bool berthDmaElementIsNot(const BerthDmaElement *element, MlirOperation op) {
  for (int i = 0; i < element->rank; ++i)
    if (isNotIndex(&element->names[i], berthDmaGetTagIndex(op, i)))
      return true;
  return false;
}

static bool namesAreEqual(const BerthDmaName *a, const BerthDmaName *b) {
  if (a->numForms != b->numForms)
    return false;
  for (int i = 0; i < a->numForms; ++i)
    if (!berthIndicesAreEqual(a->forms[i], b->forms[i]))
      return false;
  return true;
}

bool berthDmaElementsEqual(const BerthDmaElement *a, const BerthDmaElement *b) {
  for (int i = 0; i < a->rank; ++i)
    if (!namesAreEqual(&a->names[i], &b->names[i]))
      return false;
  return a->rank == b->rank;
}

//===----------------------------------------------------------------------===//
// Ways
//===----------------------------------------------------------------------===//

/// True if entering the block makes the value anew.
static bool isMadeIn(MlirValue value, MlirBlock entered) {
  MlirBlock block = mlirValueIsABlockArgument(value)
                        ? mlirBlockArgumentGetOwner(value)
                        : mlirOperationGetBlock(mlirOpResultGetOwner(value));
  while (!mlirBlockIsNull(block) && !mlirBlockEqual(block, entered)) {
    MlirOperation parent = mlirBlockGetParentOperation(block);
    block = mlirOperationIsNull(parent) ? (MlirBlock){NULL}
                                        : mlirOperationGetBlock(parent);
  }
  return !mlirBlockIsNull(block);
}

/// The forms that are true still.
static BerthDmaName keepForms(const BerthDmaName *name, MlirBlock entered) {
  BerthDmaName kept = {0};
  for (int i = 0; i < name->numForms; ++i)
    if (isConstant(name->forms[i]) || mlirBlockIsNull(entered) ||
        !isMadeIn(name->forms[i].base, entered))
      addForm(&kept, name->forms[i]);
  return kept;
}

static void addReceived(BerthDmaName *to, const BerthDmaName *from,
                        MlirValue forwarded, MlirValue received,
                        int64_t increase) {
  for (int i = 0; i < from->numForms; ++i)
    addForm(to,
            berthIndexReceive(from->forms[i], forwarded, received, increase));
}

/// The loop's variable in its first turn.
static void enterLoop(BerthDmaName *name, const BerthLoopCount *count) {
  int64_t value, offset;
  if (count->hasFirst && findConstant(name, &value) &&
      !__builtin_sub_overflow(value, count->first, &offset))
    addForm(name, (BerthIndex){count->variable, offset, 1, 0, true});
}

/// Of the last turn, if that is known.
static void leaveLoop(BerthDmaName *to, const BerthDmaName *from,
                      const BerthLoopCount *count) {
  for (int i = 0; count->hasLast && i < from->numForms; ++i)
    if (mlirValueEqual(from->forms[i].base, count->variable))
      addForm(to, berthIndexAt(from->forms[i], count->last));
}

static void passLoopEdge(BerthDmaName *to, const BerthDmaName *from,
                         const BerthLoopCount *count,
                         const BerthRegionEdge *edge) {
  if (edge->from == BERTH_PARENT && edge->to != BERTH_PARENT)
    enterLoop(to, count);
  else if (edge->from != BERTH_PARENT && edge->to == BERTH_PARENT)
    leaveLoop(to, from, count);
  else if (edge->from != BERTH_PARENT && count->hasStep)
    addReceived(to, from, count->variable, count->variable, count->step);
}

void berthDmaElementOverEdge(BerthDmaElement *element, MlirOperation op,
                             const BerthRegionEdge *edge) {
  BerthLoopCount count;
  bool isLoop = berthLoopGetCount(op, &count);
  MlirBlock entered = {NULL};
  if (edge->to != BERTH_PARENT)
    entered = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, edge->to));
  for (int i = 0; i < element->rank; ++i) {
    BerthDmaName from = element->names[i];
    BerthDmaName *to = &element->names[i];
    *to = keepForms(&from, entered);
    for (intptr_t k = 0; k < edge->numValues; ++k)
      addReceived(to, &from, edge->forwarded[k], edge->received[k], 0);
    if (isLoop)
      passLoopEdge(to, &from, &count, edge);
  }
}

typedef struct BranchPass {
  BerthDmaElement *to;
  const BerthDmaElement *from;
} BranchPass;

static void passPair(MlirValue forwarded, MlirValue received, void *userData) {
  const BranchPass *pass = userData;
  for (int i = 0; !mlirValueIsNull(forwarded) && i < pass->from->rank; ++i)
    addReceived(&pass->to->names[i], &pass->from->names[i], forwarded, received,
                0);
}

void berthDmaElementOverBranch(BerthDmaElement *element,
                               MlirOperation terminator, intptr_t successor) {
  BerthDmaElement from = *element;
  MlirBlock entered = mlirOperationGetSuccessor(terminator, successor);
  for (int i = 0; i < from.rank; ++i)
    element->names[i] = keepForms(&from.names[i], entered);
  BranchPass pass = {element, &from};
  berthBranchGetOperands(terminator, successor, passPair, &pass);
}
