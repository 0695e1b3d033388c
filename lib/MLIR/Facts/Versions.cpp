//===- Versions.cpp - What differs between versions of MLIR -----*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MLIR/Facts/Versions.h"

#if LLVM_VERSION_MAJOR >= 22

#include "mlir/IR/Remarks.h"

using namespace mlir;

void berth::emitRemark(Location at, BerthRemarkKind kind, const char *category,
                       const char *message) {
  auto opts = remark::RemarkOpts::name(category).category(category);
  switch (kind) {
  case BERTH_REMARK_PASSED:
    remark::passed(at, opts) << StringRef(message);
    break;
  case BERTH_REMARK_MISSED:
    remark::missed(at, opts) << StringRef(message);
    break;
  case BERTH_REMARK_ANALYSIS:
    remark::analysis(at, opts) << StringRef(message);
    break;
  }
}

#else

#include "IR/Facts/Versions.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/IntegerSet.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Regex.h"

using namespace mlir;

/// Never destroyed: LLVM's list of options knows it to the end.
static llvm::cl::opt<std::string> *remarksFilter;

void berth::registerRemarkOption() {
  remarksFilter = new llvm::cl::opt<std::string>(
      "remarks-filter",
      llvm::cl::desc("Show all remarks: passed, missed, failed, analysis"));
}

/// MLIR has no remark engine yet: plain remarks, which read like its own.
void berth::emitRemark(Location at, BerthRemarkKind kind, const char *category,
                       const char *message) {
  static const char *const names[] = {"Passed", "Missed", "Analysis"};
  if (!remarksFilter || remarksFilter->empty() ||
      !llvm::Regex(*remarksFilter).match(category))
    return;
  mlir::emitRemark(at) << "[" << names[kind] << "] " << category
                       << " | Category:" << category << " | Remark=\""
                       << message << "\"";
}

bool mlirOperationIsBeforeInBlock(MlirOperation op, MlirOperation other) {
  return unwrap(op)->isBeforeInBlock(unwrap(other));
}

void mlirOperationSetLocation(MlirOperation op, MlirLocation location) {
  unwrap(op)->setLoc(unwrap(location));
}

MlirIntegerSet mlirIntegerSetAttrGetValue(MlirAttribute attribute) {
  return wrap(llvm::cast<IntegerSetAttr>(unwrap(attribute)).getValue());
}

#endif
