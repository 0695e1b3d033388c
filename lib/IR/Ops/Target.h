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
//   text --berthTargetRead--> BerthTarget --berthTargetEnter--> OpTable.h asks
//                                  |                            its rows first
//                                  +--> dialects and layouts, for the parser
//                                  +--> memories, for capacity and addresses
//
// A description only adds: of an op with an effect interface it may say that it
// goes on behind itself, but what it reads and writes the interface says.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OPS_TARGET_H
#define BERTH_LIB_IR_OPS_TARGET_H

#include "berth-c/Support.h"
#include "mlir-c/IR.h"

BERTH_EXTERN_C_BEGIN

/// How the bytes of a memref with a foreign layout are found.
typedef enum BerthLayoutSize {
  BERTH_LAYOUT_UNKNOWN, ///< only by `berth.size` on the allocation
  BERTH_LAYOUT_DENSE,   ///< as many elements as its shape has
  BERTH_LAYOUT_BOUNDS   ///< by the text: lists of bounds -> lists of strides
} BerthLayoutSize;

/// An attribute that stands as a layout in memref types.
typedef struct BerthTargetLayout {
  const char *name; ///< with its namespace: "tsl.tsl"
  BerthLayoutSize size;
} BerthTargetLayout;

/// "No value" for a start.
#define BERTH_TARGET_NONE (-1)

/// A memory: where its arenas lie.
typedef struct BerthTargetMemory {
  const char *space; ///< text of the memory-space attribute ("1 : i32",
                     ///< "#npu.space<l1>"), or a name, which stands for the
                     ///< string attribute of that name
  int64_t start;     ///< its first address, or BERTH_TARGET_NONE
  int64_t capacity;  ///< bytes; 0: no limit
  int64_t alignment; ///< least alignment of each buffer; a power of two
} BerthTargetMemory;

typedef struct BerthTarget BerthTarget;

/// Reads a description, which the caller destroys. The error's message names
/// the file, and where the text is to blame line and column are set.
BerthStatus berthTargetRead(const char *path, BerthTarget **target,
                            BerthError *error);
/// The same for text.
BerthStatus berthTargetParse(const char *text, size_t length,
                             BerthTarget **target, BerthError *error);
/// NULL is allowed.
void berthTargetDestroy(BerthTarget *target);

/// Every namespace that the description names: in order, each once.
size_t berthTargetNumDialects(const BerthTarget *target);
const char *berthTargetGetDialect(const BerthTarget *target, size_t index);

/// The layout of that name, or NULL.
const BerthTargetLayout *berthTargetFindLayout(const BerthTarget *target,
                                               MlirStringRef name);

/// The memory whose space has that text, or NULL.
const BerthTargetMemory *berthTargetFindMemory(const BerthTarget *target,
                                               const char *space);

/// From here on this thread asks the description first (NULL: none). Returns
/// the one before, to be entered again in the end.
const BerthTarget *berthTargetEnter(const BerthTarget *target);

/// The one that was entered, or NULL.
const BerthTarget *berthTargetCurrent(void);

/// Holds the description against a program: that operand numbers exist, and
/// that no entry contradicts an op's own interface. Errors stand at the op. If
/// `isWhole` says that `root` is a whole program, remarks of `pass` name the
/// entries that it has no op for.
BerthStatus berthTargetCheck(const BerthTarget *target, MlirOperation root,
                             bool isWhole, const char *pass);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IR_OPS_TARGET_H
