//===- GlobalChecks.h - May one arena serve all runs of a function?  C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A global arena exists once, however many runs of its function are under way.
// So there may be one at a time only. That is believed of a function if all
// that names it are plain calls, each in code that does one thing after the
// other and is the only one to run it, and if the same holds of all functions
// with such calls. Any other use of its name may be a call at any time.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_REWRITE_GLOBALCHECKS_H
#define BERTH_LIB_IR_REWRITE_GLOBALCHECKS_H

#include "IR/Scope/Job.h"

/// Why two runs of the job's function may be under way at a time, or NULL. Of
/// workgroup memory, which each workgroup has of its own, the function may only
/// not call itself.
const char *berthGlobalObstacle(const BerthJob *job);

/// The same of a function that has places in the one memory of a chip, by
/// attributes.
const char *berthPlaceObstacle(const BerthJob *job);

void berthRerunsFree(BerthReruns *reruns);

#endif // BERTH_LIB_IR_REWRITE_GLOBALCHECKS_H
