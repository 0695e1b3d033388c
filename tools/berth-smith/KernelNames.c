//===- KernelNames.c - Values that are one of several buffers -------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A branch that all threads take alike, or a switch, yields one of two or three
// buffers. These are made there, or right ahead, or at the begin of the kernel:
//
//     %a = memref.alloc()                spares, which nothing else is done to
//     %b = memref.alloc()
//     scf.for ... {
//       gpu.barrier                      what others read a turn ago is over
//       %r = scf.if %uniform -> ... { scf.yield %a } else { scf.yield %b }
//       store ..., %r[...]               each thread all that it owns
//       ...
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"

static BerthKernelBuffer allocateLike(BerthKernel *kernel,
                                      const BerthKernelBuffer *form) {
  BerthKernelBuffer buffer = *form;
  buffer.id = berthKernelNewId(kernel);
  berthKernelLine(kernel, "%%b%d = memref.alloc() : %s", buffer.id,
                  berthKernelTypeOf(&buffer).text);
  return buffer;
}

static void storeAll(BerthKernel *kernel, const BerthKernelBuffer *buffer) {
  for (int k = 0; k < buffer->share; ++k)
    berthKernelStoreOwn(kernel, buffer, k);
}

/// Where all threads write the buffers.
typedef enum Writing { IN_BRANCHES, AHEAD, BEHIND } Writing;

/// A buffer of the form.
typedef struct OneOf {
  BerthKernelBuffer form;
  int count;
  bool isKnown[kKernelMostOneOf]; ///< it is made ahead
  Writing writing;
  BerthKernelBuffer known[kKernelMostOneOf];
} OneOf;

static void yieldOneOf(BerthKernel *kernel, OneOf *of, int i) {
  ++kernel->indent;
  if (!of->isKnown[i])
    of->known[i] = allocateLike(kernel, &of->form);
  if (of->writing == IN_BRANCHES)
    storeAll(kernel, &of->known[i]);
  berthKernelLine(kernel, "scf.yield %%b%d : %s", of->known[i].id,
                  berthKernelTypeOf(&of->form).text);
  --kernel->indent;
}

static BerthKernelBuffer someForm(BerthKernel *kernel) {
  BerthKernelBuffer form = berthKernelSomeForm(kernel);
  form.isDefined = form.isWritten = true;
  return form;
}

static OneOf someOneOf(BerthKernel *kernel) {
  OneOf of = {.form = someForm(kernel)};
  of.count = 2 + berthRandomBelow(&kernel->random, kKernelMostOneOf - 1);
  of.writing = berthRandomChance(&kernel->random, 25) ? AHEAD : IN_BRANCHES;
  for (int i = 0; i < of.count; ++i) {
    of.isKnown[i] =
        of.writing == AHEAD || berthRandomChance(&kernel->random, 50);
    if (of.isKnown[i])
      of.known[i] = allocateLike(kernel, &of.form);
    if (of.writing == AHEAD)
      storeAll(kernel, &of.known[i]);
  }
  return of;
}

static void chooseOneOf(BerthKernel *kernel, OneOf *of) {
  bool isIf = of->count == 2;
  int which = isIf ? berthKernelUniformCondition(kernel)
                   : berthKernelSomeUniform(kernel);
  of->form.id = berthKernelNewId(kernel);
  berthKernelLine(kernel,
                  isIf ? "%%b%d = scf.if %%c%d -> (%s) {"
                       : "%%b%d = scf.index_switch %%x%d -> %s case 0 {",
                  of->form.id, which, berthKernelTypeOf(&of->form).text);
  for (int i = 0; i < of->count; ++i) {
    bool isLast = i == of->count - 1;
    if (i > 0)
      berthKernelLine(kernel, isIf     ? "} else {"
                              : isLast ? "} default {"
                                       : "} case 1 {");
    yieldOneOf(kernel, of, i);
  }
  berthKernelLine(kernel, "}");
  if (of->writing == BEHIND)
    storeAll(kernel, &of->form);
  kernel->now.buffers[kernel->now.numBuffers++] = of->form;
}

static void allocateSpares(BerthKernel *kernel) {
  BerthKernelSpares *spares = &kernel->spares;
  spares->form = someForm(kernel);
  spares->count = 2 + berthRandomBelow(&kernel->random, kKernelMostOneOf - 1);
  for (int i = 0; i < spares->count; ++i)
    spares->ids[i] = allocateLike(kernel, &spares->form).id;
}

/// The barrier is for the loop's last turn.
static void chooseSpare(BerthKernel *kernel) {
  BerthKernelSpares *spares = &kernel->spares;
  OneOf of = {.form = spares->form, .count = spares->count};
  of.writing = berthRandomChance(&kernel->random, 60) ? BEHIND : IN_BRANCHES;
  for (int i = 0; i < of.count; ++i) {
    of.isKnown[i] = true;
    of.known[i] = spares->form;
    of.known[i].id = spares->ids[i];
  }
  spares->count = 0;
  berthKernelBarrier(kernel);
  chooseOneOf(kernel, &of);
}

/// A buffer that is one of several, all threads agree which.
bool berthKernelOneOf(BerthKernel *kernel) {
  if (!berthKernelHasRoom(kernel))
    return false;
  if (kernel->spares.count && kernel->depth && berthKernelMayMeet(kernel)) {
    chooseSpare(kernel);
    return true;
  }
  if (!kernel->spares.count && !kernel->depth &&
      berthRandomChance(&kernel->random, 40)) {
    allocateSpares(kernel);
    return true;
  }
  OneOf of = someOneOf(kernel);
  chooseOneOf(kernel, &of);
  return true;
}
