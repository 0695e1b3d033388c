//===- ExistingDynamic.h - Dynamic shared memory, as buffers -------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PREPARE_EXISTINGDYNAMIC_H
#define BERTH_LIB_IR_PREPARE_EXISTINGDYNAMIC_H

#include "IR/Ops/Build.h"
#include "IR/Prepare/ExistingItem.h"

/// Makes a buffer of each stretch of the kernel's dynamic shared memory that
/// views have in common, or says why not.
void berthTakeDynamic(BerthTaking *taking);

/// The views of dynamic shared memory get their offsets again.
void berthPutDynamicBack(const BerthExistingItem *item, BerthInsertPoint at);

#endif // BERTH_LIB_IR_PREPARE_EXISTINGDYNAMIC_H
