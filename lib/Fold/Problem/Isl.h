//===- Isl.h - The isl that this library was built with ------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// libLLVM exports an isl of its own, Polly's, of another version and under the
// same names. In one process with it, a library that is linked in the ordinary
// way gets that one, and so do most calls inside libisl itself; or, where
// libisl comes first, Polly gets ours. So isl is opened at run time, with a
// scope of its own, and is called through a table: each name below stands for
// its entry. Nothing of isl may be called before berthFoldOpen.
//
// All files of this library include isl through here. A function that is not
// in IslFunctions.def yet does not link. Builds that link isl as it is, for
// sanitizers that cannot do with such scopes, have no table.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_FOLD_PROBLEM_ISL_H
#define BERTH_LIB_FOLD_PROBLEM_ISL_H

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/flow.h>
#include <isl/ilp.h>
#include <isl/map.h>
#include <isl/options.h>
#include <isl/point.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/union_map.h>
#include <isl/union_set.h>
#include <isl/val.h>

#include "berth-c/Support.h"

/// The same text in memory for free(): isl's own may come from another
/// allocator. Takes `text`, which may be NULL.
char *berthIslText(char *text);

/// Sets `error` from isl's last error and returns the status that fits: out of
/// budget or memory is BERTH_RESOURCE. Clears isl's error. `what` names the
/// station.
BerthStatus berthFoldIslError(isl_ctx *ctx, const char *what,
                              BerthError *error);

/// How many operations isl has counted so far.
uint64_t berthIslOperations(isl_ctx *ctx);

/// Allows so many operations more from here on; 0: any number.
void berthIslGrant(isl_ctx *ctx, uint64_t operations);

#ifdef BERTH_ISL_LIBRARY
typedef struct BerthIsl {
#define BERTH_ISL(name) __typeof__(name) *(name);
#include "IslFunctions.def"
#undef BERTH_ISL
} BerthIsl;

extern BerthIsl berthIsl;

#include "IslNames.h" // made of IslFunctions.def: #define NAME berthIsl.NAME
#endif

#endif // BERTH_LIB_FOLD_PROBLEM_ISL_H
