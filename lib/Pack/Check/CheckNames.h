//===- CheckNames.h - Names are unique ----------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_CHECK_CHECKNAMES_H
#define BERTH_LIB_PACK_CHECK_CHECKNAMES_H

#include "Pack/Check/Checker.h"

/// Are the names unique?
BerthStatus berthCheckNames(BerthChecker *checker);

#endif // BERTH_LIB_PACK_CHECK_CHECKNAMES_H
