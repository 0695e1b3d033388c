//===- Online.c - What an allocator that cannot look ahead would use ------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Run/Online.h"

BerthStatus berthFindOnlineBytes(const BerthProblemData *problem,
                                 int64_t *bytes) {
  BerthPackOptions options = {.packer = "heap"};
  BerthPlan plan = {0};
  BerthError error;
  BerthStatus status = berthPack(problem, &options, &plan, &error);
  *bytes = status == BERTH_SUCCESS ? plan.peak : BERTH_NONE;
  berthPlanFree(&plan);
  return status == BERTH_RESOURCE ? status : BERTH_SUCCESS;
}

int64_t berthProblemOnlineBytes(const BerthProblemData *problem) {
  int64_t bytes;
  berthFindOnlineBytes(problem, &bytes);
  return bytes;
}
