//===- Names.h - What buffers and scopes are called ----------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_SCOPE_NAMES_H
#define BERTH_LIB_IR_SCOPE_NAMES_H

#include "IR/Ops/Text.h"
#include "IR/Scope/Points.h"
#include "IR/Scope/Scope.h"

/// A buffer's name, as printed with `state`, and its type.
void berthNameBuffer(const BerthBufferInfo *buffer, MlirAttribute space,
                     MlirAsmState state, BerthText *name, BerthText *type);

/// "memref.store at line 4 .. memref.load at line 7": a segment's first and
/// last op.
void berthNameSegment(const BerthPoints *points, BerthSegment segment,
                      BerthText *text);

/// A function's symbol, or the op and its line.
void berthNameScope(const BerthScope *scope, BerthText *name);

/// The text of its memory space, or "default".
void berthNameSpace(const BerthScope *scope, BerthText *name);

#endif // BERTH_LIB_IR_SCOPE_NAMES_H
