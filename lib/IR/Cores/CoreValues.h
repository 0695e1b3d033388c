//===- CoreValues.h - What a value is on each core ------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Where several cores run a function, a number that a target description names
// tells them apart (`snax_cluster_core_idx`). What is computed of it and of
// constants is known on each core.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_CORES_COREVALUES_H
#define BERTH_LIB_IR_CORES_COREVALUES_H

#include "mlir-c/IR.h"

#include <stdbool.h>
#include <stdint.h>

/// True if the value is known to be `*number` on that core.
bool berthValueOnCore(MlirValue value, int core, int64_t *number);

/// True if the value is surely the same on all cores of the description in
/// force. Arguments of a function are, where `root`, the program, never calls
/// it: whoever starts the cores gives all of them the same ones.
bool berthIsSameOnCores(MlirValue value, MlirOperation root);

/// True if the value comes from a call or an op of which nothing is known: it
/// may tell cores apart of which no description tells.
bool berthMayTellCores(MlirValue value);

#endif // BERTH_LIB_IR_CORES_COREVALUES_H
