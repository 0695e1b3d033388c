//===- Hulls.h - Items as boxes ------------------------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_TASK_HULLS_H
#define BERTH_LIB_PACK_TASK_HULLS_H

#include "Support/BumpMemory.h"
#include "berth-c/Packer.h"

/// The same task for a packer that knows neither holes nor windows: each item
/// is one piece, whole, for all of its hull. Any plan for it is one for `task`.
/// False when memory ran out.
bool berthTaskHulls(const BerthTask *task, BerthMemory *arena,
                    BerthTask *hulls);

/// The same task without windows and distances: what is live together keeps
/// apart, holes in live ranges stay. Nothing is logged for it. False when
/// memory ran out.
bool berthTaskApart(const BerthTask *task, BerthMemory *arena,
                    BerthTask *apart);

#endif // BERTH_LIB_PACK_TASK_HULLS_H
