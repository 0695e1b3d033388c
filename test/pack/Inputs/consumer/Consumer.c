//===- Consumer.c - The shortest program that packs ----------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "berth-c/IO.h"

int main(void) {
  BerthProblem *problem = berthProblemCreate();
  for (int64_t i = 0; i < 4; ++i) {
    BerthSegment life = {i, i + 3};
    BerthBuffer buffer = berthBufferDefault();
    buffer.size = 8;
    buffer.segments = &life;
    buffer.numSegments = 1;
    berthProblemAddBuffer(problem, &buffer);
  }
  BerthPlan plan;
  BerthError error;
  if (berthPack(berthProblemGetData(problem), NULL, &plan, &error)) {
    puts(error.message);
    return 1;
  }
  printf("%s, peak %lld of load %lld\n", berthPlanStatusName(plan.status),
         (long long)plan.peak, (long long)plan.load);
  berthPlanFree(&plan);
  berthProblemDestroy(problem);
  return 0;
}
