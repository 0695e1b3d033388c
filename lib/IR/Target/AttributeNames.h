//===- AttributeNames.h - Which attributes Berth knows ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// MLIR takes any attribute. One letter too few in berth.writes, and the op
// would be one that writes nothing, so what begins with "berth." has to be one
// that Berth knows.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_TARGET_ATTRIBUTENAMES_H
#define BERTH_LIB_IR_TARGET_ATTRIBUTENAMES_H

#include "mlir-c/IR.h"

#include <stdbool.h>

/// The key of a description that an attribute says, or -1.
int berthAttributeKey(MlirStringRef name);

/// True for the names of Berth's attributes that are no keys of descriptions.
bool berthAttributeIsMark(MlirStringRef name);

/// False for functions and modules: what keys say is of ops that run.
bool berthOpMayHaveKeys(MlirOperation op);

/// False, with an error at the op, for an attribute of the op, or of one of its
/// arguments, that is of Berth by its name: where Berth knows none of that,
/// with the nearest one, and where it is of another kind than that has.
bool berthCheckAttribute(MlirOperation op, MlirNamedAttribute attribute);

/// False, with an error at the function, for an attribute of Berth that says
/// nothing of an argument or a result.
bool berthCheckArgumentMark(MlirOperation function,
                            MlirNamedAttribute attribute);

/// False, with errors, for attributes of Berth that say nothing where they
/// stand, which nobody would notice: a pin on an op that nothing tells to
/// allocate. What ops are has to be known already.
bool berthCheckMarks(MlirOperation op);

#endif // BERTH_LIB_IR_TARGET_ATTRIBUTENAMES_H
