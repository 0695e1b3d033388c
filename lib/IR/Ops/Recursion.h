//===- Recursion.h - May a function call itself? -------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OPS_RECURSION_H
#define BERTH_LIB_IR_OPS_RECURSION_H

#include "IR/Ops/Worklist.h"
#include "mlir-c/IR.h"

/// Adds the functions with bodies that those in the list may call, as far as
/// the calls in the module show, until nothing is pending. True if one of them
/// calls what is not seen.
bool berthFollowCalls(BerthWorklist *functions);

/// The same, if code in text and ops of which nothing is known may call what
/// they like, too.
bool berthFollowHiddenCalls(BerthWorklist *functions);

/// Adds the functions in `root` that an op there names but to call them:
/// whoever has the name may call them at any time. `isCall` tells which calls
/// count as such; NULL: all.
typedef bool (*BerthCallTest)(MlirOperation call);
void berthAddNamedFunctions(MlirOperation root, BerthCallTest isCall,
                            BerthWorklist *functions);

/// Functions whose names somebody uses but to call them: code that is not seen
/// may call them. Filled in once in a run, when it is first asked for
/// (CallSummary.h); then berthNamedFunctionsFree.
typedef struct BerthNamedFunctions {
  bool isKnown;
  BerthWorklist functions;
  bool letGo; ///< some of them lets an argument get away
  bool letNumberGo; ///< some of them does so with a number
} BerthNamedFunctions;

void berthNamedFunctionsFree(BerthNamedFunctions *named);

/// True if a run of the function may call it again, as far as the calls in the
/// module show.
bool berthFunctionIsRecursive(MlirOperation function);

/// The same, if those are called too whose names any op in `root` uses but a
/// call of them (func.constant), where it is not seen what is called.
bool berthFunctionMayCallItself(MlirOperation function, MlirOperation root);

#endif // BERTH_LIB_IR_OPS_RECURSION_H
