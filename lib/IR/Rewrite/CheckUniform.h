//===- CheckUniform.h - Traps for what is said to be uniform ------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// An op with berth.uniform is believed to give all threads of a workgroup the
// same. With check-uniform the kernel finds out: the threads reduce what they
// got to its least and its largest value, and stop where these differ.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_REWRITE_CHECKUNIFORM_H
#define BERTH_LIB_IR_REWRITE_CHECKUNIFORM_H

#include "IR/Scope/Job.h"

/// Inserts the traps into the job's scope, behind the ops. What cannot be
/// checked gets a remark.
void berthCheckUniform(BerthJob *job);

#endif // BERTH_LIB_IR_REWRITE_CHECKUNIFORM_H
