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

#ifndef BERTH_LIB_IO_CSVCELLS_H
#define BERTH_LIB_IO_CSVCELLS_H

#include "IO/Text.h"

/// What a column means, whatever it is called.
typedef enum CsvMeaning {
  CSV_ID,
  CSV_LOWER,
  CSV_UPPER,
  CSV_SIZE,
  CSV_ALIGNMENT,
  CSV_GAPS,
  CSV_OFFSET,
  CSV_HINT,
  CSV_NUM_MEANINGS
} CsvMeaning;

/// The columns of one file, in their order.
typedef struct CsvHeader {
  size_t numColumns;
  CsvMeaning meanings[CSV_NUM_MEANINGS];
  bool has[CSV_NUM_MEANINGS];
  bool inclusiveEnd; ///< the upper column is `end`: the last time, inclusive
} CsvHeader;

/// Takes the next line that is not blank off the front of `rest`, without its
/// line end. False at the end of the text.
bool berthCsvNextLine(TextSpan *rest, TextSpan *line);

/// Takes the next cell off the front of `*line`, blanks and quotes included;
/// `*more` says whether a comma followed. False if a quote is not closed or
/// followed by something else: `*cell` then starts at the offender.
bool berthCsvNextCell(TextSpan *line, TextSpan *cell, bool *more);

/// Without quotes and the blanks around them; doubled quotes stay doubled.
TextSpan berthCsvUnquote(TextSpan cell);

/// Reads a header line that lies in `text`.
BerthStatus berthCsvReadHeader(TextSpan text, TextSpan line, CsvHeader *header,
                               BerthError *error);

#endif // BERTH_LIB_IO_CSVCELLS_H
