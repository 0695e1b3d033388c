//===- Page.h - Plans to explore in a browser ------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IO_PICTURES_PAGE_H
#define BERTH_LIB_IO_PICTURES_PAGE_H

#include "IO/Text/Span.h"
#include "berth-c/Pack.h"

#include <stdio.h>

/// A buffer that has no place, and why. `advice` may be NULL, `line` 0.
typedef struct BerthPageUnplaced {
  const char *name;
  const char *type;
  const char *reason;
  const char *advice;
  int line;
} BerthPageUnplaced;

/// Where a buffer or a time comes from: its type or its op, and its line, or 0.
typedef struct BerthPageOrigin {
  const char *name;
  int line;
  const char *file; ///< NULL: the scope's
} BerthPageOrigin;

/// Something to see at a time, such as a barrier; in order.
typedef struct BerthPageMark {
  int64_t time;
  const char *what;
  int64_t buffer; ///< whom it is done to, or BERTH_NONE
} BerthPageMark;

/// One arena of a page. What is NULL is not told.
typedef struct BerthPageScope {
  const char *title;
  const char *file; ///< that the lines are of
  const BerthProblemData *problem;
  const BerthPlan *plan;
  int64_t bytesBefore;  ///< or BERTH_NONE
  size_t numLaterLives; ///< buffers of the problem that are lives of another's
  const BerthPageOrigin *buffers; ///< one for each buffer of the problem
  const BerthPageOrigin *points;  ///< the op at each time from 0 on
  size_t numPoints;
  const BerthPageMark *marks;
  size_t numMarks;
  const BerthPageUnplaced *unplaced;
  size_t numUnplaced;
} BerthPageScope;

typedef struct BerthPage {
  const BerthPageScope *scopes;
  size_t numScopes; ///< at least 1
  size_t chosen;    ///< the one that is seen first
  bool compare;     ///< two plans of one problem, side by side
} BerthPage;

/// One arena as the page's script reads it: a JSON object.
BerthStatus berthWritePageScope(FILE *stream, const BerthPageScope *scope,
                                BerthError *error);

BerthStatus berthWritePage(FILE *stream, const BerthPage *page,
                           BerthError *error);

#endif // BERTH_LIB_IO_PICTURES_PAGE_H
