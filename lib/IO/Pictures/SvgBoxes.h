//===- SvgBoxes.h - A picture under way, and its boxes -------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IO_PICTURES_SVGBOXES_H
#define BERTH_LIB_IO_PICTURES_SVGBOXES_H

#include "IO/Pictures/Draw.h"
#include "IO/Pictures/Page.h"

#include <stdio.h>

/// Where things stand, in pixels. Times run from SVG_LEFT to SVG_RIGHT.
#define SVG_WIDTH 1200
#define SVG_LEFT 92
#define SVG_RIGHT 1056
#define SVG_TOP 78
#define SVG_PANELS_HEIGHT 560
#define SVG_PANEL_GAP 34
#define SVG_STRIP_HEIGHT 84
#define SVG_STRIP_GAP 22
#define SVG_FOOT 44

/// A picture under way.
typedef struct BerthSvgPicture {
  FILE *stream;
  const BerthProblemData *problem;
  const BerthPlan *plan; ///< or NULL
  double firstTime;
  double lastTime; ///< above firstTime
  BerthDrawLoadPoint *loads;
  size_t numLoads;
  int64_t load;
  const BerthPageScope *scope;
} BerthSvgPicture;

/// The part of the picture that shows one pool.
typedef struct BerthSvgPanel {
  uint32_t pool;
  double top;
  double height;
  int64_t peak;     ///< of this pool
  int64_t capacity; ///< 0: none
  double extent;    ///< bytes from bottom to top
} BerthSvgPanel;

static inline double berthSvgX(const BerthSvgPicture *picture, int64_t time) {
  double part = ((double)time - picture->firstTime) /
                (picture->lastTime - picture->firstTime);
  return SVG_LEFT + part * (SVG_RIGHT - SVG_LEFT);
}

static inline double berthSvgY(const BerthSvgPanel *panel, int64_t byte) {
  return panel->top + panel->height * (1.0 - (double)byte / panel->extent);
}

/// The boxes of a panel's buffers, with their names where those fit. False if
/// out of memory.
bool berthSvgWriteBuffers(const BerthSvgPicture *picture,
                          const BerthSvgPanel *panel);

#endif // BERTH_LIB_IO_PICTURES_SVGBOXES_H
