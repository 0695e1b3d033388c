//===- Nothing.h - When there is nothing to do --------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PASSES_NOTHING_H
#define BERTH_LIB_IR_PASSES_NOTHING_H

#include "IR/Scope/Collect.h"

BERTH_EXTERN_C_BEGIN

/// What there is where a pass has found nothing.
typedef enum BerthNothing {
  BERTH_NOTHING_AT_ALL,    ///< no allocation, and no tensor
  BERTH_NOTHING_TENSORS,   ///< tensors, and no allocation yet
  BERTH_NOTHING_ELSEWHERE, ///< allocations in other memory than it looks at
  BERTH_NOTHING_PACKED,    ///< none where it looks, but shared memory that is
                           ///< declared, which existing=pack takes
  BERTH_NOTHING_DECLARED,  ///< none where it looks, but memory that is declared
  BERTH_NOTHING_FIT        ///< allocations where it looks, or views of an arena
} BerthNothing;

/// Told of each memory in which something is allocated, as it is printed.
typedef void (*BerthSpaceCallback)(const char *space, size_t count,
                                   void *userData);

/// Looks at all of an op on which a pass has found nothing. `options` say which
/// memories it looks at, an entry each; none: at any. The callback is told of
/// the memories where it is BERTH_NOTHING_ELSEWHERE: those that none of
/// `others` looks at, which are the options of all passes.
BerthNothing berthLookForNothing(MlirOperation root,
                                 const BerthCollectOptions *const *options,
                                 size_t numOptions,
                                 const BerthCollectOptions *const *others,
                                 size_t numOthers, BerthSpaceCallback callback,
                                 void *userData);

/// Where the options look, as `callback` is told of it: one memory, or that of
/// the scope where no option names one.
void berthNameSpaces(const BerthCollectOptions *const *options,
                     size_t numOptions, BerthSpaceCallback callback,
                     void *userData);

/// Calls back for every scope in `root` that has buffers where the options
/// look.
void berthForEachScopeWithBuffers(MlirOperation root,
                                  const BerthCollectOptions *options,
                                  BerthScopeCallback callback, void *userData);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IR_PASSES_NOTHING_H
