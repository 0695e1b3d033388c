//===- Worklist.h - What is to be looked at, once each -------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OPS_WORKLIST_H
#define BERTH_LIB_IR_OPS_WORKLIST_H

#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/PointerMap.h"
#include "mlir-c/IR.h"

/// Values, blocks or ops, by their pointers. Zero-initialise to use; then
/// berthWorklistFree.
typedef struct BerthWorklist {
  BerthPointerMap seen;
  const void **pending; ///< of these the ones still to come; the last one first
  size_t numPending, capacity;
} BerthWorklist;

/// Adds a pointer. Returns false if it was there before.
static inline bool berthWorklistAdd(BerthWorklist *list, const void *item) {
  if (!berthPointerMapInsert(&list->seen, item, 1))
    return false;
  list->pending = berthGrow(list->pending, list->numPending, &list->capacity,
                            sizeof *list->pending);
  list->pending[list->numPending++] = item;
  return true;
}

/// The next one; `numPending` is not 0.
static inline const void *berthWorklistTake(BerthWorklist *list) {
  return list->pending[--list->numPending];
}

/// The same for values.
static inline void berthWorklistPush(BerthWorklist *list, MlirValue value) {
  berthWorklistAdd(list, value.ptr);
}
static inline MlirValue berthWorklistPop(BerthWorklist *list) {
  return (MlirValue){berthWorklistTake(list)};
}

/// Adds the operands of which the op's result is one (a select). False if it is
/// none of them.
static inline bool berthWorklistPushChosen(BerthWorklist *list,
                                           MlirOperation op) {
  bool chooses = false;
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i)
    if (berthOpGetRole(op, i) == BERTH_OPERAND_CHOSEN) {
      berthWorklistPush(list, mlirOperationGetOperand(op, i));
      chooses = true;
    }
  return chooses;
}

static inline bool berthWorklistHasSeen(const BerthWorklist *list,
                                        const void *item) {
  return berthPointerMapFind(&list->seen, item) != BERTH_NOT_FOUND;
}

static inline void berthWorklistFree(BerthWorklist *list) {
  berthPointerMapFree(&list->seen);
  free(list->pending);
}

#endif // BERTH_LIB_IR_OPS_WORKLIST_H
