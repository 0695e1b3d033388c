//===- Auto.h - The default packer --------------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_RUN_AUTO_H
#define BERTH_LIB_PACK_RUN_AUTO_H

#include "berth-c/Packer.h"

extern const BerthPacker berthPackerAuto;

#endif // BERTH_LIB_PACK_RUN_AUTO_H
