//===- Chips.h - Shared memory of known GPUs ----------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// How much workgroup memory a GPU has, and in which steps it is handed out.
// What depends on a chip depends on this table alone; of a chip that is not in
// it nothing is believed.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OPS_CHIPS_H
#define BERTH_LIB_IR_OPS_CHIPS_H

#include "berth-c/Support.h"
#include "mlir-c/IR.h"

BERTH_EXTERN_C_BEGIN

/// Sizes are in bytes. A *processor* is what workgroups are resident on: a
/// multiprocessor (NVIDIA), a compute unit or a pair of them (AMD).
typedef struct BerthChip {
  const char *name;      ///< as compilers call it, without letters of features
  int64_t staticLimit;   ///< what a workgroup may have by declaration
  int64_t dynamicLimit;  ///< what it may have at all, if the launch asks for it
  int64_t total;         ///< what a processor has
  int64_t reserved;      ///< what each workgroup takes besides its own
  int64_t granule;       ///< a workgroup takes a multiple of this
  int64_t subgroup;      ///< threads
  int64_t maxThreads;    ///< resident on a processor
  int64_t maxWorkgroups; ///< the same
  int64_t banks;
  int64_t bankWidth;
  int64_t tensorColumns; ///< of tensor memory; 0: it has none
} BerthChip;

/// The chip of that name, or NULL. Letters behind the number (sm_90a, sm_100f)
/// and features (gfx942:xnack-) are passed over.
const BerthChip *berthChipFind(MlirStringRef name);

/// The chip that the targets of the gpu.module around an op name, by
/// #nvvm.target<chip = "..."> and the like. NULL: none, an unknown one, or
/// several that differ.
const BerthChip *berthChipOf(MlirOperation op);

/// The table, for messages.
size_t berthChipCount(void);
const BerthChip *berthChipGet(size_t index);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IR_OPS_CHIPS_H
