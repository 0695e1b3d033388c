//===- Svg.c - A plan as a picture ---------------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
//   title, note
//   figures
//   +--------------------------+
//   | one panel a pool: boxes, | capacity, peak, load
//   | reserved bytes, marks    |
//   +--------------------------+
//   | load over time           |
//   +--------------------------+
//     times, or the ops there; what triangles stand for
//
//===---------------------------------------------------------------------===//

#include "IO/Pictures/Svg.h"
#include "IO/Pictures/SvgBoxes.h"
#include "IO/Text/Escape.h"
#include "IO/Text/Written.h"
#include "Support/Allocate.h"
#include "berth-c/IO.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Marks closer than the first are drawn as one; each is a line while the lines
/// have the second on the average, else a tick of the third.
enum { MARK_PIXELS = 4, LINE_PIXELS = 24, TICK_PIXELS = 7, MOST_TICKS = 32 };

/// A triangle smaller than this is not seen.
#define LEAST_SIDE 1.5

//===---------------------------------------------------------------------===//
// Frame
//===---------------------------------------------------------------------===//

static const char style[] =
    "  <style>\n"
    "    svg { max-width: 100%; height: auto }\n"
    "    .paper { fill: #ffffff }\n"
    "    text { font: 12px system-ui, 'DejaVu Sans', sans-serif; fill: "
    "#3b4252 }\n"
    "    .title { font-size: 20px; font-weight: 600; fill: #1f2430 }\n"
    "    .axis { font-size: 11px; fill: #6b7280 }\n"
    "    .name { font-size: 11px; fill: #1f2430; pointer-events: none }\n"
    "    .frame { fill: #fbfbfd; stroke: #d5d9e2 }\n"
    "    .grid { stroke: #e9ecf2; stroke-width: 1 }\n"
    "    .box { stroke-width: .8 }\n"
    "    .hole { fill: none; stroke-dasharray: 2 3; stroke-width: 1 }\n"
    "    .reserved { fill: #c9ced8; fill-opacity: .6 }\n"
    "    .load { stroke: #0f766e; stroke-dasharray: 7 4; stroke-width: 1.6 }\n"
    "    .peak { stroke: #1f2430; stroke-width: 1.4 }\n"
    "    .capacity { stroke: #c2410c; stroke-width: 1.6 }\n"
    "    .curve { fill: #0f766e; fill-opacity: .16; stroke: #0f766e; "
    "stroke-width: 1.2 }\n"
    "    .mark { stroke: #6b7280; stroke-dasharray: 2 3; stroke-width: 1 }\n"
    "    .tick { stroke: #6b7280; stroke-dasharray: 7 9999 }\n"
    "    .tick:hover { stroke-dasharray: 2 3 }\n"
    "    .fill { fill: #0f766e } .spill { fill: #c2410c }\n"
    "    .filltick { stroke: #0f766e; stroke-width: 2 }\n"
    "    .spilltick { stroke: #c2410c; stroke-width: 2 }\n"
    "    .loadtext { fill: #0f766e } .captext { fill: #c2410c }\n"
    "    @media screen and (prefers-color-scheme: dark) {\n"
    "      svg { background: #14171d }\n"
    "      text { fill: #c4cbd8 } .title { fill: #e6e9ef }\n"
    "      .axis { fill: #98a2b3 } .paper { fill: #14171d }\n"
    "      .frame { fill: #191d24; stroke: #2f3541 }\n"
    "      .grid { stroke: #232832 } .reserved { fill: #475063 }\n"
    "      .peak { stroke: #e6e9ef } .mark, .tick { stroke: #98a2b3 }\n"
    "      .load, .curve, .filltick { stroke: #2dd4bf }\n"
    "      .loadtext, .curve { fill: #2dd4bf } .captext { fill: #fb923c }\n"
    "      .capacity, .spilltick { stroke: #fb923c }\n"
    "      .name { fill: #1f2430 }\n"
    "    }\n"
    "  </style>\n";

static void writeFigures(const BerthSvgPicture *picture) {
  const BerthPlan *plan = picture->plan;
  FILE *stream = picture->stream;
  size_t numLives = picture->problem->numBuffers;
  size_t numBuffers = numLives - picture->scope->numLaterLives;
  fprintf(stream, "%zu buffer%s", numBuffers, numBuffers == 1 ? "" : "s");
  if (numBuffers < numLives)
    fprintf(stream, " in %zu lives (boxes)", numLives);
  if (picture->scope->bytesBefore != BERTH_NONE)
    fprintf(stream, " · before %s",
            berthDrawBytes(picture->scope->bytesBefore).text);
  if (plan) {
    fprintf(stream, " · peak %s", berthDrawBytes(plan->peak).text);
    fprintf(stream, " · load %s", berthDrawBytes(plan->load).text);
    if (plan->load > 0)
      fprintf(stream, " · ratio %.4g", (double)plan->peak / (double)plan->load);
    fprintf(stream, " · %s, by ", berthPlanStatusName(plan->status));
    berthWriteXml(stream, plan->packer ? plan->packer : "unknown");
  } else {
    fprintf(stream, " · load %s", berthDrawBytes(picture->load).text);
  }
}

static void writeHead(const BerthSvgPicture *picture, const char *note,
                      double height) {
  FILE *stream = picture->stream;
  fprintf(stream,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
          "height=\"%.0f\" viewBox=\"0 0 %d %.0f\">\n%s"
          "  <rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>\n"
          "  <text class=\"title\" x=\"%d\" y=\"34\">",
          SVG_WIDTH, height, SVG_WIDTH, height, style, SVG_LEFT);
  const char *title = picture->scope->title;
  berthWriteXml(stream, title ? title : "Memory plan");
  if (note) {
    fprintf(stream,
            "</text>\n  <text class=\"axis\" x=\"%d\" y=\"34\" "
            "text-anchor=\"end\">",
            SVG_RIGHT);
    berthWriteXml(stream, note);
  }
  fprintf(stream, "</text>\n  <text x=\"%d\" y=\"57\">", SVG_LEFT);
  writeFigures(picture);
  fputs("</text>\n", stream);
}

static void writeFrame(const BerthSvgPicture *picture, double top,
                       double height) {
  fprintf(picture->stream,
          "  <rect class=\"frame\" x=\"%d\" y=\"%.2f\" width=\"%d\" "
          "height=\"%.2f\"/>\n",
          SVG_LEFT, top, SVG_RIGHT - SVG_LEFT, height);
}

static void writeByteTicks(const BerthSvgPicture *picture,
                           const BerthSvgPanel *panel) {
  double step = berthDrawTickStep(panel->extent, 7, true);
  double last = fmin(panel->extent, 0x1p62); // int64_t holds what it prints
  for (int tick = 0; tick * step <= last; ++tick) {
    double byte = tick * step;
    double y = berthSvgY(panel, (int64_t)byte);
    fprintf(picture->stream,
            "  <line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.2f\" "
            "y2=\"%.2f\"/>\n"
            "  <text class=\"axis\" x=\"%d\" y=\"%.2f\" "
            "text-anchor=\"end\">%s</text>\n",
            SVG_LEFT, SVG_RIGHT, y, y, SVG_LEFT - 8, y + 4,
            berthDrawTick(byte, step, panel->extent).text);
  }
}

/// The op at a time, or NULL where none is known.
static const char *opAt(const BerthSvgPicture *picture, double time) {
  const BerthPageScope *scope = picture->scope;
  if (!scope->points || time < 0.0 || time >= (double)scope->numPoints)
    return NULL;
  const char *name = scope->points[(size_t)time].name;
  return name[0] ? name : NULL;
}

/// Where ops are known and there is room for all, they stand for their times.
/// Report.js has the same rule.
static bool haveOpsRoom(const BerthSvgPicture *picture, double first,
                        double step) {
  double extent = picture->lastTime - picture->firstTime;
  double room = step / extent * (SVG_RIGHT - SVG_LEFT);
  bool haveOps = false;
  for (int tick = 0; tick < MOST_TICKS; ++tick) {
    double time = first + tick * step;
    if (time > picture->lastTime)
      break;
    const char *op = opAt(picture, time);
    if (op && 6.6 * (double)strlen(op) >= room)
      return false;
    haveOps = haveOps || op;
  }
  return haveOps;
}

static void writeTimeTicks(const BerthSvgPicture *picture, double y) {
  double extent = picture->lastTime - picture->firstTime;
  double step =
      berthDrawTickStep(extent, picture->scope->points ? 8 : 12, false);
  double first = ceil(picture->firstTime / step) * step;
  bool isOps = haveOpsRoom(picture, first, step);
  // Counted, as adding a step may leave a huge time as it is.
  for (int tick = 0; tick < MOST_TICKS; ++tick) {
    double time = first + tick * step;
    if (time > picture->lastTime)
      break;
    double x = SVG_LEFT +
               (time - picture->firstTime) / extent * (SVG_RIGHT - SVG_LEFT);
    fprintf(picture->stream,
            "  <text class=\"axis\" x=\"%.2f\" y=\"%.2f\" "
            "text-anchor=\"middle\">",
            x, y + 16);
    const char *op = opAt(picture, time);
    if (!isOps)
      fprintf(picture->stream, "%.0f", time);
    else if (op)
      berthWriteXml(picture->stream, op);
    fputs("</text>\n", picture->stream);
  }
  fprintf(picture->stream,
          "  <text class=\"axis\" x=\"%d\" y=\"%.2f\" "
          "text-anchor=\"middle\">time</text>\n",
          (SVG_LEFT + SVG_RIGHT) / 2, y + 34);
}

//===---------------------------------------------------------------------===//
// Panels
//===---------------------------------------------------------------------===//

static void writeReserved(const BerthSvgPicture *picture,
                          const BerthSvgPanel *panel) {
  const BerthProblemData *problem = picture->problem;
  bool pooled = problem->numPools > 0;
  size_t count =
      pooled ? problem->pools[panel->pool].numReserved : problem->numReserved;
  const BerthRange *ranges =
      pooled ? problem->pools[panel->pool].reserved : problem->reserved;
  for (size_t i = 0; i < count; ++i) {
    if ((double)ranges[i].lower >= panel->extent)
      continue;
    double bottom = berthSvgY(panel, ranges[i].lower);
    double top = fmax(berthSvgY(panel, ranges[i].upper), panel->top);
    fprintf(picture->stream,
            "  <rect class=\"reserved\" x=\"%d\" y=\"%.2f\" width=\"%d\" "
            "height=\"%.2f\"><title>reserved</title></rect>\n",
            SVG_LEFT, top, SVG_RIGHT - SVG_LEFT, bottom - top);
  }
}

/// Half of what a move's triangle has across: no larger than the box.
static double moveSide(const BerthSvgPicture *picture,
                       const BerthSvgPanel *panel, const BerthPageMark *mark) {
  const BerthBuffer *buffer = &picture->problem->buffers[mark->buffer];
  const BerthSegment *lives = buffer->segments;
  double wide = berthSvgX(picture, lives[buffer->numSegments - 1].upper) -
                berthSvgX(picture, lives[0].lower);
  double high = panel->height * (double)buffer->size / panel->extent;
  return fmin(5.0, fmin(wide, high) / 2.0);
}

/// A triangle at the edge of the box that comes in or goes out.
static void writeMove(const BerthSvgPicture *picture,
                      const BerthSvgPanel *panel, const BerthPageMark *mark,
                      double side) {
  size_t index = (size_t)mark->buffer;
  bool comes = strcmp(mark->what, "spill") != 0;
  double x = berthSvgX(picture, mark->time);
  double y = berthSvgY(panel, picture->plan->offsets[index] +
                                  picture->problem->buffers[index].size / 2);
  fprintf(picture->stream,
          "  <path class=\"%s\" d=\"M%.2f,%.2fl%.1f,%.1fh%.1fz\"><title>%s at "
          "%" PRId64 "</title></path>\n",
          comes ? "fill" : "spill", x, y, -side,
          comes ? 1.8 * side : -1.8 * side, 2.0 * side, mark->what, mark->time);
}

/// Moves whose boxes have no room for a triangle, within a few pixels.
typedef struct MoveTick {
  size_t numIn, numOut;
  int64_t first, last;
} MoveTick;

static void writeMoveTick(const BerthSvgPicture *picture,
                          const BerthSvgPanel *panel, const MoveTick *tick) {
  double x = berthSvgX(picture, tick->first);
  fprintf(picture->stream,
          "  <line class=\"%s\" x1=\"%.2f\" x2=\"%.2f\" y1=\"%.2f\" "
          "y2=\"%.2f\"><title>%zu in, %zu out at %" PRId64,
          tick->numOut > 0 ? "spilltick" : "filltick", x, x, panel->top,
          panel->top + (double)TICK_PIXELS, tick->numIn, tick->numOut,
          tick->first);
  if (tick->last != tick->first)
    fprintf(picture->stream, " to %" PRId64, tick->last);
  fputs("</title></line>\n", picture->stream);
}

/// Triangles where the boxes have room, else ticks at the upper edge.
static void writeMoves(const BerthSvgPicture *picture,
                       const BerthSvgPanel *panel) {
  MoveTick tick = {0};
  for (size_t i = 0; i < picture->scope->numMarks; ++i) {
    const BerthPageMark *mark = &picture->scope->marks[i];
    if (mark->buffer == BERTH_NONE ||
        picture->plan->pools[mark->buffer] != panel->pool)
      continue;
    double side = moveSide(picture, panel, mark);
    if (side >= LEAST_SIDE) {
      writeMove(picture, panel, mark, side);
      continue;
    }
    bool isEmpty = tick.numIn + tick.numOut == 0;
    if (!isEmpty && berthSvgX(picture, mark->time) >=
                        berthSvgX(picture, tick.first) + (double)MARK_PIXELS) {
      writeMoveTick(picture, panel, &tick);
      tick = (MoveTick){0};
      isEmpty = true;
    }
    if (isEmpty)
      tick.first = mark->time;
    tick.last = mark->time;
    ++*(strcmp(mark->what, "spill") == 0 ? &tick.numOut : &tick.numIn);
  }
  if (tick.numIn + tick.numOut > 0)
    writeMoveTick(picture, panel, &tick);
}

/// What the triangles stand for, beside the axis' name.
static void writeMoveLegend(const BerthSvgPicture *picture, double y) {
  for (size_t i = 0; i < picture->scope->numMarks; ++i) {
    if (picture->scope->marks[i].buffer == BERTH_NONE)
      continue;
    fprintf(picture->stream,
            "  <path class=\"fill\" d=\"M%d,%.1fl-5,9h10z\"/>\n"
            "  <text class=\"axis\" x=\"%d\" y=\"%.1f\">filled, or made "
            "again</text>\n"
            "  <path class=\"spill\" d=\"M%d,%.1fl-5,-9h10z\"/>\n"
            "  <text class=\"axis\" x=\"%d\" y=\"%.1f\">spilled</text>\n",
            SVG_LEFT + 6, y - 9.0, SVG_LEFT + 18, y, SVG_LEFT + 148, y,
            SVG_LEFT + 160, y);
    return;
  }
}

/// Marks within a few pixels of the first of them, which are drawn as one.
typedef struct MarkGroup {
  const BerthPageMark *first, *last;
  size_t count;
  double x;
} MarkGroup;

/// The next one from mark `*index` on, which becomes the one behind it; false
/// if there is none.
static bool findGroup(const BerthSvgPicture *picture, size_t *index,
                      MarkGroup *group) {
  const BerthPageScope *scope = picture->scope;
  *group = (MarkGroup){.x = SVG_RIGHT};
  for (; *index < scope->numMarks; ++*index) {
    const BerthPageMark *mark = &scope->marks[*index];
    double x = berthSvgX(picture, mark->time);
    if (mark->buffer != BERTH_NONE || x < SVG_LEFT || x > SVG_RIGHT)
      continue;
    if (group->first && x >= group->x + (double)MARK_PIXELS)
      break;
    if (!group->first) {
      group->first = mark;
      group->x = x;
    }
    group->last = mark;
    ++group->count;
  }
  return group->first;
}

/// A tick is the first dash of a line, which is seen whole under the pointer.
static void writeGroup(const BerthSvgPicture *picture,
                       const BerthSvgPanel *panel, const MarkGroup *group,
                       bool isTick) {
  double bottom = panel->top + panel->height;
  fprintf(picture->stream,
          "  <line class=\"%s\" x1=\"%.2f\" x2=\"%.2f\" y1=\"%.2f\" "
          "y2=\"%.2f\"><title>",
          isTick ? "tick" : "mark", group->x, group->x,
          isTick ? bottom + (double)TICK_PIXELS : bottom, panel->top);
  if (group->count == 1)
    fprintf(picture->stream, "%s at %" PRId64, group->first->what,
            group->first->time);
  else
    fprintf(picture->stream, "%zu marks, %s at %" PRId64 " to %s at %" PRId64,
            group->count, group->first->what, group->first->time,
            group->last->what, group->last->time);
  fputs("</title></line>\n", picture->stream);
}

/// A line through the panel where something happens, its name where there is
/// room; ticks under the panel where so many lines would hide the boxes.
/// Report.js has the same rule.
static void writeMarks(const BerthSvgPicture *picture,
                       const BerthSvgPanel *panel) {
  MarkGroup group, next;
  size_t numGroups = 0, index = 0;
  while (findGroup(picture, &index, &group))
    ++numGroups;
  bool isTick = (double)numGroups * (double)LINE_PIXELS > SVG_RIGHT - SVG_LEFT;
  index = 0;
  for (bool more = findGroup(picture, &index, &group); more; group = next) {
    more = findGroup(picture, &index, &next);
    writeGroup(picture, panel, &group, isTick);
    double end = group.x + 6.5 * (double)strlen(group.first->what) + 6.0;
    if (!isTick && end < next.x)
      fprintf(picture->stream,
              "  <text class=\"axis\" x=\"%.2f\" y=\"%.2f\">%s</text>\n",
              group.x + 3.0, panel->top + 11.0, group.first->what);
  }
  writeMoves(picture, panel);
}

/// A line across and a label right of it, kept `*lastY` clear of the one
/// above.
static void writeLevel(const BerthSvgPicture *picture,
                       const BerthSvgPanel *panel, const char *name,
                       const char *lineClass, const char *textClass,
                       int64_t bytes, double *lastY) {
  if ((double)bytes > panel->extent)
    return;
  double y = berthSvgY(panel, bytes);
  double labelY = fmax(y + 4.0, *lastY + 28.0);
  fprintf(picture->stream,
          "  <line class=\"%s\" x1=\"%d\" x2=\"%d\" y1=\"%.2f\" y2=\"%.2f\"/>\n"
          "  <text class=\"%s\" x=\"%d\" y=\"%.2f\">%s</text>\n"
          "  <text class=\"%s\" x=\"%d\" y=\"%.2f\">%s</text>\n",
          lineClass, SVG_LEFT, SVG_RIGHT + 6, y, y, textClass, SVG_RIGHT + 12,
          labelY, name, textClass, SVG_RIGHT + 12, labelY + 14.0,
          berthDrawBytes(bytes).text);
  *lastY = labelY;
}

static void writeLevels(const BerthSvgPicture *picture,
                        const BerthSvgPanel *panel) {
  double lastY = panel->top - 100.0;
  bool single = picture->problem->numPools <= 1;
  bool meets = single && panel->peak == picture->plan->load;
  if (panel->capacity > panel->peak)
    writeLevel(picture, panel, "capacity", "capacity", "captext",
               panel->capacity, &lastY);
  writeLevel(picture, panel, meets ? "peak = load" : "peak", "peak", "",
             panel->peak, &lastY);
  if (panel->capacity > 0 && panel->capacity <= panel->peak)
    writeLevel(picture, panel, "capacity", "capacity", "captext",
               panel->capacity, &lastY);
  if (single && !meets)
    writeLevel(picture, panel, "load", "load", "loadtext", picture->plan->load,
               &lastY);
}

/// False if out of memory.
static bool writePanel(const BerthSvgPicture *picture,
                       const BerthSvgPanel *panel) {
  writeFrame(picture, panel->top, panel->height);
  writeByteTicks(picture, panel);
  if (picture->problem->numPools > 0) {
    const char *id = picture->problem->pools[panel->pool].id;
    fprintf(picture->stream, "  <text x=\"%d\" y=\"%.2f\">pool ", SVG_LEFT,
            panel->top - 8.0);
    if (id)
      berthWriteXml(picture->stream, id);
    else
      fprintf(picture->stream, "%" PRIu32, panel->pool);
    fputs("</text>\n", picture->stream);
  }
  writeReserved(picture, panel);
  if (!berthSvgWriteBuffers(picture, panel))
    return false;
  writeMarks(picture, panel);
  writeLevels(picture, panel);
  return true;
}

/// Far capacities are left out of the picture rather than flatten it.
static double choosePanelExtent(const BerthSvgPanel *panel, int64_t load) {
  double extent = fmax((double)panel->peak, (double)load);
  double capacity = (double)panel->capacity;
  if (capacity > extent && capacity <= 1.6 * extent)
    extent = capacity;
  return fmax(extent * 1.03, 1.0);
}

static BerthSvgPanel layOutPanel(const BerthSvgPicture *picture, uint32_t pool,
                                 uint32_t numPanels) {
  const BerthProblemData *problem = picture->problem;
  double height =
      (SVG_PANELS_HEIGHT - (numPanels - 1.0) * SVG_PANEL_GAP) / numPanels;
  height = fmax(height, 120.0);
  BerthSvgPanel panel = {.pool = pool, .height = height};
  double nameSpace = problem->numPools > 0 ? 16.0 : 0.0;
  panel.top = SVG_TOP + nameSpace + pool * (height + SVG_PANEL_GAP);
  panel.capacity =
      problem->numPools > 0 ? problem->pools[pool].capacity : problem->capacity;
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    int64_t top = picture->plan->offsets[i] + problem->buffers[i].size;
    if (picture->plan->pools[i] == pool && top > panel.peak)
      panel.peak = top;
  }
  panel.extent = choosePanelExtent(&panel, numPanels == 1 ? picture->load : 0);
  return panel;
}

//===---------------------------------------------------------------------===//
// Load strip
//===---------------------------------------------------------------------===//

/// Points within half a pixel are drawn as one stroke, up to their largest and
/// down to where the last of them leaves the load.
static void writeCurve(const BerthSvgPicture *picture, double top) {
  double bottom = top + SVG_STRIP_HEIGHT;
  double scale = (SVG_STRIP_HEIGHT - 6.0) / fmax((double)picture->load, 1.0);
  fprintf(picture->stream, "  <path class=\"curve\" d=\"M%d,%.2f", SVG_LEFT,
          bottom);
  for (size_t i = 0; i < picture->numLoads;) {
    double x = berthSvgX(picture, picture->loads[i].time);
    int64_t load = 0, highest = 0;
    for (; i < picture->numLoads &&
           berthSvgX(picture, picture->loads[i].time) < x + 0.5;
         ++i) {
      load = picture->loads[i].load;
      highest = load > highest ? load : highest;
    }
    fprintf(picture->stream, "H%.2fV%.2f", x, bottom - (double)highest * scale);
    if (load < highest)
      fprintf(picture->stream, "V%.2f", bottom - (double)load * scale);
  }
  fprintf(picture->stream, "H%d\"/>\n", SVG_RIGHT);
}

static void writeStrip(const BerthSvgPicture *picture, double top) {
  writeFrame(picture, top, SVG_STRIP_HEIGHT);
  if (picture->numLoads > 0)
    writeCurve(picture, top);
  fprintf(picture->stream,
          "  <text class=\"axis\" x=\"%d\" y=\"%.2f\" "
          "text-anchor=\"end\">load</text>\n"
          "  <text class=\"loadtext\" x=\"%d\" y=\"%.2f\">%s</text>\n",
          SVG_LEFT - 8, top + SVG_STRIP_HEIGHT / 2.0 + 4, SVG_RIGHT + 12,
          top + 12, berthDrawBytes(picture->load).text);
}

//===---------------------------------------------------------------------===//
// The picture
//===---------------------------------------------------------------------===//

/// False if out of memory.
static bool startPicture(BerthSvgPicture *picture, FILE *stream,
                         const BerthPageScope *scope) {
  const BerthProblemData *problem = scope->problem;
  *picture = (BerthSvgPicture){.stream = stream,
                               .problem = problem,
                               .plan = scope->plan,
                               .lastTime = 1.0,
                               .scope = scope};
  if (!berthDrawLoadCurve(problem, &picture->loads, &picture->numLoads))
    return false;
  for (size_t i = 0; i < picture->numLoads; ++i) {
    if (picture->loads[i].load > picture->load)
      picture->load = picture->loads[i].load;
  }
  if (picture->numLoads > 0) {
    picture->firstTime = (double)picture->loads[0].time;
    picture->lastTime = (double)picture->loads[picture->numLoads - 1].time;
  }
  if (picture->lastTime <= picture->firstTime)
    picture->lastTime =
        picture->firstTime + fmax(1.0, fabs(picture->firstTime) * 1e-9);
  return true;
}

BerthStatus berthWriteSvgScope(FILE *stream, const BerthPageScope *scope,
                               const char *note, BerthError *error) {
  BerthSvgPicture picture;
  if (!startPicture(&picture, stream, scope))
    return berthOutOfMemory(error);
  const BerthProblemData *problem = scope->problem;
  const BerthPlan *plan = scope->plan;
  bool complete = true;
  uint32_t numPanels = problem->numPools > 0 ? (uint32_t)problem->numPools : 1;
  double stripTop = SVG_TOP;
  if (plan) {
    BerthSvgPanel last = layOutPanel(&picture, numPanels - 1, numPanels);
    stripTop = last.top + last.height + SVG_STRIP_GAP;
  }
  writeHead(&picture, note, stripTop + SVG_STRIP_HEIGHT + SVG_FOOT);
  for (uint32_t pool = 0; plan && complete && pool < numPanels; ++pool) {
    BerthSvgPanel panel = layOutPanel(&picture, pool, numPanels);
    complete = writePanel(&picture, &panel);
  }
  writeStrip(&picture, stripTop);
  writeTimeTicks(&picture, stripTop + SVG_STRIP_HEIGHT);
  writeMoveLegend(&picture, stripTop + SVG_STRIP_HEIGHT + 34.0);
  fputs("</svg>\n", stream);
  free(picture.loads);
  if (!complete)
    return berthOutOfMemory(error);
  return berthCheckWritten(stream, "SVG", error);
}

BerthStatus berthWriteSvg(FILE *stream, const BerthProblemData *problem,
                          const BerthPlan *plan, const char *title,
                          BerthError *error) {
  BerthPageScope scope = {.title = title,
                          .problem = problem,
                          .plan = plan,
                          .bytesBefore = BERTH_NONE};
  return berthWriteSvgScope(stream, &scope, NULL, error);
}
