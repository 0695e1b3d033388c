//===- TargetOption.cpp - The option `target` of the passes -----*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TargetOption.h"
#include "ForeignDialect.h"
#include "IR/Ops/TargetCheck.h"
#include "IR/Ops/TargetReader.h"
#include "berth/Target.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;

/// Set once, before any module is parsed; never destroyed, since contexts and
/// their dialects may outlive what is in static storage.
static const BerthTarget *processTarget;

const BerthTarget *berth::defaultTarget() { return processTarget; }

bool berth::registerTarget(DialectRegistry &registry, const std::string &path,
                           std::string &error) {
  BerthTarget *target;
  BerthError why;
  if (berthTargetRead(path.c_str(), &target, &why) != BERTH_SUCCESS) {
    error = why.message;
    return false;
  }
  registerForeignDialects(registry, target);
  processTarget = target;
  return true;
}

LogicalResult berth::PassTarget::load(Pass &pass, MLIRContext *context,
                                      const std::string &path) {
  own.reset();
  if (path.empty())
    return success();
  BerthTarget *target;
  BerthError error;
  if (berthTargetRead(path.c_str(), &target, &error) != BERTH_SUCCESS)
    return emitError(UnknownLoc::get(context))
           << pass.getArgument() << ": target: " << error.message;
  own.reset(target, berthTargetDestroy);
  return success();
}

LogicalResult berth::TargetUse::check(Pass &pass, Operation *root) {
  if (berthOwnRowsRead(use, wrap(root), &ownRows) != BERTH_SUCCESS)
    return failure();
  if (!berthTargetCurrent() && !ownRows)
    return success();
  std::string name = pass.getArgument().str();
  return success(berthTargetCheck(wrap(root), isa<ModuleOp>(root),
                                  name.c_str()) == BERTH_SUCCESS);
}
