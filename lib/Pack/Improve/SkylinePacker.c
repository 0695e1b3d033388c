//===- SkylinePacker.c - The packer skyline and its variations -----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The skyline packs hulls. Where the task is more than hulls (holes, windows,
// alignments, pins, edges, reserved bytes, pools) its plan is only an order:
// the items are placed anew from the lowest up, each at the lowest offset that
// is free for it.
//
//===---------------------------------------------------------------------===//

#include "Pack/Improve/SkylinePacker.h"

#include "Pack/Place/Greedy.h"
#include "Pack/Place/Place.h"
#include "Pack/Place/Skyline.h"
#include "Pack/Task/Task.h"

//===---------------------------------------------------------------------===//
// Variations
//===---------------------------------------------------------------------===//

// What suits a problem differs between families, so the first runs try each
// once, the one that is best by and large before the others; from then on every
// other run varies the one that has done best.
static const BerthSkylineConfig kConfigs[] = {
    {BERTH_SKYLINE_SPAN, true, 0},  {BERTH_SKYLINE_SIZE, true, 0},
    {BERTH_SKYLINE_SPAN, false, 0}, {BERTH_SKYLINE_AREA, false, 0},
    {BERTH_SKYLINE_AREA, true, 0},  {BERTH_SKYLINE_SIZE, false, 0},
};
enum { kNumConfigs = sizeof kConfigs / sizeof *kConfigs };

typedef struct Variations {
  int64_t bestPeaks[kNumConfigs]; ///< of the hulls
} Variations;

static unsigned choose(const Variations *variations, unsigned run) {
  if (run < kNumConfigs)
    return run;
  unsigned best = 0;
  for (unsigned c = 1; c < kNumConfigs; ++c)
    if (variations->bestPeaks[c] < variations->bestPeaks[best])
      best = c;
  return run % 2 ? run / 2 % kNumConfigs : best;
}

static bool runOnce(BerthIncumbent *incumbent, const BerthHost *host,
                    BerthSkyline *skyline, Variations *variations,
                    BerthAnswer *candidate, unsigned run) {
  const BerthTask *task = incumbent->task;
  unsigned choice = choose(variations, run);
  BerthSkylineConfig config = kConfigs[choice];
  config.seed = run < kNumConfigs ? 0 : task->seed + run;
  uint64_t work = 0;
  int64_t peak = berthSkylineRun(skyline, config, candidate->offsets, &work);
  if (peak < variations->bestPeaks[choice])
    variations->bestPeaks[choice] = peak;
  bool goOn = host->step(host->context, work);
  if (!berthTaskIsPlain(task) && !berthReplaceInOrder(task, host, candidate))
    incumbent->failed = true;
  else
    berthIncumbentOffer(incumbent, candidate);
  return goOn;
}

void berthImproveBySkyline(BerthIncumbent *incumbent, const BerthHost *host,
                           unsigned from, unsigned to) {
  BerthMemory arena = {0};
  BerthAnswer candidate;
  Variations variations;
  for (unsigned c = 0; c < kNumConfigs; ++c)
    variations.bestPeaks[c] = INT64_MAX;
  BerthSkyline *skyline = berthSkylineCreate(incumbent->task, &arena);
  if (!skyline || !berthIncumbentCandidate(incumbent, &arena, &candidate))
    incumbent->failed = true;
  for (unsigned r = from; r < to && !berthIncumbentDone(incumbent); ++r)
    if (!runOnce(incumbent, host, skyline, &variations, &candidate, r))
      break;
  berthMemoryFree(&arena);
}

//===---------------------------------------------------------------------===//
// The packer
//===---------------------------------------------------------------------===//

enum { kPackerRuns = 2 * kNumConfigs };

static BerthStatus packSkyline(const BerthPacker *self, const BerthTask *task,
                               const BerthHost *host, BerthAnswer *answer) {
  (void)self;
  BerthIncumbent incumbent;
  berthIncumbentInit(&incumbent, task, host, answer);
  berthImproveBySkyline(&incumbent, host, 0, kPackerRuns);
  return berthIncumbentFinish(&incumbent);
}

const BerthPacker berthPackerSkyline = {
    .version = BERTH_PACKER_ABI,
    .size = sizeof(BerthPacker),
    .name = "skyline",
    .summary = "fill the lowest plateau, most critical section first (Berth; "
               "after Burke et al. 2004)",
    .capabilities = BERTH_PLACEMENT_CAPABILITIES | BERTH_CAN_CAPACITY,
    .pack = packSkyline};
