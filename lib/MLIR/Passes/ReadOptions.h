//===- ReadOptions.h - What is wrong with options ---------------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_LIB_MLIR_PASSES_READOPTIONS_H
#define BERTH_LIB_MLIR_PASSES_READOPTIONS_H

#include "mlir/Pass/Pass.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace berth {

using SayOfOptions =
    llvm::function_ref<mlir::LogicalResult(const llvm::Twine &)>;

/// Has `read` read `text`, the options of what is called `name`, any of which
/// is `option`, and says in Berth's words why it could not: no option is called
/// so, a value is wrong or missing, or an option is given twice.
mlir::LogicalResult
readOptions(llvm::StringRef name, llvm::StringRef text,
            llvm::cl::Option &option,
            llvm::function_ref<mlir::LogicalResult(SayOfOptions)> read,
            SayOfOptions say);

/// A pass, made of what is generated from Passes.td, whose options are read so.
template <typename Generated> struct WithOptions : Generated {
  using Generated::Generated;
  mlir::LogicalResult initializeOptions(llvm::StringRef text,
                                        SayOfOptions say) override {
    return readOptions(
        this->getArgument(), text, this->targetFile,
        [&](SayOfOptions own) {
          return mlir::Pass::initializeOptions(text, own);
        },
        say);
  }
};

} // namespace berth

#endif // BERTH_LIB_MLIR_PASSES_READOPTIONS_H
