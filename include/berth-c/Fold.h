//===- Fold.h - Fewer cells for one array -------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Folding stores an array whose cells are never all live at once in fewer
// cells, by a modular mapping of its indices:
//
//     A[t][i]  ->  A[(i - t) mod (n + 1)]
//
//   i ^  . . o x x   A cell x = (t, i) is live from its write to its last
//     |  . o x x .   read. Two cells that are live at once *conflict*; the
//     |  o x x . .   differences of all conflicting pairs are the set D. Any
//     +----------> t lattice that misses D tells which cells may share.
//
// The stations: accesses -> live ranges -> conflicts -> D (a *problem*), then a
// method finds a *mapping*, then a certificate checks it. Sizes may stay
// symbolic: parameters are known only through the problem's context.
//
// After A. Darte, A. Isoard, T. Yuki, "Extended Lattice-Based Memory
// Allocation" (CC 2016); V. Lefebvre, P. Feautrier, "Automatic storage
// management for parallel programs" (1998); S. Bhaskaracharya, U. Bondhugula,
// A. Cohen, "SMO: an integrated approach to intra-array and inter-array storage
// optimization" (POPL 2016).
//
// This library, libberth-fold, links isl and libc. It knows no MLIR.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_C_FOLD_H
#define BERTH_C_FOLD_H

#include "berth-c/Support.h"

#include <stdio.h>

BERTH_EXTERN_C_BEGIN

/// Limits of the plain structs below; problems beyond them are refused.
#define BERTH_FOLD_MAX_DIMS 8   ///< indices of a cell, array number included
#define BERTH_FOLD_MAX_PARAMS 8 ///< symbolic sizes
#define BERTH_FOLD_MAX_TERMS 4  ///< affine pieces of one modulus

//===---------------------------------------------------------------------===//
// Problem
//===---------------------------------------------------------------------===//

/// A program part in isl's notation, or a conflict relation alone. Every field
/// may be NULL but for those named as needed. Text is read, not kept.
typedef struct BerthFoldSource {
  /// What is known of the parameters: `[N] -> { : N >= 1 }`.
  const char *context;
  /// Statement instances: `[N] -> { S[i] : 0 <= i < N }`. Needed.
  const char *domain;
  /// Time of each instance, in lexicographic order: `{ S[i] -> [i] }`. Needed.
  /// Within one instance all reads come before all writes.
  const char *schedule;
  /// Cells read: `{ S[i] -> A[i - 1] }`. All arrays named are folded, jointly
  /// when there is more than one.
  const char *reads;
  /// Cells that are overwritten for certain. Needed.
  const char *writes;
  /// Cells that may be written: sources that overwrite nothing for certain.
  const char *mayWrites;
  /// Cells whose contents from before matter: `{ A[i] : 0 <= i < N }`.
  const char *liveIn;
  /// Cells read after the end.
  const char *liveOut;
  /// Time dimensions (from 0, commas between) whose iterations run
  /// concurrently.
  const char *parallel;
  /// Instead of all but `context` and `names`: `{ A[i] -> A[j] : ... }`. It is
  /// made symmetric; a cell never conflicts with itself.
  const char *conflict;
  /// Names of the cell's indices, commas between, for printing only.
  const char *names;
  /// Cells that an instance takes in one piece, as a view or a vector:
  /// `{ S[i] -> A[y, x] : i <= y <= i + 2 }`. Of one array. Mappings then keep
  /// each index by itself, and the piece lies in the folded array as it did.
  const char *slices;
  /// More cells read, by instances of their own. They may find nothing written
  /// there: what they bring then nobody looks at.
  const char *mayReads;
} BerthFoldSource;

/// A problem: conflicts, their difference set, and the names of things.
typedef struct BerthFoldProblem BerthFoldProblem;

/// Opens isl, which lies in a shared library of its own, if no call has done so
/// yet. BERTH_RESOURCE: it is not there, or is another version.
BERTH_EXPORT BerthStatus berthFoldOpen(BerthError *error);

/// Reads and analyses. `maxOperations` is isl's budget for this and all later
/// calls together (0: none); running out gives BERTH_RESOURCE. A read that no
/// write and no live-in cell provides for is BERTH_INVALID. Text that isl
/// cannot read sets `error->line` to the 1-based position of the field in the
/// struct above and `error->column` to the offending character (1: the whole
/// text). The caller destroys `*problem`.
BERTH_EXPORT BerthStatus berthFoldProblemCreate(const BerthFoldSource *source,
                                                uint64_t maxOperations,
                                                BerthFoldProblem **problem,
                                                BerthError *error);
BERTH_EXPORT void berthFoldProblemDestroy(BerthFoldProblem *problem);

/// How many of isl's operations the problem has taken so far.
BERTH_EXPORT uint64_t
berthFoldProblemOperations(const BerthFoldProblem *problem);

/// The same from `key: isl text` lines (keys as the fields above, dashed:
/// `live-in`; `#` starts a comment line). Errors carry the line and the column
/// in `text`.
BERTH_EXPORT BerthStatus berthFoldProblemParse(const char *text,
                                               uint64_t maxOperations,
                                               BerthFoldProblem **problem,
                                               BerthError *error);

/// Dimensions of a cell. With several arrays the first is the array's number.
BERTH_EXPORT size_t berthFoldProblemNumDims(const BerthFoldProblem *problem);
BERTH_EXPORT size_t berthFoldProblemNumParams(const BerthFoldProblem *problem);
/// Whether the context allows these values of all parameters.
BERTH_EXPORT bool berthFoldProblemAdmits(const BerthFoldProblem *problem,
                                         const int64_t *params);
/// Owned by the problem.
BERTH_EXPORT const char *
berthFoldProblemParamName(const BerthFoldProblem *problem, size_t param);
/// Arrays in the order of their numbers: sorted by name, shorter names first.
BERTH_EXPORT size_t berthFoldProblemNumArrays(const BerthFoldProblem *problem);
BERTH_EXPORT const char *
berthFoldProblemArrayName(const BerthFoldProblem *problem, size_t array);
/// D in isl's notation. The caller frees it.
BERTH_EXPORT char *
berthFoldProblemDifferenceText(const BerthFoldProblem *problem);

//===---------------------------------------------------------------------===//
// Mapping
//===---------------------------------------------------------------------===//

/// ceil((constant + sum of coefficients x parameters) / divisor).
typedef struct BerthFoldTerm {
  int64_t constant;
  int64_t coefficients[BERTH_FOLD_MAX_PARAMS];
  int64_t divisor; ///< >= 1
} BerthFoldTerm;

/// One index of the folded array: v mod b with floor semantics, where
///   v = coefficients . x - sum over earlier rows j of c_j * q_j,
///   c_j = carries[j] + carrySlopes[j] * the mapping's `carryParam`,
///   q_j = floor(v_j / b_j),   b = the largest of the terms.
/// Carries are 0 but for mappings of the method `exact`.
typedef struct BerthFoldRow {
  int64_t coefficients[BERTH_FOLD_MAX_DIMS];
  int64_t carries[BERTH_FOLD_MAX_DIMS];
  int64_t carrySlopes[BERTH_FOLD_MAX_DIMS];
  size_t numTerms; ///< >= 1
  BerthFoldTerm terms[BERTH_FOLD_MAX_TERMS];
  bool plain; ///< 0 <= v < b for every cell used: the modulo can be left out
  /// So many rows behind the b ones hold the first ones once more, so that
  /// slices can go on there. Whoever writes one of the two writes both. 0 but
  /// for problems with slices.
  int64_t mirror;
} BerthFoldRow;

/// Half a turn of a part of the cells, ahead of the rows: those with
/// x_along >= from go to where x_along is 2 from - 1 - x_along and x_aside is
/// sum - x_aside. So one half of a triangle or a trapezoid comes to lie beside
/// the other one, and both together fill a rectangle.
typedef struct BerthFoldTurn {
  bool exists;
  size_t along;
  size_t aside; ///< not `along`
  BerthFoldTerm from;
  BerthFoldTerm sum;
} BerthFoldTurn;

/// A mapping, valid where its condition holds. Plain data, copied by value.
/// No rows: a single cell does.
typedef struct BerthFoldMapping {
  const char *method; ///< what found it; static storage
  size_t numDims;
  size_t numParams;
  BerthFoldTurn turn; ///< where it exists, rows are of turned cells
  size_t numRows;
  BerthFoldRow rows[BERTH_FOLD_MAX_DIMS];
  size_t numReuse; ///< constant vectors along which cells share
  int64_t reuse[BERTH_FOLD_MAX_DIMS][BERTH_FOLD_MAX_DIMS];
  size_t carryParam; ///< the parameter that carries depend on
  /// The class of parameter `classParam` that this mapping is for: those equal
  /// to `classRest` modulo `classModulus`; 1 means all.
  size_t classParam;
  int64_t classModulus;
  int64_t classRest;
  bool optimal; ///< no smaller lattice exists (constant sizes only)
} BerthFoldMapping;

/// What a method returns: one mapping for all parameter values, or one for each
/// class of them.
#define BERTH_FOLD_MAX_CLASSES 4
typedef struct BerthFoldResult {
  size_t numMappings;
  BerthFoldMapping mappings[BERTH_FOLD_MAX_CLASSES];
  bool cutShort; ///< a method but for "exact" ran out of budget
  /// The method that was asked for, where the mapping is another one's; else
  /// NULL. Why: BERTH_SUCCESS: that took fewer cells; BERTH_INVALID: the method
  /// finds none; BERTH_RESOURCE: isl's budget ran out.
  const char *insteadOf;
  BerthStatus insteadWhy;
} BerthFoldResult;

typedef struct BerthFoldOptions {
  /// One of berthFoldMethodName(); "auto" by default.
  const char *method;
  /// Percent by which the best of all may enlarge a modulus to a power of two.
  unsigned pow2Slack;
  /// Only mappings for all parameter values (no classes).
  bool uniform;
  /// Only this method, even where another one takes fewer cells.
  bool alone;
  /// For "lattice", which then is alone: one of the paper's heuristics, 1 to 3;
  /// 0: all.
  unsigned heuristic;
  /// With slices: rings may have mirrored rows.
  bool mirror;
  /// With slices: percent of cells that a fold which copies less may take more.
  unsigned copySlack;
} BerthFoldOptions;

BERTH_EXPORT BerthFoldOptions berthFoldOptionsDefault(void);
BERTH_EXPORT size_t berthFoldNumMethods(void);
BERTH_EXPORT const char *berthFoldMethodName(size_t method);
BERTH_EXPORT const char *berthFoldMethodDescription(size_t method);

/// Finds a mapping of the fewest cells (at large parameters) that any method
/// finds within the budget; of several the one of the method asked for. Methods
/// are numbered from cheap to dear. Whatever the method, the result has passed
/// berthFoldCertify; one that does not is BERTH_INTERNAL. If none finds
/// anything (unbounded differences, more than it can do), or the one that is to
/// run alone does not, that is BERTH_INVALID.
BERTH_EXPORT BerthStatus berthFoldFind(const BerthFoldProblem *problem,
                                       const BerthFoldOptions *options,
                                       BerthFoldResult *result,
                                       BerthError *error);

/// Proves that no two conflicting cells share a cell under the mapping, for all
/// parameter values of the context and the mapping's class. Shares no code with
/// the methods. BERTH_INVALID, with the step that failed, where the proof does
/// not go through; that may be so for a valid mapping too, never the reverse.
BERTH_EXPORT BerthStatus berthFoldCertify(const BerthFoldProblem *problem,
                                          const BerthFoldMapping *mapping,
                                          BerthError *error);

/// The mapping's text, e.g. `A[t, i] -> [(i - t) mod (n + 1)]`; and the number
/// of cells it needs, e.g. `2*(n + 1)`.
BERTH_EXPORT void berthFoldPrintMapping(const BerthFoldProblem *problem,
                                        const BerthFoldMapping *mapping,
                                        FILE *out);
/// `turn`, or `smo, which takes fewer cells than turn`.
BERTH_EXPORT void berthFoldPrintMethod(const BerthFoldResult *result,
                                       FILE *out);
BERTH_EXPORT void berthFoldPrintSize(const BerthFoldProblem *problem,
                                     const BerthFoldMapping *mapping,
                                     FILE *out);

//===---------------------------------------------------------------------===//
// Several arrays in one piece of memory
//===---------------------------------------------------------------------===//
//
// Each array is folded by itself, then the folded arrays are moved so close
// that they overlap: where one is not full, another one may be.

#define BERTH_FOLD_MAX_PLACED 8

typedef struct BerthFoldPlacement {
  size_t numArrays;
  /// Of each array, over its own indices: numbers only, no carries, no turn.
  BerthFoldMapping mappings[BERTH_FOLD_MAX_PLACED];
  int64_t offsets[BERTH_FOLD_MAX_PLACED]; ///< in cells
  int64_t cells;                          ///< of all together
  /// Offsets are to be multiples of it; 0: of 1.
  int64_t granule;
} BerthFoldPlacement;

/// A mapping of one of the problem's arrays, as berthFoldFind finds it.
BERTH_EXPORT BerthStatus berthFoldFindAlone(const BerthFoldProblem *problem,
                                            size_t array,
                                            const BerthFoldOptions *options,
                                            BerthFoldResult *result,
                                            BerthError *error);

/// Finds offsets for the arrays of a problem without parameters and slices, by
/// the mappings given in `placement`. The result has passed
/// berthFoldCertifyPlacement.
BERTH_EXPORT BerthStatus berthFoldPlace(const BerthFoldProblem *problem,
                                        BerthFoldPlacement *placement,
                                        BerthError *error);

/// Arrays that may be put over one another although they conflict.
typedef struct BerthFoldShared {
  bool with[BERTH_FOLD_MAX_PLACED];
} BerthFoldShared;

/// The fewest cells that the arrays take if each keeps all of its own from the
/// first write to the last read: what a packer by lives could find. Of
/// `placement` the mappings count. `mayShare` has one for each array, or is
/// NULL.
BERTH_EXPORT BerthStatus berthFoldCellsApart(
    const BerthFoldProblem *problem, const BerthFoldPlacement *placement,
    const BerthFoldShared *mayShare, int64_t *cells, BerthError *error);

/// Proves that no two conflicting cells, of one array or of two, have one
/// address.
BERTH_EXPORT BerthStatus berthFoldCertifyPlacement(
    const BerthFoldProblem *problem, const BerthFoldPlacement *placement,
    BerthError *error);

/// Enumerates all conflicting pairs of cells and counts those with one address.
BERTH_EXPORT BerthStatus berthFoldTryPlacement(
    const BerthFoldProblem *problem, const BerthFoldPlacement *placement,
    uint64_t *collisions, BerthError *error);

/// `A[i] -> [i mod 3] at 0, B[i] -> [i mod 6] at 2`.
BERTH_EXPORT void berthFoldPrintPlacement(const BerthFoldProblem *problem,
                                          const BerthFoldPlacement *placement,
                                          FILE *out);

//===---------------------------------------------------------------------===//
// Windows
//===---------------------------------------------------------------------===//
//
// Rows that a loop takes in pieces, the next piece a few rows further on, need
// no modulo: the array is the window that one iteration sees, and what is still
// wanted of it moves to its start at the end of each iteration.
//
//     iteration i:  [i] [i+1] [i+2]     the window, `size` rows
//               i+1:    [i+1] [i+2] [i+3]
//
// The cell x is at x_dim - slope * i - first along `dim`. A cell that is in the
// windows of two iterations is in those of all between, so what is written in
// one and read in another is moved along, never lost.
//
// With some rows more it can wait: the window slides through them for `turns`
// iterations, and then what is wanted moves to the start at once.

/// A loop whose accesses have the times [place, i, ...]. Those with a smaller
/// first dimension run before it and see the window of its first iteration.
typedef struct BerthFoldLoop {
  int64_t place;
  int64_t step; ///< > 0, of the variable i
  bool hasFirst;
  int64_t first; ///< of i, if it is known
} BerthFoldLoop;

typedef struct BerthFoldWindow {
  unsigned dim;
  int64_t slope;       ///< >= 1: rows by which the window moves as i grows by 1
  int64_t first;       ///< of the rows, at i = 0
  int64_t size;        ///< rows
  int64_t turns;       ///< >= 1: iterations from one move to the next
  uint64_t operations; ///< of isl's, that it took to find
} BerthFoldWindow;

/// The smallest window along `dim` (context, domain, schedule, reads, writes,
/// may-writes and slices of `source` count). BERTH_INVALID if there is none.
BERTH_EXPORT BerthStatus berthFoldFindWindow(
    const BerthFoldSource *source, const BerthFoldLoop *loop, unsigned dim,
    uint64_t maxOperations, BerthFoldWindow *window, BerthError *error);

/// Proves that no iteration touches a cell outside of its window.
BERTH_EXPORT BerthStatus berthFoldCheckWindow(const BerthFoldSource *source,
                                              const BerthFoldLoop *loop,
                                              const BerthFoldWindow *window,
                                              uint64_t maxOperations,
                                              BerthError *error);

//===---------------------------------------------------------------------===//
// Overlap
//===---------------------------------------------------------------------===//

/// How far what is read lies from what has been written before that.
typedef struct BerthFoldReach {
  bool exists;   ///< something is read behind a write
  int64_t least; ///< of the address read minus the address written
  int64_t most;
} BerthFoldReach;

/// Of all cells that are read and all that are written before they are
/// (context, domain, schedule, reads, writes and may-writes of `source` count).
/// What counts as read is what `readAt` gives an address, `{ X[i, j] -> [8 i +
/// j] }`, and so for `writtenAt`. An array whose memory is written over may be
/// the one that is read, as long as the distance of both keeps these apart.
/// BERTH_INVALID: there is no least or no most.
BERTH_EXPORT BerthStatus berthFoldFindReach(
    const BerthFoldSource *source, const char *readAt, const char *writtenAt,
    uint64_t maxOperations, BerthFoldReach *reach, BerthError *error);

//===---------------------------------------------------------------------===//
// Ground truth at small sizes
//===---------------------------------------------------------------------===//

/// Cells the mapping needs where the parameters are `params`; INT64_MAX on
/// overflow.
BERTH_EXPORT int64_t berthFoldMappingSize(const BerthFoldMapping *mapping,
                                          const int64_t *params);

/// Where the cell `x` lands, row-major, at the given parameters.
BERTH_EXPORT int64_t berthFoldMappingApply(const BerthFoldMapping *mapping,
                                           const int64_t *params,
                                           const int64_t *x);

/// Enumerates D at the given parameters and counts the differences under which
/// two cells would collide. 0 means valid there. This is exhaustive.
BERTH_EXPORT BerthStatus berthFoldBruteForce(const BerthFoldProblem *problem,
                                             const BerthFoldMapping *mapping,
                                             const int64_t *params,
                                             uint64_t *collisions,
                                             BerthError *error);

/// Calls back for each difference of D at the given parameters, one of each
/// pair of opposites; of cells as `mapping` turns them, if it does.
typedef void (*BerthFoldDifferenceCallback)(const int64_t *difference,
                                            void *userData);
BERTH_EXPORT BerthStatus berthFoldForEachDifference(
    const BerthFoldProblem *problem, const BerthFoldMapping *mapping,
    const int64_t *params, BerthFoldDifferenceCallback callback, void *userData,
    BerthError *error);

/// A cell is live from a write to the last read: their numbers among all such
/// writes and reads in order of time.
typedef struct BerthFoldLife {
  int64_t cell[BERTH_FOLD_MAX_DIMS];
  uint64_t from;
  uint64_t to;
} BerthFoldLife;

/// Calls back for each life at the given parameters. Without a trace:
/// BERTH_INVALID.
typedef void (*BerthFoldLifeCallback)(const BerthFoldLife *life,
                                      void *userData);
BERTH_EXPORT BerthStatus berthFoldForEachLife(const BerthFoldProblem *problem,
                                              const int64_t *params,
                                              BerthFoldLifeCallback callback,
                                              void *userData,
                                              BerthError *error);

/// Runs the accesses in order of time on folded memory and counts the reads
/// that find another cell's value; also tells the largest number of cells live
/// at once. Concurrent iterations run one after the other here. A problem made
/// from a conflict relation has no trace: BERTH_INVALID. `mapping` may be NULL
/// for the count alone.
BERTH_EXPORT BerthStatus berthFoldTrace(const BerthFoldProblem *problem,
                                        const BerthFoldMapping *mapping,
                                        const int64_t *params,
                                        uint64_t *wrongReads, uint64_t *maxLive,
                                        BerthError *error);

BERTH_EXTERN_C_END

#endif // BERTH_C_FOLD_H
