//===- Marks.h - What berth-fit says of allocations and copies  C ---------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The attributes that tell which memory holds which content (Contents.h), as
// they stand in the program.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_ROOTS_MARKS_H
#define BERTH_LIB_IR_VERIFY_ROOTS_MARKS_H

#include "mlir-c/IR.h"

#include <stdbool.h>
#include <stdint.h>

/// Number k of a mark, which is one number or an array; null behind the last.
MlirAttribute berthMarkNumber(MlirAttribute mark, intptr_t k);

/// True if the op's mark of that name has the number.
bool berthMarkNames(MlirOperation op, const char *name, MlirAttribute number);

/// What contents the op allocates a place of, the innermost first.
MlirAttribute berthPlaceMark(MlirOperation op);

/// The content's place of which the value is a view: which number of its mark
/// the content is, or -1.
intptr_t berthPlaceOf(MlirValue value, MlirAttribute content);

/// The content that all places of which the value may be a view are of, however
/// often they were moved: the last number of its mark. Null: it is no place.
MlirAttribute berthPlaceContent(MlirValue value);

/// True for one value, and for places of one content.
bool berthIsOneMemory(MlirValue a, MlirValue b);

/// True if both show the same part of one memory.
bool berthIsOnePart(MlirValue a, MlirValue b);

/// True if both ops have the same attributes, but for what tells of places.
bool berthHaveOneAttributes(MlirOperation a, MlirOperation b);

#endif // BERTH_LIB_IR_VERIFY_ROOTS_MARKS_H
