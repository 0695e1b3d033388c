//===- Filled.h - Buffers that a copy fills in each turn ------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A turn of a loop brings a tile and works on it:
//
//   scf.for %i ... {
//     %part = memref.subview %x[%i] ...     what the copy needs
//     memref.copy %part, %a                 the fill
//     linalg.op ins(%a) ...
//   }
//
// Where nothing of %a goes from one turn to another, the turns may use
// different slots. The copy of a later turn may be made now if nobody writes
// what it reads until then.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_MULTIBUFFER_FILLED_H
#define BERTH_LIB_IR_MULTIBUFFER_FILLED_H

#include "IR/Scope/Job.h"

typedef struct BerthFilled {
  const BerthBufferInfo *info;
  MlirOperation loop; ///< scf.for
  MlirBlock body;     ///< of the loop
  MlirOperation fill; ///< the copy, or the start of a transfer, in the
                      ///< body; of a kernel the first copy of a thread
  MlirOperation wait; ///< of a transfer: its end, in the body; else null
  bool isMadeInBody;  ///< the buffer is allocated anew in each turn
  bool needsBarrier;  ///< copies in front of the loop need one of all threads
  const char *reason; ///< why it gets no slots; NULL: it may
  MlirOperation reasonAt; ///< the op that forbids it; or null
  MlirOperation slots;    ///< once they are built: their allocation
} BerthFilled;

/// False if no copy in the body of a loop fills the buffer. Else tells whether
/// it may have slots, and if `movesAhead`, whether the copy of a later turn may
/// be made in an earlier one. Needs the job's liveness. Of one that threads
/// fill it tells only whether slots can stand in for it: see CopyLoops.h and
/// LoadLoops.h.
bool berthFindFilled(const BerthJob *job, const BerthBufferInfo *info,
                     bool movesAhead, BerthFilled *filled);

static inline bool berthFilledByTransfer(const BerthFilled *filled) {
  return berthOpIsTransfer(filled->fill);
}

/// TMA loads fill it (LoadLoops.h).
static inline bool berthFilledByLoads(const BerthFilled *filled) {
  return berthOpStartsAsync(filled->fill, BERTH_ASYNC_LOAD);
}

/// The threads of a kernel fill it by asynchronous copies (CopyLoops.h).
static inline bool berthFilledByThreads(const BerthFilled *filled) {
  return berthOpStartsAsync(filled->fill, BERTH_ASYNC_COPY);
}

/// Marks the ops of the body that compute what the fill, or another copy into
/// the buffer, is given, and adds them to `needed` with that itself. False,
/// with a reason, if one of them may do something else or depends on an earlier
/// turn.
bool berthFindNeeded(BerthFilled *filled, MlirOperation fill,
                     BerthWorklist *needed);

#endif // BERTH_LIB_IR_MULTIBUFFER_FILLED_H
