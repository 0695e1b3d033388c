//===- TargetPlaces.h - Layouts, types, memories of a description -- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_TARGET_TARGETPLACES_H
#define BERTH_LIB_IR_TARGET_TARGETPLACES_H

#include "IR/Target/TargetText.h"

/// One element of `layouts`, of `types`, of `memories`.
void berthTargetReadLayout(BerthTargetReader *reader);
void berthTargetReadType(BerthTargetReader *reader);
void berthTargetReadMemory(BerthTargetReader *reader);

/// Once all is read: the ops that move content are described so.
void berthTargetCheckMoves(BerthTargetReader *reader);

#endif // BERTH_LIB_IR_TARGET_TARGETPLACES_H
