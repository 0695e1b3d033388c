//===- CsvTest.c - Reading and writing CSV -------------------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "Reading.h"

#define HEADER "id,lower,upper,size\n"

//===---------------------------------------------------------------------===//
// Refused
//===---------------------------------------------------------------------===//

static void refusesBadHeaders(void **state) {
  (void)state;
  static const BadText cases[] = {
      {"", 0, 0, "the file is empty"},
      {" \n\r\n", 0, 0, "the file is empty"},
      {"1,0,5,10\n", 1, 1, "no header: the first line '1,0,5,10'"},
      {"id,lower,upper,colour,size\n", 1, 16, "unknown column 'colour'"},
      {"id,lower,upper,\n", 1, 16, "unknown column ''"},
      {"id,lower,upper,size,size\n", 1, 21, "duplicate column 'size'"},
      {"id,lower,begin,upper,size\n", 1, 10, "duplicate column 'begin'"},
      {"buffer_id,id,lower,upper,size\n", 1, 11, "duplicate column 'id'"},
      {"\nid,lower,upper\n", 2, 1, "has no column 'size'"},
      {"lower,upper,size\n", 1, 1, "has no column 'id'"},
      {"id,\"lower,upper,size\n", 1, 4, "malformed quotes"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    expectBad(&cases[i], BERTH_FORMAT_CSV, false);
}

static void refusesBadCells(void **state) {
  (void)state;
  static const BadText cases[] = {
      {HEADER "a,0,5,ten\n", 2, 7, "size 'ten' is not a whole number"},
      {HEADER "a,0,5,1.5\n", 2, 7, "size '1.5' is not a whole number"},
      {HEADER "a,0,5,+5\n", 2, 7, "size '+5' is not a whole number"},
      {HEADER "a,0,5,0x10\n", 2, 7, "size '0x10' is not a whole number"},
      {HEADER "a,0,5,\n", 2, 7, "size is empty"},
      {HEADER "a,0,5,0\n", 2, 7, "size 0 is below 1"},
      {HEADER "a,0,5,-3\n", 2, 7, "size -3 is below 1"},
      {HEADER "a,0,5,9223372036854775808\n", 2, 7,
       "size 9223372036854775808 does not fit"},
      {HEADER "a,0,5,99999999999999999999999\n", 2, 7, "does not fit"},
      {HEADER "a,-9223372036854775809,5,1\n", 2, 3, "does not fit"},
      {HEADER "a,5,5,1\n", 2, 5, "lower 5 is not below upper 5"},
      {HEADER "a,0,5,1\n\nb,7,5,1\n", 4, 5, "lower 7 is not below upper 5"},
      {HEADER "a, x ,5,1\n", 2, 4, "lower 'x' is not a whole number"},
      {HEADER ",0,5,1\n", 2, 1, "id is empty"},
      {HEADER "a,0,5\n", 2, 1, "this row has 3 cells, the header 4"},
      {HEADER "a,0,5,1,\n", 2, 1, "this row has 5 cells, the header 4"},
      {HEADER "\"a,0,5,1\n", 2, 1, "malformed quotes"},
      {HEADER "\"a\"b,0,5,1\n", 2, 4, "malformed quotes"},
      {HEADER "a,0,5,1\na,6,8,1\n", 3, 1, "a"},
      {HEADER "a\xff,0,5,1\n", 2, 2, "byte 0xFF is not text"},
      {HEADER "a,0,5,9223372036854775807\nb,0,5,1\n", 3, 1, "sum"},
      {"id,lower,end,size\na,5,4,1\n", 2, 5, "lower 5 is above end 4"},
      {"id,lower,end,size\na,5,9223372036854775807,1\n", 2, 5, "too large"},
      {"id,lower,upper,size,alignment\na,0,5,1,0\n", 2, 9,
       "alignment 0 is below 1"},
      {"id,lower,upper,size,hint\na,0,5,1,-1\n", 2, 9, "hint -1 is below 0"},
      {"id,lower,upper,size,offset\na,0,5,1,-1\n", 2, 9,
       "offset -1 is below 0"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    expectBad(&cases[i], BERTH_FORMAT_CSV, false);
}

static void refusesBadGaps(void **state) {
  (void)state;
#define ROW "id,lower,upper,size,gaps\na,0,10,4,"
  static const BadText cases[] = {
      {ROW "3\n", 2, 10, "gap '3' is not of the form"},
      {ROW "2-4x\n", 2, 10, "gap '2-4x' is not of the form"},
      {ROW "2-4@1\n", 2, 10, "gap '2-4@1' is not of the form"},
      {ROW "2-4 5-\n", 2, 14, "gap '5-' is not of the form"},
      {ROW "4-4\n", 2, 10, "ends before or where it begins"},
      {ROW "8-12\n", 2, 10, "reaches beyond the buffer's life"},
      {ROW "2-4@0:5\n", 2, 10, "window that reaches beyond the buffer"},
      {ROW "2-4@-1:2\n", 2, 10, "window that reaches beyond the buffer"},
      {ROW "2-4@3:2\n", 2, 10, "window that ends before it begins"},
      {ROW "5-8 2-6\n", 2, 10, "gaps 2-6 and 5-8 overlap"},
      {ROW "0-10\n", 2, 10, "leave nothing of the buffer's life"},
      {ROW "0-4 4-10\n", 2, 10, "leave nothing of the buffer's life"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    expectBad(&cases[i], BERTH_FORMAT_CSV, false);
}

static void refusesBadPlans(void **state) {
  (void)state;
  static const BadText cases[] = {
      {HEADER "a,0,5,1\n", 1, 1, "no column 'offset'"},
      {"id,lower,upper,size,offset\na,0,5,1,\n", 2, 9, "offset is empty"},
      {"id,lower,upper,size,offset\na,0,5,1,-4\n", 2, 9,
       "offset -4 is below 0"},
      {"id,lower,upper,size,offset\na,0,5,2,9223372036854775806\n", 2, 1,
       "offset 9223372036854775806 and size 2 overflow"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    expectBad(&cases[i], BERTH_FORMAT_CSV, true);
}

//===---------------------------------------------------------------------===//
// Read
//===---------------------------------------------------------------------===//

static void readsColumnsInAnyOrder(void **state) {
  (void)state;
  BerthDocument *document = expectGood(
      "\xEF\xBB\xBFsize,hint , \"end\",begin,buffer_id,alignment,offset\r\n"
      "16,,7,-3,\"a,\"\"b\"\"\",8,\r\n\r\n"
      "32, 64 ,9223372036854775806,8,b,,128",
      BERTH_FORMAT_CSV, false);
  const BerthProblemData *problem = problemOf(document);
  assert_int_equal(problem->numBuffers, 2);
  const BerthBuffer *first = &problem->buffers[0];
  assert_string_equal(first->id, "a,\"b\"");
  assert_int_equal(first->segments[0].lower, -3);
  assert_int_equal(first->segments[0].upper, 8); // `end` is inclusive
  assert_int_equal(first->size, 16);
  assert_int_equal(first->alignment, 8);
  assert_int_equal(first->fixedOffset, BERTH_NONE);
  assert_int_equal(first->hint, BERTH_NONE);
  const BerthBuffer *second = &problem->buffers[1];
  assert_int_equal(second->segments[0].upper, INT64_MAX);
  assert_int_equal(second->alignment, 1);
  assert_int_equal(second->fixedOffset, 128);
  assert_int_equal(second->hint, 64);
  berthDocumentDestroy(document);
}

static void readsGapsAsSegmentsAndWindows(void **state) {
  (void)state;
  BerthDocument *document = expectGood("id,lower,upper,size,gaps\n"
                                       "a,0,20,16,12-14@4:8 0-2 5-7\n"
                                       "b,-10,0,8,-8--6 -2-0@0:0\n",
                                       BERTH_FORMAT_CSV, false);
  const BerthProblemData *problem = problemOf(document);
  const BerthBuffer *a = &problem->buffers[0];
  assert_int_equal(a->numSegments, 2);
  assert_int_equal(a->segments[0].lower, 2);
  assert_int_equal(a->segments[0].upper, 5);
  assert_int_equal(a->segments[1].lower, 7);
  assert_int_equal(a->segments[1].upper, 20);
  assert_int_equal(a->numGaps, 1);
  assert_int_equal(a->gaps[0].lower, 12);
  assert_int_equal(a->gaps[0].windowLower, 4);
  assert_int_equal(a->gaps[0].windowUpper, 8);
  const BerthBuffer *b = &problem->buffers[1];
  assert_int_equal(b->segments[0].upper, -8);
  assert_int_equal(b->segments[1].lower, -6);
  assert_int_equal(b->numGaps, 1);
  berthDocumentDestroy(document);
}

static void readsOffsetsAsPlan(void **state) {
  (void)state;
  BerthDocument *document = expectGood("id,lower,upper,size,offset\n"
                                       "a,0,5,10,0\nb,2,8,4,12\n",
                                       BERTH_FORMAT_CSV, true);
  const BerthPlan *plan = berthDocumentGetPlan(document);
  assert_non_null(plan);
  assert_int_equal(plan->offsets[1], 12);
  assert_int_equal(plan->peak, 16);
  assert_int_equal(plan->load, 14);
  assert_int_equal(problemOf(document)->buffers[1].fixedOffset, BERTH_NONE);
  assert_int_equal(berthPlanVerify(problemOf(document), plan, NULL),
                   BERTH_SUCCESS);
  berthDocumentDestroy(document);
}

static void readsHeaderOnly(void **state) {
  (void)state;
  BerthDocument *document = expectGood(HEADER, BERTH_FORMAT_AUTO, false);
  assert_int_equal(problemOf(document)->numBuffers, 0);
  assert_int_equal(berthDocumentGetFormat(document), BERTH_FORMAT_CSV);
  berthDocumentDestroy(document);
}

static void locatesBuffers(void **state) {
  (void)state;
  BerthDocument *document = expectGood(
      "lower,id,upper,size\n0, a,5,1\n\n10,b,15,1\n", BERTH_FORMAT_CSV, false);
  BerthError error = {.line = 77, .column = 7};
  berthDocumentLocate(document, SIZE_MAX, &error);
  assert_int_equal(error.line, 77);
  berthDocumentLocate(document, 0, &error);
  assert_int_equal(error.line, 2);
  assert_int_equal(error.column, 4);
  berthDocumentLocate(document, 1, &error);
  assert_int_equal(error.line, 4);
  assert_int_equal(error.column, 4);
  berthDocumentDestroy(document);
}

//===---------------------------------------------------------------------===//
// Written
//===---------------------------------------------------------------------===//

static void expectRewritten(const char *text, const char *expected) {
  BerthDocument *document = expectGood(text, BERTH_FORMAT_CSV, false);
  int64_t offsets[] = {100, 200};
  BerthPlan plan = {.numBuffers = 2, .offsets = offsets};
  char *written =
      WRITTEN(berthDocumentWriteCsv(stream, document, &plan, &error));
  assert_string_equal(written, expected);
  free(written);
  berthDocumentDestroy(document);
}

static void keepsTheTextOfRows(void **state) {
  (void)state;
  expectRewritten("size,id,upper,lower\n 5 ,\"a,b\",9,1\n6,b,9,1\n",
                  "size,id,upper,lower,offset\n 5 ,\"a,b\",9,1,100\n"
                  "6,b,9,1,200\n");
  // An offset column stays where it is; line ends stay what they are.
  expectRewritten("id,offset,lower,upper,size\r\na,,1,9,5\r\nb,200,1,9,6\r\n",
                  "id,offset,lower,upper,size\r\na,100,1,9,5\r\n"
                  "b,200,1,9,6\r\n");
  // Blank lines go, a missing last line end comes.
  expectRewritten("id,lower,upper,size\na,1,9,5\n\nb,1,9,6",
                  "id,lower,upper,size,offset\na,1,9,5,100\nb,1,9,6,200\n");
}

static void writesWhatItReads(void **state) {
  (void)state;
  static const char text[] = "id,lower,upper,size,alignment,gaps,hint,offset\n"
                             "\"a,\"\"b\",0,20,16,8,5-7 12-14@4:8,,\n"
                             "\" c \",-3,4,5,1,,7,64\n";
  BerthDocument *document = expectGood(text, BERTH_FORMAT_CSV, false);
  char *written =
      WRITTEN(berthWriteCsv(stream, problemOf(document), NULL, &error));
  assert_string_equal(written, text);
  free(written);
  berthDocumentDestroy(document);
}

static void refusesToWriteWhatCsvCannotHold(void **state) {
  (void)state;
  BerthSegment life = {0, 5};
  BerthBuffer buffer = berthBufferDefault();
  buffer.size = 8;
  buffer.numSegments = 1;
  buffer.segments = &life;
  buffer.group = 3;
  BerthProblemData problem = {.numBuffers = 1, .buffers = &buffer};
  BerthError error = {0};
  FILE *stream = tmpfile();
  assert_int_equal(berthWriteCsv(stream, &problem, NULL, &error),
                   BERTH_INVALID);
  assert_non_null(strstr(error.message, "groups"));
  assert_int_equal(ftell(stream), 0);
  fclose(stream);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(refusesBadHeaders),
      cmocka_unit_test(refusesBadCells),
      cmocka_unit_test(refusesBadGaps),
      cmocka_unit_test(refusesBadPlans),
      cmocka_unit_test(readsColumnsInAnyOrder),
      cmocka_unit_test(readsGapsAsSegmentsAndWindows),
      cmocka_unit_test(readsOffsetsAsPlan),
      cmocka_unit_test(readsHeaderOnly),
      cmocka_unit_test(locatesBuffers),
      cmocka_unit_test(keepsTheTextOfRows),
      cmocka_unit_test(writesWhatItReads),
      cmocka_unit_test(refusesToWriteWhatCsvCannotHold),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
