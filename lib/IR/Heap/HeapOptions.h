//===- HeapOptions.h - What users may decide about the heap -------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_HEAP_HEAPOPTIONS_H
#define BERTH_LIB_IR_HEAP_HEAPOPTIONS_H

#include "IR/Scope/Collect.h"
#include "IR/Scope/Options.h"

BERTH_EXTERN_C_BEGIN

/// Where a scope's arena comes from.
typedef enum BerthHeapArena {
  BERTH_HEAP_ARENA_AUTO,     ///< ARGUMENT where there is one, else OWN
  BERTH_HEAP_ARENA_OWN,      ///< a memref.alloc at the function's entry; in a
                             ///< kernel a memref.global of the gpu.module
  BERTH_HEAP_ARENA_ARGUMENT, ///< the function's argument marked `berth.arena`,
                             ///< which its owner has opened as a heap; kernels
                             ///< take OWN
  /// The kernel's argument marked `berth.arena`: global memory that all threads
  /// of all kernels share, and in which blocks outlive the kernel.
  BERTH_HEAP_ARENA_GLOBAL_DEVICE
} BerthHeapArena;

/// What kernels with a heap in global memory will be lowered to: which fence
/// orders the accesses of threads, and whether there are pointers.
typedef enum BerthHeapLowering {
  BERTH_HEAP_LOWERING_AUTO, ///< as the gpu.module's targets say
  BERTH_HEAP_LOWERING_NVVM,
  BERTH_HEAP_LOWERING_ROCDL,
  BERTH_HEAP_LOWERING_SPIRV
} BerthHeapLowering;

typedef struct BerthHeapOptions {
  BerthCollectOptions collect;
  BerthAliasOptions alias;
  BerthHeapArena arena;
  BerthHeapLowering lowering;
  int64_t size; ///< bytes of an arena of its own; 0: the default
  bool checked; ///< open heaps in checked mode
  bool locked;  ///< open heaps in locked mode
  bool all;     ///< take static allocations of bounded lifetime too
} BerthHeapOptions;

/// Bytes of an arena where nobody says otherwise.
enum { BERTH_HEAP_FUNCTION_BYTES = 1 << 20, BERTH_HEAP_KERNEL_BYTES = 1 << 14 };

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IR_HEAP_HEAPOPTIONS_H
