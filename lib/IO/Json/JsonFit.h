//===- JsonFit.h - JSON to fit plan -------------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IO_JSON_JSONFIT_H
#define BERTH_LIB_IO_JSON_JSONFIT_H

#include "IO/Json/JsonReferences.h"

/// Reads the value of "fit" into the document, whose buffers are known.
void berthJsonReadFit(BerthJsonProblem *reader);

#endif // BERTH_LIB_IO_JSON_JSONFIT_H
