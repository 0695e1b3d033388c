//===- Session.h - The packing library for other languages --------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// What Pack.h and IO.h offer, in a form that a foreign function interface
// (Python's ctypes, say) can call without knowing the layout of any struct that
// may grow: text or arrays in, text or arrays out, no FILE *, one opaque
// handle.
//
//   berthSessionSetText / SetArrays --> berthSessionPack / Verify
//        --> GetFigures, Offsets, Pools, Cuts, Conflict, Text
//
// A session holds one problem, its plan and the last error. What it returns by
// pointer belongs to it and is valid until the next call that may change it.
// Sessions do not disturb each other; one session belongs to one thread at a
// time. The module `berth` for Python is built on this header alone.
//
// The structs begin with their own size as the caller was compiled. Fields are
// only ever appended: what a caller leaves out has its default, and a field
// that this library does not know must be zero.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_C_SESSION_H
#define BERTH_C_SESSION_H

#include "berth-c/Pack.h"

BERTH_EXTERN_C_BEGIN

/// The interface described here. It changes when a caller of the old one would
/// break; a function or a field more is no change.
#define BERTH_SESSION_ABI 1

/// The interface of the library that is loaded: to be compared before anything
/// else is called.
BERTH_EXPORT uint32_t berthSessionAbi(void);

typedef struct BerthSession BerthSession;

/// An empty session, which the caller destroys; NULL when memory runs out.
BERTH_EXPORT BerthSession *berthSessionCreate(void);
/// NULL is allowed.
BERTH_EXPORT void berthSessionDestroy(BerthSession *session);

//===---------------------------------------------------------------------===//
// The last error
//===---------------------------------------------------------------------===//
//
// Each call that can fail returns a BerthStatus. After one that is not
// BERTH_SUCCESS these say why; after one that is, they say nothing.

/// One sentence without trailing period; "" where nothing failed.
BERTH_EXPORT const char *berthSessionMessage(const BerthSession *session);
/// Its number as tools print it behind the sentence, "[berth-E009]"
/// (docs/messages.md explains each); "" where it has none.
BERTH_EXPORT const char *berthSessionErrorNumber(const BerthSession *session);
/// Position in the text that was set, from 1; 0 where it has none.
BERTH_EXPORT uint64_t berthSessionErrorLine(const BerthSession *session);
BERTH_EXPORT uint64_t berthSessionErrorColumn(const BerthSession *session);
/// The index of the buffer to blame, or BERTH_NONE.
BERTH_EXPORT int64_t berthSessionErrorBuffer(const BerthSession *session);

//===---------------------------------------------------------------------===//
// Problem in
//===---------------------------------------------------------------------===//

/// Sets the problem (and a plan, where the text has one) from `length` bytes of
/// text. `format` is "csv" or "json"; NULL: whichever it is. `offsetsArePlan`
/// not 0: the offset column of a CSV is a plan, not pins. The session's old
/// problem and plan are gone, also where this fails.
BERTH_EXPORT int32_t berthSessionSetText(BerthSession *session,
                                         const char *text, uint64_t length,
                                         const char *format,
                                         int32_t offsetsArePlan);

/// A problem whose buffers have one live segment each, as columns. All arrays
/// but `edges` have one entry a buffer; NULL stands for the default of every
/// buffer. For what these cannot say (gaps, pools, cuts) there is text.
typedef struct BerthSessionArrays {
  uint64_t structSize; ///< sizeof(BerthSessionArrays)
  uint64_t numBuffers;
  const int64_t *sizes;        ///< needed
  const int64_t *lowers;       ///< needed
  const int64_t *uppers;       ///< needed
  const int64_t *alignments;   ///< default 1
  const int64_t *fixedOffsets; ///< default BERTH_NONE
  const int64_t *hints;        ///< default BERTH_NONE
  const int64_t *weights;      ///< default 1
  const int64_t *groups;       ///< default BERTH_NONE
  const char *const *ids;      ///< default "b<index>"
  uint64_t numEdges;
  const uint32_t *edges; ///< two buffers each, which must not share bytes
  int64_t capacity;      ///< bytes; 0: none
} BerthSessionArrays;

/// As berthSessionSetText. The arrays are copied.
BERTH_EXPORT int32_t berthSessionSetArrays(BerthSession *session,
                                           const BerthSessionArrays *arrays);

//===---------------------------------------------------------------------===//
// Packing and verifying
//===---------------------------------------------------------------------===//

/// As BerthPackOptions.
typedef struct BerthSessionOptions {
  uint64_t structSize; ///< sizeof(BerthSessionOptions)
  const char *packer;  ///< NULL: the default packer
  uint64_t steps;
  double timeLimit;
  uint64_t seed;
  uint32_t threads;
  uint32_t minimize; ///< 0 or 1
  const char *proofFile;
  /// Polled now and then; not 0 stops with the best plan so far. Or NULL.
  int32_t (*interrupted)(void *userData);
  void *userData;
} BerthSessionOptions;

/// Packs the problem (`options` may be NULL). That nothing fits is no error:
/// look at the figures' status.
BERTH_EXPORT int32_t berthSessionPack(BerthSession *session,
                                      const BerthSessionOptions *options);

/// Verifies a plan made elsewhere, which becomes the session's: `offsets` and
/// `pools` with one entry a buffer, `cutsBought` with one byte a cut. `pools`
/// NULL: pool 0; `cutsBought` NULL: none. `offsets` NULL: the plan that the
/// text held. BERTH_INVALID where the plan is wrong.
BERTH_EXPORT int32_t berthSessionVerify(BerthSession *session,
                                        const int64_t *offsets,
                                        const uint32_t *pools,
                                        const uint8_t *cutsBought);

//===---------------------------------------------------------------------===//
// Plan out
//===---------------------------------------------------------------------===//

/// A plan's figures, as in BerthPlan.
typedef struct BerthSessionFigures {
  uint64_t structSize; ///< sizeof(BerthSessionFigures), set by the caller
  uint64_t numBuffers;
  uint64_t numCuts;
  uint64_t numConflict;
  int64_t capacity;
  int64_t peak;
  int64_t load;
  int64_t lowerBound;
  int64_t price;
  int64_t poolCost;
  int64_t hintDistance;
  uint64_t steps;
  const char *packer;
  const char *status;  ///< "optimal", "feasible", "infeasible", "budget"
  const char *stopped; ///< "bound", "exhausted", "fit", "steps", "time",
                       ///< "interrupt"
  uint32_t provenLevels;
  uint32_t conflictIrreducible; ///< 0 or 1
  const char *boundReason; ///< why no plan is below `lowerBound`: "load", ...
  int64_t boundFrom;
  int64_t boundTo;
  uint64_t numBoundBuffers;
} BerthSessionFigures;

/// BERTH_INVALID without a plan.
BERTH_EXPORT int32_t berthSessionGetFigures(BerthSession *session,
                                            BerthSessionFigures *figures);

/// One entry a buffer (a cut; a buffer of the conflict, of the bound), NULL
/// without a plan or without entries. Where nothing fits, an offset may be
/// BERTH_NONE.
BERTH_EXPORT const int64_t *berthSessionOffsets(const BerthSession *session);
BERTH_EXPORT const uint32_t *berthSessionPools(const BerthSession *session);
BERTH_EXPORT const uint8_t *berthSessionCuts(const BerthSession *session);
BERTH_EXPORT const uint32_t *berthSessionConflict(const BerthSession *session);
BERTH_EXPORT const uint32_t *berthSessionBound(const BerthSession *session);

/// What must leave the problem's capacity (berth-c/Fit.h, whose options these
/// are; `policy` may be NULL): JSON of the problem and its fit, NUL-terminated,
/// `*length` bytes without that (`length` may be NULL). A fit that was not
/// found has no stays and says so in its status. NULL on failure.
BERTH_EXPORT const char *berthSessionFit(BerthSession *session, int64_t fill,
                                         int64_t spill, int64_t access,
                                         int64_t move, const char *policy,
                                         uint64_t steps, uint64_t *length);

/// Problem and plan (the problem alone, where there is none) as `format`:
/// "csv", "json", "svg" or "html", NUL-terminated, `*length` bytes without that
/// (`length` may be NULL). `title` is a heading for people, or NULL. NULL on
/// failure.
BERTH_EXPORT const char *berthSessionText(BerthSession *session,
                                          const char *format, const char *title,
                                          uint64_t *length);

BERTH_EXTERN_C_END

#endif // BERTH_C_SESSION_H
