//===- KernelControl.c - Control flow of kernels -------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"

enum { kMaxDepth = 3 };

static void body(BerthKernel *kernel) {
  ++kernel->depth;
  ++kernel->indent;
  bool wasMultiBlock = kernel->isMultiBlock;
  kernel->isMultiBlock = false;
  berthKernelStatements(kernel, 2 + berthRandomBelow(&kernel->random, 4));
  kernel->isMultiBlock = wasMultiBlock;
  --kernel->indent;
  --kernel->depth;
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

/// What the second branch starts with: what was known before; and, where some
/// threads may be in the first meanwhile, what that may be doing.
static void startSecond(BerthKernel *kernel, const BerthKernelState *before,
                        bool isBeside) {
  BerthKernelState first = kernel->now;
  kernel->now = *before;
  for (size_t i = 0; isBeside && i < before->numBuffers; ++i) {
    kernel->now.buffers[i].isWritten |= first.buffers[i].isWritten;
    kernel->now.buffers[i].isWatched |= first.buffers[i].isWatched;
    kernel->now.buffers[i].isRead |= first.buffers[i].isRead;
    kernel->now.buffers[i].isCounted |= first.buffers[i].isCounted;
  }
}

static void branches(BerthKernel *kernel, int condition, bool isBeside,
                     bool isBlocks) {
  BerthKernelState before = kernel->now;
  int label = berthKernelNewId(kernel);
  if (isBlocks)
    berthKernelLine(kernel, "cf.cond_br %%c%d, ^left%d, ^right%d", condition,
                    label, label);
  fprintf(kernel->out, isBlocks ? "%*s^left%d:\n" : "%*sscf.if %%c%d {\n",
          2 * kernel->indent, "", isBlocks ? label : condition);
  body(kernel);
  BerthKernelState first = kernel->now;
  if (isBlocks)
    berthKernelLine(kernel, "  cf.br ^join%d", label);
  fprintf(kernel->out, isBlocks ? "%*s^right%d:\n" : "%*s} else {\n",
          2 * kernel->indent, "", label);
  startSecond(kernel, &before, isBeside);
  if (berthRandomChance(&kernel->random, 75))
    body(kernel);
  if (isBlocks)
    berthKernelLine(kernel, "  cf.br ^join%d", label);
  fprintf(kernel->out, isBlocks ? "%*s^join%d:\n" : "%*s}\n",
          2 * kernel->indent, "", label);
  berthKernelJoin(kernel, &before, &first);
}

bool berthKernelIf(BerthKernel *kernel) {
  if (kernel->depth >= kMaxDepth || !berthKernelHas(kernel, BERTH_SMITH_IF))
    return false;
  bool wasApart = kernel->isApart;
  bool isUniform = berthRandomChance(&kernel->random, 40);
  int condition = isUniform ? berthKernelUniformCondition(kernel)
                            : berthKernelDivergentCondition(kernel);
  kernel->isApart |= !isUniform;
  bool isBlocks = kernel->isMultiBlock &&
                  berthKernelHas(kernel, BERTH_SMITH_CF) &&
                  berthRandomChance(&kernel->random, 30);
  branches(kernel, condition, !berthKernelMayMeet(kernel), isBlocks);
  kernel->isApart = wasApart;
  return true;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

typedef enum LoopKind {
  LOOP_STARTS_WITH_BARRIER,
  LOOP_ENDS_WITH_BARRIER,
  LOOP_ANY_BARRIERS,
  LOOP_WITHOUT_BARRIERS,
  NUM_LOOP_KINDS
} LoopKind;

/// The body of a loop of that kind, from its first turn on.
static void loopBody(BerthKernel *kernel, LoopKind kind) {
  BerthKernelState *now = &kernel->now;
  for (size_t i = 0; i < now->numBuffers && kind == LOOP_ANY_BARRIERS; ++i) {
    BerthKernelBuffer *buffer = &now->buffers[i];
    buffer->isWritten = buffer->isWatched = buffer->isRead = true;
    buffer->isCounted = berthKernelHas(kernel, BERTH_SMITH_ATOMICS);
  }
  // Some buffers are only the loop's, written before they are read in each
  // turn.
  for (size_t i = 0; i < now->numBuffers; ++i)
    now->buffers[i].isDefined &= berthRandomChance(&kernel->random, 75);
  bool wasSmooth = kernel->isSmooth;
  kernel->isSmooth |= kind == LOOP_WITHOUT_BARRIERS;
  ++kernel->indent;
  if (kind == LOOP_STARTS_WITH_BARRIER)
    berthKernelBarrier(kernel);
  --kernel->indent;
  body(kernel);
  ++kernel->indent;
  if (kind == LOOP_ENDS_WITH_BARRIER)
    berthKernelBarrier(kernel);
  --kernel->indent;
  kernel->isSmooth = wasSmooth;
}

/// `for (i = 0; i < bound; ++i)` as a loop that says so, or as one whose
/// condition must be found out.
static void loop(BerthKernel *kernel, int bound, LoopKind kind, bool isUniform,
                 bool isWhile) {
  BerthKernelState before = kernel->now;
  int i = berthKernelNewId(kernel);
  if (isWhile) {
    berthKernelLine(kernel,
                    "scf.while (%%w%d = %%c0) : (index) -> index {\n"
                    "%*s%%c%d = arith.cmpi ult, %%w%d, %%x%d : index\n"
                    "%*sscf.condition(%%c%d) %%w%d : index",
                    i, 2 * kernel->indent + 2, "", i, i, bound,
                    2 * kernel->indent + 2, "", i, i);
    berthKernelLine(kernel, "} do {");
    berthKernelLine(kernel, "^bb0(%%x%d: index):", i);
  } else {
    berthKernelLine(kernel, "scf.for %%x%d = %%c0 to %%x%d step %%c1 {", i,
                    bound);
  }
  if (isUniform)
    berthKernelAddUniform(kernel, i);
  loopBody(kernel, kind);
  if (isWhile) {
    int next = berthKernelNewId(kernel);
    berthKernelLine(kernel, "  %%x%d = arith.addi %%x%d, %%c1 : index", next,
                    i);
    berthKernelLine(kernel, "  scf.yield %%x%d : index", next);
  }
  berthKernelLine(kernel, "}");
  berthKernelJoin(kernel, &before, &before);
}

bool berthKernelFor(BerthKernel *kernel) {
  if (kernel->depth >= kMaxDepth || !berthKernelHas(kernel, BERTH_SMITH_FOR))
    return false;
  BerthKernelState *now = &kernel->now;
  // %n is 4, loop variables are less, and all are small.
  int bound =
      berthRandomChance(&kernel->random, 50)
          ? now->uniforms[berthRandomBelow(&kernel->random,
                                           (int)now->numUniforms)]
          : berthKernelIndex(kernel, 1 + berthRandomBelow(&kernel->random, 3));
  LoopKind kind = LOOP_WITHOUT_BARRIERS;
  if (berthKernelMayMeet(kernel))
    kind = (LoopKind)berthRandomBelow(&kernel->random, NUM_LOOP_KINDS);
  bool isWhile = berthKernelHas(kernel, BERTH_SMITH_WHILE) &&
                 berthRandomChance(&kernel->random, 25);
  loop(kernel, bound, kind, !kernel->isApart, isWhile);
  return true;
}

/// As many turns as the thread's number says.
bool berthKernelDivergentFor(BerthKernel *kernel) {
  if (kernel->depth >= kMaxDepth || !berthKernelHas(kernel, BERTH_SMITH_FOR))
    return false;
  int bound = berthKernelNewId(kernel);
  berthKernelLine(kernel,
                  "%%x%d = affine.apply affine_map<(d0) -> (d0 mod %d)>(%%t)",
                  bound, 2 + berthRandomBelow(&kernel->random, 3));
  bool wasApart = kernel->isApart;
  kernel->isApart = true;
  loop(kernel, bound, LOOP_WITHOUT_BARRIERS, false, false);
  kernel->isApart = wasApart;
  return true;
}
