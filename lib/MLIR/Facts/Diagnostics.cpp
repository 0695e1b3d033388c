//===- Diagnostics.cpp - Remarks, warnings and errors -----------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Facts/Facts.h"
#include "Support/Messages.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;

void berthEmitRemark(MlirOperation at, BerthRemarkKind kind,
                     const char *category, const char *message) {
  Location loc = unwrap(at)->getLoc();
  auto opts = remark::RemarkOpts::name(category).category(category);
  switch (kind) {
  case BERTH_REMARK_PASSED:
    remark::passed(loc, opts) << StringRef(message);
    break;
  case BERTH_REMARK_MISSED:
    remark::missed(loc, opts) << StringRef(message);
    break;
  case BERTH_REMARK_ANALYSIS:
    remark::analysis(loc, opts) << StringRef(message);
    break;
  }
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
