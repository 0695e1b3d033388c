//===- Packers.c - The table of packers ----------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Pack/Run/Packers.h"

#include <stddef.h>

#define PACKER(name) extern const BerthPacker berthPacker##name;
#include "Pack/Run/Packers.def"
#undef PACKER

#define PACKER(name) &berthPacker##name,
const BerthPacker *const berthPackers[] = {
#include "Pack/Run/Packers.def"
};
#undef PACKER

const size_t berthNumPackers = sizeof berthPackers / sizeof *berthPackers;

uint32_t berthPackerTraits(const BerthPacker *packer) {
  size_t end = offsetof(BerthPacker, traits) + sizeof packer->traits;
  return packer->size >= end ? packer->traits : 0;
}
