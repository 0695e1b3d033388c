//===- KernelLoops.c - Loops in kernels -----------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each is `for (i = 0; i < bound; ++i)`, as a loop that says so, or as one
// whose condition must be found out. All but the plain ones carry a second
// value.
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"

typedef enum LoopForm {
  FORM_PLAIN_FOR,
  FORM_FOR,
  FORM_WHILE,
  FORM_BLOCKS,
  NUM_LOOP_FORMS
} LoopForm;

/// Where its barriers are.
typedef enum LoopKind {
  LOOP_STARTS_WITH_BARRIER,
  LOOP_ENDS_WITH_BARRIER,
  LOOP_ANY_BARRIERS,
  LOOP_WITHOUT_BARRIERS,
  NUM_LOOP_KINDS
} LoopKind;

typedef struct Loop {
  LoopForm form;
  LoopKind kind;
  int bound; ///< `%x<bound>`, and so on
  int variable;
  int start; ///< of the carried value
  int carried;
  bool isAgreed; ///< all threads carry the same
  int result;
} Loop;

//===----------------------------------------------------------------------===//
// Its head and its end
//===----------------------------------------------------------------------===//

static void openFor(BerthKernel *kernel, const Loop *loop) {
  berthKernelLine(kernel,
                  "%%x%d = scf.for %%x%d = %%c0 to %%x%d step %%c1 "
                  "iter_args(%%x%d = %%x%d) -> (index) {",
                  loop->result, loop->variable, loop->bound, loop->carried,
                  loop->start);
}

static void openWhile(BerthKernel *kernel, const Loop *loop) {
  int i = loop->variable;
  berthKernelLine(kernel,
                  "%%end%d, %%x%d = scf.while (%%w%d = %%c0, %%v%d = %%x%d) : "
                  "(index, index) -> (index, index) {",
                  i, loop->result, i, i, loop->start);
  if (loop->kind == LOOP_STARTS_WITH_BARRIER &&
      berthRandomChance(&kernel->random, 50))
    berthKernelLine(kernel, "  gpu.barrier");
  berthKernelLine(kernel, "  %%c%d = arith.cmpi ult, %%w%d, %%x%d : index", i,
                  i, loop->bound);
  berthKernelLine(kernel, "  scf.condition(%%c%d) %%w%d, %%v%d : index, index",
                  i, i, i);
  berthKernelLine(kernel, "} do {");
  berthKernelLine(kernel, "^bb0(%%x%d: index, %%x%d: index):", i,
                  loop->carried);
}

static void openBlocks(BerthKernel *kernel, const Loop *loop) {
  int i = loop->variable;
  berthKernelLine(kernel, "cf.br ^head%d(%%c0, %%x%d : index, index)", i,
                  loop->start);
  berthKernelLine(kernel, "^head%d(%%x%d: index, %%x%d: index):", i, i,
                  loop->carried);
  berthKernelLine(kernel, "  %%c%d = arith.cmpi slt, %%x%d, %%x%d : index", i,
                  i, loop->bound);
  berthKernelLine(kernel, "  cf.cond_br %%c%d, ^body%d, ^exit%d", i, i, i);
  berthKernelLine(kernel, "^body%d:", i);
}

static void openLoop(BerthKernel *kernel, const Loop *loop) {
  switch (loop->form) {
  case FORM_FOR:
    openFor(kernel, loop);
    return;
  case FORM_WHILE:
    openWhile(kernel, loop);
    return;
  case FORM_BLOCKS:
    openBlocks(kernel, loop);
    return;
  case FORM_PLAIN_FOR:
  case NUM_LOOP_FORMS:
    break;
  }
  berthKernelLine(kernel, "scf.for %%x%d = %%c0 to %%x%d step %%c1 {",
                  loop->variable, loop->bound);
}

/// The carried value of the next turn: 0 and 1 by turns, or the variable's last
/// value.
static int nextCarried(BerthKernel *kernel, const Loop *loop) {
  if (berthRandomChance(&kernel->random, 40))
    return loop->variable;
  int next = berthKernelNewId(kernel);
  berthKernelLine(kernel, "%%x%d = arith.xori %%x%d, %%c1 : index", next,
                  loop->carried);
  return next;
}

static void closeLoop(BerthKernel *kernel, const Loop *loop) {
  ++kernel->indent;
  int next = loop->form == FORM_PLAIN_FOR ? 0 : nextCarried(kernel, loop);
  int i = loop->variable, turn = berthKernelNewId(kernel);
  if (loop->form == FORM_FOR) {
    berthKernelLine(kernel, "scf.yield %%x%d : index", next);
  } else if (loop->form != FORM_PLAIN_FOR) {
    berthKernelLine(kernel, "%%x%d = arith.addi %%x%d, %%c1 : index", turn, i);
    if (loop->form == FORM_WHILE)
      berthKernelLine(kernel, "scf.yield %%x%d, %%x%d : index, index", turn,
                      next);
    else
      berthKernelLine(kernel, "cf.br ^head%d(%%x%d, %%x%d : index, index)", i,
                      turn, next);
  }
  --kernel->indent;
  if (loop->form == FORM_BLOCKS)
    berthKernelLine(kernel, "^exit%d:", i);
  else
    berthKernelLine(kernel, "}");
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

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
  berthKernelBody(kernel);
  ++kernel->indent;
  if (kind == LOOP_ENDS_WITH_BARRIER)
    berthKernelBarrier(kernel);
  --kernel->indent;
  kernel->isSmooth = wasSmooth;
}

static LoopForm someForm(BerthKernel *kernel) {
  LoopForm form = (LoopForm)berthRandomBelow(&kernel->random, NUM_LOOP_FORMS);
  bool isMissing =
      (form == FORM_WHILE && !berthKernelHas(kernel, BERTH_SMITH_WHILE)) ||
      (form == FORM_BLOCKS &&
       (!kernel->isMultiBlock || !berthKernelHas(kernel, BERTH_SMITH_CF)));
  return isMissing ? FORM_PLAIN_FOR : form;
}

/// A small number that follows from the thread's.
static int someTurns(BerthKernel *kernel) {
  int id = berthKernelNewId(kernel);
  berthKernelLine(kernel,
                  "%%x%d = affine.apply affine_map<(d0) -> (d0 mod %d)>(%%t)",
                  id, 2 + berthRandomBelow(&kernel->random, 3));
  return id;
}

static void emitLoop(BerthKernel *kernel, int bound, LoopKind kind,
                     bool isUniform) {
  BerthKernelState before = kernel->now;
  // One after the other: each draws from the same source.
  Loop loop = {.kind = kind, .bound = bound};
  loop.form = someForm(kernel);
  loop.variable = berthKernelNewId(kernel);
  loop.isAgreed = isUniform && berthRandomChance(&kernel->random, 70);
  loop.start =
      loop.isAgreed ? berthKernelSomeUniform(kernel) : someTurns(kernel);
  loop.carried = berthKernelNewId(kernel);
  loop.result = berthKernelNewId(kernel);
  openLoop(kernel, &loop);
  if (isUniform)
    berthKernelAddUniform(kernel, loop.variable);
  if (loop.form != FORM_PLAIN_FOR)
    berthKernelAddIndex(kernel, loop.carried, loop.isAgreed);
  loopBody(kernel, kind);
  closeLoop(kernel, &loop);
  berthKernelJoin(kernel, &before, &before);
  if (loop.form != FORM_PLAIN_FOR)
    berthKernelAddIndex(kernel,
                        loop.form == FORM_BLOCKS ? loop.carried : loop.result,
                        loop.isAgreed);
}

bool berthKernelFor(BerthKernel *kernel) {
  if (kernel->depth >= kKernelMaxDepth ||
      !berthKernelHas(kernel, BERTH_SMITH_FOR))
    return false;
  // %n is 4, loop variables are less, and all are small.
  int bound =
      berthRandomChance(&kernel->random, 50)
          ? berthKernelSomeUniform(kernel)
          : berthKernelIndex(kernel, 1 + berthRandomBelow(&kernel->random, 3));
  LoopKind kind = LOOP_WITHOUT_BARRIERS;
  if (berthKernelMayMeet(kernel))
    kind = (LoopKind)berthRandomBelow(&kernel->random, NUM_LOOP_KINDS);
  emitLoop(kernel, bound, kind, !kernel->isApart);
  return true;
}

/// As many turns as the thread's number says.
bool berthKernelDivergentFor(BerthKernel *kernel) {
  if (kernel->depth >= kKernelMaxDepth ||
      !berthKernelHas(kernel, BERTH_SMITH_FOR))
    return false;
  int bound = someTurns(kernel);
  bool wasApart = kernel->isApart;
  kernel->isApart = true;
  emitLoop(kernel, bound, LOOP_WITHOUT_BARRIERS, false);
  kernel->isApart = wasApart;
  return true;
}
