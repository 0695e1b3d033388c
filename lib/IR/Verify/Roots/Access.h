//===- Access.h - What an op does to buffers, for the verifier  C ---------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_ROOTS_ACCESS_H
#define BERTH_LIB_IR_VERIFY_ROOTS_ACCESS_H

#include "IR/Verify/Roots/Views.h"

/// One op's access to one root, through one operand.
typedef struct BerthRootAccess {
  uint32_t root;
  MlirOperation op;
  intptr_t operand; ///< below 0: none, a called function does it by itself
  bool isWhole;     ///< the operand addresses every byte of the root
  bool reads;
  bool writes;
  bool overwrites; ///< writes every byte, and reads none before
  bool isHandedOn; ///< it does nothing but become `handedTo`, of a merge
  uint32_t handedTo;
} BerthRootAccess;

typedef struct BerthRootAccesses {
  BerthRootAccess *items;
  size_t count;
  size_t capacity;
} BerthRootAccesses;

/// The accesses of all ops of a scope, for views that grow no more. Calls are
/// not in it: of these it may be another answer once more functions have been
/// looked into.
typedef struct BerthScopeAccesses {
  BerthPointerMap firstOf; ///< op -> index into the list, BERTH_ASK_AGAIN
  BerthRootAccesses list;  ///< those of one op stand together
} BerthScopeAccesses;

#define BERTH_ASK_AGAIN (SIZE_MAX - 1)

/// Lists them, so that nothing is asked twice: `views` points to the result
/// from here on, which has to stay where it is.
void berthListAccesses(BerthScopeAccesses *accesses, BerthViews *views,
                       MlirOperation scope);
void berthScopeAccessesFree(BerthScopeAccesses *accesses);

/// Replaces the list by the accesses of `op` itself; those of ops nested in it
/// too, as if at once, if `withNested`. Returns true if there are such.
bool berthRootAccessesOf(BerthRootAccesses *list, const BerthViews *views,
                         MlirOperation op, bool withNested);

/// True if both operands are all of one piece of memory, in elements of one
/// size; where they have one shape and layout, element for element.
bool berthIsSameMemory(const BerthViews *views, const BerthRootAccess *a,
                       const BerthRootAccess *b);

/// True if one op may read the one and write the other although their bytes
/// overlap: both are the very same bytes, which it visits in one order, each
/// element read before it is written.
bool berthIsInPlace(const BerthViews *views, const BerthRootAccess *read,
                    const BerthRootAccess *written);

void berthRootAccessesFree(BerthRootAccesses *list);

#endif // BERTH_LIB_IR_VERIFY_ROOTS_ACCESS_H
