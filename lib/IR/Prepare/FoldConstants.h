//===- FoldConstants.h - What is computed from constants alone ------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Weights are often stored as a front end has them, and transposed, broadcast
// or dequantized when the program runs. The result needs a buffer, and as all
// weights are there from the beginning on, these set the peak. What can be
// computed when the program is compiled becomes a constant:
//
//   %w = memref.get_global @w                 %b = memref.get_global
//   %b = memref.alloc()                ->            @berth_constant_0
//   linalg.transpose ins(%w) outs(%b)         ... read %b ...
//   ... read %b ...
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PREPARE_FOLDCONSTANTS_H
#define BERTH_LIB_IR_PREPARE_FOLDCONSTANTS_H

#include "IR/Ops/Backup.h"
#include "IR/Scope/Collect.h"

/// Makes constants of up to `bytes` bytes together of what functions of the
/// host compute from one constant each, write once, and only read then.
void berthFoldConstants(MlirOperation root, const BerthCollectOptions *options,
                        int64_t bytes, const char *breakRule,
                        BerthBackup *backup);

#endif // BERTH_LIB_IR_PREPARE_FOLDCONSTANTS_H
