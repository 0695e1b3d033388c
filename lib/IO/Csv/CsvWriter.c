//===- CsvWriter.c - Problem and plan to CSV ----------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "IO/Csv/CsvCells.h"
#include "IO/Text/Document.h"
#include "IO/Text/Written.h"

#include <inttypes.h>
#include <string.h>

//===---------------------------------------------------------------------===//
// The rows as they were read
//===---------------------------------------------------------------------===//

/// Gathers what would be many small writes to a stream.
typedef struct Gathered {
  FILE *stream;
  size_t length;
  char bytes[1 << 14];
} Gathered;

static void flush(Gathered *out) {
  fwrite(out->bytes, 1, out->length, out->stream);
  out->length = 0;
}

static void put(Gathered *out, BerthSpan span) {
  if (span.length > sizeof out->bytes - out->length)
    flush(out);
  if (span.length > sizeof out->bytes) {
    fwrite(span.data, 1, span.length, out->stream);
    return;
  }
  memcpy(out->bytes + out->length, span.data, span.length);
  out->length += span.length;
}

static void putString(Gathered *out, const char *string) {
  put(out, (BerthSpan){string, strlen(string)});
}

/// The value in decimal, at the end of `room`.
static BerthSpan writeNumber(int64_t value, char room[20]) {
  uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
  char *at = room + 20;
  do
    *--at = (char)('0' + rest % 10);
  while (rest /= 10);
  if (value < 0)
    *--at = '-';
  return (BerthSpan){at, (size_t)(room + 20 - at)};
}

/// One row of the input with its offset cell filled in or appended. `offset`
/// is text: the column's name for the header.
static void writeRow(Gathered *out, const BerthCsvHeader *header,
                     BerthSpan line, BerthSpan offset, const char *lineEnd) {
  bool more = header->has[BERTH_CSV_OFFSET];
  for (size_t i = 0; more && i < header->numColumns; ++i) {
    BerthSpan cell;
    if (!berthCsvNextCell(&line, &cell, &more))
      break;
    if (i > 0)
      putString(out, ",");
    put(out, header->meanings[i] == BERTH_CSV_OFFSET ? offset : cell);
  }
  if (!header->has[BERTH_CSV_OFFSET]) {
    put(out, line);
    putString(out, ",");
    put(out, offset);
  }
  putString(out, lineEnd);
}

/// Files that end their first line in CRLF get CRLF.
static const char *findLineEnd(BerthSpan text) {
  const char *end = memchr(text.data, '\n', text.length);
  return end && end > text.data && end[-1] == '\r' ? "\r\n" : "\n";
}

BerthStatus berthDocumentWriteCsv(FILE *stream, const BerthDocument *document,
                                  const BerthPlan *plan, BerthError *error) {
  if (document->format != BERTH_FORMAT_CSV || !plan)
    return berthWriteCsv(stream, berthDocumentData(document), plan, error);
  BerthSpan rest = berthDocumentText(document);
  const char *lineEnd = findLineEnd(rest);
  BerthSpan line = {0};
  BerthCsvHeader header;
  berthCsvNextLine(&rest, &line);
  BerthStatus status =
      berthCsvReadHeader(berthDocumentText(document), line, &header, error);
  if (status != BERTH_SUCCESS)
    return status;
  Gathered out = {.stream = stream};
  writeRow(&out, &header, line, (BerthSpan){"offset", 6}, lineEnd);
  for (size_t i = 0; berthCsvNextLine(&rest, &line); ++i) {
    char room[20];
    writeRow(&out, &header, line, writeNumber(plan->offsets[i], room), lineEnd);
  }
  flush(&out);
  return berthCheckWritten(stream, "CSV", error);
}

//===---------------------------------------------------------------------===//
// Any problem
//===---------------------------------------------------------------------===//

/// Optional columns that some buffer needs.
typedef struct CsvNeeds {
  bool alignment;
  bool gaps;
  bool hint;
  bool uses;
  bool backed;
  bool offset;
} CsvNeeds;

static const char *findUnwritable(const BerthProblemData *problem) {
  if (problem->numEdges > 0)
    return "edges";
  if (problem->numDistances > 0)
    return "distances";
  if (problem->numCuts > 0)
    return "cuts";
  if (problem->numPools > 0)
    return "pools";
  if (problem->numReserved > 0)
    return "reserved ranges";
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    if (problem->buffers[i].group != BERTH_NONE)
      return "groups";
    if (problem->buffers[i].weight != 1)
      return "weights";
    if (problem->buffers[i].id && strpbrk(problem->buffers[i].id, "\r\n"))
      return "line breaks in ids";
  }
  return NULL;
}

static CsvNeeds findNeeds(const BerthProblemData *problem,
                          const BerthPlan *plan) {
  CsvNeeds needs = {.offset = plan != NULL};
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    const BerthBuffer *buffer = &problem->buffers[i];
    needs.alignment |= buffer->alignment != 1;
    needs.gaps |= buffer->numGaps > 0 || buffer->numSegments > 1;
    needs.hint |= buffer->hint != BERTH_NONE;
    needs.uses |= buffer->numUses > 0;
    needs.backed |= buffer->backed;
    needs.offset |= buffer->fixedOffset != BERTH_NONE;
  }
  return needs;
}

/// In quotes where the id needs them.
static void writeId(FILE *stream, const BerthBuffer *buffer, size_t index) {
  if (!buffer->id) {
    fprintf(stream, "b%zu", index);
    return;
  }
  size_t length = strlen(buffer->id);
  BerthSpan trimmed = berthSpanTrim((BerthSpan){buffer->id, length});
  if (!strpbrk(buffer->id, ",\"") && trimmed.length == length) {
    fputs(buffer->id, stream);
    return;
  }
  fputc('"', stream);
  for (const char *c = buffer->id; *c; ++c)
    fputs((const char[]){*c, *c == '"' ? '"' : '\0', '\0'}, stream);
  fputc('"', stream);
}

static void writeGaps(FILE *stream, const BerthBuffer *buffer) {
  const char *separator = "";
  for (size_t i = 1; i < buffer->numSegments; ++i) {
    fprintf(stream, "%s%" PRId64 "-%" PRId64, separator,
            buffer->segments[i - 1].upper, buffer->segments[i].lower);
    separator = " ";
  }
  for (size_t i = 0; i < buffer->numGaps; ++i) {
    const BerthGap *gap = &buffer->gaps[i];
    fprintf(stream, "%s%" PRId64 "-%" PRId64 "@%" PRId64 ":%" PRId64, separator,
            gap->lower, gap->upper, gap->windowLower, gap->windowUpper);
    separator = " ";
  }
}

static void writeUses(FILE *stream, const BerthBuffer *buffer) {
  for (size_t i = 0; i < buffer->numUses; ++i) {
    const BerthBufferUse *use = &buffer->uses[i];
    fprintf(stream, "%s%" PRId64, i ? " " : "", use->lower);
    if (use->upper != use->lower + 1)
      fprintf(stream, "-%" PRId64, use->upper);
    if (use->kind != BERTH_USE_READ)
      fputc(use->kind == BERTH_USE_WRITE ? 'w' : 'u', stream);
    if (use->bytes)
      fprintf(stream, "@%" PRId64, use->bytes);
    if (use->make)
      fprintf(stream, "=%" PRId64, use->make);
    if (use->tile)
      fprintf(stream, "/%" PRId64 ":%" PRId64, use->tile, use->slices);
  }
}

static void writeOptional(FILE *stream, int64_t value) {
  if (value != BERTH_NONE)
    fprintf(stream, "%" PRId64, value);
}

static void writeBuffer(FILE *stream, const CsvNeeds *needs,
                        const BerthBuffer *buffer, size_t index,
                        int64_t offset) {
  writeId(stream, buffer, index);
  fprintf(stream, ",%" PRId64 ",%" PRId64 ",%" PRId64,
          buffer->segments[0].lower,
          buffer->segments[buffer->numSegments - 1].upper, buffer->size);
  if (needs->alignment)
    fprintf(stream, ",%" PRId64, buffer->alignment);
  if (needs->gaps) {
    fputc(',', stream);
    writeGaps(stream, buffer);
  }
  if (needs->hint) {
    fputc(',', stream);
    writeOptional(stream, buffer->hint);
  }
  if (needs->uses) {
    fputc(',', stream);
    writeUses(stream, buffer);
  }
  if (needs->backed)
    fputs(buffer->backed ? ",1" : ",", stream);
  if (needs->offset) {
    fputc(',', stream);
    writeOptional(stream, offset);
  }
  fputc('\n', stream);
}

BerthStatus berthWriteCsv(FILE *stream, const BerthProblemData *problem,
                          const BerthPlan *plan, BerthError *error) {
  const char *unwritable = findUnwritable(problem);
  if (unwritable)
    return berthErrorSet(error, BERTH_INVALID,
                         "CSV cannot hold %s; write JSON instead", unwritable);
  CsvNeeds needs = findNeeds(problem, plan);
  fprintf(stream, "id,lower,upper,size%s%s%s%s%s%s\n",
          needs.alignment ? ",alignment" : "", needs.gaps ? ",gaps" : "",
          needs.hint ? ",hint" : "", needs.uses ? ",uses" : "",
          needs.backed ? ",backed" : "", needs.offset ? ",offset" : "");
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    const BerthBuffer *buffer = &problem->buffers[i];
    writeBuffer(stream, &needs, buffer, i,
                plan ? plan->offsets[i] : buffer->fixedOffset);
  }
  return berthCheckWritten(stream, "CSV", error);
}

//===---------------------------------------------------------------------===//
// Fits
//===---------------------------------------------------------------------===//

BerthStatus berthWriteFitCsv(FILE *stream, const BerthProblemData *problem,
                             const BerthFitPlan *fit, BerthError *error) {
  bool made = fit->bytesMade > 0;
  fprintf(stream, "buffer,lower,upper,size,offset,fill,spill%s\n",
          made ? ",made" : "");
  for (size_t i = 0; i < fit->numStays; ++i) {
    const BerthStay *stay = &fit->stays[i];
    const BerthBuffer *buffer = &problem->buffers[stay->buffer];
    writeId(stream, buffer, stay->buffer);
    fprintf(stream, ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%s,%s",
            stay->lower, stay->upper, berthFitStayBytes(problem, stay),
            stay->offset, stay->filled ? "1" : "", stay->spilled ? "1" : "");
    if (made)
      fputs(stay->made ? ",1" : ",", stream);
    fputc('\n', stream);
  }
  return berthCheckWritten(stream, "CSV", error);
}
