//===- UseEffects.c - What one use does with a pointer --------------------===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Pointers/UseEffects.h"
#include "IR/Facts/DmaFacts.h"
#include "IR/Ops/Attributes.h"
#include "IR/Ops/Dealloc.h"
#include "IR/Ops/Effects.h"
#include "IR/Ops/OpTable.h"
#include "IR/Ops/OrDie.h"
#include "IR/Ops/Rules.h"
#include "IR/Pointers/Tokens.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/// Everything that one classification needs, so that helpers take one pointer.
typedef struct Query {
  MlirValue value;
  MlirOperation op;
  intptr_t operandIndex;
  const BerthAliasOptions *options;
  BerthCallSummaries *summaries;
  BerthAliasCallback callback;
  void *userData;
  BerthUse use;
} Query;

static bool isMemRef(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAMemRef(type) || mlirTypeIsAUnrankedMemRef(type);
}

/// Integers of more than one bit, index, floats, and vectors and pairs of these
/// can hold an address.
static bool mayHoldAddress(MlirType type) {
  if (mlirTypeIsAVector(type))
    return mayHoldAddress(mlirShapedTypeGetElementType(type));
  if (mlirTypeIsAComplex(type))
    return mayHoldAddress(mlirComplexTypeGetElementType(type));
  return mlirTypeIsAIndex(type) || mlirTypeIsAFloat(type) ||
         (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) > 1);
}

/// True for an address that is no pointer any more: a number.
static bool isInteger(MlirValue value) {
  return mayHoldAddress(mlirValueGetType(value));
}

/// True for numbers of which some part is a float: what nobody makes of a
/// pointer, but of its integer.
static bool isFloat(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (mlirTypeIsAVector(type))
    type = mlirShapedTypeGetElementType(type);
  return mlirTypeIsAFloat(type) || mlirTypeIsAComplex(type);
}

/// A number made of an address is followed like a pointer, as far as it goes.
static void tellAlias(Query *query, MlirValue alias, bool isView,
                      bool isWhole) {
  const char *broken = query->options->breakRule;
  bool mayPoint = berthTypeMayPoint(mlirValueGetType(alias)) &&
                  (isMemRef(alias) || !berthIsBroken(broken, "no-descriptors"));
  bool isNumber =
      isInteger(alias) && (isInteger(query->value) || !isFloat(alias));
  bool isFollowed =
      mayPoint || (isNumber && !berthIsBroken(broken, "no-integers"));
  if (isFollowed)
    query->callback(alias, isView, isWhole, query->userData);
}

static void setLeak(Query *query, BerthLeak leak, const char *reason) {
  if (leak <= query->use.leak)
    return;
  query->use.leak = leak;
  query->use.reason = reason;
}

/// Work that nothing here ends does not end with the function either.
static void setWork(Query *query, const char *reason) {
  query->use.goesOn = true;
  setLeak(query, BERTH_LEAK_IN_SCOPE, reason);
}

static void setAccess(Query *query) {
  query->use.reads = true;
  query->use.writes = true;
}

/// What the op returns may be the pointer. Integers are data, not addresses,
/// where it has read them from memory.
static void aliasResultsOf(Query *query, MlirOperation op, bool integersToo) {
  bool areNone = berthOpReturnsNoPointer(op);
  intptr_t numResults = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < numResults; ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    if (berthOpIsTokenResult(op, i)) // of whatever type
      query->callback(result, false, false, query->userData);
    else if (!areNone && (integersToo || !isInteger(result)))
      tellAlias(query, result, false, false);
  }
}

static void aliasResults(Query *query, bool integersToo) {
  aliasResultsOf(query, query->op, integersToo);
}

/// The arguments of an unknown op's regions may be anything that it is given.
static void aliasRegionArguments(Query *query) {
  intptr_t numRegions = mlirOperationGetNumRegions(query->op);
  for (intptr_t i = 0; i < numRegions; ++i) {
    MlirBlock block =
        mlirRegionGetFirstBlock(mlirOperationGetRegion(query->op, i));
    intptr_t numArguments =
        mlirBlockIsNull(block) ? 0 : mlirBlockGetNumArguments(block);
    for (intptr_t k = 0; k < numArguments; ++k)
      tellAlias(query, mlirBlockGetArgument(block, k), false, false);
  }
}

/// So may the arguments of the blocks that it branches to.
static void aliasSuccessorArguments(Query *query) {
  intptr_t numSuccessors = mlirOperationGetNumSuccessors(query->op);
  for (intptr_t i = 0; i < numSuccessors; ++i) {
    MlirBlock block = mlirOperationGetSuccessor(query->op, i);
    intptr_t numArguments = mlirBlockGetNumArguments(block);
    for (intptr_t k = 0; k < numArguments; ++k)
      tellAlias(query, mlirBlockGetArgument(block, k), false, false);
  }
}

//===----------------------------------------------------------------------===//
// 1. Asynchronous code
//===----------------------------------------------------------------------===//

/// bufferization.dealloc frees its first operands and compares the others.
static bool classifyDealloc(Query *query) {
  intptr_t numMemRefs = berthDeallocNumMemRefs(query->op);
  query->use.frees = query->operandIndex < numMemRefs;
  return numMemRefs >= 0;
}

static void noteTokens(Query *query, BerthTypeTest isToken) {
  const char *broken = query->options->breakRule;
  if (!berthIsBroken(broken, "no-tokens") &&
      berthMayGoOn(query->op, isToken, berthIsBroken(broken, "any-token-use")))
    setWork(query,
            "an asynchronous op may still use it later: nothing in its block "
            "waits for its token");
}

static bool classifyCall(Query *query);

/// A called function may do more with the pointer than use it late.
static bool classifyAsync(Query *query) {
  if (!berthOpIsAsync(query->op) &&
      !berthOpAwaits(query->op, query->operandIndex))
    return false;
  classifyCall(query);
  setAccess(query);
  aliasResults(query, true);
  aliasRegionArguments(query);
  return true;
}

/// A tag is read and written at both ends: what a wait leaves in it may be what
/// the next start wants to find there.
static bool classifyTransfer(Query *query) {
  BerthDma dma;
  if (!berthOpGetDma(query->op, &dma))
    return false;
  query->use.reads = query->operandIndex != dma.target;
  query->use.writes = query->operandIndex != dma.source;
  bool isFollowed =
      query->options->followsTransfers &&
      berthDmaGetRun(&query->summaries->transfers, query->op)->isAwaited;
  if (dma.isStart && !isFollowed &&
      !berthIsBroken(query->options->breakRule, "no-dma"))
    setWork(query, "a transfer that nothing surely waits for may still use it");
  return true;
}

/// Where the function returns there, its memory is gone for everybody.
static bool isInKernel(MlirOperation op) {
  while (!mlirOperationIsNull(op = mlirOperationGetParentOperation(op)))
    if (berthOpIs(op, BERTH_OP_GPU_MODULE) || berthOpIs(op, BERTH_OP_LAUNCH))
      return true;
  return false;
}

/// What it returns may be the pointer for another workgroup, as a number too.
/// On a host whatever is not looked into may keep a bare address.
static bool classifyEscape(Query *query) {
  if (!berthOpLetsEscape(query->op) ||
      berthIsBroken(query->options->breakRule, "no-escapes"))
    return false;
  setAccess(query);
  aliasResults(query, true);
  bool mayStay = isMemRef(query->value) || isInKernel(query->op);
  setLeak(query, mayStay ? BERTH_LEAK_IN_SCOPE : BERTH_LEAK_OUT,
          "other workgroups, or code that is not looked into, may use it at "
          "any time");
  return true;
}

//===----------------------------------------------------------------------===//
// 2. Views
//===----------------------------------------------------------------------===//

static bool classifyView(Query *query) {
  MlirValue source = berthViewGetSource(query->op);
  if (mlirValueIsNull(source))
    return false;
  if (!mlirValueEqual(source, query->value)) {
    bool isKept = isInteger(query->value) &&
                  !berthIsBroken(query->options->breakRule, "no-integers");
    if (isKept)
      setLeak(query, BERTH_LEAK_OUT,
              "its address becomes a size or an offset of a view, which may be "
              "asked for it");
    return isKept;
  }
  bool isWhole = berthViewIsWhole(query->op);
  intptr_t numResults = mlirOperationGetNumResults(query->op);
  for (intptr_t i = 0; i < numResults; ++i) {
    MlirValue result = mlirOperationGetResult(query->op, i);
    if (!isInteger(result)) // sizes, strides
      tellAlias(query, result, true, isWhole);
  }
  return true;
}

/// A descriptor stands for its tensor; a product reads through descriptors.
static bool classifyDescriptor(Query *query) {
  if (berthOpMakesDescriptor(query->op)) {
    aliasResults(query, true);
    return true;
  }
  query->use.reads = berthOpStartsAsync(query->op, BERTH_ASYNC_PRODUCT);
  return query->use.reads;
}

//===----------------------------------------------------------------------===//
// 3. Control flow
//===----------------------------------------------------------------------===//

/// Looks for the query's value among those that a control-flow edge forwards.
typedef struct EdgeSearch {
  Query *query;
  bool found;
} EdgeSearch;

static void aliasOverRegionEdge(const BerthRegionEdge *edge, void *userData) {
  EdgeSearch *search = userData;
  for (intptr_t i = 0; i < edge->numValues; ++i) {
    if (!mlirValueEqual(edge->forwarded[i], search->query->value))
      continue;
    search->found = true;
    tellAlias(search->query, edge->received[i], false, false);
  }
}

static void aliasOverBranch(MlirValue forwarded, MlirValue received,
                            void *userData) {
  EdgeSearch *search = userData;
  if (mlirValueIsNull(forwarded) ||
      !mlirValueEqual(forwarded, search->query->value))
    return;
  search->found = true;
  tellAlias(search->query, received, false, false);
}

static bool isTerminator(MlirOperation op) {
  return mlirOperationIsNull(mlirOperationGetNextInBlock(op));
}

/// A value that ends its region: does the parent hand it on to somebody?
static bool classifyTerminator(Query *query) {
  MlirOperation parent = mlirOperationGetParentOperation(query->op);
  if (berthOpIsReturn(query->op)) {
    setLeak(query, BERTH_LEAK_OUT, "it is returned");
    return true;
  }
  EdgeSearch search = {query, false};
  if (berthOpIsRegionBranch(parent) && !berthOpIsAsync(parent))
    berthOpGetRegionEdges(parent, aliasOverRegionEdge, &search);
  return search.found;
}

static void classifyUnknown(Query *query);

static bool classifyControlFlow(Query *query) {
  EdgeSearch search = {query, false};
  intptr_t numSuccessors = mlirOperationGetNumSuccessors(query->op);
  for (intptr_t i = 0; i < numSuccessors; ++i)
    berthBranchGetOperands(query->op, i, aliasOverBranch, &search);
  if (berthOpIsRegionBranch(query->op))
    berthOpGetRegionEdges(query->op, aliasOverRegionEdge, &search);
  if (!search.found && berthOpIsRegionBranch(query->op)) {
    classifyUnknown(query); // an operand that no edge accounts for
    return true;
  }
  return search.found || (isTerminator(query->op) && classifyTerminator(query));
}

//===----------------------------------------------------------------------===//
// 4. Calls
//===----------------------------------------------------------------------===//

/// A function that may not be looked into may do anything with the pointer,
/// register it for later runs too.
static void classifyHiddenCall(Query *query) {
  classifyUnknown(query);
  setLeak(query, BERTH_LEAK_OUT,
          "a called function may keep it: run the pass on the module to look "
          "into it");
}

/// True if the function whose address a call is given may be one that must not
/// be looked into: it may stand outside of what the pass runs on. Nothing but a
/// gpu.module's own functions is called in it.
static bool mayCallHidden(const Query *query) {
  MlirOperation root = query->options->root;
  return mlirOperationIsNull(root) ||
         (!berthOpIs(root, BERTH_OP_GPU_MODULE) &&
          !mlirOperationIsNull(mlirOperationGetParentOperation(root)));
}

static bool isGivenFunction(MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < count; ++i)
    if (mlirTypeIsAFunction(mlirValueGetType(mlirOperationGetOperand(op, i))))
      return true;
  return false;
}

/// A call by address, of a function without a body, or by an op that nobody
/// knows and that names something: all of these may call whatever function they
/// have the name of.
static void classifyUnseenCall(Query *query, bool hasName) {
  bool isBroken = berthIsBroken(query->options->breakRule, "no-callbacks");
  if (!isBroken && hasName && mayCallHidden(query)) {
    classifyHiddenCall(query);
    return;
  }
  classifyUnknown(query);
  const BerthNamedFunctions *named =
      isBroken ? NULL : query->summaries->findNamed(query->summaries);
  if (named &&
      (named->letGo || (isInteger(query->value) && named->letNumberGo)))
    setLeak(query, BERTH_LEAK_OUT,
            "a function that may be called here by its address lets it get "
            "away");
}

/// What a function made of the pointer and returns is an address, as a float
/// too.
static void tellReturned(Query *query, MlirValue result) {
  if (isFloat(result) &&
      !berthIsBroken(query->options->breakRule, "no-integers"))
    query->callback(result, false, false, query->userData);
  else
    tellAlias(query, result, false, false);
}

static bool classifyCall(Query *query) {
  MlirOperation callee;
  if (berthOpIsDescribed(query->op) || !berthOpGetCallee(query->op, &callee))
    return false;
  intptr_t index = berthCallGetArgument(query->op, query->operandIndex);
  BerthArgumentSummary summary = {0};
  if (berthCalleeIsHidden(callee, query->options->root)) {
    classifyHiddenCall(query);
    return true;
  }
  if (berthFunctionIsUnseen(callee) && index >= 0) {
    classifyUnseenCall(query, mlirOperationIsNull(callee) ||
                                  isGivenFunction(query->op));
    return true;
  }
  if (!berthFunctionIsUnseen(callee) && index >= 0)
    summary = query->summaries->summarize(query->summaries, callee, index);
  if (!summary.known) {
    classifyUnknown(query);
    return true;
  }
  if (berthIsBroken(query->options->breakRule, "no-calls"))
    return true;
  query->use.reads = summary.reads;
  query->use.writes = summary.writes;
  intptr_t numResults = mlirOperationGetNumResults(query->op);
  for (intptr_t i = 0; i < numResults; ++i)
    if (berthReturnsInResult(&summary, i))
      tellReturned(query, mlirOperationGetResult(query->op, i));
  if (summary.leaks)
    setLeak(query, BERTH_LEAK_OUT, "a called function lets it get away");
  return true;
}

//===----------------------------------------------------------------------===//
// 5. Memory effects
//===----------------------------------------------------------------------===//

static bool feedsOnlyDeallocation(const Query *query) {
  MlirOperation op = query->op;
  return mlirOperationGetNumResults(op) == 1 &&
         berthFeedsOnlyDeallocation(mlirOperationGetResult(op, 0), false,
                                    query->options->root);
}

/// True if the pointer is given to the op more than once, and one of these may
/// be what it writes to the place that the other names.
static bool mayStoreItselfInItself(const Query *query, int effectsOnValue) {
  bool isRepeated = false;
  intptr_t numOperands = mlirOperationGetNumOperands(query->op);
  for (intptr_t i = 0; i < numOperands; ++i)
    isRepeated |=
        i != query->operandIndex &&
        mlirValueEqual(mlirOperationGetOperand(query->op, i), query->value);
  return isRepeated && (effectsOnValue & BERTH_EFFECT_WRITE) &&
         !isMemRef(query->value);
}

/// The op takes the pointer without touching memory through it.
static void classifyPointerUse(Query *query, int effectsAnywhere) {
  if (!isMemRef(query->value) && !isInteger(query->value))
    setAccess(query); // a use of a token or descriptor is a use of the buffer
  if (effectsAnywhere & BERTH_EFFECT_WRITE)
    setLeak(query, BERTH_LEAK_OUT, "its address is stored in memory");
}

/// True for the end of a region of which no interface says where its operands
/// go.
static bool handsOverUntold(const Query *query) {
  MlirOperation parent = mlirOperationGetParentOperation(query->op);
  bool isEnd = isTerminator(query->op) &&
               mlirOperationGetNumResults(query->op) == 0 &&
               mlirOperationGetNumSuccessors(query->op) == 0 &&
               mlirOperationGetNumRegions(query->op) == 0;
  return isEnd && !berthOpIsDescribed(parent) &&
         (!berthOpIsRegionBranch(parent) || berthOpIsAsync(parent));
}

/// Of code that runs later it becomes a result; of a payload it is written
/// somewhere.
static void handOver(Query *query) {
  MlirOperation parent = mlirOperationGetParentOperation(query->op);
  if (berthOpIsAsync(parent))
    aliasResultsOf(query, parent, true);
  else
    setLeak(query, BERTH_LEAK_OUT,
            "its address is handed out of a region, and nothing says where it "
            "goes");
}

static bool classifyEffects(Query *query) {
  BerthEffects effects;
  if (!berthOpSumEffects(query->op, query->value, &effects))
    return false;
  if (!effects.onValue && !effects.anywhere && handsOverUntold(query))
    handOver(query);
  query->use.reads = effects.onValue & BERTH_EFFECT_READ;
  query->use.writes = effects.onValue & BERTH_EFFECT_WRITE;
  query->use.frees = effects.onValue & BERTH_EFFECT_FREE;
  bool makesAddresses = !effects.onValue &&
                        !berthOpResultsAreShapes(query->op) &&
                        !feedsOnlyDeallocation(query);
  aliasResults(query, makesAddresses);
  if (effects.onValue)
    noteTokens(query, berthTypeIsToken);
  if (!effects.onValue && berthOpIsDescribed(query->op))
    return true; // a description would say if the op kept it
  if (!effects.onValue)
    classifyPointerUse(query, effects.anywhere);
  else if (mayStoreItselfInItself(query, effects.onValue))
    setLeak(query, BERTH_LEAK_OUT, "its address is stored in memory");
  return true;
}

//===----------------------------------------------------------------------===//
// 6. Nothing explains it
//===----------------------------------------------------------------------===//

/// True for the function that a call by address is given: code keeps nothing.
static bool isCalled(MlirOperation op, intptr_t operand) {
  MlirOperation callee;
  return berthOpGetCallee(op, &callee) && berthCallGetArgument(op, operand) < 0;
}

/// What else the op is given that is no value of its own (a storage, a queue)
/// may hold the pointer from now on: whatever uses that may use the buffer.
static void aliasHandles(Query *query) {
  if (berthTypeIsHandle(mlirValueGetType(query->value)) ||
      berthIsBroken(query->options->breakRule, "no-handles"))
    return;
  intptr_t numOperands = mlirOperationGetNumOperands(query->op);
  for (intptr_t i = 0; i < numOperands; ++i) {
    MlirValue operand = mlirOperationGetOperand(query->op, i);
    if (berthTypeIsHandle(mlirValueGetType(operand)) && !isCalled(query->op, i))
      tellAlias(query, operand, false, false);
  }
}

/// True for a launch on a stream of its own: who waits for that is not looked
/// for.
static bool isOnStream(MlirOperation op) {
  MlirAttribute segments = berthAttributeOf(op, "operandSegmentSizes");
  if (!berthOpIs(op, BERTH_OP_LAUNCH_FUNCTION) || mlirAttributeIsNull(segments))
    return false;
  intptr_t last = mlirDenseArrayGetNumElements(segments) - 1;
  return mlirDenseI32ArrayGetElement(segments, last) > 0;
}

static void classifyUnknown(Query *query) {
  query->use.assumed = true;
  if (berthIsBroken(query->options->breakRule, "no-unknown-ops"))
    return;
  if (!berthOpLetsEscape(query->op)) // what it returns is an address
    noteTokens(query, berthTypeIsHandle);
  setAccess(query);
  aliasResults(query, true);
  aliasHandles(query);
  aliasRegionArguments(query);
  aliasSuccessorArguments(query);
  if (isInteger(query->value) &&
      !berthIsBroken(query->options->breakRule, "no-integers"))
    setLeak(query, BERTH_LEAK_IN_SCOPE,
            "an unknown op is given its address as an integer");
  if (isOnStream(query->op) &&
      !berthIsBroken(query->options->breakRule, "no-tokens"))
    setWork(query, "a kernel launched on a stream may still use it later");
  if (isTerminator(query->op) && mlirOperationGetNumResults(query->op) == 0 &&
      mlirOperationGetNumSuccessors(query->op) == 0 &&
      mlirOperationGetNumRegions(query->op) == 0)
    setLeak(query, BERTH_LEAK_OUT, "an unknown terminator may pass it on");
  if (query->options->unknownOps == BERTH_UNKNOWN_KEEP)
    setLeak(query, BERTH_LEAK_IN_SCOPE, "an unknown op may keep it");
  if (query->options->unknownOps == BERTH_UNKNOWN_REJECT)
    setLeak(query, BERTH_LEAK_OUT, "an unknown op is given it");
}

BerthUse berthClassifyUse(MlirOpOperand use, const BerthAliasOptions *options,
                          BerthCallSummaries *summaries,
                          BerthAliasCallback callback, void *userData) {
  Query query = {.value = mlirOpOperandGetValue(use),
                 .op = mlirOpOperandGetOwner(use),
                 .operandIndex = mlirOpOperandGetOperandNumber(use),
                 .options = options,
                 .summaries = summaries,
                 .callback = callback,
                 .userData = userData};
  bool isExplained = classifyDealloc(&query) || classifyAsync(&query) ||
                     classifyTransfer(&query) || classifyEscape(&query) ||
                     classifyView(&query) || classifyDescriptor(&query) ||
                     classifyControlFlow(&query) || classifyCall(&query) ||
                     classifyEffects(&query);
  if (berthOpUsesAllocatedPointer(query.op))
    setLeak(&query, BERTH_LEAK_OUT,
            "the pointer to its allocation is used, which would be the "
            "arena's");
  if (!isExplained) {
    if (berthOpNamesSymbol(query.op) &&
        !berthOpIs(query.op, BERTH_OP_LAUNCH_FUNCTION))
      classifyUnseenCall(&query, true);
    else
      classifyUnknown(&query);
    // What an op started that returns a handle is held until somebody is given
    // that: so the one is not assumed to have ended, and the other is a wait. A
    // launch without a token is defined to wait for its end.
    query.use.endsUntold =
        query.use.leak == BERTH_LEAK_NONE && !berthReturnsHandle(query.op) &&
        isMemRef(query.value) && !berthOpIs(query.op, BERTH_OP_LAUNCH_FUNCTION);
  }
  return query.use;
}

void berthNoteUse(BerthCallSummaries *summaries, MlirOperation op, BerthUse use,
                  size_t buffer) {
  if (!use.endsUntold)
    return;
  summaries->noted =
      berthGrow(summaries->noted, summaries->numNoted,
                &summaries->notedCapacity, sizeof *summaries->noted);
  summaries->noted[summaries->numNoted++] = (BerthNotedOp){op, buffer};
}
