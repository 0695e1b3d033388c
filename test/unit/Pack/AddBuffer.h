//===- AddBuffer.h - Buffers for a test ----------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_TEST_ADDBUFFER_H
#define BERTH_TEST_ADDBUFFER_H

#include "berth-c/Pack.h"

/// Adds a buffer that is live in [lower, upper).
static inline uint32_t addLive(BerthProblem *problem, BerthBuffer buffer,
                               int64_t lower, int64_t upper) {
  BerthSegment segment = {lower, upper};
  buffer.numSegments = 1;
  buffer.segments = &segment;
  return berthProblemAddBuffer(problem, &buffer);
}

/// The same for one of which there is nothing else to say.
static inline uint32_t addPlain(BerthProblem *problem, int64_t size,
                                int64_t lower, int64_t upper) {
  BerthBuffer buffer = berthBufferDefault();
  buffer.size = size;
  return addLive(problem, buffer, lower, upper);
}

/// The same for one that is used; a fit may take it out between uses.
static inline uint32_t addUsed(BerthProblem *problem, int64_t size,
                               int64_t lower, int64_t upper,
                               const BerthBufferUse *uses, size_t numUses) {
  BerthBuffer buffer = berthBufferDefault();
  buffer.size = size;
  buffer.uses = uses;
  buffer.numUses = numUses;
  return addLive(problem, buffer, lower, upper);
}

#endif // BERTH_TEST_ADDBUFFER_H
