//===- Beam.h - Many plans side by side ---------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_IMPROVE_BEAM_H
#define BERTH_LIB_PACK_IMPROVE_BEAM_H

#include "Pack/Incumbent/Incumbent.h"

/// Grows many plans side by side, `width` of them in the first round and twice
/// as many in each further one. Created once and run as often as one likes,
/// each time until done or the host of that run says stop; the next run goes on
/// from there. The task is one that berthBeamCanHandle: of one pool, its items
/// without pins, windows and edges. NULL when memory ran out.
typedef struct BerthBeam BerthBeam;
bool berthBeamCanHandle(const BerthTask *task);
BerthBeam *berthBeamCreate(BerthIncumbent *incumbent, uint32_t width,
                           BerthMemory *arena);
void berthBeamRun(BerthBeam *beam, const BerthHost *host);
void berthBeamDestroy(BerthBeam *beam);

#endif // BERTH_LIB_PACK_IMPROVE_BEAM_H
