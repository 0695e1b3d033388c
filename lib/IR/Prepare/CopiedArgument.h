//===- CopiedArgument.h - Changed copies of arguments --------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A function fills what it returns, or another argument that its callers bring
// for that, with a copy of an argument, and changes that.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PREPARE_COPIEDARGUMENT_H
#define BERTH_LIB_IR_PREPARE_COPIEDARGUMENT_H

#include "IR/Prepare/Spent.h"

typedef struct BerthCopiedArgument {
  MlirOperation function;
  MlirBlock entry;
  intptr_t argument;
  MlirValue old; ///< the argument
  MlirOperation copy;
  MlirValue made;      ///< what it fills: a result of `alloc`, or an argument
  MlirOperation alloc; ///< null: callers bring it
  intptr_t place;      ///< what `made` is among results, or arguments
} BerthCopiedArgument;

/// What the function returns there; false if it is no copy of an argument.
bool berthFindReturnedCopy(MlirOperation function, intptr_t result,
                           BerthCopiedArgument *copied);

/// The same of an argument that is filled.
bool berthFindBroughtCopy(MlirOperation function, intptr_t argument,
                          BerthCopiedArgument *copied);

/// Why the function could not do with one of the two, whoever calls it, or
/// NULL: the argument is read when something has been written to the copy, say.
const char *berthCopyIsNeeded(BerthSpender *spender,
                              const BerthCopiedArgument *copied);

#endif // BERTH_LIB_IR_PREPARE_COPIEDARGUMENT_H
