//===- Options.c - What users may decide about the analysis ---------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Scope/Options.h"
#include "Support/Nearest.h"

#include <string.h>

BerthStatus berthParseUnknownOps(const char *text, BerthUnknownOps *unknownOps,
                                 BerthError *error) {
  static const char *const names[] = {"use", "keep", "reject"};
  *unknownOps = BERTH_UNKNOWN_UNTOLD;
  if (!text || !*text)
    return BERTH_SUCCESS;
  for (int i = 0; i < 3; ++i)
    if (strcmp(text, names[i]) == 0) {
      *unknownOps = (BerthUnknownOps)(BERTH_UNKNOWN_USE + i);
      return BERTH_SUCCESS;
    }
  return berthErrorSet(error, BERTH_INVALID,
                       "unknown-ops '%s' is none of use, keep, reject%s", text,
                       berthNearest(text, names, 3).text);
}
