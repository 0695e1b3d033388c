//===- PrivateNames.h - Names for copies of functions -------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OPS_PRIVATENAMES_H
#define BERTH_LIB_IR_OPS_PRIVATENAMES_H

#include "mlir-c/IR.h"

/// Names the copy like the function, with the suffix and, where somebody in the
/// function's block has that name, a number behind it. It becomes private, and
/// gets no wrapper for C.
void berthNamePrivately(MlirOperation copy, MlirOperation function,
                        const char *suffix);

#endif // BERTH_LIB_IR_OPS_PRIVATENAMES_H
