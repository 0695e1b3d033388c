//===- Smith.h - The state of a program while it is generated ------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// berth-smith writes programs at the level that bufferization leaves: memref,
// scf, cf, arith, linalg, vector, func. Three invariants make each program
// usable as an oracle:
//
//  - it terminates: every loop counts up to a small bound;
//  - it reads no uninitialised element: a *root* (one allocation, or a merge of
//    several) carries `initialised`, which holds on every path to this point,
//    and only values of initialised roots are read;
//  - it is a function of its seed alone, whatever else is in the module.
//
// To make liveness matter, roots also *rest*: their content is still defined
// but the generator will not read it before it has been overwritten as a whole.
//
// Statement kinds are functions in one table (Statement.c). A new one costs one
// function and one line there. What runs on a GPU has a state, statements and a
// table of its own (Kernel.h).
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_SMITH_SMITH_H
#define BERTH_SMITH_SMITH_H

#include "Census.h"
#include "Types.h"

#include <stddef.h>
#include <stdio.h>

/// Kinds of statement that `--features` turns on and off, as a bit set.
enum {
  BERTH_SMITH_FOR = 1u << 0,
  BERTH_SMITH_WHILE = 1u << 1,
  BERTH_SMITH_IF = 1u << 2,
  BERTH_SMITH_SWITCH = 1u << 3,
  BERTH_SMITH_CF = 1u << 4,
  BERTH_SMITH_VIEWS = 1u << 5,
  BERTH_SMITH_SELECT = 1u << 6,
  BERTH_SMITH_CARRY = 1u << 7,
  BERTH_SMITH_CALL = 1u << 8,
  BERTH_SMITH_PARALLEL = 1u << 9,
  BERTH_SMITH_VECTOR = 1u << 10,
  BERTH_SMITH_LINALG = 1u << 11,
  BERTH_SMITH_ALLOCA = 1u << 12,
  BERTH_SMITH_DEALLOC = 1u << 13,
  BERTH_SMITH_DYNAMIC = 1u << 14,
  BERTH_SMITH_ASYNC = 1u << 15,
  BERTH_SMITH_TILES = 1u << 16,
  BERTH_SMITH_GROUPS = 1u << 17,
  BERTH_SMITH_ATOMICS = 1u << 18,
  BERTH_SMITH_WARPS = 1u << 19,
  BERTH_SMITH_FUNCTIONS = 1u << 20,
  BERTH_SMITH_REFILLS = 1u << 22,
  BERTH_SMITH_DMA = 1u << 21,
  BERTH_SMITH_ADDRESSES = 1u << 23,
  BERTH_SMITH_TOKENS = 1u << 24,
  BERTH_SMITH_UNSIGNED_LOOPS = 1u << 25,
  BERTH_SMITH_WIDE = 1u << 26,
  BERTH_SMITH_RECURSION = 1u << 27,
  BERTH_SMITH_CLUSTERS = 1u << 28,
  BERTH_SMITH_SIGNALS = 1u << 29,
  BERTH_SMITH_CALLERS = 1u << 30,
  BERTH_SMITH_HANDLES = 1u << 31,
  BERTH_SMITH_PARTS = 1ull << 32,
  BERTH_SMITH_NESTS = 1ull << 33,
  BERTH_SMITH_MOVES = 1ull << 34,
  BERTH_SMITH_TURNS = 1ull << 35,
  BERTH_SMITH_FILLS = 1ull << 36,
  BERTH_SMITH_SLICES = 1ull << 37,
  BERTH_SMITH_NAMES = 1ull << 38,
  BERTH_SMITH_PIECES = 1ull << 39,
  BERTH_SMITH_CACHES = 1ull << 40,
  BERTH_SMITH_CLUSTER_BARRIERS = 1ull << 41,
};

typedef struct BerthSmithOptions {
  uint64_t seed;     ///< of the first program
  uint64_t count;    ///< programs in the module
  int size;          ///< statements per function, nested ones not counted
  uint64_t features; ///< bit set
  int levels;        ///< memories: 1, or those of berth-fit
  BerthSmithCensus *census; ///< NULL: nobody counts
} BerthSmithOptions;

/// One allocation, or a merge: a value that may be any of several allocations.
typedef struct BerthSmithRoot {
  int id;           ///< its value's number
  bool owned;       ///< an allocation that a dealloc may free
  bool merged;      ///< may alias any other root
  bool initialised; ///< on every path, all elements have been written
  bool resting;     ///< not to be read before the next full write
  bool escapes;     ///< yielded or returned: its scope must not free it
  int sources[2];   ///< roots that a merge may be, or -1
} BerthSmithRoot;

/// An SSA value of memref type, `%m<id>`.
typedef struct BerthSmithValue {
  int id;
  int root;
  bool whole; ///< addresses every element of its root
  BerthSmithType type;
} BerthSmithValue;

enum {
  BERTH_SMITH_MAX_VALUES = 512,
  BERTH_SMITH_MAX_HELPERS = 2,
  BERTH_SMITH_MAX_CACHES = 6
};

/// A function that the program may call: (memref, memref, i64, index).
typedef struct BerthSmithHelper {
  BerthSmithType params[2];
  bool returnsMemRef; ///< of type params[0]
} BerthSmithHelper;

typedef struct BerthSmith {
  const BerthSmithOptions *options;
  FILE *out;
  uint64_t seed;
  BerthRandom random;
  uint64_t features; ///< those that this program uses

  int nextId;
  int indent;
  int depth;       ///< nesting of control flow
  int budget;      ///< statements that may still be emitted
  bool multiBlock; ///< the current region may have several blocks
  bool atTop;      ///< directly in the function's region: may return
  int numObserved;

  size_t firstValue; ///< those before it are out of reach
  size_t numValues;
  BerthSmithValue values[BERTH_SMITH_MAX_VALUES];
  size_t numRoots;
  BerthSmithRoot roots[BERTH_SMITH_MAX_VALUES];
  size_t numScalars;
  int scalars[BERTH_SMITH_MAX_VALUES]; ///< visible i64 values, `%s<id>`

  const BerthSmithHelper *current; ///< the helper being written, or NULL
  bool inHelper; ///< a function that is no such helper is being written
  bool hasWork;  ///< some work is under way (Tokens.c)
  int numHelpers;
  BerthSmithHelper helpers[BERTH_SMITH_MAX_HELPERS];
  BerthSmithType madeType; ///< of the buffer whose address @pN_made returns
  int nextCache; ///< the function that nobody has called yet (Caches.c)
  BerthSmithType tokenType; ///< of what @pN_start and the like work on
} BerthSmith;

//===----------------------------------------------------------------------===//
// Environment.c: what is visible, and what is known of it
//===----------------------------------------------------------------------===//

/// Marks what is visible, to be restored at the end of a region.
typedef struct BerthSmithMark {
  size_t numValues;
  size_t numRoots;
  size_t numScalars;
  bool multiBlock;
  bool atTop;
} BerthSmithMark;

BerthSmithMark berthSmithOpen(BerthSmith *smith);

/// In dealloc mode, frees what the values from index `first` on own.
void berthSmithFree(BerthSmith *smith, size_t first);

/// Ends a scope: frees what it owns (in dealloc mode) and forgets its values.
void berthSmithClose(BerthSmith *smith, BerthSmithMark mark);

/// Forgets its values only: its path has ended.
void berthSmithForget(BerthSmith *smith, BerthSmithMark mark);

/// What is known of the roots, at the start or end of a path.
typedef struct BerthSmithState {
  size_t numRoots;
  bool initialised[BERTH_SMITH_MAX_VALUES];
  bool resting[BERTH_SMITH_MAX_VALUES];
} BerthSmithState;

void berthSmithSave(const BerthSmith *smith, BerthSmithState *state);
void berthSmithRestore(BerthSmith *smith, const BerthSmithState *state);

/// Meets the current state with that of another path that joins here.
void berthSmithJoin(BerthSmith *smith, const BerthSmithState *other);

/// Adds a value with a root of its own; returns the value's index. `sources`
/// are roots that a merge may be; -1 for none.
size_t berthSmithAddAllocation(BerthSmith *smith, int id, BerthSmithType type);
size_t berthSmithAddMerge(BerthSmith *smith, int id, BerthSmithType type,
                          int source0, int source1);
size_t berthSmithAddView(BerthSmith *smith, int id, BerthSmithType type,
                         int root, bool whole);
void berthSmithAddScalar(BerthSmith *smith, int id);
bool berthSmithHasRoom(const BerthSmith *smith);

/// Records a full or partial write through a value.
void berthSmithWrote(BerthSmith *smith, BerthSmithValue value);

/// Records a read; the root may rest from here on.
void berthSmithRead(BerthSmith *smith, BerthSmithValue value);

/// The root's allocations outlive the scope that they stand in.
void berthSmithEscape(BerthSmith *smith, int root);

bool berthSmithReadable(const BerthSmith *smith, BerthSmithValue value);

/// A random visible value for which `accepts` holds; false if there is none.
typedef bool (*BerthSmithFilter)(const BerthSmith *smith,
                                 const BerthSmithValue *value,
                                 const void *wanted);
bool berthSmithPick(BerthSmith *smith, BerthSmithFilter accepts,
                    const void *wanted, BerthSmithValue *out);

// Filters. `wanted` is a BerthSmithType, or NULL where not named.
bool berthSmithAny(const BerthSmith *smith, const BerthSmithValue *value,
                   const void *wanted);
bool berthSmithIsReadable(const BerthSmith *smith, const BerthSmithValue *value,
                          const void *wanted);
bool berthSmithReadableShape(const BerthSmith *smith,
                             const BerthSmithValue *value, const void *type);
/// Defined and whole, of exactly this type: may be carried or yielded.
bool berthSmithCarriable(const BerthSmith *smith, const BerthSmithValue *value,
                         const void *type);

//===----------------------------------------------------------------------===//
// Scalars.c: text, constants, conditions, conversions
//===----------------------------------------------------------------------===//

/// Prints one indented line.
void berthSmithLine(BerthSmith *smith, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

int berthSmithNewId(BerthSmith *smith);

/// `%s<id> = arith.constant ... : index`.
int berthSmithConstantIndex(BerthSmith *smith, int64_t value);
int berthSmithConstantInt(BerthSmith *smith, int64_t value);

/// One more than a loop counter.
int berthSmithNext(BerthSmith *smith, int counter);

/// An i1 that depends on the arguments, loop counters or loaded data.
int berthSmithCondition(BerthSmith *smith);

/// An index in [0, bound), from the same sources.
int berthSmithIndexBelow(BerthSmith *smith, int64_t bound);

/// Converts `%s<id>` of an element type to i64 or back. `lanes` > 0: vectors of
/// that many elements.
int berthSmithToInt(BerthSmith *smith, int id, BerthElement element, int lanes);
int berthSmithFromInt(BerthSmith *smith, int id, BerthElement element,
                      int lanes);

/// Some i64 (or vector) function of the given ones.
int berthSmithMix(BerthSmith *smith, const int *ids, int numIds, int lanes);

//===----------------------------------------------------------------------===//
// Statements; each returns false, having printed nothing, if nothing fits
//===----------------------------------------------------------------------===//

/// The program at hand has one of these.
void berthSmithDraw(BerthSmith *smith, BerthSmithClass which);

/// Emits up to `count` random statements.
void berthSmithStatements(BerthSmith *smith, int count);

// Memory.c
BerthSmithValue berthSmithNewBuffer(BerthSmith *smith, BerthSmithType type);
void berthSmithFillValue(BerthSmith *smith, BerthSmithValue value);
bool berthSmithAlloc(BerthSmith *smith);
bool berthSmithAlloca(BerthSmith *smith);
bool berthSmithFill(BerthSmith *smith);
bool berthSmithCopy(BerthSmith *smith);
/// A fill and copies of what it wrote, as left behind by common subexpression
/// elimination on tensors, with other statements in between.
bool berthSmithCopiesOfFill(BerthSmith *smith);
/// Parts of a buffer are written and read one after the other, with statements
/// on other buffers in between.
bool berthSmithParts(BerthSmith *smith);
bool berthSmithStore(BerthSmith *smith);
bool berthSmithLoad(BerthSmith *smith);
bool berthSmithObserve(BerthSmith *smith);
void berthSmithObserveValue(BerthSmith *smith, BerthSmithValue value);
/// Prints the i64 `%s<id>`.
void berthSmithObserveScalar(BerthSmith *smith, int id);

/// Rows of a buffer: from a number on, or from `%s<index>`.
BerthSmithValue berthSmithPartOf(BerthSmith *smith, BerthSmithValue whole,
                                 int64_t first, int64_t rows);
BerthSmithValue berthSmithPartAt(BerthSmith *smith, BerthSmithValue whole,
                                 int index, int64_t rows);

// Pieces.c
/// Buffers that are made, and copied to parts of a larger one.
bool berthSmithSideBySide(BerthSmith *smith);
/// A buffer that several ops overwrite together, or not quite.
bool berthSmithCover(BerthSmith *smith);

// Caches.c
/// The functions @pN_cK, which return a changed copy of what they are given.
void berthSmithPrintUpdaters(BerthSmith *smith);
/// Calls of one of them, behind each other or in a loop.
bool berthSmithUpdate(BerthSmith *smith);

// Views.c
bool berthSmithSubview(BerthSmith *smith);
bool berthSmithCast(BerthSmith *smith);
bool berthSmithReshape(BerthSmith *smith);
bool berthSmithReinterpret(BerthSmith *smith);
bool berthSmithMetadata(BerthSmith *smith);
bool berthSmithSelect(BerthSmith *smith);

// Compute.c
bool berthSmithGeneric(BerthSmith *smith);
bool berthSmithSpread(BerthSmith *smith);
bool berthSmithTranspose(BerthSmith *smith);
bool berthSmithMatmul(BerthSmith *smith);
bool berthSmithReduce(BerthSmith *smith);

// Loops.c: the same work without linalg
/// A loop that fills a row with some function of another one's elements.
void berthSmithPrintElements(BerthSmith *smith, BerthSmithValue to,
                             BerthSmithValue from);
bool berthSmithElementLoop(BerthSmith *smith);
bool berthSmithParallel(BerthSmith *smith);
bool berthSmithForall(BerthSmith *smith);
bool berthSmithTiles(BerthSmith *smith);
/// Loops that make a row of windows of another one, which mostly nobody reads
/// any more.
bool berthSmithNest(BerthSmith *smith);
/// Loops whose turns use what one to three before them have made.
bool berthSmithTurns(BerthSmith *smith);
bool berthSmithTransfer(BerthSmith *smith);
bool berthSmithMaskedTransfer(BerthSmith *smith);

// Slices.c
/// Loops each turn of which uses slices of some rows.
bool berthSmithSlices(BerthSmith *smith);

// Addresses.c
/// `%s<id>`: the address of a value that starts where its buffer does, as i64.
int berthSmithAddressOf(BerthSmith *smith, BerthSmithValue value);
/// Prints some element of what stands at an address.
void berthSmithReadAddress(BerthSmith *smith, int address, BerthSmithType type);
bool berthSmithAddress(BerthSmith *smith);
bool berthSmithCarriedAddress(BerthSmith *smith);
bool berthSmithAddressTable(BerthSmith *smith);
bool berthSmithReturnedAddress(BerthSmith *smith);
void berthSmithPrintMaker(BerthSmith *smith);

// Tokens.c
void berthSmithPrintGate(FILE *out);
/// Calls @gate_<what>(at, value).
void berthSmithGate(BerthSmith *smith, const char *what, int at, int value);
void berthSmithPrintStarters(BerthSmith *smith);
bool berthSmithToken(BerthSmith *smith);
bool berthSmithStorage(BerthSmith *smith);

// Handles.c
void berthSmithPrintUnseen(FILE *out);
bool berthSmithHandle(BerthSmith *smith);

// Wide.c
bool berthSmithWideNumbers(BerthSmith *smith);
bool berthSmithWideVectors(BerthSmith *smith);
bool berthSmithAssumeAlignment(BerthSmith *smith);
bool berthSmithDistinct(BerthSmith *smith);

// Reentry.c
void berthSmithPrintAgain(BerthSmith *smith);
void berthSmithPrintBoth(BerthSmith *smith);
bool berthSmithCallAgain(BerthSmith *smith);
bool berthSmithTwoCallers(BerthSmith *smith);

// Levels.c
/// A copy of what lies in the memory behind, and what becomes of that.
bool berthSmithBringIn(BerthSmith *smith);
/// A comment with the passes that fit the programs into drawn capacities.
void berthSmithPrintFit(const BerthSmithOptions *options, FILE *out);

// Dma.c
/// Statements on buffers of their own, which see no others.
void berthSmithMeanwhile(BerthSmith *smith);
bool berthSmithDma(BerthSmith *smith);
bool berthSmithStages(BerthSmith *smith);

// Control.c
bool berthSmithIf(BerthSmith *smith);
bool berthSmithSwitch(BerthSmith *smith);
bool berthSmithFor(BerthSmith *smith);
bool berthSmithUnsignedFor(BerthSmith *smith);
bool berthSmithWhile(BerthSmith *smith);
bool berthSmithExecuteRegion(BerthSmith *smith);

/// A defined value of this identity-layout type to yield; allocates one if it
/// must or likes to.
BerthSmithValue berthSmithYieldable(BerthSmith *smith, BerthSmithType type);

/// At the top of a loop's body: lets some outer roots rest, as the loop's
/// temporaries.
void berthSmithRestSome(BerthSmith *smith);

/// Statements of one nested region or block.
void berthSmithBody(BerthSmith *smith);

// Blocks.c
bool berthSmithDiamond(BerthSmith *smith);
bool berthSmithBlockLoop(BerthSmith *smith);
bool berthSmithBlockSwitch(BerthSmith *smith);
bool berthSmithEarlyReturn(BerthSmith *smith);

// Module.c
/// Forgets the last function's values; the random state goes on.
void berthSmithBeginFunction(BerthSmith *smith, int budget);
/// The i64 argument %<name> as a visible scalar.
void berthSmithAddArgument(BerthSmith *smith, const char *name);
bool berthSmithCall(BerthSmith *smith);

/// Frees what is visible and returns, with a memref if the function has one.
void berthSmithReturn(BerthSmith *smith);

/// Writes the whole module: `options.count` programs and a main that runs them.
void berthSmithModule(const BerthSmithOptions *options, FILE *out);

#endif // BERTH_SMITH_SMITH_H
