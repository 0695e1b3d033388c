//===- ArenaOptions.c - What users may decide about arenas ---------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Scope/ArenaOptions.h"
#include "Support/Nearest.h"

#include <string.h>

static const char *const formNames[] = {
    "auto",   "alloc",       "alloca",  "argument",
    "global", "attribution", "dynamic", "annotate",
};

const char *berthArenaFormName(BerthArenaForm form) { return formNames[form]; }

BerthStatus berthParseArenaForm(const char *text, BerthArenaForm *form,
                                BerthError *error) {
  for (int i = 0; i <= BERTH_ARENA_ANNOTATE; ++i)
    if (strcmp(text, formNames[i]) == 0) {
      *form = (BerthArenaForm)i;
      return BERTH_SUCCESS;
    }
  return berthErrorSet(
      error, BERTH_INVALID,
      "arena '%s' is none of auto, alloc, alloca, argument, "
      "global, attribution, dynamic, annotate%s",
      text, berthNearest(text, formNames, BERTH_ARENA_ANNOTATE + 1).text);
}

BerthStatus berthParseBarriers(const char *text, BerthBarriers *barriers,
                               BerthError *error) {
  static const char *const names[] = {"", "insert", "existing", "none"};
  for (int i = 0; i <= BERTH_BARRIERS_NONE; ++i)
    if (strcmp(text, names[i]) == 0) {
      *barriers = (BerthBarriers)i;
      return BERTH_SUCCESS;
    }
  return berthErrorSet(
      error, BERTH_INVALID, "barriers '%s' is none of insert, existing, none%s",
      text, berthNearest(text, names, BERTH_BARRIERS_NONE + 1).text);
}
