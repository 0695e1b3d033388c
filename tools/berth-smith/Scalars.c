//===- Scalars.c - Text, constants, conditions, conversions --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every element type is computed on as i64, so that mixed types need only two
// conversions each. Floats hold small whole numbers: their conversions are
// exact, so that results can be compared exactly.
//
//===----------------------------------------------------------------------===//

#include "Smith.h"

#include <stdarg.h>

void berthSmithLine(BerthSmith *smith, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fprintf(smith->out, "%*s", 2 * smith->indent, "");
  vfprintf(smith->out, format, args);
  fputc('\n', smith->out);
  va_end(args);
}

int berthSmithNewId(BerthSmith *smith) { return smith->nextId++; }

static int constant(BerthSmith *smith, int64_t value, const char *type) {
  int id = berthSmithNewId(smith);
  berthSmithLine(smith, "%%s%d = arith.constant %lld : %s", id,
                 (long long)value, type);
  return id;
}

int berthSmithConstantIndex(BerthSmith *smith, int64_t value) {
  return constant(smith, value, "index");
}

int berthSmithConstantInt(BerthSmith *smith, int64_t value) {
  return constant(smith, value, "i64");
}

static int binary(BerthSmith *smith, const char *op, int a, int b,
                  const char *type) {
  int id = berthSmithNewId(smith);
  berthSmithLine(smith, "%%s%d = arith.%s %%s%d, %%s%d : %s", id, op, a, b,
                 type);
  return id;
}

int berthSmithNext(BerthSmith *smith, int counter) {
  int one = berthSmithConstantIndex(smith, 1);
  return binary(smith, "addi", counter, one, "index");
}

static int convert(BerthSmith *smith, const char *op, int a, const char *from,
                   const char *to) {
  int id = berthSmithNewId(smith);
  berthSmithLine(smith, "%%s%d = arith.%s %%s%d : %s to %s", id, op, a, from,
                 to);
  return id;
}

//===----------------------------------------------------------------------===//
// Conditions and indices
//===----------------------------------------------------------------------===//

/// A visible scalar plus a constant, so that equal scalars still differ.
static int someScalar(BerthSmith *smith) {
  int id =
      smith->scalars[berthRandomBelow(&smith->random, (int)smith->numScalars)];
  int k = berthSmithConstantInt(smith, berthRandomBelow(&smith->random, 7));
  return binary(smith, "addi", id, k, "i64");
}

int berthSmithCondition(BerthSmith *smith) {
  int modulus = 2 + berthRandomBelow(&smith->random, 3);
  int m = berthSmithConstantInt(smith, modulus);
  int rest = binary(smith, "remui", someScalar(smith), m, "i64");
  int bound = 1 + berthRandomBelow(&smith->random, modulus - 1);
  int k = berthSmithConstantInt(smith, bound);
  int id = berthSmithNewId(smith);
  berthSmithLine(smith, "%%s%d = arith.cmpi ult, %%s%d, %%s%d : i64", id, rest,
                 k);
  return id;
}

int berthSmithIndexBelow(BerthSmith *smith, int64_t bound) {
  if (bound == BERTH_SMITH_RUNTIME)
    bound = BERTH_SMITH_LEAST_N;
  int m = berthSmithConstantInt(smith, bound);
  int rest = binary(smith, "remui", someScalar(smith), m, "i64");
  return convert(smith, "index_cast", rest, "i64", "index");
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

static BerthSmithText lanesText(const char *type, int lanes) {
  BerthSmithText out;
  if (lanes)
    snprintf(out.text, sizeof out.text, "vector<%dx%s>", lanes, type);
  else
    snprintf(out.text, sizeof out.text, "%s", type);
  return out;
}

static int splat(BerthSmith *smith, int64_t value, int lanes) {
  if (!lanes)
    return berthSmithConstantInt(smith, value);
  int id = berthSmithNewId(smith);
  berthSmithLine(smith, "%%s%d = arith.constant dense<%lld> : vector<%dxi64>",
                 id, (long long)value, lanes);
  return id;
}

int berthSmithToInt(BerthSmith *smith, int id, BerthElement element,
                    int lanes) {
  static const char *const ops[BERTH_NUM_ELEMENTS] = {
      "extui", "extsi",      "extsi",  "extsi",
      NULL,    "index_cast", "fptosi", "fptosi"};
  if (!ops[element])
    return id;
  return convert(smith, ops[element], id,
                 lanesText(berthElementText(element), lanes).text,
                 lanesText("i64", lanes).text);
}

int berthSmithFromInt(BerthSmith *smith, int id, BerthElement element,
                      int lanes) {
  static const char *const ops[BERTH_NUM_ELEMENTS] = {
      "trunci", "trunci",     "trunci", "trunci",
      NULL,     "index_cast", "sitofp", "sitofp"};
  if (!ops[element])
    return id;
  if (element == BERTH_F32 || element == BERTH_F64)
    id = binary(smith, "andi", id, splat(smith, 0xfffff, lanes),
                lanesText("i64", lanes).text);
  return convert(smith, ops[element], id, lanesText("i64", lanes).text,
                 lanesText(berthElementText(element), lanes).text);
}

int berthSmithMix(BerthSmith *smith, const int *ids, int numIds, int lanes) {
  static const char *const ops[] = {"addi", "subi", "xori"};
  BerthSmithText text = lanesText("i64", lanes);
  const char *type = text.text;
  int result = splat(smith, 1 + berthRandomBelow(&smith->random, 100), lanes);
  for (int i = 0; i < numIds; ++i) {
    int factor =
        splat(smith, 3 + 2 * berthRandomBelow(&smith->random, 5), lanes);
    int term = binary(smith, "muli", ids[i], factor, type);
    result = binary(smith, ops[berthRandomBelow(&smith->random, 3)], result,
                    term, type);
  }
  return result;
}
