//===- Rules.h - What follows, and what cannot be ------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_PROOFCHECK_RULES_H
#define BERTH_LIB_PACK_PROOFCHECK_RULES_H

#include "Pack/ProofCheck/ProofState.h"

/// Puts pins in their places and everything else as low as it can be.
void berthReplayStart(BerthProofState *state);

/// The box lies at this offset, or above it; what follows from that.
void berthReplayPlace(BerthProofState *state, uint32_t box, int64_t offset);
void berthReplayRaise(BerthProofState *state, uint32_t box, int64_t offset);

/// Can no plan be like this? Looks at all boxes, times and pairs.
bool berthReplayHasFailed(BerthProofState *state);

/// The same, by rounding sizes up to this alignment.
bool berthReplayFailsAligned(BerthProofState *state, int64_t alignment);

/// The same for some boxes that all keep apart, in all orders where there are
/// no more than kProofMaxClique.
bool berthReplayCliqueFails(BerthProofState *state, const uint32_t *boxes,
                            uint32_t count);

/// The same for bytes of boxes that all keep apart, added up.
bool berthReplayPartsFail(const BerthProofState *state,
                          const BerthProofPiece *parts, size_t count);

#endif // BERTH_LIB_PACK_PROOFCHECK_RULES_H
