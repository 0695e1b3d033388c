//===- Dialects.cpp - Dialects that passes make ops of ----------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialects.h"
#include "Nothing.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVDialect.h"

using namespace mlir;

void berth::insertArenaDialects(DialectRegistry &registry) {
  watchDialects(registry);
  registry.insert<arith::ArithDialect, cf::ControlFlowDialect, gpu::GPUDialect,
                  memref::MemRefDialect, scf::SCFDialect>();
}

void berth::insertFenceDialects(DialectRegistry &registry) {
  registry.insert<NVVM::NVVMDialect>();
}

void berth::insertFoldDialects(DialectRegistry &registry) {
  watchDialects(registry);
  registry.insert<affine::AffineDialect, arith::ArithDialect,
                  memref::MemRefDialect, scf::SCFDialect>();
}

void berth::insertHeapDialects(DialectRegistry &registry) {
  registry
      .insert<arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect,
              gpu::GPUDialect, LLVM::LLVMDialect, memref::MemRefDialect,
              scf::SCFDialect, spirv::SPIRVDialect>();
}

void berth::insertHeapSpirvDialects(DialectRegistry &registry) {
  registry.insert<spirv::SPIRVDialect>();
}

void berth::insertMergeDialects(DialectRegistry &registry) {
  watchDialects(registry);
  registry.insert<arith::ArithDialect, cf::ControlFlowDialect,
                  memref::MemRefDialect>();
}
