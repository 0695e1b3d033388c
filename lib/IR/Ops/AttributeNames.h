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

#ifndef BERTH_LIB_IR_OPS_ATTRIBUTENAMES_H
#define BERTH_LIB_IR_OPS_ATTRIBUTENAMES_H

#include "mlir-c/IR.h"

#include <stdbool.h>

/// The key of a description that an attribute says, or -1.
int berthAttributeKey(MlirStringRef name);

/// False, with an error at the op, for an attribute of the op, or of one of its
/// arguments, that is of Berth by its name: where Berth knows none of that,
/// with the nearest one, and where it is of another kind than that has.
bool berthCheckAttribute(MlirOperation op, MlirNamedAttribute attribute);

#endif // BERTH_LIB_IR_OPS_ATTRIBUTENAMES_H
