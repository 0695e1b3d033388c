//===- Module.c - Functions, calls and the module around them ------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Smith.h"

#include <inttypes.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// The runtime of the programs
//===----------------------------------------------------------------------===//

/// `@observe_<element>_<rank>(memref, site)` prints the site's number and a sum
/// of the elements, each weighted by its place.
static void printObserver(FILE *out, BerthElement element, int rank) {
  BerthSmith smith = {.out = out, .indent = rank + 1};
  const char *type = berthElementText(element);
  bool flat = rank == 1;
  BerthSmithText memref;
  snprintf(memref.text, sizeof memref.text,
           "memref<%sx%s, strided<[%s], offset: ?>>", flat ? "?" : "?x?", type,
           flat ? "?" : "?, ?");
  fprintf(out,
          "func.func private @observe_%s_%d(%%m: %s, %%site: i64) {\n"
          "  %%c0 = arith.constant 0 : index\n"
          "  %%c1 = arith.constant 1 : index\n"
          "  %%zero = arith.constant 0 : i64\n"
          "  %%weight = arith.constant 31 : i64\n"
          "  %%d0 = memref.dim %%m, %%c0 : %s\n",
          type, rank, memref.text, memref.text);
  if (!flat)
    fprintf(out, "  %%d1 = memref.dim %%m, %%c1 : %s\n", memref.text);
  fprintf(out, "  %%total = scf.for %%i = %%c0 to %%d0 step %%c1 "
               "iter_args(%%a = %%zero) -> (i64) {\n");
  if (!flat)
    fprintf(out, "    %%row = scf.for %%j = %%c0 to %%d1 step %%c1 "
                 "iter_args(%%b = %%a) -> (i64) {\n");
  int id = smith.nextId++;
  berthSmithLine(&smith, "%%s%d = memref.load %%m[%s] : %s", id,
                 flat ? "%i" : "%i, %j", memref.text);
  int term = berthSmithToInt(&smith, id, element, 0);
  berthSmithLine(&smith, "%%old = arith.muli %s, %%weight : i64",
                 flat ? "%a" : "%b");
  berthSmithLine(&smith, "%%new = arith.addi %%old, %%s%d : i64", term);
  berthSmithLine(&smith, "scf.yield %%new : i64");
  if (!flat)
    fprintf(out, "    }\n    scf.yield %%row : i64\n");
  fprintf(out, "  }\n"
               "  func.call @printI64(%%site) : (i64) -> ()\n"
               "  func.call @printComma() : () -> ()\n"
               "  func.call @printI64(%%total) : (i64) -> ()\n"
               "  func.call @printNewline() : () -> ()\n"
               "  return\n}\n\n");
}

static void printRuntime(FILE *out, uint64_t features) {
  fprintf(out, "func.func private @printI64(i64)\n"
               "func.func private @printComma()\n"
               "func.func private @printNewline()\n\n");
  if (features & BERTH_SMITH_ADDRESSES)
    fprintf(out, "func.func private @signal(i32, i64) -> i64\n");
  if (features & BERTH_SMITH_HANDLES)
    berthSmithPrintUnseen(out);
  if (features & (BERTH_SMITH_TOKENS | BERTH_SMITH_CALLERS))
    berthSmithPrintGate(out);
  for (int i = 0; i < BERTH_NUM_ELEMENTS; ++i) {
    printObserver(out, (BerthElement)i, 1);
    printObserver(out, (BerthElement)i, 2);
  }
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

void berthSmithBeginFunction(BerthSmith *smith, int budget) {
  smith->nextId = 0;
  smith->indent = 1;
  smith->depth = 0;
  smith->budget = budget;
  smith->multiBlock = smith->atTop = true;
  smith->numValues = smith->numRoots = smith->numScalars = 0;
  smith->current = NULL;
  smith->inHelper = smith->hasWork = false;
}

void berthSmithReturn(BerthSmith *smith) {
  const BerthSmithHelper *helper = smith->current;
  if (!helper || !helper->returnsMemRef) {
    berthSmithFree(smith, 0);
    berthSmithLine(smith, "return");
    return;
  }
  BerthSmithValue value = berthSmithYieldable(smith, helper->params[0]);
  berthSmithFree(smith, 0);
  berthSmithLine(smith, "return %%m%d : %s", value.id,
                 berthSmithTypeText(value.type).text);
}

void berthSmithAddArgument(BerthSmith *smith, const char *name) {
  int id = berthSmithNewId(smith);
  int zero = berthSmithConstantInt(smith, 0);
  berthSmithLine(smith, "%%s%d = arith.addi %%%s, %%s%d : i64", id, name, zero);
  berthSmithAddScalar(smith, id);
}

static void helperTypes(BerthSmith *smith, BerthSmithHelper *helper) {
  helper->params[0] = berthSmithRandomType(&smith->random, false);
  helper->params[1] = berthSmithRandomType(&smith->random, false);
  helper->returnsMemRef = berthRandomChance(&smith->random, 50);
}

static void printHelper(BerthSmith *smith, int number) {
  BerthSmithHelper *helper = &smith->helpers[number];
  helperTypes(smith, helper);
  berthSmithBeginFunction(smith, 8);
  smith->current = helper;
  uint64_t features = smith->features;
  smith->features &= ~(uint64_t)BERTH_SMITH_ALLOCA; // it might be returned
  int first = berthSmithNewId(smith);
  int second = berthSmithNewId(smith);
  BerthSmithText types[] = {berthSmithTypeText(helper->params[0]),
                            berthSmithTypeText(helper->params[1])};
  fprintf(smith->out,
          "func.func private @p%" PRIu64 "_h%d(%%m%d: %s, %%m%d: %s, %%p: i64, "
          "%%n: index)%s%s {\n",
          smith->seed, number, first, types[0].text, second, types[1].text,
          helper->returnsMemRef ? " -> " : "",
          helper->returnsMemRef ? types[0].text : "");
  berthSmithAddArgument(smith, "p");
  berthSmithAddMerge(smith, first, helper->params[0], -1, -1);
  berthSmithAddMerge(smith, second, helper->params[1], -1, -1);
  berthSmithStatements(smith, 6);
  berthSmithReturn(smith);
  fprintf(smith->out, "}\n\n");
  smith->features = features;
}

/// A defined whole value of this very type; allocates one if there is none.
static BerthSmithValue argumentOf(BerthSmith *smith, BerthSmithType type) {
  BerthSmithValue value;
  if (berthSmithPick(smith, berthSmithCarriable, &type, &value))
    return value;
  value = berthSmithNewBuffer(smith, type);
  berthSmithFillValue(smith, value);
  return value;
}

bool berthSmithCall(BerthSmith *smith) {
  if (smith->current || smith->inHelper || !smith->numHelpers)
    return false;
  int number = berthRandomBelow(&smith->random, smith->numHelpers);
  const BerthSmithHelper *helper = &smith->helpers[number];
  BerthSmithValue a = argumentOf(smith, helper->params[0]);
  BerthSmithValue b = argumentOf(smith, helper->params[1]);
  int scalar =
      smith->scalars[berthRandomBelow(&smith->random, (int)smith->numScalars)];
  BerthSmithText types[] = {berthSmithTypeText(a.type),
                            berthSmithTypeText(b.type)};
  BerthSmithText result = {""};
  int id = berthSmithNewId(smith);
  if (helper->returnsMemRef)
    snprintf(result.text, sizeof result.text, "%%m%d = ", id);
  berthSmithLine(smith,
                 "%sfunc.call @p%" PRIu64 "_h%d(%%m%d, %%m%d, %%s%d, %%n) : "
                 "(%s, %s, i64, index) -> %s",
                 result.text, smith->seed, number, a.id, b.id, scalar,
                 types[0].text, types[1].text,
                 helper->returnsMemRef ? types[0].text : "()");
  if (helper->returnsMemRef)
    berthSmithAddMerge(smith, id, a.type, a.root, b.root);
  return true;
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// One program in three or so uses deallocs; the others leave them out.
static uint64_t someFeatures(BerthSmith *smith) {
  uint64_t features = smith->options->features;
  if (berthRandomChance(&smith->random, 60))
    features &= ~(uint64_t)BERTH_SMITH_DEALLOC;
  return features;
}

/// The functions that statements of some features call.
static void printBorders(BerthSmith *smith) {
  if (smith->features & BERTH_SMITH_ADDRESSES)
    berthSmithPrintMaker(smith);
  if (smith->features & BERTH_SMITH_TOKENS)
    berthSmithPrintStarters(smith);
  if (smith->features & BERTH_SMITH_CACHES)
    berthSmithPrintUpdaters(smith);
  if (smith->features & BERTH_SMITH_RECURSION)
    berthSmithPrintAgain(smith);
  if (smith->features & BERTH_SMITH_CALLERS)
    berthSmithPrintBoth(smith);
}

static void printProgram(BerthSmith *smith) {
  smith->random.state = smith->seed * 0x2545f4914f6cdd1du;
  smith->features = someFeatures(smith);
  smith->numObserved = 0;
  smith->numHelpers = 0;
  printBorders(smith);
  if (smith->features & BERTH_SMITH_CALL)
    for (int i = 0; i < BERTH_SMITH_MAX_HELPERS; ++i)
      printHelper(smith, i);
  smith->numHelpers =
      smith->features & BERTH_SMITH_CALL ? BERTH_SMITH_MAX_HELPERS : 0;
  berthSmithBeginFunction(smith, 4 * smith->options->size);
  fprintf(smith->out, "func.func @p%" PRIu64 "(%%p: i64, %%n: index) {\n",
          smith->seed);
  berthSmithAddArgument(smith, "p");
  for (int i = 0; i < 3; ++i)
    berthSmithAlloc(smith);
  berthSmithStatements(smith, smith->options->size);
  for (int i = 0; i < 3; ++i)
    berthSmithObserve(smith);
  berthSmithReturn(smith);
  fprintf(smith->out, "}\n\n");
}

/// Runs each program with several arguments, so that both ways of a condition
/// are taken and run-time sizes differ.
static void printMain(const BerthSmithOptions *options, FILE *out) {
  static const int arguments[][2] = {{0, 8}, {1, 12}, {6, 9}};
  fprintf(out, "func.func @main() {\n");
  for (int i = 0; i < 3; ++i)
    fprintf(out,
            "  %%p%d = arith.constant %d : i64\n"
            "  %%n%d = arith.constant %d : index\n",
            i, arguments[i][0], i, arguments[i][1]);
  for (uint64_t k = 0; k < options->count; ++k)
    for (int i = 0; i < 3; ++i)
      fprintf(out,
              "  vector.print str \"seed %" PRIu64 " run %d\\n\"\n"
              "  call @p%" PRIu64 "(%%p%d, %%n%d) : (i64, index) -> ()\n",
              options->seed + k, i, options->seed + k, i, i);
  fprintf(out, "  return\n}\n");
}

void berthSmithModule(const BerthSmithOptions *options, FILE *out) {
  static BerthSmith smith;
  if (options->levels > 1)
    berthSmithPrintFit(options, out);
  printRuntime(out, options->features);
  for (uint64_t k = 0; k < options->count; ++k) {
    memset(&smith, 0, sizeof smith);
    smith.options = options;
    smith.out = out;
    smith.seed = options->seed + k;
    printProgram(&smith);
  }
  printMain(options, out);
}
