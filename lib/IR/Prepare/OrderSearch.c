//===- OrderSearch.c - An order of ops with little load -------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layer k holds states: sets of k ops that can be done first, each with the
// lowest peak that some order of them has. What is live behind a set does not
// depend on the order in it, so no more need be known of it.
//
//===----------------------------------------------------------------------===//

#include "IR/Prepare/OrderSearch.h"

#include <stdlib.h>
#include <string.h>

enum { kNone = UINT32_MAX };

/// How an op was done: back pointers of one layer's states.
typedef struct Step {
  uint32_t parent; ///< in the layer before
  uint32_t op;
} Step;

/// One that may become a state of the next layer.
typedef struct Offer {
  int64_t peak;
  int64_t load; ///< behind the op
  uint64_t set; ///< hash of the ops done
  uint32_t parent;
  uint32_t op;
} Offer;

typedef struct State {
  int64_t peak;
  int64_t load;
  uint64_t set;
  uint32_t *waits; ///< per op: how many it waits for; kNone: it is done
  uint32_t *left;  ///< per buffer: how many ops will still touch it
} State;

typedef struct Layer {
  size_t count;
  State *states;
  uint32_t *numbers; ///< of all states
} Layer;

typedef struct Search {
  const BerthOrderProblem *problem;
  size_t *firstEdge, *firstTouch, *firstReuse; ///< per op, and an end
  uint32_t *touchesOf;                         ///< per buffer: how many ops
  size_t width;
  Layer layers[2];
  Step *steps; ///< of layer k: steps + k * width
  Offer *offers;
  size_t numOffers, capacity;
  int64_t limit;    ///< only orders below this peak are wanted
  bool isTruncated; ///< some state was left out
} Search;

/// What an op does to a state.
typedef struct Effect {
  int64_t during, behind; ///< loads
} Effect;

/// Numbers that sets of ops are known by; the mixing step of splitmix64.
static uint64_t keyOf(uint32_t op) {
  uint64_t x = ((uint64_t)op + 1) * 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

static bool begins(const Search *search, const State *state, uint32_t buffer) {
  return !search->problem->buffers[buffer].isLiveIn &&
         state->left[buffer] == search->touchesOf[buffer];
}

static bool ends(const Search *search, const State *state, uint32_t buffer) {
  return !search->problem->buffers[buffer].isLiveOut &&
         state->left[buffer] == 1;
}

static Effect effectOf(const Search *search, const State *state, uint32_t op) {
  const BerthOrderProblem *problem = search->problem;
  Effect effect = {state->load, state->load};
  for (size_t i = search->firstTouch[op]; i < search->firstTouch[op + 1]; ++i) {
    uint32_t buffer = problem->touches[i].buffer;
    int64_t size = problem->buffers[buffer].size;
    if (begins(search, state, buffer)) {
      effect.during += size;
      effect.behind += size;
    }
    if (ends(search, state, buffer))
      effect.behind -= size;
  }
  for (size_t i = search->firstReuse[op]; i < search->firstReuse[op + 1]; ++i) {
    const BerthOrderReuse *reuse = &problem->reuses[i];
    if (ends(search, state, reuse->operand) &&
        begins(search, state, reuse->result)) {
      effect.during -= problem->buffers[reuse->result].size;
      break; // one result lies in one operand's place
    }
  }
  return effect;
}

static void apply(const Search *search, State *state, uint32_t op) {
  const BerthOrderProblem *problem = search->problem;
  Effect effect = effectOf(search, state, op);
  for (size_t i = search->firstTouch[op]; i < search->firstTouch[op + 1]; ++i)
    --state->left[problem->touches[i].buffer];
  for (size_t i = search->firstEdge[op]; i < search->firstEdge[op + 1]; ++i)
    --state->waits[problem->edges[i].after];
  state->waits[op] = kNone;
  state->set ^= keyOf(op);
  state->load = effect.behind;
  if (effect.during > state->peak)
    state->peak = effect.during;
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

static int compareOffers(const void *left, const void *right) {
  const Offer *a = left, *b = right;
  if (a->peak != b->peak)
    return a->peak < b->peak ? -1 : 1;
  if (a->load != b->load)
    return a->load < b->load ? -1 : 1;
  if (a->set != b->set)
    return a->set < b->set ? -1 : 1;
  if (a->parent != b->parent)
    return a->parent < b->parent ? -1 : 1;
  return a->op < b->op ? -1 : a->op > b->op;
}

static bool offer(Search *search, Offer made) {
  if (search->numOffers == search->capacity) {
    size_t capacity = search->capacity ? 2 * search->capacity : 1024;
    Offer *more = realloc(search->offers, capacity * sizeof *more);
    if (!more)
      return false;
    search->offers = more;
    search->capacity = capacity;
  }
  search->offers[search->numOffers++] = made;
  return true;
}

/// Offers what may be done next behind a state; one op alone where that is sure
/// to do no harm. The ops come in the given order.
static bool expand(Search *search, const State *state, uint32_t number,
                   uint64_t *steps) {
  size_t first = search->numOffers;
  for (uint32_t op = 0; op < search->problem->numOps; ++op) {
    if (state->waits[op] != 0)
      continue;
    *steps -= *steps > 0;
    Effect effect = effectOf(search, state, op);
    int64_t peak = effect.during > state->peak ? effect.during : state->peak;
    Offer made = {peak, effect.behind, state->set ^ keyOf(op), number, op};
    if (peak >= search->limit)
      continue;
    if (peak == state->peak && effect.behind <= state->load) {
      search->numOffers = first;
      return offer(search, made);
    }
    if (!offer(search, made))
      return false;
  }
  return true;
}

/// Of equal sets the first offer is the best. Sets are told apart by 64 bits:
/// one that is taken for another is left out.
static size_t dropEqualSets(Offer *offers, size_t count, size_t width,
                            uint64_t *seen, size_t numSlots) {
  size_t kept = 0;
  memset(seen, 0, numSlots * sizeof *seen);
  for (size_t i = 0; i < count && kept < width; ++i) {
    uint64_t set = offers[i].set ? offers[i].set : 1;
    size_t slot = (size_t)set & (numSlots - 1);
    while (seen[slot] && seen[slot] != set)
      slot = (slot + 1) & (numSlots - 1);
    if (seen[slot])
      continue;
    seen[slot] = set;
    offers[kept++] = offers[i];
  }
  return kept;
}

static void copyState(const BerthOrderProblem *problem, State *to,
                      const State *from) {
  to->peak = from->peak;
  to->load = from->load;
  to->set = from->set;
  memcpy(to->waits, from->waits, problem->numOps * sizeof *to->waits);
  memcpy(to->left, from->left, problem->numBuffers * sizeof *to->left);
}

/// The states of layer `k` from the offers.
static void buildLayer(Search *search, uint32_t k, size_t count) {
  const Layer *from = &search->layers[(k - 1) & 1];
  Layer *to = &search->layers[k & 1];
  to->count = count;
  for (size_t i = 0; i < count; ++i) {
    const Offer *made = &search->offers[i];
    copyState(search->problem, &to->states[i], &from->states[made->parent]);
    apply(search, &to->states[i], made->op);
    search->steps[(size_t)k * search->width + i] =
        (Step){made->parent, made->op};
  }
}

static void walkBack(const Search *search, uint32_t *order) {
  uint32_t number = 0;
  for (uint32_t k = search->problem->numOps; k > 0; --k) {
    Step step = search->steps[(size_t)k * search->width + number];
    order[k - 1] = step.op;
    number = step.parent;
  }
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static bool allocateLayer(const BerthOrderProblem *problem, Layer *layer,
                          size_t width) {
  size_t stride = (size_t)problem->numOps + problem->numBuffers;
  layer->states = calloc(width, sizeof *layer->states);
  layer->numbers = calloc(width * stride + 1, sizeof *layer->numbers);
  if (!layer->states || !layer->numbers)
    return false;
  for (size_t i = 0; i < width; ++i) {
    layer->states[i].waits = layer->numbers + i * stride;
    layer->states[i].left = layer->states[i].waits + problem->numOps;
  }
  return true;
}

static bool allocate(Search *search) {
  const BerthOrderProblem *problem = search->problem;
  size_t ends = (size_t)problem->numOps + 2;
  search->firstEdge = calloc(ends, sizeof *search->firstEdge);
  search->firstTouch = calloc(ends, sizeof *search->firstTouch);
  search->firstReuse = calloc(ends, sizeof *search->firstReuse);
  search->touchesOf =
      calloc((size_t)problem->numBuffers + 1, sizeof *search->touchesOf);
  search->steps = calloc(ends * search->width, sizeof *search->steps);
  return search->firstEdge && search->firstTouch && search->firstReuse &&
         search->touchesOf && search->steps &&
         allocateLayer(problem, &search->layers[0], search->width) &&
         allocateLayer(problem, &search->layers[1], search->width);
}

static void release(Search *search) {
  for (int i = 0; i < 2; ++i) {
    free(search->layers[i].states);
    free(search->layers[i].numbers);
  }
  free(search->firstEdge);
  free(search->firstTouch);
  free(search->firstReuse);
  free(search->touchesOf);
  free(search->steps);
  free(search->offers);
}

static void indexOps(Search *search) {
  const BerthOrderProblem *problem = search->problem;
  for (size_t i = 0; i < problem->numEdges; ++i)
    ++search->firstEdge[problem->edges[i].before + 1];
  for (size_t i = 0; i < problem->numTouches; ++i) {
    ++search->firstTouch[problem->touches[i].op + 1];
    ++search->touchesOf[problem->touches[i].buffer];
  }
  for (size_t i = 0; i < problem->numReuses; ++i)
    ++search->firstReuse[problem->reuses[i].op + 1];
  for (uint32_t op = 0; op < problem->numOps; ++op) {
    search->firstEdge[op + 1] += search->firstEdge[op];
    search->firstTouch[op + 1] += search->firstTouch[op];
    search->firstReuse[op + 1] += search->firstReuse[op];
  }
}

static void begin(const Search *search, State *state) {
  const BerthOrderProblem *problem = search->problem;
  memset(state->waits, 0, problem->numOps * sizeof *state->waits);
  for (size_t i = 0; i < problem->numEdges; ++i)
    ++state->waits[problem->edges[i].after];
  memcpy(state->left, search->touchesOf,
         problem->numBuffers * sizeof *state->left);
  state->load = 0;
  for (uint32_t b = 0; b < problem->numBuffers; ++b)
    state->load += problem->buffers[b].isLiveIn ? problem->buffers[b].size : 0;
  state->peak = state->load;
  state->set = 0;
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

/// The given order's peak; layer 0's first state is used up.
static int64_t measure(Search *search) {
  State *state = &search->layers[0].states[0];
  begin(search, state);
  for (uint32_t op = 0; op < search->problem->numOps; ++op)
    apply(search, state, op);
  return state->peak;
}

/// True if an order below the limit was found, which the steps tell.
static bool searchLayers(Search *search, uint64_t steps, bool *isOut) {
  const BerthOrderProblem *problem = search->problem;
  size_t numSlots = 16;
  while (numSlots < 2 * search->width)
    numSlots *= 2;
  uint64_t *seen = calloc(numSlots, sizeof *seen);
  *isOut = !seen;
  begin(search, &search->layers[0].states[0]);
  search->layers[0].count = 1;
  uint32_t k = 0;
  while (!*isOut && k < problem->numOps) {
    const Layer *layer = &search->layers[k & 1];
    search->numOffers = 0;
    for (size_t i = 0; i < layer->count && !*isOut; ++i) {
      // Out of steps it goes on with the best state alone.
      if (steps == 0 && i > 0) {
        search->isTruncated = true;
        break;
      }
      *isOut = !expand(search, &layer->states[i], (uint32_t)i, &steps);
    }
    if (search->numOffers == 0)
      break;
    qsort(search->offers, search->numOffers, sizeof *search->offers,
          compareOffers);
    size_t count = dropEqualSets(search->offers, search->numOffers,
                                 search->width, seen, numSlots);
    // Full: that no other set was there is not known.
    search->isTruncated |= count == search->width;
    buildLayer(search, ++k, count);
  }
  free(seen);
  return !*isOut && k == problem->numOps;
}

bool berthSearchOrder(const BerthOrderProblem *problem, uint64_t steps,
                      uint32_t *order, BerthOrderResult *result) {
  enum { kMostStates = 1 << 10, kNumbers = 1 << 22 };
  Search search = {.problem = problem};
  for (uint32_t op = 0; op < problem->numOps; ++op)
    order[op] = op;
  size_t perState =
      (size_t)problem->numOps + problem->numBuffers + sizeof(State);
  search.width = kNumbers / perState;
  search.width = search.width > kMostStates ? kMostStates : search.width;
  search.width = search.width < 2 ? 2 : search.width;
  bool isOut = !allocate(&search);
  if (!isOut) {
    indexOps(&search);
    result->givenPeak = measure(&search);
    result->peak = result->givenPeak;
    search.limit = result->givenPeak;
    if (searchLayers(&search, steps, &isOut)) {
      walkBack(&search, order);
      result->peak = search.layers[problem->numOps & 1].states[0].peak;
    }
    result->isOptimal = !search.isTruncated;
  }
  release(&search);
  return !isOut;
}
