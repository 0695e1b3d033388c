//===- FitMarks.h - Marks for who checks a fit ---------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers of contents in attributes (Ops/Attributes.h): one, or several of
// them.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FIT_FITMARKS_H
#define BERTH_LIB_IR_FIT_FITMARKS_H

#include "mlir-c/IR.h"

#include <stdbool.h>

/// One after the other; each is null, a number or an array of them.
MlirAttribute berthFitJoinNumbers(MlirAttribute first, MlirAttribute then);

/// Adds to the numbers that an op's mark has.
void berthFitAddNumbers(MlirOperation op, const char *name, MlirAttribute more);

/// Takes a number from those that an op's mark has.
void berthFitRemoveNumber(MlirOperation op, const char *name,
                          MlirAttribute number);

/// True if the mark is that number, or has it among others.
bool berthFitHasNumber(MlirAttribute mark, MlirAttribute number);

/// Marks what a content was copied from: the only result of an op, or an
/// argument of a function.
void berthFitMarkSource(MlirValue source, MlirAttribute number);

/// Erases an op, which hands on what its marks say of the place where it is.
void berthFitDestroy(MlirOperation op);

#endif // BERTH_LIB_IR_FIT_FITMARKS_H
