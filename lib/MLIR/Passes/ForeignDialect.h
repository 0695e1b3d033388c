//===- ForeignDialect.h - Dialects known by name only -----------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_MLIR_PASSES_FOREIGNDIALECT_H
#define BERTH_LIB_MLIR_PASSES_FOREIGNDIALECT_H

#include "IR/Target/Target.h"

#include "mlir/IR/DialectRegistry.h"

namespace berth {

/// Registers a dialect for each namespace of the description that the registry
/// lacks. The description must live as long as the process.
void registerForeignDialects(mlir::DialectRegistry &registry,
                             const BerthTarget *target);

} // namespace berth

#endif // BERTH_LIB_MLIR_PASSES_FOREIGNDIALECT_H
