//===- Pieces.h - Parts of buffers as buffers of their own ---------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a buffer is used through subviews at constant places, some of its bytes
// may be another buffer's while the rest is in use. To see that this is right,
// each stretch of bytes between two such places is made a root of its own
// (berthViewsOfMerges), and a view points into those that it has bytes of.
//
// Which bytes a view has is read off the layouts of types, not off the ops.
// Everything that may point into such a buffer has to be a view of it.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_VERIFY_ROOTS_PIECES_H
#define BERTH_LIB_IR_VERIFY_ROOTS_PIECES_H

#include "IR/Verify/Roots/Views.h"

/// The views of buffers that fall into pieces, those of one root together. In
/// the memory of the views.
BerthPieces berthFindPieces(const BerthViews *views);

#endif // BERTH_LIB_IR_VERIFY_ROOTS_PIECES_H
