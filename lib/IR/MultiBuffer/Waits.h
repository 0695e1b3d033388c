//===- Waits.h - Transfers that end in the turn that starts them ---- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_MULTIBUFFER_WAITS_H
#define BERTH_LIB_IR_MULTIBUFFER_WAITS_H

#include "IR/Facts/DmaFacts.h"
#include "IR/Scope/Job.h"

/// The memref.dma_wait for a memref.dma_start in the block of that.
typedef struct BerthWait {
  MlirOperation op;   ///< null: there is none
  const char *reason; ///< why not
  MlirOperation at;   ///< the op that forbids it
} BerthWait;

/// True for memref.dma_start and memref.dma_wait.
bool berthOpIsPlainDma(MlirOperation op, BerthDma *dma);

/// The only wait that can be for the transfers of `start`, which in turn it
/// surely is for: the tag is an allocation that nobody but starts and waits
/// gets, and other ones of these have other elements.
BerthWait berthFindWait(MlirOperation start);

/// True if all transfers that the wait may end have been started by ops that
/// pass the test.
typedef bool (*BerthStartTest)(MlirOperation start, const BerthDma *dma,
                               const void *data);
bool berthWaitIsFor(MlirOperation wait, BerthStartTest passes,
                    const void *data);

#endif // BERTH_LIB_IR_MULTIBUFFER_WAITS_H
