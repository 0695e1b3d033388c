//===- Place.cpp - Where an op comes from ----------------------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Facts/Place.h"

#include "mlir/CAPI/IR.h"

using namespace mlir;

const char *berthOpGetFile(MlirOperation op) {
  auto place = unwrap(op)->getLoc()->findInstanceOf<FileLineColLoc>();
  return place ? place.getFilename().data() : nullptr;
}
