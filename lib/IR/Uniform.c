//===- Uniform.c - What all threads of a workgroup agree on
//----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Uniform are: constants, what the launch fixes (block and grid ids and sizes,
// the kernel's arguments), the induction variables of loops with uniform
// bounds, and arithmetic on these. Nothing that comes from memory is: another
// workgroup may be writing there.
//
//===----------------------------------------------------------------------===//

#include "IR/Uniform.h"

#include "IR/Build.h"
#include "IR/OpTable.h"

#include <string.h>

/// Chains of arithmetic longer than this count as unknown.
enum { MostDepth = 64 };

static bool isUniformAt(MlirOperation kernel, MlirValue value, int depth);

static bool hasPrefix(MlirOperation op, const char *prefix) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  size_t length = strlen(prefix);
  return name.length >= length && memcmp(name.data, prefix, length) == 0;
}

/// Ops whose results depend on nothing but their operands.
static bool isArithmetic(MlirOperation op) {
  static const char *const prefixes[] = {"arith.",       "index.",
                                         "affine.apply", "affine.min",
                                         "affine.max",   "memref.dim"};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; ++i)
    if (hasPrefix(op, prefixes[i]))
      return true;
  return false;
}

static bool isFixedByLaunch(MlirOperation op) {
  static const char *const names[] = {"gpu.block_id", "gpu.block_dim",
                                      "gpu.grid_dim", "gpu.all_reduce"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (berthOpIsNamed(op, names[i]))
      return true;
  return false;
}

static bool operandsAreUniform(MlirOperation kernel, MlirOperation op,
                               intptr_t first, intptr_t end, int depth) {
  for (intptr_t i = first; i < end; ++i)
    if (!isUniformAt(kernel, mlirOperationGetOperand(op, i), depth))
      return false;
  return true;
}

/// Lower bound, upper bound and step.
static bool boundsAreUniform(MlirOperation kernel, MlirOperation loop,
                             int depth) {
  return berthOpIsNamed(loop, "scf.for") &&
         operandsAreUniform(kernel, loop, 0, 3, depth);
}

/// The type's inputs come before the kernel's own attributions.
static bool isKernelInput(MlirOperation kernel, MlirValue argument) {
  MlirAttribute type = berthAttributeOf(kernel, "function_type");
  if (mlirAttributeIsNull(type) || !mlirAttributeIsAType(type))
    return false;
  return mlirBlockArgumentGetArgNumber(argument) <
         mlirFunctionTypeGetNumInputs(mlirTypeAttrGetValue(type));
}

static bool isUniformArgument(MlirOperation kernel, MlirValue argument,
                              int depth) {
  MlirBlock block = mlirBlockArgumentGetOwner(argument);
  MlirOperation parent = mlirBlockGetParentOperation(block);
  if (mlirOperationEqual(parent, kernel)) {
    MlirRegion body = mlirOperationGetRegion(kernel, 0);
    return mlirBlockEqual(block, mlirRegionGetFirstBlock(body)) &&
           isKernelInput(kernel, argument);
  }
  return mlirBlockArgumentGetArgNumber(argument) == 0 &&
         boundsAreUniform(kernel, parent, depth);
}

static bool isUniformAt(MlirOperation kernel, MlirValue value, int depth) {
  if (depth == MostDepth)
    return false;
  if (mlirValueIsABlockArgument(value))
    return isUniformArgument(kernel, value, depth + 1);
  MlirOperation op = mlirOpResultGetOwner(value);
  if (isFixedByLaunch(op))
    return true;
  return isArithmetic(op) &&
         operandsAreUniform(kernel, op, 0, mlirOperationGetNumOperands(op),
                            depth + 1);
}

bool berthValueIsUniform(MlirOperation kernel, MlirValue value) {
  return isUniformAt(kernel, value, 0);
}

static bool entersUniformly(MlirOperation kernel, MlirOperation op) {
  if (berthOpIsNamed(op, "scf.if"))
    return isUniformAt(kernel, mlirOperationGetOperand(op, 0), 0);
  return boundsAreUniform(kernel, op, 0);
}

bool berthPlaceIsUniform(MlirOperation kernel, MlirOperation op,
                         MlirOperation *because) {
  // With several blocks, some threads may branch past this one.
  MlirRegion body = mlirOperationGetRegion(kernel, 0);
  MlirBlock entry = mlirRegionGetFirstBlock(body);
  *because = kernel;
  if (!mlirBlockIsNull(mlirBlockGetNextInRegion(entry)))
    return false;
  for (op = mlirOperationGetParentOperation(op);
       !mlirOperationEqual(op, kernel);
       op = mlirOperationGetParentOperation(op)) {
    *because = op;
    if (!entersUniformly(kernel, op))
      return false;
  }
  return true;
}
