//===- Pending.h - Accesses that nothing has ended yet -------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is kept for a buffer is a few numbers of events, the earliest of each
// sort: accesses of this instance or of an earlier one, reads or writes, by
// what they wait for. Where paths meet the lesser number stays.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_THREADS_PENDING_H
#define BERTH_LIB_IR_VERIFY_THREADS_PENDING_H

#include "IR/Verify/Threads/ThreadGraph.h"

/// The event that an access is not separated from, or BERTH_NO_EVENT.
typedef uint32_t BerthEventNumber;
#define BERTH_NO_EVENT UINT32_MAX

typedef enum BerthInstance {
  BERTH_THIS_INSTANCE,
  BERTH_OLD_INSTANCE,
  BERTH_NUM_INSTANCES
} BerthInstance;

/// How the numbers of all buffers lie in one array.
typedef struct BerthPendingForm {
  size_t numHolds; ///< fewer in a scope without asynchronous ops
  size_t count;    ///< numbers of all buffers together
  /// By buffer: it lies in tensor memory, and a barrier needs fences; or NULL.
  const bool *needFences;
} BerthPendingForm;

BerthPendingForm berthPendingForm(size_t numBuffers, bool hasAsync);

/// Nothing is pending.
void berthPendingClear(BerthPendingForm form, BerthEventNumber *pending);

/// True if none of these numbers is one of an event.
bool berthPendingIsNothing(const BerthEventNumber *numbers, size_t count);

/// Joins what is pending on another path; true if that is something new.
bool berthPendingJoin(BerthPendingForm form, BerthEventNumber *into,
                      const BerthEventNumber *from);

/// What becomes of it by an event, which concerns the buffer if it is one of an
/// access or of a view that is made.
void berthPendingApply(BerthPendingForm form, BerthEventNumber *pending,
                       const BerthThreadEvent *event, BerthEventNumber number,
                       size_t buffer);

/// The numbers of one buffer's reads or writes, by hold.
const BerthEventNumber *berthPendingOf(BerthPendingForm form,
                                       const BerthEventNumber *pending,
                                       size_t buffer, BerthInstance instance,
                                       bool writes);

#endif // BERTH_LIB_IR_VERIFY_THREADS_PENDING_H
