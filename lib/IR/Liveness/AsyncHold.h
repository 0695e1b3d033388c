//===- AsyncHold.h - Buffers that copies still fill behind the op --- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// An asynchronous copy goes on behind its op until a wait that covers it. Until
// then its buffers are live, whether anyone reads them or not, and the wait
// counts as an access: only a barrier behind it shows the bytes to others. A
// wait that lets n groups pend covers a copy if n groups have been made since
// the copy's own on every path (counted up to 8):
//
//   copy A; group      A: in the newest group
//   copy B; group      A: one is newer
//   wait, 1 may pend   A has ended, B has not
//
// Without a wait the buffer is live to the end of the scope.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_LIVENESS_ASYNCHOLD_H
#define BERTH_LIB_IR_LIVENESS_ASYNCHOLD_H

#include "IR/Scope/Points.h"
#include "IR/Scope/Scope.h"

/// Extends segments and accesses of every buffer that an async copy touches.
void berthScopeHoldAsync(BerthScope *scope, const BerthPoints *points,
                         const char *breakRule);

/// True if some op reaches the buffer through another path than loads and
/// stores: a barrier alone does not order it with them.
bool berthBufferHasOtherProxy(const BerthBufferInfo *buffer);

#endif // BERTH_LIB_IR_LIVENESS_ASYNCHOLD_H
