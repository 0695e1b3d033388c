//===- ProofChecker.c - Reading a proof log ------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/ProofCheck/ProofChecker.h"

#include <stdlib.h>
#include <string.h>

BerthStatus berthReplayReject(BerthProofChecker *checker, const char *reason) {
  BerthStatus status =
      berthErrorSet(checker->error, BERTH_INVALID, "%s", reason);
  if (checker->error)
    checker->error->line = checker->line;
  return status;
}

BerthStatus berthReplayOutOfMemory(BerthProofChecker *checker) {
  return berthErrorSet(checker->error, BERTH_RESOURCE, "out of memory");
}

BerthStatus berthReplayReadLine(BerthProofChecker *checker) {
  ++checker->line;
  if (!fgets(checker->text, sizeof checker->text, checker->file))
    return berthReplayReject(checker, "the proof is cut short");
  checker->text[strcspn(checker->text, "\n")] = '\0';
  return BERTH_SUCCESS;
}

bool berthReplayIs(const BerthProofChecker *checker, const char *text) {
  return strcmp(checker->text, text) == 0;
}

bool berthReplayReadNumbers(const BerthProofChecker *checker, int64_t *numbers,
                            int count) {
  const char *at = checker->text + strcspn(checker->text, " ");
  for (int k = 0; k < count; ++k) {
    char *end;
    if (*at != ' ' || at[1] < '0' || at[1] > '9')
      return false;
    numbers[k] = strtoll(at + 1, &end, 10);
    at = end;
  }
  return *at == '\0';
}

bool berthReplayReadLimit(const char *text, int64_t *limit) {
  char *end;
  *limit = INT64_MAX;
  if (strcmp(text, "any") == 0)
    return true;
  *limit = strtoll(text, &end, 10);
  return *text >= '0' && *text <= '9' && *end == '\0';
}
