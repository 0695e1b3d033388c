//===- ExistingGlobals.h - Workgroup globals, as buffers ------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PREPARE_EXISTINGGLOBALS_H
#define BERTH_LIB_IR_PREPARE_EXISTINGGLOBALS_H

#include "IR/Ops/Build.h"
#include "IR/Prepare/ExistingItem.h"

/// Takes those that only kernels use, by memref.get_global; the others get a
/// remark.
void berthTakeGlobals(BerthTaking *taking);

/// What was made of a global's use becomes one again, in front of `at`.
void berthPutGlobalBack(BerthExisting *existing, BerthExistingItem *item,
                        BerthInsertPoint at);

#endif // BERTH_LIB_IR_PREPARE_EXISTINGGLOBALS_H
