//===- TargetOption.cpp - The option `target` of the passes -----*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TargetOption.h"
#include "ForeignDialect.h"
#include "IR/Target/TargetCheck.h"
#include "IR/Target/TargetReader.h"
#include "Nothing.h"
#include "Support/Messages.h"
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
  if (berthTargetRead(path.c_str(), berthBuiltinTarget(), &target, &why) !=
      BERTH_SUCCESS) {
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
  instance = noteAsked(pass);
  if (path.empty())
    return success();
  BerthTarget *target;
  BerthError error;
  if (berthTargetRead(path.c_str(), berthBuiltinTarget(), &target, &error) !=
      BERTH_SUCCESS)
    return refuse(pass, context,
                  ("target: " + std::string(error.message)).c_str());
  own.reset(target, berthTargetDestroy);
  return success();
}

LogicalResult
berth::PassTarget::load(Pass &pass, MLIRContext *context,
                        const std::string &path,
                        llvm::function_ref<BerthStatus(BerthError *)> parse) {
  if (failed(load(pass, context, path)))
    return failure();
  TargetUse use(*this);
  BerthError error;
  if (parse(&error) == BERTH_SUCCESS)
    return success();
  return refuse(pass, context, error.message);
}

LogicalResult berth::PassTarget::refuse(Pass &pass, MLIRContext *context,
                                        const char *message) {
  noteRefused();
  return emitError(UnknownLoc::get(context))
         << pass.getArgument() << ": " << message
         << berthMessageNumber(message);
}

LogicalResult berth::TargetUse::check(Pass &pass, Operation *root) {
  noteRan(pass);
  if (berthOwnRowsRead(use, wrap(root), &ownRows) != BERTH_SUCCESS)
    return failure();
  if (!berthTargetCurrent() && !ownRows)
    return success();
  std::string name = pass.getArgument().str();
  return success(berthTargetCheck(wrap(root), isa<ModuleOp>(root),
                                  name.c_str()) == BERTH_SUCCESS);
}
