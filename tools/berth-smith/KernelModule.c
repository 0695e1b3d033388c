//===- KernelModule.c - Kernels and the module around them ---------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"

#include <inttypes.h>
#include <string.h>

typedef struct Statement {
  bool (*emit)(BerthKernel *kernel);
  int weight;
  uint64_t feature; ///< 0: always there
} Statement;

/// Those at the end have features of their own, so that without them the
/// kernels of a seed stay what they are.
static const Statement statements[] = {
    {berthKernelAlloc, 10, 0},
    {berthKernelWrite, 22, 0},
    {berthKernelReadOwn, 6, 0},
    {berthKernelReadForeign, 18, 0},
    {berthKernelReadSelected, 4, 0},
    {berthKernelReadInput, 3, 0},
    {berthKernelCopyAsync, 3, 0},
    {berthKernelObserve, 8, 0},
    {berthKernelRest, 10, 0},
    {berthKernelMeet, 9, 0},
    {berthKernelIf, 9, 0},
    {berthKernelFor, 8, 0},
    {berthKernelDivergentFor, 2, 0},
    {berthKernelChoose, 3, 0},
    {berthKernelPipeline, 12, BERTH_SMITH_GROUPS},
    {berthKernelCount, 16, BERTH_SMITH_ATOMICS},
    {berthKernelShuffle, 6, BERTH_SMITH_WARPS},
    {berthKernelReduceWarp, 2, BERTH_SMITH_WARPS},
    {berthKernelReduceAll, 2, BERTH_SMITH_WARPS},
    {berthKernelCall, 16, BERTH_SMITH_FUNCTIONS},
    {berthKernelCluster, 14, BERTH_SMITH_CLUSTERS},
    {berthKernelSignal, 10, BERTH_SMITH_SIGNALS},
    {berthKernelSpin, 5, BERTH_SMITH_SIGNALS},
    {berthKernelFill, 40, BERTH_SMITH_FILLS},
    {berthKernelOneOf, 25, BERTH_SMITH_NAMES},
    {berthKernelClusterBarrier, 12, BERTH_SMITH_CLUSTER_BARRIERS},
};

enum { kNumStatements = sizeof statements / sizeof statements[0] };

static int weightOf(const BerthKernel *kernel, const Statement *statement) {
  bool isThere =
      !statement->feature || berthKernelHas(kernel, statement->feature);
  return isThere ? statement->weight : 0;
}

static const Statement *someStatement(BerthKernel *kernel) {
  int total = 0;
  for (int i = 0; i < kNumStatements; ++i)
    total += weightOf(kernel, &statements[i]);
  int draw = berthRandomBelow(&kernel->random, total);
  const Statement *statement = statements;
  for (; draw >= weightOf(kernel, statement); ++statement)
    draw -= weightOf(kernel, statement);
  return statement;
}

void berthKernelDraw(BerthKernel *kernel, BerthSmithClass which) {
  berthSmithDrew(kernel->options->census, kernel->seed, which);
}

void berthKernelStatements(BerthKernel *kernel, int count) {
  for (int i = 0; i < count && kernel->budget > 0; ++i) {
    --kernel->budget;
    for (int tries = 0; tries < 8; ++tries)
      if (someStatement(kernel)->emit(kernel))
        break;
  }
}

/// The thread's number as the first scalar, and what is uniform from the start.
void berthKernelPrologue(BerthKernel *kernel) {
  kernel->spares.count = 0;
  berthKernelLine(kernel, "%%c0 = arith.constant 0 : index");
  berthKernelLine(kernel, "%%c1 = arith.constant 1 : index");
  berthKernelLine(kernel, "%%weight = arith.constant 31 : i32");
  berthKernelLine(kernel, "%%t = gpu.thread_id x");
  int scalar = berthKernelNewId(kernel), block = berthKernelNewId(kernel);
  int count = berthKernelNewId(kernel);
  berthKernelLine(kernel, "%%s%d = arith.index_cast %%t : index to i32",
                  scalar);
  berthKernelLine(kernel, "%%x%d = gpu.block_id x", block);
  berthKernelLine(kernel, "%%x%d = arith.addi %%n, %%c0 : index", count);
  berthKernelAddScalar(kernel, scalar);
  berthKernelAddUniform(kernel, block);
  berthKernelAddUniform(kernel, count);
}

static void printKernel(BerthKernel *kernel) {
  int size = kKernelThreads * kKernelMaxShare;
  fprintf(kernel->out,
          "  gpu.func @seed_%" PRIu64 "(%%in: memref<%dxi32>, "
          "%%out: memref<%dxi32>, %%n: index) kernel\n"
          "      attributes {gpu.known_block_size = array<i32: %d, 1, 1>} {\n",
          kernel->seed, size, size, kKernelThreads);
  berthKernelPrologue(kernel);
  for (int i = 0; i < 2; ++i) {
    berthKernelAlloc(kernel);
    berthKernelWrite(kernel);
  }
  berthKernelStatements(kernel, kernel->options->size);
  berthKernelBarrier(kernel);
  for (int i = 0; i < 3; ++i) {
    berthKernelReadForeign(kernel);
    berthKernelObserve(kernel);
  }
  fprintf(kernel->out, "    gpu.return\n  }\n");
}

void berthKernelModule(const BerthSmithOptions *options, FILE *out) {
  static BerthKernel kernel;
  fprintf(out, "#workgroup = #gpu.address_space<workgroup>\n"
               "gpu.module @kernels {\n");
  for (uint64_t k = 0; k < options->count; ++k) {
    memset(&kernel, 0, sizeof kernel);
    kernel.options = options;
    kernel.out = out;
    kernel.random.state = (options->seed + k) * 0x2545f4914f6cdd1du;
    kernel.indent = 2;
    kernel.isMultiBlock = true;
    kernel.seed = options->seed + k;
    if (berthKernelHas(&kernel, BERTH_SMITH_FUNCTIONS))
      berthKernelFunctions(&kernel);
    kernel.budget = 3 * options->size;
    printKernel(&kernel);
  }
  fprintf(out, "}\n");
}
