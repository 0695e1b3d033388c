//===- PackersFuzz.c - Any problem, every packer, verified ---------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// The input is read as a problem: its first four bytes choose the features, the
// rest draws buffers, edges, pools and ranges. Every packer gets it. A packer
// may refuse what it cannot handle; what it returns has passed the verifier
// inside berthPack, and is given to it once more here.
//
//===---------------------------------------------------------------------===//

#include "../unit/Pack/RandomProblem.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void packWithEach(const BerthProblemData *problem) {
  for (size_t i = 0; i < berthPackerCount(); ++i) {
    BerthPackOptions options = {.packer = berthPackerName(i), .steps = 20000};
    BerthPlan plan;
    BerthError error = {{0}, 0, 0};
    BerthStatus status = berthPack(problem, &options, &plan, &error);
    if (status == BERTH_SUCCESS)
      status = berthPlanVerify(problem, &plan, &error);
    else if (status == BERTH_INVALID)
      status = BERTH_SUCCESS; // refused by name
    if (status) {
      fprintf(stderr, "%s: %s\n", berthPackerName(i), error.message);
      abort();
    }
    berthPlanFree(&plan);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint32_t features = 0;
  for (size_t i = 0; i < 4 && size > 0; ++i, ++data, --size)
    features |= (uint32_t)*data << 8 * i;
  RandomSource source = randomFromBytes(data, size);
  RandomShape shape = {
      .maxBuffers = 24, .maxTime = 20, .maxSize = 40, .features = features};
  BerthProblem *problem = randomProblem(&source, &shape);
  if (berthProblemCheck(berthProblemGetData(problem), NULL, NULL) ==
      BERTH_SUCCESS)
    packWithEach(berthProblemGetData(problem));
  berthProblemDestroy(problem);
  return 0;
}
