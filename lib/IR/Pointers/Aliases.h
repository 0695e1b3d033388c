//===- Aliases.h - What may point into a buffer and touch it ------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Follows every allocation forward through its uses: views, region and block
// arguments, selects, calls. The result is, for each buffer, the set of values
// that may point into it and the list of ops that read, write or free it. What
// no interface explains is assumed to do the worst that DESIGN's rules allow;
// each assumption is counted so that it can be told.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_POINTERS_ALIASES_H
#define BERTH_LIB_IR_POINTERS_ALIASES_H

#include "IR/Scope/Options.h"
#include "IR/Scope/Points.h"
#include "IR/Scope/Scope.h"

BERTH_EXTERN_C_BEGIN

/// Fills in aliases, accesses, frees and leaks of every buffer of the scope,
/// and `reason` where the buffer gets out of the scope, lives in regions that
/// run many times at once, or may be live twice at a time.
void berthScopeFindAliases(BerthScope *scope, const BerthPoints *points,
                           const BerthAliasOptions *options);

/// Of a buffer whose address gets away: its bytes cannot be those of the next
/// instance, too. `why` tells why nothing ends that; NULL: nothing could.
void berthRejectNextInstance(BerthScope *scope, BerthBufferInfo *buffer,
                             const char *why);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IR_POINTERS_ALIASES_H
