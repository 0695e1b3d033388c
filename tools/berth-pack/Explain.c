//===- Explain.c - Errors, and why it does not fit ------------------- C --===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "IO/Text/Bound.h"
#include "Support/Messages.h"
#include "Tool.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

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

/// `tile`: only so many bytes of it; 0: all.
static void printBuffer(const char *file, const BerthDocument *document,
                        const BerthProblemData *problem, size_t index,
                        int64_t tile) {
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
  if (tile)
    fprintf(stderr, ": a tile of %" PRId64 " bytes", tile);
  fputc('\n', stderr);
}

/// `tiles`: of each buffer, see printBuffer, or NULL.
static void printConflict(const char *file, const BerthDocument *document,
                          const BerthProblemData *problem,
                          const BerthPlan *plan, const int64_t *tiles) {
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
    printBuffer(file, document, problem, plan->conflict[i],
                tiles ? tiles[plan->conflict[i]] : 0);
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
    printBuffer(file, document, problem, largest[i], 0);
  printConflict(file, document, problem, plan, NULL);
}

//===---------------------------------------------------------------------===//
// Cannot be held at once
//===---------------------------------------------------------------------===//

/// What the buffer takes of the fast memory at least at the time; `*tile` is
/// that if it is a tile, else 0.
static int64_t leastBytes(const BerthBuffer *buffer, int64_t time,
                          const BerthFitOptions *options, int64_t *tile) {
  *tile = 0;
  for (size_t i = 0; i < buffer->numUses; ++i) {
    BerthBufferUse use = buffer->uses[i];
    if (time < use.lower || time >= use.upper)
      continue;
    *tile = use.tile;
    return use.tile ? use.tile : options->access ? 0 : buffer->size;
  }
  bool isMade = false; // and where nothing says when it is used, its end
  for (size_t i = 0; i < buffer->numSegments; ++i)
    isMade |= (!buffer->backed && buffer->segments[i].lower == time) ||
              (!buffer->numUses && buffer->segments[i].upper - 1 == time);
  return isMade && !options->access ? buffer->size : 0;
}

/// Which buffers it is that cannot be in the fast memory together at the time,
/// as packing tells it.
static void printUses(const char *file, const BerthDocument *document,
                      const BerthProblemData *problem, int64_t time,
                      const BerthFitOptions *options) {
  BerthProblem *together = berthProblemCreate();
  uint32_t *indices = calloc(problem->numBuffers, sizeof *indices);
  int64_t *tiles = calloc(problem->numBuffers, sizeof *tiles);
  size_t count = 0;
  for (uint32_t i = 0; together && indices && tiles && i < problem->numBuffers;
       ++i) {
    BerthBuffer one = berthBufferDefault();
    BerthSegment life = {time, time + 1};
    one.size = leastBytes(&problem->buffers[i], time, options, &tiles[i]);
    one.alignment = problem->buffers[i].alignment;
    one.numSegments = 1;
    one.segments = &life;
    if (one.size == 0)
      continue;
    berthProblemAddBuffer(together, &one);
    indices[count++] = i;
  }
  for (size_t i = 0; together && i < problem->numReserved; ++i)
    berthProblemAddReserved(together, problem->reserved[i]);
  if (together)
    berthProblemSetCapacity(together, problem->capacity);
  const BerthProblemData *data =
      together && count ? berthProblemGetData(together) : NULL;
  BerthPlan plan = {0};
  BerthError error;
  if (data && berthPack(data, NULL, &plan, &error) == BERTH_SUCCESS) {
    for (size_t i = 0; i < plan.numConflict; ++i)
      plan.conflict[i] = indices[plan.conflict[i]];
    printConflict(file, document, problem, &plan, tiles);
  }
  berthPlanFree(&plan);
  free(tiles);
  free(indices);
  berthProblemDestroy(together);
}

void toolExplainFit(const char *file, const BerthDocument *document,
                    const BerthProblemData *problem, const BerthFitPlan *plan,
                    const BerthFitOptions *options) {
  fprintf(stderr,
          "%s: error: the uses at time %" PRId64 " need %" PRId64 " bytes, ",
          displayName(file), plan->tightTime, plan->tightBytes);
  if (plan->tightBytes > problem->capacity)
    fprintf(stderr,
            "more than the capacity of %" PRId64
            " bytes without what is reserved\n",
            problem->capacity);
  else
    fprintf(stderr,
            "and with what is reserved or lost to alignment a capacity of "
            "%" PRId64 " bytes, more than that of %" PRId64 "\n",
            plan->needed, problem->capacity);
  printUses(file, document, problem, plan->tightTime, options);
}
