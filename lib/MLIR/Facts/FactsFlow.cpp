//===- FactsFlow.cpp - Control-flow facts -----------------------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What RegionBranchOpInterface, BranchOpInterface, LoopLikeOpInterface,
// CallOpInterface and FunctionOpInterface say, as the C functions of
// IR/Facts/Facts.h.
//
//===----------------------------------------------------------------------===//

#include "IR/Facts/Facts.h"
#include "MLIR/Facts/Versions.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace {

/// Hands one region edge to the C callback.
void reportEdge(int from, const RegionSuccessor &successor,
                OperandRange forwarded, BerthRegionEdgeCallback callback,
                void *userData) {
  SmallVector<MlirValue> forwardedValues, receivedValues;
  for (auto [operand, input] :
       llvm::zip(forwarded, successor.getSuccessorInputs())) {
    forwardedValues.push_back(wrap(operand));
    receivedValues.push_back(wrap(input));
  }
  Region *target = successor.getSuccessor();
  BerthRegionEdge edge;
  edge.from = from;
  edge.to = target ? static_cast<int>(target->getRegionNumber()) : BERTH_PARENT;
  edge.numValues = static_cast<intptr_t>(forwardedValues.size());
  edge.forwarded = forwardedValues.data();
  edge.received = receivedValues.data();
  callback(&edge, userData);
}

/// True if a region that ends with `op` may be left there, and nobody knows
/// for where: an unregistered op, or one without the interface.
bool endsNowhere(Operation &op) {
  return op.getNumSuccessors() == 0 &&
         !isa<RegionBranchTerminatorOpInterface>(op);
}

/// The op's interface; null if it has none, or if it cannot be trusted because
/// of what ends one of its blocks.
RegionBranchOpInterface asRegionBranch(MlirOperation op) {
  auto branch = dyn_cast<RegionBranchOpInterface>(unwrap(op));
  if (!branch)
    return branch;
  for (Region &region : branch->getRegions())
    for (Block &block : region)
      if (!block.empty() && endsNowhere(block.back()))
        return nullptr;
  return branch;
}

bool hasOperand(OperandRange range, intptr_t index) {
  if (range.empty())
    return false;
  intptr_t first = range.getBeginOperandIndex();
  return first <= index && index < first + static_cast<intptr_t>(range.size());
}

bool isHandedToBlock(BranchOpInterface op, intptr_t index) {
  for (unsigned i = 0, e = op->getNumSuccessors(); i != e; ++i)
    if (hasOperand(op.getSuccessorOperands(i).getForwardedOperands(), index))
      return true;
  return false;
}

bool isHandedInto(RegionBranchOpInterface op, intptr_t index) {
  SmallVector<RegionSuccessor> successors;
  op.getSuccessorRegions(RegionBranchPoint::parent(), successors);
  return llvm::any_of(successors, [&](const RegionSuccessor &successor) {
    return hasOperand(op.getEntrySuccessorOperands(successor), index);
  });
}

bool isHandedOutOf(RegionBranchTerminatorOpInterface op, intptr_t index) {
  auto parent = dyn_cast<RegionBranchOpInterface>(op->getParentOp());
  if (!parent)
    return false;
  SmallVector<RegionSuccessor> successors;
  parent.getSuccessorRegions(berth::branchPointOf(op), successors);
  return llvm::any_of(successors, [&](const RegionSuccessor &successor) {
    return hasOperand(op.getSuccessorOperands(successor), index);
  });
}

} // namespace

bool berthOperandIsHandedOn(MlirOperation cOp, intptr_t index) {
  Operation *op = unwrap(cOp);
  if (auto branch = dyn_cast<BranchOpInterface>(op))
    return isHandedToBlock(branch, index);
  if (auto terminator = dyn_cast<RegionBranchTerminatorOpInterface>(op))
    return isHandedOutOf(terminator, index);
  auto branch = dyn_cast<RegionBranchOpInterface>(op);
  return branch && isHandedInto(branch, index);
}

MlirOperation berthBlockGetLast(MlirBlock cBlock) {
  Block *block = unwrap(cBlock);
  return wrap(block->empty() ? nullptr : &block->back());
}

MlirOperation berthOpGetPrevious(MlirOperation op) {
  return wrap(unwrap(op)->getPrevNode());
}

bool berthOpIsRegionBranch(MlirOperation op) {
  return static_cast<bool>(asRegionBranch(op));
}

bool berthOpGetRegionEdges(MlirOperation cOp, BerthRegionEdgeCallback callback,
                           void *userData) {
  RegionBranchOpInterface op = asRegionBranch(cOp);
  if (!op)
    return false;
  SmallVector<RegionSuccessor> successors;
  op.getSuccessorRegions(RegionBranchPoint::parent(), successors);
  for (const RegionSuccessor &successor : successors)
    reportEdge(BERTH_PARENT, successor, op.getEntrySuccessorOperands(successor),
               callback, userData);
  for (Region &region : op->getRegions()) {
    for (Block &block : region) {
      if (block.empty())
        continue;
      auto terminator =
          dyn_cast<RegionBranchTerminatorOpInterface>(block.back());
      if (!terminator)
        continue;
      successors.clear();
      op.getSuccessorRegions(berth::branchPointOf(terminator), successors);
      for (const RegionSuccessor &successor : successors)
        reportEdge(static_cast<int>(region.getRegionNumber()), successor,
                   terminator.getSuccessorOperands(successor), callback,
                   userData);
    }
  }
  return true;
}

namespace {
/// What a fork is asked for, edge by edge.
struct ForkSearch {
  intptr_t numResults;
  bool isFork;
};
} // namespace

static void checkForkEdge(const BerthRegionEdge *edge, void *userData) {
  auto *search = static_cast<ForkSearch *>(userData);
  bool leaves = edge->to == BERTH_PARENT;
  search->isFork &= edge->from == BERTH_PARENT || leaves;
  search->isFork &= !leaves || edge->numValues == search->numResults;
}

bool berthOpIsFork(MlirOperation cOp) {
  Operation *op = unwrap(cOp);
  if (op->getNumRegions() == 0 || isa<LoopLikeOpInterface>(op))
    return false;
  for (Region &region : op->getRegions())
    if (!region.empty() && !region.hasOneBlock())
      return false;
  ForkSearch search = {static_cast<intptr_t>(op->getNumResults()), true};
  return berthOpGetRegionEdges(cOp, checkForkEdge, &search) && search.isFork;
}

bool berthBranchGetOperands(MlirOperation cOp, intptr_t index,
                            BerthValuePairCallback callback, void *userData) {
  auto op = dyn_cast<BranchOpInterface>(unwrap(cOp));
  if (!op)
    return false;
  SuccessorOperands operands =
      op.getSuccessorOperands(static_cast<unsigned>(index));
  Block *block = op->getSuccessor(static_cast<unsigned>(index));
  for (unsigned i = 0, e = operands.size(); i != e; ++i)
    callback(wrap(operands[i]), wrap(Value(block->getArgument(i))), userData);
  return true;
}

bool berthOpIsLoop(MlirOperation op) {
  return isa<LoopLikeOpInterface>(unwrap(op));
}

bool berthLoopGetTurns(MlirOperation op, int64_t *turns) {
  auto loop = dyn_cast<LoopLikeOpInterface>(unwrap(op));
  if (!loop)
    return false;
  auto lowers = loop.getLoopLowerBounds(), uppers = loop.getLoopUpperBounds(),
       steps = loop.getLoopSteps();
  if (!lowers || !uppers || !steps || lowers->empty())
    return false;
  *turns = 1;
  for (auto [from, to, by] : llvm::zip_equal(*lowers, *uppers, *steps)) {
    auto lower = getConstantIntValue(from), upper = getConstantIntValue(to),
         step = getConstantIntValue(by);
    // A negative bound is a large one to an unsigned loop.
    if (!lower || !upper || !step || *lower < 0 || *upper < 0 || *step < 1)
      return false;
    int64_t count = *upper > *lower ? (*upper - *lower - 1) / *step + 1 : 0;
    if (llvm::MulOverflow(*turns, count, *turns))
      return false;
  }
  return true;
}

/// The effects of a registered op are those of its regions by a trait, which
/// hasTrait does not see where Berth and MLIR were built by different
/// compilers. So libMLIR is asked, of an op of that name without regions.
static bool hasEffectsOfRegions(Operation *op) {
  if (!op->isRegistered())
    return false;
  Operation *bare =
      Operation::create(op->getLoc(), op->getName(), /*resultTypes=*/{},
                        /*operands=*/{}, NamedAttrList(),
                        /*properties=*/nullptr, /*successors=*/{}, 0);
  bool result = getEffectsRecursively(bare).has_value();
  bare->destroy();
  return result;
}

bool berthOpTellsOfRegions(MlirOperation cOp) {
  Operation *op = unwrap(cOp);
  return isa<RegionBranchOpInterface, LoopLikeOpInterface,
             MemoryEffectOpInterface, FunctionOpInterface>(op) ||
         hasEffectsOfRegions(op);
}

bool berthOpIsFunction(MlirOperation op) {
  return isa<FunctionOpInterface>(unwrap(op));
}

// Asked of the op's place, not of OpTrait::ReturnLike: the ids of traits are
// made from the compiler's spelling of their names, so hasTrait fails where
// Berth and MLIR were built by different compilers.
bool berthOpIsReturn(MlirOperation cOp) {
  Operation *op = unwrap(cOp);
  return op->getNumSuccessors() == 0 && op->getBlock() &&
         op == &op->getBlock()->back() &&
         isa_and_nonnull<FunctionOpInterface>(op->getParentOp());
}

/// MLIR goes through all of a module for each symbol.
struct BerthCallees {
  llvm::DenseMap<std::pair<Operation *, Attribute>, Operation *> known;
  BerthCallees *before;
};

static thread_local BerthCallees *callees;

BerthCallees *berthCalleesKeep(void) {
  auto *kept = new BerthCallees();
  kept->before = callees;
  return callees = kept;
}

void berthCalleesForget(BerthCallees *kept) {
  callees = kept->before;
  delete kept;
}

static Operation *findCallee(Operation *call, SymbolRefAttr symbol) {
  Operation *table = SymbolTable::getNearestSymbolTable(call);
  if (!table)
    return nullptr;
  if (!callees)
    return SymbolTable::lookupSymbolIn(table, symbol);
  auto [place, isNew] =
      callees->known.try_emplace({table, Attribute(symbol)}, nullptr);
  if (isNew)
    place->second = SymbolTable::lookupSymbolIn(table, symbol);
  return place->second;
}

bool berthOpGetCallee(MlirOperation cOp, MlirOperation *callee) {
  auto call = dyn_cast<CallOpInterface>(unwrap(cOp));
  if (!call)
    return false;
  CallInterfaceCallable target = call.getCallableForCallee();
  Operation *function = nullptr;
  if (auto symbol = dyn_cast<SymbolRefAttr>(target))
    function = findCallee(call, symbol);
  *callee = wrap(function);
  return true;
}

bool berthCalleeIsHidden(MlirOperation cCallee, MlirOperation cRoot) {
  Operation *callee = unwrap(cCallee), *root = unwrap(cRoot);
  if (!callee || callee->getNumRegions() == 0 || callee->getRegion(0).empty())
    return false;
  return !root || !root->isAncestor(callee);
}

/// True of attributes that surely have none in them: walking is dear.
static bool hasNoName(Attribute attribute) {
  return isa<AffineMapAttr, DenseArrayAttr, FloatAttr, IntegerAttr, UnitAttr>(
      attribute);
}

void berthOpForEachName(MlirOperation cOp, BerthNameCallback callback,
                        void *userData) {
  for (NamedAttribute attribute : unwrap(cOp)->getAttrs())
    if (attribute.getName() != SymbolTable::getSymbolAttrName() &&
        !hasNoName(attribute.getValue()))
      attribute.getValue().walk([&](StringAttr name) {
        Attribute plain = StringAttr::get(name.getContext(), name.getValue());
        callback(wrap(plain), userData);
      });
}

bool berthOpNamesSymbol(MlirOperation op) {
  for (NamedAttribute attribute : unwrap(op)->getAttrs()) {
    WalkResult result = attribute.getValue().walk(
        [](SymbolRefAttr) { return WalkResult::interrupt(); });
    if (result.wasInterrupted())
      return true;
  }
  return false;
}

intptr_t berthCallGetArgument(MlirOperation cOp, intptr_t operandIndex) {
  auto call = cast<CallOpInterface>(unwrap(cOp));
  OperandRange arguments = call.getArgOperands();
  if (arguments.empty())
    return -1;
  intptr_t index =
      operandIndex - static_cast<intptr_t>(arguments.getBeginOperandIndex());
  return index < static_cast<intptr_t>(arguments.size()) ? index : -1;
}

BerthRegionRuns berthRegionGetCondition(MlirOperation cOp, intptr_t region,
                                        MlirValue values[2]) {
  Operation *op = unwrap(cOp);
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    values[0] = wrap(branch.getCondition());
    return region == 0 ? BERTH_RUNS_WHEN_TRUE : BERTH_RUNS_WHEN_FALSE;
  }
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    values[0] = wrap(loop.getLowerBound());
    values[1] = wrap(loop.getUpperBound());
    return berth::isUnsigned(loop) ? BERTH_RUNS_WHEN_LESS_UNSIGNED
                                   : BERTH_RUNS_WHEN_LESS;
  }
  bool always = isa<scf::ExecuteRegionOp, memref::AllocaScopeOp>(op) ||
                (isa<scf::WhileOp>(op) && region == 0);
  return always ? BERTH_RUNS_ALWAYS : BERTH_RUNS_UNKNOWN;
}

bool berthOpIsSpeculatable(MlirOperation op) {
  return unwrap(op)->getNumRegions() == 0 && isPure(unwrap(op));
}
