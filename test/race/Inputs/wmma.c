//===- wmma.c - Products of matrices by the threads of a warp ------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fragments of 16x16, which lanes hold like this: of an operand, row l mod 16;
// of an accumulator, half of row l / 2. (How the hardware does it is not
// told.) Rows are `pitch` elements apart, by the op's word.
//
//===----------------------------------------------------------------------===//

#include "workgroup.h"

#include <stdint.h>
#include <string.h>

enum { Side = 16, Half = 8, Words = 8 };

void race_wmma_load_operand(_Float16 *lane, const _Float16 *from,
                            int32_t pitch) {
  for (int i = 0; i < Side; ++i)
    lane[i] = from[raceLane() % Side * pitch + i];
}

static int32_t placeOfSum(int32_t pitch) {
  return raceLane() / 2 * pitch + raceLane() % 2 * Half;
}

void race_wmma_load_sum(float *lane, const float *from, int32_t pitch) {
  for (int i = 0; i < Half; ++i)
    lane[i] = from[placeOfSum(pitch) + i];
}

void race_wmma_store_sum(const float *lane, float *to, int32_t pitch) {
  for (int i = 0; i < Half; ++i)
    to[placeOfSum(pitch) + i] = lane[i];
}

/// What all lanes hold of an operand, its rows.
static void gather(_Float16 all[Side][Side], const _Float16 *lane) {
  for (int word = 0; word < Words; ++word) {
    uint32_t own, of[WarpSize];
    memcpy(&own, lane + 2 * word, sizeof own);
    raceExchange(own, of);
    for (int row = 0; row < Side; ++row)
      memcpy(&all[row][2 * word], &of[row], sizeof own);
  }
}

void race_wmma_multiply(float *sum, const _Float16 *left,
                        const _Float16 *right) {
  _Float16 a[Side][Side], b[Side][Side];
  gather(a, left);
  gather(b, right);
  int row = raceLane() / 2, first = raceLane() % 2 * Half;
  for (int i = 0; i < Half; ++i)
    for (int k = 0; k < Side; ++k)
      sum[i] += (float)a[row][k] * (float)b[k][first + i];
}
