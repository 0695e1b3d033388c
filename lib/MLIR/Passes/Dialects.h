//===- Dialects.h - Dialects that passes make ops of ------------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Their headers take a compiler longer than all the rest of a pass's, so one
// file has them, and the passes' descriptions name no dialects.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_MLIR_PASSES_DIALECTS_H
#define BERTH_LIB_MLIR_PASSES_DIALECTS_H

#include "mlir/IR/DialectRegistry.h"

namespace berth {

void insertArenaDialects(mlir::DialectRegistry &registry);
void insertFenceDialects(mlir::DialectRegistry &registry);
void insertFoldDialects(mlir::DialectRegistry &registry);
void insertHeapDialects(mlir::DialectRegistry &registry);
void insertHeapSpirvDialects(mlir::DialectRegistry &registry);
void insertMergeDialects(mlir::DialectRegistry &registry);
void insertOverlapDialects(mlir::DialectRegistry &registry);

} // namespace berth

#endif // BERTH_LIB_MLIR_PASSES_DIALECTS_H
