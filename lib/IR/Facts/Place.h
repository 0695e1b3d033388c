//===- Place.h - Where an op comes from ------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FACTS_PLACE_H
#define BERTH_LIB_IR_FACTS_PLACE_H

#include "berth-c/Support.h"
#include "mlir-c/IR.h"

BERTH_EXTERN_C_BEGIN

/// The file of the position that berthOpGetPosition gives, kept by the context;
/// NULL where there is none.
const char *berthOpGetFile(MlirOperation op);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IR_FACTS_PLACE_H
