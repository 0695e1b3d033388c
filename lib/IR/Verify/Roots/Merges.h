//===- Merges.h - What a value holds that is one of several --------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value that control flow or a select merges is one of several buffers, and
// these may have the very same bytes:
//
//   %r = scf.if %c { write %a, yield %a } else { write %b, yield %b }
//   read %r                      right, whichever it is
//
// With one state for each buffer, %b's write seems to spoil what is read. So
// here each merge %r has a root for each buffer that it may be: "%a, if that is
// what %r is". Where %r is defined it is as good as what is handed over. Writes
// through %r, or to %a itself, never spoil it: %r is one buffer at a time, and
// if it is not %a then nobody asks. All others that hit the bytes do.
//
// What is handed over may be spoilt already, or have been written at all. Then
// so is the root, wherever it is defined: that is found out by looking at the
// scope again.
//
// A select may choose between merges, and then be written through what it was
// given. Where it can have %a from one merge only, it is %a only if that one
// is, as long as anybody can read it: so what is written through that merge
// spoils it as little as what is written through itself (chosenFrom).
//
// One root stands for one value at a time, so the value must be defined where
// control comes one way at a time. Of memory that threads share, all of them
// must have the same one.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_ROOTS_MERGES_H
#define BERTH_LIB_IR_VERIFY_ROOTS_MERGES_H

#include "IR/Verify/Roots/Views.h"
#include "IR/Verify/Runs/Uniform.h"

/// What threads share of the views' roots, and where they may disagree.
typedef struct BerthSharing {
  const bool *isShared; ///< by root; NULL: none is
  const BerthDivergence *divergence;
} BerthSharing;

/// Lists the roots of all merges of the scope, those of one value together, as
/// berthViewsOfMerges wants them. In the memory of the views.
const BerthRoot *berthFindMerges(const BerthViews *views, MlirOperation scope,
                                 BerthSharing sharing, size_t *count);

/// Fills in where selects have their merges from, once `views` has them.
void berthFindChoices(BerthViews *views);

/// True if the op may make a value of another one that it is given, as a select
/// or the start of a loop does.
bool berthHandsOn(MlirOperation op);

/// Calls back for each value that the op makes of `value` by handing it on.
typedef void (*BerthHandingCallback)(MlirValue to, void *userData);
void berthForEachHanding(MlirOperation op, MlirValue value,
                         BerthHandingCallback callback, void *userData);

#endif // BERTH_LIB_IR_VERIFY_ROOTS_MERGES_H
