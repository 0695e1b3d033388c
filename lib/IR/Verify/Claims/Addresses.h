//===- Addresses.h - Buffers of one address in several functions - C ------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `berth.address` is a place in the one memory of a chip, whichever function
// has it. So the buffers of a function and of one that it leads to may not
// overlap, and what may be active several times at once may have none.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_CLAIMS_ADDRESSES_H
#define BERTH_LIB_IR_VERIFY_CLAIMS_ADDRESSES_H

#include "IR/Verify/Claims/Claims.h"
#include "IR/Verify/Runs/Reentry.h"

/// Checks the addresses in all functions of the reentry's root.
void berthVerifyAddresses(BerthReentry *reentry, BerthClaimCallback callback,
                          void *userData);

#endif // BERTH_LIB_IR_VERIFY_CLAIMS_ADDRESSES_H
