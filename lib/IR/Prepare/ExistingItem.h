//===- ExistingItem.h - Allocations for declared shared memory ------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PREPARE_EXISTINGITEM_H
#define BERTH_LIB_IR_PREPARE_EXISTINGITEM_H

#include "IR/Scope/ArenaOptions.h"
#include "IR/Scope/Scope.h"

typedef enum BerthExistingKind {
  BERTH_EXISTING_ATTRIBUTION,
  BERTH_EXISTING_GLOBAL,
  BERTH_EXISTING_DYNAMIC,
  BERTH_EXISTING_RESPACED ///< an allocation in another space of this name
} BerthExistingKind;

/// Memory that has become an allocation.
typedef struct BerthExistingItem {
  BerthExistingKind kind;
  MlirOperation function;
  MlirOperation alloc;
  MlirValue value; ///< what stands for it in the code: the allocation's
                   ///< result, or a cast of it
  MlirAttribute attributes; ///< of an attribution, or null
  MlirType type;            ///< as it was
  size_t global;            ///< index into `globals`
  bool isPlaced;
  bool isStatic; ///< placed in an arena that no launch asks bytes for
} BerthExistingItem;

/// A memref.global that has been taken out of its module.
typedef struct BerthExistingGlobal {
  MlirOperation op;
  MlirBlock block; ///< where it stood
} BerthExistingGlobal;

typedef struct BerthExisting {
  size_t numItems, itemCapacity;
  BerthExistingItem *items;
  size_t numGlobals, globalCapacity;
  BerthExistingGlobal *globals;
} BerthExisting;

/// What is being taken, and from where.
typedef struct BerthTaking {
  MlirOperation root;
  const BerthArenaOptions *options;
  BerthExisting *existing;
  bool packs; ///< else only spellings of the memory space are made one
  // The function at hand:
  MlirOperation function;
  BerthScope scope;
  MlirOperation entry; ///< its first op, which allocations go in front of
} BerthTaking;

/// Makes the function the one at hand.
void berthEnterTaking(BerthTaking *taking, MlirOperation function);

/// Is it the memory that the scope's arena is made in?
bool berthIsInScopeSpace(const BerthTaking *taking, MlirType type);

/// An item with an allocation of the type, in front of `at`. `what` names it,
/// for berth-verify.
BerthExistingItem *berthAddExistingItem(BerthTaking *taking,
                                        BerthExistingKind kind,
                                        MlirOperation at, MlirLocation location,
                                        MlirType type, int64_t alignment,
                                        MlirStringRef what);

void berthRemarkLeftExisting(MlirOperation op, const char *why);

/// Where names are looked up from an op.
MlirOperation berthSymbolModuleOf(MlirOperation op);

int64_t berthIntegerOr(MlirAttribute attribute, int64_t otherwise);

#endif // BERTH_LIB_IR_PREPARE_EXISTINGITEM_H
