//===- FoldPicture.h - Pictures of folded arrays ------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_TOOLS_BERTH_PACK_FOLDPICTURE_H
#define BERTH_TOOLS_BERTH_PACK_FOLDPICTURE_H

#include "berth-c/Fold.h"

/// An SVG picture, within a page if `isPage`: left the differences of cells
/// that are live together, with the lattice of those that share a place; right
/// each place of the folded array over time.
BerthStatus toolDrawFold(FILE *stream, bool isPage,
                         const BerthFoldProblem *problem,
                         const BerthFoldMapping *mapping, const int64_t *params,
                         BerthError *error);

#endif // BERTH_TOOLS_BERTH_PACK_FOLDPICTURE_H
