//===- EveryPacker.h - All packers, those of plugins too ------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The registered packers and some plugins, loaded into this process: the
// example, one that stacks all, and one built before structs grew. A new packer
// is tested by being in the table. berthPack verifies each plan, so a wrong
// plan shows as BERTH_INTERNAL.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_TEST_EVERYPACKER_H
#define BERTH_TEST_EVERYPACKER_H

#include "AddBuffer.h"
#include "Pack/Run/Packers.h"
#include "RandomProblem.h"

// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
// clang-format on

// A slow packer must not make a slow test.
enum { kSteps = 20000 };

static const uint32_t kRefusable = BERTH_CAN_ALIGNMENT | BERTH_CAN_FIXED |
                                   BERTH_CAN_HARD_EDGES | BERTH_CAN_RESERVED |
                                   BERTH_CAN_POOLS;

static const char *const kPlugins[] = {BERTH_EXAMPLE_PLUGIN,
                                       BERTH_PLUGINS "/honest.so",
                                       BERTH_PLUGINS "/older.so"};
enum { kNumPlugins = sizeof kPlugins / sizeof *kPlugins };
static BerthPlugin *plugins[kNumPlugins];

static inline int loadPlugins(void **state) {
  (void)state;
  for (size_t i = 0; i < kNumPlugins; ++i) {
    BerthError error = {{0}, 0, 0};
    plugins[i] = berthPackerLoad(kPlugins[i], &error);
    if (!plugins[i]) {
      print_error("%s\n", error.message);
      return -1;
    }
  }
  return 0;
}

static inline int unloadPlugins(void **state) {
  (void)state;
  for (size_t i = 0; i < kNumPlugins; ++i)
    berthPackerUnload(plugins[i]);
  return 0;
}

static inline size_t countPackers(void) {
  return berthPackerCount() + kNumPlugins;
}

static inline const BerthPacker *packerAt(size_t index) {
  size_t registered = berthPackerCount();
  return index < registered ? berthPackerGet(index)
                            : berthPluginGetPacker(plugins[index - registered]);
}

static inline uint32_t capabilitiesOf(size_t index) {
  return packerAt(index)->capabilities | BERTH_CAN_GROUPS;
}

static inline BerthStatus tryPack(const BerthProblemData *problem,
                                  size_t packer, BerthPlan *plan,
                                  BerthError *error) {
  BerthPackOptions options = {.steps = kSteps};
  return berthPackWith(packerAt(packer), problem, &options, plan, error);
}

static inline BerthPlan mustPack(const BerthProblem *problem, size_t packer) {
  BerthPlan plan;
  BerthError error = {{0}, 0, 0};
  BerthStatus status =
      tryPack(berthProblemGetData(problem), packer, &plan, &error);
  if (status)
    fail_msg("%s: %s", packerAt(packer)->name, error.message);
  return plan;
}

#endif // BERTH_TEST_EVERYPACKER_H
