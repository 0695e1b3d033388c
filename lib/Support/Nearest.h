//===- Nearest.h - The word that was meant -------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_SUPPORT_NEAREST_H
#define BERTH_LIB_SUPPORT_NEAREST_H

#include "berth-c/Support.h"

BERTH_EXTERN_C_BEGIN

/// How many letters have to be put in, left out, changed, or swapped with their
/// neighbours: of names that somebody may have meant the nearest one is told.
/// Capitals count for none, nor does `_` for `-`. What is longer than 64
/// letters is cut.
size_t berthNameDistance(const char *a, size_t lengthOfA, const char *b);

/// The one of `count` words that somebody who wrote `text` is likely to have
/// meant: of which two letters in three are right, or of which `text` is the
/// beginning, of three letters at least. NULL: none.
const char *berthNearestWord(const char *text, const char *const *words,
                             size_t count);

/// What stands at the end of a message about `text`: "; did you mean
/// 'word'?", or nothing.
typedef struct BerthNearest {
  char text[100];
} BerthNearest;

BerthNearest berthNearest(const char *text, const char *const *words,
                          size_t count);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_SUPPORT_NEAREST_H
