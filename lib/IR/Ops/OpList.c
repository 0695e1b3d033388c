//===- OpList.c - Ops that a walk finds, in its order ---------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Ops/OpList.h"
#include "IR/Ops/OrDie.h"

void berthOpListAdd(BerthOpList *list, MlirOperation op) {
  list->ops =
      berthGrow(list->ops, list->count, &list->capacity, sizeof *list->ops);
  list->ops[list->count++] = op;
}
