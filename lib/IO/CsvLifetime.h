//===- CsvLifetime.h - The gaps column -------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IO_CSVLIFETIME_H
#define BERTH_LIB_IO_CSVLIFETIME_H

#include "IO/Text.h"
#include "berth-c/Pack.h"

/// The segments and windows that come of one buffer's hull and its gaps cell.
/// Arrays are reused from row to row; zero-initialise, then free.
typedef struct CsvLifetime {
  BerthSegment *segments;
  size_t numSegments;
  size_t capSegments;
  BerthGap *gaps;
  size_t numGaps;
  size_t capGaps;
} CsvLifetime;

/// Reads `lo-hi[@wlo:whi]`, separated by blanks. A gap with a window becomes a
/// BerthGap; one without splits the life into segments, as nothing is occupied
/// in it.
BerthStatus berthCsvReadLifetime(TextSpan text, TextSpan cell,
                                 BerthSegment hull, int64_t size,
                                 CsvLifetime *lifetime, BerthError *error);
void berthCsvFreeLifetime(CsvLifetime *lifetime);

#endif // BERTH_LIB_IO_CSVLIFETIME_H
