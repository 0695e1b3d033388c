//===- workgroup.h - What the parts of the race oracle share ------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_TEST_RACE_INPUTS_WORKGROUP_H
#define BERTH_TEST_RACE_INPUTS_WORKGROUP_H

#include <stdint.h>

enum { MostThreads = 1024, WarpSize = 32 };

/// How many workgroups run at the same time, and where in another one of them
/// what the pointer leads to in the thread's own lies.
int raceCluster(void);
void *raceIn(void *pointer, int other);

/// The warp of the thread that asks, its lane there, and the warp's lanes,
/// which may be fewer in the last one.
int raceWarp(void);
int raceLane(void);
int raceLanes(void);

/// Shows a value to all lanes of the warp, and takes theirs (warp.c).
void raceExchange(uint32_t value, uint32_t of[WarpSize]);

/// At the beginning of each workgroup (warp.c).
void raceResetWarps(void);

/// Ends the run: the kernel is not fit for the oracle.
_Noreturn void raceFail(const char *message);

/// Around each wait for others: 1 in front, -1 behind.
void raceStand(int change);

/// Ends the run if all threads wait and nobody has moved for long. Asked each
/// time that a waiting thread has looked in vain; both numbers are 0 at first.
void raceLookForDeadlock(int *yields, int *lastMove);

/// At the end of each thread: what it has started by TMA happens now at the
/// latest.
void raceEndTma(void);

// ThreadSanitizer's: what comes behind an acquire of an address is ordered
// after what came before a release of it.
void __tsan_acquire(void *address);
void __tsan_release(void *address);

#endif // BERTH_TEST_RACE_INPUTS_WORKGROUP_H
