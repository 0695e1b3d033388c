//===- TargetReader.h - A target description from text ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_TARGET_TARGETREADER_H
#define BERTH_LIB_IR_TARGET_TARGETREADER_H

#include "IR/Target/Target.h"

BERTH_EXTERN_C_BEGIN

/// Reads a description, which the caller destroys, laid over `builtin`
/// (Builtin.h). The error's message names the file, and where the text is to
/// blame line and column are set.
BerthStatus berthTargetRead(const char *path, const BerthTarget *builtin,
                            BerthTarget **target, BerthError *error);
/// The same for text; without `builtin` it is Berth's own description.
BerthStatus berthTargetParse(const char *text, size_t length,
                             const BerthTarget *builtin, BerthTarget **target,
                             BerthError *error);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IR_TARGET_TARGETREADER_H
