//===- RandomProblem.h - Small problems at random, for tests ------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A problem is drawn from a source of small numbers: the bytes of a fuzzer's
// input as long as they last, then a generator with a seed. What features it
// may have is a mask of BERTH_CAN_* bits. Not every problem passes the check
// (pins may collide); a test skips those that do not.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_TEST_RANDOMPROBLEM_H
#define BERTH_TEST_RANDOMPROBLEM_H

#include "berth-c/Packer.h"

#include <string.h>

/// How many problems a test draws. Sanitizers look for other mistakes than
/// wrong answers, and slow everything down; there a tenth will do.
static inline uint64_t randomCount(uint64_t count) {
#ifdef BERTH_TEST_SLOWLY
  return count / 10;
#else
  return count;
#endif
}

typedef struct RandomSource {
  const uint8_t *data;
  size_t size;
  uint64_t state;
} RandomSource;

/// What to draw. All bounds are inclusive and at least 1.
typedef struct RandomShape {
  uint32_t maxBuffers;
  int64_t maxTime;
  int64_t maxSize;
  uint32_t features;
} RandomShape;

static inline RandomSource randomFromSeed(uint64_t seed) {
  return (RandomSource){.state = seed * UINT64_C(0x9E3779B97F4A7C15) + 1};
}

/// Some of `features`: the hash of the seed turns each on or off.
static inline uint32_t randomFeatures(uint64_t seed, uint32_t features) {
  return (uint32_t)(seed * UINT64_C(0x9E3779B97F4A7C15) >> 40) & features;
}

static inline RandomSource randomFromBytes(const uint8_t *data, size_t size) {
  return (RandomSource){.data = data, .size = size, .state = 1};
}

// A number in [0, bound).
static inline int64_t randomBelow(RandomSource *source, int64_t bound) {
  if (source->size) {
    --source->size;
    return *source->data++ % bound;
  }
  source->state ^= source->state << 13;
  source->state ^= source->state >> 7;
  source->state ^= source->state << 17;
  return (int64_t)(source->state >> 11) % bound;
}

// True once in `times`.
static inline bool randomOnce(RandomSource *source, int64_t times) {
  return randomBelow(source, times) == 0;
}

static inline size_t randomSegments(RandomSource *source, bool several,
                                    int64_t maxTime, BerthSegment *out) {
  size_t count = 0;
  int64_t at = randomBelow(source, maxTime);
  do {
    int64_t length = 1 + randomBelow(source, maxTime);
    int64_t upper = at + length > maxTime ? maxTime : at + length;
    out[count++] = (BerthSegment){at, upper};
    at = upper + 1 + randomBelow(source, 2);
  } while (several && count < 3 && at < maxTime && randomOnce(source, 2));
  return count;
}

// Up to one gap in each segment.
static inline size_t randomGaps(RandomSource *source,
                                const BerthSegment *segments, size_t count,
                                int64_t size, BerthGap *out) {
  size_t gaps = 0;
  for (size_t i = 0; i < count; ++i) {
    int64_t length = segments[i].upper - segments[i].lower;
    if (!randomOnce(source, 2))
      continue;
    int64_t lower = segments[i].lower + randomBelow(source, length);
    int64_t upper = lower + 1 + randomBelow(source, segments[i].upper - lower);
    int64_t low = randomBelow(source, size + 1);
    int64_t high = low + randomBelow(source, size - low + 1);
    out[gaps++] = (BerthGap){lower, upper, low, high};
  }
  return gaps;
}

static inline void randomBuffer(RandomSource *source, const RandomShape *shape,
                                BerthProblem *problem) {
  static const int64_t kAlignments[] = {1, 2, 3, 4, 8};
  BerthSegment segments[3];
  BerthGap gaps[3];
  BerthBuffer buffer = berthBufferDefault();
  uint32_t features = shape->features;
  buffer.size = 1 + randomBelow(source, shape->maxSize);
  buffer.segments = segments;
  buffer.numSegments = randomSegments(source, features & BERTH_CAN_SEGMENTS,
                                      shape->maxTime, segments);
  buffer.gaps = gaps;
  if (features & BERTH_CAN_GAPS && randomOnce(source, 2))
    buffer.numGaps =
        randomGaps(source, segments, buffer.numSegments, buffer.size, gaps);
  if (features & BERTH_CAN_ALIGNMENT)
    buffer.alignment = kAlignments[randomBelow(source, 5)];
  if (features & BERTH_CAN_FIXED && randomOnce(source, 4))
    buffer.fixedOffset = buffer.alignment * randomBelow(source, 5);
  if (features & BERTH_CAN_HINTS && randomOnce(source, 3))
    buffer.hint = randomBelow(source, 2 * shape->maxSize);
  if (features & BERTH_CAN_GROUPS && randomOnce(source, 3))
    buffer.group = randomBelow(source, 2);
  if (features & BERTH_CAN_POOLS && randomOnce(source, 3))
    buffer.pools = 1 + (uint64_t)randomBelow(source, 3);
  berthProblemAddBuffer(problem, &buffer);
}

static inline void randomEdge(RandomSource *source, uint32_t features,
                              uint32_t buffers, BerthProblem *problem) {
  uint32_t cuts[2] = {(uint32_t)randomBelow(source, 2), 2};
  BerthCutSet sets[2] = {{1 + (size_t)randomBelow(source, 2), cuts},
                         {1, cuts + 1}};
  BerthEdge edge = {(uint32_t)randomBelow(source, buffers),
                    (uint32_t)randomBelow(source, buffers), 0, sets};
  bool priced = features & BERTH_CAN_PRICED_EDGES &&
                (!(features & BERTH_CAN_HARD_EDGES) || randomOnce(source, 2));
  edge.numAlternatives = priced ? 1 + (size_t)randomBelow(source, 2) : 0;
  if (edge.first != edge.second)
    berthProblemAddEdge(problem, &edge);
}

// Mostly one from which the second may come near the first from one side, as a
// proof of an order gives it. The sizes are those of `buffers`.
static inline void randomDistance(RandomSource *source,
                                  const BerthProblemData *data,
                                  BerthProblem *problem) {
  BerthDistance distance = {
      .first = (uint32_t)randomBelow(source, (int64_t)data->numBuffers),
      .second = (uint32_t)randomBelow(source, (int64_t)data->numBuffers)};
  if (distance.first == distance.second)
    return;
  int64_t own = data->buffers[distance.first].size;
  int64_t other = data->buffers[distance.second].size;
  int64_t kind = randomBelow(source, 4);
  distance.lower = -other;
  distance.upper = own;
  if (kind != 0)
    distance.lower = randomBelow(source, own + other) - other;
  if (kind == 0 || kind == 3)
    distance.upper =
        distance.lower + 1 + randomBelow(source, own - distance.lower);
  berthProblemAddDistance(problem, &distance);
}

static inline void randomReserved(RandomSource *source, int64_t maxSize,
                                  BerthRange *out) {
  out->lower = randomBelow(source, 2 * maxSize);
  out->upper = out->lower + 1 + randomBelow(source, maxSize);
}

static inline void randomPools(RandomSource *source, const RandomShape *shape,
                               BerthProblem *problem) {
  BerthRange range;
  randomReserved(source, shape->maxSize, &range);
  size_t reserved = shape->features & BERTH_CAN_RESERVED ? 1 : 0;
  BerthPool fast = {"fast", 1 + randomBelow(source, 3 * shape->maxSize), 1,
                    reserved, &range};
  BerthPool slow = {"slow", 0, 1 + randomBelow(source, 4), 0, NULL};
  berthProblemAddPool(problem, &fast);
  berthProblemAddPool(problem, &slow);
}

/// Draws a problem; the caller destroys it.
static inline BerthProblem *randomProblem(RandomSource *source,
                                          const RandomShape *shape) {
  BerthProblem *problem = berthProblemCreate();
  uint32_t features = shape->features;
  uint32_t buffers = 1 + (uint32_t)randomBelow(source, shape->maxBuffers);
  for (uint32_t i = 0; i < buffers; ++i)
    randomBuffer(source, shape, problem);
  if (features & (BERTH_CAN_HARD_EDGES | BERTH_CAN_PRICED_EDGES)) {
    for (uint32_t i = 0; i < 3; ++i) {
      BerthCut cut = {NULL, randomBelow(source, 4)};
      berthProblemAddCut(problem, &cut);
    }
    for (int64_t edges = randomBelow(source, 4); edges > 0; --edges)
      randomEdge(source, features, buffers, problem);
  }
  if (features & BERTH_CAN_DISTANCES)
    for (int64_t left = randomBelow(source, 4); left > 0; --left)
      randomDistance(source, berthProblemGetData(problem), problem);
  if (features & BERTH_CAN_POOLS) {
    randomPools(source, shape, problem);
    return problem;
  }
  if (features & BERTH_CAN_RESERVED && randomOnce(source, 2)) {
    BerthRange range;
    randomReserved(source, shape->maxSize, &range);
    berthProblemAddReserved(problem, range);
  }
  if (features & BERTH_CAN_CAPACITY && randomOnce(source, 2))
    berthProblemSetCapacity(problem,
                            1 + randomBelow(source, 4 * shape->maxSize));
  return problem;
}

/// The same, one for each seed.
static inline BerthProblem *seededProblem(uint64_t seed, RandomShape shape) {
  RandomSource source = randomFromSeed(seed);
  return randomProblem(&source, &shape);
}

/// Three to six buffers, of each of which a part stays in use while the rest is
/// not.
static inline BerthProblem *randomWindowed(RandomSource *source) {
  BerthProblem *problem = berthProblemCreate();
  for (int64_t i = 0, n = 3 + randomBelow(source, 4); i < n; ++i) {
    BerthBuffer buffer = berthBufferDefault();
    int64_t lower = randomBelow(source, 6);
    int64_t begin = lower + randomBelow(source, 3);
    int64_t end = begin + 1 + randomBelow(source, 3);
    BerthSegment life = {lower, end + randomBelow(source, 4)};
    buffer.size = 2 + randomBelow(source, 5);
    BerthGap gap = {begin, end, randomBelow(source, buffer.size), 0};
    gap.windowUpper = gap.windowLower + 1 +
                      randomBelow(source, buffer.size - gap.windowLower);
    buffer.numSegments = buffer.numGaps = 1;
    buffer.segments = &life;
    buffer.gaps = &gap;
    berthProblemAddBuffer(problem, &buffer);
  }
  return problem;
}

#endif // BERTH_TEST_RANDOMPROBLEM_H
