//===- AnyMemory.h - Uses to which one memory is as good as another - C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op that reads or writes does so wherever the memory is. A call gives it to
// a function whose argument has a type; where all that this does with it is of
// such kind, the call may be one of a copy of the function, made for memory
// that is elsewhere (Calls.h).
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FIT_ANYMEMORY_H
#define BERTH_LIB_IR_FIT_ANYMEMORY_H

#include "IR/Scope/Job.h"

/// True for ops to which one memory is as good as another: not those that a
/// description tells of, whose engine may reach one memory only, and no calls,
/// whose callee has the type.
bool berthTakesAnyMemory(MlirOperation op);

/// The same of what a use does with its value, calls of functions in the module
/// among them. Else `*at` is the op that does not.
bool berthFitTakesAny(const BerthJob *job, MlirOpOperand use,
                      MlirOperation *at);

/// The function that a plain call names and that has a body here; null: none.
MlirOperation berthFitCalleeOf(MlirOperation call);

#endif // BERTH_LIB_IR_FIT_ANYMEMORY_H
