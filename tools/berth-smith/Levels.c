//===- Levels.c - Memories behind the one that ops work on ---------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inputs and weights lie in a memory behind, and are copied to where ops work
// on them. What they were copied from may be written later, by one of its
// names.
//
//===----------------------------------------------------------------------===//

#include "Smith.h"

#include <string.h>

enum { kBehind = 77 };

/// The type in the memory behind. (Identity layouts only.)
static BerthSmithText behindText(BerthSmithType type) {
  BerthSmithText text = berthSmithTypeText(type), out;
  text.text[strlen(text.text) - 1] = 0;
  snprintf(out.text, sizeof out.text, "%.80s, %d>", text.text, kBehind);
  return out;
}

static void fillBehind(BerthSmith *smith, int id, BerthSmithType type) {
  int scalar =
      smith->scalars[berthRandomBelow(&smith->random, (int)smith->numScalars)];
  int element = berthSmithFromInt(smith, scalar, type.element, 0);
  berthSmithLine(smith, "linalg.fill ins(%%s%d : %s) outs(%%m%d : %s)", element,
                 berthElementText(type.element), id, behindText(type).text);
}

static int newBehind(BerthSmith *smith, BerthSmithType type) {
  int id = berthSmithNewId(smith);
  berthSmithLine(smith, "%%m%d = memref.alloc() : %s", id,
                 behindText(type).text);
  fillBehind(smith, id, type);
  return id;
}

static BerthSmithValue copyFrom(BerthSmith *smith, int source,
                                BerthSmithType type) {
  BerthSmithValue to = berthSmithNewBuffer(smith, type);
  berthSmithLine(smith, "memref.copy %%m%d, %%m%d : %s to %s", source, to.id,
                 behindText(type).text, berthSmithTypeText(type).text);
  berthSmithWrote(smith, to);
  return to;
}

bool berthSmithBringIn(BerthSmith *smith) {
  BerthSmithType type = berthSmithRandomType(&smith->random, false);
  int source = newBehind(smith, type), name = source;
  if (berthRandomChance(&smith->random, 30)) {
    int other = newBehind(smith, type);
    int condition = berthSmithCondition(smith);
    name = berthSmithNewId(smith);
    berthSmithLine(smith, "%%m%d = arith.select %%s%d, %%m%d, %%m%d : %s", name,
                   condition, source, other, behindText(type).text);
  }
  copyFrom(smith, name, type);
  berthSmithStatements(smith, 1 + berthRandomBelow(&smith->random, 4));
  if (berthRandomChance(&smith->random, 40))
    fillBehind(smith, source, type);
  if (berthRandomChance(&smith->random, 40) && berthSmithHasRoom(smith))
    copyFrom(smith, name, type);
  berthSmithStatements(smith, berthRandomBelow(&smith->random, 3));
  berthSmithObserve(smith);
  return true;
}

void berthSmithPrintFit(const BerthSmithOptions *options, FILE *out) {
  static const int capacities[] = {1, 48, 96, 160, 256, 384, 640, 1024};
  BerthRandom random = {options->seed}, ways = {~options->seed};
  fputs("// ", out);
  for (int i = 1; i < options->levels; ++i) {
    int capacity = capacities[berthRandomBelow(&random, 8)] << (i - 1);
    int fill = 1 + berthRandomBelow(&random, 3);
    int spill = 1 + berthRandomBelow(&random, 3);
    int access = berthRandomBelow(&random, 3);
    int bandwidth = 1 + berthRandomBelow(&ways, 8);
    int latency =
        berthRandomChance(&ways, 50) ? berthRandomBelow(&ways, 40) : 0;
    const char *const spaces[] = {"default", "77", "78"};
    fprintf(out,
            "%sberth-fit{space=%s backing=%s capacity=%d fill=%d spill=%d "
            "access=%d bandwidth=%d latency=%d ",
            i > 1 ? "," : "", spaces[i - 1], spaces[i], capacity, fill, spill,
            access, bandwidth, latency);
    // What says nothing of its moves makes those of the target description.
    bool isTold =
        (options->features & BERTH_SMITH_MOVES) && berthRandomChance(&ways, 70);
    if (isTold)
      fprintf(out, "channels=%d ", berthRandomBelow(&ways, 4));
    else if (options->features & BERTH_SMITH_DMA)
      fprintf(out, "transfers=dma channels=%d ", berthRandomBelow(&ways, 4));
    else if (options->features & BERTH_SMITH_MOVES)
      fputs("transfers=copy ", out);
    fputs("must-fit=false}", out);
  }
  fputs("\n", out);
}
