//===- Recursion.c - May a function call itself? --------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A global arena exists once, however many instances of its function run. The
// calls that the module shows are followed; a function that is only declared is
// taken not to call back.
//
//===----------------------------------------------------------------------===//

#include "IR/Scope/Job.h"
#include "Support/Grow.h"

#include <stdlib.h>

typedef struct CallWalk {
  BerthPointerMap seen;
  MlirOperation *pending;
  size_t numPending;
  size_t capacity;
} CallWalk;

static MlirWalkResult addCallee(MlirOperation op, void *userData) {
  CallWalk *walk = userData;
  MlirOperation callee;
  if (!berthOpGetCallee(op, &callee) || mlirOperationIsNull(callee) ||
      !berthPointerMapInsert(&walk->seen, callee.ptr, 1))
    return MlirWalkResultAdvance;
  walk->pending = berthGrow(walk->pending, walk->numPending, &walk->capacity,
                            sizeof *walk->pending);
  walk->pending[walk->numPending++] = callee;
  return MlirWalkResultAdvance;
}

bool berthFunctionIsRecursive(MlirOperation function) {
  CallWalk walk = {0};
  mlirOperationWalk(function, addCallee, &walk, MlirWalkPreOrder);
  while (walk.numPending)
    mlirOperationWalk(walk.pending[--walk.numPending], addCallee, &walk,
                      MlirWalkPreOrder);
  bool isRecursive =
      berthPointerMapFind(&walk.seen, function.ptr) != BERTH_NOT_FOUND;
  berthPointerMapFree(&walk.seen);
  free(walk.pending);
  return isRecursive;
}
