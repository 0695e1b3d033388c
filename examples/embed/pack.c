//===- pack.c - Packing from C ------------------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Three buffers, of which the first and the last are never live together.
//
//===---------------------------------------------------------------------===//

#include "berth-c/Pack.h"

#include <inttypes.h>
#include <stdio.h>

static void add(BerthProblem *problem, const char *id, int64_t size,
                int64_t lower, int64_t upper) {
  BerthSegment life = {lower, upper};
  BerthBuffer buffer = berthBufferDefault();
  buffer.id = id;
  buffer.size = size;
  buffer.numSegments = 1;
  buffer.segments = &life;
  berthProblemAddBuffer(problem, &buffer); // copies all of it
}

int main(void) {
  BerthProblem *problem = berthProblemCreate();
  add(problem, "a", 4096, 0, 3);
  add(problem, "b", 1024, 2, 5);
  add(problem, "c", 4096, 4, 9);

  BerthPlan plan;
  BerthError error;
  const BerthProblemData *data = berthProblemGetData(problem);
  if (berthPack(data, NULL, &plan, &error)) {
    fprintf(stderr, "%s\n", error.message);
    berthProblemDestroy(problem);
    return 1;
  }
  for (size_t i = 0; i < plan.numBuffers; ++i)
    printf("%s at %" PRId64 "\n", data->buffers[i].id, plan.offsets[i]);
  printf("peak %" PRId64 "%s\n", plan.peak,
         plan.status == BERTH_PLAN_OPTIMAL ? ", the least possible" : "");
  berthPlanFree(&plan);
  berthProblemDestroy(problem);
  return 0;
}
