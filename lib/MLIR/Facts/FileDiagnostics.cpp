//===- FileDiagnostics.cpp - Messages about other text ----------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Facts/FileDiagnostics.h"
#include "MLIR/Facts/Versions.h"
#include "Support/Messages.h"

#include "mlir/CAPI/IR.h"

using namespace mlir;

void berthEmitRemarkAt(MlirLocation at, BerthRemarkKind kind,
                       const char *category, const char *message) {
  berth::emitRemark(unwrap(at), kind, category, message);
}

void berthEmitErrorAt(MlirLocation at, const char *message) {
  emitError(unwrap(at), message) << berthMessageNumber(message);
}

void berthEmitWarningAt(MlirLocation at, const char *message) {
  emitWarning(unwrap(at), message) << berthMessageNumber(message);
}
