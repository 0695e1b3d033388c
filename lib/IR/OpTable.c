//===- OpTable.c - The only op names that Berth knows ---------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/OpTable.h"

#include <string.h>

/// Ops whose regions have many instances at once. A name that ends in '.'
/// stands for a whole dialect.
static const char *const parallelOps[] = {
    "scf.parallel", "scf.forall", "affine.parallel", "omp.", "acc.",
};

/// Ops that are asynchronous if they return a token.
static const char *const asyncOps[] = {"async.execute", "gpu.launch"};
static const char *const awaitOps[] = {"async.await", "gpu.wait"};
static const char *const barrierOps[] = {"gpu.barrier"};

static MlirStringRef opName(MlirOperation op) {
  return mlirIdentifierStr(mlirOperationGetName(op));
}

static bool matches(MlirStringRef name, const char *pattern) {
  size_t length = strlen(pattern);
  bool isPrefix = pattern[length - 1] == '.';
  return (isPrefix ? name.length > length : name.length == length) &&
         memcmp(name.data, pattern, length) == 0;
}

static bool isListed(MlirOperation op, const char *const *table, size_t count) {
  MlirStringRef name = opName(op);
  for (size_t i = 0; i < count; ++i)
    if (matches(name, table[i]))
      return true;
  return false;
}

#define IS_LISTED(op, table)                                                   \
  isListed(op, table, sizeof(table) / sizeof *(table))

bool berthOpIsParallel(MlirOperation op) { return IS_LISTED(op, parallelOps); }
bool berthOpIsAsync(MlirOperation op) {
  return mlirOperationGetNumResults(op) > 0 && IS_LISTED(op, asyncOps);
}
bool berthOpIsAwait(MlirOperation op) { return IS_LISTED(op, awaitOps); }

bool berthOpIsBarrier(MlirOperation op) { return IS_LISTED(op, barrierOps); }

bool berthOpIsNamed(MlirOperation op, const char *name) {
  return matches(opName(op), name);
}
