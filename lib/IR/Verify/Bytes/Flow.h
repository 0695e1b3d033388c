//===- Flow.h - Contents along the paths of a scope ----------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two passes. Bottom up, every region is summarised as a transfer map, and
// every op with structured control flow gets, by a fixpoint over its region
// edges, the map from its entry to the start of each of its regions and to its
// end. Top down, with the states now known everywhere, each op is checked once.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_BYTES_FLOW_H
#define BERTH_LIB_IR_VERIFY_BYTES_FLOW_H

#include "IR/Verify/Bytes/BlockState.h"
#include "IR/Verify/Bytes/Covers.h"
#include "IR/Verify/Bytes/Turns.h"
#include "IR/Verify/Roots/Access.h"

/// Called for each bad access, once per op: `write` clobbered what `read` reads
/// (they are the same op where it does both at once).
typedef void (*BerthClobberCallback)(MlirOperation read, MlirOperation write,
                                     void *userData);

/// Checks the scope whose body is `body`; with `covers`, unless that is NULL,
/// what is overwritten piece by piece counts as overwritten, and with `turns`
/// what loops write over piece by piece as there until they have ended. Unless
/// `isOrdered`, several cores run the body: what one buffer's writes do to
/// another is not asked then, but what an op does by itself is, and what each
/// core reads of earlier instances. False if that is not the last word: some
/// merge (Merges.h) was found to be handed what is spoilt, or written, and the
/// next call will take that into account. Sets `isSpoilt[root]`, unless it is
/// NULL, of all roots that bad accesses read: of others `covers` and `turns`
/// would tell nothing new.
bool berthVerifyFlow(const BerthViews *views, MlirRegion body,
                     const BerthCovers *covers, const BerthTurns *turns,
                     bool isOrdered, bool *isSpoilt,
                     BerthClobberCallback callback, void *userData);

#endif // BERTH_LIB_IR_VERIFY_BYTES_FLOW_H
