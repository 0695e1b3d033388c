//===- BufferSize.h - Bytes and alignment of a buffer --------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_SCOPE_BUFFERSIZE_H
#define BERTH_LIB_IR_SCOPE_BUFFERSIZE_H

#include "IR/Scope/CollectOptions.h"
#include "IR/Scope/Scope.h"

/// Sets size and alignment of a buffer of the scope, whose `alloc` and `value`
/// are set; or the reason, if they cannot be told or are none that it may have.
void berthDescribeSize(const BerthScope *scope,
                       const BerthCollectOptions *options,
                       BerthBufferInfo *buffer);

#endif // BERTH_LIB_IR_SCOPE_BUFFERSIZE_H
