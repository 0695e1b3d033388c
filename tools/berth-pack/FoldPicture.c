//===- FoldPicture.c - Pictures of folded arrays --------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The left picture is that of the slides of Darte, Isoard and Yuki: a mapping
// is valid iff no ring (a difference under which cells share a place) lies on a
// dot (a difference of cells that are live together). With more than two
// indices it shows the plane of the first and the last where all others are 0.
//
//===----------------------------------------------------------------------===//

#include "FoldPicture.h"

#include <inttypes.h>
#include <stdlib.h>

enum { Side = 440, Margin = 40, MaxReach = 60, Width = 2 * Side + 3 * Margin };

typedef struct Plane {
  FILE *stream;
  size_t numDims;
  int64_t reach; ///< the largest coordinate shown
  bool draws;    ///< else it finds out the reach
} Plane;

/// Pixels between neighbouring differences.
static double cellSize(const Plane *plane) {
  return (double)Side / (double)(2 * plane->reach + 1);
}

static double placeX(const Plane *plane, int64_t value) {
  return (double)Margin + (double)Side / 2.0 + (double)value * cellSize(plane);
}

static double placeY(const Plane *plane, int64_t value) {
  return (double)Margin + (double)Side / 2.0 - (double)value * cellSize(plane);
}

/// The coordinates shown; false if the difference is not in the plane.
static bool project(const Plane *plane, const int64_t *d, int64_t *x,
                    int64_t *y) {
  for (size_t i = 1; i + 1 < plane->numDims; ++i)
    if (d[i] != 0)
      return false;
  *x = d[0];
  *y = plane->numDims > 1 ? d[plane->numDims - 1] : 0;
  return true;
}

static void drawDot(const Plane *plane, int64_t x, int64_t y) {
  fprintf(plane->stream, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>\n",
          placeX(plane, x), placeY(plane, y), cellSize(plane) * 0.22);
}

static void takeDifference(const int64_t *d, void *userData) {
  Plane *plane = userData;
  int64_t x, y;
  if (!project(plane, d, &x, &y))
    return;
  int64_t far = llabs(x) > llabs(y) ? llabs(x) : llabs(y);
  if (!plane->draws) {
    plane->reach = far > plane->reach ? far : plane->reach;
  } else if (far <= plane->reach) {
    drawDot(plane, x, y);
    drawDot(plane, -x, -y);
  }
}

/// Rings where cells that differ by (x, y) share a place.
static void drawLattice(const Plane *plane, const BerthFoldMapping *mapping,
                        const int64_t *params) {
  int64_t zero[BERTH_FOLD_MAX_DIMS] = {0};
  BerthFoldMapping rows = *mapping; // the differences are of turned cells
  rows.turn.exists = false;
  int64_t origin = berthFoldMappingApply(&rows, params, zero);
  int64_t reachY = plane->numDims > 1 ? plane->reach : 0;
  for (int64_t x = -plane->reach; x <= plane->reach; ++x)
    for (int64_t y = -reachY; y <= reachY; ++y) {
      int64_t d[BERTH_FOLD_MAX_DIMS] = {0};
      d[0] = x;
      if (plane->numDims > 1)
        d[plane->numDims - 1] = y;
      if (berthFoldMappingApply(&rows, params, d) == origin)
        fprintf(plane->stream, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>\n",
                placeX(plane, x), placeY(plane, y), cellSize(plane) * 0.4);
    }
}

static void drawTitle(FILE *stream, int x, const char *text) {
  fprintf(stream,
          "<text x=\"%d\" y=\"24\" font-size=\"14\" "
          "font-family=\"sans-serif\">%s</text>\n",
          x, text);
}

static BerthStatus drawDifferences(FILE *stream,
                                   const BerthFoldProblem *problem,
                                   const BerthFoldMapping *mapping,
                                   const int64_t *params, BerthError *error) {
  Plane plane = {.stream = stream, .numDims = mapping->numDims, .reach = 1};
  BerthStatus status = berthFoldForEachDifference(
      problem, mapping, params, takeDifference, &plane, error);
  if (status != BERTH_SUCCESS)
    return status;
  // Some room for rings beyond the dots.
  plane.reach += 2;
  if (plane.reach > MaxReach)
    plane.reach = MaxReach;
  plane.draws = true;
  drawTitle(stream, Margin,
            "differences: live together (dots), one place (rings)");
  fprintf(stream,
          "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" "
          "stroke=\"#999\"/>\n<g fill=\"#245\">\n",
          Margin, Margin, Side, Side);
  status = berthFoldForEachDifference(problem, mapping, params, takeDifference,
                                      &plane, error);
  fputs("</g>\n<g fill=\"none\" stroke=\"#c30\" stroke-width=\"1.5\">\n",
        stream);
  drawLattice(&plane, mapping, params);
  fputs("</g>\n", stream);
  return status;
}

typedef struct Chart {
  FILE *stream;
  const BerthFoldMapping *mapping;
  const int64_t *params;
  int64_t numPlaces;
  uint64_t end; ///< of the last life
  size_t count;
  bool draws; ///< else it finds out the end
} Chart;

static void takeLife(const BerthFoldLife *life, void *userData) {
  Chart *chart = userData;
  if (!chart->draws) {
    chart->end = life->to > chart->end ? life->to : chart->end;
    return;
  }
  int64_t place =
      berthFoldMappingApply(chart->mapping, chart->params, life->cell);
  double step = (double)Side / (double)(chart->end + 1),
         height = (double)Side / (double)chart->numPlaces;
  // Neighbours in time get hues far apart.
  fprintf(chart->stream,
          "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" "
          "fill=\"hsl(%u,55%%,65%%)\"><title>",
          2 * Margin + Side + step * (double)life->from,
          (double)Margin + height * (double)place,
          step * (double)(life->to - life->from), height,
          (unsigned)(chart->count++ * 137 % 360));
  for (size_t d = 0; d < chart->mapping->numDims; ++d)
    fprintf(chart->stream, "%s%" PRId64, d ? ", " : "(", life->cell[d]);
  fprintf(chart->stream, ") at %" PRId64 "</title></rect>\n", place);
}

static BerthStatus drawLives(FILE *stream, const BerthFoldProblem *problem,
                             const BerthFoldMapping *mapping,
                             const int64_t *params, BerthError *error) {
  Chart chart = {.stream = stream,
                 .mapping = mapping,
                 .params = params,
                 .numPlaces = berthFoldMappingSize(mapping, params)};
  BerthStatus status =
      berthFoldForEachLife(problem, params, takeLife, &chart, error);
  if (status != BERTH_SUCCESS)
    return status;
  chart.draws = true;
  char title[100];
  snprintf(title, sizeof title, "%" PRId64 " places over time",
           chart.numPlaces);
  drawTitle(stream, 2 * Margin + Side, title);
  fputs("<g stroke=\"#fff\" stroke-width=\"0.5\">\n", stream);
  status = berthFoldForEachLife(problem, params, takeLife, &chart, error);
  fprintf(stream,
          "</g>\n<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
          "fill=\"none\" stroke=\"#999\"/>\n",
          2 * Margin + Side, Margin, Side, Side);
  return status;
}

BerthStatus toolDrawFold(FILE *stream, bool isPage,
                         const BerthFoldProblem *problem,
                         const BerthFoldMapping *mapping, const int64_t *params,
                         BerthError *error) {
  if (isPage)
    fputs("<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\">"
          "<title>Folded array</title></head><body>\n",
          stream);
  fprintf(stream,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
          "height=\"%d\">\n<rect width=\"100%%\" height=\"100%%\" "
          "fill=\"#fff\"/>\n",
          Width, Side + 2 * Margin);
  BerthStatus status = drawDifferences(stream, problem, mapping, params, error);
  if (status == BERTH_SUCCESS)
    status = drawLives(stream, problem, mapping, params, error);
  fputs("</svg>\n", stream);
  if (isPage)
    fputs("</body></html>\n", stream);
  return status;
}
