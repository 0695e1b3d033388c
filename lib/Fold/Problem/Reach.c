//===- Reach.c - How far reads lie behind writes --------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An output may lie in the memory of a dying input as far as each cell is read
// before it is written over:
//
//     for i: Y[i] = X[2 i] + X[2 i + 1]
//
// Behind the write of Y[i] nothing is read but X[2 i + 2] and what follows.
//
// Addresses are numbers, so all that counts of a read behind a write is the
// difference of both, and of these the least and the most. The idea that a
// layer may write over its own input so: "vMCU: Coordinated Memory Management
// and Kernel Optimization for DNN Inference on MCUs" (MLSys 2024, arXiv
// 2406.06542).
//
//===----------------------------------------------------------------------===//

#include "Fold/Problem/Source.h"

#include "Support/Allocate.h"

/// A source, opened.
typedef struct Opened {
  isl_ctx *ctx;
  BerthFoldInput input;
  isl_union_map *readAt;
  isl_union_map *writtenAt;
} Opened;

static void closeSource(Opened *opened) {
  isl_union_map_free(opened->readAt);
  isl_union_map_free(opened->writtenAt);
  berthFoldCloseSource(opened->ctx, &opened->input);
}

/// Close it in any case.
static BerthStatus openSource(const BerthFoldSource *source, const char *readAt,
                              const char *writtenAt, Opened *opened,
                              BerthError *error) {
  *opened = (Opened){.ctx = NULL};
  BerthStatus status =
      berthFoldOpenSource(source, &opened->ctx, &opened->input, error);
  if (status != BERTH_SUCCESS)
    return status;
  opened->readAt = isl_union_map_read_from_str(opened->ctx, readAt);
  opened->writtenAt = isl_union_map_read_from_str(opened->ctx, writtenAt);
  return opened->readAt && opened->writtenAt
             ? BERTH_SUCCESS
             : berthFoldIslError(opened->ctx, "reading addresses", error);
}

/// { time -> address } of what `some` and `others` (NULL: nothing) touch and
/// `addresses` has an address for; NULL where that is nothing.
static isl_map *byTime(isl_union_map *some, isl_union_map *others,
                       isl_union_map *addresses, isl_union_map *times) {
  isl_union_map *all =
      some ? isl_union_map_copy(some)
           : isl_union_map_empty(isl_union_map_get_space(addresses));
  if (others)
    all = isl_union_map_union(all, isl_union_map_copy(others));
  all = isl_union_map_apply_range(all, isl_union_map_copy(addresses));
  all = isl_union_map_apply_domain(all, isl_union_map_copy(times));
  if (isl_union_map_is_empty(all) == isl_bool_true) {
    isl_union_map_free(all);
    return NULL;
  }
  return isl_map_from_union_map(all);
}

/// { address read - address written before }; NULL where there is none.
static isl_set *differences(const Opened *opened) {
  const BerthFoldAccesses *accesses = &opened->input.accesses;
  isl_union_set *domain =
      isl_union_set_intersect_params(isl_union_set_copy(accesses->domain),
                                     isl_set_copy(opened->input.context));
  isl_union_map *schedule = isl_union_map_intersect_domain(
      isl_union_map_copy(accesses->schedule), domain);
  unsigned numTimes;
  isl_union_map *times = berthFoldBodyTimes(schedule, &numTimes);
  isl_map *reads =
      byTime(accesses->reads, accesses->mayReads, opened->readAt, times);
  isl_map *writes =
      byTime(accesses->writes, accesses->mayWrites, opened->writtenAt, times);
  isl_union_map_free(times);
  if (!reads || !writes) {
    isl_map_free(reads);
    isl_map_free(writes);
    return NULL;
  }
  isl_space *time = isl_space_domain(isl_map_get_space(writes));
  isl_map *pairs = isl_map_apply_range(
      isl_map_reverse(writes),
      berthFoldBefore(time, accesses->parallel << 1)); // the stage comes first
  return isl_map_deltas(isl_map_apply_range(pairs, reads));
}

/// Takes `value`. False where it is none, or a huge one.
static bool takeNumber(isl_val *value, int64_t *number) {
  const int64_t most = INT64_MAX / 4;
  bool good = value && isl_val_is_int(value) == isl_bool_true &&
              isl_val_cmp_si(value, (long)most) < 0 &&
              isl_val_cmp_si(value, -(long)most) > 0;
  *number = good ? isl_val_get_num_si(value) : 0;
  isl_val_free(value);
  return good;
}

BerthStatus berthFoldFindReach(const BerthFoldSource *source,
                               const char *readAt, const char *writtenAt,
                               uint64_t maxOperations, BerthFoldReach *reach,
                               BerthError *error) {
  Opened opened;
  *reach = (BerthFoldReach){.exists = false};
  BerthStatus status = openSource(source, readAt, writtenAt, &opened, error);
  isl_set *set = NULL;
  bool hasEnds = true;
  if (status == BERTH_SUCCESS) {
    isl_ctx_reset_operations(opened.ctx);
    isl_ctx_set_max_operations(opened.ctx, (unsigned long)maxOperations);
    set = differences(&opened);
    reach->exists = set && isl_set_is_empty(set) == isl_bool_false;
    if (reach->exists)
      hasEnds = takeNumber(isl_set_dim_min_val(isl_set_copy(set), 0),
                           &reach->least) &&
                takeNumber(isl_set_dim_max_val(set, 0), &reach->most);
    else
      isl_set_free(set);
    if (isl_ctx_last_error(opened.ctx) != isl_error_none)
      status = berthFoldIslError(opened.ctx, "the search for the reach", error);
    else if (!hasEnds)
      status = berthErrorSet(error, BERTH_INVALID,
                             "what is read lies any distance from what was "
                             "written before");
  }
  closeSource(&opened);
  return status;
}
