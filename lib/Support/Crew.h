//===- Crew.h - Threads that share the work of a loop --------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Runs of a loop whose turns do not depend on each other go to whichever thread
// is free. The caller works too and waits for nobody who has not begun, so on a
// busy machine a loop takes no longer than without a crew.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_SUPPORT_CREW_H
#define BERTH_LIB_SUPPORT_CREW_H

#include <stdint.h>

/// Threads beyond this number are not used.
enum { kBerthMostHands = 16 };

typedef struct BerthCrew BerthCrew;

/// One turn of the loop. `hand` tells the threads apart, from 0 on: what
/// belongs to a hand is used by one thread at a time.
typedef void BerthCrewWork(void *context, unsigned hand, uint32_t index);

/// `hands` threads, the caller's included. NULL: loops run on the caller's
/// alone, since there is to be no other, or none could be had.
BerthCrew *berthCrewCreate(unsigned hands);
void berthCrewDestroy(BerthCrew *crew);

/// How many threads there are, the caller's included.
unsigned berthCrewHands(const BerthCrew *crew);

/// Calls `work` for each index below `count`, in no particular order but that
/// lower ones begin first. While the caller has nothing left to do but to wait
/// for others, `wait` is called now and then, where it is not NULL.
void berthCrewRun(BerthCrew *crew, uint32_t count, BerthCrewWork *work,
                  void (*wait)(void *context), void *context);

#endif // BERTH_LIB_SUPPORT_CREW_H
