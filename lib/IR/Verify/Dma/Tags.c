//===- Tags.c - Which transfer a wait is for ------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Dma/Tags.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Roots/Scopes.h"

//===----------------------------------------------------------------------===//
// Tags
//===----------------------------------------------------------------------===//

static int effectsThrough(MlirOperation op, MlirValue value) {
  BerthEffects effects;
  berthOpSumEffects(op, value, &effects);
  return effects.onValue;
}

static bool isCast(MlirOperation op) { return berthOpIs(op, BERTH_OP_CAST); }

static bool onlyHarmlessUses(MlirValue value, bool inArena);

/// A start or wait that names it, another view of it in an arena (which is
/// looked at by itself), or something that does no more than touch it.
static bool isHarmless(MlirOpOperand use, bool inArena) {
  MlirOperation op = mlirOpOperandGetOwner(use);
  MlirValue value = mlirOpOperandGetValue(use);
  BerthDma dma;
  if (berthOpGetDma(op, &dma))
    return mlirOpOperandGetOperandNumber(use) == dma.tag;
  MlirValue source = berthViewGetSource(op);
  if (!mlirValueIsNull(source) && mlirValueEqual(source, value) &&
      (inArena || isCast(op)))
    return inArena || onlyHarmlessUses(mlirOperationGetResult(op, 0), inArena);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (berthTypeMayPoint(mlirValueGetType(mlirOperationGetResult(op, i))))
      return false;
  return effectsThrough(op, value) != 0;
}

static bool onlyHarmlessUses(MlirValue value, bool inArena) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (!isHarmless(use, inArena))
      return false;
  return true;
}

/// All values that may point to it point to nothing else.
static bool isOwnRoot(const BerthViews *views, uint32_t root) {
  for (size_t i = 0; i < views->numSets; ++i) {
    const BerthRootSet *set = &views->sets[i];
    if (berthRootSetHas(set, root) &&
        (set->count > 1 || !onlyHarmlessUses(set->value, true)))
      return false;
  }
  return !views->roots[root].isBase &&
         !mlirOperationIsNull(views->roots[root].view);
}

static MlirValue withoutCasts(MlirValue value) {
  while (mlirValueIsAOpResult(value) && isCast(mlirOpResultGetOwner(value)))
    value = mlirOperationGetOperand(mlirOpResultGetOwner(value), 0);
  return value;
}

static bool isMadeBy(MlirOperation maker, MlirValue value) {
  return effectsThrough(maker, value) & BERTH_EFFECT_ALLOCATE;
}

/// True for a buffer of an arena that is checked in another scope, one that an
/// iteration allocates, if this is its only view. Other views of its bytes are
/// held against it there.
static bool isElsewhere(MlirOperation view) {
  if (!berthViewIsBuffer(view))
    return false;
  MlirValue arena = mlirOperationGetOperand(view, 0);
  for (MlirOpOperand use = mlirValueGetFirstUse(arena);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    bool isApart =
        mlirOperationEqual(op, view) || berthOpIs(op, BERTH_OP_FREE) ||
        (berthOpIs(op, BERTH_OP_VIEW) &&
         !mlirAttributeEqual(berthViewNumber(op), berthViewNumber(view)));
    if (!isApart)
      return false;
  }
  return mlirValueIsAOpResult(arena) &&
         isMadeBy(mlirOpResultGetOwner(arena), arena);
}

/// Where the op has the tag of no arena, it is known by its allocation.
static const void *tagOf(const BerthViews *views, MlirValue value) {
  const BerthRootSet *set = berthViewsFind(views, value);
  if (set) {
    bool isKnown =
        set->count == 1 && set->isWhole && isOwnRoot(views, set->ids[0]);
    return isKnown ? &views->roots[set->ids[0]] : NULL;
  }
  value = withoutCasts(value);
  if (!mlirValueIsAOpResult(value))
    return NULL;
  MlirOperation maker = mlirOpResultGetOwner(value);
  bool isMade = isMadeBy(maker, value) || isElsewhere(maker);
  return isMade && onlyHarmlessUses(value, false) ? maker.ptr : NULL;
}

BerthTagPlace berthTagPlaceOf(const BerthViews *views, MlirOperation op) {
  BerthTagPlace place = {0};
  BerthDma dma;
  if (!berthOpGetDma(op, &dma) || dma.numTagIndices > BERTH_TAG_RANK)
    return place;
  place.tag = tagOf(views, mlirOperationGetOperand(op, dma.tag));
  place.rank = (size_t)dma.numTagIndices;
  for (size_t i = 0; i < place.rank; ++i) {
    BerthIndex term = berthDmaGetTagIndex(op, (intptr_t)i);
    place.indices[i].count = term.isKnown;
    place.indices[i].terms[0] = term;
  }
  return place;
}

bool berthMakesTag(const BerthViews *views, const void *tag, MlirOperation op) {
  uint32_t root;
  return tag == op.ptr ||
         (berthViewsMakes(views, op, &root) && tag == &views->roots[root]);
}

bool berthWritesTag(const BerthViews *views, const void *tag,
                    MlirOperation op) {
  BerthDma dma;
  if (berthOpGetDma(op, &dma))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    const BerthRootSet *set = berthViewsFind(views, value);
    MlirValue base = withoutCasts(value);
    bool isTag = set ? set->count == 1 && tag == &views->roots[set->ids[0]]
                     : mlirValueIsAOpResult(base) &&
                           tag == mlirOpResultGetOwner(base).ptr;
    if (isTag && (effectsThrough(op, value) & BERTH_EFFECT_WRITE))
      return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

/// The number itself, if a term says it.
static const BerthIndex *numberOf(const BerthTagIndex *index) {
  for (size_t i = 0; i < index->count; ++i)
    if (mlirValueIsNull(index->terms[i].base))
      return &index->terms[i];
  return NULL;
}

/// Puts in for the base of `named` what the terms say of it: x + 2 is 5, so x
/// is 3.
static BerthIndex resolve(const BerthTagIndex *index, BerthIndex named) {
  const BerthIndex *number = numberOf(index);
  for (size_t i = 0; number && i < index->count; ++i) {
    const BerthIndex *term = &index->terms[i];
    if (!mlirValueIsNull(term->base) && term->divisor == 1 &&
        term->modulus == 0 && mlirValueEqual(term->base, named.base))
      return berthIndexAt(named, number->offset - term->offset);
  }
  return named;
}

typedef bool (*Comparison)(BerthIndex a, BerthIndex b);

/// True if the comparison holds between some term and what is named.
static bool anyTerm(const BerthTagIndex *index, const BerthTagIndex *named,
                    Comparison compare) {
  if (!named->count)
    return false;
  BerthIndex as = named->terms[0], at = resolve(index, as);
  for (size_t i = 0; i < index->count; ++i)
    if (compare(index->terms[i], as) || compare(index->terms[i], at))
      return true;
  return false;
}

bool berthTagPlacesMeet(const BerthTagPlace *place,
                        const BerthTagPlace *named) {
  bool meet =
      place->tag && place->tag == named->tag && place->rank == named->rank;
  for (size_t i = 0; meet && i < place->rank; ++i)
    meet =
        anyTerm(&place->indices[i], &named->indices[i], berthIndicesAreEqual);
  return meet;
}

bool berthTagPlacesDiffer(const BerthTagPlace *place,
                          const BerthTagPlace *named) {
  if (!place->tag || !named->tag)
    return false;
  bool differ = place->tag != named->tag;
  for (size_t i = 0; place->rank == named->rank && i < place->rank; ++i)
    differ |=
        anyTerm(&place->indices[i], &named->indices[i], berthIndicesDiffer);
  return differ;
}

bool berthTagPlacesEqual(const BerthTagPlace *a, const BerthTagPlace *b) {
  if (a->tag != b->tag || a->rank != b->rank)
    return false;
  for (size_t i = 0; i < a->rank; ++i) {
    if (a->indices[i].count != b->indices[i].count)
      return false;
    for (size_t k = 0; k < a->indices[i].count; ++k)
      if (!berthIndicesAreEqual(a->indices[i].terms[k], b->indices[i].terms[k]))
        return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

static void addRename(BerthTagStep *step, MlirValue from, MlirValue to,
                      int64_t increase) {
  step->renames = berthGrow(step->renames, step->count, &step->capacity,
                            sizeof *step->renames);
  step->renames[step->count++] = (struct BerthTagRename){from, to, increase};
}

void berthTagStepOverEdge(BerthTagStep *step, MlirOperation op,
                          const BerthRegionEdge *edge) {
  bool enters = edge->from == BERTH_PARENT, leaves = edge->to == BERTH_PARENT;
  if (!leaves)
    step->into = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, edge->to));
  for (intptr_t i = 0; i < edge->numValues; ++i)
    addRename(step, edge->forwarded[i], edge->received[i], 0);
  BerthLoopCount loop;
  if (!berthLoopGetCount(op, &loop))
    return;
  step->variable = loop.variable;
  step->hasFirst = enters && !leaves && loop.hasFirst;
  step->hasLast = !enters && leaves && loop.hasLast;
  step->value = enters ? loop.first : loop.last;
  if (!enters && !leaves && loop.hasStep)
    addRename(step, loop.variable, loop.variable, loop.step);
}

static void addPair(MlirValue from, MlirValue to, void *userData) {
  if (!mlirValueIsNull(from))
    addRename(userData, from, to, 0);
}

void berthTagStepOverBranch(BerthTagStep *step, MlirOperation terminator,
                            intptr_t successor) {
  step->into = mlirOperationGetSuccessor(terminator, successor);
  berthBranchGetOperands(terminator, successor, addPair, step);
}

static void addTerm(BerthTagIndex *index, BerthIndex term) {
  bool isNew = term.isKnown && index->count < BERTH_TAG_TERMS;
  for (size_t i = 0; i < index->count; ++i)
    isNew &= !berthIndicesAreEqual(index->terms[i], term);
  if (isNew)
    index->terms[index->count++] = term;
}

/// True if the block, or one around it, is `outer`.
static bool liesIn(MlirBlock block, MlirBlock outer) {
  while (!mlirBlockEqual(block, outer)) {
    MlirOperation parent = mlirBlockGetParentOperation(block);
    if (mlirOperationIsNull(parent))
      return false;
    block = mlirOperationGetBlock(parent);
    if (mlirBlockIsNull(block))
      return false;
  }
  return true;
}

static bool isForgotten(BerthIndex term, MlirBlock into) {
  if (mlirValueIsNull(term.base) || mlirBlockIsNull(into))
    return false;
  MlirBlock home = mlirValueIsABlockArgument(term.base)
                       ? mlirBlockArgumentGetOwner(term.base)
                       : mlirOperationGetBlock(mlirOpResultGetOwner(term.base));
  return liesIn(home, into);
}

static void stepTerm(BerthTagIndex *index, BerthIndex term,
                     const BerthTagStep *step) {
  if (!isForgotten(term, step->into))
    addTerm(index, term);
  for (size_t i = 0; i < step->count; ++i)
    addTerm(index,
            berthIndexReceive(term, step->renames[i].from, step->renames[i].to,
                              step->renames[i].increase));
  if (step->hasLast && mlirValueEqual(term.base, step->variable))
    addTerm(index, berthIndexAt(term, step->value));
  int64_t distance;
  if (step->hasFirst && mlirValueIsNull(term.base) &&
      !__builtin_sub_overflow(term.offset, step->value, &distance))
    addTerm(index, (BerthIndex){step->variable, distance, 1, 0, true});
}

void berthTagPlaceStep(BerthTagPlace *place, const BerthTagStep *step) {
  for (size_t i = 0; i < place->rank; ++i) {
    BerthTagIndex old = place->indices[i];
    place->indices[i] = (BerthTagIndex){0};
    for (size_t k = 0; k < old.count; ++k)
      stepTerm(&place->indices[i], old.terms[k], step);
  }
}
