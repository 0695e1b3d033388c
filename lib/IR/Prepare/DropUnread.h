//===- DropUnread.h - What nobody reads goes ------------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Front ends fill outputs that are overwritten from end to end anyway, and
// leave buffers behind that nobody touches. The one keeps what works in place
// from doing so, since the output is in use before its input is dead; the other
// takes bytes until somebody runs canonicalize.
//
//   linalg.fill ins(%zero) outs(%b)          -
//   linalg.exp ins(%a) outs(%b)       ->     linalg.exp ins(%a) outs(%b)
//   %c = memref.alloc()                      -
//   memref.dealloc %c                        -
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PREPARE_DROPUNREAD_H
#define BERTH_LIB_IR_PREPARE_DROPUNREAD_H

#include "IR/Scope/Job.h"

/// Where code may change, erases fills and copies into the scope's buffers that
/// no read follows, and then buffers that are freed at most, with their views,
/// after taking a backup of the root. Needs what is known once liveness is;
/// that is then found anew. True if anything went.
bool berthDropUnread(BerthJob *job);

#endif // BERTH_LIB_IR_PREPARE_DROPUNREAD_H
