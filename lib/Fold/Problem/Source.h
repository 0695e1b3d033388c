//===- Source.h - What isl reads from a source --------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Text in, isl objects out, every text checked first: isl reads as far as it
// understands and is silent about the rest.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_FOLD_PROBLEM_SOURCE_H
#define BERTH_LIB_FOLD_PROBLEM_SOURCE_H

#include "Fold/Problem/Conflict.h"

typedef struct BerthFoldInput {
  isl_set *context; ///< a parameter set; the caller takes it
  BerthFoldAccesses accesses;
  isl_union_map *conflict; ///< NULL: accesses
} BerthFoldInput;

/// Reads every field of `source`; see berthFoldProblemCreate for errors.
BerthStatus berthFoldReadSource(isl_ctx *ctx, const BerthFoldSource *source,
                                BerthFoldInput *input, BerthError *error);

/// Frees all but the context.
void berthFoldFreeInput(BerthFoldInput *input);

/// The same in an isl of its own, which is silent about errors. Close it in any
/// case.
BerthStatus berthFoldOpenSource(const BerthFoldSource *source, isl_ctx **ctx,
                                BerthFoldInput *input, BerthError *error);

void berthFoldCloseSource(isl_ctx *ctx, BerthFoldInput *input);

/// The names of `numDims` indices from a comma list (NULL: x0, x1, ...), with
/// one for the array's number first if `numbered`. NULL when the count is not
/// right.
char **berthFoldDimNames(const char *names, unsigned numDims, bool numbered);

#endif // BERTH_LIB_FOLD_PROBLEM_SOURCE_H
