//===- CsvReader.h - CSV to problem ----------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IO_CSV_CSVREADER_H
#define BERTH_LIB_IO_CSV_CSVREADER_H

#include "IO/Text/Document.h"

/// Fills in the document's problem from its text; its plan too, if the offsets
/// are one.
BerthStatus berthCsvParse(BerthDocument *document, bool offsetsArePlan,
                          BerthError *error);

#endif // BERTH_LIB_IO_CSV_CSVREADER_H
