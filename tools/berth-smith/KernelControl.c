//===- KernelControl.c - Branches in kernels ------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"

void berthKernelBody(BerthKernel *kernel) {
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
  berthKernelBody(kernel);
  BerthKernelState first = kernel->now;
  if (isBlocks)
    berthKernelLine(kernel, "  cf.br ^join%d", label);
  fprintf(kernel->out, isBlocks ? "%*s^right%d:\n" : "%*s} else {\n",
          2 * kernel->indent, "", label);
  startSecond(kernel, &before, isBeside);
  if (berthRandomChance(&kernel->random, 75))
    berthKernelBody(kernel);
  if (isBlocks)
    berthKernelLine(kernel, "  cf.br ^join%d", label);
  fprintf(kernel->out, isBlocks ? "%*s^join%d:\n" : "%*s}\n",
          2 * kernel->indent, "", label);
  berthKernelJoin(kernel, &before, &first);
}

bool berthKernelIf(BerthKernel *kernel) {
  if (kernel->depth >= kKernelMaxDepth ||
      !berthKernelHas(kernel, BERTH_SMITH_IF))
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
// Values that a branch chooses
//===----------------------------------------------------------------------===//

bool berthKernelChoose(BerthKernel *kernel) {
  if (!berthKernelHas(kernel, BERTH_SMITH_IF))
    return false;
  bool isUniform = berthRandomChance(&kernel->random, 60);
  int condition = isUniform ? berthKernelUniformCondition(kernel)
                            : berthKernelDivergentCondition(kernel);
  int one = berthKernelSomeUniform(kernel);
  int other = berthKernelSomeUniform(kernel);
  int id = berthKernelNewId(kernel);
  berthKernelLine(kernel, "%%x%d = scf.if %%c%d -> (index) {", id, condition);
  berthKernelLine(kernel, "  scf.yield %%x%d : index", one);
  berthKernelLine(kernel, "} else {");
  berthKernelLine(kernel, "  scf.yield %%x%d : index", other);
  berthKernelLine(kernel, "}");
  berthKernelAddIndex(kernel, id, isUniform);
  return true;
}
