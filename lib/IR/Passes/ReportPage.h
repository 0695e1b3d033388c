//===- ReportPage.h - Pictures of the arenas of a run ----------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PASSES_REPORTPAGE_H
#define BERTH_LIB_IR_PASSES_REPORTPAGE_H

#include "berth-c/Support.h"

#include <stddef.h>

BERTH_EXTERN_C_BEGIN

typedef struct BerthJob BerthJob;

/// The length of the file's name in FILE.svg#NAME or FILE.html#NAME, and of all
/// of any other path.
size_t berthReportFileLength(const char *path);

/// An SVG of one arena, or a page that opens with it and has all: of the one
/// that the path names, else of the one in which sharing saves most. Where
/// nothing was placed it says so: that is no error.
BerthStatus berthWriteReportPage(const BerthJob *jobs, size_t numJobs,
                                 const char *path, BerthError *error);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IR_PASSES_REPORTPAGE_H
