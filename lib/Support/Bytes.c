//===- Bytes.c - Numbers of bytes as people write them --------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "Support/Bytes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char suffixes[] = "KMG";

/// Of a small letter, too; NULL if it is none, be it a blank or the end.
static const char *findSuffix(char c) {
  int letter = c & ~0x20;
  return letter ? strchr(suffixes, letter) : NULL;
}

bool berthParseBytes(const char *text, int64_t *bytes) {
  char *end;
  errno = 0;
  unsigned long long number = strtoull(text, &end, 10);
  if (text[0] < '0' || text[0] > '9' || errno)
    return false;
  uint64_t scale = 1;
  const char *suffix = findSuffix(*end);
  if (suffix) {
    scale = UINT64_C(1) << (10 * (suffix - suffixes + 1));
    ++end;
  }
  if (*end || number == 0 || number > INT64_MAX / scale)
    return false;
  *bytes = (int64_t)(number * scale);
  return true;
}

bool berthIsWholeNumber(const char *text) {
  return *text && !text[strspn(text, "0123456789")];
}

bool berthNumberMeant(const char *text, int64_t *number) {
  if (berthIsWholeNumber(text) || text[0] < '0' || text[0] > '9')
    return false;
  if (berthParseBytes(text, number))
    return true;
  char *end;
  double real = strtod(text, &end);
  end += *end == '%';
  if (*end || !(real < 1e15) || real != (double)(int64_t)real)
    return false;
  *number = (int64_t)real;
  return true;
}

const char *berthBytesComplaint(const char *text) {
  const char *end = text + strspn(text, "0123456789");
  bool isNumber = end > text && strspn(text, "0") < (size_t)(end - text);
  if (isNumber && (!*end || (findSuffix(*end) && !end[1])))
    return "it is too large: the largest is 9223372036854775807";
  if (strchr(text, ',') && strchr(text, '='))
    return "expected a positive number of bytes, such as 65536, 512K, 2M or 1G "
           "(blanks, not commas, stand between options)";
  return "expected a positive number of bytes, such as 65536, 512K, 2M or 1G";
}
