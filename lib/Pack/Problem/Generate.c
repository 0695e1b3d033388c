//===- Generate.c - Families of generated problems -----------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Every family is a function that adds boxes until there are enough. Sizes are
// multiples of 64 bytes, as allocators round them, but where any will do. Only
// integers are used, so the result is the same everywhere.
//
//===---------------------------------------------------------------------===//

#include "berth-c/Generate.h"
#include "Support/Random.h"

#include <stdlib.h>
#include <string.h>

typedef struct Generator {
  BerthProblem *problem;
  uint32_t wanted;
  uint32_t count;
  uint64_t random;
  int64_t optimum;
  bool failed;
} Generator;

/// Uniform in [0, bound).
static int64_t below(Generator *g, int64_t bound) {
  return (int64_t)(berthNextRandom(&g->random) % (uint64_t)bound);
}

/// Between 64 bytes and 64 << magnitudes, spread evenly over the magnitudes.
static int64_t spreadSize(Generator *g, int magnitudes) {
  int64_t power = INT64_C(1) << below(g, magnitudes);
  return 64 * (power + below(g, power));
}

static bool isFull(const Generator *g) { return g->count >= g->wanted; }

// Adds a buffer unless there are enough of them.
static void addBuffer(Generator *g, const BerthBuffer *buffer) {
  if (isFull(g))
    return;
  if (berthProblemAddBuffer(g->problem, buffer) != g->count)
    g->failed = true;
  ++g->count;
}

// Adds a box.
static void add(Generator *g, int64_t lower, int64_t upper, int64_t size) {
  BerthBuffer buffer = berthBufferDefault();
  BerthSegment segment = {lower, upper};
  buffer.size = size;
  buffer.numSegments = 1;
  buffer.segments = &segment;
  addBuffer(g, &buffer);
}

//===---------------------------------------------------------------------===//
// The families
//===---------------------------------------------------------------------===//

// Layer t runs forward at time 2t and backward at its mirror image.
static void network(Generator *g) {
  int64_t layers = (g->wanted + 3) / 4, end = 4 * layers;
  for (int64_t t = 0; t < layers; ++t) {
    int64_t forward = 2 * t, backward = end - 2 * t - 2;
    int64_t width = 1024 * (1 + below(g, 8));
    if (t % 8 == 0)
      add(g, 0, end, 4 * width); // weights
    add(g, forward, below(g, 4) ? backward + 2 : forward + 4, width);
    // Two draws as arguments of one call would come in an order of the
    // compiler's own.
    int64_t scratch = spreadSize(g, 10);
    add(g, forward, forward + 1 + below(g, 2), scratch);
    add(g, forward, forward + 4 + 2 * below(g, 6), width / 2); // skip
    add(g, backward, backward + 2, width);                     // gradient
  }
  while (!isFull(g)) {
    int64_t t = below(g, end - 1);
    add(g, t, t + 1, spreadSize(g, 6));
  }
}

static void sliding(Generator *g) {
  for (int64_t t = 0; !isFull(g); ++t) {
    int64_t size = 64 * (1 + below(g, 1024));
    int64_t span = 1 + below(g, 128);
    add(g, t, t + span, size);
  }
}

// One run of a loop at `depth`: its own buffers, then the loops inside it.
// Returns the time at which it ends.
static int64_t loop(Generator *g, int64_t time, int depth) {
  int64_t begin = time;
  for (int64_t step = 1 + below(g, 3); step-- > 0 && !isFull(g);) {
    if (depth < 6 && below(g, 8))
      for (int64_t inner = 1 + below(g, 3); inner-- > 0;)
        time = loop(g, time, depth + 1);
    add(g, time, time + 2, spreadSize(g, 8));
    ++time;
  }
  for (int64_t own = 1 + below(g, 3); own-- > 0;)
    add(g, begin, time + 1, spreadSize(g, 12 - depth));
  return time + 1;
}

static void nested(Generator *g) {
  for (int64_t time = 0; !isFull(g);)
    time = loop(g, time, 0);
}

static void randomTimes(Generator *g) {
  int64_t horizon = 2 * (int64_t)g->wanted + 2;
  while (!isFull(g)) {
    int64_t lower = below(g, horizon - 1);
    int64_t span = 1 + below(g, 1 + below(g, horizon));
    add(g, lower, lower + span < horizon ? lower + span : horizon,
        spreadSize(g, 14));
  }
}

// A wave is a row of equal blocks of which every third survives the next wave,
// whose blocks are half as large again and find only the holes between.
static void adversarial(Generator *g) {
  for (int64_t time = 0; !isFull(g); time += 8)
    for (int64_t wave = 0, size = 64; wave < 8;
         ++wave, size += size / 128 * 64 + 64)
      for (int64_t block = 0; block < 12; ++block) {
        int64_t begin = time + wave;
        bool survives = block % 3 == 2;
        add(g, begin, survives ? begin + 2 + below(g, 6) : begin + 1, size);
      }
}

// Requests share a batch of eight. Each takes pages of keys and values as its
// tokens come, all of one size, and gives them back at its end; every token
// passes through activations that live for a moment.
static void decoder(Generator *g) {
  enum { kBatch = 8, kTokensOfPage = 16, kPage = 128 << 10 };
  int64_t begins[kBatch] = {0}, ends[kBatch] = {0};
  for (int64_t time = 0; !isFull(g); ++time) {
    for (int slot = 0; slot < kBatch; ++slot) {
      if (time >= ends[slot]) { // a new request, with its prompt
        begins[slot] = time;
        ends[slot] = time + 1 + below(g, 256);
        add(g, time, ends[slot], kPage * (1 + below(g, 16)));
      } else if ((time - begins[slot]) % kTokensOfPage == 0) {
        add(g, time, ends[slot], kPage);
      }
    }
    for (int layer = 0; layer < 2; ++layer)
      add(g, time, time + 1, spreadSize(g, 10));
  }
}

// One pass down to `depth` and up again from `time` on, once a step of the
// diffusion: what is wide is shallow, and what is shallow waits longest for the
// way up. Returns the time at which it ends.
static int64_t denoise(Generator *g, int64_t time, int64_t depth,
                       int64_t width) {
  int64_t end = time + 4 * depth + 2;
  add(g, time, end + 1, width); // the picture itself
  for (int64_t level = 0; level <= depth && !isFull(g); ++level) {
    int64_t down = time + 2 * level, up = end - 2 * level - 2;
    int64_t size = 64 * (1 + (width / 64 >> level));
    add(g, down, level < depth ? up + 1 : down + 2, size); // skip
    add(g, down, down + 2, size);
    add(g, down, down + 1, spreadSize(g, 8));
    if (level < depth)
      add(g, up, up + 3, 2 * size);
  }
  return end;
}

static void unet(Generator *g) {
  int64_t time = 0;
  while (!isFull(g)) {
    // One draw a statement: compilers evaluate arguments in any order.
    int64_t width = 4096 * (1 + below(g, 64));
    int64_t depth = 2 + below(g, 6);
    time = denoise(g, time, depth, width);
  }
}

// Half of the life is a gap: with nothing occupied, or half of the bytes.
static void openGap(Generator *g, const BerthBuffer *buffer, BerthGap *gap) {
  const BerthSegment *life = buffer->segments;
  int64_t span = life->upper - life->lower;
  int64_t occupied = below(g, 2) * buffer->size / 2;
  bool top = below(g, 2);
  gap->lower = life->lower + span / 4;
  gap->upper = gap->lower + span / 2;
  gap->windowLower = top ? buffer->size - occupied : 0;
  gap->windowUpper = gap->windowLower + occupied;
}

// What the others have none of, a feature or none a buffer: alignments, those
// of no power of two among them, pins, gaps with and without a window, and
// hints. Pins are to a few rows whose users follow one another, so that none
// collide.
static void features(Generator *g) {
  enum { kRows = 4, kHeight = 1 << 16 };
  static const int64_t kAlignments[] = {4096, 48, 256, 1000};
  int64_t freeAt[kRows] = {0};
  for (int64_t time = 0; !isFull(g); ++time) {
    BerthBuffer buffer = berthBufferDefault();
    BerthGap gap;
    int64_t span = 4 + below(g, 60), row = below(g, kRows);
    BerthSegment life = {time, time + span};
    buffer.size = 64 * (1 + below(g, kHeight / 64));
    buffer.numSegments = 1;
    buffer.segments = &life;
    int64_t feature = below(g, 8);
    if (feature < 2) {
      buffer.alignment = kAlignments[below(g, 4)];
    } else if (feature < 4) {
      openGap(g, &buffer, &gap);
      buffer.numGaps = 1;
      buffer.gaps = &gap;
    } else if (feature == 4) {
      buffer.hint = 64 * below(g, 4096);
    } else if (feature == 5 && freeAt[row] <= time) {
      buffer.fixedOffset = kHeight * row;
      freeAt[row] = life.upper;
    }
    addBuffer(g, &buffer);
  }
}

// One buffer starts at each time; most have a gap, with or without a window.
static void addGaps(Generator *g, bool windows) {
  for (int64_t time = 0; !isFull(g); ++time) {
    BerthBuffer buffer = berthBufferDefault();
    int64_t span = 4 + below(g, 60), inGap = 1 + below(g, span - 2),
            lower = time + 1 + below(g, span - inGap - 1);
    BerthSegment life = {time, time + span};
    buffer.size = 64 * (2 + below(g, 1024));
    buffer.numSegments = 1;
    buffer.segments = &life;
    BerthGap gap = {lower, lower + inGap, 0, 0};
    if (windows) {
      int64_t occupied = 64 * (1 + below(g, buffer.size / 64 - 1));
      gap.windowLower = 64 * below(g, (buffer.size - occupied) / 64 + 1);
      gap.windowUpper = gap.windowLower + occupied;
    }
    if (below(g, 4)) {
      buffer.numGaps = 1;
      buffer.gaps = &gap;
    }
    addBuffer(g, &buffer);
  }
}

static void gaps(Generator *g) { addGaps(g, false); }

static void windows(Generator *g) { addGaps(g, true); }

// A chain of layers. Each reads the one before it for the last time, mostly,
// and may be written over it some rows behind what is still read.
static void rows(Generator *g) {
  int64_t before = 0, dies = -1;
  for (int64_t time = 0; !isFull(g); ++time) {
    int64_t size = 64 * (16 + below(g, 1024)), behind = 64 * below(g, 16);
    int64_t upper = time + 2 + (below(g, 4) ? 0 : below(g, 12));
    add(g, time, upper, size);
    if (dies == time + 1) {
      BerthDistance distance = {g->count - 2, g->count - 1, -behind, before};
      if (berthProblemAddDistance(g->problem, &distance) == UINT32_MAX)
        g->failed = true;
    }
    before = size;
    dies = upper;
  }
}

// Any sizes, and alignments of all powers of two up to a page: items fit
// together only where sizes make up for alignments.
static void align(Generator *g) {
  for (int64_t time = 0; !isFull(g); ++time) {
    BerthBuffer buffer = berthBufferDefault();
    int64_t span = 1 + below(g, 40);
    BerthSegment life = {time, time + span};
    buffer.size = 1 + below(g, 1 << (4 + below(g, 13)));
    buffer.alignment = INT64_C(1) << below(g, 13);
    buffer.numSegments = 1;
    buffer.segments = &life;
    addBuffer(g, &buffer);
  }
}

/// A rectangle still to be cut.
typedef struct Piece {
  int64_t lower;
  int64_t upper;
  int64_t height;
} Piece;

// Cuts a piece across its time or its bytes; false where it is too small.
static bool cut(Generator *g, Piece *piece, Piece *rest) {
  *rest = *piece;
  bool inTime = below(g, 2);
  int64_t span = piece->upper - piece->lower;
  if (inTime ? span < 2 : piece->height < 2)
    inTime = !inTime;
  if (inTime && span >= 2) {
    rest->lower = piece->upper = piece->lower + 1 + below(g, span - 1);
    return true;
  }
  if (inTime || piece->height < 2)
    return false;
  int64_t part = 1 + below(g, piece->height - 1);
  rest->height -= part;
  piece->height = part;
  return true;
}

// Cuts a piece into four that turn round a fifth, so that no cut goes through;
// the others are appended at `rest`. False where it is too small.
static bool turn(Generator *g, Piece *piece, Piece *rest) {
  int64_t span = piece->upper - piece->lower, height = piece->height;
  if (span < 3 || height < 3)
    return false;
  int64_t left = 1 + below(g, span - 2), low = 1 + below(g, height - 2);
  int64_t right = left + 1 + below(g, span - left - 1),
          high = low + 1 + below(g, height - low - 1);
  int64_t at = piece->lower;
  rest[0] = (Piece){at + right, at + span, high};
  rest[1] = (Piece){at + left, at + span, height - high};
  rest[2] = (Piece){at, at + left, height - low};
  rest[3] = (Piece){at + left, at + right, high - low};
  *piece = (Piece){at, at + right, low};
  return true;
}

// A queue keeps the pieces of about equal age, hence of about equal size.
static void cutUp(Generator *g, bool turning) {
  Piece *pieces = calloc(g->wanted, sizeof *pieces);
  if (!pieces) {
    g->failed = true;
    return;
  }
  int64_t side = 1 << 20;
  pieces[0] = (Piece){0, 8 * (int64_t)g->wanted + 8, side};
  uint32_t count = 1;
  for (uint64_t at = 0; count < g->wanted; ++at) {
    Piece *piece = &pieces[at % count];
    if (turning && g->wanted - count >= 4 && turn(g, piece, pieces + count))
      count += 4;
    else if (cut(g, piece, pieces + count))
      ++count;
  }
  for (uint32_t i = 0; i < count; ++i)
    add(g, pieces[i].lower, pieces[i].upper, 64 * pieces[i].height);
  g->optimum = 64 * side;
  free(pieces);
}

static void guillotine(Generator *g) { cutUp(g, false); }

static void pinwheel(Generator *g) { cutUp(g, true); }

//===---------------------------------------------------------------------===//
// The table
//===---------------------------------------------------------------------===//

static const struct {
  const char *name;
  const char *summary;
  void (*generate)(Generator *g);
} kFamilies[] = {
    {"network", "forward and backward pass of a layered net", network},
    {"sliding", "one buffer starts at each time and lives for a while",
     sliding},
    {"nested", "buffers of loops in loops", nested},
    {"random", "random times, sizes over orders of magnitude", randomTimes},
    {"adversarial", "waves of growing sizes that leave holes (after Robson)",
     adversarial},
    {"guillotine", "a rectangle cut up at random; the optimum is known",
     guillotine},
    {"decoder", "a language model at work: pages of keys and values", decoder},
    {"unet", "passes down and up again with skip connections", unet},
    {"features", "alignments, pins, gaps with windows, hints", features},
    {"align", "any sizes at alignments from 1 to 4096", align},
    {"pinwheel", "a rectangle that few cuts go through; the optimum is known",
     pinwheel},
    {"rows", "layers that may be written over their input; no CSV", rows},
    {"gaps", "buffers that hold nothing for a while", gaps},
    {"windows", "buffers of which only a part is used for a while", windows},
};

size_t berthFamilyCount(void) { return sizeof kFamilies / sizeof *kFamilies; }

const char *berthFamilyName(size_t index) { return kFamilies[index].name; }

const char *berthFamilySummary(size_t index) {
  return kFamilies[index].summary;
}

size_t berthFamilyFind(const char *name) {
  for (size_t i = 0; i < berthFamilyCount(); ++i)
    if (strcmp(kFamilies[i].name, name) == 0)
      return i;
  return SIZE_MAX;
}

BerthProblem *berthGenerate(size_t family, uint32_t count, uint64_t seed,
                            int64_t *optimum) {
  Generator g = {.problem = berthProblemCreate(),
                 .wanted = count,
                 .random = seed * UINT64_C(0xD1B54A32D192ED03) + family};
  if (!g.problem)
    return NULL;
  kFamilies[family].generate(&g);
  if (optimum)
    *optimum = g.optimum;
  if (!g.failed && g.count == count)
    return g.problem;
  berthProblemDestroy(g.problem);
  return NULL;
}
