//===- Plugin.cpp - Entry point for mlir-opt --load-pass-plugin -*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "berth-c/Support.h"
#include "berth/Passes.h"

#include "mlir/Tools/Plugins/PassPlugin.h"

extern "C" BERTH_EXPORT ::mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Berth", BERTH_VERSION_STRING,
          [] { berth::registerPassesOnce(); }};
}
