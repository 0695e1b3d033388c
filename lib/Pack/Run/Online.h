//===- Online.h - What an online allocator would have used ---------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_RUN_ONLINE_H
#define BERTH_LIB_PACK_RUN_ONLINE_H

#include "berth-c/Pack.h"

/// As berthProblemOnlineBytes, but tells BERTH_RESOURCE where memory ran out.
BerthStatus berthFindOnlineBytes(const BerthProblemData *problem,
                                 int64_t *bytes);

#endif // BERTH_LIB_PACK_RUN_ONLINE_H
