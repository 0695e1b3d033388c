//===- CsvFuzz.c - Any text as a CSV ------------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "ProblemText.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  readProblemText(data, size, (BerthReadOptions){BERTH_FORMAT_CSV, false});
  readProblemText(data, size, (BerthReadOptions){BERTH_FORMAT_CSV, true});
  return 0;
}
