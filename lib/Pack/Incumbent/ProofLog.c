//===- ProofLog.c - The log of a refutation -------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Incumbent/ProofLog.h"

#include "Support/Allocate.h"
#include "berth-c/IO.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void append(BerthProofLog *log, BerthProofLine line) {
  if (!log || log->failed)
    return;
  if (!berthReserve(&log->lines, &log->room, log->count + 1)) {
    log->failed = true;
    return;
  }
  log->lines[log->count++] = line;
}

// A line about an item.
static void appendItem(BerthProofLog *log, char kind, uint32_t item,
                       int64_t number) {
  uint32_t shown = log && log->numbers ? log->numbers[item] : item;
  append(log, (BerthProofLine){kind, shown, number});
}

void berthProofPlace(BerthProofLog *log, uint32_t item, int64_t offset) {
  appendItem(log, 'p', item, offset);
}

void berthProofSkip(BerthProofLog *log, uint32_t item, int64_t offset) {
  appendItem(log, 's', item, offset);
}

void berthProofFail(BerthProofLog *log) {
  append(log, (BerthProofLine){'x', 0, 0});
}

void berthProofFailAligned(BerthProofLog *log, int64_t alignment) {
  append(log, (BerthProofLine){'a', 0, alignment});
}

void berthProofFailClique(BerthProofLog *log, const uint32_t *items,
                          uint32_t count) {
  for (uint32_t k = 0; k < count; ++k)
    appendItem(log, 'k', items[k], 0);
  append(log, (BerthProofLine){'c', 0, 0});
}

// Two lines here, as each has one number.
void berthProofPart(BerthProofLog *log, uint32_t item, BerthRange bytes) {
  appendItem(log, 'b', item, bytes.lower);
  append(log, (BerthProofLine){'-', 0, bytes.upper});
}

void berthProofRefute(BerthProofLog *log, int64_t peak, int64_t price,
                      int64_t poolCost) {
  append(log, (BerthProofLine){'r', 0, peak});
  append(log, (BerthProofLine){'$', 0, price});
  append(log, (BerthProofLine){'#', 0, poolCost});
}

void berthProofChoose(BerthProofLog *log, uint32_t item) {
  appendItem(log, 'i', item, 0);
}

void berthProofHeight(BerthProofLog *log, uint32_t pool, int64_t height) {
  append(log, (BerthProofLine){'h', pool, height});
}

void berthProofCase(BerthProofLog *log, uint64_t cuts) {
  append(log, (BerthProofLine){'C', 0, (int64_t)cuts});
}

void berthProofAppend(BerthProofLog *log, const BerthProofLog *tree) {
  if (!log)
    return;
  for (size_t k = 0; k < tree->count; ++k)
    append(log, tree->lines[k]);
  log->failed |= tree->failed;
}

size_t berthProofBegin(const BerthProofLog *log) {
  return log ? log->count : 0;
}

void berthProofForget(BerthProofLog *log, size_t begin) {
  if (log)
    log->count = begin;
}

void berthProofErase(BerthProofLog *log, size_t begin, size_t end) {
  if (!log || log->failed)
    return;
  memmove(log->lines + begin, log->lines + end,
          (log->count - end) * sizeof *log->lines);
  log->count -= end - begin;
}

static void printCase(uint64_t cuts, FILE *file) {
  fputs("case", file);
  if (cuts == BERTH_ALL_CUTS)
    fputs(" all", file);
  else
    for (uint32_t c = 0; c < 64; ++c)
      if (cuts >> c & 1)
        fprintf(file, " %" PRIu32, c);
}

static void printLimit(int64_t limit, FILE *file) {
  if (limit == INT64_MAX)
    fputs(" any", file);
  else
    fprintf(file, " %" PRId64, limit);
}

static void printLine(const BerthProofLine *line, FILE *file) {
  switch (line->kind) {
  case 'r':
    fputs("refute", file);
    printLimit(line->number, file);
    return;
  case '$':
    printLimit(line->number, file);
    return;
  case 'b':
    fprintf(file, "b %" PRIu32 " %" PRId64, line->item, line->number);
    return;
  case '#':
  case '-':
    printLimit(line->number, file);
    break;
  case 'C':
    printCase((uint64_t)line->number, file);
    break;
  case 'p':
  case 's':
  case 'h':
    fprintf(file, "%c %" PRIu32, line->kind, line->item);
    printLimit(line->number, file);
    break;
  case 'i':
  case 'k':
    fprintf(file, "%c %" PRIu32, line->kind, line->item);
    break;
  case 'a':
    fprintf(file, "a %" PRId64, line->number);
    break;
  default:
    fputc(line->kind, file);
  }
  fputc('\n', file);
}

/// Nothing half-written stays, but /dev/full does.
void berthProofRemove(const char *path) {
  struct stat info;
  if (stat(path, &info) == 0 && S_ISREG(info.st_mode))
    remove(path);
}

BerthStatus berthProofWrite(const BerthProofLog *log, const char *path,
                            BerthError *error) {
  BerthOutput *output;
  if (log->failed)
    return berthOutOfMemory(error);
  BerthStatus status = berthOutputOpen(path, &output, error);
  if (status != BERTH_SUCCESS)
    return status;
  FILE *file = berthOutputStream(output);
  fputs("berth-proof 3\n", file);
  for (size_t k = 0; k < log->count; ++k)
    printLine(&log->lines[k], file);
  fputs("end\n", file);
  return berthOutputCommit(output, error);
}

void berthProofFree(BerthProofLog *log) {
  free(log->lines);
  *log = (BerthProofLog){0};
}
