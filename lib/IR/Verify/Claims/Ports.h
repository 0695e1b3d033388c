//===- Ports.h - How often ports meet in a bank ------------- C -----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where offsets are shifted so that the operands of an op begin in different
// banks, the op says how many passes one of its steps takes (berth.passes). By
// what the description in force says of ports and of memories whose words lie
// in banks in turn, and by the offsets that the program has, it takes no more.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_CLAIMS_PORTS_H
#define BERTH_LIB_IR_VERIFY_CLAIMS_PORTS_H

#include "IR/Verify/Claims/Claims.h"

/// Checks what the ops in `root` say.
void berthVerifyPorts(MlirOperation root, BerthClaimCallback callback,
                      void *userData);

#endif // BERTH_LIB_IR_VERIFY_CLAIMS_PORTS_H
