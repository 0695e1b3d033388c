//===- StaysInCall.h - Memory that nobody has behind a call --------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_EXPAND_STAYSINCALL_H
#define BERTH_LIB_IR_EXPAND_STAYSINCALL_H

#include "mlir-c/IR.h"

/// Why somebody may have the memory of an allocation when its function is over,
/// or free it by another value; NULL if that is not so. Functions that are
/// handed it are looked into.
const char *berthWhyNotInCall(MlirValue allocated);

#endif // BERTH_LIB_IR_EXPAND_STAYSINCALL_H
