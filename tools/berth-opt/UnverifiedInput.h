//===- UnverifiedInput.h - Input that verifiers reject ----------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some compilers print what MLIR rejects: a get_global in another memory space
// than its global, say. That is no business of Berth's, but what becomes of it
// is: an op that is wrong afterwards was wrong before, at the same place.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_TOOLS_BERTH_OPT_UNVERIFIEDINPUT_H
#define BERTH_TOOLS_BERTH_OPT_UNVERIFIEDINPUT_H

namespace mlir {
class PassManager;
} // namespace mlir

namespace berth {

/// Makes the pipeline one pass, which runs it though the input does not verify,
/// and fails where an op is wrong then that was not wrong before.
void runUnverified(mlir::PassManager &manager);

} // namespace berth

#endif // BERTH_TOOLS_BERTH_OPT_UNVERIFIEDINPUT_H
