//===- Target.h - What a description says of a target -------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Compilers for accelerators have ops, layouts and memories of their own, which
// no interface explains to a tool that does not link them. A description in
// JSON (docs/own-dialect.md has the schema) says what is needed:
//
//   text --berthTargetRead--> BerthTarget --berthTargetEnter--> RowOf.h asks
//                                  |                            its rows first
//                                  +--> dialects and layouts, for the parser
//                                  +--> memories, for capacity and addresses
//
// A description only adds: of an op with an effect interface it may say that it
// goes on behind itself, but what it reads and writes the interface says.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_TARGET_TARGET_H
#define BERTH_LIB_IR_TARGET_TARGET_H

#include "IR/Ops/RowOf.h"
#include "IR/Ops/Text.h"
#include "IR/Target/TargetParts.h"
#include "mlir-c/IR.h"

BERTH_EXTERN_C_BEGIN

typedef struct BerthTarget BerthTarget;

/// NULL is allowed.
void berthTargetDestroy(BerthTarget *target);

/// Appends "the target description (FILE:LINE:COLUMN)".
void berthTargetAppend(BerthText *text, const BerthTarget *target,
                       BerthTargetPlace place);

/// The place as a location.
MlirLocation berthTargetLocate(const BerthTarget *target, MlirContext context,
                               BerthTargetPlace place);

/// Every namespace that the description names: in order, each once.
size_t berthTargetNumDialects(const BerthTarget *target);
const char *berthTargetGetDialect(const BerthTarget *target, size_t index);

/// The layout of that name, or NULL.
const BerthTargetLayout *berthTargetFindLayout(const BerthTarget *target,
                                               MlirStringRef name);

/// The buffer type of that name, or NULL.
const BerthTargetType *berthTargetFindType(const BerthTarget *target,
                                           MlirStringRef name);

/// The memory of that space, or NULL, by its attribute or by a text that means
/// it (Spaces.h); all of them, in order.
const BerthTargetMemory *berthTargetFindSpace(const BerthTarget *target,
                                              MlirContext context,
                                              MlirAttribute space);
const BerthTargetMemory *berthTargetFindMemory(const BerthTarget *target,
                                               MlirContext context,
                                               const char *text);
size_t berthTargetNumMemories(const BerthTarget *target);
const BerthTargetMemory *berthTargetGetMemory(const BerthTarget *target,
                                              size_t index);

/// The file that it was read from, or NULL.
const char *berthTargetGetPath(const BerthTarget *target);

/// What is known of ops in one run of a pass.
typedef struct BerthTargetUse BerthTargetUse;

/// From here on this thread knows what Berth's own description says
/// (Builtin.h), and what `target` does (NULL: nothing), until berthTargetLeave;
/// what was known before is known again then.
BerthTargetUse *berthTargetEnter(const BerthTarget *builtin,
                                 const BerthTarget *target);
void berthTargetLeave(BerthTargetUse *use);

/// The rows in force, for what else tells of ops (OwnRows.h).
BerthRowsInForce *berthTargetUseRows(BerthTargetUse *use);

/// The description that was entered, or NULL.
const BerthTarget *berthTargetCurrent(void);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IR_TARGET_TARGET_H
