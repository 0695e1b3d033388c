//===- BarrierCurve.h - Bytes against barriers --------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_BARRIERS_BARRIERCURVE_H
#define BERTH_LIB_IR_BARRIERS_BARRIERCURVE_H

#include "IR/Hazards/Hazards.h"

/// Packs the job of `hazards` and chooses the barriers to insert. The job's
/// plan, barriers and curve are the result.
void berthPackInserting(const BerthHazards *hazards);

#endif // BERTH_LIB_IR_BARRIERS_BARRIERCURVE_H
