//===- NameDistance.h - How far a name is from another --------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OPS_NAMEDISTANCE_H
#define BERTH_LIB_IR_OPS_NAMEDISTANCE_H

#include "mlir-c/Support.h"

/// How many letters have to be put in, left out or changed (Levenshtein's
/// distance): of names that somebody may have meant the nearest one is told.
/// What is longer than 64 letters is cut.
size_t berthNameDistance(MlirStringRef a, const char *b);

#endif // BERTH_LIB_IR_OPS_NAMEDISTANCE_H
