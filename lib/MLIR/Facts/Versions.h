//===- Versions.h - What differs between versions of MLIR -------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One function for each thing that the versions of MLIR in CMakeLists.txt
// (BERTH_LLVM_VERSIONS) spell differently; Berth's code calls these. Whoever
// adds a version puts it on that list, builds, and mends here what the compiler
// complains of. What the C API lacks is in IR/Facts/Versions.h, tests of what
// a version cannot do ask for lit's feature `llvm-22`.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_MLIR_FACTS_VERSIONS_H
#define BERTH_LIB_MLIR_FACTS_VERSIONS_H

#include "IR/Facts/Facts.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/Config/llvm-config.h"
#if LLVM_VERSION_MAJOR < 22
#include "mlir/Dialect/XeGPU/IR/XeGPU.h"
#endif

namespace berth {

/// Shows a remark where the user asked for those of its category.
void emitRemark(mlir::Location at, BerthRemarkKind kind, const char *category,
                const char *message);

#if LLVM_VERSION_MAJOR >= 22

inline void registerRemarkOption() {} // MLIR has it

/// What an op does to an operand although its interface says it does nothing.
inline int untoldEffects(mlir::OpOperand &) { return 0; }

template <typename Op, typename... Args>
Op create(mlir::OpBuilder &builder, mlir::Location at, Args &&...args) {
  return Op::create(builder, at, std::forward<Args>(args)...);
}

inline mlir::RegionBranchPoint
branchPointOf(mlir::RegionBranchTerminatorOpInterface terminator) {
  return mlir::RegionBranchPoint(terminator);
}

inline llvm::LogicalResult
getStridesAndOffset(mlir::MemRefType type,
                    llvm::SmallVectorImpl<int64_t> &strides, int64_t &offset) {
  return type.getStridesAndOffset(strides, offset);
}

inline bool isUnsigned(mlir::scf::ForOp loop) { return loop.getUnsignedCmp(); }

/// What a transfer of a vector reads or writes.
template <typename Transfer> mlir::Value baseOf(Transfer op) {
  return op.getBase();
}

#else

/// --remarks-filter, of this name and meaning in later versions.
void registerRemarkOption();

/// Ops that later versions mended: these read (and write) memory.
inline int untoldEffects(mlir::OpOperand &operand) {
  mlir::Operation *op = operand.getOwner();
  if (llvm::isa<mlir::memref::ReshapeOp>(op) && operand.getOperandNumber() == 1)
    return BERTH_EFFECT_READ;
  if (llvm::isa<mlir::xegpu::AtomicRMWOp>(op))
    return BERTH_EFFECT_READ | BERTH_EFFECT_WRITE;
  return 0;
}

template <typename Op, typename... Args>
Op create(mlir::OpBuilder &builder, mlir::Location at, Args &&...args) {
  return builder.create<Op>(at, std::forward<Args>(args)...);
}

inline mlir::RegionBranchPoint
branchPointOf(mlir::RegionBranchTerminatorOpInterface terminator) {
  return mlir::RegionBranchPoint(terminator->getParentRegion());
}

inline llvm::LogicalResult
getStridesAndOffset(mlir::MemRefType type,
                    llvm::SmallVectorImpl<int64_t> &strides, int64_t &offset) {
  return mlir::getStridesAndOffset(type, strides, offset);
}

inline bool isUnsigned(mlir::scf::ForOp) { return false; }

template <typename Transfer> mlir::Value baseOf(Transfer op) {
  return op.getSource();
}

#endif

} // namespace berth

#endif // BERTH_LIB_MLIR_FACTS_VERSIONS_H
