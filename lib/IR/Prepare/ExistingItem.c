//===- ExistingItem.c - Allocations for declared shared memory ----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Prepare/ExistingItem.h"
#include "IR/Ops/Allocations.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Build.h"
#include "IR/Ops/Chips.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Text.h"
#include "IR/Scope/ScopeKind.h"
#include "mlir-c/BuiltinTypes.h"

void berthRemarkLeftExisting(MlirOperation op, const char *why) {
  BerthText text = {0};
  berthTextAppend(&text, "existing=pack leaves this shared memory as it is: %s",
                  why);
  berthEmitRemark(op, BERTH_REMARK_MISSED, "berth-arena", text.data);
  berthTextFree(&text);
}

bool berthIsInScopeSpace(const BerthTaking *taking, MlirType type) {
  BerthTypeSize size;
  if (!mlirTypeIsAMemRef(type) ||
      berthMemRefGetSize(type, taking->function, &size) != BERTH_SIZE_OK)
    return false;
  MlirAttribute space = mlirMemRefTypeGetMemorySpace(type);
  MlirAttribute own = taking->scope.space;
  const BerthChip *chip = taking->options->chip;
  if (mlirAttributeIsNull(space) || mlirAttributeIsNull(own))
    return false;
  if (mlirAttributeEqual(space, own))
    return true;
  return berthSpaceMayBeShared(space) && berthSpaceMayBeShared(own) &&
         (chip || berthChipOf(taking->function));
}

BerthExistingItem *berthAddExistingItem(BerthTaking *taking,
                                        BerthExistingKind kind,
                                        MlirOperation at, MlirLocation location,
                                        MlirType type, int64_t alignment,
                                        MlirStringRef what) {
  BerthExisting *existing = taking->existing;
  BerthInsertPoint point = berthInsertBefore(at);
  point.location = location;
  MlirAttribute space = mlirMemRefTypeGetMemorySpace(type);
  MlirType own =
      berthMemRefWith(type, mlirMemRefTypeGetLayout(type), taking->scope.space);
  MlirValue value = berthBuildAllocation(point, true, own, (MlirValue){NULL},
                                         alignment, false);
  MlirOperation alloc = mlirOpResultGetOwner(value);
  if (what.length)
    berthSetAttribute(alloc, BERTH_EXISTING,
                      mlirStringAttrGet(mlirOperationGetContext(alloc), what));
  if (!mlirAttributeEqual(space, taking->scope.space))
    value =
        berthBuildValue(point, BERTH_NAME_SPACE_CAST, 1, &value, type, 0, NULL);
  existing->items = berthGrow(existing->items, existing->numItems,
                              &existing->itemCapacity, sizeof *existing->items);
  BerthExistingItem *item = &existing->items[existing->numItems++];
  *item = (BerthExistingItem){.kind = kind,
                              .function = taking->function,
                              .alloc = alloc,
                              .value = value,
                              .type = type};
  return item;
}

int64_t berthIntegerOr(MlirAttribute attribute, int64_t otherwise) {
  return mlirAttributeIsNull(attribute) || !mlirAttributeIsAInteger(attribute)
             ? otherwise
             : mlirIntegerAttrGetValueInt(attribute);
}

MlirOperation berthSymbolModuleOf(MlirOperation op) {
  do
    op = mlirOperationGetParentOperation(op);
  while (!mlirOperationIsNull(op) && !berthOpIs(op, BERTH_OP_GPU_MODULE) &&
         !berthOpIs(op, BERTH_OP_MODULE));
  return op;
}

void berthEnterTaking(BerthTaking *taking, MlirOperation function) {
  taking->function = function;
  taking->scope = berthScopeOf(function, &taking->options->collect);
  taking->entry =
      mlirBlockGetFirstOperation(mlirRegionGetFirstBlock(taking->scope.body));
}
