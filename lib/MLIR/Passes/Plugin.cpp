//===- Plugin.cpp - The passes and dialects of the plugin -------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nothing.h"
#include "Support/Messages.h"
#include "berth-c/Support.h"
#include "berth/Passes.h"
#include "berth/Target.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

#include <cstdio>
#include <cstdlib>

/// --load-dialect-plugin was given.
static bool knowsDialects = false;

static void complain(const char *message) {
  std::fprintf(stderr, "BerthPlugin: %s%s\n", message,
               berthMessageNumber(message));
}

/// The parser's own message ("multiple memory spaces specified") does not say
/// what is missing, and when it fails nobody of Berth is asked.
static void explainUnknownDialects(int status, void *) {
  if (knowsDialects)
    return;
  if (std::getenv("BERTH_TARGET"))
    complain("BERTH_TARGET was not read, so the parser does not know its "
             "dialects: give --load-dialect-plugin, too");
  else if (status != EXIT_SUCCESS && !berth::passWasAsked())
    complain("no pass of Berth was reached. The passes of a plugin are named "
             "in --pass-pipeline, and are no options by themselves. Layouts, "
             "types and ops of dialects that MLIR does not know are read only "
             "with --load-dialect-plugin beside --load-pass-plugin, and with "
             "BERTH_TARGET, the file that describes them");
}

extern "C" BERTH_EXPORT ::mlir::PassPluginLibraryInfo berthGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Berth", BERTH_VERSION_STRING, [] {
            berth::registerPassesOnce();
            on_exit(explainUnknownDialects, nullptr);
          }};
}

/// Dialects are registered when the plugin is loaded, before any option of a
/// pass is read. So the description comes by the environment.
static void registerDialects(mlir::DialectRegistry *registry) {
  const char *path = std::getenv("BERTH_TARGET");
  knowsDialects = true;
  berth::noteUnknownDialects(*registry);
  std::string error = "BERTH_TARGET must name a target description";
  if (path && berth::registerTarget(*registry, path, error))
    return;
  complain(error.c_str());
  std::exit(1);
}

extern "C" BERTH_EXPORT ::mlir::DialectPluginLibraryInfo
berthGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Berth", BERTH_VERSION_STRING,
          registerDialects};
}
