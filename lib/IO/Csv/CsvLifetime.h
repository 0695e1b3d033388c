//===- CsvLifetime.h - The gaps column -------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IO_CSV_CSVLIFETIME_H
#define BERTH_LIB_IO_CSV_CSVLIFETIME_H

#include "IO/Text/Lifetime.h"
#include "IO/Text/Span.h"

/// Reads `lo-hi[@wlo:whi]`, separated by blanks. A gap with a window becomes a
/// BerthGap; one without splits the life into segments, as nothing is occupied
/// in it.
BerthStatus berthCsvReadLifetime(BerthSpan text, BerthSpan cell,
                                 BerthSegment hull, int64_t size,
                                 BerthLifetime *lifetime, BerthError *error);

/// Reads the cell of the uses, in any order, into the lifetime.
BerthStatus berthCsvReadUses(BerthSpan text, BerthSpan cell,
                             BerthLifetime *lifetime, BerthError *error);

#endif // BERTH_LIB_IO_CSV_CSVLIFETIME_H
