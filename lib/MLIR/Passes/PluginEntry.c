//===- PluginEntry.c - What mlir-opt --load-*-plugin loads ----------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes link no MLIR: they take the one of the program that loads them,
// which may be linked to it in whatever way. Under another version they would
// not load, and mlir-opt drops the loader's reason. So this entry, which needs
// libc alone, looks first, and then opens the passes beside it.
//
//===----------------------------------------------------------------------===//

#define _GNU_SOURCE
#include "berth-c/Support.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/// As mlir::PassPluginLibraryInfo and mlir::DialectPluginLibraryInfo have it;
/// no MLIR knows the version 0.
typedef struct PluginInfo {
  uint32_t apiVersion;
  const char *name, *version;
  void *registrate;
} PluginInfo;

/// The LLVM of this program, of which the passes need the same; 0 if it does
/// not tell.
static unsigned versionOfProgram(void) {
  void (*getVersion)(unsigned *, unsigned *, unsigned *);
  void *symbol = dlsym(RTLD_DEFAULT, "LLVMGetVersion");
  unsigned major = 0;
  if (symbol) {
    memcpy(&getVersion, &symbol, sizeof getVersion);
    getVersion(&major, NULL, NULL);
  }
  return major;
}

/// Opens what stands beside this file; says why it cannot.
static void *openPasses(void) {
  static const char file[] = "BerthPasses.so";
  unsigned major = versionOfProgram();
  if (major && major != BERTH_LLVM_MAJOR) {
    fprintf(stderr,
            "BerthPlugin: error: it was built for LLVM %d, and this program "
            "has LLVM %u: take mlir-opt %d, or build Berth with LLVM %u\n",
            BERTH_LLVM_MAJOR, major, BERTH_LLVM_MAJOR, major);
    return NULL;
  }
  Dl_info self;
  char path[4096];
  const char *slash = dladdr(__extension__(void *) openPasses, &self)
                          ? strrchr(self.dli_fname, '/')
                          : NULL;
  int length = snprintf(path, sizeof path, "%.*s%s",
                        slash ? (int)(slash + 1 - self.dli_fname) : 0,
                        slash ? self.dli_fname : "", file);
  if (length < 0 || (size_t)length >= sizeof path) {
    fprintf(stderr, "BerthPlugin: error: its path is too long\n");
    return NULL;
  }
  void *passes = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!passes)
    fprintf(stderr,
            "BerthPlugin: error: it was built for LLVM %d, and its passes do "
            "not load into this program: %s\n",
            BERTH_LLVM_MAJOR, dlerror());
  return passes;
}

static PluginInfo ask(const char *name) {
  PluginInfo (*getInfo)(void);
  void *passes = openPasses();
  void *symbol = passes ? dlsym(passes, name) : NULL;
  if (!symbol)
    return (PluginInfo){0, "Berth", BERTH_VERSION_STRING, NULL};
  memcpy(&getInfo, &symbol, sizeof getInfo);
  return getInfo();
}

BERTH_EXPORT PluginInfo mlirGetPassPluginInfo(void);
BERTH_EXPORT PluginInfo mlirGetDialectPluginInfo(void);

PluginInfo mlirGetPassPluginInfo(void) { return ask("berthGetPassPluginInfo"); }

PluginInfo mlirGetDialectPluginInfo(void) {
  return ask("berthGetDialectPluginInfo");
}
