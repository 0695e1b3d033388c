//===- WrittenBytes.c - What threads surely write -------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Threads/WrittenBytes.h"
#include "IR/Facts/Facts.h"
#include "IR/Ops/Fragments.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Verify/Threads/Asking.h"
#include "mlir-c/BuiltinTypes.h"

typedef struct Writing {
  MlirValue target;
  intptr_t operand; ///< of the op that the target is, or -1 of a copy
  bool *isWritten;  ///< by byte of the root
  /// NULL, or by byte of the root: who was the last of how many threads in a
  /// row, from the first lane of a subgroup on.
  struct Streak *streaks;
} Writing;

typedef struct Streak {
  int32_t last, length;
} Streak;

//===----------------------------------------------------------------------===//
// One thread
//===----------------------------------------------------------------------===//

/// Known only where loops and conditions are all that stands from `within` down
/// to the op, and each of them can be told: then which turn this is, and
/// whether the thread comes to the op.
static BerthAnswer askAround(BerthAsking *asking, MlirOperation op,
                             bool *comes) {
  *comes = true;
  if (mlirOperationEqual(op, asking->within))
    return BERTH_KNOWN;
  MlirOperation around = mlirOperationGetParentOperation(op);
  BerthAnswer answer = askAround(asking, around, comes);
  int64_t number;
  if (answer != BERTH_KNOWN || !*comes)
    return answer;
  if (berthOpIs(around, BERTH_OP_LOOP))
    return berthAsk(asking, mlirBlockGetArgument(mlirOperationGetBlock(op), 0),
                    &number);
  if (!berthOpIs(around, BERTH_OP_IF) || berthOpIsAffine(around))
    return BERTH_UNKNOWN;
  answer = berthAsk(asking, mlirOperationGetOperand(around, 0), &number);
  MlirRegion region = mlirBlockGetParentRegion(mlirOperationGetBlock(op));
  *comes =
      answer == BERTH_KNOWN &&
      mlirRegionEqual(region, mlirOperationGetRegion(around, number ? 0 : 1));
  return answer;
}

/// A thread writes the byte if all lanes of its subgroup do.
static bool isByAll(const BerthAsking *asking, Streak *streak) {
  bool isFirst = (asking->thread - 1) % BERTH_LANES == 0;
  if (streak->last != asking->thread) {
    bool goesOn =
        !isFirst && streak->length && streak->last + 1 == asking->thread;
    streak->length = goesOn ? streak->length + 1 : isFirst;
    streak->last = asking->thread;
  }
  return streak->length == BERTH_LANES;
}

static void mark(const BerthAsking *asking, const Writing *writing,
                 const BerthAddress *address, const int64_t *extents,
                 intptr_t dimension, int64_t at) {
  const BerthRoot *root = &asking->views->roots[asking->root];
  if (dimension < address->rank) {
    for (int64_t i = 0; i < extents[dimension]; ++i)
      mark(asking, writing, address, extents, dimension + 1,
           at + i * address->steps[dimension]);
    return;
  }
  for (int64_t byte = at; byte < at + address->elementBytes; ++byte)
    if (byte >= root->lower && byte < root->upper &&
        (!writing->streaks ||
         isByAll(asking, &writing->streaks[byte - root->lower])))
      writing->isWritten[byte - root->lower] = true;
}

/// So many elements in each dimension from the first one on; and at which
/// operand the subscripts of that begin, or -1: there are none.
static bool extentsOf(MlirOperation op, const Writing *writing,
                      const BerthAddress *address, int64_t *extents,
                      intptr_t *subscripts) {
  MlirType type = mlirValueGetType(writing->target);
  BerthVectorAccess vector;
  *subscripts = writing->operand + 1;
  for (intptr_t d = 0; d < address->rank; ++d)
    extents[d] = 1;
  if (writing->operand < 0) {
    BerthAsyncCopy copy = berthAsyncCopyGet(op);
    intptr_t last = address->rank - 1;
    *subscripts = copy.firstIndex;
    if (last < 0 || address->steps[last] != address->elementBytes)
      return false;
    extents[last] = copy.elements;
    return true;
  }
  if (berthOpFullyOverwrites(op, writing->operand)) {
    *subscripts = -1;
    for (intptr_t d = 0; d < address->rank; ++d)
      extents[d] = mlirShapedTypeGetDimSize(type, d);
    return mlirShapedTypeHasStaticShape(type);
  }
  if (!berthVectorGetAccess(op, &vector))
    return berthOpIsElementAccess(op) &&
           berthOpGetRole(op, writing->operand) == BERTH_OPERAND_WRITTEN;
  for (intptr_t d = 0; d < address->rank; ++d)
    extents[d] = vector.extents[d];
  return vector.isWrite && !vector.isMasked &&
         vector.memref == writing->operand;
}

/// Of a matrix that a subgroup stores: `*address` becomes that of its elements.
static BerthAnswer askFragment(BerthAsking *asking, const Writing *writing,
                               BerthAddress *address, int64_t *extents) {
  BerthFragmentAccess fragment;
  intptr_t last = address->rank - 1;
  if (!berthFragmentGetAccess(asking->op, &fragment) || !fragment.isWrite ||
      fragment.memref != writing->operand || last < 0 ||
      address->steps[last] != address->elementBytes)
    return BERTH_UNKNOWN;
  BerthAnswer answer = berthAskSubscripts(asking, fragment.firstIndex, address);
  int64_t lead = fragment.lead * address->elementBytes;
  bool isTransposed = fragment.isTransposed;
  address->rank = 2;
  address->steps[0] = isTransposed ? address->elementBytes : lead;
  address->steps[1] = isTransposed ? lead : address->elementBytes;
  extents[0] = fragment.rows;
  extents[1] = fragment.columns;
  return answer;
}

static BerthAnswer writeInThread(BerthAsking *asking, void *userData) {
  const Writing *writing = userData;
  BerthAddress address;
  int64_t extents[BERTH_SLICE_MAX_RANK];
  intptr_t subscripts;
  bool comes;
  BerthAnswer answer = askAround(asking, asking->op, &comes);
  if (answer != BERTH_KNOWN || !comes)
    return answer;
  answer = berthAskAddress(asking, writing->target, &address);
  if (answer != BERTH_KNOWN)
    return answer;
  if (writing->streaks) {
    answer = askFragment(asking, writing, &address, extents);
    if (answer == BERTH_KNOWN)
      mark(asking, writing, &address, extents, 0, address.start);
    return answer;
  }
  if (!extentsOf(asking->op, writing, &address, extents, &subscripts))
    return BERTH_UNKNOWN;
  if (subscripts >= 0)
    answer = berthAskSubscripts(asking, subscripts, &address);
  if (answer == BERTH_KNOWN)
    mark(asking, writing, &address, extents, 0, address.start);
  return answer;
}

//===----------------------------------------------------------------------===//
// All threads
//===----------------------------------------------------------------------===//

/// True if the value is of the root, or of its buffer; `*isOnly`: of nothing
/// else.
static bool pointsTo(const BerthViews *views, MlirValue value, uint32_t root,
                     bool *isOnly) {
  const BerthRootSet *set = berthViewsFind(views, value);
  bool found = berthRootSetHas(set, root);
  *isOnly = found && (set->count == 1 || set->isPieces);
  return found;
}

/// The only operand that points there. False if another one does, or might.
static bool findTarget(const BerthViews *views, MlirOperation op, uint32_t root,
                       Writing *writing) {
  size_t found = 0;
  bool isOnly, isSure = true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    if (!pointsTo(views, mlirOperationGetOperand(op, i), root, &isOnly))
      continue;
    ++found;
    isSure &= isOnly;
    writing->operand = i;
    writing->target = mlirOperationGetOperand(op, i);
  }
  if (found != 1 || !isSure || !berthOpStartsAsync(op, BERTH_ASYNC_COPY))
    return found == 1 && isSure;
  writing->operand = -1;
  return mlirValueEqual(writing->target, berthAsyncCopyGet(op).target);
}

void berthMarkWrittenBytes(const BerthViews *views, MlirOperation scope,
                           MlirOperation op, MlirOperation top, uint32_t root,
                           bool *isWritten) {
  Writing writing = {.isWritten = isWritten};
  const BerthRoot *of = &views->roots[root];
  BerthAsking asking = berthAskingOf(views, scope, op, root);
  asking.within = top;
  bool isKnown = asking.hasShape && findTarget(views, op, root, &writing) &&
                 (writing.operand < 0 || berthIsPlainForThreads(op, scope));
  if (!isKnown)
    return;
  if (berthOpIs(op, BERTH_OP_FRAGMENT_STORE))
    writing.streaks = berthAllocateOrDie((size_t)(of->upper - of->lower),
                                         sizeof *writing.streaks);
  berthAskAllThreads(&asking, writeInThread, &writing);
  free(writing.streaks);
}
