//===- Checker.c - What the parts of the check share ---------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Check/Checker.h"

#include "Pack/Problem/Problem.h"
#include "Support/Checked.h"

#include <inttypes.h>

BerthStatus berthCheckBlame(BerthChecker *checker, size_t index,
                            const char *what, int64_t value) {
  checker->bad = index;
  return berthErrorSet(
      checker->error, BERTH_INVALID, "buffer '%s': %s %" PRId64,
      berthBufferName(checker->problem, index).text, what, value);
}

BerthStatus berthCheckOutOfMemory(BerthChecker *checker) {
  return berthErrorSet(checker->error, BERTH_RESOURCE, "out of memory");
}

bool berthCheckGrow(BerthChecker *checker, int64_t bytes) {
  return berthAdd(checker->sum, bytes, &checker->sum);
}
