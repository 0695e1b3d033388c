//===- Placement.h - Places that no plan could give --------- C -----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `berth.offset`, `berth.size` and `berth.address` say of an allocation is
// held against its type, the arena's size and the memory that a target
// description tells of, before anything is believed of it.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_CLAIMS_PLACEMENT_H
#define BERTH_LIB_IR_VERIFY_CLAIMS_PLACEMENT_H

#include "IR/Verify/Claims/Claims.h"

/// Checks the place of every allocation below `root` that has one.
void berthVerifyPlacement(MlirOperation root, BerthClaimCallback callback,
                          void *userData);

#endif // BERTH_LIB_IR_VERIFY_CLAIMS_PLACEMENT_H
