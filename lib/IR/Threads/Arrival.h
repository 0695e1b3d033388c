//===- Arrival.h - How the threads come into a function ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A barrier in a function is reached by all threads only if all of them call
// the function. Kernels are launched as a whole. Of another function, every
// call site has to be known: it must be private or stand in a gpu.module
// (others may call another one from elsewhere), and its name be used for
// nothing but calls.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_THREADS_ARRIVAL_H
#define BERTH_LIB_IR_THREADS_ARRIVAL_H

#include "IR/Scope/Collect.h"

/// How the threads of a workgroup come into `scope`, as far as the code in
/// `root` shows.
BerthArrival berthScopeArrival(MlirOperation scope,
                               const BerthCollectOptions *options,
                               MlirOperation root);

/// Calls back for each call of `function` in `root`. False if `root` does not
/// hold the function's module, if the function may be called from elsewhere, or
/// if something but a func.call names it: then there may be more calls.
typedef void (*BerthCallSiteCallback)(MlirOperation call, void *userData);
bool berthForEachCallSite(MlirOperation function, MlirOperation root,
                          BerthCallSiteCallback callback, void *userData);

#endif // BERTH_LIB_IR_THREADS_ARRIVAL_H
