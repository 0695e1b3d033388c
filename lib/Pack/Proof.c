//===- Proof.c - The log of a refutation ---------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Proof.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void append(BerthProofLog *log, uint32_t code) {
  if (!log || log->failed)
    return;
  if (log->count == log->room) {
    size_t room = log->room ? 2 * log->room : 1024;
    uint32_t *codes = realloc(log->codes, room * sizeof *codes);
    if (!codes) {
      log->failed = true;
      return;
    }
    log->codes = codes;
    log->room = room;
  }
  log->codes[log->count++] = code;
}

void berthProofPlace(BerthProofLog *log, uint32_t item) {
  append(log, 2 * item);
}

void berthProofSkip(BerthProofLog *log, uint32_t item) {
  append(log, 2 * item + 1);
}

void berthProofFail(BerthProofLog *log) { append(log, UINT32_MAX); }

size_t berthProofBegin(const BerthProofLog *log) {
  return log ? log->count : 0;
}

void berthProofForget(BerthProofLog *log, size_t begin) {
  if (log)
    log->count = begin;
}

bool berthProofWrite(const BerthProofLog *log, const char *path,
                     int64_t capacity) {
  FILE *file = log->failed ? NULL : fopen(path, "w");
  if (!file)
    return false;
  fprintf(file, "berth-proof 1\nrefute %" PRId64 "\n", capacity);
  for (size_t i = 0; i < log->count; ++i) {
    uint32_t code = log->codes[i];
    if (code == UINT32_MAX)
      fputs("x\n", file);
    else
      fprintf(file, "%c %" PRIu32 "\n", code % 2 ? 's' : 'p', code / 2);
  }
  fputs("end\n", file);
  bool written = !ferror(file);
  return fclose(file) == 0 && written;
}

void berthProofFree(BerthProofLog *log) {
  free(log->codes);
  *log = (BerthProofLog){0};
}
