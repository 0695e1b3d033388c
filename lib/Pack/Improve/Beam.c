//===- Beam.c - Beam search over layers of memory ------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// One run of the skyline makes thousands of choices and is then judged by its
// peak alone. Here many plans grow side by side, layer by layer of memory, and
// after each layer only those that have lost the fewest bytes where memory is
// fullest grow on (beam search, Ow and Morton 1988):
//
//     layer 3                 ...        ...
//     layer 2        c a      c b        d a
//     layer 1       a  b  c         d  e  f      <- continued in several ways,
//                      \__ empty __/                the best ones are kept
//
// A layer is continued by one of a few rules for the next item, each with one
// of several rankings of all items, varied a little. No rule is good
// everywhere, but among many continuations some are. Of states with the same
// outline and the same items left only one is kept, since they have the same
// future; those that cannot become better than the best plan known are given
// up.
//
// Each round is twice as wide as the one before.
//
// Continuations are drawn up in batches, by several threads where there are
// several, and looked at in the order in which they were drawn. A batch goes by
// the best plan known when it began, so that threads never change the answer.
//
// Filling from below with what fits best where it touches its neighbours is
// after Burke, Kendall and Whitwell (2004) and Leung, Zhang and Sim (2011),
// both for packing strips.
//
//===---------------------------------------------------------------------===//

#include "Pack/Improve/Beam.h"

#include "Pack/Improve/Settle.h"
#include "Pack/Improve/SkylinePacker.h"
#include "Pack/Place/Outline.h"
#include "Pack/Task/Host.h"
#include "Support/Crew.h"
#include "Support/Random.h"
#include "Support/Sort.h"

#include <string.h>

enum {
  kLayers = 60,          ///< to fill memory up to the load
  kBranches = 10,        ///< ways to continue a state
  kNumKeys = 4,          ///< what rankings go by
  kRankings = 64,        ///< of a round
  kMostBytes = 1 << 26,  ///< of memory for all states
  kBatchBytes = 1 << 22, ///< of memory for those of a batch
  kMostDrafts = 256
};

/// How much it counts to touch the neighbours and to cover the most critical
/// section.
static const struct {
  uint32_t flush;
  uint32_t critical;
} kRules[] = {{0, 0}, {0, 1}, {2, 0}, {2, 1}, {1, 8}};
enum { kNumRules = sizeof kRules / sizeof *kRules };

/// A state of the beam.
typedef struct Entry {
  double guide;
  uint64_t hash;
  BerthOutline *state;
} Entry;

/// A continuation that is being drawn up.
typedef struct Draft {
  const BerthOutline *from;
  BerthOutlineRule rule;
  BerthOutline *state;
  bool drawn; ///< all that follows is known
  bool good;  ///< may become better than the best plan
  double guide;
  uint64_t hash;
  uint64_t work;
} Draft;

struct BerthBeam {
  BerthIncumbent *incumbent;
  const BerthHost *host; ///< of this run
  const BerthTask *task;
  BerthMemory arena;
  BerthOutlineItems *items; ///< one a thread; they differ in their trees only
  BerthAnswer candidate;
  uint32_t *ranks[kRankings];
  uint32_t *ranked[kRankings];
  uint32_t *scratch;
  uint64_t *keys;
  uint64_t random;
  bool stopped;
  // Of all rounds of one width.
  BerthMemoryMark mark; ///< before its states
  bool haveStates;
  uint32_t width;
  uint32_t mostWidth;
  // Of a round.
  bool inRound;
  int64_t height; ///< up to which the layer is filled
  uint32_t at;    ///< continuations of the current states that are done
  Entry *current; ///< numCurrent states that are continued
  uint32_t numCurrent;
  Entry *next; ///< by guide; the entries behind them hold states to spare
  uint32_t numNext;
  // Of a batch.
  Draft *drafts; ///< numDrafts, of which those before nextDraft are done
  uint32_t mostDrafts;
  uint32_t numDrafts;
  uint32_t nextDraft;
  int64_t limit; ///< no plan of this batch with such a peak is of use
};

bool berthBeamCanHandle(const BerthTask *task) {
  const uint32_t native = BERTH_CAN_SEGMENTS | BERTH_CAN_ALIGNMENT |
                          BERTH_CAN_CAPACITY | BERTH_CAN_HINTS |
                          BERTH_CAN_GROUPS;
  return !(task->features & ~native);
}

//===---------------------------------------------------------------------===//
// Rankings
//===---------------------------------------------------------------------===//

static double keyOf(const BerthOutlineItems *items, unsigned key,
                    uint32_t position) {
  double span = items->uppers[position] - items->lowers[position];
  double bytes = (double)items->sizes[position];
  switch (key) {
  case 0:
    return span;
  case 1:
    return bytes;
  case 2:
    return span * bytes;
  default:
    return span * bytes * bytes;
  }
}

// Positive doubles sort like their bits; largest first.
static uint64_t sortKey(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return ~bits;
}

// Ranks all items by a key, varied by up to 30 %.
static void rankItems(BerthBeam *beam, unsigned ranking) {
  uint32_t n = beam->task->numItems, *ranked = beam->ranked[ranking];
  for (uint32_t p = 0; p < n; ++p) {
    double noise =
        0.7 + 0.6 * (double)(berthNextRandom(&beam->random) >> 40) / (1 << 24);
    beam->keys[p] = sortKey(keyOf(beam->items, ranking % kNumKeys, p) * noise);
    ranked[p] = p;
  }
  berthSortByKey(ranked, beam->scratch, n, beam->keys);
  for (uint32_t r = 0; r < n; ++r)
    beam->ranks[ranking][ranked[r]] = r;
}

//===---------------------------------------------------------------------===//
// Layers
//===---------------------------------------------------------------------===//

static bool isOver(const BerthBeam *beam) {
  return beam->stopped || berthIncumbentDone(beam->incumbent);
}

// A plan of the hulls. Where there are holes it is an order of placement.
static void offer(BerthBeam *beam, const BerthOutline *plan) {
  for (uint32_t p = 0; p < beam->items->numItems; ++p)
    beam->candidate.offsets[beam->items->items[p]] = plan->offsets[p];
  bool holes = beam->task->features & BERTH_CAN_SEGMENTS;
  if (holes)
    berthOfferSettled(beam->incumbent, beam->host, NULL, &beam->candidate);
  else
    berthIncumbentOffer(beam->incumbent, &beam->candidate);
}

// Where the guide belongs among the next states: after its equals.
static uint32_t rankOf(const BerthBeam *beam, double guide) {
  uint32_t low = 0, high = beam->numNext;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (beam->next[middle].guide <= guide)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// Takes the draft's state among the next ones if it is good and new; the draft
// gets one to spare for it.
static void keep(BerthBeam *beam, Draft *draft) {
  Entry *next = beam->next;
  Entry entry = {draft->guide, draft->hash, draft->state};
  uint32_t at = rankOf(beam, entry.guide);
  if (at == beam->width)
    return;
  for (uint32_t k = at; k-- > 0 && next[k].guide == entry.guide;)
    if (next[k].hash == entry.hash)
      return;
  uint32_t last = beam->numNext;
  if (last == beam->width)
    --last;
  else
    ++beam->numNext;
  draft->state = next[last].state;
  memmove(next + at + 1, next + at, (last - at) * sizeof *next);
  next[at] = entry;
}

// Continues a state up to the layer's height. Several threads do.
static void draw(void *context, unsigned hand, uint32_t index) {
  BerthBeam *beam = context;
  Draft *draft = &beam->drafts[index];
  BerthOutlineItems *items = &beam->items[hand];
  draft->work = 1;
  berthOutlineCopy(draft->state, draft->from, items);
  draft->good = berthOutlineFill(draft->state, items, &draft->rule,
                                 beam->height, beam->limit, &draft->work);
  if (draft->good) {
    draft->work += items->numSections;
    draft->guide = berthOutlineGuide(draft->state, items);
    draft->hash = berthOutlineHash(draft->state, items);
  }
  draft->drawn = true;
}

static void finish(BerthBeam *beam, Draft *draft) {
  if (!draft->drawn)
    draw(beam, 0, (uint32_t)(draft - beam->drafts));
  if (draft->good && draft->state->left > 0)
    keep(beam, draft);
  else if (draft->good && draft->state->peak < beam->incumbent->peak)
    offer(beam, draft->state);
  // What is looked at here costs about twice as much as elsewhere.
  if (!beam->host->step(beam->host->context, 2 * draft->work))
    beam->stopped = true;
}

// The next continuations of the current states.
static void beginBatch(BerthBeam *beam) {
  uint32_t left = beam->numCurrent * kBranches - beam->at;
  beam->numDrafts = left < beam->mostDrafts ? left : beam->mostDrafts;
  beam->nextDraft = 0;
  beam->limit = beam->incumbent->peak;
  for (uint32_t k = 0; k < beam->numDrafts; ++k, ++beam->at) {
    unsigned ranking = (unsigned)(berthNextRandom(&beam->random) % kRankings);
    unsigned rule = beam->at % kBranches % kNumRules;
    Draft *draft = &beam->drafts[k];
    draft->from = beam->current[beam->at / kBranches].state;
    draft->rule =
        (BerthOutlineRule){kRules[rule].flush, kRules[rule].critical,
                           beam->ranks[ranking], beam->ranked[ranking]};
    draft->drawn = false;
  }
  BerthCrew *crew = berthHostCrew(berthHostState(beam->host));
  if (crew) // else each is drawn when it is looked at
    berthCrewRun(crew, beam->numDrafts, draw, NULL, beam);
}

static void beginLayer(BerthBeam *beam) {
  int64_t layer = beam->items->load / kLayers + 1;
  beam->height =
      beam->height < INT64_MAX - layer ? beam->height + layer : INT64_MAX;
  beam->numNext = 0;
  beam->at = 0;
}

// Goes on with the layer. False: it is not at its end yet.
static bool runLayer(BerthBeam *beam) {
  for (;;) {
    if (isOver(beam))
      return false;
    if (beam->nextDraft < beam->numDrafts)
      finish(beam, &beam->drafts[beam->nextDraft++]);
    else if (beam->at < beam->numCurrent * kBranches)
      beginBatch(beam);
    else
      break;
  }
  Entry *swap = beam->current;
  beam->current = beam->next;
  beam->next = swap;
  beam->numCurrent = beam->numNext;
  return true;
}

//===---------------------------------------------------------------------===//
// Rounds
//===---------------------------------------------------------------------===//

// Their number does not depend on the threads.
static bool createDrafts(BerthBeam *beam) {
  BerthMemory *arena = &beam->arena;
  size_t most = kBatchBytes / berthOutlineBytes(beam->items);
  beam->mostDrafts = most > kMostDrafts ? kMostDrafts : (uint32_t)most + 1;
  beam->drafts = BERTH_MEMORY_NEW(arena, Draft, beam->mostDrafts);
  for (uint32_t k = 0; beam->drafts && k < beam->mostDrafts; ++k) {
    beam->drafts[k].state = BERTH_MEMORY_NEW(arena, BerthOutline, 1);
    if (!beam->drafts[k].state ||
        !berthOutlineInit(beam->drafts[k].state, beam->items, arena))
      return false;
  }
  return beam->drafts != NULL;
}

static bool createStates(BerthBeam *beam) {
  BerthMemory *arena = &beam->arena;
  uint32_t count = 2 * beam->width;
  BerthOutline *states = BERTH_MEMORY_NEW(arena, BerthOutline, count);
  beam->current = BERTH_MEMORY_NEW(arena, Entry, beam->width);
  beam->next = BERTH_MEMORY_NEW(arena, Entry, beam->width);
  if (arena->failed)
    return false;
  for (uint32_t k = 0; k < count; ++k)
    if (!berthOutlineInit(&states[k], beam->items, arena))
      return false;
  for (uint32_t k = 0; k < beam->width; ++k) {
    beam->current[k].state = &states[2 * k];
    beam->next[k].state = &states[2 * k + 1];
  }
  return true;
}

// What the round before has left in them is overwritten. They are many: to
// make them anew took longer than rounds of a few blocks.
static bool prepareStates(BerthBeam *beam) {
  if (!beam->haveStates) {
    beam->mark = berthMemoryGetMark(&beam->arena);
    beam->haveStates = createStates(beam) && createDrafts(beam);
  }
  beam->numDrafts = beam->nextDraft = 0;
  return beam->haveStates;
}

static void beginRound(BerthBeam *beam) {
  uint64_t items = beam->task->numItems;
  if (!prepareStates(beam)) {
    beam->incumbent->failed = true;
    return;
  }
  for (unsigned r = 0; r < kRankings; ++r)
    rankItems(beam, r);
  if (!beam->host->step(beam->host->context, kRankings * items))
    beam->stopped = true;
  berthOutlineReset(beam->current[0].state, beam->items);
  beam->numCurrent = 1;
  beam->height = 0;
  beginLayer(beam);
  beam->inRound = true;
}

static void endRound(BerthBeam *beam) {
  beam->inRound = false;
  if (2 * beam->width > beam->mostWidth)
    return;
  berthMemoryRelease(&beam->arena, beam->mark);
  beam->haveStates = false;
  beam->width *= 2;
}

// Tables to fill outlines with, for each thread a tree of its own.
static bool initItems(BerthBeam *beam, unsigned hands) {
  BerthMemory *arena = &beam->arena;
  beam->items = BERTH_MEMORY_NEW(arena, BerthOutlineItems, hands);
  if (!beam->items ||
      !berthOutlineItemsInit(&beam->items[0], beam->task, arena))
    return false;
  for (unsigned h = 1; h < hands; ++h) {
    beam->items[h] = beam->items[0];
    if (!berthItemTreeInitLike(&beam->items[h].tree, &beam->items[0].tree,
                               arena))
      return false;
  }
  return true;
}

static bool initBeam(BerthBeam *beam) {
  const BerthHostState *host = berthHostState(beam->incumbent->host);
  BerthMemory *arena = &beam->arena;
  uint32_t n = beam->task->numItems;
  for (unsigned r = 0; r < kRankings; ++r) {
    beam->ranks[r] = BERTH_MEMORY_NEW(arena, uint32_t, n);
    beam->ranked[r] = BERTH_MEMORY_NEW(arena, uint32_t, n);
  }
  beam->scratch = BERTH_MEMORY_NEW(arena, uint32_t, n);
  beam->keys = BERTH_MEMORY_NEW(arena, uint64_t, n);
  return !arena->failed && initItems(beam, berthHostHands(host)) &&
         berthIncumbentCandidate(beam->incumbent, arena, &beam->candidate);
}

BerthBeam *berthBeamCreate(BerthIncumbent *incumbent, uint32_t width,
                           BerthMemory *arena) {
  BerthBeam *beam = BERTH_MEMORY_NEW(arena, BerthBeam, 1);
  if (!beam)
    return NULL;
  beam->incumbent = incumbent;
  beam->task = incumbent->task;
  beam->random = incumbent->task->seed + width;
  beam->width = width;
  if (!initBeam(beam)) {
    berthBeamDestroy(beam);
    return NULL;
  }
  beam->mostWidth =
      (uint32_t)(kMostBytes / (2 * berthOutlineBytes(beam->items)));
  return beam;
}

void berthBeamRun(BerthBeam *beam, const BerthHost *host) {
  beam->host = host;
  beam->stopped = false;
  while (!isOver(beam)) {
    if (!beam->inRound)
      beginRound(beam);
    else if (beam->numCurrent == 0)
      endRound(beam);
    else if (runLayer(beam))
      beginLayer(beam);
  }
}

void berthBeamDestroy(BerthBeam *beam) {
  if (!beam)
    return;
  berthMemoryFree(&beam->arena);
}

//===---------------------------------------------------------------------===//
// The packer
//===---------------------------------------------------------------------===//

enum { kFirstWidth = 16 };

static BerthStatus packBeam(const BerthPacker *self, const BerthTask *task,
                            const BerthHost *host, BerthAnswer *answer) {
  (void)self;
  BerthIncumbent incumbent;
  berthIncumbentInit(&incumbent, task, host, answer);
  BerthSkylineRuns runs = {0};
  berthImproveBySkyline(&incumbent, host, NULL, &runs, 1);
  BerthMemory arena = {0};
  BerthBeam *beam = berthBeamCreate(&incumbent, kFirstWidth, &arena);
  if (beam)
    berthBeamRun(beam, host);
  incumbent.failed |= !beam;
  berthBeamDestroy(beam);
  berthMemoryFree(&arena);
  return berthIncumbentFinish(&incumbent);
}

const BerthPacker berthPackerBeam = {
    .version = BERTH_PACKER_ABI,
    .size = sizeof(BerthPacker),
    .name = "beam",
    .summary = "many plans side by side, layer by layer; those with the least "
               "waste go on (Berth)",
    .capabilities =
        BERTH_CAN_SEGMENTS | BERTH_CAN_ALIGNMENT | BERTH_CAN_CAPACITY,
    .defaultSteps = UINT64_C(1) << 29,
    .pack = packBeam};
