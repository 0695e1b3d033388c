//===- Packers.h - The table of packers --------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// All packers but `auto`, which asks this table.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_RUN_PACKERS_H
#define BERTH_LIB_PACK_RUN_PACKERS_H

#include "berth-c/Packer.h"

extern const BerthPacker *const berthPackers[];
extern const size_t berthNumPackers;

/// The packer's BERTH_PACKER_* bits; none where its struct is an older one.
uint32_t berthPackerTraits(const BerthPacker *packer);

#endif // BERTH_LIB_PACK_RUN_PACKERS_H
