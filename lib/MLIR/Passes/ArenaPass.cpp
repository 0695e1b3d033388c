//===- ArenaPass.cpp - berth-arena ------------------------------*- C++ -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A shell: it turns options into C, calls lib/IR and counts.
//
//===----------------------------------------------------------------------===//

#include "IR/Passes/ArenaPass.h"
#include "Dialects.h"
#include "IR/Passes/Padding.h"
#include "IR/Passes/Report.h"
#include "IR/Passes/ReportPage.h"
#include "IR/Passes/VerifyRun.h"
#include "IR/Scope/TensorMemory.h"
#include "IR/Verify/Verify.h"
#include "Nothing.h"
#include "ReadOptions.h"
#include "SharedOptions.h"
#include "Support/Bytes.h"
#include "Support/Messages.h"
#include "Support/Nearest.h"
#include "TargetOption.h"
#include "ToolFiles.h"
#include "berth-c/IO.h"
#include "berth/Passes.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <memory>
#include <unistd.h>
#include <vector>

namespace berth {
#define GEN_PASS_DEF_ARENA
#include "berth/Passes.h.inc"
} // namespace berth

using namespace mlir;

namespace {

/// Far above any memory, and far from where sums of such numbers overflow.
constexpr int64_t kLargestReserved = int64_t(1) << 48;

struct Arena : berth::WithOptions<berth::impl::ArenaBase<Arena>> {
  using WithOptions::WithOptions;

  void getDependentDialects(DialectRegistry &registry) const override {
    berth::insertArenaDialects(registry);
    if (fences == "insert")
      berth::insertFenceDialects(registry);
    if (overlap == "on")
      berth::insertOverlapDialects(registry);
  }

  /// Everything that can be wrong with the options is said here, once, before
  /// any function is looked at.
  LogicalResult initialize(MLIRContext *context) override {
    parsed = BerthArenaOptions();
    return target.load(*this, context, targetFile, [&](BerthError *error) {
      return parse(context, error);
    });
  }

  void runOnOperation() override {
    berth::TargetUse use(target);
    if (failed(use.check(*this, getOperation())))
      return signalPassFailure();
    std::vector<BerthArenaOptions> options(memories);
    bool onModule = isa<ModuleOp>(getOperation());
    for (BerthArenaOptions &memory : options)
      memory.onModule = onModule;
    BerthError wrong;
    if ((!onModule && checkNested(&wrong)) ||
        checkFiles(getOperation()->getLoc(), &wrong)) {
      emitError(getOperation()->getLoc())
          << getArgument() << ": " << Twine(wrong.message) // may print later
          << berthMessageNumber(wrong.message);
      return signalPassFailure();
    }
    BerthPadFigures padded = {};
    for (BerthArenaOptions &memory : options)
      if (padsRows)
        berthPadBuffers(wrap(getOperation()), &memory, &padded);
    if (verify && padded.buffers &&
        berthVerifyPaddedAlone(wrap(getOperation())) != BERTH_SUCCESS)
      return signalPassFailure();
    BerthArenaFigures figures = {};
    if (berthArenaRun(wrap(getOperation()), options.data(), options.size(),
                      &figures) != BERTH_SUCCESS)
      return signalPassFailure();
    BerthVerifyOptions check = {parsed.barriers != BERTH_BARRIERS_NONE,
                                parsed.alias.unknownOps == BERTH_UNKNOWN_USE,
                                parsed.collect.numKernels,
                                parsed.collect.kernels,
                                false,
                                true,
                                nullptr,
                                0};
    if (verify && berthVerifyRun(wrap(getOperation()), &check) != BERTH_SUCCESS)
      return signalPassFailure();
    numBuffers += figures.buffers;
    numPlaced += figures.placed;
    numDynamic += figures.dynamic;
    SmallVector<const BerthCollectOptions *> looked;
    for (const BerthArenaOptions &memory : options)
      looked.push_back(&memory.collect);
    getAnalysis<berth::SaidOfNothing>().note(*this, target.getInstance(),
                                             getOperation(),
                                             figures.buffers > 0, looked);
    bytesBefore += figures.bytesBefore;
    bytesAfter += figures.bytesAfter;
  }

private:
  /// What only a run on the module can do.
  BerthStatus checkNested(BerthError *error) {
    bool reports = parsed.report && StringRef(parsed.report) != "-";
    const char *file = reports ? parsed.report : parsed.planOut;
    if (!file)
      file = parsed.plan;
    if (file)
      return berthErrorSet(error, BERTH_INVALID,
                           "'%s' is of a whole module: run the pass on that",
                           file);
    const char *changes =
        parsed.foldConstants         ? "fold-constants adds to the module"
        : frames                     ? "frames changes callers"
        : parsed.resultsAreArguments ? "results=out-params changes callers"
                                     : nullptr;
    return changes ? berthErrorSet(error, BERTH_INVALID,
                                   "%s: run the pass on the module", changes)
                   : BERTH_SUCCESS;
  }

  /// A plan that is kept may be replaced by what it became.
  BerthStatus checkFiles(LocationAttr location, BerthError *error) {
    bool isStream = parsed.report && StringRef(parsed.report) == "-"; // stderr
    std::string file = report;
    file.resize(berthReportFileLength(file.c_str())); // FILE.svg#NAME
    const char *written = isStream ? nullptr : berth::orNull(file);
    bool isKept = parsed.plan && parsed.planOut &&
                  StringRef(parsed.plan) == parsed.planOut;
    const BerthNamedFile files[] = {
        {"report", written, true},
        {"plan-out", parsed.planOut, true},
        {"plan", isKept ? nullptr : parsed.plan, false},
        {"packer-plugin", parsed.plugin, false},
        {"target", berth::orNull(targetFile), false}};
    BerthStatus status = berth::checkFilesOfOptions(files, location, error);
    if (status != BERTH_SUCCESS || !location || (!written && !parsed.planOut))
      return status;
    return getAnalysis<berth::WrittenFiles>().take(files, error);
  }

  BerthStatus checkPlanOut(BerthError *error) {
    BerthFormat format = berthFormatFromPath(planOut.c_str());
    bool isOther = berthPathIsForeign(planOut.c_str()) ||
                   (format != BERTH_FORMAT_AUTO && format != BERTH_FORMAT_JSON);
    return isOther ? berthErrorSet(error, BERTH_INVALID,
                                   "plan-out '%s' is called as something else "
                                   "than the JSON that it gets; pictures and "
                                   "pages are what report= writes",
                                   planOut.c_str())
                   : BERTH_SUCCESS;
  }

  BerthStatus parse(MLIRContext *context, BerthError *error) {
    copyFlags();
    if (parseSizes(error) || parseChoices(error) || parsePacker(error) ||
        berthParseArenaForm(arena.c_str(), &parsed.form, error) ||
        berthParseBarriers(barriers.c_str(), &parsed.barriers, error) ||
        checkFences(error) || parseOccupancy(error) || parseChip(error) ||
        parseReserved(error) || checkForm(error) || parseGlobalSharing(error) ||
        berthParseDynamic(dynamic.c_str(), &parsed.collect.dynamic, error) ||
        berthParseUnknownOps(unknownOps.c_str(), &parsed.alias.unknownOps,
                             error) ||
        berthCheckReportPath(parsed.report, error) || checkPlanOut(error) ||
        checkFiles(LocationAttr(), error))
      return BERTH_INVALID;
    parsed.collect.annotates = parsed.form == BERTH_ARENA_ANNOTATE;
    parsed.collect.takesForeign = true;
    return parseMemories(context, error);
  }

  /// What cannot be wrong by itself.
  void copyFlags() {
    parsed.packer = berth::orNull(packer);
    parsed.plugin = berth::orNull(packerPlugin);
    parsed.steps = static_cast<uint64_t>(steps.getValue());
    kernelNames.clear();
    for (const std::string &name : kernels)
      kernelNames.push_back(name.c_str());
    parsed.collect.numKernels = kernelNames.size();
    parsed.collect.kernels = kernelNames.data();
    parsed.report = berth::orNull(report);
    parsed.alsoReports = berth::getToolFiles().reports;
    parsed.plan = berth::orNull(plan);
    parsed.planOut = berth::orNull(planOut);
    parsed.explain = berth::orNull(explain);
    parsed.sizeChecks = sizeChecks;
    parsed.inPlace = inPlace;
    parsed.refill = refill;
    parsed.dropUnread = dropUnread;
    parsed.splitLives = splitLives;
    parsed.shortCircuit = shortCircuit;
    parsed.byteRanges = byteRanges;
    parsed.neverWorse = neverWorse;
    parsed.rotate = rotate;
    parsed.frames = frames;
    parsed.splitArenas = splitArenas;
    parsed.poison = poison;
    parsed.checkUniform = checkUniform;
  }

  BerthStatus parseSizes(BerthError *error) {
    parsed.collect.alignment = alignment;
    if (steps < 0)
      return berthErrorSet(error, BERTH_INVALID,
                           "steps %lld is below 0, which is the packer's own "
                           "budget",
                           static_cast<long long>(steps));
    if (berth::checkAlignment(alignment, error) ||
        berth::readBytesOption("capacity", capacity, "no limit",
                               &parsed.capacity, error) ||
        berth::readBytesOption("fold-constants", foldConstants, "no constants",
                               &parsed.foldConstants, error))
      return BERTH_INVALID;
    return BERTH_SUCCESS;
  }

  /// One of two words.
  static BerthStatus choose(const char *name, const std::string &word,
                            const char *yes, const char *no, bool *isYes,
                            BerthError *error) {
    const char *words[] = {yes, no};
    *isYes = word == yes;
    if (*isYes || word == no)
      return BERTH_SUCCESS;
    std::string meant =
        llvm::is_contained({"true", "on", "yes", "1"}, word)    ? yes
        : llvm::is_contained({"false", "off", "no", "0"}, word) ? no
                                                                : word;
    return berthErrorSet(error, BERTH_INVALID, "%s '%s' is neither %s nor %s%s",
                         name, word.c_str(), yes, no,
                         berthNearest(meant.c_str(), words, 2).text);
  }

  BerthStatus chooseOverlap(BerthError *error) {
    parsed.narrows = overlap != "off" && inPlace;
    parsed.overlap = false;
    if (overlap == "narrower" || overlap == "off")
      return BERTH_SUCCESS;
    return choose("overlap", overlap, "on", "off, nor narrower",
                  &parsed.overlap, error);
  }

  BerthStatus parseChoices(BerthError *error) {
    parsed.verify = verify;
    if (choose("schedule", schedule, "on", "off", &parsed.schedule, error) ||
        chooseOverlap(error) ||
        choose("existing", existing, "pack", "keep", &parsed.packsExisting,
               error) ||
        choose("results", results, "out-params", "keep",
               &parsed.resultsAreArguments, error) ||
        choose("caches", caches, "in-place", "keep", &parsed.updatesCaches,
               error) ||
        choose("fences", fences, "insert", "existing", &parsed.addsFences,
               error) ||
        choose("banks", banks, "shift", "none", &parsed.shiftsBanks, error) ||
        choose("padding", padding, "auto", "none", &padsRows, error))
      return BERTH_INVALID;
#ifndef BERTH_WITH_FOLD
    if (parsed.overlap)
      return berthErrorSet(error, BERTH_INVALID,
                           "overlap=on needs berth-fold, which is not in this "
                           "build");
#endif
    auto [first, second] = StringRef(explain).split(',');
    if (!first.empty() &&
        (first == second || explain.find('@') != explain.npos))
      return berthErrorSet(error, BERTH_INVALID,
                           "explain '%s': expected two allocations by their "
                           "names alone, such as %%alloc,%%alloc_0",
                           parsed.explain);
    return berth::readBrokenRule(breakRule, &parsed.alias.breakRule, error);
  }

  /// The one that `space` names, or all that the description has.
  BerthStatus parseMemories(MLIRContext *context, BerthError *error) {
    const BerthTarget *described = berthTargetCurrent();
    size_t count = space.empty() ? berthTargetNumMemories(described) : 0;
    memories.assign(std::max<size_t>(count, 1), parsed);
    memoryRanges.assign(memories.size(), ranges);
    bool isOfCode = parsed.form == BERTH_ARENA_ARGUMENT ||
                    parsed.form == BERTH_ARENA_DYNAMIC ||
                    parsed.form == BERTH_ARENA_ATTRIBUTION;
    if (count > 1 && isOfCode)
      return berthErrorSet(error, BERTH_INVALID,
                           "arena=%s is of one memory: name it by 'space'",
                           berthArenaFormName(parsed.form));
    for (size_t i = 0; i != memories.size(); ++i) {
      const BerthTargetMemory *memory =
          count
              ? berthTargetGetMemory(described, i)
              : berthTargetFindMemory(described, wrap(context), space.c_str());
      if (count > 1)
        memories[i].memory = memory->space;
      if (memory && useMemory(*memory, memories[i], memoryRanges[i], error))
        return BERTH_INVALID;
      if (berthParseSpace(wrap(context), count ? memory->space : space.c_str(),
                          &memories[i].collect, error) ||
          berthLimitTensors(&memories[i].collect, &memories[i].capacity, error))
        return BERTH_INVALID;
    }
    if (parsed.shiftsBanks && llvm::none_of(memories, isInterleaved))
      return berthErrorSet(error, BERTH_INVALID,
                           "banks=shift: no memory of this run is described as "
                           "'interleaved'");
    for (const BerthArenaOptions &memory : memories)
      target.looksAt(memory.collect);
    return BERTH_SUCCESS;
  }

  static bool isInterleaved(const BerthArenaOptions &memory) {
    return memory.interleavedBanks != 0;
  }

  /// The pass's own options win where they are stricter.
  BerthStatus useMemory(const BerthTargetMemory &memory,
                        BerthArenaOptions &options,
                        SmallVector<BerthRange> &reserved, BerthError *error) {
    options.hasAddress = memory.start != BERTH_TARGET_NONE;
    options.isChipMemory = options.hasAddress || memory.capacity;
    if (options.hasAddress)
      options.collect.start = memory.start;
    if (memory.capacity &&
        (!options.capacity || memory.capacity < options.capacity))
      options.capacity = memory.capacity;
    options.collect.alignment =
        std::max(options.collect.alignment, memory.alignment);
    reserved.append(memory.reserved, memory.reserved + memory.numReserved);
    options.reserved = reserved.data();
    options.numReserved = reserved.size();
    options.numBanks = memory.numBanks;
    options.interleavedBanks = memory.interleavedBanks;
    options.bankWidth = memory.bankWidth;
    if (memory.numBanks && options.capacity != memory.capacity)
      return berthErrorSet(error, BERTH_INVALID,
                           "capacity %lld: memory '%s' has %lld banks, whose "
                           "size its description tells",
                           static_cast<long long>(options.capacity),
                           memory.space,
                           static_cast<long long>(memory.numBanks));
    if (memory.numBanks && splitArenas)
      return berthErrorSet(error, BERTH_INVALID,
                           "split-arenas: memory '%s' has banks", memory.space);
    if (memory.numReserved && splitArenas)
      return berthErrorSet(error, BERTH_INVALID,
                           "split-arenas: memory '%s' has reserved bytes: it "
                           "can only be one arena",
                           memory.space);
    return BERTH_SUCCESS;
  }

  /// With isolation=process berth-pack loads it, and says what is wrong.
  BerthStatus parsePacker(BerthError *error) {
    if (isolation != "process" && isolation != "none")
      return berthErrorSet(error, BERTH_INVALID,
                           "isolation '%s' is neither process nor none",
                           isolation.c_str());
    if (parsed.packer && berthPackerFind(parsed.packer) == SIZE_MAX)
      return unknownPacker(error);
    if (parsed.packer && parsed.plugin)
      return berthErrorSet(error, BERTH_INVALID,
                           "packer and packer-plugin both name a packer");
    if (parsed.plugin && parsed.plugin[0] != '\0' &&
        StringRef(parsed.plugin).contains('/') &&
        access(parsed.plugin, R_OK) != 0)
      return berthErrorSet(error, BERTH_INVALID,
                           "cannot load packer plugin '%s': %s", parsed.plugin,
                           strerror(errno));
    if (!parsed.plugin || isolation == "process")
      return BERTH_SUCCESS;
    plugin.reset(berthPackerLoad(parsed.plugin, error), berthPackerUnload);
    if (!plugin)
      return BERTH_INVALID;
    parsed.pluginPacker = berthPluginGetPacker(plugin.get());
    return BERTH_SUCCESS;
  }

  bool insertsBarriers() const {
    return parsed.barriers == BERTH_BARRIERS_INSERT ||
           (parsed.barriers == BERTH_BARRIERS_AUTO &&
            parsed.form != BERTH_ARENA_ANNOTATE);
  }

  BerthStatus checkFences(BerthError *error) {
    if (parsed.addsFences && !insertsBarriers())
      return berthErrorSet(error, BERTH_INVALID,
                           "fences=insert puts fences in front of barriers: it "
                           "needs barriers=insert");
    return BERTH_SUCCESS;
  }

  BerthStatus parseGlobalSharing(BerthError *error) {
    const char *words[] = {"none", "entry", "all"};
    if (globalSharing == "none")
      parsed.globalSharing = BERTH_GLOBAL_SHARING_NONE;
    else if (globalSharing == "entry")
      parsed.globalSharing = BERTH_GLOBAL_SHARING_ENTRY;
    else if (globalSharing == "all")
      parsed.globalSharing = BERTH_GLOBAL_SHARING_ALL;
    else
      return berthErrorSet(error, BERTH_INVALID,
                           "global-sharing '%s': expected none, entry or all%s",
                           globalSharing.c_str(),
                           berthNearest(globalSharing.c_str(), words, 3).text);
    if (parsed.globalSharing == BERTH_GLOBAL_SHARING_NONE)
      return BERTH_SUCCESS;
    if (parsed.form != BERTH_ARENA_GLOBAL || splitArenas)
      return berthErrorSet(error, BERTH_INVALID,
                           "global-sharing=%s is for arena=global without "
                           "split-arenas: no other form has one to share",
                           globalSharing.c_str());
    return BERTH_SUCCESS;
  }

  /// What this form of arena cannot have beside it.
  BerthStatus checkForm(BerthError *error) {
    bool annotates = parsed.form == BERTH_ARENA_ANNOTATE;
    bool isOne = annotates || parsed.form == BERTH_ARENA_ARGUMENT ||
                 parsed.form == BERTH_ARENA_DYNAMIC;
    if (splitArenas && isOne)
      return berthErrorSet(error, BERTH_INVALID,
                           "split-arenas: arena=%s can only be one arena",
                           berthArenaFormName(parsed.form));
    if (splitArenas && parsed.numReserved)
      return berthErrorSet(error, BERTH_INVALID,
                           "split-arenas: with reserved= it can only be one "
                           "arena, whose bytes those are");
    bool isOwn = parsed.form == BERTH_ARENA_AUTO ||
                 parsed.form == BERTH_ARENA_ALLOC ||
                 parsed.form == BERTH_ARENA_ALLOCA;
    if (frames && !isOwn)
      return berthErrorSet(error, BERTH_INVALID,
                           "frames: arena=%s leaves no arena that a caller "
                           "could hold; it is for auto, alloc and alloca",
                           berthArenaFormName(parsed.form));
    const char *changes = parsed.packsExisting         ? "existing=pack"
                          : parsed.resultsAreArguments ? "results=out-params"
                                                       : nullptr;
    if (annotates && changes)
      return berthErrorSet(error, BERTH_INVALID,
                           "%s changes code, arena=annotate does not: they "
                           "exclude each other",
                           changes);
    return BERTH_SUCCESS;
  }

  BerthStatus parseOccupancy(BerthError *error) {
    sizes.assign(occupancy.begin(), occupancy.end());
    parsed.occupancy = sizes.data();
    parsed.numOccupancy = sizes.size();
    for (int64_t bytes : sizes)
      if (bytes < 1)
        return berthErrorSet(error, BERTH_INVALID,
                             "occupancy: %lld is no size in bytes",
                             static_cast<long long>(bytes));
    if (!sizes.empty() && !insertsBarriers())
      return berthErrorSet(error, BERTH_INVALID,
                           "occupancy says what barriers may be inserted for: "
                           "it needs barriers=insert");
    return BERTH_SUCCESS;
  }

  BerthStatus parseChip(BerthError *error) {
    if (chip.empty())
      return BERTH_SUCCESS;
    parsed.chip = berthChipFind(mlirStringRefCreate(chip.data(), chip.size()));
    if (parsed.chip)
      return BERTH_SUCCESS;
    std::vector<const char *> all;
    for (size_t i = 0, e = berthChipCount(); i != e; ++i)
      all.push_back(berthChipGet(i)->name);
    return berthErrorSet(
        error, BERTH_INVALID, "chip '%s' is none that is known: %s%s",
        chip.c_str(), llvm::join(all, ", ").c_str(),
        berthNearest(chip.c_str(), all.data(), all.size()).text);
  }

  /// "from-to", whole numbers.
  BerthStatus parseReserved(BerthError *error) {
    ranges.clear();
    for (const std::string &text : reserved) {
      BerthRange range;
      auto [from, to] = StringRef(text).split('-');
      auto isLarge = [](StringRef digits) {
        int64_t number;
        return !digits.empty() &&
               llvm::all_of(digits, [](char c) { return llvm::isDigit(c); }) &&
               (digits.getAsInteger(10, number) || number > kLargestReserved);
      };
      if (isLarge(from) || isLarge(to))
        return berthErrorSet(error, BERTH_INVALID,
                             "reserved '%s': it is too large: the largest is "
                             "%" PRId64,
                             text.c_str(), kLargestReserved);
      if (from.getAsInteger(10, range.lower) ||
          to.getAsInteger(10, range.upper) || range.lower >= range.upper)
        return berthErrorSet(error, BERTH_INVALID,
                             "reserved: '%s' is no range of bytes, 'from-to'",
                             text.c_str());
      ranges.push_back(range);
    }
    parsed.reserved = ranges.data();
    parsed.numReserved = ranges.size();
    return BERTH_SUCCESS;
  }

  BerthStatus unknownPacker(BerthError *error) {
    std::vector<const char *> all;
    for (size_t i = 0, e = berthPackerCount(); i != e; ++i)
      all.push_back(berthPackerName(i));
    return berthErrorSet(
        error, BERTH_INVALID, "no packer is called '%s'; there are %s%s",
        parsed.packer, llvm::join(all, ", ").c_str(),
        berthNearest(parsed.packer, all.data(), all.size()).text);
  }

  BerthArenaOptions parsed;
  bool padsRows = false;
  std::vector<BerthArenaOptions> memories; ///< `parsed`, for each memory
  berth::PassTarget target;
  std::vector<const char *> kernelNames; ///< what `parsed` points into
  SmallVector<int64_t> sizes;            // parsed.occupancy
  SmallVector<BerthRange> ranges;        // parsed.reserved
  std::vector<SmallVector<BerthRange>> memoryRanges; ///< and the memory's own
  std::shared_ptr<BerthPlugin> plugin; ///< shared with copies of the pass
};

} // namespace
