//===- Text.h - Names and places of the IR as text ----------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A growing string, and how Berth names things to people: values by their SSA
// name, ops by name and line. Names never depend on addresses.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OPS_TEXT_H
#define BERTH_LIB_IR_OPS_TEXT_H

#include "Support/BumpMemory.h"
#include "berth-c/Support.h"
#include "mlir-c/IR.h"

/// Zero-initialise; free with berthTextFree. `data` is NUL-terminated, or NULL
/// while the text is empty.
typedef struct BerthText {
  char *data;
  size_t length;
  size_t capacity;
} BerthText;

void berthTextAppend(BerthText *text, const char *format, ...)
    BERTH_PRINTF(2, 3);
void berthTextAppendBytes(BerthText *text, const char *bytes, size_t length);
void berthTextFree(BerthText *text);

/// The text as a string that lives as long as `memory`; the text itself is
/// freed.
const char *berthTextKeep(BerthMemory *memory, BerthText *text);

/// Reads a number without sign at `*text` and steps behind it; false if there
/// is none, or none that fits.
bool berthTextTakeNumber(const char **text, int64_t *value);

/// An MlirStringCallback that appends to the BerthText in `userData`.
void berthTextCallback(MlirStringRef string, void *userData);

/// What values in an op are called, as it is printed alone: of a function or
/// the like. The caller destroys it.
MlirAsmState berthAsmStateOf(MlirOperation op);

/// Appends the value's SSA name, as printed with `state` (%0, %arg1, ...).
void berthTextAppendValue(BerthText *text, MlirValue value, MlirAsmState state);
void berthTextAppendType(BerthText *text, MlirType type);

/// Appends "@name" of a function whose arena is handed over.
void berthTextAppendCallee(BerthText *text, MlirOperation function);

/// Appends "memref.alloc at line 7", or the name alone.
void berthTextAppendOp(BerthText *text, MlirOperation op);

/// The same in brackets, of where a reason lies; nothing where that is null, or
/// `subject`, which the text is about.
void berthTextAppendWhere(BerthText *text, MlirOperation op,
                          MlirOperation subject);

#endif // BERTH_LIB_IR_OPS_TEXT_H
