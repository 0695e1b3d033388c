//===- Print.c - Liveness and interference as text ------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Liveness/Print.h"
#include "IR/Scope/Names.h"
#include "mlir-c/BuiltinAttributes.h"

#include <stdio.h>
#include <string.h>

typedef struct Printer {
  BerthText *text;
  const BerthScope *scope;
  const BerthPoints *points;
  MlirAsmState state;
} Printer;

static Printer printerCreate(BerthText *text, const BerthScope *scope,
                             const BerthPoints *points) {
  return (Printer){text, scope, points, berthAsmStateOf(scope->op)};
}

/// "liveness of @f"
static void printTitle(Printer *printer, const char *title) {
  MlirOperation op = printer->scope->op;
  MlirAttribute name = mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString("sym_name"));
  berthTextAppend(printer->text, "%s of ", title);
  if (!mlirAttributeIsNull(name) && mlirAttributeIsAString(name)) {
    MlirStringRef string = mlirStringAttrGetValue(name);
    berthTextAppend(printer->text, "@%.*s", (int)string.length, string.data);
  } else {
    berthTextAppendOp(printer->text, op);
  }
}

static void printHeader(Printer *printer, const char *title) {
  printTitle(printer, title);
  berthTextAppend(printer->text, ": %zu buffer%s, %lld points\n",
                  printer->scope->numBuffers,
                  printer->scope->numBuffers == 1 ? "" : "s",
                  (long long)printer->points->count);
}

static void printName(Printer *printer, const BerthBufferInfo *buffer) {
  berthTextAppendValue(printer->text, buffer->value, printer->state);
}

/// "[3, 9) memref.store at line 4 .. memref.load at line 7"
static void printSegment(Printer *printer, BerthSegment segment) {
  berthTextAppend(printer->text, "[%lld, %lld) ", (long long)segment.lower,
                  (long long)segment.upper);
  berthNameSegment(printer->points, segment, printer->text);
  berthTextAppend(printer->text, "\n");
}

static void printBuffer(Printer *printer, const BerthBufferInfo *buffer) {
  berthTextAppend(printer->text, "  ");
  printName(printer, buffer);
  berthTextAppend(printer->text, " = ");
  berthTextAppendOp(printer->text, buffer->alloc);
  berthTextAppend(printer->text, ", ");
  berthTextAppendType(printer->text, mlirValueGetType(buffer->value));
  if (buffer->reason) {
    berthTextAppend(printer->text, "\n    not placed: %s (", buffer->reason);
    MlirOperation at = mlirOperationIsNull(buffer->reasonAt) ? buffer->alloc
                                                             : buffer->reasonAt;
    berthTextAppendOp(printer->text, at);
    berthTextAppend(printer->text, ")\n");
    return;
  }
  if (buffer->isDynamic)
    berthTextAppend(printer->text, ", size known at run time\n");
  else
    berthTextAppend(printer->text, ", %lld bytes%s\n", (long long)buffer->size,
                    buffer->isBounded ? " at most" : "");
  for (size_t i = 0; i < buffer->numSegments; ++i) {
    berthTextAppend(printer->text, "    ");
    printSegment(printer, buffer->segments[i]);
  }
}

void berthPrintLiveness(BerthText *text, const BerthScope *scope,
                        const BerthPoints *points) {
  Printer printer = printerCreate(text, scope, points);
  printHeader(&printer, "liveness");
  for (size_t i = 0; i < scope->numBuffers; ++i)
    printBuffer(&printer, &scope->buffers[i]);
  mlirAsmStateDestroy(printer.state);
}

/// The first range that both buffers share at or after segments i and j; false
/// if there is none. Leaves i and j where the search may go on.
static bool nextCommonRange(const BerthBufferInfo *a, const BerthBufferInfo *b,
                            size_t *i, size_t *j, BerthSegment *common) {
  while (*i < a->numSegments && *j < b->numSegments) {
    BerthSegment left = a->segments[*i], right = b->segments[*j];
    common->lower = left.lower > right.lower ? left.lower : right.lower;
    common->upper = left.upper < right.upper ? left.upper : right.upper;
    if (left.upper <= right.upper)
      ++*i;
    else
      ++*j;
    if (common->lower < common->upper)
      return true;
  }
  return false;
}

static void printPair(Printer *printer, const BerthBufferInfo *a,
                      const BerthBufferInfo *b, BerthSegment common) {
  berthTextAppend(printer->text, "  ");
  printName(printer, a);
  berthTextAppend(printer->text, " and ");
  printName(printer, b);
  berthTextAppend(printer->text, ": both live in ");
  printSegment(printer, common);
}

void berthPrintInterference(BerthText *text, const BerthScope *scope,
                            const BerthPoints *points) {
  Printer printer = printerCreate(text, scope, points);
  printHeader(&printer, "interference");
  for (size_t i = 0; i < scope->numBuffers; ++i)
    for (size_t j = i + 1; j < scope->numBuffers; ++j) {
      const BerthBufferInfo *a = &scope->buffers[i], *b = &scope->buffers[j];
      size_t k = 0, l = 0;
      BerthSegment common;
      if (!a->reason && !b->reason && nextCommonRange(a, b, &k, &l, &common))
        printPair(&printer, a, b, common);
    }
  mlirAsmStateDestroy(printer.state);
}

/// The accesses of a buffer that bound its content around a range: the last
/// one before it and the first one after its start, in the order of the code.
static void explainBuffer(Printer *printer, const BerthBufferInfo *buffer,
                          BerthSegment common) {
  berthTextAppend(printer->text, "      ");
  printName(printer, buffer);
  berthTextAppend(printer->text, ":");
  if (buffer->leaks) {
    berthTextAppend(printer->text, " its pointer got away at ");
    berthTextAppendOp(printer->text, buffer->leaksAt);
  }
  for (size_t i = 0; i < buffer->numAccesses; ++i) {
    const BerthAccess *access = &buffer->accesses[i];
    bool isLast = access->lower <= common.lower &&
                  (i + 1 == buffer->numAccesses ||
                   buffer->accesses[i + 1].lower > common.lower);
    bool isNext = access->lower >= common.lower &&
                  (i == 0 || buffer->accesses[i - 1].lower < common.lower);
    if (!isLast && !isNext)
      continue;
    berthTextAppend(printer->text, " %s%s by ", access->reads ? "read" : "",
                    access->writes ? (access->reads ? "+written" : "written")
                                   : "");
    berthTextAppendOp(printer->text, access->op);
    berthTextAppend(printer->text, ";");
  }
  berthTextAppend(printer->text, "\n");
}

static void explainPair(BerthText *text, const BerthScope *scope,
                        const BerthPoints *points, size_t first,
                        size_t second) {
  Printer printer = printerCreate(text, scope, points);
  const BerthBufferInfo *a = &scope->buffers[first];
  const BerthBufferInfo *b = &scope->buffers[second];
  berthTextAppend(text, "  ");
  printName(&printer, a);
  berthTextAppend(text, " and ");
  printName(&printer, b);
  size_t i = 0, j = 0;
  BerthSegment common;
  bool isShared = false;
  while (nextCommonRange(a, b, &i, &j, &common)) {
    berthTextAppend(text, isShared ? "    and in " : " are both live in\n    ");
    isShared = true;
    printSegment(&printer, common);
    explainBuffer(&printer, a, common);
    explainBuffer(&printer, b, common);
  }
  if (!isShared)
    berthTextAppend(text, " are never live together\n");
  mlirAsmStateDestroy(printer.state);
}

/// The first buffer whose SSA name is `name`; SIZE_MAX if there is none.
static size_t findByName(const Printer *printer, const char *name,
                         size_t length) {
  size_t found = SIZE_MAX;
  for (size_t i = 0; i < printer->scope->numBuffers && found == SIZE_MAX; ++i) {
    BerthText text = {0};
    berthTextAppendValue(&text, printer->scope->buffers[i].value,
                         printer->state);
    if (text.length == length && memcmp(text.data, name, length) == 0)
      found = i;
    berthTextFree(&text);
  }
  return found;
}

/// The names as MLIR prints them are not those of the file, so they are told.
static void printNoSuchNames(Printer *printer, const char *names) {
  enum { kMostNames = 20 };
  const BerthScope *scope = printer->scope;
  printTitle(printer, "explain");
  berthTextAppend(printer->text, ": no two allocations are called '%s'", names);
  for (size_t i = 0; i < scope->numBuffers && i < kMostNames; ++i) {
    berthTextAppend(printer->text, i ? ", " : "; there are ");
    printName(printer, &scope->buffers[i]);
    berthTextAppend(printer->text, " = ");
    berthTextAppendOp(printer->text, scope->buffers[i].alloc);
  }
  bool isCut = scope->numBuffers > kMostNames;
  berthTextAppend(printer->text, isCut ? ", ...\n" : "\n");
}

/// False if there are no two of these names.
static bool explainByName(BerthText *text, const BerthScope *scope,
                          const BerthPoints *points, const char *names) {
  Printer printer = printerCreate(text, scope, points);
  size_t length = strcspn(names, ",");
  const char *other = names[length] ? names + length + 1 : "";
  size_t first = findByName(&printer, names, length);
  size_t second = findByName(&printer, other, strlen(other));
  mlirAsmStateDestroy(printer.state);
  bool found = first != SIZE_MAX && second != SIZE_MAX;
  if (found)
    explainPair(text, scope, points, first, second);
  return found;
}

static void say(BerthText *text) {
  fwrite(text->data, 1, text->length, stderr);
  berthTextFree(text);
}

void berthSayNames(const BerthJob *job) {
  BerthText text = {0};
  Printer printer = printerCreate(&text, &job->scope, &job->points);
  printNoSuchNames(&printer, job->options->explain);
  mlirAsmStateDestroy(printer.state);
  say(&text);
}

void berthExplain(BerthJob *job) {
  if (!job->options->explain)
    return;
  BerthText text = {0};
  job->isExplained =
      explainByName(&text, &job->scope, &job->points, job->options->explain);
  say(&text);
  // Of a whole module it is enough that one scope has the names.
  if (!job->isExplained && !job->options->onModule)
    berthSayNames(job);
}
