//===- Report.c - What berth-arena tells about its work -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A report in JSON, SVG or HTML. The
// schema of the JSON is described in docs/berth-arena.md.
//
//===----------------------------------------------------------------------===//

#include "IR/Passes/Report.h"
#include "IO/Text/Escape.h"
#include "IO/Text/TextBuffer.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/Place.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Text.h"
#include "IR/Passes/ReportPage.h"
#include "IR/Plan/Figures.h"
#include "IR/Plan/Residency.h"
#include "IR/Plan/Weights.h"
#include "IR/Scope/Job.h"
#include "IR/Scope/Names.h"
#include "Pack/Run/Online.h"
#include "Support/Temporaries.h"
#include "berth-c/IO.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static void writeName(FILE *out, const char *name, const BerthText *value) {
  fprintf(out, "\"%s\": ", name);
  berthWriteJsonText(out, value->data ? value->data : "", value->length);
}

static void writePosition(FILE *out, MlirOperation op) {
  int line, column;
  berthOpGetPosition(op, &line, &column);
  fprintf(out, "\"line\": %d, \"column\": %d", line, column);
}

/// The live range: in points, and as the ops there.
static void writeSegments(FILE *out, const BerthBufferInfo *buffer,
                          const BerthPoints *points) {
  fputs("\"segments\": [", out);
  for (size_t i = 0; i < buffer->numSegments; ++i)
    fprintf(out, "%s[%lld, %lld]", i ? ", " : "",
            (long long)buffer->segments[i].lower,
            (long long)buffer->segments[i].upper);
  for (size_t i = 0; i < buffer->numGaps; ++i)
    fprintf(out, "%s[%lld, %lld, %lld, %lld]", i ? ", " : "], \"windows\": [",
            (long long)buffer->gaps[i].lower, (long long)buffer->gaps[i].upper,
            (long long)buffer->gaps[i].windowLower,
            (long long)buffer->gaps[i].windowUpper);
  fputs("], \"live\": [", out);
  for (size_t i = 0; i < buffer->numSegments; ++i) {
    BerthText text = {0};
    berthNameSegment(points, buffer->segments[i], &text);
    fputs(i ? ", " : "", out);
    berthWriteJsonText(out, text.data, text.length);
    berthTextFree(&text);
  }
  fputs("]", out);
}

static void writeBuffer(FILE *out, const BerthJob *job, size_t index,
                        MlirAsmState state) {
  const BerthBufferInfo *buffer = &job->scope.buffers[index];
  BerthText name = {0}, type = {0};
  berthNameBuffer(buffer, job->scope.space, state, &name, &type);
  fputs("{", out);
  writeName(out, "name", &name);
  fputs(", ", out);
  writeName(out, "type", &type);
  fputs(", ", out);
  writePosition(out, buffer->alloc);
  berthTextFree(&name);
  berthTextFree(&type);
  if (buffer->reason) {
    fputs(", \"placed\": false, \"reason\": ", out);
    berthWriteJsonString(out, buffer->reason);
    fputs("}", out);
    return;
  }
  fputs(", \"placed\": true, ", out);
  if (buffer->isDynamic)
    fprintf(out, "\"dynamic\": true, \"alignment\": %lld, ",
            (long long)buffer->alignment);
  else
    fprintf(out, "\"size\": %lld, \"alignment\": %lld, ",
            (long long)buffer->size, (long long)buffer->alignment);
  if (buffer->isDynamic)
    fprintf(out, "\"arena\": %zu, ", buffer->home);
  else
    fprintf(out, "\"offset\": %lld, ", (long long)buffer->offset);
  fprintf(out, "\"in_place\": %s, ",
          mlirOperationIsNull(buffer->writtenBy) ? "false" : "true");
  writeSegments(out, buffer, &job->points);
  fputs("}", out);
}

/// The constants whose transformed copies are live where most is, and where
/// they stand.
static void writeWeights(FILE *out, const BerthJob *job) {
  BerthWeights weights = berthFindWeights(job);
  if (weights.count)
    fprintf(out, ", \"constant_bytes\": %lld, \"constants\": [",
            (long long)weights.bytes);
  for (size_t i = 0; i < weights.count; ++i) {
    const BerthWeight *weight = &weights.items[i];
    const char *file = berthOpGetFile(weight->global);
    int line, column;
    berthOpGetPosition(weight->global, &line, &column);
    fprintf(out, "%s{\"name\": ", i ? ", " : "");
    BerthText name = {0};
    berthTextAppendWeight(&name, weight);
    berthWriteJsonString(out, name.data);
    berthTextFree(&name);
    fputs(", \"file\": ", out);
    berthWriteJsonString(out, file ? file : "");
    fprintf(out, ", \"line\": %d, \"column\": %d, \"bytes\": %lld}", line,
            column, (long long)weight->bytes);
  }
  if (weights.count)
    fputs("]", out);
  berthWeightsFree(&weights);
}

static void writeFigures(FILE *out, const BerthJob *job) {
  const char *status =
      job->numPlaced ? berthPlanStatusName(job->plan.status) : "optimal";
  fprintf(out,
          ", \"arena\": \"%s\", \"buffers\": %zu, \"placed\": %zu, "
          "\"bytes_before\": %lld, \"bytes_after\": %lld, \"alignment\": %lld, "
          "\"load\": %lld, \"lower_bound\": %lld, \"bound\": \"%s\", "
          "\"status\": \"%s\", "
          "\"optimal\": %s, \"packer\": ",
          berthArenaFormName(job->form), berthCountBuffers(job),
          berthCountPlaced(job), (long long)berthSumOfSizes(job),
          (long long)job->arenaSize, (long long)job->arenaAlignment,
          (long long)job->plan.load, (long long)job->plan.lowerBound,
          berthBoundReasonName(job->plan.boundReason), status,
          job->plan.status == BERTH_PLAN_OPTIMAL ? "true" : "false");
  // A plugin gives its packer any name.
  berthWriteJsonString(out, job->plan.packer ? job->plan.packer : "");
  fprintf(out, ", \"steps\": %llu", (unsigned long long)job->plan.steps);
  writeWeights(out, job);
  if (job->peakTogether > job->peakApart)
    fprintf(out, ", \"peak_apart\": %lld, \"excess\": %lld",
            (long long)job->peakApart,
            (long long)(job->peakTogether - job->peakApart));
}

/// What the run-time heap would have used for the same lifetimes.
static void writeBaseline(FILE *out, const BerthJob *job) {
  if (!job->numPlaced)
    return;
  int64_t online;
  if (berthFindOnlineBytes(berthProblemGetData(job->problem), &online) !=
      BERTH_SUCCESS)
    berthOrDie(NULL);
  if (online != BERTH_NONE)
    fprintf(out, ", \"online\": %lld", (long long)online);
}

/// Bytes against barriers: what each further barrier would buy.
static void writeBarriers(FILE *out, const BerthJob *job) {
  fprintf(out, ", \"barriers\": {\"inserted\": %zu, \"curve\": [",
          job->numBarriers);
  for (size_t i = 0; i < job->curveLength; ++i) {
    const BerthCurvePoint *point = &job->curve[i];
    fprintf(out, "%s{\"barriers\": %zu, \"cost\": %lld, \"bytes\": %lld",
            i ? ", " : "", point->barriers, (long long)point->cost,
            (long long)point->bytes);
    if (job->numSizes)
      fprintf(out, ", \"%s\": %zu",
              berthCountsWorkgroups(job) ? "resident" : "reached",
              berthSizesReached(job, point->bytes));
    fputs("}", out);
  }
  fputs("]", out);
  if (job->numDrains)
    fprintf(out, ", \"waits\": %zu", job->numDrains);
  if (job->numFences)
    fprintf(out, ", \"fences\": %zu", job->numFences);
  fputs("}", out);
}

/// The limits that the arena stands against, and what launches ask for.
static void writeChip(FILE *out, const BerthJob *job) {
  const BerthChip *chip = job->chip;
  if (job->form == BERTH_ARENA_DYNAMIC)
    fprintf(out, ", \"launch_bytes\": %lld", (long long)berthLaunchBytes(job));
  if (!chip)
    return;
  fprintf(out,
          ", \"chip\": {\"name\": \"%s\", \"static_limit\": %lld, "
          "\"dynamic_limit\": %lld, \"granule\": %lld, \"banks\": %lld, "
          "\"bank_width\": %lld, \"other_bytes\": %lld",
          chip->name, (long long)chip->staticLimit,
          (long long)chip->dynamicLimit, (long long)chip->granule,
          (long long)chip->banks, (long long)chip->bankWidth,
          (long long)job->otherBytes);
  if (berthCountsWorkgroups(job))
    fprintf(out, ", \"resident\": %zu", berthSizesReached(job, job->arenaSize));
  fputs("}", out);
}

/// What stands by itself, by its place in the plan.
static void writeParts(FILE *out, const BerthJob *job) {
  fputs(", \"parts\": [", out);
  for (size_t i = 0; i < job->numParts; ++i)
    fprintf(out, "%s{\"offset\": %lld, \"bytes\": %lld, \"alignment\": %lld}",
            i ? ", " : "", (long long)job->parts[i].lower,
            (long long)job->parts[i].bytes, (long long)job->parts[i].alignment);
  fputs("]", out);
}

static void writeJob(FILE *out, const BerthJob *job) {
  BerthText name = {0}, space = {0};
  berthNameScope(&job->scope, &name);
  berthNameSpace(&job->scope, &space);
  fputs("{", out);
  writeName(out, "scope", &name);
  fputs(", ", out);
  writePosition(out, job->scope.op);
  fputs(", ", out);
  writeName(out, "space", &space);
  berthTextFree(&name);
  berthTextFree(&space);
  if (job->scope.isIteration)
    fputs(", \"iteration\": true", out);
  writeFigures(out, job);
  writeBaseline(out, job);
  if (berthScopeIsShared(&job->scope)) {
    writeBarriers(out, job);
    writeChip(out, job);
  }
  if (job->options->splitArenas)
    writeParts(out, job);
  fputs(", \"allocations\": [", out);
  MlirAsmState state = berthAsmStateOf(job->scope.op);
  for (size_t i = 0; i < job->scope.numBuffers; ++i) {
    if (i)
      fputs(", ", out);
    writeBuffer(out, job, i, state);
  }
  mlirAsmStateDestroy(state);
  fputs("]}", out);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// One object a line for each scope, with `separator` between them. False if
/// out of memory. It is text before any file is made, since whoever gets no
/// memory on the way ends the process.
static bool formatJobs(const BerthJob *jobs, size_t numJobs,
                       const char *separator, BerthTextBuffer *text) {
  FILE *out = berthTextBufferOpen(text);
  if (!out)
    return false;
  for (size_t i = 0; i < numJobs; ++i) {
    fputs(i ? separator : "", out);
    writeJob(out, &jobs[i]);
  }
  fputs(numJobs ? "\n" : "", out);
  return fclose(out) == 0;
}

static void writeText(const BerthTextBuffer *text, FILE *out) {
  if (text->length)
    fwrite(text->data, 1, text->length, out);
}

/// {"scopes": [one object a line]}
static BerthStatus writeJson(const BerthJob *jobs, size_t numJobs,
                             const char *path, BerthError *error) {
  BerthTextBuffer text = {0};
  if (!formatJobs(jobs, numJobs, ",\n", &text))
    berthOrDie(NULL);
  BerthOutput *output;
  BerthStatus status = berthOutputOpen(path, &output, error);
  if (status == BERTH_SUCCESS) {
    FILE *out = berthOutputStream(output);
    fputs("{\"scopes\": [\n", out);
    writeText(&text, out);
    fputs("]}\n", out);
    status = berthOutputCommit(output, error);
  }
  free(text.data);
  return status;
}

/// One line of JSON per scope, in one write.
static void writeLines(const BerthJob *jobs, size_t numJobs) {
  BerthTextBuffer text = {0};
  if (!formatJobs(jobs, numJobs, "\n", &text))
    berthOrDie(NULL);
  writeText(&text, stderr);
  free(text.data);
}

BerthStatus berthCheckReportPath(const char *path, BerthError *error) {
  if (!path || strcmp(path, "-") == 0)
    return BERTH_SUCCESS;
  if (path[berthReportFileLength(path)])
    return BERTH_SUCCESS;
  switch (berthFormatFromPath(path)) {
  case BERTH_FORMAT_JSON:
  case BERTH_FORMAT_SVG:
  case BERTH_FORMAT_HTML:
    return BERTH_SUCCESS;
  default:
    return berthErrorSet(error, BERTH_INVALID,
                         "report '%s' ends in none of .json, .svg, .html",
                         path);
  }
}

BerthStatus berthWriteReport(const BerthJob *jobs, size_t numJobs,
                             const BerthArenaOptions *options,
                             BerthError *error) {
  const char *path = options->report;
  bool isStream = path && strcmp(path, "-") == 0;
  if (isStream || options->alsoReports)
    writeLines(jobs, numJobs);
  if (!path || isStream)
    return BERTH_SUCCESS;
  berthTemporariesHeedSignals();
  if (berthFormatFromPath(path) == BERTH_FORMAT_JSON)
    return writeJson(jobs, numJobs, path, error);
  return berthWriteReportPage(jobs, numJobs, path, error);
}
