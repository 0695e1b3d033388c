//===- Load.c - Packers from shared objects ------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "berth-c/Packer.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct BerthPlugin {
  void *library;
  const BerthPacker *packer;
};

// POSIX promises that a symbol's address is good as a function pointer; ISO C
// has no cast for it.
static BerthPackerPluginEntry findEntry(void *library) {
  BerthPackerPluginEntry entry = NULL;
  void *symbol = dlsym(library, "berthPackerPlugin");
  memcpy(&entry, &symbol, sizeof entry);
  return entry;
}

static const char *defectOf(const BerthPacker *packer) {
  if (!packer)
    return "it does not serve this version of the ABI";
  if (packer->version != BERTH_PACKER_ABI)
    return "its packer is of another version of the ABI";
  // `traits` came later; see berthPackerTraits.
  if (packer->size < offsetof(BerthPacker, traits))
    return "its packer's struct is too small";
  if (!packer->name || !packer->summary || !packer->pack)
    return "its packer has no name, summary or pack function";
  return NULL;
}

BerthPlugin *berthPackerLoad(const char *path, BerthError *error) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *reason = dlerror();
    bool isHere = !strchr(path, '/') && access(path, F_OK) == 0;
    if (isHere)
      berthErrorSet(error, BERTH_INVALID,
                    "cannot load packer plugin: %.300s; the file that is here "
                    "is './%.100s'",
                    reason, path);
    else
      berthErrorSet(error, BERTH_INVALID, "cannot load packer plugin: %s",
                    reason);
    return NULL;
  }
  BerthPackerPluginEntry entry = findEntry(library);
  const BerthPacker *packer = entry ? entry(BERTH_PACKER_ABI) : NULL;
  const char *defect =
      entry ? defectOf(packer) : "it does not export berthPackerPlugin";
  BerthPlugin *plugin = defect ? NULL : malloc(sizeof *plugin);
  if (!plugin) {
    berthErrorSet(error, defect ? BERTH_INVALID : BERTH_RESOURCE,
                  "cannot load packer plugin '%s': %s", path,
                  defect ? defect : "out of memory");
    dlclose(library);
    return NULL;
  }
  *plugin = (BerthPlugin){library, packer};
  return plugin;
}

void berthPackerUnload(BerthPlugin *plugin) {
  if (!plugin)
    return;
  dlclose(plugin->library);
  free(plugin);
}

const BerthPacker *berthPluginGetPacker(const BerthPlugin *plugin) {
  return plugin->packer;
}
