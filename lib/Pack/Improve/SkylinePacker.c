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

#include "Pack/Improve/Settle.h"
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
_Static_assert(sizeof kConfigs / sizeof *kConfigs == kBerthSkylineConfigs,
               "one for each");

/// What a run works with.
typedef struct Station {
  BerthIncumbent *incumbent;
  const BerthHost *host;
  BerthSkyline *skyline;
  const BerthPairTable *pairs; ///< where hulls are not all, or NULL
  BerthAnswer candidate;
} Station;

// From so many runs on, a table of pairs takes less time than it saves.
enum { kManyRuns = 3 };

static unsigned bestConfig(const BerthSkylineRuns *runs) {
  unsigned best = 0;
  for (unsigned c = 1; c < kBerthSkylineConfigs; ++c)
    if (runs->tried[c] &&
        (!runs->tried[best] || runs->lowest[c] < runs->lowest[best]))
      best = c;
  return best;
}

static unsigned chooseConfig(const BerthSkylineRuns *runs) {
  unsigned run = runs->made;
  if (run < kBerthSkylineConfigs)
    return run;
  return run % 2 ? run / 2 % kBerthSkylineConfigs : bestConfig(runs);
}

static void note(BerthSkylineRuns *runs, unsigned choice, int64_t peak) {
  ++runs->made;
  if (!runs->tried[choice] || peak < runs->lowest[choice])
    runs->lowest[choice] = peak;
  runs->tried[choice] = true;
}

static bool runOnce(Station *station, BerthSkylineRuns *runs) {
  BerthIncumbent *incumbent = station->incumbent;
  const BerthTask *task = incumbent->task;
  BerthAnswer *candidate = &station->candidate;
  unsigned choice = chooseConfig(runs);
  BerthSkylineConfig config = kConfigs[choice];
  if (runs->made >= kBerthSkylineConfigs)
    config.seed = task->seed + runs->made;
  uint64_t work = 0;
  note(runs, choice,
       berthSkylineRun(station->skyline, config, candidate->offsets, &work));
  bool goOn = station->host->step(station->host->context, work);
  if (berthTaskIsPlain(task))
    berthIncumbentOffer(incumbent, candidate);
  else
    berthOfferSettled(incumbent, station->host, station->pairs, candidate);
  return goOn;
}

void berthImproveBySkyline(BerthIncumbent *incumbent, const BerthHost *host,
                           const BerthPairTable *pairs, BerthSkylineRuns *runs,
                           unsigned upTo) {
  const BerthTask *task = incumbent->task;
  BerthMemory arena = {0};
  Station station = {.incumbent = incumbent, .host = host, .pairs = pairs};
  station.skyline = berthSkylineCreate(task, &arena);
  if (!pairs && !berthTaskIsPlain(task) && upTo >= runs->made + kManyRuns)
    station.pairs = berthPairTableCreate(task, &arena);
  if (arena.failed || !station.skyline ||
      !berthIncumbentCandidate(incumbent, &arena, &station.candidate))
    incumbent->failed = true;
  while (runs->made < upTo && !berthIncumbentDone(incumbent) &&
         runOnce(&station, runs))
    ;
  berthMemoryFree(&arena);
}

//===---------------------------------------------------------------------===//
// The packer
//===---------------------------------------------------------------------===//

enum { kPackerRuns = 2 * kBerthSkylineConfigs };

static BerthStatus packSkyline(const BerthPacker *self, const BerthTask *task,
                               const BerthHost *host, BerthAnswer *answer) {
  (void)self;
  BerthIncumbent incumbent;
  berthIncumbentInit(&incumbent, task, host, answer);
  BerthSkylineRuns runs = {0};
  berthImproveBySkyline(&incumbent, host, NULL, &runs, kPackerRuns);
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
