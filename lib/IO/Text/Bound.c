//===- Bound.c - Why no plan is below the lower bound ---------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "IO/Text/Bound.h"
#include "berth-c/IO.h"

#include <inttypes.h>

void berthWriteBound(FILE *stream, const BerthPlan *plan) {
  fprintf(stream, "{\"reason\": \"%s\"",
          berthBoundReasonName(plan->boundReason));
  if (plan->boundFrom < plan->boundTo)
    fprintf(stream, ", \"from\": %" PRId64 ", \"to\": %" PRId64,
            plan->boundFrom, plan->boundTo);
  for (size_t i = 0; i < plan->numBoundBuffers; ++i)
    fprintf(stream, "%s%" PRIu32, i ? ", " : ", \"buffers\": [",
            plan->boundBuffers[i]);
  fputs(plan->numBoundBuffers ? "]}" : "}", stream);
}

static void writeBuffers(FILE *stream, const BerthPlan *plan) {
  fprintf(stream, "%zu buffers live ", plan->numBoundBuffers);
  if (plan->boundTo == plan->boundFrom + 1)
    fprintf(stream, "at time %" PRId64, plan->boundFrom);
  else
    fprintf(stream, "from time %" PRId64 " to %" PRId64, plan->boundFrom,
            plan->boundTo);
}

void berthWriteBoundWords(FILE *stream, const BerthPlan *plan) {
  static const char *const words[] = {
      [BERTH_BOUND_ALIGNMENT] = " need it with sizes rounded up to alignments",
      [BERTH_BOUND_FIXED] = " must go round pins and reserved bytes",
      [BERTH_BOUND_CLIQUE] = " keep apart, or parts of them",
      [BERTH_BOUND_ORDER] = " leave holes in whatever order",
      [BERTH_BOUND_WINDOW] = " were shown by search to need it"};
  switch (plan->boundReason) {
  case BERTH_BOUND_LOAD:
  case BERTH_BOUND_STATED:
    return;
  case BERTH_BOUND_BUFFER:
    fputs(", as one buffer ends there", stream);
    return;
  case BERTH_BOUND_SUMS:
    fputs(", as no sum of sizes lies below", stream);
    return;
  case BERTH_BOUND_SEARCH:
    fputs(", as exact search has shown", stream);
    return;
  default:
    fputs(", as ", stream);
    writeBuffers(stream, plan);
    fputs(words[plan->boundReason], stream);
  }
}
