//===- Alone.c - In place of threads and files ----------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A browser's WebAssembly has neither, so this stands where Support/Crew.c and
// Support/Output.c stand elsewhere. More threads never change an answer, so one
// gives the same plans.
//
//===---------------------------------------------------------------------===//

#include "Support/Crew.h"
#include "berth-c/IO.h"

#include <sys/mman.h>

BerthCrew *berthCrewCreate(unsigned hands) {
  (void)hands;
  return NULL;
}

void berthCrewDestroy(BerthCrew *crew) { (void)crew; }

unsigned berthCrewHands(const BerthCrew *crew) {
  (void)crew;
  return 1;
}

void berthCrewRun(BerthCrew *crew, uint32_t count, BerthCrewWork *work,
                  void (*wait)(void *context), void *context) {
  (void)crew;
  (void)wait;
  for (uint32_t i = 0; i < count; ++i)
    work(context, 0, i);
}

BerthStatus berthOutputOpen(const char *path, BerthOutput **output,
                            BerthError *error) {
  *output = NULL;
  return berthErrorSet(error, BERTH_INVALID,
                       "cannot write '%s': there are no files here", path);
}

/// Never called: no output was ever opened.
FILE *berthOutputStream(const BerthOutput *output) {
  (void)output;
  return NULL;
}

BerthStatus berthOutputCommit(BerthOutput *output, BerthError *error) {
  (void)output;
  return berthErrorSet(error, BERTH_INVALID, "there are no files here");
}

/// What it is asked for is only advice.
int madvise(void *address, size_t length, int advice) {
  (void)address;
  (void)length;
  (void)advice;
  return 0;
}
