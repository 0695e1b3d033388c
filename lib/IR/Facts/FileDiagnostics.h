//===- FileDiagnostics.h - Messages about other text than the IR ---- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is wrong with a file that a pass reads stands at a place of that file.
// Messages at ops are in Facts.h.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FACTS_FILEDIAGNOSTICS_H
#define BERTH_LIB_IR_FACTS_FILEDIAGNOSTICS_H

#include "IR/Facts/Facts.h"

BERTH_EXTERN_C_BEGIN

/// As berthEmitRemark, berthEmitError and berthEmitWarning, without a note.
void berthEmitRemarkAt(MlirLocation at, BerthRemarkKind kind,
                       const char *category, const char *message);
void berthEmitErrorAt(MlirLocation at, const char *message);
void berthEmitWarningAt(MlirLocation at, const char *message);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IR_FACTS_FILEDIAGNOSTICS_H
