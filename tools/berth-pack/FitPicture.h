//===- FitPicture.h - A fit as a picture or a page -------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_TOOLS_BERTH_PACK_FITPICTURE_H
#define BERTH_TOOLS_BERTH_PACK_FITPICTURE_H

#include "berth-c/IO.h"

/// The fast memory over time as SVG or HTML, with what comes in and goes out.
BerthStatus toolWriteFitPicture(FILE *stream, BerthFormat format,
                                const BerthProblemData *problem,
                                const BerthFitPlan *fit, const char *title,
                                BerthError *error);

#endif // BERTH_TOOLS_BERTH_PACK_FITPICTURE_H
