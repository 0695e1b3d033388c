//===- Dealloc.h - What the deallocation passes leave behind ------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Where it is not clear whose memory a value holds, MLIR's deallocation passes
// decide at run time: they compare addresses, often through a table and the
// function @dealloc_helper, and free under scf.if. Such an address goes nowhere
// else, so it is no leak. bufferization.dealloc is the same decision before it
// is lowered.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OPS_DEALLOC_H
#define BERTH_LIB_IR_OPS_DEALLOC_H

#include "IR/Facts/Facts.h"

/// True if everything that depends on this integer (an address) only decides
/// which memory is freed. In rewritten code tables are views of an arena:
/// `viewsAreTables` takes each memref.view for memory of its own. Only
/// functions inside `root` are looked into: others another thread may be
/// changing.
bool berthFeedsOnlyDeallocation(MlirValue address, bool viewsAreTables,
                                MlirOperation root);

/// The allocation behind a table, through its views; null if it is none.
MlirValue berthTableRoot(MlirValue table);

/// True if the op calls a function in `root` that only compares and stores
/// numbers in the tables that it is given (@dealloc_helper): it can make
/// nothing of an address, and does nothing but fill tables.
bool berthIsDeallocHelperCall(MlirOperation op, MlirOperation root);

/// True for an scf.if without results in which every op but the yields passes.
typedef bool (*BerthOpTest)(MlirOperation op, const void *data);
bool berthIfHoldsOnly(MlirOperation op, BerthOpTest passes, const void *data);

/// For bufferization.dealloc: how many operands it may free; they come first.
/// -1 for other ops.
intptr_t berthDeallocNumMemRefs(MlirOperation op);

#endif // BERTH_LIB_IR_OPS_DEALLOC_H
