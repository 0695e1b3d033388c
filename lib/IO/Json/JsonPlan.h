//===- JsonPlan.h - JSON to plan -------------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IO_JSON_JSONPLAN_H
#define BERTH_LIB_IO_JSON_JSONPLAN_H

#include "IO/Json/JsonReferences.h"

/// Reads the value of "plan" into the document.
void berthJsonReadPlan(BerthJsonProblem *reader);

#endif // BERTH_LIB_IO_JSON_JSONPLAN_H
