//===- JsonTest.c - Reading and writing JSON ------------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "Reading.h"

#define ONE "{\"size\": 8, \"lower\": 0, \"upper\": 5}"

//===---------------------------------------------------------------------===//
// Refused
//===---------------------------------------------------------------------===//

static void refusesBadSyntax(void **state) {
  (void)state;
  static const BadText cases[] = {
      {"", 1, 1, "an object '{' expected, but the text ends"},
      {"[]", 1, 1, "an object '{' expected instead of '['"},
      {"{", 1, 2, "a key expected, but the text ends"},
      {"{}", 1, 1, "the document lacks 'buffers'"},
      {"{\"buffers\": [}", 1, 14, "a value expected instead of '}'"},
      {"{\"buffers\": [" ONE ",]}", 1, 50, "a comma stands before ']'"},
      {"{\"buffers\": [],}", 1, 16, "a comma stands before '}'"},
      {"{\"buffers\" []}", 1, 12, "':' expected instead of '['"},
      {"{\"buffers\": []} x", 1, 17, "the end of the text expected"},
      {"{\"buffers\": [" ONE " " ONE "]}", 1, 50, "',' or ']' expected"},
      {"{buffers: []}", 1, 2, "a key expected instead of 'buffers'"},
      {"{'buffers': []}", 1, 2, "a key expected"},
      {"{\"buffers\": nul}", 1, 13, "a value expected instead of 'nul'"},
      {"{\"buffers\": [01]}", 1, 14, "a value expected instead of '01'"},
      {"{\"buffers\": [1.]}", 1, 14, "a value expected"},
      {"{\"buffers\": [1e]}", 1, 14, "a value expected"},
      {"{\"buffers\": [-]}", 1, 14, "a value expected"},
      {"{\"buffers\": [\"a]}", 1, 14, "this string is not closed"},
      {"{\"buffers\": [\"a\nb\"]}", 1, 14, "this string is not closed"},
      {"{\"buffers\": [\"\\x\"]}", 1, 15, "malformed escape"},
      {"{\"buffers\": [\"\\u12\"]}", 1, 15, "malformed escape"},
      {"{\"buffers\": [\"\\ud800\"]}", 1, 15, "malformed escape"},
      {"{\"buffers\": [\"\\u0000\"]}", 1, 15, "malformed escape"},
      {"{\n \"buffers\": [],\n \"bufers\": []}", 3, 2,
       "the document has no 'bufers'; it may have: berth, capacity"},
      {"{\"buffers\": [], \"buffers\": []}", 1, 17,
       "'buffers' stands twice in the document"},
      {"{\"berth\": 2, \"buffers\": []}", 1, 11, "format version 2"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    expectBad(&cases[i], BERTH_FORMAT_JSON, false);
}

static void refusesDeepNesting(void **state) {
  (void)state;
  enum { DEPTH = 100000 };
  char *text = malloc(DEPTH + 16);
  strcpy(text, "{\"buffers\": ");
  memset(text + 12, '[', DEPTH);
  text[12 + DEPTH] = '\0';
  BadText bad = {text, 1, 75, "nested deeper than 64"};
  expectBad(&bad, BERTH_FORMAT_JSON, false);
  free(text);
}

static void refusesBadBuffers(void **state) {
  (void)state;
#define BUFFER(fields) "{\"buffers\": [\n" fields "]}"
  static const BadText cases[] = {
      {BUFFER("1"), 2, 1, "an object '{' expected"},
      {BUFFER("{}"), 2, 1, "a buffer lacks 'size'"},
      {BUFFER("{\"size\": 8}"), 2, 1, "a buffer lacks its life"},
      {BUFFER("{\"size\": 8, \"lower\": 1}"), 2, 1, "a buffer lacks 'upper'"},
      {BUFFER("{\"size\": 8, \"lower\": 1, \"upper\": 2, \"segments\": "
              "[[1, 2]]}"),
       2, 1, "either 'lower' and 'upper' or 'segments', not both"},
      {BUFFER("{\"size\": 0}"), 2, 10, "size 0 is not within 1 to"},
      {BUFFER("{\"size\": 9223372036854775808}"), 2, 10,
       "size 9223372036854775808 is not within"},
      {BUFFER("{\"size\": 1e3}"), 2, 10, "size '1e3' is not a whole number"},
      {BUFFER("{\"size\": \"8\"}"), 2, 10, "is not a whole number"},
      {BUFFER("{\"size\": 8, \"segments\": [[1, 2, 3]]}"), 2, 26,
       "a segment is a pair [from, to], not 3 numbers"},
      {BUFFER("{\"size\": 8, \"segments\": []}"), 2, 1, "segment"},
      {BUFFER("{\"size\": 8, \"lower\": 3, \"upper\": 3}"), 2, 1, "3"},
      {BUFFER("{\"size\": 8, \"segments\": [[4, 6], [1, 2]]}"), 2, 1, ""},
      {BUFFER("{\"size\": 8, \"fixed\": -1}"), 2, 22, "fixed -1"},
      {BUFFER("{\"size\": 8, \"alignment\": 0}"), 2, 26, "alignment 0"},
      {BUFFER("{\"size\": 8, \"colour\": 0}"), 2, 13,
       "a buffer has no 'colour'"},
      {BUFFER("{\"id\": 7}"), 2, 8, "a string expected instead of '7'"},
      {BUFFER("{\"gaps\": [{\"lower\": 3}]}"), 2, 11, "a gap lacks 'upper'"},
      {BUFFER("{\"pools\": [0]}"), 2, 12, "there is no pool to refer to"},
      {BUFFER(ONE ",\n" ONE ", {\"id\": \"b0\", \"size\": 1, \"lower\": 0, "
                  "\"upper\": 1}"),
       3, 38, "b0"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    expectBad(&cases[i], BERTH_FORMAT_JSON, false);
}

static void refusesBadReferences(void **state) {
  (void)state;
#define WITH(fields) "{\"buffers\": [" ONE "],\n" fields "}"
  static const BadText cases[] = {
      {WITH("\"edges\": [{}]"), 2, 11, "an edge lacks 'between'"},
      {WITH("\"distances\": [{\"between\": [0, 0], \"upper\": 1}]"), 2, 15,
       "a distance lacks 'lower'"},
      {WITH("\"edges\": [{\"between\": [0]}]"), 2, 23, "names two buffers"},
      {WITH("\"edges\": [{\"between\": [0, 1]}]"), 2, 27, "buffer 1"},
      {WITH("\"edges\": [{\"between\": [0, \"x\"]}]"), 2, 27,
       "there is no buffer 'x'"},
      {WITH("\"edges\": [{\"between\": [0, \"b1\"]}]"), 2, 27,
       "there is no buffer 'b1'"},
      {WITH("\"edges\": [{\"between\": [0, \"b00\"]}]"), 2, 27,
       "there is no buffer 'b00'"},
      {WITH("\"edges\": [{\"between\": [0, 0], \"unless\": [[0]]}]"), 2, 43,
       "there is no cut to refer to"},
      {WITH("\"cuts\": [{\"id\": \"c\"}]"), 2, 10, "a cut lacks 'price'"},
      {WITH("\"cuts\": [{\"price\": -1}]"), 2, 20, "price -1"},
      {WITH("\"pools\": [{\"capacity\": true}]"), 2, 24,
       "capacity 'true' is not a whole number"},
      {WITH("\"reserved\": [4]"), 2, 14, "an array '[' expected"},
      {WITH("\"plan\": {}"), 2, 9, "the plan lacks 'offsets'"},
      {WITH("\"plan\": {\"offsets\": []}"), 2, 21, "0 offsets for 1 buffers"},
      {WITH("\"plan\": {\"offsets\": [1, 2]}"), 2, 21, "2 offsets for 1"},
      {WITH("\"plan\": {\"offsets\": [-1]}"), 2, 22, "an offset -1"},
      {WITH("\"plan\": {\"offsets\": [9223372036854775800]}"), 1, 14,
       "overflow"},
      {WITH("\"plan\": {\"offsets\": [0], \"status\": \"good\"}"), 2, 36,
       "unknown status 'good'"},
      {WITH("\"plan\": {\"offsets\": [0], \"conflict_irreducible\": 1}"), 2, 50,
       "'1' is not true or false"},
      {WITH("\"plan\": {\"offsets\": [0], \"bound\": {\"from\": 1}}"), 2, 35,
       "the bound lacks 'reason'"},
      {WITH("\"plan\": {\"offsets\": [0], \"bound\": {\"reason\": \"luck\"}}"),
       2, 46, "unknown reason 'luck'"},
      {WITH("\"plan\": {\"offsets\": [0], \"bound\": {\"reason\": \"load\", "
            "\"buffers\": [1]}}"),
       2, 66, "buffer 1"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    expectBad(&cases[i], BERTH_FORMAT_JSON, false);
}

//===---------------------------------------------------------------------===//
// Read
//===---------------------------------------------------------------------===//

static const char everything[] =
    "{\n"
    "  \"berth\": 1,\n"
    "  \"pools\": [\n"
    "    {\"id\": \"fast\", \"capacity\": 1024, \"cost\": 2, \"reserved\": "
    "[[0, 16], [32, 48]]},\n"
    "    {\"capacity\": 0}\n"
    "  ],\n"
    "  \"buffers\": [\n"
    "    {\"id\": \"a \\\"\\u00e4\\ud83d\\ude00\\\\\\n\", \"size\": 10, "
    "\"lower\": -5, \"upper\": 9223372036854775807},\n"
    "    {\"size\": 64, \"segments\": [[0, 3], [5, 9]], \"gaps\": [{\"lower\": "
    "1, \"upper\": 2, \"window\": [8, 16]}, {\"lower\": 6, \"upper\": 7, "
    "\"window\": [0, 0]}], \"alignment\": 64, \"fixed\": 128, \"hint\": 192, "
    "\"weight\": 7, \"group\": 4, \"pools\": [0, 1]},\n"
    "    {\"size\": 1, \"lower\": 20, \"upper\": 30, \"pools\": [1]}\n"
    "  ],\n"
    "  \"cuts\": [\n"
    "    {\"id\": \"barrier\", \"price\": 5},\n"
    "    {\"price\": 6}\n"
    "  ],\n"
    "  \"edges\": [\n"
    "    {\"between\": [0, 2]},\n"
    "    {\"between\": [1, 2], \"unless\": [[0], [0, 1]]}\n"
    "  ],\n"
    "  \"distances\": [\n"
    "    {\"between\": [0, 1], \"lower\": -64, \"upper\": 7}\n"
    "  ],\n"
    "  \"plan\": {\n"
    "    \"packer\": \"someone's\",\n"
    "    \"status\": \"feasible\",\n"
    "    \"stopped\": \"steps\",\n"
    "    \"proven\": [\"peak\", \"hints\"],\n"
    "    \"peak\": 400,\n"
    "    \"load\": 75,\n"
    "    \"lower_bound\": 76,\n"
    "    \"bound\": {\"reason\": \"clique\", \"from\": -3, \"to\": 9, "
    "\"buffers\": [0, 2]},\n"
    "    \"price\": 5,\n"
    "    \"pool_cost\": 3,\n"
    "    \"hint_distance\": 448,\n"
    "    \"steps\": 12345,\n"
    "    \"offsets\": [0, 128, 300],\n"
    "    \"pools\": [1, 0, 1],\n"
    "    \"cuts\": [0],\n"
    "    \"conflict\": [0, 2],\n"
    "    \"conflict_irreducible\": true\n"
    "  }\n"
    "}\n";

/// Parses without the problem check's blessing of each field: the text above is
/// valid as a whole.
static void readsAndWritesEverything(void **state) {
  (void)state;
  BerthDocument *document = expectGood(everything, BERTH_FORMAT_AUTO, false);
  assert_int_equal(berthDocumentGetFormat(document), BERTH_FORMAT_JSON);
  const BerthProblemData *problem = problemOf(document);
  assert_string_equal(problem->buffers[0].id,
                      "a \"\xC3\xA4\xF0\x9F\x98\x80\\\n");
  assert_int_equal(problem->buffers[1].pools, 3);
  assert_int_equal(problem->edges[1].alternatives[1].cuts[1], 1);
  assert_int_equal(problem->distances[0].lower, -64);
  const BerthPlan *plan = berthDocumentGetPlan(document);
  assert_int_equal(plan->lowerBound, 76);
  assert_int_equal(plan->provenLevels, BERTH_LEVEL_PEAK | BERTH_LEVEL_HINTS);
  assert_int_equal(plan->cutsBought[0], 1);
  assert_int_equal(plan->cutsBought[1], 0);

  // Once written, it comes back byte by byte.
  char *first = WRITTEN(berthWriteJson(stream, problem, plan, &error));
  BerthDocument *again = expectGood(first, BERTH_FORMAT_JSON, false);
  char *second = WRITTEN(berthWriteJson(stream, problemOf(again),
                                        berthDocumentGetPlan(again), &error));
  assert_string_equal(first, second);
  // Apart from escapes that need not be, it is what was written by hand.
  assert_string_equal(strstr(first, "{\"size\": 64"),
                      strstr(everything, "{\"size\": 64"));
  free(first);
  free(second);
  berthDocumentDestroy(again);
  berthDocumentDestroy(document);
}

static void readsReferencesByNameInAnyOrder(void **state) {
  (void)state;
  BerthDocument *document = expectGood(
      "{\"plan\": {\"offsets\": [0, 8], \"pools\": [\"p\", \"p\"]},"
      "\"edges\": [{\"between\": [\"y\", \"x\"], \"unless\": [[\"c\"]]}],"
      "\"buffers\": ["
      "{\"id\": \"x\", \"size\": 8, \"lower\": 0, \"upper\": 5, \"pools\": "
      "[\"p\"]},"
      "{\"id\": \"y\", \"size\": 8, \"lower\": 6, \"upper\": 7}],"
      "\"cuts\": [{\"id\": \"c\", \"price\": 1}],"
      "\"pools\": [{\"id\": \"p\", \"capacity\": 0}],"
      "\"capacity\": 0}",
      BERTH_FORMAT_JSON, false);
  const BerthProblemData *problem = problemOf(document);
  assert_int_equal(problem->edges[0].first, 1);
  assert_int_equal(problem->edges[0].second, 0);
  assert_int_equal(problem->buffers[0].pools, 1);
  // What the plan does not state is computed.
  const BerthPlan *plan = berthDocumentGetPlan(document);
  assert_int_equal(plan->peak, 16);
  assert_int_equal(plan->load, 8);
  berthDocumentDestroy(document);
}

// A buffer without an id goes by its index.
static void readsReferencesToUnnamedBuffers(void **state) {
  (void)state;
  BerthDocument *document =
      expectGood("{\"edges\": [{\"between\": [\"b2\", \"a\"]}],\n"
                 " \"buffers\": [" ONE ", {\"id\": \"a\", \"size\": 1, "
                 "\"lower\": 0, \"upper\": 1}, " ONE "]}",
                 BERTH_FORMAT_JSON, false);
  const BerthProblemData *problem = problemOf(document);
  assert_int_equal(problem->edges[0].first, 2);
  assert_int_equal(problem->edges[0].second, 1);
  berthDocumentDestroy(document);
}

static void readsCapacityAndReserved(void **state) {
  (void)state;
  BerthDocument *document =
      expectGood("{\"capacity\": 9223372036854775807, \"reserved\": [[8, 16]],"
                 "\"buffers\": [" ONE "]}",
                 BERTH_FORMAT_JSON, false);
  const BerthProblemData *problem = problemOf(document);
  assert_int_equal(problem->capacity, INT64_MAX);
  assert_int_equal(problem->numReserved, 1);
  assert_int_equal(problem->reserved[0].upper, 16);
  char *written = WRITTEN(berthWriteJson(stream, problem, NULL, &error));
  assert_string_equal(written, "{\n  \"berth\": 1,\n"
                               "  \"capacity\": 9223372036854775807,\n"
                               "  \"reserved\": [[8, 16]],\n"
                               "  \"buffers\": [\n    " ONE "\n  ]\n}\n");
  free(written);
  berthDocumentDestroy(document);
}

static void writesNamesThatAreNoText(void **state) {
  (void)state;
  BerthSegment life = {0, 5};
  BerthBuffer buffer = berthBufferDefault();
  buffer.id = "\xff</script>\x01";
  buffer.size = 8;
  buffer.numSegments = 1;
  buffer.segments = &life;
  BerthProblemData problem = {.numBuffers = 1, .buffers = &buffer};
  char *written = WRITTEN(berthWriteJson(stream, &problem, NULL, &error));
  assert_non_null(strstr(written, "\"\xEF\xBF\xBD\\u003c/script>\\u0001\""));
  free(written);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(refusesBadSyntax),
      cmocka_unit_test(refusesDeepNesting),
      cmocka_unit_test(refusesBadBuffers),
      cmocka_unit_test(refusesBadReferences),
      cmocka_unit_test(readsAndWritesEverything),
      cmocka_unit_test(readsReferencesByNameInAnyOrder),
      cmocka_unit_test(readsReferencesToUnnamedBuffers),
      cmocka_unit_test(readsCapacityAndReserved),
      cmocka_unit_test(writesNamesThatAreNoText),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
