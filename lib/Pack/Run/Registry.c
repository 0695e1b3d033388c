//===- Registry.c - Packers by number and by name ------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Run/Auto.h"
#include "Pack/Run/Packers.h"

#include <string.h>

size_t berthPackerCount(void) { return berthNumPackers + 1; }

const BerthPacker *berthPackerGet(size_t index) {
  return index < berthNumPackers ? berthPackers[index] : &berthPackerAuto;
}

const char *berthPackerName(size_t index) {
  return berthPackerGet(index)->name;
}

const char *berthPackerSummary(size_t index) {
  return berthPackerGet(index)->summary;
}

// Merging groups is done for every packer, before it runs.
uint32_t berthPackerCapabilities(size_t index) {
  return berthPackerGet(index)->capabilities | BERTH_CAN_GROUPS;
}

size_t berthPackerFind(const char *name) {
  for (size_t i = 0; i < berthPackerCount(); ++i)
    if (strcmp(berthPackerName(i), name) == 0)
      return i;
  return SIZE_MAX;
}
