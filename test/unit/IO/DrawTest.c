//===- DrawTest.c - Pictures and files ------------------------------ C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#define _POSIX_C_SOURCE 200809L

#include "IO/Pictures/Draw.h"
#include "Reading.h"

#include <sys/stat.h>
#include <unistd.h>

static void cutsBuffersIntoPieces(void **state) {
  (void)state;
  BerthDocument *document = expectGood("id,lower,upper,size,gaps\n"
                                       "a,0,20,16,5-7 10-12@4:8 18-20@0:0\n",
                                       BERTH_FORMAT_CSV, false);
  const BerthBuffer *buffer = &problemOf(document)->buffers[0];
  BerthDrawPiece pieces[8];
  const BerthDrawPiece expected[] = {
      {0, 5, 0, 16}, {7, 10, 0, 16}, {10, 12, 4, 8}, {12, 18, 0, 16}};
  assert_int_equal(berthDrawPieces(buffer, pieces), 4);
  assert_memory_equal(pieces, expected, sizeof expected);

  BerthDrawLoadPoint *points;
  const BerthDrawLoadPoint curve[] = {{0, 16}, {5, 0},   {7, 16},
                                      {10, 4}, {12, 16}, {18, 0}};
  size_t numPoints;
  assert_true(berthDrawLoadCurve(problemOf(document), &points, &numPoints));
  assert_int_equal(numPoints, 6);
  assert_memory_equal(points, curve, sizeof curve);
  free(points);
  berthDocumentDestroy(document);
}

static void roundsBytesForPeople(void **state) {
  (void)state;
  assert_string_equal(berthDrawBytes(0).text, "0 B");
  assert_string_equal(berthDrawBytes(9999).text, "9999 B");
  assert_string_equal(berthDrawBytes(10000).text, "9.77 KiB");
  assert_string_equal(berthDrawBytes(1048576).text, "1 MiB");
  assert_string_equal(berthDrawBytes(1352704).text, "1.29 MiB");
  assert_string_equal(berthDrawBytes(INT64_MAX).text, "8 EiB");
  assert_string_equal(berthDrawTick(0, 131072, 1e6).text, "0 KiB");
  assert_string_equal(berthDrawTick(524288, 524288, 3e6).text, "0.5 MiB");
  assert_string_equal(berthDrawTick(2, 2, 13).text, "2 B");
}

static void choosesRoundTicks(void **state) {
  (void)state;
  assert_true(berthDrawTickStep(3, 12, false) == 1);
  assert_true(berthDrawTickStep(100, 10, false) == 10);
  assert_true(berthDrawTickStep(1000, 5, false) == 200);
  assert_true(berthDrawTickStep(1048576, 8, true) == 131072);
}

/// Many changes within one pixel: the curve goes on from the last of them.
static void drawsCrowdedLoads(void **state) {
  (void)state;
  BerthDocument *document =
      expectGood("id,lower,upper,size\n"
                 "a,0,100000,100\nb,50000,50001,900\nc,50002,50003,800\n",
                 BERTH_FORMAT_CSV, false);
  BerthPlan plan;
  assert_int_equal(berthPack(problemOf(document), NULL, &plan, NULL),
                   BERTH_SUCCESS);
  char *svg =
      WRITTEN(berthWriteSvg(stream, problemOf(document), &plan, "t", &error));
  // "H92.00V" and the height of a alone, at the start and behind the crowd.
  const char *low = strstr(svg, "H92.00V") + strlen("H92.00");
  char rest[64];
  snprintf(rest, sizeof rest, "%.*sH1056.00V", (int)strcspn(low + 1, "VH") + 1,
           low);
  assert_non_null(strstr(svg, rest));
  free(svg);
  berthPlanFree(&plan);
  berthDocumentDestroy(document);
}

/// So many boxes that the small ones are merged, and the large ones are not.
static void mergesSmallBoxes(void **state) {
  (void)state;
  BerthProblem *problem = berthProblemCreate();
  for (int64_t i = 0; i < 5000; ++i) {
    BerthBuffer buffer = berthBufferDefault();
    BerthSegment life = {i, i + 1 + (i == 7) * 4000};
    buffer.size = i == 7 ? 4000 : 10;
    buffer.id = i == 7 ? "large" : NULL;
    buffer.numSegments = 1;
    buffer.segments = &life;
    berthProblemAddBuffer(problem, &buffer);
  }
  const BerthProblemData *data = berthProblemGetData(problem);
  BerthPlan plan;
  assert_int_equal(
      berthPack(data, &(BerthPackOptions){.packer = "first-fit"}, &plan, NULL),
      BERTH_SUCCESS);
  char *svg = WRITTEN(berthWriteSvg(stream, data, &plan, "t", &error));
  assert_non_null(strstr(svg, "<title>large"));
  assert_null(strstr(svg, "<title>b1\n"));
  size_t boxes = 0;
  for (const char *at = svg; (at = strchr(at, 'Z')); ++at)
    ++boxes;
  assert_int_equal(boxes, 4999);
  free(svg);
  berthPlanFree(&plan);
  berthProblemDestroy(problem);
}

/// Problems at the edge of what numbers can hold: no endless loop of ticks.
static void drawsExtremes(void **state) {
  (void)state;
  static const char *const texts[] = {
      "id,lower,upper,size\n",
      "id,lower,upper,size\n"
      "a,-9223372036854775808,9223372036854775807,9223372036854775807\n",
      "id,lower,upper,size\n"
      "a,9223372036854775806,9223372036854775807,1\n",
      "id,lower,upper,size\na,0,9007199254740993,1\n",
  };
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
    BerthDocument *document = expectGood(texts[i], BERTH_FORMAT_CSV, false);
    BerthPackOptions options = {.packer = "first-fit"};
    BerthPlan plan;
    assert_int_equal(berthPack(problemOf(document), &options, &plan, NULL),
                     BERTH_SUCCESS);
    char *svg =
        WRITTEN(berthWriteSvg(stream, problemOf(document), &plan, "t", &error));
    assert_non_null(strstr(svg, "</svg>"));
    assert_null(strstr(svg, "nan"));
    assert_null(strstr(svg, "inf"));
    free(svg);
    char *html = WRITTEN(
        berthWriteHtml(stream, problemOf(document), NULL, NULL, &error));
    assert_non_null(strstr(html, "\"planned\":false"));
    free(html);
    berthPlanFree(&plan);
    berthDocumentDestroy(document);
  }
}

static void escapesNames(void **state) {
  (void)state;
  BerthDocument *document =
      expectGood("{\"buffers\": [{\"id\": \"<&\\\">\", \"size\": 8, \"lower\": "
                 "0, \"upper\": 1}, {\"id\": \"</script>\", \"size\": 8, "
                 "\"lower\": 0, \"upper\": 1}]}",
                 BERTH_FORMAT_JSON, false);
  BerthPlan plan;
  assert_int_equal(berthPack(problemOf(document), NULL, &plan, NULL),
                   BERTH_SUCCESS);
  char *svg =
      WRITTEN(berthWriteSvg(stream, problemOf(document), &plan, "a<b", &error));
  assert_non_null(strstr(svg, "&lt;&amp;&quot;&gt;"));
  assert_non_null(strstr(svg, "a&lt;b"));
  free(svg);
  char *html =
      WRITTEN(berthWriteHtml(stream, problemOf(document), &plan, NULL, &error));
  assert_non_null(strstr(html, "\"\\u003c/script>\""));
  free(html);
  berthPlanFree(&plan);
  berthDocumentDestroy(document);
}

//===---------------------------------------------------------------------===//
// Files
//===---------------------------------------------------------------------===//

static char *readFile(const char *path) {
  static char text[64];
  FILE *stream = fopen(path, "r");
  if (!stream)
    return NULL;
  text[fread(text, 1, sizeof text - 1, stream)] = '\0';
  fclose(stream);
  return text;
}

static void replacesFilesWholeOrNotAtAll(void **state) {
  (void)state;
  char folder[] = "/tmp/berth-output-XXXXXX";
  char path[64];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/file", folder);
  BerthOutput *output;
  BerthError error = {0};
  assert_int_equal(berthOutputOpen(path, &output, &error), BERTH_SUCCESS);
  fputs("first", berthOutputStream(output));
  assert_null(readFile(path)); // not there before the end
  assert_int_equal(berthOutputCommit(output, &error), BERTH_SUCCESS);
  assert_string_equal(readFile(path), "first");

  assert_int_equal(berthOutputOpen(path, &output, &error), BERTH_SUCCESS);
  fputs("second", berthOutputStream(output));
  fflush(berthOutputStream(output));
  assert_string_equal(readFile(path), "first");
  berthOutputAbandon(output);
  assert_string_equal(readFile(path), "first");

  unlink(path);
  assert_int_equal(rmdir(folder), 0); // nothing else was left there
}

static void findsFormats(void **state) {
  (void)state;
  assert_int_equal(berthFormatFromName("HTML"), BERTH_FORMAT_HTML);
  assert_int_equal(berthFormatFromName("auto"), BERTH_FORMAT_AUTO);
  assert_int_equal(berthFormatFromPath("a.b/plan.svg"), BERTH_FORMAT_SVG);
  assert_int_equal(berthFormatFromPath("plan"), BERTH_FORMAT_AUTO);
  assert_int_equal(berthFormatFromPath("-"), BERTH_FORMAT_AUTO);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cutsBuffersIntoPieces),
      cmocka_unit_test(roundsBytesForPeople),
      cmocka_unit_test(choosesRoundTicks),
      cmocka_unit_test(drawsExtremes),
      cmocka_unit_test(drawsCrowdedLoads),
      cmocka_unit_test(mergesSmallBoxes),
      cmocka_unit_test(escapesNames),
      cmocka_unit_test(replacesFilesWholeOrNotAtAll),
      cmocka_unit_test(findsFormats),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
