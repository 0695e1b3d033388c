//===- KernelCalls.c - Device functions, and calls of them ----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"

#include <inttypes.h>

/// The buffer that a function is given holds numbers of 32 bits.
static void printBufferType(const BerthKernel *kernel,
                            const BerthKernelBuffer *buffer) {
  fprintf(kernel->out, "memref<%dxi32, #workgroup>",
          kKernelThreads * buffer->share);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// The buffer as the function finds it: its callers have done anything to it
/// but count.
static BerthKernelBuffer takeBuffer(BerthKernel *kernel) {
  return (BerthKernelBuffer){.id = berthKernelNewId(kernel),
                             .share = 1 + berthRandomBelow(&kernel->random, 2),
                             .layout = BERTH_KERNEL_STRIDED,
                             .isDefined = true,
                             .isWritten = true,
                             .isWatched = true,
                             .isRead = true};
}

static void printHead(BerthKernel *kernel, int value) {
  const BerthKernelFunction *function =
      &kernel->functions[kernel->numFunctions];
  int size = kKernelThreads * kKernelMaxShare;
  fprintf(kernel->out,
          "  func.func private @seed_%" PRIu64 "_f%d(%%in: memref<%dxi32>, "
          "%%out: memref<%dxi32>, %%n: index, %%s%d: i32",
          kernel->seed, kernel->numFunctions, size, size, value);
  if (function->takes) {
    fprintf(kernel->out, ", %%b%d: ", function->buffer.id);
    printBufferType(kernel, &function->buffer);
  }
  fprintf(kernel->out, ") -> i32 {\n");
}

static void printBody(BerthKernel *kernel, int value) {
  BerthKernelFunction *function = &kernel->functions[kernel->numFunctions];
  berthKernelPrologue(kernel);
  berthKernelAddScalar(kernel, value);
  if (function->takes)
    kernel->now.buffers[kernel->now.numBuffers++] = function->buffer;
  if (!function->isQuiet && berthRandomChance(&kernel->random, 25))
    berthKernelBarrier(kernel);
  berthKernelAlloc(kernel);
  berthKernelWrite(kernel);
  berthKernelStatements(kernel, 3 + berthRandomBelow(&kernel->random, 5));
  if (!function->isQuiet && berthRandomChance(&kernel->random, 25))
    berthKernelBarrier(kernel);
  function->meets = kernel->meets;
  if (function->takes)
    function->buffer = kernel->now.buffers[0];
  int result = berthKernelMix(kernel);
  fprintf(kernel->out, "    return %%s%d : i32\n  }\n", result);
}

/// In a function control is nested less deep and nothing is copied
/// asynchronously, which would keep all others off its bytes.
static void printFunction(BerthKernel *kernel) {
  BerthSmithOptions options = *kernel->options;
  const BerthSmithOptions *all = kernel->options;
  options.features &= ~(uint64_t)(BERTH_SMITH_ASYNC | BERTH_SMITH_GROUPS);
  kernel->options = &options;
  BerthKernelFunction *function = &kernel->functions[kernel->numFunctions];
  int value = berthKernelNewId(kernel);
  function->isQuiet = berthRandomChance(&kernel->random, 20);
  function->takes = berthRandomChance(&kernel->random, 50);
  if (function->takes)
    function->buffer = takeBuffer(kernel);
  kernel->isApart = function->isQuiet;
  kernel->depth = kernel->outermost = 2;
  kernel->budget = 16;
  printHead(kernel, value);
  printBody(kernel, value);
  kernel->options = all;
  kernel->depth = kernel->outermost = 0;
  kernel->isApart = kernel->meets = false;
  kernel->now = (BerthKernelState){0};
  ++kernel->numFunctions;
}

void berthKernelFunctions(BerthKernel *kernel) {
  int count = 1 + berthRandomBelow(&kernel->random, kKernelMaxFunctions);
  while (kernel->numFunctions < count)
    printFunction(kernel);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// A buffer that a function may be given, or NULL.
static BerthKernelBuffer *pickFor(BerthKernel *kernel,
                                  const BerthKernelFunction *function) {
  BerthKernelState *now = &kernel->now;
  for (size_t i = now->numBuffers; i-- > 0;) {
    BerthKernelBuffer *buffer = &now->buffers[i];
    bool fits = berthKernelIsInt32(buffer) &&
                buffer->share == function->buffer.share &&
                buffer->layout == function->buffer.layout;
    if (fits && buffer->isDefined && !buffer->isBusy && !buffer->isCounted)
      return buffer;
  }
  return NULL;
}

/// What the call has done. Where turns run into each other it also holds what
/// was known before.
static void passCall(BerthKernel *kernel, const BerthKernelFunction *function,
                     BerthKernelBuffer *given) {
  BerthKernelBuffer before = {0};
  if (given && !berthKernelMayMeet(kernel))
    before = *given;
  if (function->meets && berthKernelMayMeet(kernel))
    berthKernelPassBarrier(kernel);
  if (!given)
    return;
  given->isDefined = function->buffer.isDefined;
  given->isWritten = function->buffer.isWritten || before.isWritten;
  given->isWatched = function->buffer.isWatched || before.isWatched;
  given->isRead = function->buffer.isRead || before.isRead;
  given->isCounted = function->buffer.isCounted || before.isCounted;
}

bool berthKernelCall(BerthKernel *kernel) {
  if (!kernel->numFunctions)
    return false;
  int number = berthRandomBelow(&kernel->random, kernel->numFunctions);
  const BerthKernelFunction *function = &kernel->functions[number];
  BerthKernelBuffer *given = function->takes ? pickFor(kernel, function) : NULL;
  if ((kernel->isApart && !function->isQuiet) || (function->takes && !given))
    return false;
  int value = berthKernelMix(kernel), result = berthKernelNewId(kernel);
  fprintf(kernel->out,
          "%*s%%s%d = func.call @seed_%" PRIu64 "_f%d(%%in, %%out, %%n, %%s%d",
          2 * kernel->indent, "", result, kernel->seed, number, value);
  if (given)
    fprintf(kernel->out, ", %%b%d", given->id);
  int size = kKernelThreads * kKernelMaxShare;
  fprintf(kernel->out, ") : (memref<%dxi32>, memref<%dxi32>, index, i32", size,
          size);
  if (given) {
    fprintf(kernel->out, ", ");
    printBufferType(kernel, given);
  }
  fprintf(kernel->out, ") -> i32\n");
  berthKernelAddScalar(kernel, result);
  passCall(kernel, function, given);
  return true;
}
