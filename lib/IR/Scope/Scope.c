//===- Scope.c - What every station asks of a scope -----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Scope/Scope.h"
#include "IR/Ops/OpTable.h"

bool berthSpaceMayBeShared(MlirAttribute space) {
  BerthSpaceUse use = berthSpaceGetUse(space);
  return use == BERTH_SPACE_WORKGROUP || use == BERTH_SPACE_PERHAPS_WORKGROUP;
}

bool berthScopeIsShared(const BerthScope *scope) {
  bool isOfThreads =
      scope->kind != BERTH_SCOPE_FUNCTION || scope->isAmongThreads;
  BerthSpaceUse use = berthSpaceGetUse(scope->space);
  return use == BERTH_SPACE_WORKGROUP || use == BERTH_SPACE_TENSOR ||
         (use == BERTH_SPACE_PERHAPS_WORKGROUP && isOfThreads);
}

bool berthScopeIsOfTensors(const BerthScope *scope) {
  return berthSpaceGetUse(scope->space) == BERTH_SPACE_TENSOR;
}

int64_t berthOwnGroup(const BerthBufferInfo *buffer) {
  return buffer->constraints ? buffer->constraints->group : BERTH_NONE;
}

static bool isAlone(const BerthBufferInfo *buffer) {
  return buffer->constraints && buffer->constraints->isAlone;
}

/// May `other` lie where the user has put the buffer?
static bool mayLieAtPin(const BerthBufferInfo *other,
                        const BerthBufferInfo *buffer) {
  int64_t pin = buffer->constraints ? buffer->constraints->pin : BERTH_NONE;
  int64_t own = other->constraints ? other->constraints->pin : BERTH_NONE;
  return pin == BERTH_NONE ||
         (pin % other->alignment == 0 && (own == BERTH_NONE || own == pin));
}

bool berthMayCoincide(const BerthBufferInfo *a, const BerthBufferInfo *b) {
  bool haveBank = !a->banks || !b->banks || (a->banks & b->banks);
  return !isAlone(a) && !isAlone(b) && haveBank && mayLieAtPin(a, b) &&
         mayLieAtPin(b, a);
}

void berthRejectBuffer(BerthBufferInfo *buffer, const char *reason,
                       MlirOperation at) {
  if (buffer->reason)
    return;
  buffer->reason = reason;
  buffer->reasonAt = at;
}

int berthCompareAccesses(const void *left, const void *right) {
  const BerthAccess *a = left, *b = right;
  return a->lower < b->lower ? -1 : a->lower > b->lower;
}

size_t berthFirstAccessFrom(const BerthBufferInfo *buffer, int64_t point) {
  size_t low = 0, high = buffer->numAccesses;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (buffer->accesses[middle].lower < point)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

bool berthIsSeenThroughViews(const BerthBufferInfo *buffer) {
  for (size_t i = 1; i < buffer->numAliases; ++i)
    if (!mlirValueIsAOpResult(buffer->aliases[i]) ||
        mlirValueIsNull(
            berthViewGetSource(mlirOpResultGetOwner(buffer->aliases[i]))))
      return false;
  return true;
}
