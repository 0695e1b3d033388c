//===- Nearest.c - The word that was meant --------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Support/Nearest.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_WORD = 64, LEAST_BEGINNING = 3 };

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

static char letter(char c) {
  return c == '_' ? '-' : (char)tolower((unsigned char)c);
}

size_t berthNameDistance(const char *a, size_t lengthOfA, const char *b) {
  size_t length = least(strlen(b), LONGEST_WORD);
  size_t rows[3][LONGEST_WORD + 1], *row = rows[0], *before = rows[1],
                                    *earlier = rows[2];
  for (size_t k = 0; k <= length; ++k)
    row[k] = k;
  for (size_t i = 0; i < least(lengthOfA, LONGEST_WORD); ++i) {
    size_t *oldest = earlier;
    earlier = before;
    before = row;
    row = oldest;
    row[0] = i + 1;
    for (size_t k = 0; k < length; ++k) {
      bool isSame = letter(a[i]) == letter(b[k]);
      row[k + 1] = least(before[k] + !isSame, least(before[k + 1], row[k]) + 1);
      if (i && k && letter(a[i]) == letter(b[k - 1]) &&
          letter(a[i - 1]) == letter(b[k]))
        row[k + 1] = least(row[k + 1], earlier[k - 1] + 1);
    }
  }
  return row[length];
}

static bool isBeginning(const char *text, size_t length, const char *word) {
  if (length < LEAST_BEGINNING)
    return false;
  for (size_t i = 0; i < length; ++i)
    if (letter(text[i]) != letter(word[i]))
      return false;
  return true;
}

const char *berthNearestWord(const char *text, const char *const *words,
                             size_t count) {
  const char *nearest = NULL;
  size_t length = strlen(text), nearestFar = SIZE_MAX;
  for (size_t i = 0; i < count; ++i) {
    size_t own = strlen(words[i]),
           far = berthNameDistance(text, length, words[i]);
    bool isNear = far <= (length > own ? length : own) / 3;
    if (isBeginning(text, length, words[i])) {
      isNear = true;
      far = far > 0;
    }
    if (!isNear || far >= nearestFar)
      continue;
    nearestFar = far;
    nearest = words[i];
  }
  return nearest;
}

BerthNearest berthNearest(const char *text, const char *const *words,
                          size_t count) {
  BerthNearest result = {{0}};
  const char *word = berthNearestWord(text, words, count);
  if (word)
    snprintf(result.text, sizeof result.text, "; did you mean '%s'?", word);
  return result;
}
