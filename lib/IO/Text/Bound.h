//===- Bound.h - Why no plan is below the lower bound -------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IO_TEXT_BOUND_H
#define BERTH_LIB_IO_TEXT_BOUND_H

#include "berth-c/Pack.h"

#include <stdio.h>

/// As a JSON object: reason, times, buffers.
void berthWriteBound(FILE *stream, const BerthPlan *plan);

/// As the end of a sentence that says that no plan is below: ", as ...";
/// nothing where the reason is not known, or is the load, which people see
/// themselves.
void berthWriteBoundWords(FILE *stream, const BerthPlan *plan);

#endif // BERTH_LIB_IO_TEXT_BOUND_H
