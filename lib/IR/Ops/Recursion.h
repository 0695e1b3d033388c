//===- Recursion.h - May a function call itself? -------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OPS_RECURSION_H
#define BERTH_LIB_IR_OPS_RECURSION_H

#include "mlir-c/IR.h"

/// True if a run of the function may call it again, as far as the calls in the
/// module show.
bool berthFunctionIsRecursive(MlirOperation function);

#endif // BERTH_LIB_IR_OPS_RECURSION_H
