//===- TargetCheck.h - A description against a program ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_TARGET_TARGETCHECK_H
#define BERTH_LIB_IR_TARGET_TARGETCHECK_H

#include "IR/Target/Target.h"

BERTH_EXTERN_C_BEGIN

/// Holds what is in force against a program: that operand numbers exist, and
/// that nothing contradicts an op's own interface. Errors stand at the op. If
/// `isWhole` says that `root` is a whole program, remarks of `pass` name the
/// entries of the description that it has no op for.
BerthStatus berthTargetCheck(MlirOperation root, bool isWhole,
                             const char *pass);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IR_TARGET_TARGETCHECK_H
