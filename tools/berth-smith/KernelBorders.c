//===- KernelBorders.c - Clusters, signals, waits -------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A cluster is one workgroup here, so that a thread's address for the other
// workgroup's bytes is one of its own. Where threads wait for each other no
// barrier may stand: half of them would wait behind it for the others.
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

static bool mayWriteInt32(const BerthKernelBuffer *buffer) {
  return berthKernelIsInt32(buffer) && !buffer->isWatched && !buffer->isBusy &&
         !buffer->isCounted;
}

/// `%q<id>`: the buffer as the workgroup 0 of the cluster has it.
static int printMap(BerthKernel *kernel, const BerthKernelBuffer *buffer) {
  static const char type[] =
      "!llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)>";
  int id = berthKernelNewId(kernel);
  berthKernelLine(kernel,
                  "%%d%d = builtin.unrealized_conversion_cast %%b%d : "
                  "memref<%dxi32, #workgroup> to %s",
                  id, buffer->id, kKernelThreads * buffer->share, type);
  berthKernelLine(kernel, "%%p%d = llvm.extractvalue %%d%d[1] : %s", id, id,
                  type);
  berthKernelLine(kernel, "%%rank%d = arith.constant 0 : i32", id);
  berthKernelLine(kernel,
                  "%%q%d = nvvm.mapa %%p%d, %%rank%d : !llvm.ptr<3> -> "
                  "!llvm.ptr<7>",
                  id, id, id);
  return id;
}

/// `%e<id>`: the thread's k-th element there.
static int printElement(BerthKernel *kernel, const BerthKernelBuffer *buffer,
                        int map, int k) {
  int index = berthKernelOwnIndex(kernel, buffer, k);
  int id = berthKernelNewId(kernel);
  berthKernelLine(kernel, "%%i%d = arith.index_cast %%x%d : index to i64", id,
                  index);
  berthKernelLine(kernel,
                  "%%e%d = llvm.getelementptr %%q%d[%%i%d] : (!llvm.ptr<7>, "
                  "i64) -> !llvm.ptr<7>, i32",
                  id, map, id);
  return id;
}

bool berthKernelCluster(BerthKernel *kernel) {
  BerthKernelBuffer *buffer = berthKernelPick(kernel, mayWriteInt32);
  if (!buffer)
    return false;
  size_t place = (size_t)(buffer - kernel->now.buffers);
  int map = printMap(kernel, buffer);
  for (int k = 0; k < buffer->share; ++k) {
    int value = berthKernelMix(kernel);
    int element = printElement(kernel, buffer, map, k);
    berthKernelLine(kernel, "llvm.store %%s%d, %%e%d : i32, !llvm.ptr<7>",
                    value, element);
  }
  buffer->isDefined = buffer->isWritten = true;
  berthKernelStatements(kernel, 1 + berthRandomBelow(&kernel->random, 4));
  buffer = &kernel->now.buffers[place];
  berthKernelDraw(kernel, BERTH_SMITH_CLUSTER);
  if (!buffer->isDefined || buffer->isBusy || buffer->isCounted)
    return true;
  buffer->isRead = true;
  int element = printElement(kernel, buffer, map,
                             berthRandomBelow(&kernel->random, buffer->share));
  int scalar = berthKernelNewId(kernel);
  berthKernelLine(kernel, "%%s%d = llvm.load %%e%d : !llvm.ptr<7> -> i32",
                  scalar, element);
  berthKernelAddScalar(kernel, scalar);
  return true;
}

/// All workgroups of the cluster meet. A relaxed arrival brings nothing that
/// was done before it, so nothing is known behind that.
bool berthKernelClusterBarrier(BerthKernel *kernel) {
  if (!berthKernelMayMeet(kernel))
    return false;
  bool isRelaxed = berthRandomBelow(&kernel->random, 4) == 0;
  berthKernelLine(kernel, "nvvm.cluster.arrive%s {aligned}",
                  isRelaxed ? ".relaxed" : "");
  berthKernelLine(kernel, "nvvm.cluster.wait {aligned}");
  if (!isRelaxed)
    berthKernelPassBarrier(kernel);
  berthKernelDraw(kernel, isRelaxed ? BERTH_SMITH_CLUSTER_RELAXED
                                    : BERTH_SMITH_CLUSTER_BARRIER);
  return true;
}

//===----------------------------------------------------------------------===//
// Waits of some threads for others
//===----------------------------------------------------------------------===//

/// `%c<id>`: true in the first half, or in the second.
static int printHalf(BerthKernel *kernel, bool isFirst) {
  int border = berthKernelIndex(kernel, kKernelThreads / 2);
  int id = berthKernelNewId(kernel);
  berthKernelLine(kernel, "%%c%d = arith.cmpi %s, %%t, %%x%d : index", id,
                  isFirst ? "ult" : "uge", border);
  return id;
}

/// Statements as where threads have taken different ways: no barrier of all.
static void printBetween(BerthKernel *kernel) {
  kernel->isApart = true;
  berthKernelStatements(kernel, 1 + berthRandomBelow(&kernel->random, 4));
  kernel->isApart = false;
}

/// The second half comes to a barrier of its own, at which the first one waits.
bool berthKernelSignal(BerthKernel *kernel) {
  if (!berthKernelMayMeet(kernel))
    return false;
  int id = berthKernelNewId(kernel);
  berthKernelLine(kernel, "%%barrier%d = arith.constant 1 : i32", id);
  berthKernelLine(kernel, "%%count%d = arith.constant %d : i32", id,
                  kKernelThreads);
  for (int i = 0; i < 2; ++i) {
    berthKernelLine(kernel, "scf.if %%c%d {", printHalf(kernel, i == 0));
    berthKernelLine(kernel,
                    "  nvvm.barrier id = %%barrier%d number_of_threads = "
                    "%%count%d",
                    id, id);
    berthKernelLine(kernel, "}");
    if (i == 0)
      printBetween(kernel);
  }
  berthKernelDraw(kernel, BERTH_SMITH_NAMED_BARRIER);
  return true;
}

/// The first thread waits until all of the second half have raised a flag.
bool berthKernelSpin(BerthKernel *kernel) {
  if (!berthKernelMayMeet(kernel))
    return false;
  static const char add[] = "memref.atomic_rmw addi";
  static const char type[] = "memref<1xi32, #workgroup>";
  int id = berthKernelNewId(kernel);
  berthKernelLine(kernel, "%%flag%d = memref.alloc() : %s", id, type);
  berthKernelLine(kernel, "%%zero%d = arith.constant 0 : i32", id);
  berthKernelLine(kernel, "%%one%d = arith.constant 1 : i32", id);
  berthKernelLine(kernel, "%%half%d = arith.constant %d : i32", id,
                  kKernelThreads / 2);
  berthKernelLine(kernel, "%%first%d = arith.cmpi eq, %%t, %%c0 : index", id);
  berthKernelLine(kernel, "scf.if %%first%d {", id);
  berthKernelLine(kernel, "  memref.store %%zero%d, %%flag%d[%%c0] : %s", id,
                  id, type);
  berthKernelLine(kernel, "}");
  berthKernelBarrier(kernel);
  berthKernelLine(kernel, "scf.if %%first%d {", id);
  berthKernelLine(kernel, "  scf.while : () -> () {");
  berthKernelLine(kernel,
                  "    %%now%d = %s %%zero%d, %%flag%d[%%c0] : (i32, %s) -> "
                  "i32",
                  id, add, id, id, type);
  berthKernelLine(kernel,
                  "    %%more%d = arith.cmpi ne, %%now%d, %%half%d : i32", id,
                  id, id);
  berthKernelLine(kernel, "    scf.condition(%%more%d)", id);
  berthKernelLine(kernel, "  } do {\n        scf.yield\n      }");
  berthKernelLine(kernel, "}");
  printBetween(kernel);
  berthKernelLine(kernel, "scf.if %%c%d {", printHalf(kernel, false));
  berthKernelLine(kernel,
                  "  %%old%d = %s %%one%d, %%flag%d[%%c0] : (i32, %s) -> i32",
                  id, add, id, id, type);
  berthKernelLine(kernel, "}");
  berthKernelDraw(kernel, BERTH_SMITH_SPIN);
  return true;
}
