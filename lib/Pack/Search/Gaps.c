//===- Gaps.c - Branch and bound over free gaps --------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Invariant: the minimum of an unplaced item is an offset at which it conflicts
// with nothing that is placed, pinned or reserved; no solution of the current
// branch has it lower.
//
//===---------------------------------------------------------------------===//

#include "Pack/Search/Gaps.h"

#include "Pack/Task/Distances.h"
#include "Support/Checked.h"
#include "Support/Sort.h"

enum { kMaxItems = 512 };

typedef struct Change {
  uint32_t item;
  int64_t minimum; ///< before
} Change;

typedef struct GapSearch {
  const BerthTask *task;
  const BerthHost *host;
  BerthMemory *arena;
  uint32_t numItems;
  int64_t unit;
  int64_t capacity;
  /// Forbidden values of offset(j) - offset(i), in units: those of the pair
  /// i * n + j are intervals[begin[pair]] up to intervals[begin[pair + 1]].
  uint32_t *begin;
  BerthRange *intervals;
  uint32_t *neighbourBegin; ///< item -> the items it has intervals with
  uint32_t *neighbours;
  uint32_t *memberBegin; ///< section -> positions of its pieces' items
  uint32_t *members;     ///< positions in `task->pieces`
  int64_t *memberBytes;  ///< of each, in units, but those that may be shared
  uint32_t *ownerOf;     ///< piece -> item
  uint32_t *checkedIn;   ///< section -> the last check that looked at it
  uint32_t check;        ///< number of the check under way
  int64_t *minimums;     ///< of placed items: the offset
  bool *placed;
  uint32_t numPlaced;
  Change *trail;
  size_t trailCount;
  size_t trailRoom;
  uint32_t *stackOrder; ///< scratch of the bound
  uint64_t *stackKeys;
  int64_t leastExcess;
  uint64_t nodes;
  uint64_t nodeLimit;
  uint64_t work;        ///< done since the host was told
  BerthProofLog *proof; ///< or NULL
  bool stopped;         ///< by the host
  bool limited;         ///< by the number of nodes
  bool failed;          ///< memory ran out
} GapSearch;

bool berthGapsCanHandle(const BerthTask *task) {
  return task->numItems <= kMaxItems && task->numPools == 1 &&
         !(task->features & BERTH_CAN_PRICED_EDGES);
}

//===---------------------------------------------------------------------===//
// Tables
//===---------------------------------------------------------------------===//

// All intervals of item i with the others. Returns false without memory.
static bool fillRow(GapSearch *search, uint32_t i, BerthRange **found,
                    size_t *room, size_t *total, bool store) {
  uint32_t n = search->numItems;
  const BerthHost *host = search->host;
  for (uint32_t j = 0; j < n; ++j) {
    search->begin[i * n + j] = (uint32_t)*total;
    if (i == j)
      continue;
    size_t count = host->conflicts(host->context, i, j, *found, *room);
    if (count > *room) {
      *room = 2 * count;
      *found = BERTH_MEMORY_NEW(search->arena, BerthRange, *room);
      if (!*found)
        return false;
      host->conflicts(host->context, i, j, *found, *room);
    }
    for (size_t k = 0; store && k < count; ++k)
      search->intervals[*total + k] = (BerthRange){
          (*found)[k].lower / search->unit, (*found)[k].upper / search->unit};
    *total += count;
  }
  return true;
}

// Once to count, once to store.
static bool fillIntervals(GapSearch *search) {
  uint32_t n = search->numItems;
  size_t room = 4, pairs = (size_t)n * n;
  BerthRange *found = BERTH_MEMORY_NEW(search->arena, BerthRange, room);
  search->begin = BERTH_MEMORY_NEW(search->arena, uint32_t, pairs + 1);
  if (!search->begin || !found)
    return false;
  for (int store = 0; store < 2; ++store) {
    size_t total = 0;
    for (uint32_t i = 0; i < n; ++i)
      if (!fillRow(search, i, &found, &room, &total, store))
        return false;
    search->begin[n * n] = (uint32_t)total;
    if (!store)
      search->intervals = BERTH_MEMORY_NEW(search->arena, BerthRange, total);
    if (!search->intervals)
      return false;
  }
  return true;
}

static bool fillNeighbours(GapSearch *search) {
  uint32_t n = search->numItems, count = 0;
  size_t pairs = (size_t)n * n;
  search->neighbourBegin = BERTH_MEMORY_NEW(search->arena, uint32_t, n + 1);
  search->neighbours = BERTH_MEMORY_NEW(search->arena, uint32_t, pairs);
  if (search->arena->failed)
    return false;
  for (uint32_t i = 0; i < n; ++i) {
    for (uint32_t j = 0; j < n; ++j)
      if (search->begin[i * n + j] != search->begin[i * n + j + 1])
        search->neighbours[count++] = j;
    search->neighbourBegin[i + 1] = count;
  }
  return true;
}

// Which bytes a spared item shares is not known: what it has of its own counts
// as its lowest piece, since what lies low raises no stack.
static void fillBytes(GapSearch *search, uint32_t section) {
  const BerthTask *task = search->task;
  uint32_t begin = search->memberBegin[section];
  uint32_t end = search->memberBegin[section + 1];
  for (uint32_t m = begin, next; m < end; m = next) {
    uint32_t owner = search->ownerOf[search->members[m]], lowest = m;
    bool spared = berthItemIsSpared(task, owner, section);
    for (next = m;
         next < end && search->ownerOf[search->members[next]] == owner;
         ++next) {
      const BerthPiece *piece = &task->pieces[search->members[next]];
      search->memberBytes[next] =
          spared ? 0 : (piece->high - piece->low) / search->unit;
      if (piece->low < task->pieces[search->members[lowest]].low)
        lowest = next;
    }
    if (spared)
      search->memberBytes[lowest] =
          berthItemOwnBytes(task, owner, section) / search->unit;
  }
}

static bool fillMembers(GapSearch *search) {
  const BerthTask *task = search->task;
  uint32_t sections = task->numSections, pieces;
  pieces = task->pieceBegin[task->numItems];
  size_t total = 0;
  for (uint32_t p = 0; p < pieces; ++p)
    total += task->pieces[p].upper - task->pieces[p].lower;
  search->memberBegin = BERTH_MEMORY_NEW(search->arena, uint32_t, sections + 1);
  search->members = BERTH_MEMORY_NEW(search->arena, uint32_t, total);
  search->memberBytes = BERTH_MEMORY_NEW(search->arena, int64_t, total);
  search->ownerOf = BERTH_MEMORY_NEW(search->arena, uint32_t, pieces);
  search->stackOrder = BERTH_MEMORY_NEW(search->arena, uint32_t, pieces);
  search->stackKeys = BERTH_MEMORY_NEW(search->arena, uint64_t, pieces);
  search->checkedIn = BERTH_MEMORY_NEW(search->arena, uint32_t, sections);
  if (search->arena->failed)
    return false;
  for (uint32_t i = 0; i < task->numItems; ++i)
    for (uint32_t p = task->pieceBegin[i]; p < task->pieceBegin[i + 1]; ++p)
      search->ownerOf[p] = i;
  uint32_t at = 0;
  for (uint32_t s = 0; s < sections; ++s) {
    search->memberBegin[s] = at;
    for (uint32_t p = 0; p < pieces; ++p)
      if (task->pieces[p].lower <= s && s < task->pieces[p].upper)
        search->members[at++] = p;
  }
  search->memberBegin[sections] = at;
  for (uint32_t s = 0; s < sections; ++s)
    fillBytes(search, s);
  return true;
}

//===---------------------------------------------------------------------===//
// Offsets
//===---------------------------------------------------------------------===//

// Alignments need not be multiples of the unit only where they are 1.
static int64_t alignmentOf(const GapSearch *search, uint32_t item) {
  int64_t alignment = search->task->alignments[item];
  return alignment == 1 ? 1 : alignment / search->unit;
}

static int64_t sizeOf(const GapSearch *search, uint32_t item) {
  return search->task->sizes[item] / search->unit;
}

static const BerthRange *intervalsOf(const GapSearch *search, uint32_t from,
                                     uint32_t to, const BerthRange **end) {
  size_t pair = (size_t)from * search->numItems + to;
  *end = search->intervals + search->begin[pair + 1];
  return search->intervals + search->begin[pair];
}

// Past what the placed item `other` forbids at `offset`, if anything.
static int64_t jumpOver(const GapSearch *search, uint32_t item, uint32_t other,
                        int64_t offset) {
  const BerthRange *end;
  int64_t at = search->minimums[other];
  for (const BerthRange *r = intervalsOf(search, other, item, &end); r != end;
       ++r)
    if (at + r->lower < offset && offset < at + r->upper)
      return berthRoundUp(at + r->upper, alignmentOf(search, item));
  return offset;
}

static int64_t jumpReserved(const GapSearch *search, uint32_t item,
                            int64_t offset) {
  const BerthPool *pool = &search->task->pools[0];
  for (size_t i = 0; i < pool->numReserved; ++i) {
    int64_t lower = pool->reserved[i].lower / search->unit;
    int64_t upper = pool->reserved[i].upper / search->unit;
    if (offset < upper && offset + sizeOf(search, item) > lower)
      offset = berthRoundUp(upper, alignmentOf(search, item));
  }
  return offset;
}

// The lowest free offset at or above this one.
static int64_t nextFree(GapSearch *search, uint32_t item, int64_t offset) {
  uint32_t near =
      search->neighbourBegin[item + 1] - search->neighbourBegin[item];
  for (int64_t before = -1; before != offset;) {
    before = offset;
    search->work += near;
    offset = jumpReserved(search, item, offset);
    for (uint32_t k = search->neighbourBegin[item];
         k < search->neighbourBegin[item + 1]; ++k)
      if (search->placed[search->neighbours[k]])
        offset = jumpOver(search, item, search->neighbours[k], offset);
  }
  return offset;
}

static void lower(int64_t *best, int64_t candidate) {
  *best = candidate < *best ? candidate : *best;
}

// The lowest offset above the minimum at which something could hold the item
// up, or INT64_MAX.
static int64_t nextSupport(GapSearch *search, uint32_t item) {
  int64_t alignment = alignmentOf(search, item), best = INT64_MAX;
  int64_t least = search->minimums[item] + alignment;
  const BerthPool *pool = &search->task->pools[0];
  for (size_t i = 0; i < pool->numReserved; ++i) {
    int64_t top =
        berthRoundUp(pool->reserved[i].upper / search->unit, alignment);
    if (top >= least)
      lower(&best, top);
  }
  for (uint32_t k = search->neighbourBegin[item];
       k < search->neighbourBegin[item + 1]; ++k) {
    uint32_t other = search->neighbours[k];
    const BerthRange *end;
    for (const BerthRange *r = intervalsOf(search, other, item, &end); r != end;
         ++r) {
      int64_t edge = search->minimums[other] + r->upper;
      int64_t top = edge > 0 ? berthRoundUp(edge, alignment) : 0;
      if (top >= least)
        lower(&best, top);
      else if (!search->placed[other])
        lower(&best, least); // it may still lie higher itself
    }
  }
  return best == INT64_MAX ? best : nextFree(search, item, best);
}

//===---------------------------------------------------------------------===//
// Changes
//===---------------------------------------------------------------------===//

static void setMinimum(GapSearch *search, uint32_t item, int64_t minimum) {
  if (!berthMemoryReserve(search->arena, &search->trail, &search->trailRoom,
                          search->trailCount + 1)) {
    search->failed = true;
    return;
  }
  search->trail[search->trailCount++] = (Change){item, search->minimums[item]};
  search->minimums[item] = minimum;
}

static void undo(GapSearch *search, size_t mark) {
  while (search->trailCount > mark) {
    Change change = search->trail[--search->trailCount];
    search->minimums[change.item] = change.minimum;
  }
}

// Does it end below the capacity? If not, remember by how much it does not.
static bool fits(GapSearch *search, int64_t top) {
  if (top <= search->capacity)
    return true;
  lower(&search->leastExcess, top - search->capacity);
  return false;
}

// Stacks the pieces of a section in the order of their lowest places.
static int64_t stackSection(GapSearch *search, uint32_t section) {
  uint32_t count = 0, *order = search->stackOrder;
  const uint32_t begin = search->memberBegin[section];
  uint64_t *keys = search->stackKeys; // by member of the section
  for (uint32_t m = begin; m < search->memberBegin[section + 1]; ++m) {
    uint32_t piece = search->members[m];
    int64_t low = search->task->pieces[piece].low / search->unit;
    keys[count] = (uint64_t)(search->minimums[search->ownerOf[piece]] + low);
    order[count] = count;
    ++count;
  }
  search->work += count + berthInsertionSort(order, count, keys);
  int64_t height = 0;
  for (uint32_t k = 0; k < count; ++k) {
    int64_t lowest = (int64_t)keys[order[k]];
    int64_t from = lowest > height ? lowest : height;
    height = from + search->memberBytes[begin + order[k]];
  }
  return height;
}

static bool sectionsFit(GapSearch *search) {
  for (uint32_t s = 0; s < search->task->numSections; ++s)
    if (!fits(search, stackSection(search, s)))
      return false;
  return true;
}

// The same for the sections of what has changed since then: all others have
// not.
static bool changesFit(GapSearch *search, size_t mark) {
  const BerthTask *task = search->task;
  ++search->check;
  for (size_t t = mark; t < search->trailCount; ++t) {
    uint32_t item = search->trail[t].item;
    for (uint32_t p = task->pieceBegin[item]; p < task->pieceBegin[item + 1];
         ++p)
      for (uint32_t s = task->pieces[p].lower; s < task->pieces[p].upper; ++s) {
        if (search->checkedIn[s] == search->check)
          continue;
        search->checkedIn[s] = search->check;
        if (!fits(search, stackSection(search, s)))
          return false;
      }
  }
  return true;
}

static bool raiseTo(GapSearch *search, uint32_t item, int64_t minimum) {
  if (minimum == INT64_MAX)
    return false;
  if (minimum != search->minimums[item])
    setMinimum(search, item, minimum);
  return fits(search, minimum + sizeOf(search, item));
}

// The item lies at its minimum from now on; its neighbours make way.
static bool place(GapSearch *search, uint32_t item) {
  size_t mark = search->trailCount;
  search->placed[item] = true;
  ++search->numPlaced;
  for (uint32_t k = search->neighbourBegin[item];
       k < search->neighbourBegin[item + 1]; ++k) {
    uint32_t other = search->neighbours[k];
    if (!search->placed[other] &&
        !raiseTo(search, other,
                 nextFree(search, other, search->minimums[other])))
      return false;
  }
  return changesFit(search, mark);
}

//===---------------------------------------------------------------------===//
// The recursion
//===---------------------------------------------------------------------===//

// The unplaced item with the lowest minimum, the largest of several.
static uint32_t pick(const GapSearch *search) {
  uint32_t best = UINT32_MAX;
  for (uint32_t i = 0; i < search->numItems; ++i) {
    if (search->placed[i])
      continue;
    if (best == UINT32_MAX || search->minimums[i] < search->minimums[best] ||
        (search->minimums[i] == search->minimums[best] &&
         search->task->sizes[i] > search->task->sizes[best]))
      best = i;
  }
  return best;
}

static bool enterNode(GapSearch *search) {
  uint64_t work = search->numItems + 1 + search->work / 4; // these are short
  search->work = 0;
  if (!search->host->step(search->host->context, work))
    search->stopped = true;
  else if (search->nodeLimit && search->nodes >= search->nodeLimit)
    search->limited = true;
  ++search->nodes;
  return !search->stopped && !search->limited && !search->failed;
}

// True when everything is placed; otherwise the state is as before.
static bool solve(GapSearch *search) {
  size_t entry = search->trailCount;
  while (enterNode(search)) {
    uint32_t item = pick(search);
    if (item == UINT32_MAX)
      return true;
    size_t mark = search->trailCount;
    int64_t offset = search->minimums[item] * search->unit;
    berthProofPlace(search->proof, item, offset);
    if (place(search, item)) {
      if (solve(search))
        return true;
    } else {
      berthProofFail(search->proof);
    }
    undo(search, mark);
    search->placed[item] = false;
    --search->numPlaced;
    berthProofSkip(search->proof, item, offset);
    if (!raiseTo(search, item, nextSupport(search, item)) ||
        !changesFit(search, mark)) {
      berthProofFail(search->proof);
      break;
    }
  }
  undo(search, entry);
  return false;
}

// Puts the pins in their places and everything else as low as they allow.
static bool start(GapSearch *search) {
  const BerthTask *task = search->task;
  search->numPlaced = 0;
  search->trailCount = 0;
  for (uint32_t i = 0; i < task->numItems; ++i) {
    int64_t fixed = task->fixedOffsets[i];
    search->placed[i] = fixed != BERTH_NONE;
    search->numPlaced += search->placed[i];
    search->minimums[i] = search->placed[i] ? fixed / search->unit : 0;
  }
  bool fine = true;
  for (uint32_t i = 0; i < task->numItems; ++i) {
    if (!search->placed[i])
      search->minimums[i] = nextFree(search, i, 0);
    fine &= fits(search, search->minimums[i] + sizeOf(search, i));
  }
  fine = fine && sectionsFit(search);
  if (!fine)
    berthProofFail(search->proof);
  return fine;
}

//===---------------------------------------------------------------------===//
// Capacities
//===---------------------------------------------------------------------===//

static GapSearch *create(BerthIncumbent *incumbent, BerthMemory *arena) {
  GapSearch *search = BERTH_MEMORY_NEW(arena, GapSearch, 1);
  uint32_t n = incumbent->task->numItems;
  if (!search)
    return NULL;
  search->task = incumbent->task;
  search->host = incumbent->host;
  search->arena = arena;
  search->numItems = n;
  search->unit = incumbent->task->unit;
  search->minimums = BERTH_MEMORY_NEW(arena, int64_t, n);
  search->placed = BERTH_MEMORY_NEW(arena, bool, n);
  bool ready = !arena->failed && fillIntervals(search) &&
               fillNeighbours(search) && fillMembers(search);
  return ready ? search : NULL;
}

// Offers the plan found. `scratch` has room for the offsets.
static void offerPlan(GapSearch *search, BerthIncumbent *incumbent,
                      int64_t *scratch) {
  for (uint32_t i = 0; i < search->numItems; ++i)
    scratch[i] = search->minimums[i] * search->unit;
  berthIncumbentOfferOffsets(incumbent, scratch);
}

// Refutes one height after another until something fits.
static void raiseAndSolve(GapSearch *search, BerthIncumbent *incumbent,
                          int64_t *scratch, BerthProofLog *log) {
  while (!berthIncumbentDone(incumbent) && !search->limited) {
    search->capacity = incumbent->lowerBound / search->unit;
    search->leastExcess = INT64_MAX;
    log->count = 0;
    if (start(search) && solve(search)) {
      offerPlan(search, incumbent, scratch);
      return;
    }
    incumbent->stopped |= search->stopped;
    incumbent->failed |= search->failed;
    if (search->stopped || search->limited || search->failed)
      return;
    int64_t bound = INT64_MAX; // no height will do
    if (search->leastExcess <= INT64_MAX / search->unit - search->capacity)
      bound = (search->capacity + search->leastExcess) * search->unit;
    berthIncumbentProve(incumbent, bound,
                        &(BerthBound){.reason = BERTH_BOUND_SEARCH}, log);
  }
}

void berthImproveByGaps(BerthIncumbent *incumbent, BerthMemory *arena,
                        uint64_t nodeLimit) {
  GapSearch *search = create(incumbent, arena);
  int64_t *scratch =
      BERTH_MEMORY_NEW(arena, int64_t, incumbent->task->numItems);
  BerthProofLog log = {.numbers = incumbent->task->rowNumbers};
  if (!search || !scratch) {
    incumbent->failed = true;
    return;
  }
  search->nodeLimit = nodeLimit;
  search->proof = incumbent->task->proofFile ? &log : NULL;
  raiseAndSolve(search, incumbent, scratch, &log);
  berthProofFree(&log);
}
