//===- BlockShape.h - How many threads a workgroup has ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OPS_BLOCKSHAPE_H
#define BERTH_LIB_IR_OPS_BLOCKSHAPE_H

#include "mlir-c/IR.h"

#include <stdbool.h>
#include <stdint.h>

/// The threads of a workgroup in x, y and z, where the kernel itself says it:
/// by known_block_size, nvvm.reqntid or rocdl.reqd_work_group_size, or by
/// constant operands of a gpu.launch. False: unknown.
bool berthBlockShape(MlirOperation kernel, int64_t shape[3]);

#endif // BERTH_LIB_IR_OPS_BLOCKSHAPE_H
