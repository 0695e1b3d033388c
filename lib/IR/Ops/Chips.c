//===- Chips.c - Shared memory of known GPUs ------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NVIDIA: the table of compute capabilities in the CUDA programming guide; a
// static size above 48 KiB is refused by ptxas, whatever the chip has. AMD: the
// LDS sizes, waves and barriers of LLVM's AMDGPU backend and its user guide,
// granules as Mesa's drivers have them; from gfx10 on workgroups are resident
// on a pair of compute units (WGP mode), with waves of 32 threads.
//
//===----------------------------------------------------------------------===//

#include "IR/Ops/Chips.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/OpTable.h"

#include <ctype.h>
#include <string.h>

enum { kKiB = 1024 };

#define NVIDIA(name, kib, threads, workgroups, columns)                        \
  {                                                                            \
    name, 48 * kKiB, ((kib)-1) * kKiB, (kib)*kKiB, kKiB, 128, 32, threads,     \
        workgroups, 32, 4, columns                                             \
  }
#define AMD(name, each, total, granule, wave, waves, workgroups, banks)        \
  {                                                                            \
    name, (each)*kKiB, (each)*kKiB, (total)*kKiB, 0, granule, wave,            \
        (waves) * (wave), workgroups, banks, 4, 0                              \
  }

static const BerthChip chips[] = {
    // A workgroup's own bookkeeping takes no shared memory before sm_80.
    {"sm_75", 48 * kKiB, 64 * kKiB, 64 * kKiB, 0, 256, 32, 1024, 16, 32, 4, 0},
    NVIDIA("sm_80", 164, 2048, 32, 0),
    NVIDIA("sm_86", 100, 1536, 16, 0),
    NVIDIA("sm_87", 164, 1536, 16, 0),
    NVIDIA("sm_89", 100, 1536, 24, 0),
    NVIDIA("sm_90", 228, 2048, 32, 0),
    NVIDIA("sm_100", 228, 2048, 32, 512),
    NVIDIA("sm_103", 228, 2048, 32, 512),
    NVIDIA("sm_110", 228, 1536, 24, 512),
    NVIDIA("sm_120", 100, 1536, 24, 0),
    NVIDIA("sm_121", 100, 1536, 24, 0),
    AMD("gfx900", 64, 64, 512, 64, 40, 16, 32),
    AMD("gfx906", 64, 64, 512, 64, 40, 16, 32),
    AMD("gfx908", 64, 64, 512, 64, 40, 16, 32),
    AMD("gfx90a", 64, 64, 512, 64, 32, 16, 32),
    AMD("gfx942", 64, 64, 512, 64, 32, 16, 32),
    AMD("gfx950", 160, 160, 1280, 64, 32, 16, 64),
    AMD("gfx1010", 64, 128, 512, 32, 80, 32, 64),
    AMD("gfx1030", 64, 128, 1024, 32, 64, 32, 64),
    AMD("gfx1100", 64, 128, 1024, 32, 64, 32, 64),
    AMD("gfx1101", 64, 128, 1024, 32, 64, 32, 64),
    AMD("gfx1102", 64, 128, 1024, 32, 64, 32, 64),
    AMD("gfx1150", 64, 128, 1024, 32, 64, 32, 64),
    AMD("gfx1151", 64, 128, 1024, 32, 64, 32, 64),
    AMD("gfx1200", 64, 128, 1024, 32, 64, 32, 64),
    AMD("gfx1201", 64, 128, 1024, 32, 64, 32, 64),
    AMD("gfx1250", 320, 320, 2048, 32, 64, 32, 64),
};

size_t berthChipCount(void) { return sizeof chips / sizeof *chips; }

const BerthChip *berthChipGet(size_t index) { return &chips[index]; }

/// How much of a name tells the chip. The last letter of an sm_ name is one of
/// features; that of gfx90a is a digit.
static size_t stemLength(MlirStringRef name) {
  const char *colon = memchr(name.data, ':', name.length);
  size_t length = colon ? (size_t)(colon - name.data) : name.length;
  bool isNvidia = length > 3 && memcmp(name.data, "sm_", 3) == 0;
  return isNvidia && isalpha((unsigned char)name.data[length - 1]) ? length - 1
                                                                   : length;
}

const BerthChip *berthChipFind(MlirStringRef name) {
  size_t length = stemLength(name);
  for (size_t i = 0; i < berthChipCount(); ++i)
    if (strlen(chips[i].name) == length &&
        memcmp(chips[i].name, name.data, length) == 0)
      return &chips[i];
  return NULL;
}

//===----------------------------------------------------------------------===//
// Targets of a gpu.module
//===----------------------------------------------------------------------===//

/// Attributes have no interface that tells a chip, so their text does:
/// `chip = "NAME"`. Where it is left out it is the dialect's own.
typedef struct ChipText {
  char data[256];
  size_t length;
} ChipText;

static void appendText(MlirStringRef part, void *userData) {
  ChipText *text = userData;
  size_t room = sizeof text->data - 1 - text->length;
  size_t count = part.length < room ? part.length : room;
  memcpy(text->data + text->length, part.data, count);
  text->length += count;
}

static const BerthChip *chipOfTarget(MlirAttribute target) {
  ChipText text = {.length = 0};
  mlirAttributePrint(target, appendText, &text);
  text.data[text.length] = 0;
  static const char key[] = "chip = \"";
  const char *name = strstr(text.data, key);
  if (name) {
    name += sizeof key - 1;
    return berthChipFind(mlirStringRefCreate(name, strcspn(name, "\"")));
  }
  const char *preset = strncmp(text.data, "#nvvm.target", 12) == 0    ? "sm_75"
                       : strncmp(text.data, "#rocdl.target", 13) == 0 ? "gfx900"
                                                                      : "";
  return berthChipFind(mlirStringRefCreateFromCString(preset));
}

const BerthChip *berthChipOf(MlirOperation op) {
  while (!mlirOperationIsNull(op) && !berthOpIs(op, BERTH_OP_GPU_MODULE))
    op = mlirOperationGetParentOperation(op);
  if (mlirOperationIsNull(op))
    return NULL;
  MlirAttribute targets = berthAttributeOf(op, "targets");
  if (mlirAttributeIsNull(targets) || !mlirAttributeIsAArray(targets))
    return NULL;
  const BerthChip *chip = NULL;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(targets); ++i) {
    const BerthChip *next = chipOfTarget(mlirArrayAttrGetElement(targets, i));
    if (!next || (chip && next != chip))
      return NULL;
    chip = next;
  }
  return chip;
}
