//===- ForeignType.h - How large a buffer of a foreign type is ----- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_TARGET_FOREIGNTYPE_H
#define BERTH_LIB_IR_TARGET_FOREIGNTYPE_H

#include "IR/Facts/Facts.h"
#include "IR/Ops/Text.h"

/// What the description in force says of values of the type: its bytes, and
/// those of an element, if that tells them; BERTH_SIZE_TYPE if nothing does.
BerthSizeResult berthForeignTypeSize(MlirType type, BerthTypeSize *size);

/// True if it calls the type dense, but the type's text has no shape: appends
/// why its bytes are not known.
bool berthForeignTypeBreaksRule(MlirType type, BerthText *why);

/// The bytes that a buffer of the type needs, where the type, its layout or the
/// description in force tells them.
bool berthTypeTellsBytes(MlirType type, MlirOperation at, int64_t *bytes);

#endif // BERTH_LIB_IR_TARGET_FOREIGNTYPE_H
