//===- SvgBoxes.c - The boxes of a picture -------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "IO/Pictures/SvgBoxes.h"
#include "IO/Text/Escape.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Pixels that one letter of a label takes at most.
#define NAME_SPACE 7.0

static void writeName(const BerthSvgPicture *picture, size_t index) {
  const char *id = picture->problem->buffers[index].id;
  if (id)
    berthWriteXml(picture->stream, id);
  else
    fprintf(picture->stream, "b%zu", index);
}

/// What a browser shows when the mouse rests on the box.
static void writeTooltip(const BerthSvgPicture *picture, size_t index) {
  const BerthBuffer *buffer = &picture->problem->buffers[index];
  fputs("<title>", picture->stream);
  writeName(picture, index);
  fprintf(picture->stream,
          "\nsize %" PRId64 "\noffset %" PRId64 "\nlife %" PRId64 " to %" PRId64
          "</title>",
          buffer->size, picture->plan->offsets[index],
          buffer->segments[0].lower,
          buffer->segments[buffer->numSegments - 1].upper);
}

static void writeBox(const BerthSvgPicture *picture, const BerthSvgPanel *panel,
                     size_t index, const BerthDrawPiece *piece) {
  int64_t offset = picture->plan->offsets[index];
  double x = berthSvgX(picture, piece->lower);
  double y = berthSvgY(panel, offset + piece->high);
  double width = berthSvgX(picture, piece->upper) - x;
  double height = berthSvgY(panel, offset + piece->low) - y;
  // Edges would hide what is hardly wider than they. Report.js has the same
  // rule.
  bool isThin = width <= 3.0 || height <= 3.0;
  fprintf(picture->stream,
          "<rect class=\"box\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" "
          "height=\"%.2f\"%s/>",
          x, y, width, height, isThin ? " stroke=\"none\"" : "");
}

/// A dashed line through the times at which the buffer is not live.
static void writeHole(const BerthSvgPicture *picture,
                      const BerthSvgPanel *panel, size_t index, int64_t from,
                      int64_t to) {
  const BerthBuffer *buffer = &picture->problem->buffers[index];
  double y = berthSvgY(panel, picture->plan->offsets[index] + buffer->size / 2);
  fprintf(picture->stream,
          "<line class=\"hole\" x1=\"%.2f\" x2=\"%.2f\" y1=\"%.2f\" "
          "y2=\"%.2f\"/>",
          berthSvgX(picture, from), berthSvgX(picture, to), y, y);
}

/// Letters of the name that fit into `width` pixels: all; or those of its first
/// word, as of "%a (line 3, buffer 0)"; or none.
static size_t fitLetters(const char *name, double width) {
  const char *rest = strstr(name, " (");
  size_t letters = strlen(name);
  if (rest && (double)letters * NAME_SPACE + 6.0 > width)
    letters = (size_t)(rest - name);
  return (double)letters * NAME_SPACE + 6.0 > width ? 0 : letters;
}

/// The name, where it fits into the widest piece.
static void writeLabel(const BerthSvgPicture *picture,
                       const BerthSvgPanel *panel, size_t index,
                       const BerthDrawPiece *piece) {
  int64_t offset = picture->plan->offsets[index];
  const char *id = picture->problem->buffers[index].id;
  double x = berthSvgX(picture, piece->lower);
  double width = berthSvgX(picture, piece->upper) - x;
  double bottom = berthSvgY(panel, offset + piece->low);
  double height = bottom - berthSvgY(panel, offset + piece->high);
  char word[256];
  if (id)
    snprintf(word, sizeof word, "%s", id);
  else
    snprintf(word, sizeof word, "b%zu", index);
  size_t letters = fitLetters(word, width);
  if (height < 13.0 || letters == 0)
    return;
  word[letters] = '\0';
  fprintf(picture->stream,
          "<text class=\"name\" x=\"%.2f\" y=\"%.2f\" "
          "text-anchor=\"middle\" stroke=\"none\">",
          x + width / 2, bottom - height / 2 + 4);
  berthWriteXml(picture->stream, word);
  fputs("</text>", picture->stream);
}

static const BerthDrawPiece *findWidest(const BerthDrawPiece *pieces,
                                        size_t count) {
  const BerthDrawPiece *widest = pieces;
  for (size_t i = 1; i < count; ++i) {
    if (pieces[i].upper - pieces[i].lower > widest->upper - widest->lower)
      widest = &pieces[i];
  }
  return widest;
}

static void writeBuffer(const BerthSvgPicture *picture,
                        const BerthSvgPanel *panel, size_t index,
                        const BerthDrawPiece *pieces, size_t count) {
  BerthDrawColor fill = berthDrawColor(index, 0.78);
  BerthDrawColor edge = berthDrawColor(index, 0.42);
  fprintf(picture->stream,
          "  <g fill=\"#%02x%02x%02x\" stroke=\"#%02x%02x%02x\">", fill.red,
          fill.green, fill.blue, edge.red, edge.green, edge.blue);
  writeTooltip(picture, index);
  for (size_t i = 0; i < count; ++i) {
    writeBox(picture, panel, index, &pieces[i]);
    if (i > 0 && pieces[i - 1].upper < pieces[i].lower)
      writeHole(picture, panel, index, pieces[i - 1].upper, pieces[i].lower);
  }
  if (count > 0)
    writeLabel(picture, panel, index, findWidest(pieces, count));
  fputs("</g>\n", picture->stream);
}

// Browsers take a minute for tens of thousands of elements. Beyond this many
// buffers, boxes too small to point at are merged into few paths: no more than
// a few thousand others find room in the picture.
enum { kMostElements = 3000, kNumHues = 24 };
#define SMALL_BOX 200.0 // square pixels

static bool isSmall(const BerthSvgPicture *picture, const BerthSvgPanel *panel,
                    const BerthDrawPiece *pieces, size_t count) {
  double area = 0;
  for (size_t i = 0; i < count; ++i)
    area +=
        (berthSvgX(picture, pieces[i].upper) -
         berthSvgX(picture, pieces[i].lower)) *
        (berthSvgY(panel, pieces[i].low) - berthSvgY(panel, pieces[i].high));
  return area < SMALL_BOX;
}

static void appendBoxes(const BerthSvgPicture *picture,
                        const BerthSvgPanel *panel, size_t index,
                        const BerthDrawPiece *pieces, size_t count) {
  int64_t offset = picture->plan->offsets[index];
  for (size_t i = 0; i < count; ++i) {
    double x = berthSvgX(picture, pieces[i].lower);
    double y = berthSvgY(panel, offset + pieces[i].high);
    fprintf(picture->stream, "M%.1f,%.1fH%.1fV%.1fH%.1fZ", x, y,
            fmax(berthSvgX(picture, pieces[i].upper), x + 0.4),
            fmax(berthSvgY(panel, offset + pieces[i].low), y + 0.4), x);
  }
}

/// The small boxes whose index has the remainder `hue`.
static void writeMerged(const BerthSvgPicture *picture,
                        const BerthSvgPanel *panel, size_t hue,
                        BerthDrawPiece *pieces) {
  BerthDrawColor fill = berthDrawColor(hue, 0.70);
  fprintf(picture->stream, "  <path fill=\"#%02x%02x%02x\" d=\"", fill.red,
          fill.green, fill.blue);
  for (size_t i = hue; i < picture->problem->numBuffers; i += kNumHues) {
    size_t count = berthDrawPieces(&picture->problem->buffers[i], pieces);
    if (picture->plan->pools[i] == panel->pool &&
        isSmall(picture, panel, pieces, count))
      appendBoxes(picture, panel, i, pieces, count);
  }
  fputs("\"/>\n", picture->stream);
}

bool berthSvgWriteBuffers(const BerthSvgPicture *picture,
                          const BerthSvgPanel *panel) {
  bool merges = picture->problem->numBuffers > kMostElements;
  BerthDrawPiece *pieces = berthDrawPieceRoom(picture->problem);
  if (!pieces)
    return false;
  for (size_t hue = 0; merges && hue < kNumHues; ++hue)
    writeMerged(picture, panel, hue, pieces);
  for (size_t i = 0; i < picture->problem->numBuffers; ++i) {
    if (picture->plan->pools[i] != panel->pool)
      continue;
    size_t count = berthDrawPieces(&picture->problem->buffers[i], pieces);
    if (!merges || !isSmall(picture, panel, pieces, count))
      writeBuffer(picture, panel, i, pieces, count);
  }
  free(pieces);
  return true;
}
