//===- BoundWindows.h - Bounds from short windows of time ---------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_IMPROVE_BOUNDWINDOWS_H
#define BERTH_LIB_PACK_IMPROVE_BOUNDWINDOWS_H

#include "Pack/Incumbent/Incumbent.h"

/// Raises the bound by windows, as far as the host allows. Nothing is done
/// where a proof log is wanted.
void berthRaiseByWindows(BerthIncumbent *incumbent, const BerthHost *host);

#endif // BERTH_LIB_PACK_IMPROVE_BOUNDWINDOWS_H
