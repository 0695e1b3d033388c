//===- PlanFile.c - Plans of a module, kept in a file ---------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#include "IO/Json/PlanFile.h"
#include "IO/Json/JsonReader.h"
#include "IO/Text/Escape.h"
#include "IO/Text/ReadInput.h"
#include "Support/Allocate.h"
#include "berth-c/IO.h"

#include <stdlib.h>
#include <string.h>

void berthPlanFileFree(BerthPlanFile *plan) {
  berthMemoryFree(&plan->memory);
  *plan = (BerthPlanFile){0};
}

//===---------------------------------------------------------------------===//
// Reading
//===---------------------------------------------------------------------===//

typedef struct Reader {
  BerthJsonReader json;
  BerthPlanFile *plan;
} Reader;

static const char *readText(Reader *reader, const char *what) {
  const char *text = berthJsonString(&reader->json, what);
  if (reader->json.failed)
    return NULL;
  const char *copy = berthMemoryString(&reader->plan->memory, text);
  if (!copy)
    berthJsonOutOfMemory(&reader->json);
  return copy;
}

static uint64_t lineAt(const Reader *reader, size_t position) {
  BerthError where = {0};
  berthSpanLocate(reader->json.text, position, &where);
  return where.line;
}

/// [[lower, upper], ...]
static void readSegments(Reader *reader, BerthPlanEntry *entry) {
  BerthJsonReader *json = &reader->json;
  BerthSegment *segments = NULL;
  size_t capacity = 0;
  berthJsonEnterArray(json);
  while (berthJsonNextElement(json)) {
    int64_t bounds[2] = {0, 0};
    size_t count = 0, position = json->position;
    berthJsonEnterArray(json);
    while (berthJsonNextElement(json)) {
      int64_t bound = berthJsonInteger(json, 0, INT64_MAX, "a point");
      if (count < 2)
        bounds[count] = bound;
      ++count;
    }
    if (count != 2 || bounds[0] >= bounds[1])
      berthJsonFail(json, position, "live ranges are pairs [from, to)");
    if (json->failed)
      return;
    if (!berthMemoryReserve(&reader->plan->memory, &segments, &capacity,
                            entry->numSegments + 1)) {
      berthJsonOutOfMemory(json);
      return;
    }
    segments[entry->numSegments++] = (BerthSegment){bounds[0], bounds[1]};
  }
  entry->segments = segments;
}

static BerthPlanEntry readEntry(Reader *reader, size_t ordinal) {
  enum { ORDINAL, NAME, TYPE, LOCATION, SIZE, ALIGNMENT, LIVE, OFFSET, REASON };
  static const char *const keys[] = {"ordinal", "name",      "type", "location",
                                     "size",    "alignment", "live", "offset",
                                     "reason",  NULL};
  BerthJsonReader *json = &reader->json;
  BerthJsonObject object;
  BerthPlanEntry entry = {.name = "",
                          .size = BERTH_NONE,
                          .alignment = BERTH_NONE,
                          .offset = BERTH_NONE};
  berthJsonEnterObject(json, &object, "an allocation", keys);
  entry.line = lineAt(reader, object.position);
  for (int key; (key = berthJsonNextKey(json, &object)) >= 0;) {
    berthJsonPeek(json);
    size_t position = json->position;
    switch (key) {
    case ORDINAL:
      if (berthJsonInteger(json, 0, INT64_MAX, keys[key]) != (int64_t)ordinal)
        berthJsonFail(json, position, "this is allocation %zu", ordinal);
      break;
    case NAME:
      entry.name = readText(reader, keys[key]);
      break;
    case TYPE:
      entry.type = readText(reader, keys[key]);
      break;
    case LOCATION:
      entry.location = readText(reader, keys[key]);
      break;
    case SIZE:
      entry.size = berthJsonInteger(json, 0, INT64_MAX, keys[key]);
      break;
    case ALIGNMENT:
      entry.alignment = berthJsonInteger(json, 1, INT64_MAX, keys[key]);
      break;
    case LIVE:
      readSegments(reader, &entry);
      break;
    case OFFSET:
      entry.offset = berthJsonInteger(json, 0, INT64_MAX, keys[key]);
      break;
    default:
      entry.reason = readText(reader, keys[key]);
    }
  }
  bool hasOffset = object.seen & UINT64_C(1) << OFFSET;
  bool hasReason = object.seen & UINT64_C(1) << REASON;
  if (hasOffset == hasReason)
    berthJsonFail(json, object.position,
                  "an allocation has an offset, or a reason why it has none");
  return entry;
}

static void readEntries(Reader *reader, BerthPlanScope *scope) {
  BerthJsonReader *json = &reader->json;
  size_t capacity = 0;
  berthJsonEnterArray(json);
  while (berthJsonNextElement(json)) {
    BerthPlanEntry entry = readEntry(reader, scope->numEntries);
    if (json->failed)
      return;
    if (!berthMemoryReserve(&reader->plan->memory, &scope->entries, &capacity,
                            scope->numEntries + 1)) {
      berthJsonOutOfMemory(json);
      return;
    }
    scope->entries[scope->numEntries++] = entry;
  }
}

static BerthPlanScope readScope(Reader *reader) {
  enum { FUNCTION, SPACE, ARENA, ALIGNMENT, ALLOCATIONS };
  static const char *const keys[] = {"function",  "space",       "arena",
                                     "alignment", "allocations", NULL};
  BerthJsonReader *json = &reader->json;
  BerthJsonObject object;
  BerthPlanScope scope = {.function = "",
                          .space = "default",
                          .arena = BERTH_NONE,
                          .alignment = BERTH_NONE};
  berthJsonEnterObject(json, &object, "a scope", keys);
  scope.line = lineAt(reader, object.position);
  for (int key; (key = berthJsonNextKey(json, &object)) >= 0;) {
    if (key == FUNCTION)
      scope.function = readText(reader, keys[key]);
    else if (key == SPACE)
      scope.space = readText(reader, keys[key]);
    else if (key == ARENA)
      scope.arena = berthJsonInteger(json, 0, INT64_MAX, keys[key]);
    else if (key == ALIGNMENT)
      scope.alignment = berthJsonInteger(json, 1, INT64_MAX, keys[key]);
    else
      readEntries(reader, &scope);
  }
  berthJsonRequire(json, &object, FUNCTION);
  berthJsonRequire(json, &object, ALLOCATIONS);
  return scope;
}

static void readScopes(Reader *reader) {
  BerthPlanFile *plan = reader->plan;
  BerthJsonReader *json = &reader->json;
  size_t capacity = 0;
  berthJsonEnterArray(json);
  while (berthJsonNextElement(json)) {
    BerthPlanScope scope = readScope(reader);
    if (json->failed)
      return;
    if (!berthMemoryReserve(&plan->memory, &plan->scopes, &capacity,
                            plan->numScopes + 1)) {
      berthJsonOutOfMemory(json);
      return;
    }
    plan->scopes[plan->numScopes++] = scope;
  }
}

static void readPlan(Reader *reader) {
  enum { VERSION, SCOPES };
  static const char *const keys[] = {"berth_plan", "scopes", NULL};
  BerthJsonReader *json = &reader->json;
  BerthJsonObject object;
  berthJsonEnterObject(json, &object, "a plan", keys);
  for (int key; (key = berthJsonNextKey(json, &object)) >= 0;) {
    if (key == VERSION)
      berthJsonInteger(json, 1, 1, "berth_plan");
    else
      readScopes(reader);
  }
  berthJsonRequire(json, &object, VERSION);
  berthJsonRequire(json, &object, SCOPES);
  berthJsonExpectEnd(json);
}

BerthStatus berthPlanFileRead(const char *path, BerthPlanFile *plan,
                              BerthError *error) {
  char *text = NULL;
  size_t length = 0;
  BerthStatus status = berthReadInput(path, &text, &length, error);
  if (status != BERTH_SUCCESS)
    return status;
  if (!text)
    return berthOutOfMemory(error);
  BerthSpan span = {text, length};
  status = berthSpanCheckUtf8(span, error);
  if (status == BERTH_SUCCESS) {
    Reader reader = {.plan = plan};
    berthJsonStart(&reader.json, span, error);
    readPlan(&reader);
    status = berthJsonFinish(&reader.json);
  }
  free(text);
  if (status != BERTH_SUCCESS)
    berthPlanFileFree(plan);
  return status;
}

//===---------------------------------------------------------------------===//
// Writing
//===---------------------------------------------------------------------===//

static void writeText(FILE *out, const char *key, const char *text) {
  fprintf(out, ", \"%s\": ", key);
  berthWriteJsonString(out, text);
}

static void writeNumber(FILE *out, const char *key, int64_t number) {
  if (number != BERTH_NONE)
    fprintf(out, ", \"%s\": %lld", key, (long long)number);
}

static void writeEntry(FILE *out, const BerthPlanEntry *entry, size_t ordinal) {
  fprintf(out, "    {\"ordinal\": %zu", ordinal);
  writeText(out, "name", entry->name);
  if (entry->type)
    writeText(out, "type", entry->type);
  if (entry->location)
    writeText(out, "location", entry->location);
  writeNumber(out, "size", entry->size);
  writeNumber(out, "alignment", entry->alignment);
  if (entry->numSegments)
    fputs(", \"live\": [", out);
  for (size_t i = 0; i < entry->numSegments; ++i)
    fprintf(out, "%s[%lld, %lld]", i ? ", " : "",
            (long long)entry->segments[i].lower,
            (long long)entry->segments[i].upper);
  if (entry->numSegments)
    fputs("]", out);
  writeNumber(out, "offset", entry->offset);
  if (entry->reason)
    writeText(out, "reason", entry->reason);
  fputs("}", out);
}

static void writeScope(FILE *out, const BerthPlanScope *scope) {
  fputs("  {\"function\": ", out);
  berthWriteJsonString(out, scope->function);
  writeText(out, "space", scope->space);
  writeNumber(out, "arena", scope->arena);
  writeNumber(out, "alignment", scope->alignment);
  fputs(", \"allocations\": [", out);
  for (size_t i = 0; i < scope->numEntries; ++i) {
    fputs(i ? ",\n" : "\n", out);
    writeEntry(out, &scope->entries[i], i);
  }
  fputs("]}", out);
}

BerthStatus berthPlanFileWrite(const BerthPlanFile *plan, const char *path,
                               BerthError *error) {
  BerthOutput *output;
  BerthStatus status = berthOutputOpen(path, &output, error);
  if (status != BERTH_SUCCESS)
    return status;
  FILE *out = berthOutputStream(output);
  fputs("{\"berth_plan\": 1, \"scopes\": [", out);
  for (size_t i = 0; i < plan->numScopes; ++i) {
    fputs(i ? ",\n" : "\n", out);
    writeScope(out, &plan->scopes[i]);
  }
  fputs("]}\n", out);
  return berthOutputCommit(output, error);
}

//===---------------------------------------------------------------------===//
// Comparing
//===---------------------------------------------------------------------===//

static bool isSame(const char *a, const char *b) {
  return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool isNumber(BerthSpan text, int64_t *number) {
  *number = 0;
  for (size_t i = 0; i < text.length; ++i) {
    if (text.data[i] < '0' || text.data[i] > '9')
      return false;
    *number = *number * 10 + (text.data[i] - '0');
  }
  return text.length > 0 && text.length < 18;
}

static bool isText(BerthSpan text, const char *other) {
  return text.length == strlen(other) &&
         memcmp(text.data, other, text.length) == 0;
}

/// One spelling of what one memory may be called (IR/Ops/Spaces.h): a name is
/// the string of it, a number has 64 bits, 0 is the default memory.
static BerthSpan spaceOf(const char *space) {
  static const char wide[] = " : i64", gpu[] = "#gpu.address_space<";
  BerthSpan text = {space, strlen(space)}, inner = text;
  int64_t number;
  if (inner.length >= sizeof wide &&
      strcmp(space + inner.length - (sizeof wide - 1), wide) == 0)
    inner.length -= sizeof wide - 1;
  if (isNumber(inner, &number))
    return number ? inner : (BerthSpan){"default", strlen("default")};
  if (strncmp(space, gpu, sizeof gpu - 1) == 0)
    inner = (BerthSpan){space + (sizeof gpu - 1),
                        strcspn(space, ">") - (sizeof gpu - 1)};
  if (isText(inner, "workgroup") || isText(inner, "private"))
    return inner;
  if (text.length < 3 || *space != '"' || space[text.length - 1] != '"')
    return text;
  inner = (BerthSpan){space + 1, text.length - 2};
  // These strings are no names of these memories.
  bool isWord = isText(inner, "default") || isText(inner, "workgroup") ||
                isText(inner, "private") || isNumber(inner, &number) ||
                memchr(inner.data, '\\', inner.length) ||
                memchr(inner.data, '#', inner.length);
  return isWord ? text : inner;
}

static bool isSameSpace(const BerthPlanScope *a, const BerthPlanScope *b) {
  BerthSpan left = spaceOf(a->space), right = spaceOf(b->space);
  return left.length == right.length &&
         memcmp(left.data, right.data, left.length) == 0;
}

/// "f", or what lies elsewhere "f (L1)".
static void nameScope(const BerthPlanScope *scope, char *name, size_t size) {
  BerthSpan space = spaceOf(scope->space);
  if (isText(space, "default"))
    snprintf(name, size, "%.90s", scope->function);
  else
    snprintf(name, size, "%.90s (%.40s)", scope->function, scope->space);
}

/// The scope of `plan` that stands for scopes[index] of `of`: the one of that
/// name and space with as many such ones before it. NULL: there is none.
static const BerthPlanScope *
counterpart(const BerthPlanFile *plan, const BerthPlanFile *of, size_t index) {
  const BerthPlanScope *scope = &of->scopes[index];
  size_t before = 0;
  for (size_t i = 0; i < index; ++i)
    before += isSame(of->scopes[i].function, scope->function) &&
              isSameSpace(&of->scopes[i], scope);
  for (size_t i = 0; i < plan->numScopes; ++i)
    if (isSame(plan->scopes[i].function, scope->function) &&
        isSameSpace(&plan->scopes[i], scope) && before-- == 0)
      return &plan->scopes[i];
  return NULL;
}

static size_t compareNumber(FILE *out, const char *where, const char *what,
                            int64_t a, int64_t b) {
  if (a == b)
    return 0;
  char words[2][24];
  int64_t numbers[2] = {a, b};
  for (int i = 0; i < 2; ++i)
    snprintf(words[i], sizeof words[i],
             numbers[i] == BERTH_NONE ? "none" : "%lld", (long long)numbers[i]);
  fprintf(out, "%s: %s %s -> %s", where, what, words[0], words[1]);
  if (a != BERTH_NONE && b != BERTH_NONE)
    fprintf(out, " (%+lld)", (long long)(b - a));
  fputc('\n', out);
  return 1;
}

/// The same for what a file need not say.
static size_t compareStated(FILE *out, const char *where, const char *what,
                            int64_t a, int64_t b) {
  bool isStated = a != BERTH_NONE && b != BERTH_NONE;
  return isStated ? compareNumber(out, where, what, a, b) : 0;
}

static void printSegments(FILE *out, const BerthPlanEntry *entry) {
  for (size_t i = 0; i < entry->numSegments; ++i)
    fprintf(out, " [%lld, %lld)", (long long)entry->segments[i].lower,
            (long long)entry->segments[i].upper);
  if (!entry->numSegments)
    fputs(" nowhere", out);
}

static size_t compareLives(FILE *out, const char *where,
                           const BerthPlanEntry *a, const BerthPlanEntry *b) {
  if (a->numSegments == b->numSegments &&
      (!a->numSegments || memcmp(a->segments, b->segments,
                                 a->numSegments * sizeof *a->segments) == 0))
    return 0;
  fprintf(out, "%s: live", where);
  printSegments(out, a);
  fputs(" ->", out);
  printSegments(out, b);
  fputc('\n', out);
  return 1;
}

static size_t compareEntries(FILE *out, const BerthPlanScope *scope, size_t i,
                             const BerthPlanEntry *a, const BerthPlanEntry *b) {
  char name[160], where[260];
  nameScope(scope, name, sizeof name);
  snprintf(where, sizeof where, "%s: allocation %zu %.60s", name, i,
           b ? b->name : a->name);
  if (!a || !b) {
    fprintf(out, "%s: only in %s\n", where, a ? "the first" : "the second");
    return 1;
  }
  size_t count = 0;
  if (a->type && b->type && !isSame(a->type, b->type)) {
    fprintf(out, "%s: type %s -> %s\n", where, a->type, b->type);
    ++count;
  }
  count += compareStated(out, where, "size", a->size, b->size);
  count += compareStated(out, where, "alignment", a->alignment, b->alignment);
  count += compareNumber(out, where, "offset", a->offset, b->offset);
  return count + compareLives(out, where, a, b);
}

static size_t compareScopes(FILE *out, const BerthPlanScope *a,
                            const BerthPlanScope *b) {
  char name[160];
  nameScope(a, name, sizeof name);
  size_t count = compareStated(out, name, "arena", a->arena, b->arena);
  size_t most = a->numEntries > b->numEntries ? a->numEntries : b->numEntries;
  for (size_t i = 0; i < most; ++i)
    count +=
        compareEntries(out, a, i, i < a->numEntries ? &a->entries[i] : NULL,
                       i < b->numEntries ? &b->entries[i] : NULL);
  return count;
}

size_t berthPlanFileCompare(FILE *out, const BerthPlanFile *a,
                            const BerthPlanFile *b) {
  size_t count = 0;
  for (size_t i = 0; i < a->numScopes; ++i) {
    const BerthPlanScope *other = counterpart(b, a, i);
    if (other) {
      count += compareScopes(out, &a->scopes[i], other);
      continue;
    }
    fprintf(out, "%s (%s): only in the first\n", a->scopes[i].function,
            a->scopes[i].space);
    ++count;
  }
  for (size_t i = 0; i < b->numScopes; ++i) {
    if (counterpart(a, b, i))
      continue;
    fprintf(out, "%s (%s): only in the second\n", b->scopes[i].function,
            b->scopes[i].space);
    ++count;
  }
  return count;
}
