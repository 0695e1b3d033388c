//===- Names.h - What buffers and scopes are called ----------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_SCOPE_NAMES_H
#define BERTH_LIB_IR_SCOPE_NAMES_H

#include "IR/Ops/Text.h"
#include "IR/Scope/Scope.h"

/// A buffer's name, as printed with `state`, and its type.
void berthNameBuffer(const BerthBufferInfo *buffer, MlirAttribute space,
                     MlirAsmState state, BerthText *name, BerthText *type);

/// A function's symbol, or the op and its line.
void berthNameScope(const BerthScope *scope, BerthText *name);

/// The text of its memory space, or "default".
void berthNameSpace(const BerthScope *scope, BerthText *name);

#endif // BERTH_LIB_IR_SCOPE_NAMES_H
