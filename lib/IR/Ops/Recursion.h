//===- Recursion.h - May two runs of a function be under way? ------ C ---===//
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

/// The same, if those are called too whose names any op in `root` uses but a
/// call of them (func.constant), where it is not seen what is called.
bool berthFunctionMayCallItself(MlirOperation function, MlirOperation root);

/// True if the function may run several times at once: something in `root`
/// calls it, or a caller of it, from the body of a parallel or asynchronous op
/// or from a kernel. `followsAddresses` as above.
bool berthFunctionRunsAtOnce(MlirOperation function, MlirOperation root,
                             bool followsAddresses);

#endif // BERTH_LIB_IR_OPS_RECURSION_H
