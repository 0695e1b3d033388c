//===- Ports.c - How often ports meet in a bank ---------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Verify/Claims/Ports.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/SliceFacts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/EqualValues.h"
#include "IR/Ops/OpTable.h"
#include "IR/Target/Target.h"
#include "IR/Verify/Roots/Scopes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdio.h>

enum { kMostOperands = 64 };

/// Where an operand begins.
typedef struct Begin {
  const BerthTargetMemory *memory; ///< interleaved; NULL: not known
  int64_t byte;                    ///< of its arena
} Begin;

typedef struct PortWalk {
  BerthClaimCallback callback;
  void *userData;
} PortWalk;

/// The byte of the memref's first element, counted from what its views begin
/// at: a type tells that of all of them. False if it is known at run time only.
static bool findFirstByte(MlirValue value, MlirOperation op, int64_t *byte) {
  int64_t strides[BERTH_SLICE_MAX_RANK], offset;
  BerthTypeSize size;
  MlirType type = mlirValueGetType(value);
  if (!mlirTypeIsAMemRef(type) ||
      berthMemRefGetSize(type, op, &size) != BERTH_SIZE_OK ||
      !berthMemRefGetStrides(type, strides, &offset) || offset < 0)
    return false;
  *byte = offset * size.elementBytes;
  return true;
}

/// The allocation with a place, or the view of an arena, behind views whose
/// offsets the types tell.
static MlirOperation placeBehind(MlirValue value) {
  enum { kLongestChain = 64 };
  BerthSubView part;
  for (int i = 0; i < kLongestChain && mlirValueIsAOpResult(value); ++i) {
    MlirOperation op = mlirOpResultGetOwner(value);
    bool isPassed = berthSubViewGet(op, &part) ||
                    berthOpIs(op, BERTH_OP_CAST) ||
                    berthOpIs(op, BERTH_OP_REINTERPRET);
    if (!isPassed)
      return op;
    value = mlirOperationGetOperand(op, 0);
  }
  return (MlirOperation){NULL};
}

static Begin beginOf(MlirValue value, MlirOperation user) {
  Begin begin = {NULL, 0};
  int64_t lower, upper, first;
  MlirOperation op = placeBehind(value);
  if (mlirOperationIsNull(op) || !findFirstByte(value, user, &first))
    return begin;
  MlirAttribute space = {NULL};
  if (berthViewsPlaceOf(op, &lower, &upper))
    space = berthViewsPlacedSpace(op);
  else if (berthOpIs(op, BERTH_OP_VIEW) &&
           berthValueIsConstant(mlirOperationGetOperand(op, 1), &lower))
    space = mlirMemRefTypeGetMemorySpace(
        mlirValueGetType(mlirOperationGetOperand(op, 0)));
  else
    return begin;
  const BerthTargetMemory *memory = berthTargetFindSpace(
      berthTargetCurrent(), mlirOperationGetContext(op), space);
  if (memory && memory->interleavedBanks)
    begin = (Begin){memory, lower + first};
  return begin;
}

/// The word with which the port's step begins, or the one behind it where that
/// is needed too; -1: none.
static int64_t wordOf(const Begin *begin, int which) {
  int64_t width = begin->memory->bankWidth;
  bool hasTwo = begin->byte % width != 0;
  return which == 0 || hasTwo ? begin->byte / width + which : -1;
}

/// True if an earlier port, or the same one before, asks for the word, too.
static bool isAsked(const Begin *begins, intptr_t port, int which) {
  int64_t word = wordOf(&begins[port], which);
  for (intptr_t i = 0; i < port; ++i)
    for (int k = 0; begins[i].memory == begins[port].memory && k < 2; ++k)
      if (wordOf(&begins[i], k) == word)
        return true;
  return false;
}

/// How many words the bank of a port's word has to hand out.
static int64_t countInBank(const Begin *begins, intptr_t count, intptr_t port,
                           int which) {
  const BerthTargetMemory *memory = begins[port].memory;
  int64_t banks = memory->interleavedBanks, passes = 0;
  int64_t bank = wordOf(&begins[port], which) % banks;
  for (intptr_t i = 0; i < count; ++i)
    for (int k = 0; begins[i].memory == memory && k < 2; ++k)
      passes += wordOf(&begins[i], k) >= 0 &&
                wordOf(&begins[i], k) % banks == bank && !isAsked(begins, i, k);
  return passes;
}

static int64_t countPasses(MlirOperation op) {
  Begin begins[kMostOperands] = {{NULL, 0}};
  uint64_t ports = berthOpGetPorts(op);
  intptr_t count = mlirOperationGetNumOperands(op);
  count = count < kMostOperands ? count : kMostOperands;
  for (intptr_t i = 0; i < count; ++i)
    if (ports >> i & 1)
      begins[i] = beginOf(mlirOperationGetOperand(op, i), op);
  int64_t most = 1;
  for (intptr_t i = 0; i < count; ++i)
    for (int k = 0; begins[i].memory && k < 2; ++k)
      if (wordOf(&begins[i], k) >= 0) {
        int64_t passes = countInBank(begins, count, i, k);
        most = passes > most ? passes : most;
      }
  return most;
}

static MlirWalkResult checkOp(MlirOperation op, void *userData) {
  const PortWalk *walk = userData;
  MlirAttribute told = berthAttributeOf(op, BERTH_PASSES);
  int64_t claimed, passes;
  if (mlirAttributeIsNull(told) || !berthAttributeGetNumber(told, &claimed))
    return MlirWalkResultAdvance;
  passes = countPasses(op);
  if (passes <= claimed)
    return MlirWalkResultAdvance;
  char words[128];
  snprintf(words, sizeof words,
           "takes %lld passes over the banks in a step of its ports, not the "
           "%lld of berth.passes",
           (long long)passes, (long long)claimed);
  walk->callback(op, words, (MlirOperation){NULL}, NULL, walk->userData);
  return MlirWalkResultAdvance;
}

void berthVerifyPorts(MlirOperation root, BerthClaimCallback callback,
                      void *userData) {
  PortWalk walk = {callback, userData};
  mlirOperationWalk(root, checkOp, &walk, MlirWalkPreOrder);
}
