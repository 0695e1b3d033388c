//===- OwnBytes.h - Which thread touches which bytes --------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The verifier's own proof that two accesses, which no barrier separates, touch
// no byte from two threads: the bytes of an arena that each thread of the
// workgroup may touch at an access, in all turns of loops together, computed
// thread by thread from the arithmetic that stands in the program. Where that
// asks for a number that is not known (the variable of a loop with known
// bounds, a remainder of anything), all that it may be are tried.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_THREADS_OWNBYTES_H
#define BERTH_LIB_IR_VERIFY_THREADS_OWNBYTES_H

#include "IR/Verify/Roots/Views.h"

/// Bytes [lower, upper) of the arena. `threads` has for each of them 0: nobody
/// touches it; -1: several threads may; else the number of the only one.
typedef struct BerthOwnBytes {
  bool isAsked; ///< it has been looked for
  bool isKnown;
  int64_t lower, upper;
  int32_t *threads;
  bool isOneEach; ///< no byte is touched by several
  uint32_t alike; ///< 0; or accesses with the same number touch alike
} BerthOwnBytes;

/// What `op` in the scope does to the root, by loads and stores of its own.
/// `threads` is to be freed.
BerthOwnBytes berthOwnBytesOf(const BerthViews *views, MlirOperation scope,
                              MlirOperation op, uint32_t root);

/// True if both are known and touch the same bytes by the same threads.
bool berthOwnBytesAreEqual(const BerthOwnBytes *a, const BerthOwnBytes *b);

/// False if both are known and no byte is touched by two threads.
bool berthOwnBytesMeet(const BerthOwnBytes *a, const BerthOwnBytes *b);

#endif // BERTH_LIB_IR_VERIFY_THREADS_OWNBYTES_H
