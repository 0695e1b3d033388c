//===- Versions.h - What older C APIs of MLIR lack ------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Berth is written against the newest MLIR that CMakeLists.txt names. What an
// older one lacks of the C API is declared here and defined in
// MLIR/Facts/Versions.cpp; what is otherwise different in C++ stands in
// MLIR/Facts/Versions.h. Nothing else asks for a version.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_FACTS_VERSIONS_H
#define BERTH_LIB_IR_FACTS_VERSIONS_H

#include "berth-c/Support.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/IR.h"
#include "mlir-c/IntegerSet.h"
#include "llvm/Config/llvm-config.h"

/// Before 22 expand-strided-metadata takes the address of a memref.view for
/// that of what it views, and so every buffer of an arena for the arena's
/// start. Whose address the program asks for gets no view there.
#define BERTH_ADDRESS_WOULD_BE_LOST                                            \
  "this MLIR loses the address of a view, which an op takes"
static inline bool berthViewsLoseAddresses(void) {
  return LLVM_VERSION_MAJOR < 22;
}

#if LLVM_VERSION_MAJOR < 22

BERTH_EXTERN_C_BEGIN

bool mlirOperationIsBeforeInBlock(MlirOperation op, MlirOperation other);
void mlirOperationSetLocation(MlirOperation op, MlirLocation location);
MlirIntegerSet mlirIntegerSetAttrGetValue(MlirAttribute attribute);

BERTH_EXTERN_C_END

#endif

#endif // BERTH_LIB_IR_FACTS_VERSIONS_H
