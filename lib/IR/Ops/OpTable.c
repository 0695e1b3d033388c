//===- OpTable.c - What ops are, by their names ---------------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Ops/OpTable.h"
#include "IR/Facts/Facts.h"
#include "IR/Facts/SliceFacts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/OpRow.h"
#include "IR/Ops/RowOf.h"
#include "IR/Ops/ShortText.h"
#include "IR/Ops/Spaces.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <string.h>

static bool has(MlirOperation op, uint32_t traits) {
  return berthRowHas(op, traits);
}

static bool hasToDo(MlirOperation op, uint32_t threads) {
  return berthRowHasThreads(op, threads);
}

bool berthOpIs(MlirOperation op, BerthOpKind kind) {
  const BerthOpRow *row = berthRowOf(op);
  return row && row->kind == kind;
}

/// How many operands a segment of them has.
static int32_t countOperands(MlirOperation op, intptr_t segment) {
  MlirAttribute segments = berthAttributeOf(op, "operandSegmentSizes");
  return mlirAttributeIsNull(segments)
             ? 0
             : mlirDenseI32ArrayGetElement(segments, segment);
}

/// The segment that an operand is in; -1 without a fitting attribute.
static intptr_t segmentOf(MlirOperation op, intptr_t operand) {
  MlirAttribute segments = berthAttributeOf(op, "operandSegmentSizes");
  if (mlirAttributeIsNull(segments) || !mlirAttributeIsADenseI32Array(segments))
    return -1;
  intptr_t count = mlirDenseArrayGetNumElements(segments);
  for (intptr_t i = 0; i < count; ++i) {
    operand -= mlirDenseI32ArrayGetElement(segments, i);
    if (operand < 0)
      return i;
  }
  return -1;
}

BerthOperandRole berthOpGetRole(MlirOperation op, intptr_t operand) {
  const BerthOpRow *row = berthRowOf(op);
  if (!row || !row->operands)
    return BERTH_OPERAND_OTHER;
  intptr_t index = row->bySegments ? segmentOf(op, operand) : operand;
  bool isTold = index >= 0 && index < (intptr_t)strlen(row->operands);
  return isTold ? (BerthOperandRole)row->operands[index] : BERTH_OPERAND_OTHER;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// The dialect of a type, also of one that is not registered.
static MlirStringRef dialectOf(MlirType type) {
  return mlirTypeIsAOpaque(type)
             ? mlirOpaqueTypeGetDialectNamespace(type)
             : mlirDialectGetNamespace(mlirTypeGetDialect(type));
}

/// True if the type is named, with or without parameters: !name or !name<...>.
/// Only its text says so, which is made for types of these dialects alone: most
/// that are asked about are numbers and memrefs.
static bool isNamedType(MlirType type, const char *const *names, size_t count) {
  BerthShortText text = {{0}, 0};
  MlirStringRef dialect = dialectOf(type);
  bool isNear = false;
  for (size_t i = 0; i < count; ++i)
    isNear |= strncmp(names[i], dialect.data, dialect.length) == 0 &&
              names[i][dialect.length] == '.';
  if (!isNear)
    return false;
  mlirTypePrint(type, berthShortTextAppend, &text);
  for (size_t i = 0; i < count; ++i) {
    size_t length = strlen(names[i]);
    if (text.length > length && text.text[0] == '!' &&
        memcmp(text.text + 1, names[i], length) == 0 &&
        (text.length == length + 1 || text.text[length + 1] == '<'))
      return true;
  }
  return false;
}

bool berthTypeIsToken(MlirType type) {
  const BerthRowsInForce *rows = berthRowsCurrent();
  const BerthOpRows *builtin = rows->builtin, *described = rows->described;
  return isNamedType(type, builtin->tokens, builtin->numTokens) ||
         (described &&
          isNamedType(type, described->tokens, described->numTokens));
}

bool berthTypeIsToldToken(MlirType type) {
  const BerthRowsInForce *rows = berthRowsCurrent();
  const BerthOpRows *builtin = rows->builtin;
  return berthTypeIsToken(type) &&
         !isNamedType(type, builtin->tokens, builtin->numTokens);
}

bool berthOpIsOfDialectOf(MlirOperation op, MlirType type) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  MlirStringRef dialect = dialectOf(type);
  return name.length > dialect.length && name.data[dialect.length] == '.' &&
         memcmp(name.data, dialect.data, dialect.length) == 0;
}

bool berthTypeIsPointerless(MlirType type) {
  const BerthRowsInForce *rows = berthRowsCurrent();
  const BerthOpRows *builtin = rows->builtin, *described = rows->described;
  return isNamedType(type, builtin->pointerless, builtin->numPointerless) ||
         (described &&
          isNamedType(type, described->pointerless, described->numPointerless));
}

int berthOpGetDimension(MlirOperation op) {
  BerthShortText text = {0};
  MlirAttribute dimension = berthAttributeOf(op, "dimension");
  if (mlirAttributeIsNull(dimension))
    berthShortTextAppend(mlirIdentifierStr(mlirOperationGetName(op)), &text);
  else
    mlirAttributePrint(dimension, berthShortTextAppend, &text);
  char last = 'x';
  for (size_t i = 0; i < text.length; ++i)
    if (text.text[i] != '>')
      last = text.text[i];
  return last - 'x';
}

/// Memory spaces as they print. Numbers are those of NVPTX and AMDGPU.
static const char *const workgroupSpaces[] = {
    "#gpu.address_space<workgroup>", "#spirv.storage_class<Workgroup>",
    "#nvvm.memory_space<shared>", "#llvm.address_space<3>"};
static const char *const threadSpaces[] = {
    "#gpu.address_space<private>", "#spirv.storage_class<Function>",
    "#spirv.storage_class<Private>", "#llvm.address_space<0>",
    "#llvm.address_space<5>"};

static bool isOneOf(const char *text, const char *const *texts, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (strcmp(text, texts[i]) == 0)
      return true;
  return false;
}

BerthSpaceUse berthSpaceGetUse(MlirAttribute space) {
  if (mlirAttributeIsNull(space))
    return BERTH_SPACE_THREAD;
  if (mlirAttributeIsAInteger(space)) {
    int64_t number = mlirIntegerAttrGetValueInt(space);
    return number == 3                  ? BERTH_SPACE_PERHAPS_WORKGROUP
           : number == 0 || number == 5 ? BERTH_SPACE_THREAD
                                        : BERTH_SPACE_UNKNOWN;
  }
  BerthShortText text = {{0}, 0};
  mlirAttributePrint(space, berthShortTextAppend, &text);
  if (isOneOf(text.text, workgroupSpaces,
              sizeof workgroupSpaces / sizeof *workgroupSpaces))
    return BERTH_SPACE_WORKGROUP;
  if (strcmp(text.text, "#nvvm.memory_space<tensor>") == 0)
    return BERTH_SPACE_TENSOR;
  return isOneOf(text.text, threadSpaces,
                 sizeof threadSpaces / sizeof *threadSpaces)
             ? BERTH_SPACE_THREAD
             : BERTH_SPACE_UNKNOWN;
}

//===----------------------------------------------------------------------===//
// Threads and asynchronous code
//===----------------------------------------------------------------------===//

bool berthOpIsParallel(MlirOperation op) { return has(op, kParallel); }
bool berthOpIsParallelBody(MlirOperation op) { return has(op, kParallelBody); }
bool berthOpIsAffine(MlirOperation op) { return has(op, kAffine); }
bool berthOpIsElementAccess(MlirOperation op) { return has(op, kElement); }
bool berthOpIsArithmetic(MlirOperation op) { return has(op, kArithmetic); }
bool berthOpIsTableCode(MlirOperation op) { return has(op, kTableCode); }
bool berthOpStaysWithin(MlirOperation op) {
  BerthVectorAccess vector;
  return berthOpIsElementAccess(op) || berthOpIsCopy(op) ||
         berthVectorGetAccess(op, &vector) ||
         (berthOpIsPlainAccess(op) && berthOpTakesAnyLayout(op));
}

bool berthOpIsPlainAccess(MlirOperation op) { return has(op, kPlain); }
/// Some attribute of the op makes it asynchronous.
static bool isAsyncByAttribute(MlirOperation op, const char *prefix) {
  size_t length = strlen(prefix);
  intptr_t count = mlirOperationGetNumAttributes(op);
  for (intptr_t i = 0; i < count; ++i) {
    MlirStringRef name =
        mlirIdentifierStr(mlirOperationGetAttribute(op, i).name);
    if (name.length >= length && memcmp(name.data, prefix, length) == 0)
      return true;
  }
  return false;
}

bool berthOpIsAsync(MlirOperation op) {
  if (has(op, kAsync) ||
      (mlirOperationGetNumResults(op) > 0 && has(op, kAsyncByToken)))
    return true;
  const char *prefix = berthRowAsyncIf(op);
  return prefix && isAsyncByAttribute(op, prefix);
}
bool berthOpIsCoroutine(MlirOperation op) { return has(op, kCoroutine); }
bool berthOpIsUnsigned(MlirOperation op) { return hasToDo(op, kUnsigned); }

bool berthOpWaitsForNothing(MlirOperation op) { return has(op, kNoWait); }
bool berthOpSeparates(MlirOperation op) { return has(op, kSeparates); }
bool berthOpAssumesAlignment(MlirOperation op) {
  return has(op, kAssumesAlignment);
}
bool berthOpRetypesWhole(MlirOperation op) { return has(op, kRetypes); }
bool berthOpIsForSomeThreads(MlirOperation op) { return has(op, kSomeThreads); }

/// With a token of its own (gpu.wait async) an op only joins what it is given.
bool berthOpIsAwait(MlirOperation op) {
  return has(op, kAwait) &&
         (mlirOperationGetNumResults(op) == 0 ||
          !berthTypeIsToken(mlirValueGetType(mlirOperationGetResult(op, 0))));
}

bool berthOpAwaits(MlirOperation op, intptr_t operand) {
  return berthOpIsAwait(op) ||
         berthOpGetRole(op, operand) == BERTH_OPERAND_AWAITED;
}

/// An op of which a description tells what it reads and writes, but not that
/// its token is one. Where it works until a barrier that is told.
static bool isTokenByType(MlirOperation op, const BerthOpRow *row,
                          intptr_t result) {
  return result < mlirOperationGetNumResults(op) && !row->token &&
         (row->traits & kDescribed) && !row->unit && !row->mayPend &&
         !(row->traits & (kStarts | kMakesGroup)) &&
         berthTypeIsToken(mlirValueGetType(mlirOperationGetResult(op, result)));
}

bool berthOpIsTokenResult(MlirOperation op, intptr_t result) {
  const BerthOpRow *row = berthToldRowOf(op);
  return row && (row->token == result + 1 || isTokenByType(op, row, result));
}

bool berthOpIsToldCopy(MlirOperation op, intptr_t *source, intptr_t *target) {
  const BerthOpRow *row = berthToldRowOf(op);
  if (!row || !row->copies || !berthOpIsDescribed(op))
    return false;
  *source = *target = -1;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (berthOpGetRole(op, i) == BERTH_OPERAND_READ)
      *source = i;
    else if (berthOpGetRole(op, i) == BERTH_OPERAND_WRITTEN)
      *target = i;
  return *source >= 0 && *target >= 0;
}

bool berthValueIsToldToken(MlirValue value) {
  return mlirValueIsAOpResult(value) &&
         berthOpIsTokenResult(mlirOpResultGetOwner(value),
                              mlirOpResultGetResultNumber(value));
}

/// nvvm.barrier's operands are an id, a thread count and a predicate.
static bool isWholeBarrier(MlirOperation op) {
  enum { kThreadCount = 1 };
  return has(op, kCountedBarrier) &&
         !mlirAttributeIsNull(berthAttributeOf(op, "operandSegmentSizes")) &&
         countOperands(op, kThreadCount) == 0;
}

/// A barrier may name the address spaces that it orders.
static bool ordersWorkgroupMemory(MlirOperation op) {
  MlirAttribute spaces = berthAttributeOf(op, "address_spaces");
  if (mlirAttributeIsNull(spaces))
    return true;
  intptr_t count =
      mlirAttributeIsAArray(spaces) ? mlirArrayAttrGetNumElements(spaces) : 0;
  for (intptr_t i = 0; i < count; ++i) {
    BerthShortText text = {{0}, 0};
    mlirAttributePrint(mlirArrayAttrGetElement(spaces, i), berthShortTextAppend,
                       &text);
    if (strcmp(text.text, "#gpu.address_space<workgroup>") == 0)
      return true;
  }
  return false;
}

bool berthOpIsFullBarrier(MlirOperation op) {
  return berthOpIs(op, BERTH_OP_FULL_BARRIER) &&
         mlirAttributeIsNull(berthAttributeOf(op, "address_spaces"));
}

bool berthOpIsBarrier(MlirOperation op) {
  return (has(op, kBarrier) && ordersWorkgroupMemory(op)) || isWholeBarrier(op);
}

/// Some attribute is a text that says the word.
static bool mentions(MlirOperation op, const char *word) {
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(op); ++i) {
    MlirAttribute attribute = mlirOperationGetAttribute(op, i).attribute;
    if (!mlirAttributeIsAString(attribute))
      continue;
    MlirStringRef text = mlirStringAttrGetValue(attribute);
    for (size_t at = 0; at + strlen(word) <= text.length; ++at)
      if (memcmp(text.data + at, word, strlen(word)) == 0)
        return true;
  }
  return false;
}

bool berthOpIsPartOfBarrier(MlirOperation op, MlirValue *id) {
  *id = (MlirValue){NULL};
  if (has(op, kEscape))
    return mentions(op, "bar");
  bool isCounted = has(op, kCountedBarrier) && !isWholeBarrier(op);
  if (!isCounted && !hasToDo(op, kSplitBarrier))
    return false;
  bool hasId = isCounted ? countOperands(op, 0) > 0
                         : mlirOperationGetNumOperands(op) > 1;
  if (hasId)
    *id = mlirOperationGetOperand(op, 0);
  return true;
}

MlirValue berthBarrierGetCount(MlirOperation op) {
  bool isCounted = has(op, kCountedBarrier) && !isWholeBarrier(op) &&
                   countOperands(op, 0) == 1 && countOperands(op, 1) == 1;
  return isCounted ? mlirOperationGetOperand(op, 1) : (MlirValue){NULL};
}

/// The op's row if it has to do with what goes on behind an op, else NULL.
static const BerthOpRow *findAsync(MlirOperation op) {
  const BerthOpRow *row = berthRowOf(op);
  return row && (row->mayPend || (row->traits & (kStarts | kMakesGroup)))
             ? row
             : NULL;
}

bool berthOpHasToDoWithAsync(MlirOperation op) { return findAsync(op) != NULL; }

static bool isOfTextKind(MlirOperation op, const char *text) {
  MlirAttribute kind = berthAttributeOf(op, "kind");
  return !mlirAttributeIsNull(kind) && berthAttributeSays(kind, text);
}

static bool waitsForTensors(MlirOperation wait, BerthAsyncKind kind) {
  return (kind == BERTH_ASYNC_TENSOR_LOAD &&
          isOfTextKind(wait, "#nvvm.tcgen05_wait<load>")) ||
         (kind == BERTH_ASYNC_TENSOR_STORE &&
          isOfTextKind(wait, "#nvvm.tcgen05_wait<store>"));
}

static const BerthOpRow *findAsyncOf(MlirOperation op, BerthAsyncKind kind) {
  const BerthOpRow *row = findAsync(op);
  if (row && row->async == BERTH_ASYNC_TENSOR_WAIT)
    return waitsForTensors(op, kind) ? row : NULL;
  return row && row->async == kind ? row : NULL;
}

bool berthOpStartsAsync(MlirOperation op, BerthAsyncKind kind) {
  return findAsyncOf(op, kind) && has(op, kStarts);
}

BerthAsyncCopy berthAsyncCopyGet(MlirOperation copy) {
  enum { kTarget, kFirstIndex };
  intptr_t source = kFirstIndex + countOperands(copy, kFirstIndex);
  return (BerthAsyncCopy){
      mlirOperationGetOperand(copy, kTarget), kFirstIndex,
      mlirOperationGetOperand(copy, source),
      mlirIntegerAttrGetValueInt(berthAttributeOf(copy, "dstElements"))};
}

bool berthOpMakesGroup(MlirOperation op, BerthAsyncKind kind) {
  return findAsyncOf(op, kind) && has(op, kMakesGroup);
}

/// AMD's counters tell how many loads may be under way, be they to LDS or to
/// registers, so only a wait for all tells something. In the word of an
/// s_waitcnt their number has bits 0 to 3, and 14 and 15, or 10 to 15, by the
/// generation.
static int64_t loadsThatMayPend(const BerthOpRow *row, int64_t told) {
  enum { kBitsOfLoads = 0xfc0f };
  bool isWord = strcmp(row->mayPend, "bitfield") == 0;
  return (isWord ? told & kBitsOfLoads : told) == 0 ? 0 : INT64_MAX;
}

bool berthOpWaitsForGroups(MlirOperation op, BerthAsyncKind kind,
                           int64_t *mayPend) {
  const BerthOpRow *row = findAsyncOf(op, kind);
  if (!row || !row->mayPend)
    return false;
  MlirAttribute groups = berthAttributeOf(op, row->mayPend);
  *mayPend = mlirAttributeIsNull(groups) ? row->defaultPend
                                         : mlirIntegerAttrGetValueInt(groups);
  if (kind == BERTH_ASYNC_DIRECT)
    *mayPend = loadsThatMayPend(row, *mayPend);
  return *mayPend >= 0;
}

bool berthOpStartsAnyAsync(MlirOperation op) { return has(op, kStarts); }

/// The operands of nvgpu.tma.async.load: target, mbarriers, descriptor,
/// coordinates, number, mask of workgroups, predicate; so many of each.
enum { kCoordinates = 3, kNumberBehind = 3, kMask = 5 };

BerthMBarrier berthLoadGetMBarrier(MlirOperation load) {
  intptr_t number = kNumberBehind + countOperands(load, kCoordinates);
  return (BerthMBarrier){mlirOperationGetOperand(load, 1),
                         mlirOperationGetOperand(load, number)};
}

bool berthOpAwaitsMBarrier(MlirOperation op, BerthMBarrier *barrier) {
  if (!has(op, kAwaitsMbarrier))
    return false;
  *barrier = (BerthMBarrier){mlirOperationGetOperand(op, 0),
                             mlirOperationGetOperand(op, 3)};
  return true;
}

static MlirAttribute constantOf(MlirValue value) {
  MlirAttribute none = {NULL};
  if (!mlirValueIsAOpResult(value))
    return none;
  MlirOperation op = mlirOpResultGetOwner(value);
  return berthOpIs(op, BERTH_OP_CONSTANT) ? berthAttributeOf(op, "value")
                                          : none;
}

bool berthMBarriersEqual(BerthMBarrier a, BerthMBarrier b) {
  if (!mlirValueEqual(a.group, b.group))
    return false;
  MlirAttribute first = constantOf(a.number), second = constantOf(b.number);
  return mlirValueEqual(a.number, b.number) ||
         (!mlirAttributeIsNull(first) && mlirAttributeEqual(first, second));
}

bool berthOpSurelyTouches(MlirOperation op) { return has(op, kTouches); }

bool berthOpMakesDescriptor(MlirOperation op) { return has(op, kDescriptor); }

/// Loads and stores of tensor memory, and waits for them.
static bool isOfTensors(MlirOperation op) {
  const BerthOpRow *row = findAsync(op);
  return row && (row->async == BERTH_ASYNC_TENSOR_LOAD ||
                 row->async == BERTH_ASYNC_TENSOR_STORE ||
                 row->async == BERTH_ASYNC_TENSOR_WAIT);
}

bool berthOpIsTensorFence(MlirOperation op, bool isBefore) {
  return berthOpIs(op, BERTH_OP_TENSOR_FENCE) &&
         isOfTextKind(op, isBefore ? "#nvvm.tcgen05_fence<before>"
                                   : "#nvvm.tcgen05_fence<after>");
}

bool berthOpIsAsyncProxy(MlirOperation op) {
  const BerthOpRow *row = findAsync(op);
  return row && !isOfTensors(op) && row->async != BERTH_ASYNC_COPY &&
         row->async != BERTH_ASYNC_DIRECT && row->async != BERTH_ASYNC_WORK;
}

static bool isFenceOfKind(MlirOperation op, const char *wanted) {
  if (!has(op, kProxyFence))
    return false;
  MlirAttribute kind = berthAttributeOf(op, "kind");
  BerthShortText text = {{0}, 0};
  if (!mlirAttributeIsNull(kind))
    mlirAttributePrint(kind, berthShortTextAppend, &text);
  return strcmp(text.text, wanted) == 0;
}

bool berthOpIsSharedProxyFence(MlirOperation op) {
  return isFenceOfKind(op, "#nvvm.proxy_kind<async.shared>");
}

bool berthOpIsProxyFence(MlirOperation op) {
  return berthOpIsSharedProxyFence(op) ||
         isFenceOfKind(op, "#nvvm.proxy_kind<async>");
}

static void ignoreEffect(BerthEffect effect, void *userData) {
  (void)effect;
  (void)userData;
}

bool berthOpIsDescribed(MlirOperation op) {
  return has(op, kDescribed) &&
         !berthInterfaceGetEffects(op, ignoreEffect, NULL);
}

/// A description names the operands that a result points into, or may be.
static bool hasNoViews(MlirOperation op) {
  static const char roles[] = {BERTH_OPERAND_VIEWED, BERTH_OPERAND_CHOSEN, 0};
  return berthOpIsDescribed(op) && !strpbrk(berthRowOf(op)->operands, roles);
}

bool berthOpReturnsNoPointer(MlirOperation op) {
  return has(op, kNoPointer) || hasNoViews(op);
}

MlirAttribute berthOpReadSource(MlirOperation op, const BerthOpSource *source) {
  if (source->text)
    return mlirStringAttrGet(mlirOperationGetContext(op),
                             mlirStringRefCreateFromCString(source->text));
  if (source->attribute)
    return berthAttributeOf(op, source->attribute);
  bool hasOperand =
      source->operand >= 0 && source->operand < mlirOperationGetNumOperands(op);
  return hasOperand ? constantOf(mlirOperationGetOperand(op, source->operand))
                    : (MlirAttribute){NULL};
}

static bool isTold(const BerthOpSource *source) {
  return source->text || source->attribute || source->operand >= 0;
}

/// -1 where only the run of the program tells it.
static int64_t readNumber(const BerthOpSource *source, MlirOperation op) {
  int64_t number;
  return berthAttributeGetNumber(berthOpReadSource(op, source), &number)
             ? number
             : -1;
}

/// An attribute may be left out: then it asks for nothing.
static int64_t readAlignment(const BerthOpSource *source, MlirOperation op) {
  return source->operand >= 0 ||
                 !mlirAttributeIsNull(berthOpReadSource(op, source))
             ? readNumber(source, op)
             : 0;
}

bool berthOpIsToldAllocation(MlirOperation op,
                             BerthToldAllocation *allocation) {
  const BerthOpRow *row = berthToldRowOf(op);
  if (!row || !row->allocates || mlirOperationGetNumResults(op) == 0)
    return false;
  const BerthOpAllocation *told = row->allocates;
  *allocation = (BerthToldAllocation){
      .hasSize = isTold(&told->size),
      .size = readNumber(&told->size, op),
      .alignment = readAlignment(&told->alignment, op),
      .hasSpace = isTold(&told->space),
      .space = berthSpaceNamedBy(berthOpReadSource(op, &told->space))};
  return true;
}

bool berthOpIsMeeting(MlirOperation op) {
  const BerthOpRow *row = berthToldRowOf(op);
  return row && row->mayPend && row->async == BERTH_ASYNC_WORK;
}

int berthOpGetUnit(MlirOperation op) {
  const BerthOpRow *row = berthToldRowOf(op);
  return row ? row->unit : 0;
}

bool berthOpIsIssuedOnce(MlirOperation op) {
  const BerthOpRow *row = berthToldRowOf(op);
  return row && row->once && row->unit;
}

uint64_t berthOpGetPorts(MlirOperation op) {
  const BerthOpRow *row = berthToldRowOf(op);
  return row ? row->ports : 0;
}

int64_t berthOpGetAligned(MlirOperation op) {
  const BerthOpRow *row = berthRowOf(op);
  return row && row->aligned ? row->aligned : 1;
}

bool berthOpTellsCore(MlirOperation op, int core, int64_t *number) {
  const BerthOpRow *row = berthToldRowOf(op);
  if (!row || !row->numCores)
    return false;
  *number = row->isOn ? (int64_t)(row->isOn >> core & 1) : core;
  return true;
}

int berthNumCores(void) { return berthRowsCurrent()->numCores; }

bool berthHasConcurrentUnits(void) { return berthRowsCurrent()->isConcurrent; }

bool berthOpIsTransfer(MlirOperation op) { return has(op, kTransfer); }

/// What a TMA load writes in other workgroups their barriers do not order.
static bool isMulticast(MlirOperation op) {
  return berthOpStartsAsync(op, BERTH_ASYNC_LOAD) && countOperands(op, kMask);
}

bool berthOpIsOtherProxy(MlirOperation op) {
  bool isFollowed = berthOpIsAsyncProxy(op) || isOfTensors(op);
  return (has(op, kOtherProxy) && !isFollowed) || isMulticast(op);
}

/// Of what ends in groups only a TMA load tells others of its end.
bool berthOpNeverWaits(MlirOperation op) {
  return (hasToDo(op, kNeverWaits) || findAsync(op)) &&
         !has(op, kAwaitsMbarrier);
}

bool berthOpNeverSignals(MlirOperation op) {
  const BerthOpRow *row = findAsync(op);
  return hasToDo(op, kNeverSignals) || (row && row->async != BERTH_ASYNC_LOAD);
}

/// A list of #gpu.thread, #gpu.warp, #gpu.warpgroup or #gpu.lane.
static bool isMappedToThreads(MlirAttribute mapping) {
  static const char *const starts[] = {"#gpu.thread", "#gpu.warp", "#gpu.lane"};
  if (mlirAttributeIsNull(mapping) || !mlirAttributeIsAArray(mapping) ||
      mlirArrayAttrGetNumElements(mapping) == 0)
    return false;
  BerthShortText text = {{0}, 0};
  mlirAttributePrint(mlirArrayAttrGetElement(mapping, 0), berthShortTextAppend,
                     &text);
  for (size_t i = 0; i < sizeof starts / sizeof *starts; ++i)
    if (strncmp(text.text, starts[i], strlen(starts[i])) == 0)
      return true;
  return false;
}

/// Code that is text or a name here, and says one of these words.
static bool saysAny(MlirOperation op, const char *const *words, size_t count) {
  bool isText = has(op, kEscape), says = false;
  for (size_t i = 0; isText && i < count; ++i)
    says |= mentions(op, words[i]);
  return says;
}

bool berthOpTellsThread(MlirOperation op) {
  static const char *const words[] = {"%tid", "%laneid", "sreg.tid",
                                      "workitem.id"};
  return hasToDo(op, kThreadNumber) ||
         saysAny(op, words, sizeof words / sizeof *words) ||
         (berthOpIs(op, BERTH_OP_FORALL) &&
          isMappedToThreads(berthAttributeOf(op, "mapping")));
}

bool berthOpIsOfThreads(MlirOperation op) {
  static const char *const words[] = {"llvm.nvvm.", "llvm.amdgcn.", "bar.sync"};
  return (hasToDo(op, kDeviceCode) && !hasToDo(op, kHostCode)) ||
         saysAny(op, words, sizeof words / sizeof *words) ||
         berthOpTellsThread(op);
}

bool berthOpLetsEscape(MlirOperation op) { return has(op, kEscape); }

bool berthOpKeepsUniformity(MlirOperation op) {
  return has(op, kUniform) || !mlirValueIsNull(berthViewGetSource(op)) ||
         berthOpIsConstant(op);
}

bool berthOpMakesAgree(MlirOperation op) {
  return hasToDo(op, kAgree) || isWholeBarrier(op) ||
         berthHasFlag(op, BERTH_UNIFORM);
}

bool berthControlFollowsOperands(MlirOperation op) { return has(op, kOpen); }
