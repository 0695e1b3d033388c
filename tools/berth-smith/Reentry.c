//===- Reentry.c - Functions that run twice at a time --------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Smith.h"

#include <inttypes.h>

/// @pN_again(p, n, k) calls itself by its address while k is more than 0, and
/// then looks at what it has made before.
void berthSmithPrintAgain(BerthSmith *smith) {
  berthSmithBeginFunction(smith, 8);
  smith->inHelper = true;
  smith->multiBlock = smith->atTop = false;
  fprintf(smith->out,
          "func.func private @p%" PRIu64 "_again(%%p: i64, %%n: index, %%k: "
          "i64) {\n",
          smith->seed);
  berthSmithAddArgument(smith, "p");
  berthSmithAddArgument(smith, "k");
  for (int i = 0; i < 2; ++i) {
    berthSmithAlloc(smith);
    berthSmithFillValue(smith, smith->values[smith->numValues - 1]);
    berthSmithStore(smith);
  }
  berthSmithStatements(smith, 2);
  int zero = berthSmithConstantInt(smith, 0), more = berthSmithNewId(smith);
  berthSmithLine(smith, "%%s%d = arith.cmpi sgt, %%k, %%s%d : i64", more, zero);
  berthSmithLine(smith, "scf.if %%s%d {", more);
  ++smith->indent;
  int one = berthSmithConstantInt(smith, 1);
  berthSmithLine(smith, "%%less = arith.subi %%k, %%s%d : i64", one);
  berthSmithLine(smith,
                 "%%f = func.constant @p%" PRIu64 "_again : (i64, index, i64) "
                 "-> ()",
                 smith->seed);
  berthSmithLine(smith, "func.call_indirect %%f(%%p, %%n, %%less) : (i64, "
                        "index, i64) -> ()");
  --smith->indent;
  berthSmithLine(smith, "}");
  for (int i = 0; i < 3; ++i)
    berthSmithObserve(smith);
  berthSmithFree(smith, 0);
  berthSmithLine(smith, "return");
  fprintf(smith->out, "}\n\n");
}

/// @pN_both(p) writes p, waits until two have come that far, and returns what
/// it reads.
void berthSmithPrintBoth(BerthSmith *smith) {
  berthSmithBeginFunction(smith, 8);
  fprintf(smith->out,
          "func.func private @p%" PRIu64 "_both(%%p: i64) -> i64 {\n",
          smith->seed);
  berthSmithAddArgument(smith, "p");
  BerthSmithType type = {.element = BERTH_I64, .rank = 1, .shape = {4, 0}};
  const char *text = "memref<4xi64>";
  int id = berthSmithNewBuffer(smith, type).id;
  int at = berthSmithConstantIndex(smith, berthRandomBelow(&smith->random, 4));
  int result = berthSmithNewId(smith);
  berthSmithLine(smith, "memref.store %%p, %%m%d[%%s%d] : %s", id, at, text);
  berthSmithGate(smith, "add", 2, 1);
  berthSmithGate(smith, "wait", 2, 2);
  berthSmithLine(smith, "%%s%d = memref.load %%m%d[%%s%d] : %s", result, id, at,
                 text);
  berthSmithLine(smith, "return %%s%d : i64", result);
  fprintf(smith->out, "}\n\n");
}

static int someScalar(BerthSmith *smith) {
  return smith
      ->scalars[berthRandomBelow(&smith->random, (int)smith->numScalars)];
}

bool berthSmithCallAgain(BerthSmith *smith) {
  if (smith->current || smith->inHelper)
    return false;
  int times =
      berthSmithConstantInt(smith, 1 + berthRandomBelow(&smith->random, 2));
  berthSmithLine(smith,
                 "func.call @p%" PRIu64 "_again(%%s%d, %%n, %%s%d) : (i64, "
                 "index, i64) -> ()",
                 smith->seed, someScalar(smith), times);
  berthSmithDraw(smith, BERTH_SMITH_CALLS_ITSELF);
  return true;
}

/// One caller is another thread, so they need no more than one.
bool berthSmithTwoCallers(BerthSmith *smith) {
  if (smith->current || smith->inHelper || smith->hasWork)
    return false;
  berthSmithGate(smith, "set", 2, 0);
  int scalar = someScalar(smith), other = berthSmithNewId(smith);
  int one = berthSmithConstantInt(smith, 1), value = berthSmithNewId(smith);
  int mine = berthSmithNewId(smith), theirs = berthSmithNewId(smith);
  berthSmithLine(smith, "%%s%d = arith.addi %%s%d, %%s%d : i64", other, scalar,
                 one);
  berthSmithLine(smith,
                 "%%token%d, %%s%d = async.execute -> !async.value<i64> {",
                 value, value);
  berthSmithLine(smith,
                 "  %%x%d = func.call @p%" PRIu64 "_both(%%s%d) : (i64) -> i64",
                 value, smith->seed, other);
  berthSmithLine(smith, "  async.yield %%x%d : i64", value);
  berthSmithLine(smith, "}");
  berthSmithLine(smith,
                 "%%s%d = func.call @p%" PRIu64 "_both(%%s%d) : (i64) -> i64",
                 mine, smith->seed, scalar);
  berthSmithLine(smith, "%%s%d = async.await %%s%d : !async.value<i64>", theirs,
                 value);
  berthSmithObserveScalar(smith, mine);
  berthSmithObserveScalar(smith, theirs);
  berthSmithDraw(smith, BERTH_SMITH_TWO_CALLERS);
  return true;
}
