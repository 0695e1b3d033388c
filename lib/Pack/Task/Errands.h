//===- Errands.h - Work done ahead on other threads ---------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// Most of what a search tries brings nothing and changes nothing that the next
// try depends on. So the next ones can be made at the same time, as if that
// were certain:
//
//     caller     errand 0 -------------|
//     thread 1     errand 1 ------|      ...counts, if errand 0 changed nothing
//     thread 2       errand 2 --------|  ...counts, if errand 1 did not either
//
// With one thread errands are run one after the other, up to the first one that
// settles something. With several the same ones count, and the same steps are
// spent: what ran behind the one that settles is thrown away, and one that the
// budget ends within is run again with what was left of it. So neither answers
// nor steps depend on the number of threads.
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_PACK_TASK_ERRANDS_H
#define BERTH_LIB_PACK_TASK_ERRANDS_H

#include "Pack/Task/Host.h"

enum { kBerthMostErrands = 16 };

/// True: settled, those behind it are not wanted. Depends on what was there
/// when the errands began, and on `index`; writes only what belongs to `index`
/// or to `hand`, and may be called again, to begin anew. Spends its steps on
/// `host`. When that says stop, what comes of it does not count.
typedef bool BerthErrandWork(void *context, unsigned hand, uint32_t index,
                             BerthHostState *host);

/// Runs errands 0 to `count` - 1, as long as less than `enough` steps have been
/// spent (0: always). Returns how many count; the last of them may have settled
/// something. The others have nothing to say.
uint32_t berthErrandsRun(BerthHostState *host, uint32_t count, uint64_t enough,
                         BerthErrandWork *work, void *context, bool *settled);

#endif // BERTH_LIB_PACK_TASK_ERRANDS_H
