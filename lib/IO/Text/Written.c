//===- Written.c - Whether a text was written ----------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IO/Text/Written.h"

BerthStatus berthCheckWritten(FILE *stream, const char *what,
                              BerthError *error) {
  if (ferror(stream))
    return berthErrorSet(error, BERTH_RESOURCE, "writing the %s failed", what);
  return BERTH_SUCCESS;
}
