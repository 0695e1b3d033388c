//===- Dma.h - Bytes that transfers are still using ----------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keeps along each path the transfers (memref.dma_start) that may be under way,
// and holds every access against them: from its start on a transfer may read
// its source and write its target and its tag at any moment, until a wait that
// is surely for it. On the join of paths all stay.
//
//   start X -> Y        X read, Y written
//   store Z             error, if Z has bytes of X or Y
//   wait                nothing
//   store Z             right
//
// No wait ends a transfer whose tag others may use, or on whose element another
// one is started meanwhile. A call of a function that leaves some under way is
// one itself, of all that the function is given.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_DMA_DMA_H
#define BERTH_LIB_IR_VERIFY_DMA_DMA_H

#include "IR/Verify/Roots/Views.h"

/// Told of an op that meets what a transfer uses. `isMade`: it makes a buffer
/// anew that the transfer has begun to use.
typedef void (*BerthDmaCallback)(MlirOperation op, MlirOperation transfer,
                                 bool isMade, void *userData);

void berthVerifyDma(const BerthViews *views, MlirOperation scope,
                    const BerthVerifyOptions *options,
                    BerthDmaCallback callback, void *userData);

#endif // BERTH_LIB_IR_VERIFY_DMA_DMA_H
