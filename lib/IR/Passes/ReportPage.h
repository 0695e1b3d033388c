//===- ReportPage.h - Pictures of the arenas of a run ----------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PASSES_REPORTPAGE_H
#define BERTH_LIB_IR_PASSES_REPORTPAGE_H

#include "IR/Ops/Text.h"
#include "IR/Scope/Job.h"

/// In FILE.svg#NAME the name of the arena to draw; NULL elsewhere.
const char *berthReportArena(const char *path);

/// An SVG of the largest arena or of the one that the path names, or a page to
/// choose from all. Where nothing was placed it says so: that is no error.
BerthStatus berthWriteReportPage(const BerthJob *jobs, size_t numJobs,
                                 const char *path, BerthError *error);

#endif // BERTH_LIB_IR_PASSES_REPORTPAGE_H
