//===- CsvCells.h - Lines, cells and columns of the CSV dialect ---- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A line ends in LF or CRLF; a cell may stand in double quotes, in which ""
// means ", and which may not span lines. Blank lines count for nothing.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IO_CSV_CSVCELLS_H
#define BERTH_LIB_IO_CSV_CSVCELLS_H

#include "IO/Text/Span.h"

/// What a column means, whatever it is called.
typedef enum BerthCsvMeaning {
  BERTH_CSV_ID,
  BERTH_CSV_LOWER,
  BERTH_CSV_UPPER,
  BERTH_CSV_SIZE,
  BERTH_CSV_ALIGNMENT,
  BERTH_CSV_GAPS,
  BERTH_CSV_OFFSET,
  BERTH_CSV_HINT,
  BERTH_CSV_USES,
  BERTH_CSV_BACKED,
  BERTH_CSV_NUM_MEANINGS
} BerthCsvMeaning;

/// The columns of one file, in their order.
typedef struct BerthCsvHeader {
  size_t numColumns;
  BerthCsvMeaning meanings[BERTH_CSV_NUM_MEANINGS];
  bool has[BERTH_CSV_NUM_MEANINGS];
  bool inclusiveEnd; ///< the upper column is `end`: the last time, inclusive
} BerthCsvHeader;

/// Takes the next line that is not blank off the front of `rest`, without its
/// line end. False at the end of the text.
bool berthCsvNextLine(BerthSpan *rest, BerthSpan *line);

/// Takes the next cell off the front of `*line`, blanks and quotes included;
/// `*more` says whether a comma followed. False if a quote is not closed or
/// followed by something else: `*cell` then starts at the offender.
bool berthCsvNextCell(BerthSpan *line, BerthSpan *cell, bool *more);

/// Without quotes and the blanks around them; doubled quotes stay doubled.
BerthSpan berthCsvUnquote(BerthSpan cell);

/// Reads a header line that lies in `text`.
BerthStatus berthCsvReadHeader(BerthSpan text, BerthSpan line,
                               BerthCsvHeader *header, BerthError *error);

#endif // BERTH_LIB_IO_CSV_CSVCELLS_H
