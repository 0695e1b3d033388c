//===- Builtin.h - What Berth itself says of ops ------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// BuiltinOps.json, a description as users write them, is part of the program,
// and is read when first asked for. Passes hand it to the analysis
// (berthTargetEnter), which itself reads nothing.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_TARGET_BUILTIN_H
#define BERTH_LIB_IR_TARGET_BUILTIN_H

#include "IR/Target/Target.h"

BERTH_EXTERN_C_BEGIN

/// Berth's own description, one for the whole process, which it outlives. Any
/// thread may ask.
const BerthTarget *berthBuiltinTarget(void);

/// Its text.
const char *berthBuiltinText(void);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IR_TARGET_BUILTIN_H
