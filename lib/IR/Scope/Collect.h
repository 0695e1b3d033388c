//===- Collect.h - Scopes and their allocations -------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The first station: finds the scopes in an op, and in each scope the
// allocations in one memory space that may get a berth.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_SCOPE_COLLECT_H
#define BERTH_LIB_IR_SCOPE_COLLECT_H

#include "IR/Ops/PointerMap.h"
#include "IR/Scope/Scope.h"

BERTH_EXTERN_C_BEGIN

/// What becomes of allocations whose size is known only at run time.
typedef enum BerthDynamic {
  BERTH_DYNAMIC_OFF,     ///< they are not placed
  BERTH_DYNAMIC_BOUNDED, ///< placed where a constant bounds the size
  BERTH_DYNAMIC_SYMBOLIC ///< all others get offsets computed at run time
} BerthDynamic;

typedef struct BerthCollectOptions {
  BerthDynamic dynamic;
  /// False: each scope's own default (workgroup memory inside kernels, the
  /// default space elsewhere).
  bool hasSpace;
  /// The bodies of parallel ops are scopes of their own, except in memory that
  /// threads share.
  bool iterations;
  MlirAttribute space; ///< null: the default memory space
  bool isDevice;       ///< the memory of another device, in the default space
  bool anyMemory;      ///< whatever allocates, it takes the same (tests)
  int64_t alignment;   ///< least alignment of every buffer; 0 means 1
  int64_t start;       ///< the address where the arena begins; 0: unknown
  bool annotates;      ///< types stay as they are
  bool takesForeign;   ///< buffers that a view has no type for, too
  /// Functions that other flows launch as kernels, by name.
  size_t numKernels;
  const char *const *kernels;
  /// One thread runs it all, or several that keep one order (barriers=none).
  bool oneThread;
  /// The one scope: a kernel whose threads get what each of them allocates from
  /// the host (berth-expand), so that the host has to know all sizes. Null: it
  /// is no such run.
  MlirOperation expanded;
  int64_t leastExpanded; ///< bytes on the stack that are worth it
  /// What berthFindThreadFunctions found; NULL: it was not asked.
  const BerthPointerMap *threadFunctions;
} BerthCollectOptions;

/// Parses a `space` option: NULL or "" (each scope's own), "default",
/// "workgroup", "private", "gpu" (the memory of a device, which the host
/// allocates), or the text of any attribute. Not to be called while
/// passes run on the context: it silences the parser's diagnostics.
BerthStatus berthParseSpace(MlirContext context, const char *text,
                            BerthCollectOptions *options, BerthError *error);

/// Parses "off", "bounded", "symbolic".
BerthStatus berthParseDynamic(const char *text, BerthDynamic *dynamic,
                              BerthError *error);

/// Calls back for every scope in `root`, or for `root` itself if it is one:
/// functions with bodies, gpu.funcs, and gpu.launch and parallel bodies within
/// them (after the scope that holds them).
typedef void (*BerthScopeCallback)(MlirOperation scope, void *userData);
void berthForEachScope(MlirOperation root, const BerthCollectOptions *options,
                       BerthScopeCallback callback, void *userData);

/// The memory space of an allocation: its type's, or the one that a description
/// finds elsewhere.
MlirAttribute berthAllocationSpace(MlirOperation alloc, MlirType type);

/// The innermost function or launch around an op; null if there is none.
MlirOperation berthEnclosingScope(MlirOperation op);

/// True if the options name the function as a kernel.
bool berthScopeIsListed(MlirOperation op, const BerthCollectOptions *options);

/// Finds the functions in `root`, outside of a gpu.module, that many threads
/// run, as ops in them tell (berthOpIsOfThreads), or in functions that they
/// call or that call them. Where the options name memory that threads share, it
/// is all functions: nothing can prove that one thread runs the code but the
/// user, or a target description that tells who does. One that is not private
/// and that nobody in `root` calls is taken for a kernel, which another flow
/// launches.
BerthPointerMap berthFindThreadFunctions(MlirOperation root,
                                         const BerthCollectOptions *options);

/// True unless it is certain that one thread uses what is allocated.
bool berthMemoryMayBeShared(MlirOperation alloc, MlirType type,
                            const BerthCollectOptions *options);

/// A scope without its buffers.
BerthScope berthScopeOf(MlirOperation op, const BerthCollectOptions *options);

/// A scope with its buffers; both live in `memory`.
BerthScope berthScopeCollect(MlirOperation op,
                             const BerthCollectOptions *options,
                             BerthMemory *memory);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IR_SCOPE_COLLECT_H
