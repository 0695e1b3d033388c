//===- Boxes.h - What keeps which boxes apart ---------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_PROOFCHECK_BOXES_H
#define BERTH_LIB_PACK_PROOFCHECK_BOXES_H

#include "Pack/ProofCheck/ProofState.h"

/// Numbers the boxes of a checked problem, in the order of their first buffers.
/// All functions here return BERTH_RESOURCE when memory runs out.
BerthStatus berthReplayStateInit(BerthProofState *state,
                                 const BerthProblemData *problem,
                                 BerthError *error);
void berthReplayStateFree(BerthProofState *state);

/// Does a box, or all that is live at some time, not fit below the height? This
/// needs none of what follows.
BerthStatus berthReplayLoadFails(BerthProofState *state, bool *fails,
                                 BerthError *error);

/// Of `count` pieces that are there at one time: what each box occupies of them
/// and shares with no box that it is spared for, into `own`.
void berthReplayFindOwn(const BerthProofState *state,
                        const BerthProofPiece *pieces, size_t count);

/// Is the box spared for one that has a piece among these?
bool berthReplayIsSpared(const BerthProofState *state, uint32_t box,
                         const BerthProofPiece *pieces, size_t count);

/// Finds out what keeps apart with these cuts bought.
BerthStatus berthReplayFindRivals(BerthProofState *state, BerthError *error);

#endif // BERTH_LIB_PACK_PROOFCHECK_BOXES_H
