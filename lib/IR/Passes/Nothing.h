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

/// A run on a whole module has changed nothing: warns where that looks like a
/// mistake, since the module works on tensors, or allocates in other memory
/// than the option `space` says. NULL `options`: the pass looks at several
/// memories, or at any. `*toldTensors` is whether an earlier pass has told of
/// tensors: once is enough.
void berthWarnOfNothing(MlirOperation root, const BerthCollectOptions *options,
                        const char *pass, bool *toldTensors);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IR_PASSES_NOTHING_H
