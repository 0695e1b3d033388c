//===- Page.c - Plans to explore in a browser ----------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The page is Report.html with Report.css and Report.js in it, compiled in; the
// data is put in place of a mark.
// Numbers that a browser would round (beyond 2^53) are written as strings.
//
//===---------------------------------------------------------------------===//

#include "IO/Pictures/Page.h"
#include "IO/Pictures/Draw.h"
#include "IO/Text/Bound.h"
#include "IO/Text/Escape.h"
#include "IO/Text/Written.h"
#include "Pack/Run/Online.h"
#include "Support/Allocate.h"
#include "berth-c/IO.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/// The page, NUL-terminated.
extern const char berthReportHtml[];

static const char mark[] = "@BERTH_DATA@";

static void writeNumber(FILE *stream, int64_t value) {
  const int64_t exact = INT64_C(1) << 53;
  bool rounds = value > exact || value < -exact;
  fprintf(stream, rounds ? "\"%" PRId64 "\"" : "%" PRId64, value);
}

static void writeField(FILE *stream, const char *name, int64_t value) {
  fprintf(stream, ",\n\"%s\":", name);
  writeNumber(stream, value);
}

/// One array with a number for each buffer.
static void writeColumn(FILE *stream, const char *name,
                        const BerthProblemData *problem, const BerthPlan *plan,
                        int64_t (*value)(const BerthProblemData *,
                                         const BerthPlan *, size_t)) {
  fprintf(stream, ",\n\"%s\":[", name);
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    if (i > 0)
      fputc(',', stream);
    writeNumber(stream, value(problem, plan, i));
  }
  fputc(']', stream);
}

static int64_t sizeOf(const BerthProblemData *problem, const BerthPlan *plan,
                      size_t index) {
  (void)plan;
  return problem->buffers[index].size;
}

static int64_t alignmentOf(const BerthProblemData *problem,
                           const BerthPlan *plan, size_t index) {
  (void)plan;
  return problem->buffers[index].alignment;
}

static int64_t offsetOf(const BerthProblemData *problem, const BerthPlan *plan,
                        size_t index) {
  (void)problem;
  return plan ? plan->offsets[index] : 0;
}

static int64_t poolOf(const BerthProblemData *problem, const BerthPlan *plan,
                      size_t index) {
  (void)problem;
  return plan ? plan->pools[index] : 0;
}

static void writeIds(FILE *stream, const BerthProblemData *problem) {
  fputs(",\n\"ids\":[", stream);
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    if (i > 0)
      fputc(',', stream);
    if (problem->buffers[i].id)
      berthWriteJsonString(stream, problem->buffers[i].id);
    else
      fputs("null", stream);
  }
  fputc(']', stream);
}

static void writePiece(FILE *stream, const BerthDrawPiece *piece, bool first) {
  const int64_t values[] = {piece->lower, piece->upper, piece->low,
                            piece->high};
  for (size_t i = 0; i < 4; ++i) {
    if (!first || i > 0)
      fputc(',', stream);
    writeNumber(stream, values[i]);
  }
}

/// All pieces in one flat array, and where each buffer's begin in it. False if
/// out of memory.
static bool writePieces(FILE *stream, const BerthProblemData *problem) {
  size_t total = 0;
  size_t *begin = berthZeroed(problem->numBuffers + 1, sizeof *begin);
  BerthDrawPiece *pieces = berthDrawPieceRoom(problem);
  if (!begin || !pieces) {
    free(begin);
    free(pieces);
    return false;
  }
  fputs(",\n\"pieces\":[", stream);
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    size_t count = berthDrawPieces(&problem->buffers[i], pieces);
    for (size_t k = 0; k < count; ++k)
      writePiece(stream, &pieces[k], total + k == 0);
    total += count;
    begin[i + 1] = total;
  }
  fputs("],\n\"pieceBegin\":[", stream);
  for (size_t i = 0; i <= problem->numBuffers; ++i)
    fprintf(stream, i ? ",%zu" : "%zu", begin[i]);
  fputc(']', stream);
  free(begin);
  free(pieces);
  return true;
}

static void writePool(FILE *stream, const char *id, size_t index,
                      int64_t capacity, const BerthRange *reserved,
                      size_t numReserved) {
  fputs(index ? ",{\"name\":" : "{\"name\":", stream);
  if (id)
    berthWriteJsonString(stream, id);
  else
    fprintf(stream, "\"%zu\"", index);
  fputs(",\"capacity\":", stream);
  writeNumber(stream, capacity);
  fputs(",\"reserved\":[", stream);
  for (size_t i = 0; i < numReserved; ++i) {
    fputs(i ? ",[" : "[", stream);
    writeNumber(stream, reserved[i].lower);
    fputc(',', stream);
    writeNumber(stream, reserved[i].upper);
    fputc(']', stream);
  }
  fputs("]}", stream);
}

static void writePools(FILE *stream, const BerthProblemData *problem) {
  fputs(",\n\"pools\":[", stream);
  if (problem->numPools == 0)
    writePool(stream, NULL, 0, problem->capacity, problem->reserved,
              problem->numReserved);
  for (size_t i = 0; i < problem->numPools; ++i) {
    const BerthPool *pool = &problem->pools[i];
    writePool(stream, pool->id, i, pool->capacity, pool->reserved,
              pool->numReserved);
  }
  fputc(']', stream);
}

/// False if out of memory.
static bool writePlan(FILE *stream, const BerthProblemData *problem,
                      const BerthPlan *plan) {
  fprintf(stream, ",\n\"status\":\"%s\",\n\"packer\":",
          berthPlanStatusName(plan->status));
  berthWriteJsonString(stream, plan->packer ? plan->packer : "unknown");
  writeField(stream, "peak", plan->peak);
  writeField(stream, "load", plan->load);
  writeField(stream, "lowerBound", plan->lowerBound);
  fputs(",\n\"bound\":", stream);
  berthWriteBound(stream, plan);
  int64_t online;
  if (berthFindOnlineBytes(problem, &online) != BERTH_SUCCESS)
    return false;
  if (online != BERTH_NONE)
    writeField(stream, "online", online);
  return true;
}

/// The line; as "file:line" where the file is not that of the scope.
static void writeLine(FILE *stream, const BerthPageOrigin *origin) {
  if (!origin->file) {
    fprintf(stream, "%d", origin->line);
    return;
  }
  char text[256];
  snprintf(text, sizeof text, "%.200s:%d", origin->file, origin->line);
  berthWriteJsonString(stream, text);
}

static void writeOrigins(FILE *stream, const char *names, const char *lines,
                         const BerthPageOrigin *origins, size_t count) {
  fprintf(stream, "\"%s\":[", names);
  for (size_t i = 0; i < count; ++i) {
    fputs(i ? "," : "", stream);
    berthWriteJsonString(stream, origins[i].name);
  }
  fprintf(stream, "],\n\"%s\":[", lines);
  for (size_t i = 0; i < count; ++i) {
    fputs(i ? "," : "", stream);
    writeLine(stream, &origins[i]);
  }
  fputc(']', stream);
}

static void writeMarks(FILE *stream, const BerthPageScope *scope) {
  fputs(",\n\"marks\":[", stream);
  for (size_t i = 0; i < scope->numMarks; ++i) {
    fprintf(stream, i ? ",[%" PRId64 "," : "[%" PRId64 ",",
            scope->marks[i].time);
    berthWriteJsonString(stream, scope->marks[i].what);
    if (scope->marks[i].buffer != BERTH_NONE)
      fprintf(stream, ",%" PRId64, scope->marks[i].buffer);
    fputc(']', stream);
  }
  fputc(']', stream);
}

static void writeUnplaced(FILE *stream, const BerthPageScope *scope) {
  fputs(",\n\"unplaced\":[", stream);
  for (size_t i = 0; i < scope->numUnplaced; ++i) {
    const BerthPageUnplaced *buffer = &scope->unplaced[i];
    fputs(i ? ",\n{\"name\":" : "{\"name\":", stream);
    berthWriteJsonString(stream, buffer->name);
    fputs(",\"type\":", stream);
    berthWriteJsonString(stream, buffer->type);
    fputs(",\"reason\":", stream);
    berthWriteJsonString(stream, buffer->reason);
    if (buffer->advice) {
      fputs(",\"advice\":", stream);
      berthWriteJsonString(stream, buffer->advice);
    }
    fprintf(stream, ",\"line\":%d}", buffer->line);
  }
  fputc(']', stream);
}

/// What a compiler knows beyond the problem and the plan.
static void writeSource(FILE *stream, const BerthPageScope *scope) {
  if (scope->bytesBefore != BERTH_NONE)
    writeField(stream, "bytesBefore", scope->bytesBefore);
  if (scope->numLaterLives)
    writeField(stream, "laterLives", (int64_t)scope->numLaterLives);
  if (scope->file) {
    fputs(",\n\"file\":", stream);
    berthWriteJsonString(stream, scope->file);
  }
  if (scope->buffers) {
    fputs(",\n", stream);
    writeOrigins(stream, "types", "lines", scope->buffers,
                 scope->problem->numBuffers);
  }
  if (scope->points) {
    fputs(",\n\"points\":{", stream);
    writeOrigins(stream, "op", "line", scope->points, scope->numPoints);
    fputc('}', stream);
  }
  if (scope->numMarks > 0)
    writeMarks(stream, scope);
  if (scope->numUnplaced > 0)
    writeUnplaced(stream, scope);
}

BerthStatus berthWritePageScope(FILE *stream, const BerthPageScope *scope,
                                BerthError *error) {
  const BerthProblemData *problem = scope->problem;
  const BerthPlan *plan = scope->plan;
  fputs("{\n\"title\":", stream);
  berthWriteJsonString(stream, scope->title ? scope->title : "Memory plan");
  fprintf(stream, ",\n\"planned\":%s", plan ? "true" : "false");
  writeField(stream, "capacity", problem->capacity);
  bool complete = !plan || writePlan(stream, problem, plan);
  writePools(stream, problem);
  writeIds(stream, problem);
  writeColumn(stream, "sizes", problem, plan, sizeOf);
  writeColumn(stream, "alignments", problem, plan, alignmentOf);
  writeColumn(stream, "offsets", problem, plan, offsetOf);
  writeColumn(stream, "pool", problem, plan, poolOf);
  writeSource(stream, scope);
  complete = writePieces(stream, problem) && complete;
  fputs("\n}", stream);
  return complete ? BERTH_SUCCESS : berthOutOfMemory(error);
}

BerthStatus berthWritePage(FILE *stream, const BerthPage *page,
                           BerthError *error) {
  const char *place = strstr(berthReportHtml, mark);
  if (!place)
    return berthErrorSet(error, BERTH_INTERNAL, "the page has no mark");
  fwrite(berthReportHtml, 1, (size_t)(place - berthReportHtml), stream);
  fprintf(stream, "{\"chosen\":%zu,\"compare\":%s,\"scopes\":[", page->chosen,
          page->compare ? "true" : "false");
  BerthStatus status = BERTH_SUCCESS;
  for (size_t i = 0; !status && i < page->numScopes; ++i) {
    fputs(i ? ",\n" : "", stream);
    status = berthWritePageScope(stream, &page->scopes[i], error);
  }
  fputs("]}", stream);
  fputs(place + strlen(mark), stream);
  if (status)
    return status;
  return berthCheckWritten(stream, "HTML", error);
}

BerthStatus berthWriteHtml(FILE *stream, const BerthProblemData *problem,
                           const BerthPlan *plan, const char *title,
                           BerthError *error) {
  BerthPageScope scope = {.title = title,
                          .problem = problem,
                          .plan = plan,
                          .bytesBefore = BERTH_NONE};
  return berthWritePage(stream, &(BerthPage){&scope, 1, 0, false}, error);
}
