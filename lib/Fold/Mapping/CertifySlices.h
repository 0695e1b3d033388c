//===- CertifySlices.h - The proof that slices stay in one piece --- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_FOLD_MAPPING_CERTIFYSLICES_H
#define BERTH_LIB_FOLD_MAPPING_CERTIFYSLICES_H

#include "Fold/Problem/Problem.h"

/// Each index has a row of its own, and no slice goes around its end (or that
/// of its mirrored rows). A part of berthFoldCertify.
BerthStatus berthFoldCertifySlices(const BerthFoldProblem *problem,
                                   const BerthFoldMapping *mapping,
                                   BerthError *error);

#endif // BERTH_LIB_FOLD_MAPPING_CERTIFYSLICES_H
