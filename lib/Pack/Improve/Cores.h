//===- Cores.h - Windows from valley to valley --------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_IMPROVE_CORES_H
#define BERTH_LIB_PACK_IMPROVE_CORES_H

#include "Pack/Improve/Window.h"

/// Is what berthRepackCore would pack first about this item small enough?
bool berthCoreIsSmall(BerthWindows *windows, uint32_t center, int64_t target);

/// Packs the moments round this item anew, first the fullest of them as if
/// nothing else was there, then what is next to them. The task is plain. False
/// if that failed; then nothing has changed. `attempt` 0 to 1: the second looks
/// further and tries harder.
bool berthRepackCore(BerthWindows *windows, uint32_t center, int64_t target,
                     unsigned attempt);

#endif // BERTH_LIB_PACK_IMPROVE_CORES_H
