//===- FoldElement.h - Loads and stores of one element ------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FOLD_FOLDELEMENT_H
#define BERTH_LIB_IR_FOLD_FOLDELEMENT_H

#include "IR/Fold/FoldAccess.h"
#include "IR/Ops/Build.h"

/// The access's subscripts as index values.
void berthFoldSubscripts(BerthInsertPoint at, const BerthFoldAccess *access,
                         intptr_t rank, MlirValue *subscripts);

/// Replaces the access by a memref.load or memref.store of `array`. A load goes
/// with berthFoldEraseReplaced only.
void berthFoldReplaceElement(BerthInsertPoint at, const BerthFoldAccess *access,
                             MlirValue array, size_t numSubscripts,
                             const MlirValue *subscripts,
                             BerthFoldReplaced *replaced);

/// Erases what has been replaced, and frees the list.
void berthFoldEraseReplaced(BerthFoldReplaced *replaced);

#endif // BERTH_LIB_IR_FOLD_FOLDELEMENT_H
