//===- Print.h - Liveness and interference as text ----------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The bodies of berth-print-liveness and berth-print-interference, and of the
// arena pass's explain= option. The text is stable, for FileCheck and people.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_LIVENESS_PRINT_H
#define BERTH_LIB_IR_LIVENESS_PRINT_H

#include "IR/Ops/Text.h"
#include "IR/Scope/Job.h"

/// Each buffer with its segments, ranges named by op and line.
void berthPrintLiveness(BerthText *text, const BerthScope *scope,
                        const BerthPoints *points);

/// Each pair of buffers that must not share bytes, with the reason.
void berthPrintInterference(BerthText *text, const BerthScope *scope,
                            const BerthPoints *points);

/// For the two allocations that the options name as MLIR prints them,
/// "%alloc,%alloc_0": every range of points at which both are live, and the ops
/// that make each of them so. Says which names there are if it is none of them.
void berthExplain(BerthJob *job);

/// Says on stderr which names the scope has, for those that no scope has.
void berthSayNames(const BerthJob *job);

#endif // BERTH_LIB_IR_LIVENESS_PRINT_H
