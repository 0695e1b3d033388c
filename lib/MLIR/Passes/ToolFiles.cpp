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

#include <mutex>

using namespace mlir;

static berth::ToolFiles tool;
static bool isToolKnown;

void berth::setToolFiles(ToolFiles files) {
  tool = std::move(files);
  isToolKnown = true;
}

const berth::ToolFiles &berth::getToolFiles() { return tool; }

BerthStatus berth::checkFilesOfOptions(llvm::ArrayRef<BerthNamedFile> files,
                                       LocationAttr location,
                                       BerthError *error) {
  llvm::SmallVector<BerthNamedFile> all(files);
  FileLineColLoc place =
      location ? location.findInstanceOf<FileLineColLoc>() : FileLineColLoc();
  std::string source = place      ? place.getFilename().str()
                       : location ? ""
                                  : tool.input;
  // The input may be replaced by the output, as mlir-opt does it.
  const BerthNamedFile others[] = {
      {"the output", berth::orNull(tool.output), true},
      {"--remarks-output-file", berth::orNull(tool.remarks), true},
      {"the input", berth::orNull(source), false}};
  for (const BerthNamedFile &other : others) {
    all.push_back(other);
    if (BerthStatus status =
            berthCheckNamedFiles(all.data(), all.size(), error))
      return status;
    all.pop_back();
  }
  return BERTH_SUCCESS;
}

BerthStatus berth::WrittenFiles::take(llvm::ArrayRef<BerthNamedFile> files,
                                      BerthError *error) {
  // Of a program whose only run this is, with all modules of it
  // (--split-input-file).
  static std::mutex mutex;
  static std::vector<std::string> ofTool;
  std::lock_guard<std::mutex> lock(mutex);
  std::vector<std::string> &written = isToolKnown ? ofTool : paths;
  for (const BerthNamedFile &file : files)
    for (const std::string &path : written) {
      const BerthNamedFile both[] = {
          file, {"what this run has written before", path.c_str(), true}};
      if (!file.isWritten)
        continue;
      if (BerthStatus status = berthCheckNamedFiles(both, 2, error))
        return status;
    }
  for (const BerthNamedFile &file : files)
    if (file.isWritten && file.path)
      written.push_back(file.path);
  return BERTH_SUCCESS;
}
