//===- Compute.c - linalg statements -------------------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Smith.h"

//===----------------------------------------------------------------------===//
// linalg.generic
//===----------------------------------------------------------------------===//

enum { MAX_INPUTS = 2 };

/// One linalg.generic, before it is printed.
typedef struct Generic {
  int numInputs;
  BerthSmithValue inputs[MAX_INPUTS];
  bool transposed[MAX_INPUTS]; ///< read with permuted indices
  BerthSmithValue output;
  bool readsOutput; ///< the payload uses its output argument
  bool gathers;     ///< the payload loads from `gathered`
  BerthSmithValue gathered;
} Generic;

static const char *mapText(int rank, bool transposed) {
  if (rank == 1)
    return "affine_map<(d0) -> (d0)>";
  return transposed ? "affine_map<(d0, d1) -> (d1, d0)>"
                    : "affine_map<(d0, d1) -> (d0, d1)>";
}

static void printGenericHead(BerthSmith *smith, const Generic *generic) {
  int rank = generic->output.type.rank;
  fprintf(smith->out, "%*slinalg.generic {indexing_maps = [", 2 * smith->indent,
          "");
  for (int i = 0; i < generic->numInputs; ++i)
    fprintf(smith->out, "%s, ", mapText(rank, generic->transposed[i]));
  fprintf(smith->out, "%s], iterator_types = [%s]}", mapText(rank, false),
          rank == 1 ? "\"parallel\"" : "\"parallel\", \"parallel\"");
  const BerthSmithValue *in = generic->inputs;
  if (generic->numInputs == 1)
    fprintf(smith->out, " ins(%%m%d : %s)", in[0].id,
            berthSmithTypeText(in[0].type).text);
  if (generic->numInputs == 2)
    fprintf(smith->out, " ins(%%m%d, %%m%d : %s, %s)", in[0].id, in[1].id,
            berthSmithTypeText(in[0].type).text,
            berthSmithTypeText(in[1].type).text);
  fprintf(smith->out, " outs(%%m%d : %s) {\n", generic->output.id,
          berthSmithTypeText(generic->output.type).text);
}

/// Loads element (d0[, d1]) of the gathered buffer in the payload.
static int printGather(BerthSmith *smith, BerthSmithValue from) {
  int index[2];
  for (int i = 0; i < from.type.rank; ++i) {
    index[i] = berthSmithNewId(smith);
    berthSmithLine(smith, "%%s%d = linalg.index %d : index", index[i], i);
  }
  int id = berthSmithNewId(smith);
  BerthSmithText text = berthSmithTypeText(from.type);
  const char *type = text.text;
  if (from.type.rank == 1)
    berthSmithLine(smith, "%%s%d = memref.load %%m%d[%%s%d] : %s", id, from.id,
                   index[0], type);
  else
    berthSmithLine(smith, "%%s%d = memref.load %%m%d[%%s%d, %%s%d] : %s", id,
                   from.id, index[0], index[1], type);
  return berthSmithToInt(smith, id, from.type.element, 0);
}

static void printGenericPayload(BerthSmith *smith, const Generic *generic) {
  int arguments[MAX_INPUTS + 1];
  int numInputs = generic->numInputs;
  fprintf(smith->out, "%*s^bb0(", 2 * smith->indent, "");
  for (int i = 0; i <= numInputs; ++i) {
    const BerthSmithValue *value =
        i < numInputs ? &generic->inputs[i] : &generic->output;
    arguments[i] = berthSmithNewId(smith);
    fprintf(smith->out, "%s%%s%d: %s", i ? ", " : "", arguments[i],
            berthElementText(value->type.element));
  }
  fprintf(smith->out, "):\n");
  int terms[MAX_INPUTS + 2];
  int numTerms = 0;
  for (int i = 0; i < numInputs; ++i)
    terms[numTerms++] = berthSmithToInt(smith, arguments[i],
                                        generic->inputs[i].type.element, 0);
  BerthElement element = generic->output.type.element;
  if (generic->readsOutput)
    terms[numTerms++] =
        berthSmithToInt(smith, arguments[numInputs], element, 0);
  if (generic->gathers)
    terms[numTerms++] = printGather(smith, generic->gathered);
  int mixed = berthSmithMix(smith, terms, numTerms, 0);
  int result = berthSmithFromInt(smith, mixed, element, 0);
  berthSmithLine(smith, "linalg.yield %%s%d : %s", result,
                 berthElementText(element));
}

static void printGeneric(BerthSmith *smith, const Generic *generic) {
  printGenericHead(smith, generic);
  ++smith->indent;
  printGenericPayload(smith, generic);
  --smith->indent;
  berthSmithLine(smith, "}");
}

static bool isSquare(BerthSmithType type) {
  return type.rank == 2 && type.shape[0] == type.shape[1];
}

static Generic someGeneric(BerthSmith *smith, BerthSmithValue output) {
  Generic generic = {.output = output};
  BerthRandom *random = &smith->random;
  int wanted = berthRandomBelow(random, MAX_INPUTS + 1);
  for (int i = 0; i < wanted; ++i) {
    BerthSmithValue *input = &generic.inputs[generic.numInputs];
    if (!berthSmithPick(smith, berthSmithReadableShape, &output.type, input))
      break;
    generic.transposed[generic.numInputs++] =
        isSquare(output.type) && berthRandomChance(random, 40);
  }
  generic.readsOutput =
      berthSmithReadable(smith, output) && berthRandomChance(random, 40);
  generic.gathers = berthRandomChance(random, 25) &&
                    berthSmithPick(smith, berthSmithReadableShape, &output.type,
                                   &generic.gathered);
  return generic;
}

bool berthSmithGeneric(BerthSmith *smith) {
  BerthSmithValue output;
  if (!berthSmithPick(smith, berthSmithAny, NULL, &output))
    return false;
  Generic generic = someGeneric(smith, output);
  printGeneric(smith, &generic);
  for (int i = 0; i < generic.numInputs; ++i)
    berthSmithRead(smith, generic.inputs[i]);
  if (generic.gathers)
    berthSmithRead(smith, generic.gathered);
  berthSmithWrote(smith, output);
  return true;
}

//===----------------------------------------------------------------------===//
// Maps that do not cover the output
//===----------------------------------------------------------------------===//

static bool fitsSpread(const BerthSmith *smith, const BerthSmithValue *value,
                       const void *from) {
  (void)smith;
  int64_t count = ((const BerthSmithValue *)from)->type.shape[0];
  return value->type.rank == 1 && value->type.shape[0] >= 2 * count - 1;
}

static bool isShortRow(const BerthSmith *smith, const BerthSmithValue *value,
                       const void *wanted) {
  (void)wanted;
  return berthSmithReadable(smith, *value) && value->type.rank == 1 &&
         berthSmithIsStatic(value->type);
}

/// Writes every second element only, although its output's map has as many
/// dimensions as its output.
bool berthSmithSpread(BerthSmith *smith) {
  BerthSmithValue from, to;
  if (!berthSmithPick(smith, isShortRow, NULL, &from) ||
      !berthSmithPick(smith, fitsSpread, &from, &to))
    return false;
  BerthSmithText toText = berthSmithTypeText(to.type);
  berthSmithLine(smith,
                 "linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, "
                 "affine_map<(d0) -> (2 * d0)>], iterator_types = "
                 "[\"parallel\"]} ins(%%m%d : %s) outs(%%m%d : %s) {",
                 from.id, berthSmithTypeText(from.type).text, to.id,
                 toText.text);
  ++smith->indent;
  int in = berthSmithNewId(smith);
  int out = berthSmithNewId(smith);
  berthSmithLine(smith, "^bb0(%%s%d: %s, %%s%d: %s):", in,
                 berthElementText(from.type.element), out,
                 berthElementText(to.type.element));
  int term = berthSmithToInt(smith, in, from.type.element, 0);
  int mixed = berthSmithMix(smith, &term, 1, 0);
  int result = berthSmithFromInt(smith, mixed, to.type.element, 0);
  berthSmithLine(smith, "linalg.yield %%s%d : %s", result,
                 berthElementText(to.type.element));
  --smith->indent;
  berthSmithLine(smith, "}");
  berthSmithRead(smith, from);
  return true;
}

//===----------------------------------------------------------------------===//
// Named ops
//===----------------------------------------------------------------------===//

static bool isTransposeOf(const BerthSmith *smith, const BerthSmithValue *value,
                          const void *from) {
  (void)smith;
  BerthSmithType type = ((const BerthSmithValue *)from)->type;
  return value->type.element == type.element && value->type.rank == 2 &&
         value->type.shape[0] == type.shape[1] &&
         value->type.shape[1] == type.shape[0];
}

static bool isReadableMatrix(const BerthSmith *smith,
                             const BerthSmithValue *value, const void *wanted) {
  (void)wanted;
  return berthSmithReadable(smith, *value) && value->type.rank == 2 &&
         berthSmithIsStatic(value->type);
}

bool berthSmithTranspose(BerthSmith *smith) {
  BerthSmithValue from, to;
  if (!berthSmithPick(smith, isReadableMatrix, NULL, &from) ||
      !berthSmithPick(smith, isTransposeOf, &from, &to))
    return false;
  BerthSmithText toText = berthSmithTypeText(to.type);
  berthSmithLine(smith,
                 "linalg.transpose ins(%%m%d : %s) outs(%%m%d : %s) "
                 "permutation = [1, 0]",
                 from.id, berthSmithTypeText(from.type).text, to.id,
                 toText.text);
  berthSmithRead(smith, from);
  berthSmithWrote(smith, to);
  return true;
}

static bool isIntegerMatrix(const BerthSmith *smith,
                            const BerthSmithValue *value, const void *element) {
  return isReadableMatrix(smith, value, NULL) &&
         value->type.element == *(const BerthElement *)element;
}

typedef struct Product {
  BerthSmithType left, right;
} Product;

static bool isRightOperand(const BerthSmith *smith,
                           const BerthSmithValue *value, const void *left) {
  const BerthSmithType *type = left;
  return isIntegerMatrix(smith, value, &type->element) &&
         value->type.shape[0] == type->shape[1];
}

static bool isProduct(const BerthSmith *smith, const BerthSmithValue *value,
                      const void *operands) {
  const Product *product = operands;
  return isIntegerMatrix(smith, value, &product->left.element) &&
         value->type.shape[0] == product->left.shape[0] &&
         value->type.shape[1] == product->right.shape[1];
}

/// out += a b, on integers only: products of products soon leave the floats'
/// exact range.
bool berthSmithMatmul(BerthSmith *smith) {
  static const BerthElement integers[] = {BERTH_I8, BERTH_I16, BERTH_I32,
                                          BERTH_I64};
  BerthElement element = integers[berthRandomBelow(&smith->random, 4)];
  BerthSmithValue a, b, out;
  if (!berthSmithPick(smith, isIntegerMatrix, &element, &a) ||
      !berthSmithPick(smith, isRightOperand, &a.type, &b))
    return false;
  Product product = {a.type, b.type};
  if (!berthSmithPick(smith, isProduct, &product, &out))
    return false;
  BerthSmithText texts[] = {berthSmithTypeText(a.type),
                            berthSmithTypeText(b.type),
                            berthSmithTypeText(out.type)};
  berthSmithLine(
      smith, "linalg.matmul ins(%%m%d, %%m%d : %s, %s) outs(%%m%d : %s)", a.id,
      b.id, texts[0].text, texts[1].text, out.id, texts[2].text);
  berthSmithRead(smith, a);
  berthSmithRead(smith, b);
  return true;
}

static bool isRowSum(const BerthSmith *smith, const BerthSmithValue *value,
                     const void *from) {
  BerthSmithType type = ((const BerthSmithValue *)from)->type;
  return berthSmithReadable(smith, *value) && value->type.rank == 1 &&
         value->type.element == type.element &&
         value->type.shape[0] == type.shape[0];
}

bool berthSmithReduce(BerthSmith *smith) {
  BerthSmithValue from, to;
  if (!berthSmithPick(smith, isReadableMatrix, NULL, &from) ||
      !berthSmithPick(smith, isRowSum, &from, &to))
    return false;
  BerthSmithText toText = berthSmithTypeText(to.type);
  const char *element = berthElementText(from.type.element);
  berthSmithLine(smith,
                 "linalg.reduce ins(%%m%d : %s) outs(%%m%d : %s) dimensions = "
                 "[1]",
                 from.id, berthSmithTypeText(from.type).text, to.id,
                 toText.text);
  int in = berthSmithNewId(smith);
  int sum = berthSmithNewId(smith);
  berthSmithLine(smith, "  (%%s%d: %s, %%s%d: %s) {", in, element, sum,
                 element);
  ++smith->indent;
  int terms[2];
  terms[0] = berthSmithToInt(smith, in, from.type.element, 0);
  terms[1] = berthSmithToInt(smith, sum, from.type.element, 0);
  int mixed = berthSmithMix(smith, terms, 2, 0);
  int result = berthSmithFromInt(smith, mixed, from.type.element, 0);
  berthSmithLine(smith, "linalg.yield %%s%d : %s", result, element);
  --smith->indent;
  berthSmithLine(smith, "}");
  berthSmithRead(smith, from);
  return true;
}
