//===- ToolFiles.cpp - Files that a program has for itself ------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ToolFiles.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/SmallVector.h"

using namespace mlir;

static std::string toolInput, toolOutput;

void berth::setToolFiles(std::string input, std::string output) {
  toolInput = std::move(input);
  toolOutput = std::move(output);
}

BerthStatus berth::checkFilesOfOptions(llvm::ArrayRef<BerthNamedFile> files,
                                       LocationAttr location,
                                       BerthError *error) {
  llvm::SmallVector<BerthNamedFile> all(files);
  FileLineColLoc place =
      location ? location.findInstanceOf<FileLineColLoc>() : FileLineColLoc();
  std::string source = place      ? place.getFilename().str()
                       : location ? ""
                                  : toolInput;
  // The input may be replaced by the output, as mlir-opt does it.
  const BerthNamedFile others[] = {
      {"the output", toolOutput.empty() ? nullptr : toolOutput.c_str(), true},
      {"the input", source.empty() ? nullptr : source.c_str(), false}};
  for (const BerthNamedFile &other : others) {
    all.push_back(other);
    if (BerthStatus status =
            berthCheckNamedFiles(all.data(), all.size(), error))
      return status;
    all.pop_back();
  }
  return BERTH_SUCCESS;
}
