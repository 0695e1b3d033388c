//===- Boxing.c - Boxing: nearly uniform boxes, then first fit -----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Buchsbaum, Karloff, Kenyon, Reingold and Thorup, "OPT versus LOAD in Dynamic
// Storage Allocation" (STOC 2003), made practical the way of idealloc
// (Lamprakos et al.):
//
//   Theorem 16    while it is safe, put all small jobs into boxes of one height
//                 (Corollary 15); boxes and large jobs are the next instance
//   Corollary 15  jobs by geometric classes of height, each by Theorem 2
//   Theorem 2     jobs live at critical points, in groups, go to Lemma 1; what
//                 it leaves is coloured into rows, boxed h rows at a time; the
//                 rows' gaps are the critical points for the jobs in between
//   Lemma 1       of a group that is live at one point, shave off two outer
//                 strips; box the inner ones h jobs at a time
//
// The last boxes have one height, so colouring places them. Opened from the top
// (only now), they give every item an offset that is valid but loose; placing
// items by first fit in that order tightens it. The first critical points are
// random: each *life* draws others, and the best one counts.
//
//===---------------------------------------------------------------------===//

#include "Pack/Baselines/Boxes.h"
#include "Pack/Place/Greedy.h"
#include "Pack/Task/Host.h"
#include "Support/Sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { kLives = 64, kMostRounds = 64, kEpsilonTries = 3 };

/// mu must stay below this for Corollary 15 (the golden ratio's inverse).
#define MU_LIMIT 0.61803398874989485

/// Ratio of heights that the theory needs; a dummy job provides it.
#define LEAST_RATIO 2216.54

typedef struct Boxing {
  const BerthTask *task;
  const BerthHost *host;
  BerthBoxes boxes;
  BerthJobs input; ///< the items and, where needed, the dummy
  uint64_t random;
  bool stopped;
} Boxing;

/// Parameters of Theorem 16 for one instance.
typedef struct Scale {
  double ratio; ///< highest by lowest job
  double highest;
  double mu;
  double box;    ///< height of the boxes for small jobs
  double target; ///< what counts as small
  bool safe;
} Scale;

static uint32_t randomBelow(Boxing *b, uint32_t bound) {
  b->random ^= b->random << 13;
  b->random ^= b->random >> 7;
  b->random ^= b->random << 17;
  return (uint32_t)((b->random >> 11) % bound);
}

static const BerthJob *jobAt(const Boxing *b, const BerthJobs *list,
                             uint32_t i) {
  return &b->boxes.jobs[list->data[i]];
}

//===---------------------------------------------------------------------===//
// Lemma 1
//===---------------------------------------------------------------------===//

/// Jobs by birth and by death, from which strips are cut at either end.
typedef struct Strips {
  BerthJobs byBirth;
  BerthJobs byDeath;
  uint32_t first; ///< next in byBirth
  uint32_t last;  ///< one past the next in byDeath
  bool *cut;      ///< by job
} Strips;

// The next `most` jobs: the earliest births, or the latest deaths.
static BerthJobs cutStrip(Boxing *b, Strips *strips, double most, bool births) {
  BerthJobs strip = {0};
  while (strip.count < most) {
    if (births ? strips->first == strips->byBirth.count : strips->last == 0)
      break;
    uint32_t job = births ? strips->byBirth.data[strips->first++]
                          : strips->byDeath.data[--strips->last];
    if (!strips->cut[job])
      berthJobsPush(&b->boxes, &strip, job);
    strips->cut[job] = true;
  }
  return strip;
}

// Boxes a strip, h jobs at a time: those of early births by death, and the
// other way round.
static void boxStrip(Boxing *b, BerthJobs *strip, double h, double height,
                     bool births, BerthJobs *out) {
  BerthJobs group = {0};
  berthJobsSort(&b->boxes, strip, births);
  for (uint32_t i = 0; i < strip->count; ++i) {
    berthJobsPush(&b->boxes, &group, strip->data[i]);
    if (group.count >= h || i + 1 == strip->count) {
      berthJobsPush(&b->boxes, out, berthBoxesWrap(&b->boxes, group, height));
      group = (BerthJobs){0};
    }
  }
}

static void lemma1(Boxing *b, const BerthJobs *group, double h, double height,
                   double epsilon, BerthJobs *out, BerthJobs *unresolved) {
  double outer = h * ceil(1 / (epsilon * epsilon));
  if (group->count <= 2 * outer) {
    berthJobsAppend(&b->boxes, unresolved, group);
    return;
  }
  Strips strips = {.last = group->count};
  berthJobsAppend(&b->boxes, &strips.byBirth, group);
  berthJobsAppend(&b->boxes, &strips.byDeath, group);
  strips.cut = BERTH_MEMORY_NEW(b->boxes.arena, bool, b->boxes.count);
  if (b->boxes.arena->failed)
    return;
  berthJobsSort(&b->boxes, &strips.byBirth, false);
  berthJobsSort(&b->boxes, &strips.byDeath, true);
  for (unsigned side = 0; side < 2; ++side) {
    BerthJobs strip = cutStrip(b, &strips, outer, side == 0);
    berthJobsAppend(&b->boxes, unresolved, &strip);
  }
  bool births = true;
  for (uint32_t empty = 0; empty < 2; births = !births) {
    BerthJobs strip = cutStrip(b, &strips, h * ceil(1 / epsilon), births);
    empty = strip.count ? 0 : empty + 1;
    boxStrip(b, &strip, h, height, births, out);
  }
}

//===---------------------------------------------------------------------===//
// Theorem 2
//===---------------------------------------------------------------------===//

/// Ascending times; the first and the last bound the jobs.
typedef BerthJobs Points;

static int compareTimes(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static void tidyPoints(Points *points) {
  uint32_t kept = 0;
  if (!points->count) // memory ran out: there is no array
    return;
  qsort(points->data, points->count, sizeof *points->data, compareTimes);
  for (uint32_t i = 1; i < points->count; ++i)
    if (points->data[i] != points->data[kept])
      points->data[++kept] = points->data[i];
  points->count = kept + 1;
}

// A point just inside some job's start or end, strictly within (lower, upper).
static uint32_t randomPoint(Boxing *b, const BerthJobs *jobs) {
  uint32_t pick = randomBelow(b, 2 * jobs->count);
  const BerthJob *job = jobAt(b, jobs, pick / 2);
  return pick % 2 ? job->death - 1 : job->birth + 1;
}

// Groups jobs by the middle one of the points at which they are live, then
// those before and after it likewise; each group goes to Lemma 1.
static void groupJobs(Boxing *b, const BerthJobs *jobs, const uint32_t *points,
                      uint32_t count, double h, double height, double epsilon,
                      BerthJobs *out, BerthJobs *unresolved) {
  if (jobs->count == 0 || count == 0)
    return;
  uint32_t middle = count / 2;
  BerthJobs parts[3] = {{0}};
  for (uint32_t i = 0; i < jobs->count; ++i) {
    const BerthJob *job = jobAt(b, jobs, i);
    unsigned part = berthIsLiveAt(job, points[middle]) ? 1
                    : job->death <= points[middle]     ? 0
                                                       : 2;
    berthJobsPush(&b->boxes, &parts[part], jobs->data[i]);
  }
  lemma1(b, &parts[1], h, height, epsilon, out, unresolved);
  groupJobs(b, &parts[0], points, middle, h, height, epsilon, out, unresolved);
  groupJobs(b, &parts[2], points + middle + 1, count - middle - 1, h, height,
            epsilon, out, unresolved);
}

// Colours what is unresolved and boxes h rows at a time. The ends of the rows'
// jobs bound their gaps, and so become critical points.
static void boxRows(Boxing *b, BerthJobs *unresolved, double h, double height,
                    Points *gaps, BerthJobs *out) {
  uint32_t *rows =
      BERTH_MEMORY_NEW(b->boxes.arena, uint32_t, unresolved->count);
  if (!rows)
    return;
  uint32_t count = berthJobsColor(&b->boxes, unresolved, rows);
  if (b->boxes.arena->failed)
    return;
  uint32_t step = h < count ? (uint32_t)h : count;
  uint32_t groups = count ? (count + step - 1) / step : 0;
  BerthJobs *contents = BERTH_MEMORY_NEW(b->boxes.arena, BerthJobs, groups);
  for (uint32_t i = 0; contents && i < unresolved->count; ++i) {
    const BerthJob *job = jobAt(b, unresolved, i);
    berthJobsPush(&b->boxes, gaps, job->birth);
    berthJobsPush(&b->boxes, gaps, job->death);
    berthJobsPush(&b->boxes, &contents[rows[i] / step], unresolved->data[i]);
  }
  for (uint32_t i = 0; contents && i < groups; ++i)
    berthJobsPush(&b->boxes, out,
                  berthBoxesWrap(&b->boxes, contents[i], height));
  tidyPoints(gaps);
}

static void theorem2(Boxing *b, BerthJobs *jobs, Points points, double h,
                     double height, double epsilon, BerthJobs *out);

// The jobs strictly between two critical points, with the gaps that lie there
// as points of their own; a random one where no job is live at any of these.
static void recurse(Boxing *b, BerthJobs *jobs, uint32_t lower, uint32_t upper,
                    const Points *gaps, double h, double height, double epsilon,
                    BerthJobs *out) {
  Points inner = {0};
  bool live = false;
  for (uint32_t i = 0; i < gaps->count; ++i) {
    uint32_t time = gaps->data[i];
    if (time <= lower || time >= upper)
      continue;
    berthJobsPush(&b->boxes, &inner, time);
    for (uint32_t k = 0; !live && k < jobs->count; ++k)
      live = berthIsLiveAt(jobAt(b, jobs, k), time);
  }
  if (!live)
    berthJobsPush(&b->boxes, &inner, randomPoint(b, jobs));
  berthJobsPush(&b->boxes, &inner, lower);
  berthJobsPush(&b->boxes, &inner, upper);
  tidyPoints(&inner);
  theorem2(b, jobs, inner, h, height, epsilon, out);
}

static void theorem2(Boxing *b, BerthJobs *jobs, Points points, double h,
                     double height, double epsilon, BerthJobs *out) {
  BerthJobs live = {0}, unresolved = {0};
  Points gaps = {0};
  if (b->boxes.arena->failed)
    return;
  uint32_t numParts = points.count - 1;
  BerthJobs *parts = BERTH_MEMORY_NEW(b->boxes.arena, BerthJobs, numParts);
  if (!parts)
    return;
  if (!b->host->step(b->host->context, jobs->count)) {
    b->stopped = true; // this life is lost
    return;
  }
  berthJobsSort(&b->boxes, jobs, false);
  for (uint32_t i = 0, part = 0; i < jobs->count; ++i) {
    const BerthJob *job = jobAt(b, jobs, i);
    while (part + 1 < numParts && points.data[part + 1] <= job->birth)
      ++part;
    bool within = job->death <= points.data[part + 1];
    berthJobsPush(&b->boxes, within ? &parts[part] : &live, jobs->data[i]);
  }
  groupJobs(b, &live, points.data + 1, points.count - 2, h, height, epsilon,
            out, &unresolved);
  boxRows(b, &unresolved, h, height, &gaps, out);
  for (uint32_t part = 0; part < numParts && !b->stopped; ++part)
    if (parts[part].count)
      recurse(b, &parts[part], points.data[part], points.data[part + 1], &gaps,
              h, height, epsilon, out);
}

//===---------------------------------------------------------------------===//
// Corollary 15 and Theorem 16
//===---------------------------------------------------------------------===//

static void boxClass(Boxing *b, BerthJobs *jobs, double ceiling, double height,
                     double mu, BerthJobs *out) {
  Points points = {0};
  uint32_t birth = UINT32_MAX, death = 0;
  if (b->boxes.arena->failed)
    return;
  for (uint32_t i = 0; i < jobs->count; ++i) {
    birth = jobAt(b, jobs, i)->birth < birth ? jobAt(b, jobs, i)->birth : birth;
    death = jobAt(b, jobs, i)->death > death ? jobAt(b, jobs, i)->death : death;
  }
  berthJobsPush(&b->boxes, &points, birth);
  berthJobsPush(&b->boxes, &points, randomPoint(b, jobs));
  berthJobsPush(&b->boxes, &points, death);
  if (b->boxes.arena->failed)
    return;
  double h = floor(height / ceiling);
  theorem2(b, jobs, points, h > 1 ? h : 1, height, mu, out);
}

// Boxes all jobs, by classes of height (1 + mu)^i, into boxes of one height.
static BerthJobs corollary15(Boxing *b, const BerthJobs *jobs, double height,
                             double mu) {
  BerthJobs out = {0}, left = {0};
  berthJobsAppend(&b->boxes, &left, jobs);
  while (left.count && !b->stopped && !b->boxes.arena->failed) {
    BerthJobs same = {0}, rest = {0};
    double lowest = INFINITY;
    for (uint32_t i = 0; i < left.count; ++i)
      lowest = fmin(lowest, jobAt(b, &left, i)->height);
    double power = ceil(log(lowest) / log1p(mu) - 1e-9);
    double ceiling = fmax(lowest, floor(pow(1 + mu, power)));
    for (uint32_t i = 0; i < left.count; ++i)
      berthJobsPush(&b->boxes,
                    jobAt(b, &left, i)->height <= ceiling ? &same : &rest,
                    left.data[i]);
    boxClass(b, &same, ceiling, height, mu, &out);
    left = rest;
  }
  return out;
}

static Scale scaleOf(const Boxing *b, const BerthJobs *jobs, double epsilon) {
  double lowest = INFINITY, highest = 0;
  for (uint32_t i = 0; i < jobs->count; ++i) {
    lowest = fmin(lowest, jobAt(b, jobs, i)->height);
    highest = fmax(highest, jobAt(b, jobs, i)->height);
  }
  Scale scale = {.ratio = highest / lowest, .highest = highest};
  double lg2r = pow(log2(scale.ratio), 2);
  scale.mu = lg2r > 0 ? epsilon / lg2r : INFINITY;
  scale.box = ceil(pow(scale.mu, 5) * highest / lg2r);
  scale.target = floor(scale.mu * scale.box);
  scale.safe = scale.mu < MU_LIMIT && scale.target >= lowest;
  return scale;
}

// The first phase of Theorem 16, for as long as its conditions hold.
static BerthJobs theorem16(Boxing *b, double epsilon) {
  BerthJobs jobs = b->input;
  for (unsigned round = 0; round < kMostRounds && !b->stopped; ++round) {
    Scale scale = scaleOf(b, &jobs, epsilon);
    if (!scale.safe || b->boxes.arena->failed)
      break;
    BerthJobs small = {0}, next = {0};
    for (uint32_t i = 0; i < jobs.count; ++i)
      berthJobsPush(&b->boxes,
                    jobAt(b, &jobs, i)->height <= scale.target ? &small : &next,
                    jobs.data[i]);
    BerthJobs boxed = corollary15(b, &small, scale.box, scale.mu);
    berthJobsAppend(&b->boxes, &next, &boxed);
    jobs = next;
  }
  return jobs;
}

//===---------------------------------------------------------------------===//
// Lives
//===---------------------------------------------------------------------===//

static void addItems(Boxing *b) {
  const BerthTask *task = b->task;
  double lowest = INFINITY, highest = 0;
  for (uint32_t i = 0; i < task->numItems; ++i) {
    double height = (double)task->sizes[i];
    lowest = fmin(lowest, height);
    highest = fmax(highest, height);
    berthJobsPush(
        &b->boxes, &b->input,
        berthBoxesAdd(&b->boxes, (BerthJob){.height = height,
                                            .birth = 2 * task->lowers[i],
                                            .death = 2 * task->uppers[i],
                                            .item = i}));
  }
  if (highest / lowest > LEAST_RATIO)
    return;
  BerthJob dummy = {.height = ceil(LEAST_RATIO * lowest),
                    .death = 2 * task->numSections,
                    .item = UINT32_MAX};
  berthJobsPush(&b->boxes, &b->input, berthBoxesAdd(&b->boxes, dummy));
}

// Runs one life and writes the items in the order of their loose offsets.
static bool live(Boxing *b, double epsilon, uint32_t *order) {
  uint32_t n = b->task->numItems;
  addItems(b);
  BerthJobs jobs = theorem16(b, epsilon);
  Scale scale = scaleOf(b, &jobs, epsilon);
  double mu = scale.mu < MU_LIMIT ? scale.mu : 0.99 * MU_LIMIT;
  BerthJobs boxed = corollary15(b, &jobs, scale.highest / mu, mu);
  double *offsets = BERTH_MEMORY_NEW(b->boxes.arena, double, n);
  uint64_t *keys = BERTH_MEMORY_NEW(b->boxes.arena, uint64_t, n);
  uint32_t *scratch = BERTH_MEMORY_NEW(b->boxes.arena, uint32_t, n);
  if (b->boxes.arena->failed || b->stopped)
    return false;
  berthBoxesOpen(&b->boxes, &boxed, 0, offsets);
  for (uint32_t i = 0; i < n; ++i) {
    order[i] = i;
    memcpy(&keys[i], &offsets[i], sizeof *keys); // not negative: bits sort
  }
  berthSortByKey(order, scratch, n, keys);
  return !b->boxes.arena->failed;
}

// The epsilon, of some between the ends of its range, that leaves the smallest
// ratio of heights after Theorem 16.
static double chooseEpsilon(const Boxing *model) {
  double best = 1, least = INFINITY, epsilon = 0, end = 1;
  for (unsigned tries = 0, left = kEpsilonTries; left > 0; ++tries) {
    Boxing b = *model;
    BerthMemory arena = {0};
    b.boxes.arena = &arena;
    addItems(&b);
    if (tries == 0) {
      double ratio = scaleOf(&b, &b.input, 1).ratio;
      double lg2r = pow(log2(ratio), 2);
      epsilon = pow(pow(lg2r, 7) / ratio, 1.0 / 6);
      end = MU_LIMIT * lg2r;
    }
    BerthJobs jobs = theorem16(&b, epsilon);
    double ratio = scaleOf(&b, &jobs, epsilon).ratio;
    berthMemoryFree(&arena);
    if (b.stopped)
      break;
    left = ratio < least ? kEpsilonTries : left - 1;
    best = ratio < least ? epsilon : best;
    least = fmin(least, ratio);
    epsilon += (end - epsilon) * 0.01;
  }
  return best;
}

static bool liveOn(const Boxing *model, BerthAnswer *answer) {
  const BerthTask *task = model->task;
  int64_t best = berthAnswerPeak(task, answer);
  double epsilon = chooseEpsilon(model);
  uint64_t random = model->random;
  bool memory = true;
  for (unsigned left = kLives; memory && left > 0 && best > task->lowerBound &&
                               model->host->step(model->host->context, 1);
       --left) {
    BerthMemory arena = {0};
    BerthAnswer trial;
    Boxing b = *model;
    b.boxes.arena = &arena;
    b.random = random;
    uint32_t *order = BERTH_MEMORY_NEW(&arena, uint32_t, task->numItems);
    bool placed = order && live(&b, epsilon, order) &&
                  berthAnswerInit(&trial, task, &arena) &&
                  berthPlaceInOrder(order, BERTH_FIT_FIRST, task, model->host,
                                    &trial, &arena);
    memory = !arena.failed;
    random = b.random;
    if (placed && berthAnswerPeak(task, &trial) < best) {
      best = berthAnswerPeak(task, &trial);
      memcpy(answer->offsets, trial.offsets,
             task->numItems * sizeof *trial.offsets);
      model->host->report(model->host->context, answer);
      left = kLives + 1;
    }
    berthMemoryFree(&arena);
  }
  return memory;
}

static BerthStatus packBoxing(const BerthPacker *self, const BerthTask *task,
                              const BerthHost *host, BerthAnswer *answer) {
  static const BerthGreedyRow kBaseline = {
      .keys = {BERTH_KEY_SIZE_DOWN, BERTH_KEY_LIFETIME_DOWN}};
  (void)self;
  BerthMemory arena = {0};
  Boxing model = {.task = task,
                  .host = host,
                  .random = task->seed + UINT64_C(0xD1B54A32D192ED03)};
  const uint32_t *order = berthGreedyOrder(&kBaseline, task, host, &arena);
  bool done = order && berthPlaceInOrder(order, BERTH_FIT_BEST, task, host,
                                         answer, &arena);
  if (done)
    host->report(host->context, answer);
  done = done && liveOn(&model, answer);
  berthMemoryFree(&arena);
  return done ? BERTH_SUCCESS : BERTH_RESOURCE;
}

const BerthPacker berthPackerBoxing = {
    .version = BERTH_PACKER_ABI,
    .size = sizeof(BerthPacker),
    .name = "boxing",
    .summary = "boxes of one height, opened and tightened by first fit "
               "(Buchsbaum et al. 2003; idealloc)",
    .capabilities = BERTH_PLACEMENT_CAPABILITIES & ~(uint32_t)BERTH_CAN_POOLS,
    .defaultSteps = UINT64_C(1) << 26,
    .pack = packBoxing};
