//===- Write.c - Problem and plan to a stream or a file ---------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "IO/Text/Escape.h"
#include "IO/Text/Written.h"
#include "berth-c/IO.h"

#include <inttypes.h>

BerthStatus berthWrite(FILE *stream, BerthFormat format,
                       const BerthProblemData *problem, const BerthPlan *plan,
                       const char *title, BerthError *error) {
  switch (format) {
  case BERTH_FORMAT_CSV:
    return berthWriteCsv(stream, problem, plan, error);
  case BERTH_FORMAT_JSON:
    return berthWriteJson(stream, problem, plan, error);
  case BERTH_FORMAT_SVG:
    return berthWriteSvg(stream, problem, plan, title, error);
  case BERTH_FORMAT_HTML:
    return berthWriteHtml(stream, problem, plan, title, error);
  case BERTH_FORMAT_AUTO:
    break;
  }
  return berthErrorSet(error, BERTH_INVALID, "no output format was chosen");
}

BerthStatus berthWriteFile(const char *path, BerthFormat format,
                           const BerthProblemData *problem,
                           const BerthPlan *plan, const char *title,
                           BerthError *error) {
  BerthOutput *output;
  BerthStatus status = berthOutputOpen(path, &output, error);
  if (status != BERTH_SUCCESS)
    return status;
  status = berthWrite(berthOutputStream(output), format, problem, plan, title,
                      error);
  return berthOutputClose(output, status, error);
}

BerthStatus berthWriteStats(FILE *stream, const BerthPlan *plan, double seconds,
                            BerthError *error) {
  fputs("{\"packer\":", stream);
  berthWriteJsonString(stream, plan->packer);
  fprintf(stream,
          ",\"buffers\":%zu,\"peak\":%" PRId64 ",\"load\":%" PRId64
          ",\"lower_bound\":%" PRId64 ",\"bound\":\"%s\"",
          plan->numBuffers, plan->peak, plan->load, plan->lowerBound,
          berthBoundReasonName(plan->boundReason));
  if (plan->boundFrom < plan->boundTo)
    fprintf(stream, ",\"bound_from\":%" PRId64 ",\"bound_to\":%" PRId64,
            plan->boundFrom, plan->boundTo);
  if (plan->numBoundBuffers)
    fprintf(stream, ",\"bound_buffers\":%zu", plan->numBoundBuffers);
  fprintf(stream,
          ",\"optimal\":%s,\"status\":\"%s\",\"stopped\":\"%s\","
          "\"steps\":%" PRIu64 ",\"time_ms\":%.3f}\n",
          plan->status == BERTH_PLAN_OPTIMAL ? "true" : "false",
          berthPlanStatusName(plan->status), berthStopReasonName(plan->stopped),
          plan->steps, seconds * 1e3);
  return berthCheckWritten(stream, "figures", error);
}
