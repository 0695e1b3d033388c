//===- Tokens.c - Work that goes on behind its op ------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Such work comes as late as can be: it waits at a gate, which opens right in
// front of where it is awaited, and reads its source only then. So whoever has
// taken its bytes in the meantime is noticed, on any machine. There is one
// gate,
// @gate[0]; @gate[1] tells that the work is done. So work is started one at a
// time, and only by the program itself, not by its functions. Statements in
// between see neither source nor target.
//
//===----------------------------------------------------------------------===//

#include "Smith.h"

#include <inttypes.h>

//===----------------------------------------------------------------------===//
// The gate
//===----------------------------------------------------------------------===//

void berthSmithPrintGate(FILE *out) {
  static const char head[] =
      "func.func private @gate_%s(%%at: index, %%v: i32) {\n"
      "  %%zero = arith.constant 0 : i32\n"
      "  %%g = memref.get_global @gate : memref<3xi32>\n";
  fprintf(out, "memref.global \"private\" @gate : memref<3xi32> = dense<0>\n");
  fprintf(out, head, "set");
  fprintf(out, "  %%old = memref.atomic_rmw assign %%v, %%g[%%at] : (i32, "
               "memref<3xi32>) -> i32\n  return\n}\n");
  fprintf(out, head, "add");
  fprintf(out, "  %%old = memref.atomic_rmw addi %%v, %%g[%%at] : (i32, "
               "memref<3xi32>) -> i32\n  return\n}\n");
  fprintf(out, head, "wait");
  fprintf(out, "  scf.while : () -> () {\n"
               "    %%x = memref.atomic_rmw ori %%zero, %%g[%%at] : (i32, "
               "memref<3xi32>) -> i32\n"
               "    %%c = arith.cmpi ne, %%x, %%v : i32\n"
               "    scf.condition(%%c)\n"
               "  } do {\n"
               "    scf.yield\n"
               "  }\n  return\n}\n\n");
}

void berthSmithGate(BerthSmith *smith, const char *what, int at, int value) {
  int index = berthSmithConstantIndex(smith, at);
  int id = berthSmithNewId(smith);
  berthSmithLine(smith, "%%s%d = arith.constant %d : i32", id, value);
  berthSmithLine(smith, "func.call @gate_%s(%%s%d, %%s%d) : (index, i32) -> ()",
                 what, index, id);
}

//===----------------------------------------------------------------------===//
// The work
//===----------------------------------------------------------------------===//

/// What stands in the body of the work.
static void printWork(BerthSmith *smith, BerthSmithValue to,
                      BerthSmithValue from) {
  ++smith->indent;
  berthSmithGate(smith, "wait", 0, 1);
  berthSmithPrintElements(smith, to, from);
  berthSmithGate(smith, "set", 1, 1);
  --smith->indent;
}

static int printExecute(BerthSmith *smith, BerthSmithValue to,
                        BerthSmithValue from) {
  int token = berthSmithNewId(smith);
  berthSmithLine(smith, "%%s%d = async.execute {", token);
  printWork(smith, to, from);
  berthSmithLine(smith, "  async.yield");
  berthSmithLine(smith, "}");
  return token;
}

/// Functions of a program, all with two rows of `tokenType`: @pN_left starts
/// work on a buffer of its own and forgets it, @pN_start returns its token,
/// @pN_later is an async function, which runs on its caller's thread as far as
/// its first await.
typedef enum Starter { LEFT, START, LATER, NUM_STARTERS } Starter;

static const char *const starters[] = {"left", "start", "later"};

static void printStarter(BerthSmith *smith, Starter which) {
  berthSmithBeginFunction(smith, 8);
  smith->inHelper = true;
  smith->multiBlock = smith->atTop = false;
  BerthSmithText type = berthSmithTypeText(smith->tokenType);
  int from = berthSmithNewId(smith), to = berthSmithNewId(smith);
  fprintf(smith->out, "%s private @p%" PRIu64 "_%s(%%m%d: %s, %%m%d: %s)%s {\n",
          which == LATER ? "async.func" : "func.func", smith->seed,
          starters[which], from, type.text, to, type.text,
          which == LEFT ? "" : " -> !async.token");
  berthSmithAddMerge(smith, from, smith->tokenType, -1, -1);
  berthSmithAddMerge(smith, to, smith->tokenType, -1, -1);
  BerthSmithValue source = smith->values[0], target = smith->values[1];
  if (which == LEFT) {
    source = berthSmithNewBuffer(smith, smith->tokenType);
    berthSmithLine(smith, "memref.copy %%m%d, %%m%d : %s to %s", from,
                   source.id, type.text, type.text);
  }
  int token = printExecute(smith, target, source);
  if (which == LATER)
    berthSmithLine(smith, "async.await %%s%d : !async.token", token);
  if (which == START)
    berthSmithLine(smith, "return %%s%d : !async.token", token);
  else
    berthSmithLine(smith, "return");
  fprintf(smith->out, "}\n\n");
}

void berthSmithPrintStarters(BerthSmith *smith) {
  do
    smith->tokenType = berthSmithRandomType(&smith->random, false);
  while (smith->tokenType.rank != 1);
  for (int i = 0; i < NUM_STARTERS; ++i)
    printStarter(smith, (Starter)i);
}

static int callStarter(BerthSmith *smith, Starter which, BerthSmithValue to,
                       BerthSmithValue from) {
  BerthSmithText type = berthSmithTypeText(from.type), result = {""};
  int token = berthSmithNewId(smith);
  if (which != LEFT)
    snprintf(result.text, sizeof result.text, "%%s%d = ", token);
  berthSmithLine(smith, "%s%s @p%" PRIu64 "_%s(%%m%d, %%m%d) : (%s, %s) -> %s",
                 result.text, which == LATER ? "async.call" : "func.call",
                 smith->seed, starters[which], from.id, to.id, type.text,
                 type.text, which == LEFT ? "()" : "!async.token");
  return token;
}

//===----------------------------------------------------------------------===//
// Ways to wait
//===----------------------------------------------------------------------===//

static bool isSource(const BerthSmith *smith, const BerthSmithValue *value,
                     const void *wanted) {
  const BerthSmithType *type = wanted;
  return berthSmithReadable(smith, *value) && value->whole &&
         !value->type.strided && value->type.rank == 1 &&
         berthSmithIsStatic(value->type) &&
         (!type || berthSmithSameType(value->type, *type));
}

static void await(BerthSmith *smith, int token) {
  berthSmithGate(smith, "set", 0, 1);
  berthSmithLine(smith, "async.await %%s%d : !async.token", token);
}

/// Nobody awaits the token; that the work is done is told by the gate.
static void awaitGate(BerthSmith *smith) {
  berthSmithGate(smith, "set", 0, 1);
  berthSmithGate(smith, "wait", 1, 1);
}

static void awaitInBranches(BerthSmith *smith, int token) {
  berthSmithLine(smith, "scf.if %%s%d {", berthSmithCondition(smith));
  ++smith->indent;
  await(smith, token);
  --smith->indent;
  berthSmithLine(smith, "} else {");
  ++smith->indent;
  await(smith, token);
  --smith->indent;
  berthSmithLine(smith, "}");
}

static int openGroup(BerthSmith *smith, int token) {
  int one = berthSmithConstantIndex(smith, 1);
  int group = berthSmithNewId(smith);
  berthSmithLine(smith, "%%s%d = async.create_group %%s%d : !async.group",
                 group, one);
  berthSmithLine(smith,
                 "%%s%d = async.add_to_group %%s%d, %%s%d : !async.token",
                 berthSmithNewId(smith), token, group);
  return group;
}

static int startWork(BerthSmith *smith, BerthSmithClass way, BerthSmithValue to,
                     BerthSmithValue from) {
  switch (way) {
  case BERTH_SMITH_TOKEN_LEFT:
    return callStarter(smith, LEFT, to, from);
  case BERTH_SMITH_TOKEN_RETURNED:
    return callStarter(smith, START, to, from);
  case BERTH_SMITH_TOKEN_OF_FUNCTION:
    return callStarter(smith, LATER, to, from);
  default:
    return printExecute(smith, to, from);
  }
}

static void awaitWork(BerthSmith *smith, BerthSmithClass way, int token,
                      int group) {
  switch (way) {
  case BERTH_SMITH_TOKEN_NEVER:
  case BERTH_SMITH_TOKEN_LEFT:
    awaitGate(smith);
    return;
  case BERTH_SMITH_TOKEN_IN_BRANCHES:
    awaitInBranches(smith, token);
    return;
  case BERTH_SMITH_TOKEN_IN_GROUP:
    berthSmithGate(smith, "set", 0, 1);
    berthSmithLine(smith, "async.await_all %%s%d", group);
    return;
  default:
    await(smith, token);
  }
}

bool berthSmithToken(BerthSmith *smith) {
  static const BerthSmithClass ways[] = {
      BERTH_SMITH_TOKEN_LATE,        BERTH_SMITH_TOKEN_IN_BRANCHES,
      BERTH_SMITH_TOKEN_IN_GROUP,    BERTH_SMITH_TOKEN_NEVER,
      BERTH_SMITH_TOKEN_LEFT,        BERTH_SMITH_TOKEN_RETURNED,
      BERTH_SMITH_TOKEN_OF_FUNCTION,
  };
  enum { kNumWays = sizeof ways / sizeof ways[0], kOfFunctions = 4 };
  if (smith->current || smith->inHelper || smith->hasWork)
    return false;
  int draw = berthRandomBelow(&smith->random, kNumWays);
  BerthSmithClass way = ways[draw];
  const BerthSmithType *type = draw >= kOfFunctions ? &smith->tokenType : NULL;
  BerthSmithValue from;
  if (!berthSmithPick(smith, isSource, type, &from)) {
    if (!type)
      return false;
    from = berthSmithNewBuffer(smith, *type);
    berthSmithFillValue(smith, from);
  }
  BerthSmithValue to = berthSmithNewBuffer(smith, from.type);
  smith->hasWork = true;
  berthSmithGate(smith, "set", 0, 0);
  berthSmithGate(smith, "set", 1, 0);
  int token = startWork(smith, way, to, from), group = 0;
  if (way == BERTH_SMITH_TOKEN_IN_GROUP)
    group = openGroup(smith, token);
  if (way != BERTH_SMITH_TOKEN_LEFT)
    smith->roots[from.root].resting = true;
  berthSmithMeanwhile(smith);
  awaitWork(smith, way, token, group);
  smith->hasWork = false;
  berthSmithWrote(smith, to);
  berthSmithDraw(smith, way);
  return true;
}

//===----------------------------------------------------------------------===//
// A buffer in a storage
//===----------------------------------------------------------------------===//

bool berthSmithStorage(BerthSmith *smith) {
  BerthSmithValue from;
  if (!berthSmithPick(smith, isSource, NULL, &from))
    return false;
  BerthSmithText type = berthSmithTypeText(from.type);
  int storage = berthSmithNewId(smith);
  berthSmithLine(smith, "%%s%d = async.runtime.create : !async.value<%s>",
                 storage, type.text);
  berthSmithLine(smith, "async.runtime.store %%m%d, %%s%d : !async.value<%s>",
                 from.id, storage, type.text);
  smith->roots[from.root].resting = true;
  berthSmithMeanwhile(smith);
  int id = berthSmithNewId(smith);
  berthSmithLine(smith, "%%m%d = async.runtime.load %%s%d : !async.value<%s>",
                 id, storage, type.text);
  BerthSmithValue to = berthSmithNewBuffer(smith, from.type);
  berthSmithLine(smith, "memref.copy %%m%d, %%m%d : %s to %s", id, to.id,
                 type.text, type.text);
  berthSmithWrote(smith, to);
  berthSmithDraw(smith, BERTH_SMITH_TOKEN_IN_STORAGE);
  return true;
}
