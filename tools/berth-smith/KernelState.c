//===- KernelState.c - Lines, values, what is known of buffers -----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"

#include <stdarg.h>

void berthKernelLine(BerthKernel *kernel, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fprintf(kernel->out, "%*s", 2 * kernel->indent, "");
  vfprintf(kernel->out, format, args);
  fputc('\n', kernel->out);
  va_end(args);
}

int berthKernelNewId(BerthKernel *kernel) { return kernel->nextId++; }

bool berthKernelHas(const BerthKernel *kernel, uint64_t feature) {
  return kernel->options->features & feature;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

int berthKernelIndex(BerthKernel *kernel, int value) {
  int id = berthKernelNewId(kernel);
  berthKernelLine(kernel, "%%x%d = arith.constant %d : index", id, value);
  return id;
}

int berthKernelIndexOp(BerthKernel *kernel, const char *op, int a, int b) {
  int id = berthKernelNewId(kernel);
  berthKernelLine(kernel, "%%x%d = arith.%s %%x%d, %%x%d : index", id, op, a,
                  b);
  return id;
}

static int constant(BerthKernel *kernel, int value) {
  int id = berthKernelNewId(kernel);
  berthKernelLine(kernel, "%%s%d = arith.constant %d : i32", id, value);
  return id;
}

static int scalarOp(BerthKernel *kernel, const char *op, int a, int b) {
  int id = berthKernelNewId(kernel);
  berthKernelLine(kernel, "%%s%d = arith.%s %%s%d, %%s%d : i32", id, op, a, b);
  return id;
}

static int someScalar(BerthKernel *kernel) {
  BerthKernelState *now = &kernel->now;
  return now->scalars[berthRandomBelow(&kernel->random, (int)now->numScalars)];
}

int berthKernelMix(BerthKernel *kernel) {
  static const char *const ops[] = {"addi", "subi", "xori"};
  const char *op = ops[berthRandomBelow(&kernel->random, 3)];
  int factor = constant(kernel, 1 + berthRandomBelow(&kernel->random, 9));
  int scaled = scalarOp(kernel, "muli", someScalar(kernel), factor);
  return scalarOp(kernel, op, scaled, someScalar(kernel));
}

void berthKernelAddScalar(BerthKernel *kernel, int id) {
  if (kernel->now.numScalars < kKernelMaxValues)
    kernel->now.scalars[kernel->now.numScalars++] = id;
}

void berthKernelAddUniform(BerthKernel *kernel, int id) {
  if (kernel->now.numUniforms < kKernelMaxValues)
    kernel->now.uniforms[kernel->now.numUniforms++] = id;
}

void berthKernelAddIndex(BerthKernel *kernel, int id, bool isUniform) {
  if (isUniform) {
    berthKernelAddUniform(kernel, id);
    return;
  }
  if (kernel->now.numMerges < kKernelMaxValues)
    kernel->now.merges[kernel->now.numMerges++] = id;
}

int berthKernelSomeUniform(BerthKernel *kernel) {
  BerthKernelState *now = &kernel->now;
  return now
      ->uniforms[berthRandomBelow(&kernel->random, (int)now->numUniforms)];
}

static int compare(BerthKernel *kernel, int value) {
  static const char *const predicates[] = {"eq", "ne", "ult", "uge"};
  int bound = berthKernelIndex(kernel, berthRandomBelow(&kernel->random, 4));
  int id = berthKernelNewId(kernel);
  berthKernelLine(kernel, "%%c%d = arith.cmpi %s, %%x%d, %%x%d : index", id,
                  predicates[berthRandomBelow(&kernel->random, 4)], value,
                  bound);
  return id;
}

int berthKernelUniformCondition(BerthKernel *kernel) {
  return compare(kernel, berthKernelSomeUniform(kernel));
}

int berthKernelDivergentCondition(BerthKernel *kernel) {
  BerthKernelState *now = &kernel->now;
  if (now->numMerges && berthRandomChance(&kernel->random, 50))
    return compare(
        kernel,
        now->merges[berthRandomBelow(&kernel->random, (int)now->numMerges)]);
  int id;
  if (berthRandomChance(&kernel->random, 60)) {
    int bound = berthKernelIndex(
        kernel, 1 + berthRandomBelow(&kernel->random, kKernelThreads - 1));
    id = berthKernelNewId(kernel);
    berthKernelLine(kernel, "%%c%d = arith.cmpi ult, %%t, %%x%d : index", id,
                    bound);
    return id;
  }
  int mask = constant(kernel, 1 << berthRandomBelow(&kernel->random, 3));
  int bit = scalarOp(kernel, "andi", someScalar(kernel), mask);
  id = berthKernelNewId(kernel);
  berthKernelLine(kernel, "%%c%d = arith.cmpi eq, %%s%d, %%s%d : i32", id, bit,
                  mask);
  return id;
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

bool berthKernelMayMeet(const BerthKernel *kernel) {
  return !kernel->isApart && !kernel->isSmooth;
}

static void clear(BerthKernelBuffer *buffer) {
  buffer->isWritten = buffer->isWatched = false;
  buffer->isRead = buffer->isCounted = false;
}

void berthKernelBarrier(BerthKernel *kernel) {
  berthKernelLine(kernel, "gpu.barrier");
  berthKernelPassBarrier(kernel);
}

void berthKernelPassBarrier(BerthKernel *kernel) {
  kernel->meets |= kernel->depth == kernel->outermost;
  for (size_t i = 0; i < kernel->now.numBuffers; ++i)
    clear(&kernel->now.buffers[i]);
}

void berthKernelJoin(BerthKernel *kernel, const BerthKernelState *before,
                     const BerthKernelState *other) {
  BerthKernelState *now = &kernel->now;
  now->numBuffers = before->numBuffers;
  now->numScalars = before->numScalars;
  now->numUniforms = before->numUniforms;
  now->numMerges = before->numMerges;
  for (size_t i = 0; i < now->numBuffers; ++i) {
    now->buffers[i].isDefined &= other->buffers[i].isDefined;
    now->buffers[i].isWritten |= other->buffers[i].isWritten;
    now->buffers[i].isWatched |= other->buffers[i].isWatched;
    now->buffers[i].isRead |= other->buffers[i].isRead;
    now->buffers[i].isCounted |= other->buffers[i].isCounted;
  }
}
