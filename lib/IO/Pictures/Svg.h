//===- Svg.h - A plan as a picture ------------------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IO_PICTURES_SVG_H
#define BERTH_LIB_IO_PICTURES_SVG_H

#include "IO/Pictures/Page.h"

/// A picture of an arena with the marks and ops that the scope tells. `note` is
/// a few words beside the title, or NULL.
BerthStatus berthWriteSvgScope(FILE *stream, const BerthPageScope *scope,
                               const char *note, BerthError *error);

#endif // BERTH_LIB_IO_PICTURES_SVG_H
