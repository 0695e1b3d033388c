//===- KnownCalls.h - Functions all of whose calls are known -------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// What a function is given and what it returns may change where each of its
// calls can be changed along. These are private functions of the host that
// nobody names but to call them; of others the calls that are seen.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PREPARE_KNOWNCALLS_H
#define BERTH_LIB_IR_PREPARE_KNOWNCALLS_H

#include "IR/Ops/Worklist.h"
#include "IR/Scope/Collect.h"

/// What the questions here are asked of. Made by berthKnownCallsCreate; then
/// berthKnownCallsFree.
typedef struct BerthKnownCalls {
  MlirOperation root;
  const BerthCollectOptions *options;
  BerthWorklist named; ///< functions, by other ops than plain calls
} BerthKnownCalls;

/// The calls of one function.
typedef struct BerthCallSites {
  MlirOperation *calls;
  size_t count, capacity;
  bool isOpen;          ///< there may be others, outside of the module
  const char *obstacle; ///< something else that forbids to change it, or NULL
} BerthCallSites;

BerthKnownCalls berthKnownCallsCreate(MlirOperation root,
                                      const BerthCollectOptions *options);
void berthKnownCallsFree(BerthKnownCalls *known);

/// Lists the calls of a func.func; `calls` is to be freed.
BerthCallSites berthFindCallSites(const BerthKnownCalls *known,
                                  MlirOperation function);

/// The type of a func.func.
MlirType berthFunctionGetType(MlirOperation function);

/// Calls back for each return of the function.
typedef void (*BerthReturnCallback)(MlirOperation end, void *userData);
void berthForEachReturn(MlirOperation function, BerthReturnCallback callback,
                        void *userData);

/// What all returns have in one place.
typedef struct BerthReturned {
  intptr_t index;
  MlirValue value; ///< null: there is no return
  bool isOne;      ///< all returns have this one there
  bool isTwice;    ///< one of them elsewhere, too
} BerthReturned;
BerthReturned berthFindReturned(MlirOperation function, intptr_t index);

/// True for a function, or allocation, with an attribute of Berth's: places and
/// contents that these tell of are its own.
bool berthIsTold(MlirOperation alloc);

/// Takes the result off the function's type and its returns.
void berthDropReturned(MlirOperation function, intptr_t index);

/// Takes it off a call, whose users have `instead`. Returns the new call.
MlirOperation berthDropCallResult(MlirOperation call, intptr_t index,
                                  MlirValue instead);

/// Takes an argument that nobody uses off the function.
void berthDropArgument(MlirOperation function, intptr_t index);

/// Takes an operand off a call; all other users have `instead`, and what made
/// it, an allocation, goes.
void berthDropCallOperand(MlirOperation call, intptr_t index,
                          MlirValue instead);

#endif // BERTH_LIB_IR_PREPARE_KNOWNCALLS_H
