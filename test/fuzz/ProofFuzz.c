//===- ProofFuzz.c - Any log of any problem, and what it proves ----------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The input's first byte says how many bytes draw a tiny problem, the first
// four of which choose its features; what follows them is the log. The checker
// accepts or refuses it; whatever it says is proven must be true by brute
// force.
//
//===---------------------------------------------------------------------===//

#define _DEFAULT_SOURCE
#include "../unit/Pack/BruteForce.h"
#include "../unit/Pack/RandomProblem.h"
#include "berth-c/Proof.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Above this brute force takes too long where nothing is to be found.
enum { kMostPeak = 20 };

static void holdAgainstTruth(void *userData,
                             const BerthRefutation *refutation) {
  const BerthProblemData *problem = userData;
  if (bruteIsRefuted(problem, refutation->peak, refutation->price,
                     refutation->poolCost, kMostPeak))
    return;
  fprintf(stderr,
          "accepted what is not true: peak %lld, price %lld, cost %lld\n",
          (long long)refutation->peak, (long long)refutation->price,
          (long long)refutation->poolCost);
  abort();
}

static void checkLog(const BerthProblemData *problem, const uint8_t *text,
                     size_t size) {
  FILE *stream = fmemopen((void *)text, size, "r"); // only read
  BerthError error = {{0}, 0, 0};
  if (!stream)
    return;
  BerthStatus status = berthProofCheckStream(problem, stream, holdAgainstTruth,
                                             (void *)problem, &error);
  fclose(stream);
  if (status != BERTH_SUCCESS &&
      (status != BERTH_INVALID || error.message[0] == '\0'))
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint32_t features = 0;
  if (size < 2 || data[0] >= size - 1)
    return 0;
  size_t drawn = data[0];
  const uint8_t *from = data + 1, *text = from + drawn;
  for (size_t i = 0; i < 4 && drawn > 0; ++i, ++from, --drawn)
    features |= (uint32_t)*from << 8 * i;
  RandomSource source = randomFromBytes(from, drawn);
  RandomShape shape = {
      .maxBuffers = 4, .maxTime = 6, .maxSize = 4, .features = features};
  BerthProblem *problem = randomProblem(&source, &shape);
  if (berthProblemCheck(berthProblemGetData(problem), NULL, NULL) ==
      BERTH_SUCCESS)
    checkLog(berthProblemGetData(problem), text, size - (size_t)(text - data));
  berthProblemDestroy(problem);
  return 0;
}
