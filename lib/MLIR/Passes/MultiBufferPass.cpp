//===- MultiBufferPass.cpp - berth-multi-buffer -----------------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A shell: it turns options into C, calls lib/IR and counts.
//
//===----------------------------------------------------------------------===//

#include "IR/Passes/MultiBufferPass.h"
#include "IR/Verify/Verify.h"
#include "Nothing.h"
#include "ReadOptions.h"
#include "SharedOptions.h"
#include "TargetOption.h"
#include "berth/Passes.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <algorithm>
#include <vector>

namespace berth {
#define GEN_PASS_DEF_MULTIBUFFER
#include "berth/Passes.h.inc"
} // namespace berth

using namespace mlir;

namespace {

struct MultiBuffer
    : berth::WithOptions<berth::impl::MultiBufferBase<MultiBuffer>> {
  using WithOptions::WithOptions;

  void getDependentDialects(DialectRegistry &registry) const override {
    MultiBufferBase::getDependentDialects(registry);
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
    BerthMultiBufferFigures figures = {};
    for (BerthMultiBufferOptions memory : memories) {
      memory.arena.onModule = isa<ModuleOp>(getOperation());
      berthMultiBufferRun(wrap(getOperation()), &memory, &figures);
    }
    if (verify && figures.buffers &&
        berthVerifySlotsAlone(wrap(getOperation())) != BERTH_SUCCESS)
      return signalPassFailure();
    SmallVector<const BerthCollectOptions *> looked;
    for (const BerthMultiBufferOptions &memory : memories)
      looked.push_back(&memory.arena.collect);
    getAnalysis<berth::SaidOfNothing>().note(*this, target.getInstance(),
                                             getOperation(),
                                             figures.buffers > 0, looked);
    numBuffers += figures.buffers;
    numSlots += figures.slots;
    bytesAdded += figures.bytesAdded;
  }

private:
  BerthStatus parseFactor(BerthError *error) {
    parsed.factor = 0;
    if (factor == "auto")
      return BERTH_SUCCESS;
    if (StringRef(factor).getAsInteger(10, parsed.factor) ||
        parsed.factor < 2 || parsed.factor > BERTH_MOST_SLOTS)
      return berthErrorSet(error, BERTH_INVALID,
                           "factor '%s': expected auto, or a number from 2 to "
                           "%d",
                           factor.c_str(), BERTH_MOST_SLOTS);
    return BERTH_SUCCESS;
  }

  BerthStatus parse(MLIRContext *context, BerthError *error) {
    memories.clear();
    parsed = {};
    if (parseFactor(error))
      return BERTH_INVALID;
    parsed.movesAhead = ahead;
    parsed.latency = latency;
    if (latency < 1 || latency >= BERTH_MOST_SLOTS)
      return berthErrorSet(error, BERTH_INVALID,
                           "latency %lld: expected a number of turns from 1 to "
                           "%d",
                           static_cast<long long>(latency),
                           BERTH_MOST_SLOTS - 1);
    if (berth::readBytesOption("capacity", capacity, "that of the target",
                               &parsed.arena.capacity, error) ||
        berth::checkAlignment(alignment, error) ||
        berth::readBrokenRule(breakRule, &parsed.arena.alias.breakRule, error))
      return BERTH_INVALID;
    parsed.arena.collect.dynamic = BERTH_DYNAMIC_BOUNDED;
    parsed.arena.collect.alignment = alignment;
    parsed.arena.inPlace = true;
    if (berthParseUnknownOps(unknownOps.c_str(), &parsed.arena.alias.unknownOps,
                             error))
      return BERTH_INVALID;
    const BerthTarget *described = berthTargetCurrent();
    size_t count = berthTargetNumMemories(described);
    if (!space.empty() || count == 0)
      return addMemory(
          context, space.c_str(),
          berthTargetFindMemory(described, wrap(context), space.c_str()),
          error);
    for (size_t i = 0; i != count; ++i) {
      const BerthTargetMemory *memory = berthTargetGetMemory(described, i);
      if (addMemory(context, memory->space, memory, error))
        return BERTH_INVALID;
    }
    return BERTH_SUCCESS;
  }

  BerthStatus addMemory(MLIRContext *context, const char *name,
                        const BerthTargetMemory *memory, BerthError *error) {
    BerthMultiBufferOptions options = parsed;
    BerthArenaOptions &arena = options.arena;
    if (memory) {
      if (!arena.capacity)
        arena.capacity = memory->capacity;
      arena.collect.alignment =
          std::max(arena.collect.alignment, memory->alignment);
      arena.reserved = memory->reserved;
      arena.numReserved = memory->numReserved;
      if (memory->numBanks)
        return berthErrorSet(error, BERTH_INVALID, "memory '%s' has banks",
                             name);
    }
    if (berthParseSpace(wrap(context), name, &arena.collect, error))
      return BERTH_INVALID;
    target.looksAt(arena.collect);
    memories.push_back(options);
    return BERTH_SUCCESS;
  }

  BerthMultiBufferOptions parsed;
  std::vector<BerthMultiBufferOptions> memories; ///< `parsed`, for each memory
  berth::PassTarget target;
};

} // namespace
