//===- Words.c - Names of formats, states and levels ------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "IO/Text/Words.h"
#include "berth-c/IO.h"

#include <string.h>
#include <strings.h>

static const char *const formatNames[] = {"auto", "csv", "json", "svg", "html"};

BerthFormat berthFormatFromName(const char *name) {
  for (int i = BERTH_FORMAT_CSV; i <= BERTH_FORMAT_HTML; ++i) {
    if (strcasecmp(name, formatNames[i]) == 0)
      return (BerthFormat)i;
  }
  return BERTH_FORMAT_AUTO;
}

BerthFormat berthFormatFromPath(const char *path) {
  const char *dot = strrchr(path, '.');
  if (dot && strcasecmp(dot, ".htm") == 0)
    return BERTH_FORMAT_HTML;
  return dot ? berthFormatFromName(dot + 1) : BERTH_FORMAT_AUTO;
}

const char *berthPlanStatusName(BerthPlanStatus status) {
  static const char *const names[] = {"optimal", "feasible", "infeasible",
                                      "budget"};
  return (unsigned)status < 4 ? names[status] : "unknown";
}

const char *berthStopReasonName(BerthStopReason reason) {
  static const char *const names[] = {"bound", "exhausted", "fit",
                                      "steps", "time",      "interrupt"};
  return (unsigned)reason < 6 ? names[reason] : "unknown";
}

const char *berthBoundReasonName(BerthBoundReason reason) {
  static const char *const names[] = {"load",   "buffer", "alignment", "fixed",
                                      "clique", "order",  "sums",      "window",
                                      "search", "stated"};
  return (unsigned)reason < sizeof names / sizeof *names ? names[reason]
                                                         : "unknown";
}

const char *berthLevelName(int index) {
  static const char *const names[] = {"pool_cost", "peak", "price", "hints"};
  return names[index & 3];
}

const char *berthUseKindName(int index) {
  static const char *const names[] = {"read", "update", "write"};
  return names[index % 3];
}
