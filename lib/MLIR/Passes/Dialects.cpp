//===- Dialects.cpp - Dialects that passes make ops of ----------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialects.h"
#include "Nothing.h"

#include "mlir-c/Dialect/GPU.h"
#include "mlir-c/Dialect/LLVM.h"
#include "mlir-c/Dialect/NVVM.h"
#include "mlir-c/Dialect/Vector.h"
#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVDialect.h"

using namespace mlir;

// The C API's handles of those whose headers take seconds to compile.
static void insert(DialectRegistry &registry, MlirDialectHandle dialect) {
  mlirDialectHandleInsertDialect(dialect, wrap(&registry));
}

void berth::insertArenaDialects(DialectRegistry &registry) {
  watchDialects(registry);
  registry.insert<arith::ArithDialect, cf::ControlFlowDialect,
                  memref::MemRefDialect, scf::SCFDialect>();
  insert(registry, mlirGetDialectHandle__gpu__());
}

void berth::insertFenceDialects(DialectRegistry &registry) {
  insert(registry, mlirGetDialectHandle__nvvm__());
}

void berth::insertFoldDialects(DialectRegistry &registry) {
  watchDialects(registry);
  registry.insert<affine::AffineDialect, arith::ArithDialect,
                  memref::MemRefDialect, scf::SCFDialect>();
}

void berth::insertHeapDialects(DialectRegistry &registry) {
  registry
      .insert<arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect,
              memref::MemRefDialect, scf::SCFDialect, spirv::SPIRVDialect>();
  insert(registry, mlirGetDialectHandle__gpu__());
  insert(registry, mlirGetDialectHandle__llvm__());
}

void berth::insertHeapSpirvDialects(DialectRegistry &registry) {
  registry.insert<spirv::SPIRVDialect>();
}

void berth::insertMergeDialects(DialectRegistry &registry) {
  watchDialects(registry);
  registry.insert<arith::ArithDialect, cf::ControlFlowDialect,
                  memref::MemRefDialect>();
}

void berth::insertOverlapDialects(DialectRegistry &registry) {
  insert(registry, mlirGetDialectHandle__vector__());
}
