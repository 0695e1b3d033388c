//===- ProofCheck.c - Replaying a proof log ------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Written against the format in lib/Pack/Proof.h and the problem's data types
// only. It is slow and plain on purpose: every rule is applied to everything
// until nothing changes.
//
//   place i   allowed if something placed (or the floor) holds i up at its
//             minimum and no unplaced item that meets it can lie lower; all of
//             those then lie above it
//   skip i    i lies above its minimum, so it rests on an unplaced item that
//             meets it, and no lower than the lowest top of those; without a
//             `place i` before it, allowed only if nothing holds i up there
//   x         some item ends above the height, or rests on nothing, or the
//             items live at some time, stacked by minimum, end above it
//
//===---------------------------------------------------------------------===//

#include "berth-c/Proof.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A buffer, or a group as one.
typedef struct Box {
  int64_t size;
  int64_t alignment;
} Box;

typedef struct Level {
  int64_t minimum;
  int64_t base; ///< lowest offset above what is placed and meets it
  bool placed;
} Level;

typedef struct Checker {
  const BerthProblemData *problem;
  FILE *file;
  BerthError *error;
  uint64_t line;
  char text[64];
  int64_t height;
  uint32_t numBoxes;
  Box *boxes;
  uint32_t *boxOf; ///< buffer -> box
  bool *meets;     ///< numBoxes x numBoxes
  Level *levels;
  uint32_t *order;  ///< scratch of the stacking
  bool unsupported; ///< some skipped box rests on nothing
} Checker;

static BerthStatus reject(Checker *checker, const char *reason) {
  BerthStatus status =
      berthErrorSet(checker->error, BERTH_INVALID, "%s", reason);
  if (checker->error)
    checker->error->line = checker->line;
  return status;
}

static int64_t alignUp(int64_t value, int64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

//===---------------------------------------------------------------------===//
// The problem
//===---------------------------------------------------------------------===//

static bool isPlain(const BerthProblemData *problem) {
  for (size_t i = 0; i < problem->numBuffers; ++i)
    if (problem->buffers[i].numGaps ||
        problem->buffers[i].fixedOffset != BERTH_NONE)
      return false;
  for (size_t i = 0; i < problem->numEdges; ++i)
    if (problem->edges[i].numAlternatives)
      return false;
  return problem->numReserved == 0 && problem->numPools == 0;
}

static bool liveTogether(const BerthBuffer *a, const BerthBuffer *b) {
  for (size_t i = 0; i < a->numSegments; ++i)
    for (size_t j = 0; j < b->numSegments; ++j)
      if (a->segments[i].lower < b->segments[j].upper &&
          b->segments[j].lower < a->segments[i].upper)
        return true;
  return false;
}

static int64_t lcm(int64_t a, int64_t b) {
  int64_t x = a, y = b;
  while (y) {
    int64_t rest = x % y;
    x = y;
    y = rest;
  }
  return a / x * b;
}

// Boxes are numbered by their first buffer.
static void numberBoxes(Checker *checker) {
  const BerthProblemData *problem = checker->problem;
  for (uint32_t i = 0; i < problem->numBuffers; ++i) {
    const BerthBuffer *buffer = &problem->buffers[i];
    uint32_t box = checker->numBoxes;
    for (uint32_t j = 0; buffer->group != BERTH_NONE && j < i; ++j)
      if (problem->buffers[j].group == buffer->group)
        box = checker->boxOf[j];
    if (box == checker->numBoxes)
      checker->boxes[checker->numBoxes++] = (Box){0, 1};
    checker->boxOf[i] = box;
    Box *b = &checker->boxes[box];
    b->size = buffer->size > b->size ? buffer->size : b->size;
    b->alignment = lcm(b->alignment, buffer->alignment);
  }
}

static void findMeetings(Checker *checker) {
  const BerthProblemData *problem = checker->problem;
  size_t n = checker->numBoxes;
  for (uint32_t i = 0; i < problem->numBuffers; ++i)
    for (uint32_t j = 0; j < problem->numBuffers; ++j) {
      uint32_t a = checker->boxOf[i], b = checker->boxOf[j];
      if (a != b && liveTogether(&problem->buffers[i], &problem->buffers[j]))
        checker->meets[a * n + b] = true;
    }
  for (size_t e = 0; e < problem->numEdges; ++e) {
    uint32_t a = checker->boxOf[problem->edges[e].first];
    uint32_t b = checker->boxOf[problem->edges[e].second];
    checker->meets[a * n + b] = checker->meets[b * n + a] = true;
  }
}

static bool meet(const Checker *checker, uint32_t a, uint32_t b) {
  return checker->meets[(size_t)a * checker->numBoxes + b];
}

//===---------------------------------------------------------------------===//
// Rules
//===---------------------------------------------------------------------===//

// The lowest offset at which an unplaced box can hold this one up, or -1.
static int64_t support(const Checker *checker, uint32_t box) {
  int64_t lowest = -1;
  for (uint32_t j = 0; j < checker->numBoxes; ++j) {
    if (!meet(checker, box, j) || checker->levels[j].placed)
      continue;
    int64_t top = alignUp(checker->levels[j].minimum + checker->boxes[j].size,
                          checker->boxes[box].alignment);
    lowest = lowest < 0 || top < lowest ? top : lowest;
  }
  return lowest;
}

static void restOnSomething(Checker *checker, uint32_t box) {
  int64_t lowest = support(checker, box);
  if (lowest < 0)
    checker->unsupported = true;
  else if (lowest > checker->levels[box].minimum)
    checker->levels[box].minimum = lowest;
}

// Two boxes may push each other up for ever; the height puts an end to it.
static void propagate(Checker *checker) {
  for (bool changed = true; changed && !checker->unsupported;) {
    changed = false;
    for (uint32_t i = 0; i < checker->numBoxes; ++i) {
      Level before = checker->levels[i];
      if (before.placed || before.minimum <= before.base)
        continue;
      if (before.minimum + checker->boxes[i].size > checker->height)
        return;
      restOnSomething(checker, i);
      changed |= checker->levels[i].minimum > before.minimum;
    }
  }
}

static bool isLowest(const Checker *checker, uint32_t box) {
  for (uint32_t j = 0; j < checker->numBoxes; ++j)
    if (meet(checker, box, j) && !checker->levels[j].placed &&
        checker->levels[j].minimum < checker->levels[box].minimum)
      return false;
  return !checker->levels[box].placed;
}

static void place(Checker *checker, uint32_t box) {
  Level *level = &checker->levels[box];
  int64_t top = level->minimum + checker->boxes[box].size;
  level->placed = true;
  for (uint32_t j = 0; j < checker->numBoxes; ++j) {
    Level *other = &checker->levels[j];
    int64_t base = alignUp(top, checker->boxes[j].alignment);
    if (!meet(checker, box, j) || other->placed || base <= other->base)
      continue;
    other->base = base;
    other->minimum = base > other->minimum ? base : other->minimum;
  }
  propagate(checker);
}

static void skip(Checker *checker, uint32_t box) {
  restOnSomething(checker, box);
  propagate(checker);
}

//===---------------------------------------------------------------------===//
// Failures
//===---------------------------------------------------------------------===//

static void insert(Checker *checker, uint32_t count, uint32_t box) {
  const Level *levels = checker->levels;
  for (; count > 0 &&
         levels[checker->order[count - 1]].minimum > levels[box].minimum;
       --count)
    checker->order[count] = checker->order[count - 1];
  checker->order[count] = box;
}

static int64_t stack(const Checker *checker, uint32_t count) {
  int64_t top = 0;
  for (uint32_t k = 0; k < count; ++k) {
    uint32_t box = checker->order[k];
    int64_t minimum = checker->levels[box].minimum;
    top = (minimum > top ? minimum : top) + checker->boxes[box].size;
  }
  return top;
}

static bool isLiveAt(const Checker *checker, uint32_t box, int64_t time) {
  const BerthProblemData *problem = checker->problem;
  for (uint32_t i = 0; i < problem->numBuffers; ++i)
    for (size_t s = 0;
         checker->boxOf[i] == box && s < problem->buffers[i].numSegments; ++s)
      if (problem->buffers[i].segments[s].lower <= time &&
          time < problem->buffers[i].segments[s].upper)
        return true;
  return false;
}

static bool overflowsAt(Checker *checker, int64_t time) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < checker->numBoxes; ++i)
    if (isLiveAt(checker, i, time))
      insert(checker, count++, i);
  return stack(checker, count) > checker->height;
}

// Two boxes that meet, for whatever reason, stand one above the other.
static bool pairOverflows(Checker *checker, uint32_t i, uint32_t j) {
  insert(checker, 0, i);
  insert(checker, 1, j);
  return stack(checker, 2) > checker->height;
}

// All boxes live at some time are live where one of them begins.
static bool hasFailed(Checker *checker) {
  const BerthProblemData *problem = checker->problem;
  for (uint32_t i = 0; i < checker->numBoxes; ++i) {
    if (checker->levels[i].minimum + checker->boxes[i].size > checker->height)
      return true;
    for (uint32_t j = 0; j < i; ++j)
      if (meet(checker, i, j) && pairOverflows(checker, i, j))
        return true;
  }
  for (size_t i = 0; i < problem->numBuffers; ++i)
    for (size_t s = 0; s < problem->buffers[i].numSegments; ++s)
      if (overflowsAt(checker, problem->buffers[i].segments[s].lower))
        return true;
  return checker->unsupported;
}

//===---------------------------------------------------------------------===//
// The tree
//===---------------------------------------------------------------------===//

static BerthStatus readLine(Checker *checker) {
  ++checker->line;
  if (!fgets(checker->text, sizeof checker->text, checker->file))
    return reject(checker, "the proof is cut short");
  checker->text[strcspn(checker->text, "\n")] = '\0';
  return BERTH_SUCCESS;
}

static BerthStatus readBox(Checker *checker, uint32_t *box) {
  char *end;
  unsigned long value = strtoul(checker->text + 1, &end, 10);
  if (checker->text[1] != ' ' || *end || value >= checker->numBoxes)
    return reject(checker, "the proof names no such buffer");
  *box = (uint32_t)value;
  return BERTH_SUCCESS;
}

static BerthStatus checkNode(Checker *checker);

// Applies one decision, checks what follows from it, and takes it back.
static BerthStatus checkBranch(Checker *checker, uint32_t box,
                               void (*decide)(Checker *, uint32_t)) {
  size_t bytes = checker->numBoxes * sizeof(Level);
  Level *saved = malloc(bytes);
  if (!saved)
    return berthErrorSet(checker->error, BERTH_RESOURCE, "out of memory");
  memcpy(saved, checker->levels, bytes);
  decide(checker, box);
  BerthStatus status = checkNode(checker);
  memcpy(checker->levels, saved, bytes);
  checker->unsupported = false;
  free(saved);
  return status;
}

static BerthStatus checkPlaceOrSkip(Checker *checker, uint32_t box) {
  uint32_t again = 0;
  if (!isLowest(checker, box) ||
      checker->levels[box].minimum > checker->levels[box].base)
    return reject(checker, "this buffer may not be placed here");
  BerthStatus status = checkBranch(checker, box, place);
  if (!status)
    status = readLine(checker);
  if (status)
    return status;
  if (checker->text[0] != 's' || readBox(checker, &again) || again != box)
    return reject(checker, "the other branch is missing");
  return checkBranch(checker, box, skip);
}

static BerthStatus checkNode(Checker *checker) {
  uint32_t box = 0;
  BerthStatus status = readLine(checker);
  if (status)
    return status;
  if (strcmp(checker->text, "x") == 0)
    return hasFailed(checker) ? BERTH_SUCCESS
                              : reject(checker, "nothing has failed here");
  char kind = checker->text[0];
  if (kind != 'p' && kind != 's')
    return reject(checker, "expected p, s or x");
  status = readBox(checker, &box);
  if (status)
    return status;
  if (kind == 'p')
    return checkPlaceOrSkip(checker, box);
  if (!isLowest(checker, box) ||
      checker->levels[box].minimum <= checker->levels[box].base)
    return reject(checker, "this buffer may not be skipped here");
  return checkBranch(checker, box, skip);
}

static BerthStatus checkLog(Checker *checker) {
  BerthStatus status = readLine(checker);
  if (!status && strcmp(checker->text, "berth-proof 1") != 0)
    status = reject(checker, "this is no proof log");
  if (!status)
    status = readLine(checker);
  if (!status &&
      sscanf(checker->text, "refute %" SCNd64, &checker->height) != 1)
    status = reject(checker, "expected 'refute' and a height");
  if (!status)
    status = checkNode(checker);
  if (!status)
    status = readLine(checker);
  if (!status && strcmp(checker->text, "end") != 0)
    status = reject(checker, "the proof goes on after its end");
  return status;
}

static bool allocate(Checker *checker) {
  size_t n = checker->problem->numBuffers;
  checker->boxes = calloc(n + 1, sizeof *checker->boxes);
  checker->boxOf = calloc(n + 1, sizeof *checker->boxOf);
  checker->meets = calloc(n * n + 1, sizeof *checker->meets);
  checker->levels = calloc(n + 1, sizeof *checker->levels);
  checker->order = calloc(n + 2, sizeof *checker->order);
  return checker->boxes && checker->boxOf && checker->meets &&
         checker->levels && checker->order;
}

BerthStatus berthProofCheck(const BerthProblemData *problem, const char *path,
                            int64_t *refuted, BerthError *error) {
  Checker checker = {.problem = problem, .error = error};
  BerthStatus status = berthProblemCheck(problem, NULL, error);
  if (status)
    return status;
  if (!isPlain(problem))
    return berthErrorSet(error, BERTH_INVALID,
                         "proof logs are for plain problems only");
  checker.file = fopen(path, "r");
  if (!checker.file)
    return berthErrorSet(error, BERTH_INVALID, "cannot read '%.256s'", path);
  if (allocate(&checker)) {
    numberBoxes(&checker);
    findMeetings(&checker);
    status = checkLog(&checker);
  } else {
    status = berthErrorSet(error, BERTH_RESOURCE, "out of memory");
  }
  if (!status && refuted)
    *refuted = checker.height;
  fclose(checker.file);
  free(checker.boxes);
  free(checker.boxOf);
  free(checker.meets);
  free(checker.levels);
  free(checker.order);
  return status;
}
