//===- MultiBufferPass.h - The pass berth-multi-buffer, in C -------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PASSES_MULTIBUFFERPASS_H
#define BERTH_LIB_IR_PASSES_MULTIBUFFERPASS_H

#include "IR/MultiBuffer/MostSlots.h"
#include "IR/Scope/ArenaOptions.h"

BERTH_EXTERN_C_BEGIN

typedef struct BerthMultiBufferOptions {
  BerthArenaOptions arena; ///< the memory, its capacity, what ops are believed
  int64_t factor;          ///< slots of each buffer; 0: by the latency
  int64_t latency;         ///< turns that a copy takes, one at least
  bool movesAhead; ///< copies are made some turns before they are needed
} BerthMultiBufferOptions;

typedef struct BerthMultiBufferFigures {
  uint64_t buffers;    ///< that got slots
  uint64_t slots;      ///< of all of these
  uint64_t bytesAdded; ///< by them
} BerthMultiBufferFigures;

/// Gives slots to the buffers in `root` that a copy fills in each turn of a
/// loop, as far as the capacity, if there is one, allows.
void berthMultiBufferRun(MlirOperation root,
                         const BerthMultiBufferOptions *options,
                         BerthMultiBufferFigures *figures);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IR_PASSES_MULTIBUFFERPASS_H
