//===- Kernel.h - The state of a GPU kernel while it is generated -- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `berth-smith --kernel` writes gpu.func kernels for workgroups of 64 threads.
// Each thread *owns* an equal share of every buffer in workgroup memory, and
// only the owner writes an element. Others may read it: a *foreign* read. So a
// kernel is free of races if, for each buffer, a barrier lies between writes
// and foreign reads, in either order. For each buffer the generator knows
//
//  - whether it is *defined*: every thread has written its share on every path;
//    only then may it be read;
//  - whether it may have been *written* since the last barrier: then it takes
//  no
//    foreign reads;
//  - whether it may have been *watched*, by foreign reads: then no writes;
//  - whether threads may have *counted* with it, that is added to any of its
//    elements atomically: then nothing else until a barrier, nor may they begin
//    to where anything else has been done since the last one.
//
// A barrier clears all but the first for all buffers. It stands only where all
// threads come. The branches of an `if` on which threads disagree run beside
// each other, so the second starts with what the first has done. So do those of
// a uniform one in a loop without barriers, whose turns run into each other. A
// loop with barriers starts or ends with one, or else it takes all buffers for
// written and watched until its first one.
//
// An allocation in a loop makes a new buffer in each turn, and one in a device
// function in each call. A function that is given a buffer takes it for written
// and watched; what it leaves is known when it has been written down. Only
// functions without barriers are called where threads disagree.
//
// To make room for sharing, a buffer may *rest*: it counts as undefined, so
// that nobody reads it before all have written it again.
//
// Values that a loop carries or a branch chooses are equal in all threads (a
// *uniform*) or not (a *merge*); both decide other branches.
//
// What threads read goes, mixed, into elements of %out that they own.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_SMITH_KERNEL_H
#define BERTH_SMITH_KERNEL_H

#include "Smith.h"

enum {
  kKernelThreads = 64,
  kKernelMaxShare = 4, ///< most elements of one buffer that a thread owns
  kKernelMaxBuffers = 64,
  kKernelMaxValues = 128,
  kKernelMaxDepth = 3 ///< of control flow
};

/// Which elements thread t owns, of `share` each.
typedef enum BerthKernelLayout {
  BERTH_KERNEL_STRIDED,  ///< t, t + 64, ...
  BERTH_KERNEL_CHUNKED,  ///< share * t, share * t + 1, ...
  BERTH_KERNEL_REVERSED, ///< 63 - t, 127 - t, ...
  BERTH_KERNEL_NUM_LAYOUTS
} BerthKernelLayout;

/// A buffer in workgroup memory, `%b<id>`.
typedef struct BerthKernelBuffer {
  int id;
  int element; ///< index into the table of element types
  int share;
  BerthKernelLayout layout;
  bool isDefined;
  bool isWritten;
  bool isWatched;
  bool isRead;    ///< since the last barrier, by its owner or others
  bool isCounted; ///< since the last barrier, with atomics
  bool isBusy;    ///< an asynchronous copy fills it
} BerthKernelBuffer;

typedef struct BerthKernelText {
  char text[64];
} BerthKernelText;

/// What is visible at a point, and what is known of it.
typedef struct BerthKernelState {
  size_t numBuffers;
  BerthKernelBuffer buffers[kKernelMaxBuffers];
  size_t numScalars;
  int scalars[kKernelMaxValues]; ///< `%s<id>`, i32, of the thread
  size_t numUniforms;
  int uniforms[kKernelMaxValues]; ///< `%x<id>`, index, equal in all threads
  size_t numMerges;
  int merges[kKernelMaxValues]; ///< the same, carried or chosen, but not equal
} BerthKernelState;

/// A device function of the kernel at hand, @seed_N_f<k>.
typedef struct BerthKernelFunction {
  bool isQuiet; ///< nothing in it needs all threads
  bool meets;   ///< every way through it crosses a barrier
  bool takes;   ///< it is given a buffer, of which this is known afterwards:
  BerthKernelBuffer buffer;
} BerthKernelFunction;

enum { kKernelMaxFunctions = 3 };

enum { kKernelMostOneOf = 3 };

/// Buffers of one form that nothing is done to where they are allocated: one of
/// them is chosen and overwritten further in, in each turn of a loop.
typedef struct BerthKernelSpares {
  BerthKernelBuffer form;
  int count; ///< 0: there are none
  int ids[kKernelMostOneOf];
} BerthKernelSpares;

typedef struct BerthKernel {
  const BerthSmithOptions *options;
  FILE *out;
  BerthRandom random;
  int nextId;
  int indent;
  int depth;         ///< nesting of control flow
  int budget;        ///< statements that may still be emitted
  bool isApart;      ///< threads may have taken different ways here
  bool isSmooth;     ///< in a loop without barriers
  bool isMultiBlock; ///< the current region may have several blocks
  BerthKernelState now;
  uint64_t seed;
  int outermost; ///< the depth at which what stands there is always run
  bool meets;    ///< a barrier stands at that depth
  int numFunctions;
  BerthKernelFunction functions[kKernelMaxFunctions];
  BerthKernelSpares spares;
} BerthKernel;

//===----------------------------------------------------------------------===//
// KernelState.c: lines, values, what is known of buffers
//===----------------------------------------------------------------------===//

/// Prints one indented line.
void berthKernelLine(BerthKernel *kernel, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
int berthKernelNewId(BerthKernel *kernel);
bool berthKernelHas(const BerthKernel *kernel, uint64_t feature);

/// `%x<id> = arith.constant ... : index`.
int berthKernelIndex(BerthKernel *kernel, int value);
/// `%x<id> = arith.<op> %x<a>, %x<b> : index`.
int berthKernelIndexOp(BerthKernel *kernel, const char *op, int a, int b);

/// `%s<id>`: some i32 that follows from values of the thread.
int berthKernelMix(BerthKernel *kernel);
void berthKernelAddScalar(BerthKernel *kernel, int id);
void berthKernelAddUniform(BerthKernel *kernel, int id);
/// `%x<id>`, which all threads agree on or not.
void berthKernelAddIndex(BerthKernel *kernel, int id, bool isUniform);
/// The id of some `%x` that all threads agree on; it is small.
int berthKernelSomeUniform(BerthKernel *kernel);
/// `%c<id>`: an i1 that is equal in all threads, or one that is not.
int berthKernelUniformCondition(BerthKernel *kernel);
int berthKernelDivergentCondition(BerthKernel *kernel);

/// True where a barrier may stand.
bool berthKernelMayMeet(const BerthKernel *kernel);
void berthKernelBarrier(BerthKernel *kernel);
/// What a barrier does to what is known, for one that stands somewhere else.
void berthKernelPassBarrier(BerthKernel *kernel);

/// Where two paths from `before` meet: what holds on both. Values that were
/// added on either are forgotten.
void berthKernelJoin(BerthKernel *kernel, const BerthKernelState *before,
                     const BerthKernelState *other);

//===----------------------------------------------------------------------===//
// Statements; each returns false, having printed nothing, if nothing fits
//===----------------------------------------------------------------------===//

/// The kernel at hand has one of these.
void berthKernelDraw(BerthKernel *kernel, BerthSmithClass which);

/// Emits up to `count` random statements.
void berthKernelStatements(BerthKernel *kernel, int count);

// KernelMemory.c
bool berthKernelAlloc(BerthKernel *kernel);
bool berthKernelWrite(BerthKernel *kernel);
bool berthKernelFill(BerthKernel *kernel);
bool berthKernelReadOwn(BerthKernel *kernel);
bool berthKernelReadForeign(BerthKernel *kernel);
bool berthKernelReadSelected(BerthKernel *kernel);
bool berthKernelReadInput(BerthKernel *kernel);
bool berthKernelCopyAsync(BerthKernel *kernel);
bool berthKernelPipeline(BerthKernel *kernel);
bool berthKernelObserve(BerthKernel *kernel);
bool berthKernelRest(BerthKernel *kernel);
bool berthKernelMeet(BerthKernel *kernel);

/// A random buffer that the filter accepts, or NULL. Newer ones come more
/// often, so that older ones die.
typedef bool (*BerthKernelFilter)(const BerthKernelBuffer *buffer);
BerthKernelBuffer *berthKernelPick(BerthKernel *kernel,
                                   BerthKernelFilter accepts);
/// `%x<id>`: any element below `size`: one for all threads, a neighbour's, or
/// one that the data say.
int berthKernelAnyIndex(BerthKernel *kernel, int size);
/// `%x<id>`: the thread's element number `k` of its share.
int berthKernelOwnIndex(BerthKernel *kernel, const BerthKernelBuffer *buffer,
                        int k);
/// Does it hold numbers of 32 bits?
bool berthKernelIsInt32(const BerthKernelBuffer *buffer);
bool berthKernelHasRoom(const BerthKernel *kernel);
/// Of any elements, shares and layout.
BerthKernelBuffer berthKernelSomeForm(BerthKernel *kernel);
BerthKernelText berthKernelTypeOf(const BerthKernelBuffer *buffer);
/// Stores something to the thread's element number `k` of its share.
void berthKernelStoreOwn(BerthKernel *kernel, const BerthKernelBuffer *buffer,
                         int k);

// KernelNames.c
bool berthKernelOneOf(BerthKernel *kernel);

// KernelWarps.c
bool berthKernelCount(BerthKernel *kernel);
bool berthKernelShuffle(BerthKernel *kernel);
bool berthKernelReduceWarp(BerthKernel *kernel);
bool berthKernelReduceAll(BerthKernel *kernel);

// KernelBorders.c
bool berthKernelCluster(BerthKernel *kernel);
bool berthKernelClusterBarrier(BerthKernel *kernel);
bool berthKernelSignal(BerthKernel *kernel);
bool berthKernelSpin(BerthKernel *kernel);

// KernelCalls.c
/// Writes up to three functions for the kernel behind them, then forgets what
/// is known but for them.
void berthKernelFunctions(BerthKernel *kernel);
bool berthKernelCall(BerthKernel *kernel);

// KernelControl.c
/// What stands inside of a branch or a loop; it always fits.
void berthKernelBody(BerthKernel *kernel);
bool berthKernelIf(BerthKernel *kernel);
/// A value that a branch chooses.
bool berthKernelChoose(BerthKernel *kernel);

// KernelLoops.c
bool berthKernelFor(BerthKernel *kernel);
bool berthKernelDivergentFor(BerthKernel *kernel);

// KernelModule.c
/// What each kernel and function starts with.
void berthKernelPrologue(BerthKernel *kernel);
/// Writes a gpu.module with `options.count` kernels @seed_N(%in, %out, %n).
void berthKernelModule(const BerthSmithOptions *options, FILE *out);

#endif // BERTH_SMITH_KERNEL_H
