//===- JsonProblem.h - JSON to problem -------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IO_JSON_JSONPROBLEM_H
#define BERTH_LIB_IO_JSON_JSONPROBLEM_H

#include "IO/Text/Document.h"

/// Fills in the document's problem (and plan) from its text, in the schema of
/// docs/json.md.
BerthStatus berthJsonParse(BerthDocument *document, BerthError *error);

#endif // BERTH_LIB_IO_JSON_JSONPROBLEM_H
