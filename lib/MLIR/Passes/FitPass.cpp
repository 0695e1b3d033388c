//===- FitPass.cpp - berth-fit ----------------------------------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A shell: it turns options into C, calls lib/IR and counts.
//
//===----------------------------------------------------------------------===//

#include "IR/Passes/FitPass.h"
#include "Nothing.h"
#include "ReadOptions.h"
#include "SharedOptions.h"
#include "TargetOption.h"
#include "berth/Passes.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <algorithm>
#include <vector>

namespace berth {
#define GEN_PASS_DEF_FIT
#include "berth/Passes.h.inc"
} // namespace berth

using namespace mlir;

namespace {

struct Fit : berth::WithOptions<berth::impl::FitBase<Fit>> {
  using WithOptions::WithOptions;

  void getDependentDialects(DialectRegistry &registry) const override {
    FitBase::getDependentDialects(registry);
    berth::watchDialects(registry);
  }

  LogicalResult initialize(MLIRContext *context) override {
    return target.load(*this, context, targetFile, [&](BerthError *error) {
      return parse(context, error);
    });
  }

  void runOnOperation() override {
    berth::TargetUse use(target);
    if (failed(use.check(*this, getOperation())))
      return signalPassFailure();
    std::vector<BerthFitLevel> own(levels);
    for (BerthFitLevel &level : own)
      level.fast.onModule = isa<ModuleOp>(getOperation());
    BerthFitFigures figures = {};
    if (berthFitRun(wrap(getOperation()), own.data(), own.size(), verify,
                    &figures) != BERTH_SUCCESS)
      return signalPassFailure();
    SmallVector<const BerthCollectOptions *> looked;
    for (const BerthFitLevel &level : own)
      looked.push_back(&level.fast.collect);
    getAnalysis<berth::SaidOfNothing>().note(
        *this, target.getInstance(), getOperation(), figures.moved > 0, looked);
    numMoved += figures.moved;
    bytesIn += figures.bytesIn;
    bytesOut += figures.bytesOut;
    bytesTouched += figures.bytesTouched;
    bytesComputed += figures.bytesComputed;
    numTransfers += figures.transfers;
    numBeside += figures.beside;
    numDoubled += figures.slots;
  }

private:
  BerthStatus parse(MLIRContext *context, BerthError *error) {
    levels.clear();
    if (berth::readBytesOption("capacity", capacity, "that of the target",
                               &capacityGiven, error) ||
        berth::checkAlignment(alignment, error) ||
        berth::readBrokenRule(breakRule, &brokenRule, error))
      return BERTH_INVALID;
    // What was not given is -1.
    for (const Option<berth::Whole> *price :
         {&fill, &spill, &access, &recompute, &bandwidth, &latency,
          &channels}) {
      int least = price == &fill || price == &spill ? 1 : 0;
      if (price->hasValue() && (*price < least || *price > 1 << 20))
        return berthErrorSet(error, BERTH_INVALID,
                             "%s '%lld': expected a whole number from %d to "
                             "1048576",
                             price->getArgStr().str().c_str(),
                             static_cast<long long>(*price), least);
    }
    if (!transfers.empty() && transfers != "copy" && transfers != "dma")
      return berthErrorSet(error, BERTH_INVALID,
                           "transfers '%s': expected copy or dma",
                           transfers.c_str());
    const BerthTarget *described = berthTargetCurrent();
    if (!space.empty())
      return addLevel(
                 context, space.c_str(),
                 berthTargetFindMemory(described, wrap(context), space.c_str()),
                 error) == BERTH_SUCCESS
                 ? checkChannels(error)
                 : BERTH_INVALID;
    for (size_t i = 0; i != berthTargetNumMemories(described); ++i) {
      const BerthTargetMemory *memory = berthTargetGetMemory(described, i);
      if (memory->backing &&
          addLevel(context, memory->space, memory, error) != BERTH_SUCCESS)
        return BERTH_INVALID;
    }
    if (levels.empty())
      return berthErrorSet(error, BERTH_INVALID,
                           "neither 'space' nor a memory of a target "
                           "description with a 'backing' says what to fit "
                           "into");
    return checkOrder(error) == BERTH_SUCCESS ? checkChannels(error)
                                              : BERTH_INVALID;
  }

  /// Content goes from each level to the one behind it, which has to be fitted
  /// later.
  BerthStatus checkOrder(BerthError *error) const {
    auto isBehind = [&](size_t behind, size_t level) {
      return mlirAttributeEqual(levels[level].slow.space,
                                levels[behind].fast.collect.space);
    };
    for (size_t i = 0; i != levels.size(); ++i) {
      size_t last = i;
      for (size_t turn = 0; turn != levels.size(); ++turn) {
        size_t next = 0;
        while (next != levels.size() && !isBehind(next, last))
          ++next;
        if (next == i)
          return berthErrorSet(error, BERTH_INVALID,
                               "backing: '%s' lies behind '%s', which lies "
                               "behind it: nothing would be the last memory",
                               levels[i].name, levels[last].name);
        if (next == levels.size())
          break;
        last = next;
      }
    }
    for (size_t i = 0; i != levels.size(); ++i)
      for (size_t k = i + 1; k != levels.size(); ++k)
        if (isBehind(i, k))
          return berthErrorSet(error, BERTH_INVALID,
                               "memories: '%s' lies behind '%s' and is listed "
                               "before it: list the fastest first, since "
                               "they are fitted in that order",
                               levels[i].name, levels[k].name);
    return BERTH_SUCCESS;
  }

  /// A limit of transfers where there are none was meant otherwise.
  BerthStatus checkChannels(BerthError *error) const {
    bool hasTransfers = false;
    for (const BerthFitLevel &level : levels)
      hasTransfers |= level.hasTransfers;
    if (channels <= 0 || hasTransfers)
      return BERTH_SUCCESS;
    return berthErrorSet(error, BERTH_INVALID,
                         "channels '%lld': content moves by copies, of which "
                         "none is under way beside others; transfers=dma "
                         "makes transfers of them",
                         static_cast<long long>(channels));
  }

  /// Where the description says how content of that memory moves.
  static std::string placeOfMoves(const BerthTargetMemory *memory) {
    const char *path = berthTargetGetPath(berthTargetCurrent());
    return std::string(path ? path : "") + ":" +
           std::to_string(memory->movesPlace.line) + ":" +
           std::to_string(memory->movesPlace.column);
  }

  /// The ops that the description names are made without more ado.
  static BerthStatus addMoves(MLIRContext *context,
                              const BerthTargetMemory *memory,
                              BerthFitLevel *level, BerthError *error) {
    for (const char *name : {memory->moveOp, memory->moveWait})
      if (name && !context->allowsUnregisteredDialects() &&
          !context->getOrLoadDialect(StringRef(name).split('.').first))
        return berthErrorSet(error, BERTH_INVALID,
                             "target: %s: moves: '%s' is of no dialect that is "
                             "known: --allow-unregistered-dialect lets it be "
                             "made",
                             placeOfMoves(memory).c_str(), name);
    level->moveOp = memory->moveOp;
    level->moveWait = memory->moveWait;
    if (!memory->moveToken)
      return BERTH_SUCCESS;
    ScopedDiagnosticHandler silent(context, [](Diagnostic &) {});
    Type token = parseType(memory->moveToken, context);
    if (!token)
      return berthErrorSet(error, BERTH_INVALID,
                           "target: %s: moves: '%s' is no type",
                           placeOfMoves(memory).c_str(), memory->moveToken);
    level->moveToken = wrap(token);
    return BERTH_SUCCESS;
  }

  /// The pass's own options win.
  BerthStatus addLevel(MLIRContext *context, const char *name,
                       const BerthTargetMemory *memory, BerthError *error) {
    BerthFitLevel level = {};
    level.name = name;
    const char *behind = backing.empty() ? nullptr : backing.c_str();
    if (!behind && memory)
      behind = memory->backing;
    if (!behind)
      return berthErrorSet(error, BERTH_INVALID,
                           "backing: nothing says which memory lies behind "
                           "'%s'",
                           name);
    level.fast.capacity = capacityGiven ? capacityGiven
                          : memory      ? memory->capacity
                                        : 0;
    if (!level.fast.capacity)
      return berthErrorSet(error, BERTH_INVALID,
                           "capacity: nothing says how many bytes '%s' has",
                           name);
    auto price = [&](int64_t given, int64_t told, int64_t usual) {
      return given >= 0 ? given : memory && memory->backing ? told : usual;
    };
    level.fill = price(fill, memory ? memory->fill : 0, 1);
    level.spill = price(spill, memory ? memory->spill : 0, 1);
    level.access = price(access, memory ? memory->access : 0, 0);
    level.recompute = price(recompute, memory ? memory->recompute : 0, 1);
    level.bandwidth = bandwidth >= 0 ? bandwidth
                      : memory       ? memory->bandwidth
                                     : 0;
    level.latency = latency >= 0 ? latency : memory ? memory->latency : 0;
    if (level.latency && !level.bandwidth)
      return berthErrorSet(
          error, BERTH_INVALID,
          "latency: nothing says the bandwidth of '%s', and so "
          "how many bytes could move meanwhile",
          name);
    level.hasTransfers =
        transfers.empty() ? memory && memory->hasTransfers : transfers == "dma";
    if (memory && memory->moveOp && transfers.empty()) {
      level.hasTransfers = true;
      if (addMoves(context, memory, &level, error) != BERTH_SUCCESS)
        return BERTH_INVALID;
    }
    level.channels = channels >= 0 ? channels : memory ? memory->channels : 0;
    level.doubleBuffers = doubleBuffer;
    level.mustFit = mustFit;
    level.fast.collect.dynamic = BERTH_DYNAMIC_BOUNDED;
    level.fast.collect.alignment = alignment;
    level.fast.inPlace = true;
    if (memory) {
      level.fast.collect.alignment =
          std::max(level.fast.collect.alignment, memory->alignment);
      level.fast.reserved = memory->reserved;
      level.fast.numReserved = memory->numReserved;
      if (memory->numBanks)
        return berthErrorSet(error, BERTH_INVALID, "memory '%s' has banks",
                             name);
    }
    level.fast.alias.breakRule = brokenRule;
    level.slow = level.fast.collect;
    if (berthParseUnknownOps(unknownOps.c_str(), &level.fast.alias.unknownOps,
                             error) ||
        berthParseSpace(wrap(context), name, &level.fast.collect, error) ||
        berthParseSpace(wrap(context), behind, &level.slow, error))
      return BERTH_INVALID;
    if (mlirAttributeEqual(level.fast.collect.space, level.slow.space))
      return berthErrorSet(error, BERTH_INVALID,
                           "backing: '%s' is the memory itself", behind);
    target.looksAt(level.fast.collect);
    levels.push_back(level);
    return BERTH_SUCCESS;
  }

  std::vector<BerthFitLevel> levels;
  int64_t capacityGiven = 0;
  const char *brokenRule = nullptr; ///< of `breakRule`
  berth::PassTarget target;
};

} // namespace
