//===- Diagnostics.cpp - Remarks, warnings and errors -----------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Facts/Facts.h"
#include "MLIR/Facts/Versions.h"
#include "Support/Messages.h"

#include "mlir/CAPI/IR.h"

using namespace mlir;

void berthEmitRemark(MlirOperation at, BerthRemarkKind kind,
                     const char *category, const char *message) {
  berth::emitRemark(unwrap(at)->getLoc(), kind, category, message);
}

void berthEmitError(MlirOperation at, const char *message, MlirOperation noteAt,
                    const char *note) {
  InFlightDiagnostic error = emitError(unwrap(at)->getLoc(), message);
  error << berthMessageNumber(message);
  if (note)
    error.attachNote(mlirOperationIsNull(noteAt) ? unwrap(at)->getLoc()
                                                 : unwrap(noteAt)->getLoc())
        << note;
}

void berthEmitWarning(MlirOperation at, const char *message, const char *note) {
  Location loc = unwrap(at)->getLoc();
  InFlightDiagnostic warning = emitWarning(loc, message);
  warning << berthMessageNumber(message);
  warning.attachNote(loc) << note;
}

void berthOpGetPosition(MlirOperation op, int *line, int *column) {
  auto place = unwrap(op)->getLoc()->findInstanceOf<FileLineColLoc>();
  *line = place ? static_cast<int>(place.getLine()) : 0;
  *column = place ? static_cast<int>(place.getColumn()) : 0;
}
