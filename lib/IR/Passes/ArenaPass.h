//===- ArenaPass.h - The pass berth-arena, in C -------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Gives every buffer of a scope an offset in one arena. berthArenaRun plans all
// scopes first and changes the IR only when every plan has been made, verified
// and found applicable: a failure leaves everything as it was.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_PASSES_ARENAPASS_H
#define BERTH_LIB_IR_PASSES_ARENAPASS_H

#include "IR/Plan/Figures.h"
#include "IR/Scope/ArenaOptions.h"

BERTH_EXTERN_C_BEGIN

/// Plans and rewrites every scope in `root`, once for each of `options`: these
/// differ in the memory only. Nothing is rewritten before all are planned.
/// Emits its own diagnostics and remarks. On failure the IR in `root` is as it
/// was, but its ops may be other ones: copies made before what goes ahead of
/// planning (`refill`, `dropUnread`, `splitLives`, `shortCircuit`, `rotate`,
/// `packsExisting`).
BerthStatus berthArenaRun(MlirOperation root, const BerthArenaOptions *options,
                          size_t numMemories, BerthArenaFigures *figures);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IR_PASSES_ARENAPASS_H
