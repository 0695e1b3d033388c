//===- PlanFile.h - Plans of a module, kept in a file --------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The plans of all scopes of a run, an allocation a line, so that they can be
// kept under version control, edited, compared and applied again. docs/plans.md
// has the schema.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IO_JSON_PLANFILE_H
#define BERTH_LIB_IO_JSON_PLANFILE_H

#include "Support/BumpMemory.h"
#include "berth-c/Pack.h"

#include <stdio.h>

/// One allocation.
typedef struct BerthPlanEntry {
  const char *name;     ///< for people
  const char *type;     ///< as printed; NULL: the file does not say
  const char *location; ///< for people: "file:line:column", or NULL
  const char *reason;   ///< why it has no offset; NULL if it has one
  int64_t size;         ///< bytes; BERTH_NONE: the file does not say
  int64_t alignment;    ///< bytes, likewise
  int64_t offset;       ///< BERTH_NONE: it has none
  size_t numSegments;
  const BerthSegment *segments; ///< when it is live, in the program's points
  uint64_t line;                ///< in the file it was read from
} BerthPlanEntry;

/// One arena.
typedef struct BerthPlanScope {
  const char *function; ///< its symbol, or an op and its line
  const char *space;    ///< text of the memory space, or "default"
  int64_t arena;        ///< bytes, or BERTH_NONE
  int64_t alignment;    ///< bytes, or BERTH_NONE
  size_t numEntries;
  BerthPlanEntry *entries; ///< in the order of the program
  uint64_t line;
} BerthPlanScope;

/// Zero-initialise; free with berthPlanFileFree.
typedef struct BerthPlanFile {
  size_t numScopes;
  BerthPlanScope *scopes; ///< in the order of the program
  BerthMemory memory;     ///< all of the above lives here
} BerthPlanFile;

/// Reads a file ("-": standard input) into an empty plan. On failure the plan
/// is empty again, and where the text is to blame the error has line and
/// column.
BerthStatus berthPlanFileRead(const char *path, BerthPlanFile *plan,
                              BerthError *error);

/// Writes it whole or not at all; "-" is standard output.
BerthStatus berthPlanFileWrite(const BerthPlanFile *plan, const char *path,
                               BerthError *error);

/// Tells on `out` what B has that A has not, a line each. Returns the number of
/// differences: of bytes (arenas, sizes, offsets), of live ranges, and of
/// allocations that only one of them has.
size_t berthPlanFileCompare(FILE *out, const BerthPlanFile *a,
                            const BerthPlanFile *b);

void berthPlanFileFree(BerthPlanFile *plan);

#endif // BERTH_LIB_IO_JSON_PLANFILE_H
