//===- CollectOptions.h - What users may decide about buffers ------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_SCOPE_COLLECTOPTIONS_H
#define BERTH_LIB_IR_SCOPE_COLLECTOPTIONS_H

#include "IR/Facts/Facts.h"
#include "IR/Ops/PointerMap.h"

BERTH_EXTERN_C_BEGIN

/// What becomes of allocations whose size is known only at run time.
typedef enum BerthDynamic {
  BERTH_DYNAMIC_OFF,     ///< they are not placed
  BERTH_DYNAMIC_BOUNDED, ///< placed where a constant bounds the size
  BERTH_DYNAMIC_SYMBOLIC ///< all others get offsets computed at run time
} BerthDynamic;

typedef struct BerthCollectOptions {
  BerthDynamic dynamic;
  /// False: each scope's own default (workgroup memory inside kernels, the
  /// default space elsewhere).
  bool hasSpace;
  /// The bodies of parallel ops are scopes of their own, except in memory that
  /// threads share.
  bool iterations;
  MlirAttribute space; ///< null: the default memory space
  bool isDevice;       ///< the memory of another device, in the default space
  bool anyMemory;      ///< whatever allocates, it takes the same (tests)
  int64_t alignment;   ///< least alignment of every buffer; 0 means 1
  int64_t start;       ///< the address where the arena begins; 0: unknown
  bool annotates;      ///< types stay as they are
  bool takesForeign;   ///< buffers that a view has no type for, too
  /// Functions that other flows launch as kernels, by name.
  size_t numKernels;
  const char *const *kernels;
  /// One thread runs it all, or several that keep one order (barriers=none).
  bool oneThread;
  /// The one scope: a kernel whose threads get what each of them allocates from
  /// the host (berth-expand), so that the host has to know all sizes. Null: it
  /// is no such run.
  MlirOperation expanded;
  int64_t leastExpanded; ///< bytes on the stack that are worth it
  /// What berthFindThreadFunctions found; NULL: it was not asked.
  const BerthPointerMap *threadFunctions;
} BerthCollectOptions;

/// Parses a `space` option: NULL or "" (each scope's own), "default",
/// "workgroup", "private", "gpu" (the memory of a device, which the host
/// allocates), or the text of any attribute. Not to be called while
/// passes run on the context: it silences the parser's diagnostics.
BerthStatus berthParseSpace(MlirContext context, const char *text,
                            BerthCollectOptions *options, BerthError *error);

/// Parses "off", "bounded", "symbolic".
BerthStatus berthParseDynamic(const char *text, BerthDynamic *dynamic,
                              BerthError *error);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IR_SCOPE_COLLECTOPTIONS_H
