//===- Worklist.h - Values to be looked at once each --------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OPS_WORKLIST_H
#define BERTH_LIB_IR_OPS_WORKLIST_H

#include "Support/Grow.h"
#include "Support/PointerMap.h"
#include "mlir-c/IR.h"

/// Zero-initialise to use; then berthWorklistFree.
typedef struct BerthWorklist {
  BerthPointerMap seen;
  MlirValue *pending; ///< of these the ones still to come; the last one first
  size_t numPending, capacity;
} BerthWorklist;

/// Adds a value unless it was there before.
static inline void berthWorklistPush(BerthWorklist *list, MlirValue value) {
  if (!berthPointerMapInsert(&list->seen, value.ptr, 1))
    return;
  list->pending = berthGrow(list->pending, list->numPending, &list->capacity,
                            sizeof *list->pending);
  list->pending[list->numPending++] = value;
}

/// The next one; `numPending` is not 0.
static inline MlirValue berthWorklistPop(BerthWorklist *list) {
  return list->pending[--list->numPending];
}

static inline void berthWorklistFree(BerthWorklist *list) {
  berthPointerMapFree(&list->seen);
  free(list->pending);
}

#endif // BERTH_LIB_IR_OPS_WORKLIST_H
