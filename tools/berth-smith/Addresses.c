//===- Addresses.c - Addresses that are numbers for a while --------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An address is an i64, `%s<id>`, of a whole buffer of a known type. The memory
// is never freed while one is in use.
//
//===----------------------------------------------------------------------===//

#include "Smith.h"

#include <inttypes.h>

//===----------------------------------------------------------------------===//
// Taking and using one
//===----------------------------------------------------------------------===//

static int bytesOf(BerthElement element) {
  static const int bytes[BERTH_NUM_ELEMENTS] = {1, 1, 2, 4, 8, 8, 4, 8};
  return bytes[element];
}

/// LLVM has no index.
static BerthElement loadedElement(BerthElement element) {
  return element == BERTH_INDEX ? BERTH_I64 : element;
}

int berthSmithAddressOf(BerthSmith *smith, BerthSmithValue value) {
  int id = berthSmithNewId(smith);
  berthSmithLine(smith,
                 "%%s%d = memref.extract_aligned_pointer_as_index %%m%d : %s "
                 "-> index",
                 id, value.id, berthSmithTypeText(value.type).text);
  return berthSmithToInt(smith, id, BERTH_INDEX, 0);
}

static int addTo(BerthSmith *smith, int address, int offset) {
  int id = berthSmithNewId(smith);
  berthSmithLine(smith, "%%s%d = arith.addi %%s%d, %%s%d : i64", id, address,
                 offset);
  return id;
}

static int pointerOf(BerthSmith *smith, int address) {
  int id = berthSmithNewId(smith);
  berthSmithLine(smith, "%%s%d = llvm.inttoptr %%s%d : i64 to !llvm.ptr", id,
                 address);
  return id;
}

/// `%s<id>`: a pointer to some element of a buffer of this type.
static int someElement(BerthSmith *smith, int address, BerthSmithType type) {
  int index = berthSmithIndexBelow(smith, berthSmithCount(type));
  int at = berthSmithToInt(smith, index, BERTH_INDEX, 0);
  int size = berthSmithConstantInt(smith, bytesOf(type.element));
  int offset = berthSmithNewId(smith);
  berthSmithLine(smith, "%%s%d = arith.muli %%s%d, %%s%d : i64", offset, at,
                 size);
  return pointerOf(smith, addTo(smith, address, offset));
}

void berthSmithReadAddress(BerthSmith *smith, int address,
                           BerthSmithType type) {
  BerthElement element = loadedElement(type.element);
  int pointer = someElement(smith, address, type);
  int id = berthSmithNewId(smith);
  berthSmithLine(smith, "%%s%d = llvm.load %%s%d : !llvm.ptr -> %s", id,
                 pointer, berthElementText(element));
  int number = berthSmithToInt(smith, id, element, 0);
  berthSmithObserveScalar(smith, number);
  berthSmithAddScalar(smith, number);
}

static void writeAddress(BerthSmith *smith, int address, BerthSmithType type) {
  BerthElement element = loadedElement(type.element);
  int scalar =
      smith->scalars[berthRandomBelow(&smith->random, (int)smith->numScalars)];
  int number = berthSmithFromInt(smith, scalar, element, 0);
  int pointer = someElement(smith, address, type);
  berthSmithLine(smith, "llvm.store %%s%d, %%s%d : %s, !llvm.ptr", number,
                 pointer, berthElementText(element));
}

static void useAddress(BerthSmith *smith, int address, BerthSmithType type) {
  if (berthRandomChance(&smith->random, 40))
    writeAddress(smith, address, type);
  berthSmithReadAddress(smith, address, type);
}

/// A new buffer, all of it written, and one element anew, so that instances
/// differ. It is never freed.
static BerthSmithValue newInstance(BerthSmith *smith, BerthSmithType type,
                                   int scalar) {
  BerthSmithValue value = berthSmithNewBuffer(smith, type);
  berthSmithFillValue(smith, value);
  berthSmithEscape(smith, value.root);
  int number = berthSmithFromInt(smith, scalar, type.element, 0);
  int zero = berthSmithConstantIndex(smith, 0);
  BerthSmithText at;
  snprintf(at.text, sizeof at.text, type.rank == 1 ? "%%s%d" : "%%s%d, %%s%d",
           zero, zero);
  berthSmithLine(smith, "memref.store %%s%d, %%m%d[%s] : %s", number, value.id,
                 at.text, berthSmithTypeText(type).text);
  return value;
}

static bool isPlain(const BerthSmith *smith, const BerthSmithValue *value,
                    const void *wanted) {
  (void)wanted;
  return berthSmithReadable(smith, *value) && value->whole &&
         !value->type.strided && berthSmithIsStatic(value->type);
}

//===----------------------------------------------------------------------===//
// In something else
//===----------------------------------------------------------------------===//

typedef enum Hiding {
  IN_NOTHING,
  IN_VECTOR,
  IN_STRUCT,
  IN_SLOT,
  IN_BRANCH,
  NUM_HIDINGS
} Hiding;

static const char structType[] = "!llvm.struct<(i64, ptr)>";

/// `%s<id>`: what holds the address.
static int hide(BerthSmith *smith, Hiding hiding, int address) {
  int id = berthSmithNewId(smith), pointer, undef;
  switch (hiding) {
  case IN_VECTOR:
    berthSmithLine(smith,
                   "%%s%d = vector.broadcast %%s%d : i64 to vector<4xi64>", id,
                   address);
    return id;
  case IN_STRUCT:
    pointer = pointerOf(smith, address);
    undef = berthSmithNewId(smith);
    berthSmithLine(smith, "%%s%d = llvm.mlir.undef : %s", undef, structType);
    berthSmithLine(smith, "%%s%d = llvm.insertvalue %%s%d, %%s%d[1] : %s", id,
                   pointer, undef, structType);
    return id;
  case IN_SLOT:
    berthSmithLine(smith, "%%s%d = memref.alloca() : memref<i64>", id);
    berthSmithLine(smith, "memref.store %%s%d, %%s%d[] : memref<i64>", address,
                   id);
    return id;
  case IN_BRANCH:
    berthSmithLine(smith, "%%s%d = scf.if %%s%d -> (i64) {", id,
                   berthSmithCondition(smith));
    berthSmithLine(smith, "  scf.yield %%s%d : i64", address);
    berthSmithLine(smith, "} else {");
    berthSmithLine(smith, "  scf.yield %%s%d : i64", address);
    berthSmithLine(smith, "}");
    return id;
  case IN_NOTHING:
  case NUM_HIDINGS:
    break;
  }
  return address;
}

static int find(BerthSmith *smith, Hiding hiding, int holder) {
  int id = berthSmithNewId(smith), pointer;
  switch (hiding) {
  case IN_VECTOR:
    berthSmithLine(smith,
                   "%%s%d = vector.extract %%s%d[2] : i64 from vector<4xi64>",
                   id, holder);
    return id;
  case IN_STRUCT:
    pointer = berthSmithNewId(smith);
    berthSmithLine(smith, "%%s%d = llvm.extractvalue %%s%d[1] : %s", pointer,
                   holder, structType);
    berthSmithLine(smith, "%%s%d = llvm.ptrtoint %%s%d : !llvm.ptr to i64", id,
                   pointer);
    return id;
  case IN_SLOT:
    berthSmithLine(smith, "%%s%d = memref.load %%s%d[] : memref<i64>", id,
                   holder);
    return id;
  case IN_NOTHING:
  case IN_BRANCH:
  case NUM_HIDINGS:
    break;
  }
  return holder;
}

bool berthSmithAddress(BerthSmith *smith) {
  BerthSmithValue value;
  if (!berthSmithPick(smith, isPlain, NULL, &value))
    return false;
  Hiding hiding = (Hiding)berthRandomBelow(&smith->random, NUM_HIDINGS);
  int holder = hide(smith, hiding, berthSmithAddressOf(smith, value));
  smith->roots[value.root].resting = true;
  berthSmithMeanwhile(smith);
  useAddress(smith, find(smith, hiding, holder), value.type);
  berthSmithDraw(smith, hiding == IN_NOTHING ? BERTH_SMITH_ADDRESS
                                             : BERTH_SMITH_ADDRESS_HIDDEN);
  return true;
}

//===----------------------------------------------------------------------===//
// Carried, and put in a table
//===----------------------------------------------------------------------===//

/// The head of a loop of two or three turns, up to what it carries.
static int openTurns(BerthSmith *smith, int result, const char *carried) {
  int low = berthSmithConstantIndex(smith, 0);
  int high =
      berthSmithConstantIndex(smith, 2 + berthRandomBelow(&smith->random, 2));
  int step = berthSmithConstantIndex(smith, 1);
  int counter = berthSmithNewId(smith);
  fprintf(smith->out, "%*s", 2 * smith->indent, "");
  if (*carried)
    fprintf(smith->out, "%%s%d = ", result);
  fprintf(smith->out, "scf.for %%s%d = %%s%d to %%s%d step %%s%d%s {\n",
          counter, low, high, step, carried);
  return counter;
}

static BerthSmithMark openBody(BerthSmith *smith) {
  BerthSmithMark mark = berthSmithOpen(smith);
  smith->multiBlock = smith->atTop = false;
  ++smith->indent;
  ++smith->depth;
  return mark;
}

static void closeBody(BerthSmith *smith, BerthSmithMark mark) {
  --smith->depth;
  berthSmithClose(smith, mark);
  --smith->indent;
}

/// Each turn uses the buffer of the turn before, while it has one of its own.
bool berthSmithCarriedAddress(BerthSmith *smith) {
  BerthSmithValue first;
  if (!berthSmithPick(smith, isPlain, NULL, &first))
    return false;
  int start = berthSmithAddressOf(smith, first);
  int before = berthSmithNewId(smith), result = berthSmithNewId(smith);
  char carried[64];
  snprintf(carried, sizeof carried, " iter_args(%%s%d = %%s%d) -> (i64)",
           before, start);
  BerthSmithState state;
  int counter = openTurns(smith, result, carried);
  berthSmithSave(smith, &state);
  BerthSmithMark mark = openBody(smith);
  int turn = berthSmithToInt(smith, counter, BERTH_INDEX, 0);
  BerthSmithValue next = newInstance(smith, first.type, turn);
  int address = berthSmithAddressOf(smith, next);
  berthSmithReadAddress(smith, before, first.type);
  berthSmithMeanwhile(smith);
  closeBody(smith, mark);
  berthSmithLine(smith, "  scf.yield %%s%d : i64", address);
  berthSmithLine(smith, "}");
  berthSmithRestore(smith, &state);
  berthSmithMeanwhile(smith);
  berthSmithReadAddress(smith, result, first.type);
  berthSmithDraw(smith, BERTH_SMITH_ADDRESS_CARRIED);
  return true;
}

/// Where addresses are put: a memref of four, or, where that is negative, the C
/// library's `signal`, a function that is not seen: it keeps a number for each
/// of some others, here from `first` on, and gives it back.
typedef struct Table {
  int memref;
  int first;
} Table;

/// `%s<id>` = signal(%s<slot>, %s<address>).
static int exchange(BerthSmith *smith, int slot, int address) {
  int id = berthSmithNewId(smith);
  berthSmithLine(smith,
                 "%%s%d = func.call @signal(%%s%d, %%s%d) : (i32, i64) -> i64",
                 id, slot, address);
  return id;
}

static void put(BerthSmith *smith, Table table, int at, int address) {
  if (table.memref >= 0) {
    berthSmithLine(smith, "memref.store %%s%d, %%s%d[%%s%d] : memref<4xi64>",
                   address, table.memref, at);
    return;
  }
  int first = berthSmithConstantIndex(smith, table.first);
  int number = berthSmithNewId(smith), slot = berthSmithNewId(smith);
  berthSmithLine(smith, "%%s%d = arith.addi %%s%d, %%s%d : index", number, at,
                 first);
  berthSmithLine(smith, "%%s%d = arith.index_cast %%s%d : index to i32", slot,
                 number);
  exchange(smith, slot, address);
}

static int get(BerthSmith *smith, Table table, int at) {
  int id = berthSmithNewId(smith);
  if (table.memref >= 0) {
    int index = berthSmithConstantIndex(smith, at);
    berthSmithLine(smith, "%%s%d = memref.load %%s%d[%%s%d] : memref<4xi64>",
                   id, table.memref, index);
    return id;
  }
  berthSmithLine(smith, "%%s%d = arith.constant %d : i32", id,
                 table.first + at);
  return exchange(smith, id, berthSmithConstantInt(smith, 0));
}

/// Each depth has slots of its own; functions have none, as they may be called
/// at any depth.
static Table newTable(BerthSmith *smith) {
  Table table = {-1, 40 + 4 * smith->depth};
  if (smith->current || smith->inHelper ||
      berthRandomChance(&smith->random, 50)) {
    table.memref = berthSmithNewId(smith);
    berthSmithLine(smith, "%%s%d = memref.alloca() : memref<4xi64>",
                   table.memref);
  }
  return table;
}

bool berthSmithAddressTable(BerthSmith *smith) {
  BerthSmithType type = berthSmithRandomType(&smith->random, false);
  Table table = newTable(smith);
  BerthSmithState state;
  int counter = openTurns(smith, 0, "");
  berthSmithSave(smith, &state);
  BerthSmithMark mark = openBody(smith);
  int turn = berthSmithToInt(smith, counter, BERTH_INDEX, 0);
  BerthSmithValue value = newInstance(smith, type, turn);
  put(smith, table, counter, berthSmithAddressOf(smith, value));
  berthSmithMeanwhile(smith);
  closeBody(smith, mark);
  berthSmithLine(smith, "}");
  berthSmithRestore(smith, &state);
  berthSmithMeanwhile(smith);
  for (int i = 0; i < 2; ++i)
    berthSmithReadAddress(smith, get(smith, table, i), type);
  berthSmithDraw(smith, table.memref < 0 ? BERTH_SMITH_ADDRESS_KEPT
                                         : BERTH_SMITH_ADDRESS_IN_TABLE);
  return true;
}

//===----------------------------------------------------------------------===//
// Returned
//===----------------------------------------------------------------------===//

/// A function that returns the address of a buffer that it has made.
void berthSmithPrintMaker(BerthSmith *smith) {
  smith->madeType = berthSmithRandomType(&smith->random, false);
  berthSmithBeginFunction(smith, 8);
  smith->inHelper = true;
  smith->multiBlock = smith->atTop = false;
  fprintf(smith->out,
          "func.func private @p%" PRIu64 "_made(%%p: i64, %%n: index) -> i64 "
          "{\n",
          smith->seed);
  berthSmithAddArgument(smith, "p");
  BerthSmithValue value =
      newInstance(smith, smith->madeType, smith->scalars[0]);
  berthSmithStatements(smith, 3);
  int address = berthSmithAddressOf(smith, value);
  berthSmithMeanwhile(smith);
  berthSmithFree(smith, 0);
  berthSmithLine(smith, "return %%s%d : i64", address);
  fprintf(smith->out, "}\n\n");
}

bool berthSmithReturnedAddress(BerthSmith *smith) {
  if (smith->current || smith->inHelper)
    return false;
  int scalar =
      smith->scalars[berthRandomBelow(&smith->random, (int)smith->numScalars)];
  int address = berthSmithNewId(smith);
  berthSmithLine(smith,
                 "%%s%d = func.call @p%" PRIu64 "_made(%%s%d, %%n) : (i64, "
                 "index) -> i64",
                 address, smith->seed, scalar);
  berthSmithMeanwhile(smith);
  useAddress(smith, address, smith->madeType);
  berthSmithDraw(smith, BERTH_SMITH_ADDRESS_RETURNED);
  return true;
}
