//===- Uniform.h - What all threads of a workgroup agree on -------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A value in a kernel is *uniform* if all threads of a workgroup compute the
// same one; a place is uniform if all of them get there equally often, in the
// same order. Both answers are conservative: true is a proof, false is not.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_UNIFORM_H
#define BERTH_LIB_IR_UNIFORM_H

#include "mlir-c/IR.h"

#include <stdbool.h>

/// `kernel` is the gpu.func around the value.
bool berthValueIsUniform(MlirOperation kernel, MlirValue value);

/// Whether the place of `op` in `kernel` is uniform. If not, `*because` is the
/// op whose control flow may diverge.
bool berthPlaceIsUniform(MlirOperation kernel, MlirOperation op,
                         MlirOperation *because);

#endif // BERTH_LIB_IR_UNIFORM_H
