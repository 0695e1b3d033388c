//===- CertifyPlacement.h - What a placement has to be ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_FOLD_MAPPING_CERTIFYPLACEMENT_H
#define BERTH_LIB_FOLD_MAPPING_CERTIFYPLACEMENT_H

#include "Fold/Problem/Problem.h"

/// The mappings are boxes of numbers, and lie within the cells.
BerthStatus berthFoldCheckPlaced(const BerthFoldProblem *problem,
                                 const BerthFoldPlacement *placement,
                                 BerthError *error);

#endif // BERTH_LIB_FOLD_MAPPING_CERTIFYPLACEMENT_H
