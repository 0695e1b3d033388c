//===- Explain.c - Errors, and why it does not fit ------------------- C --===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "IO/Bound.h"
#include "Support/Messages.h"
#include "Tool.h"

#include <inttypes.h>
#include <stdarg.h>

static const char *displayName(const char *file) {
  return file[0] == '-' && !file[1] ? "<stdin>" : file;
}

/// "file:line:column: " as far as known.
static void printPlace(const char *file, const BerthError *error) {
  if (!file) {
    fputs("berth-pack: ", stderr);
    return;
  }
  fprintf(stderr, "%s:", displayName(file));
  if (error->line > 0)
    fprintf(stderr, "%" PRIu64 ":%" PRIu64 ":", error->line, error->column);
  fputc(' ', stderr);
}

int toolComplain(const char *tool, const char *format, ...) {
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  fprintf(stderr, "%s: error: %s%s\n", tool, text, berthMessageNumber(text));
  return EXIT_USAGE;
}

int toolFail(const char *file, BerthStatus status, const BerthError *error) {
  printPlace(file, error);
  fprintf(stderr, "error: %s%s\n", error->message,
          berthMessageNumber(error->message));
  return status == BERTH_INVALID ? EXIT_USAGE : EXIT_INTERNAL;
}

//===---------------------------------------------------------------------===//
// Does not fit
//===---------------------------------------------------------------------===//

static bool isLive(const BerthBuffer *buffer, int64_t time) {
  for (size_t i = 0; i < buffer->numSegments; ++i) {
    if (buffer->segments[i].lower <= time && time < buffer->segments[i].upper)
      return true;
  }
  return false;
}

enum { MAX_LARGEST = 5 };

/// The indices of the largest buffers that are live at a time, in order of
/// size, then index. Returns how many.
static size_t findLargest(const BerthProblemData *problem, int64_t time,
                          size_t largest[MAX_LARGEST]) {
  size_t count = 0;
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    if (!isLive(&problem->buffers[i], time))
      continue;
    size_t place = count < MAX_LARGEST ? count++ : MAX_LARGEST;
    while (place > 0 && problem->buffers[largest[place - 1]].size <
                            problem->buffers[i].size) {
      if (place < MAX_LARGEST)
        largest[place] = largest[place - 1];
      --place;
    }
    if (place < MAX_LARGEST)
      largest[place] = i;
  }
  return count;
}

static void printBuffer(const char *file, const BerthDocument *document,
                        const BerthProblemData *problem, size_t index) {
  const BerthBuffer *buffer = &problem->buffers[index];
  BerthError place = {0};
  char unnamed[24];
  berthDocumentLocate(document, index, &place);
  printPlace(file, &place);
  snprintf(unnamed, sizeof unnamed, "b%zu", index);
  fprintf(stderr,
          "note: buffer '%s' of %" PRId64 " bytes, live from %" PRId64
          " to %" PRId64,
          buffer->id ? buffer->id : unnamed, buffer->size,
          buffer->segments[0].lower,
          buffer->segments[buffer->numSegments - 1].upper);
  if (buffer->fixedOffset != BERTH_NONE)
    fprintf(stderr, ", pinned to offset %" PRId64, buffer->fixedOffset);
  fputc('\n', stderr);
}

static void printConflict(const char *file, const BerthDocument *document,
                          const BerthProblemData *problem,
                          const BerthPlan *plan) {
  if (plan->numConflict == 0)
    return;
  fprintf(stderr, "%s: note: ", displayName(file));
  if (plan->numConflict == 1)
    fprintf(stderr, "this buffer alone cannot fit%s:\n",
            problem->buffers[plan->conflict[0]].fixedOffset != BERTH_NONE
                ? " where it is pinned"
                : "");
  else
    fprintf(stderr, "%zu buffers cannot fit together%s%s:\n", plan->numConflict,
            plan->conflictIrreducible ? " (but any one less can)" : "",
            plan->numConflict > MAX_LARGEST ? ", among them" : "");
  for (size_t i = 0; i < plan->numConflict && i < MAX_LARGEST; ++i)
    printBuffer(file, document, problem, plan->conflict[i]);
}

void toolExplain(const char *file, const BerthDocument *document,
                 const BerthProblemData *problem, const BerthPlan *plan,
                 bool isGiven) {
  int64_t time = 0;
  int64_t load = berthProblemLoad(problem, &time);
  bool proven = plan->status == BERTH_PLAN_INFEASIBLE;
  fprintf(stderr, "%s: error: ", displayName(file));
  if (problem->numPools > 0)
    fputs("the buffers do not fit the pools", stderr);
  else
    fprintf(stderr,
            "peak %" PRId64 " is above the capacity of %" PRId64 " bytes",
            plan->peak, problem->capacity);
  fprintf(stderr, " (%s); no plan has a peak below %" PRId64,
          isGiven  ? "the plan is right but for that"
          : proven ? "proven: nothing fits"
                   : "the best plan found within budget",
          plan->lowerBound);
  berthWriteBoundWords(stderr, plan);
  fprintf(stderr,
          "; the most costly point is time %" PRId64 ", where %" PRId64
          " bytes are live%s\n",
          time, load, berthMessageNumber("is above the capacity of"));
  size_t largest[MAX_LARGEST];
  size_t count = findLargest(problem, time, largest);
  for (size_t i = 0; i < count; ++i)
    printBuffer(file, document, problem, largest[i]);
  printConflict(file, document, problem, plan);
}
