//===- Report.h - What berth-arena writes about its work ----------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PASSES_REPORT_H
#define BERTH_LIB_IR_PASSES_REPORT_H

#include "IR/Scope/ArenaOptions.h"

BERTH_EXTERN_C_BEGIN

typedef struct BerthJob BerthJob;

/// Checks that a report's name says what to write; NULL and "-" do.
BerthStatus berthCheckReportPath(const char *path, BerthError *error);

/// The report that the options ask for, of all scopes of a run.
BerthStatus berthWriteReport(const BerthJob *jobs, size_t numJobs,
                             const BerthArenaOptions *options,
                             BerthError *error);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IR_PASSES_REPORT_H
