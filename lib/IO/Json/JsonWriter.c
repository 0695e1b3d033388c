//===- JsonWriter.c - Problem and plan to JSON ---------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// One buffer, edge, cut or pool a line, fields in the schema's order, fields
// that hold their default left out. References are indices: ids need not be
// unique for cuts and pools.
//
//===---------------------------------------------------------------------===//

#include "IO/Text/Bound.h"
#include "IO/Text/Escape.h"
#include "IO/Text/Words.h"
#include "IO/Text/Written.h"
#include "berth-c/IO.h"

#include <inttypes.h>

/// Writes what separates element `index` from the one before it.
static void separate(FILE *stream, size_t index, const char *separator) {
  if (index > 0)
    fputs(separator, stream);
}

static void writePair(FILE *stream, int64_t first, int64_t second) {
  fprintf(stream, "[%" PRId64 ", %" PRId64 "]", first, second);
}

static void writeRanges(FILE *stream, const BerthRange *ranges, size_t count) {
  fputc('[', stream);
  for (size_t i = 0; i < count; ++i) {
    separate(stream, i, ", ");
    writePair(stream, ranges[i].lower, ranges[i].upper);
  }
  fputc(']', stream);
}

/// Writes a field unless it holds its default.
static void writeField(FILE *stream, const char *name, int64_t value,
                       int64_t defaultValue) {
  if (value != defaultValue)
    fprintf(stream, ", \"%s\": %" PRId64, name, value);
}

static void writeLife(FILE *stream, const BerthBuffer *buffer) {
  if (buffer->numSegments == 1) {
    fprintf(stream, ", \"lower\": %" PRId64 ", \"upper\": %" PRId64,
            buffer->segments[0].lower, buffer->segments[0].upper);
    return;
  }
  fputs(", \"segments\": [", stream);
  for (size_t i = 0; i < buffer->numSegments; ++i) {
    separate(stream, i, ", ");
    writePair(stream, buffer->segments[i].lower, buffer->segments[i].upper);
  }
  fputc(']', stream);
}

static void writeGaps(FILE *stream, const BerthBuffer *buffer) {
  if (buffer->numGaps == 0)
    return;
  fputs(", \"gaps\": [", stream);
  for (size_t i = 0; i < buffer->numGaps; ++i) {
    const BerthGap *gap = &buffer->gaps[i];
    separate(stream, i, ", ");
    fprintf(stream,
            "{\"lower\": %" PRId64 ", \"upper\": %" PRId64 ", \"window\": ",
            gap->lower, gap->upper);
    writePair(stream, gap->windowLower, gap->windowUpper);
    fputc('}', stream);
  }
  fputc(']', stream);
}

static void writeUses(FILE *stream, const BerthBuffer *buffer) {
  if (buffer->numUses == 0)
    return;
  fputs(", \"uses\": [", stream);
  for (size_t i = 0; i < buffer->numUses; ++i) {
    const BerthBufferUse *use = &buffer->uses[i];
    separate(stream, i, ", ");
    fprintf(stream, "{\"lower\": %" PRId64 ", \"upper\": %" PRId64, use->lower,
            use->upper);
    if (use->kind != BERTH_USE_READ)
      fprintf(stream, ", \"kind\": \"%s\"", berthUseKindName((int)use->kind));
    writeField(stream, "bytes", use->bytes, 0);
    writeField(stream, "make", use->make, 0);
    writeField(stream, "tile", use->tile, 0);
    writeField(stream, "slices", use->slices, 0);
    fputc('}', stream);
  }
  fputc(']', stream);
}

static void writePoolMask(FILE *stream, uint64_t mask) {
  if (mask == 0)
    return;
  const char *separator = "";
  fputs(", \"pools\": [", stream);
  for (unsigned pool = 0; pool < 64; ++pool) {
    if (!(mask >> pool & 1))
      continue;
    fprintf(stream, "%s%u", separator, pool);
    separator = ", ";
  }
  fputc(']', stream);
}

static void writeBuffer(FILE *stream, const BerthBuffer *buffer) {
  fputc('{', stream);
  if (buffer->id) {
    fputs("\"id\": ", stream);
    berthWriteJsonString(stream, buffer->id);
    fputs(", ", stream);
  }
  fprintf(stream, "\"size\": %" PRId64, buffer->size);
  writeLife(stream, buffer);
  writeGaps(stream, buffer);
  writeField(stream, "alignment", buffer->alignment, 1);
  writeField(stream, "fixed", buffer->fixedOffset, BERTH_NONE);
  writeField(stream, "hint", buffer->hint, BERTH_NONE);
  writeField(stream, "weight", buffer->weight, 1);
  writeField(stream, "group", buffer->group, BERTH_NONE);
  writePoolMask(stream, buffer->pools);
  writeUses(stream, buffer);
  if (buffer->backed)
    fputs(", \"backed\": true", stream);
  fputc('}', stream);
}

static void writeIndices(FILE *stream, const uint32_t *indices, size_t count) {
  fputc('[', stream);
  for (size_t i = 0; i < count; ++i) {
    separate(stream, i, ", ");
    fprintf(stream, "%" PRIu32, indices[i]);
  }
  fputc(']', stream);
}

static void writeEdge(FILE *stream, const BerthEdge *edge) {
  fprintf(stream, "{\"between\": [%" PRIu32 ", %" PRIu32 "]", edge->first,
          edge->second);
  if (edge->numAlternatives > 0) {
    fputs(", \"unless\": [", stream);
    for (size_t i = 0; i < edge->numAlternatives; ++i) {
      separate(stream, i, ", ");
      writeIndices(stream, edge->alternatives[i].cuts,
                   edge->alternatives[i].numCuts);
    }
    fputc(']', stream);
  }
  fputc('}', stream);
}

static void writeDistance(FILE *stream, const BerthDistance *distance) {
  fprintf(stream,
          "{\"between\": [%" PRIu32 ", %" PRIu32 "], \"lower\": %" PRId64
          ", \"upper\": %" PRId64 "}",
          distance->first, distance->second, distance->lower, distance->upper);
}

static void writeCut(FILE *stream, const BerthCut *cut) {
  fputc('{', stream);
  if (cut->id) {
    fputs("\"id\": ", stream);
    berthWriteJsonString(stream, cut->id);
    fputs(", ", stream);
  }
  fprintf(stream, "\"price\": %" PRId64 "}", cut->price);
}

static void writePool(FILE *stream, const BerthPool *pool) {
  fputc('{', stream);
  if (pool->id) {
    fputs("\"id\": ", stream);
    berthWriteJsonString(stream, pool->id);
    fputs(", ", stream);
  }
  fprintf(stream, "\"capacity\": %" PRId64, pool->capacity);
  writeField(stream, "cost", pool->cost, 0);
  if (pool->numReserved > 0) {
    fputs(", \"reserved\": ", stream);
    writeRanges(stream, pool->reserved, pool->numReserved);
  }
  fputc('}', stream);
}

//===---------------------------------------------------------------------===//
// Plan
//===---------------------------------------------------------------------===//

static void writeLevels(FILE *stream, uint32_t levels) {
  const char *separator = "";
  fputs(",\n    \"proven\": [", stream);
  for (int i = 0; i < 4; ++i) {
    if (!(levels >> i & 1))
      continue;
    fprintf(stream, "%s\"%s\"", separator, berthLevelName(i));
    separator = ", ";
  }
  fputc(']', stream);
}

static void writePlanFigure(FILE *stream, const char *name, int64_t value) {
  fprintf(stream, ",\n    \"%s\": %" PRId64, name, value);
}

static void writeOffsets(FILE *stream, const BerthPlan *plan) {
  fputs(",\n    \"offsets\": [", stream);
  for (size_t i = 0; i < plan->numBuffers; ++i) {
    separate(stream, i, ", ");
    fprintf(stream, "%" PRId64, plan->offsets[i]);
  }
  fputc(']', stream);
}

static void writeCutsBought(FILE *stream, const BerthPlan *plan) {
  const char *separator = "";
  fputs(",\n    \"cuts\": [", stream);
  for (size_t i = 0; i < plan->numCuts; ++i) {
    if (!plan->cutsBought[i])
      continue;
    fprintf(stream, "%s%zu", separator, i);
    separator = ", ";
  }
  fputc(']', stream);
}

static void writeConflict(FILE *stream, const BerthPlan *plan) {
  fputs(",\n    \"conflict\": ", stream);
  writeIndices(stream, plan->conflict, plan->numConflict);
  fprintf(stream, ",\n    \"conflict_irreducible\": %s",
          plan->conflictIrreducible ? "true" : "false");
}

static void writePlan(FILE *stream, const BerthProblemData *problem,
                      const BerthPlan *plan) {
  fputs(",\n  \"plan\": {\n    \"packer\": ", stream);
  berthWriteJsonString(stream, plan->packer ? plan->packer : "");
  fprintf(stream, ",\n    \"status\": \"%s\",\n    \"stopped\": \"%s\"",
          berthPlanStatusName(plan->status),
          berthStopReasonName(plan->stopped));
  writeLevels(stream, plan->provenLevels);
  writePlanFigure(stream, "peak", plan->peak);
  writePlanFigure(stream, "load", plan->load);
  writePlanFigure(stream, "lower_bound", plan->lowerBound);
  fputs(",\n    \"bound\": ", stream);
  berthWriteBound(stream, plan);
  writePlanFigure(stream, "price", plan->price);
  writePlanFigure(stream, "pool_cost", plan->poolCost);
  writePlanFigure(stream, "hint_distance", plan->hintDistance);
  fprintf(stream, ",\n    \"steps\": %" PRIu64, plan->steps);
  writeOffsets(stream, plan);
  if (problem->numPools > 0) {
    fputs(",\n    \"pools\": ", stream);
    writeIndices(stream, plan->pools, plan->numBuffers);
  }
  if (plan->numCuts > 0)
    writeCutsBought(stream, plan);
  if (plan->numConflict > 0)
    writeConflict(stream, plan);
  fputs("\n  }", stream);
}

//===---------------------------------------------------------------------===//
// The document
//===---------------------------------------------------------------------===//

/// Starts a top-level array; the caller writes `count` elements, each after
/// startElement, and closes it.
static void startArray(FILE *stream, const char *name) {
  fprintf(stream, ",\n  \"%s\": [", name);
}

static void startElement(FILE *stream, size_t index) {
  fputs(index > 0 ? ",\n    " : "\n    ", stream);
}

static void endArray(FILE *stream, size_t count) {
  fputs(count > 0 ? "\n  ]" : "]", stream);
}

static void writeSurroundings(FILE *stream, const BerthProblemData *problem) {
  if (problem->capacity > 0)
    fprintf(stream, ",\n  \"capacity\": %" PRId64, problem->capacity);
  if (problem->numReserved > 0) {
    fputs(",\n  \"reserved\": ", stream);
    writeRanges(stream, problem->reserved, problem->numReserved);
  }
  if (problem->numPools > 0) {
    startArray(stream, "pools");
    for (size_t i = 0; i < problem->numPools; ++i) {
      startElement(stream, i);
      writePool(stream, &problem->pools[i]);
    }
    endArray(stream, problem->numPools);
  }
}

//===---------------------------------------------------------------------===//
// Fit
//===---------------------------------------------------------------------===//

static void writeStay(FILE *stream, const BerthStay *stay) {
  fprintf(stream,
          "{\"buffer\": %" PRIu32 ", \"lower\": %" PRId64
          ", \"upper\": %" PRId64 ", \"offset\": %" PRId64,
          stay->buffer, stay->lower, stay->upper, stay->offset);
  fputs(stay->filled ? ", \"fill\": true" : "", stream);
  fputs(stay->made ? ", \"made\": true" : "", stream);
  fputs(stay->tiled ? ", \"tiled\": true" : "", stream);
  fputs(stay->spilled ? ", \"spill\": true}" : "}", stream);
}

static void writeFit(FILE *stream, const BerthFitOptions *options,
                     const BerthFitPlan *fit) {
  fprintf(stream, ",\n  \"fit\": {\n    \"status\": \"%s\"",
          berthPlanStatusName(fit->status));
  writePlanFigure(stream, "fill", options->fill ? options->fill : 1);
  writePlanFigure(stream, "spill", options->spill ? options->spill : 1);
  writePlanFigure(stream, "access", options->access);
  if (options->move)
    writePlanFigure(stream, "move", options->move);
  writePlanFigure(stream, "cost", fit->cost);
  writePlanFigure(stream, "cost_bound", fit->costBound);
  writePlanFigure(stream, "bytes_in", fit->bytesIn);
  writePlanFigure(stream, "bytes_out", fit->bytesOut);
  writePlanFigure(stream, "bytes_accessed", fit->bytesAccessed);
  writePlanFigure(stream, "bytes_made", fit->bytesMade);
  writePlanFigure(stream, "peak", fit->peak);
  writePlanFigure(stream, "peak_bound", fit->peakBound);
  fputs(",\n    \"stays\": [", stream);
  for (size_t i = 0; i < fit->numStays; ++i) {
    fputs(i > 0 ? ",\n      " : "\n      ", stream);
    writeStay(stream, &fit->stays[i]);
  }
  fputs(fit->numStays > 0 ? "\n    ]\n  }" : "]\n  }", stream);
}

//===---------------------------------------------------------------------===//
// Elements
//===---------------------------------------------------------------------===//

static void writeElements(FILE *stream, const BerthProblemData *problem) {
  startArray(stream, "buffers");
  for (size_t i = 0; i < problem->numBuffers; ++i) {
    startElement(stream, i);
    writeBuffer(stream, &problem->buffers[i]);
  }
  endArray(stream, problem->numBuffers);
  if (problem->numCuts > 0) {
    startArray(stream, "cuts");
    for (size_t i = 0; i < problem->numCuts; ++i) {
      startElement(stream, i);
      writeCut(stream, &problem->cuts[i]);
    }
    endArray(stream, problem->numCuts);
  }
  if (problem->numEdges > 0) {
    startArray(stream, "edges");
    for (size_t i = 0; i < problem->numEdges; ++i) {
      startElement(stream, i);
      writeEdge(stream, &problem->edges[i]);
    }
    endArray(stream, problem->numEdges);
  }
  if (problem->numDistances > 0) {
    startArray(stream, "distances");
    for (size_t i = 0; i < problem->numDistances; ++i) {
      startElement(stream, i);
      writeDistance(stream, &problem->distances[i]);
    }
    endArray(stream, problem->numDistances);
  }
}

static void startDocument(FILE *stream, const BerthProblemData *problem) {
  fputs("{\n  \"berth\": 1", stream);
  writeSurroundings(stream, problem);
  writeElements(stream, problem);
}

static BerthStatus endDocument(FILE *stream, BerthError *error) {
  fputs("\n}\n", stream);
  return berthCheckWritten(stream, "JSON", error);
}

BerthStatus berthWriteJson(FILE *stream, const BerthProblemData *problem,
                           const BerthPlan *plan, BerthError *error) {
  startDocument(stream, problem);
  if (plan)
    writePlan(stream, problem, plan);
  return endDocument(stream, error);
}

BerthStatus berthWriteFitJson(FILE *stream, const BerthProblemData *problem,
                              const BerthFitOptions *options,
                              const BerthFitPlan *fit, BerthError *error) {
  startDocument(stream, problem);
  writeFit(stream, options, fit);
  return endDocument(stream, error);
}
