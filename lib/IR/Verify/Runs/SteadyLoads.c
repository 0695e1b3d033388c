//===- SteadyLoads.c - What is known of loads between barriers ------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Runs/SteadyLoads.h"
#include "IR/Ops/OrDie.h"

#include <stdlib.h>

void berthSteadyLoadsAdd(BerthSteadyLoads *steady, MlirOperation op,
                         size_t load) {
  steady->ops = berthGrow(steady->ops, steady->count, &steady->capacity,
                          sizeof *steady->ops);
  steady->ops[steady->count++] = (BerthSteadyOp){op, load, false};
}

void berthSteadyLoadsFree(BerthSteadyLoads *steady) { free(steady->ops); }

bool berthIsSteadyLoad(const BerthSteadyLoads *steady, MlirOperation op) {
  for (size_t i = 0; i < steady->count; ++i)
    if (steady->ops[i].load == i && !steady->ops[i].isDropped &&
        mlirOperationEqual(steady->ops[i].op, op))
      return true;
  return false;
}

bool berthDropSteadyLoads(BerthSteadyLoads *steady,
                          bool (*isMissed)(MlirOperation op, void *userData),
                          void *userData) {
  bool found = false;
  for (size_t i = 0; i < steady->count; ++i) {
    BerthSteadyOp *load = &steady->ops[steady->ops[i].load];
    if (load->isDropped || !isMissed(steady->ops[i].op, userData))
      continue;
    load->isDropped = true;
    found = true;
  }
  return found;
}
