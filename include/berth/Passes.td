//===- Passes.td - Berth's passes --------------------------*- tablegen -*-===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one source of the passes' names, options and help texts.
//
//===----------------------------------------------------------------------===//

#ifndef BERTH_PASSES
#define BERTH_PASSES

include "mlir/Pass/PassBase.td"

def Arena : Pass<"berth-arena"> {
  let summary = "Give the buffers of each function offsets in one arena";
  let description = [{
    Finds which allocations in one memory space are live together, lets the
    others share bytes, and rewrites each to a view into one arena. Every plan
    is checked by an independent verifier before the IR is touched; a plan that
    fails leaves the IR as it was.

    Runs on any function-like op, on the module, or on a gpu.module. Allocations
    that are not placed keep their code; a missed remark says why
    (--remarks-filter='berth.*' shows remarks).

    Example:

    ```
    mlir-opt --load-pass-plugin=BerthPlugin.so \
      --pass-pipeline='builtin.module(func.func(berth-arena))'
    ```
  }];
  let options = [
    Option<"targetFile", "target", "std::string", /*default=*/"",
           "Description of the target in JSON: its ops, layouts and memories "
           "(docs/own-dialect.md)">,
    Option<"packer", "packer", "std::string", /*default=*/"",
           "Packing algorithm (berth-pack --packer=list names them); by default "
           "the best one for the problem at hand">,
    Option<"packerPlugin", "packer-plugin", "std::string", /*default=*/"",
           "Shared object with a packer of your own, instead of packer">,
    Option<"isolation", "isolation", "std::string", /*default=*/"\"process\"",
           "Where that packer runs: process (the berth-pack beside Berth, or in "
           "PATH, runs it under limits of time and memory) or none (in this "
           "process, which it can bring down)">,
    Option<"steps", "steps", "::berth::Whole", /*default=*/"0",
           "Step budget of the packer for each plan; 0: 2^26, in workgroup "
           "memory 2^24, or the own default of a packer that is named">,
    Option<"space", "space", "std::string", /*default=*/"",
           "Memory space: default, workgroup, private, gpu (what gpu.alloc "
           "takes), or any attribute text; by default all memories of the "
           "target; without any, workgroup inside kernels, the default space "
           "elsewhere">,
    Option<"capacity", "capacity", "std::string", /*default=*/"\"0\"",
           "Bytes that the arena must fit into, such as 65536, 512K or 2M; 0: no "
           "limit">,
    Option<"alignment", "alignment", "::berth::Bytes", /*default=*/"1",
           "Least alignment of every buffer in bytes; a power of two">,
    Option<"arena", "arena", "std::string", /*default=*/"\"auto\"",
           "Where the arena comes from: auto, alloc, alloca, argument, global, "
           "attribution, dynamic, or annotate (attributes only)">,
    Option<"dynamic", "dynamic", "std::string", /*default=*/"\"symbolic\"",
           "Allocations whose size is known only at run time: off (they stay as "
           "they are), bounded (placed where a constant bounds the size) or "
           "symbolic (the others get offsets computed at run time, where the "
           "arena is allocated)">,
    Option<"sizeChecks", "size-checks", "::berth::Flag", /*default=*/"true",
           "Stop the program (cf.assert) where such a size is negative, too "
           "large for an offset, or larger than its berth.upper_bound">,
    Option<"barriers", "barriers", "std::string", /*default=*/"",
           "In workgroup memory, what separates the accesses of two buffers "
           "that share bytes: insert (barriers that stand already, and the "
           "fewest new ones; the default), existing (nothing is inserted; the "
           "default of arena=annotate) or none (single-threaded or in-order "
           "machines)">,
    Option<"padding", "padding", "std::string", /*default=*/"\"none\"",
           "auto: pad rows of buffers in workgroup memory where that leaves fewer "
           "bank conflicts, costs no room for a workgroup, and fits; or none">,
    Option<"banks", "banks", "std::string", /*default=*/"\"none\"",
           "shift: buffers that an op gets at at once, through ports of their own, "
           "begin in different banks of an interleaved memory (both as the target "
           "description says), as far as the capacity allows; or none">,
    Option<"fences", "fences", "std::string", /*default=*/"\"existing\"",
           "Where TMA or wgmma follow loads and stores: existing (only fences "
           "that stand already let a barrier order them) or insert (a new "
           "barrier gets a fence in front of it, and one that stands gets one "
           "where it lacks; copies that a pipeline leaves under way are waited "
           "for; needs barriers=insert)">,
    ListOption<"kernels", "kernels", "std::string",
               "Functions that another flow launches as kernels, by name: all "
               "threads of a workgroup run them together, with the same "
               "arguments">,
    ListOption<"occupancy", "occupancy", "::berth::Bytes",
               "With barriers=insert, sizes of the arena in bytes that are worth "
               "a barrier: as many of them as possible are reached, with as few "
               "barriers as possible, and no barrier is inserted for less. By "
               "default, where the chip and the threads of a workgroup are "
               "known, those at which one more workgroup fits">,
    Option<"chip", "chip", "std::string", /*default=*/"",
           "GPU that kernels run on, sm_90 or gfx942, say: whose limits the "
           "arena is held against. By default what the targets of the "
           "gpu.module name">,
    Option<"checkUniform", "check-uniform", "::berth::Flag", /*default=*/"false",
           "Stop the kernel where an op with berth.uniform gives the threads of "
           "a workgroup different results">,
    Option<"existing", "existing", "std::string", /*default=*/"\"keep\"",
           "Workgroup memory of kernels that is declared, and not allocated: "
           "keep, or pack (attributions, globals of which all users are seen, "
           "and dynamic shared memory become buffers too)">,
    ListOption<"reserved", "reserved", "std::string",
               "Ranges of bytes of the arena that no buffer may use, 'from-to' "
               "without the last: reserved=0-64,4096-4160">,
    Option<"plan", "plan", "std::string", /*default=*/"",
           "Follow the plan in FILE, once it is verified, instead of packing "
           "(docs/plans.md)">,
    Option<"planOut", "plan-out", "std::string", /*default=*/"",
           "Keep the plan in FILE, to compare it or to follow it later; module "
           "runs only">,
    Option<"report", "report", "std::string", /*default=*/"",
           "Write a report to FILE.json, FILE.svg or FILE.html (module runs "
           "only), or '-' for one JSON line per scope on stderr; an SVG shows "
           "the arena where sharing saves most, a page opens with it; "
           "FILE.svg#NAME and FILE.html#NAME choose that of the function NAME">,
    Option<"unknownOps", "unknown-ops", "std::string", /*default=*/"",
           "What to believe of ops without memory-effect interface: use (they "
           "read and write what they are given), keep (they may keep the "
           "pointer until the scope ends) or reject (leave their buffers "
           "alone). By default use, with a warning for each kind of op">,
    Option<"explain", "explain", "std::string", /*default=*/"",
           "Two allocations by the names that MLIR prints, '%alloc,%alloc_0': "
           "say on stderr where and why both are live">,
    Option<"inPlace", "in-place", "::berth::Flag", /*default=*/"true",
           "Let an elementwise op, or nest of loops, write over an operand that "
           "dies in it, and drop copies of dying buffers">,
    Option<"refill", "refill", "::berth::Flag", /*default=*/"true",
           "Fill a buffer again where it would be a copy of one that holds a "
           "single value">,
    Option<"dropUnread", "drop-unread", "::berth::Flag", /*default=*/"true",
           "Erase fills of, and copies to, buffers where no read follows before "
           "these are overwritten, and buffers that nobody accesses">,
    Option<"splitLives", "split-lives", "::berth::Flag", /*default=*/"true",
           "Give a buffer that is overwritten and used again another place each "
           "time">,
    Option<"schedule", "schedule", "std::string", /*default=*/"\"off\"",
           "on: move ops within their blocks where less is live then; off: "
           "leave the order alone">,
    Option<"shortCircuit", "short-circuit", "::berth::Flag", /*default=*/"true",
           "Make a buffer that is copied into a part of another one there at "
           "once, where the arena does not grow by it">,
    Option<"byteRanges", "byte-ranges", "::berth::Flag", /*default=*/"true",
           "Let others have those bytes of a buffer that nobody wants while "
           "the rest is in use, where the arena shrinks by it">,
    Option<"overlap", "overlap", "std::string", /*default=*/"\"narrower\"",
           "on: let loops write a buffer over a dying one, at any distance "
           "where each byte is read before it is written, if the arena shrinks "
           "by it; passes behind this one must keep the order of these loops; "
           "narrower: only what scf.for writes element for element, of a "
           "narrower type; off: neither">,
    Option<"neverWorse", "never-worse", "::berth::Flag", /*default=*/"true",
           "Leave the allocations of a function alone where more bytes would be "
           "there at once with an arena than without">,
    Option<"rotate", "rotate", "::berth::Flag", /*default=*/"true",
           "Give a buffer that a loop makes anew from its last instance two "
           "slots that take turns, so that it can be placed">,
    Option<"foldConstants", "fold-constants", "std::string", /*default=*/"\"0\"",
           "Compute at compile time what is made from constants, and hold it in "
           "up to so many bytes of new constants, such as 64M">,
    Option<"globalSharing", "global-sharing", "std::string", /*default=*/"\"none\"",
           "With arena=global, which functions have their arenas in one: none, "
           "entry (those that one public function alone reaches), or all (no two "
           "threads run public functions at a time)">,
    Option<"frames", "frames", "::berth::Flag", /*default=*/"false",
           "Make the arenas of called functions parts of their callers', so that "
           "a whole program has one">,
    Option<"results", "results", "std::string", /*default=*/"\"keep\"",
           "Buffers that private functions return: keep, or out-params (where "
           "each is one of its own and all callers are known, these bring it)">,
    Option<"caches", "caches", "std::string", /*default=*/"\"in-place\"",
           "Arguments of which functions return a changed copy: in-place (they "
           "are changed themselves where no caller needs them any more), or "
           "keep">,
    Option<"splitArenas", "split-arenas", "::berth::Flag", /*default=*/"false",
           "Allocate buffers that never share bytes in arenas of their own, so "
           "that LLVM knows that they do not alias">,
    Option<"poison", "poison", "::berth::Flag", /*default=*/"false",
           "Fill a buffer's bytes with ones where its live range ends, so that "
           "a wrong reuse shows">,
    Option<"verify", "verify", "::berth::Flag", /*default=*/"true",
           "Run berth-verify on the result">,
    Option<"breakRule", "test-break-rule", "std::string", /*default=*/"",
           "For tests only: disable one soundness rule (lib/IR/Rules.h)">,
  ];
  let statistics = [
    Statistic<"numBuffers", "buffers", "Allocations looked at">,
    Statistic<"numPlaced", "placed", "Allocations given an offset">,
    Statistic<"numDynamic", "dynamic", "Of these, at run time">,
    Statistic<"bytesBefore", "bytes-before", "Sum of the placed sizes in bytes">,
    Statistic<"bytesAfter", "bytes-after", "Sum of the arenas in bytes">,
  ];
}

def Fit : Pass<"berth-fit"> {
  let summary = "Move content out of a memory that is too small, and back";
  let description = [{
    Where the buffers of a function do not fit into a memory, decides which of
    them leave it between two uses, or are used where they are, and inserts
    allocations in the memory behind it and copies there and back, or computes
    again what an op made of operands that are still there. Run it before
    berth-arena, which then places what is left. The cost of all moves is made as
    small as possible; a remark tells it, and what no fit is below.

    Memories and prices are those of the target description that have a
    `backing`, the first one first, or one that the options name. See
    docs/berth-fit.md.
  }];
  let options = [
    Option<"targetFile", "target", "std::string", /*default=*/"",
           "Description of the target in JSON: its ops, layouts and memories "
           "(docs/own-dialect.md)">,
    Option<"space", "space", "std::string", /*default=*/"",
           "The memory that is too small: default, or any attribute text; by "
           "default all memories of the target that have a backing">,
    Option<"backing", "backing", "std::string", /*default=*/"",
           "The memory behind it, likewise; by default as the target says">,
    Option<"capacity", "capacity", "std::string", /*default=*/"\"0\"",
           "Bytes of the memory, such as 65536 or 64K; 0: as the target says">,
    Option<"alignment", "alignment", "::berth::Bytes", /*default=*/"1",
           "Least alignment of every buffer in bytes">,
    Option<"fill", "fill", "::berth::Whole", /*default=*/"-1",
           "Price of a byte that is brought in; -1: as the target says, or 1">,
    Option<"spill", "spill", "::berth::Whole", /*default=*/"-1",
           "Price of a byte that is taken out; -1: as the target says, or 1">,
    Option<"access", "access", "::berth::Whole", /*default=*/"-1",
           "Price of a byte that an op touches in the memory behind; 0: ops "
           "touch the fast memory only; -1: as the target says, or 0">,
    Option<"recompute", "recompute", "::berth::Whole", /*default=*/"-1",
           "Price of a byte that an op computes again, instead of its being kept "
           "or moved; 0: nothing is; -1: as the target says, or 1">,
    Option<"bandwidth", "bandwidth", "::berth::Whole", /*default=*/"-1",
           "Bytes that move in a unit of time; 0: unknown; -1: as the target says">,
    Option<"latency", "latency", "::berth::Whole", /*default=*/"-1",
           "Units of time that a move takes besides its bytes, and costs at the "
           "price of those that could move meanwhile; -1: as the target says, or 0">,
    Option<"transfers", "transfers", "std::string", /*default=*/"",
           "How content moves: copy (memref.copy) or dma (memref.dma_start, as early "
           "as the space allows, and memref.dma_wait); by default as the target says, "
           "or copy">,
    Option<"channels", "channels", "::berth::Whole", /*default=*/"-1",
           "Transfers that may be under way at once; 0: any number; -1: as the target "
           "says, or 0">,
    Option<"doubleBuffer", "double-buffer", "::berth::Flag", /*default=*/"true",
           "Start the transfer into a tile in the turn before, where two tiles fit">,
    Option<"mustFit", "must-fit", "::berth::Flag", /*default=*/"true",
           "What cannot be made to fit is an error; if false, as little more "
           "than the capacity is taken as was found to do, with a remark">,
    Option<"unknownOps", "unknown-ops", "std::string", /*default=*/"",
           "What to believe of ops without memory-effect interface: use, keep "
           "or reject (see berth-arena)">,
    Option<"verify", "verify", "::berth::Flag", /*default=*/"true",
           "Check with code of its own, as berth-verify does, that content is "
           "where it is used; if it is not, nothing is changed">,
    Option<"breakRule", "test-break-rule", "std::string", /*default=*/"",
           "For tests only: disable one soundness rule (lib/IR/Rules.h)">,
  ];
  let statistics = [
    Statistic<"numMoved", "moved", "Buffers that change places">,
    Statistic<"bytesIn", "bytes-in", "Bytes brought in">,
    Statistic<"bytesOut", "bytes-out", "Bytes taken out">,
    Statistic<"bytesTouched", "bytes-touched",
              "Bytes that ops touch in the memory behind">,
    Statistic<"bytesComputed", "bytes-computed", "Bytes computed again">,
    Statistic<"numTransfers", "transfers", "Moves that are transfers">,
    Statistic<"numBeside", "beside",
              "Transfers that go on beside other ops">,
    Statistic<"numDoubled", "doubled",
              "Tiles that are brought a turn ahead">,
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

def MultiBuffer : Pass<"berth-multi-buffer"> {
  let summary = "Give slots to buffers that a copy fills in each turn of a loop";
  let description = [{
    A buffer that a copy, a memref.dma_start or, in kernels, asynchronous copies of
    the threads (nvgpu.device_async_copy) fill in a loop's turn, and that is used in
    that turn only, gets several slots, which the turns use in turn, where the
    capacity allows. The copy of a later turn is made in an earlier one, those of
    the first turns in front of the loop. It is proved that no content goes from
    turn to turn, and that nobody writes what a copy reads between its old and
    its new place; a remark names the reason where that cannot be. Run it before
    berth-arena. See docs/berth-multi-buffer.md.
  }];
  let options = [
    Option<"targetFile", "target", "std::string", /*default=*/"",
           "Description of the target in JSON: its ops, layouts and memories "
           "(docs/own-dialect.md)">,
    Option<"factor", "factor", "std::string", /*default=*/"\"auto\"",
           "Slots of each buffer, from 2 to 64; auto: one more than latency=, "
           "or as many as fit, two at least">,
    Option<"latency", "latency", "::berth::Whole", /*default=*/"1",
           "For factor=auto: how many turns of its loop a copy takes">,
    Option<"ahead", "ahead", "::berth::Flag", /*default=*/"true",
           "Make each copy as many turns ahead as there are slots besides the "
           "one in use; if false, copies stay in their turns">,
    Option<"space", "space", "std::string", /*default=*/"",
           "Memory space of the buffers: default, workgroup, private, or any "
           "attribute text; by default all memories of the target, or else the "
           "default space">,
    Option<"capacity", "capacity", "std::string", /*default=*/"\"0\"",
           "Bytes of the memory, such as 65536 or 64K: what would no longer fit "
           "gets no slots; 0: as the target says">,
    Option<"alignment", "alignment", "::berth::Bytes", /*default=*/"1",
           "Least alignment of every buffer in bytes">,
    Option<"unknownOps", "unknown-ops", "std::string", /*default=*/"",
           "What to believe of ops without memory-effect interface: use, keep "
           "or reject (see berth-arena)">,
    Option<"verify", "verify", "::berth::Flag", /*default=*/"true",
           "Check the slots with code of its own, as berth-verify does">,
    Option<"breakRule", "test-break-rule", "std::string", /*default=*/"",
           "For tests only: disable one soundness rule (lib/IR/Rules.h)">,
  ];
  let statistics = [
    Statistic<"numBuffers", "buffers", "Buffers that got slots">,
    Statistic<"numSlots", "slots", "Slots of these">,
    Statistic<"bytesAdded", "bytes-added", "Bytes that they take more">,
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def Expand : Pass<"berth-expand", "::mlir::ModuleOp"> {
  let summary = "Let the host bring the memory that each thread of a kernel needs";
  let description = [{
    What each thread of a kernel allocates for itself, in the default space, by
    sizes known at run time only or many bytes, is planned as berth-arena does,
    so that buffers share bytes, and becomes the thread's part of one block of
    global memory, which the host allocates for each launch and frees when that
    has ended. Neighbouring threads touch neighbouring words where buffers have
    elements of one width that are accessed one by one. The host computes the
    size, and stops the program where it is above the capacity. Run it before
    berth-arena. See docs/berth-expand.md.
  }];
  let options = [
    Option<"targetFile", "target", "std::string", /*default=*/"",
           "Description of the target in JSON: its ops, layouts and memories "
           "(docs/own-dialect.md)">,
    Option<"capacity", "capacity", "std::string", /*default=*/"\"1G\"",
           "Most bytes that all threads of a launch may need together, up to "
           "1024G: a kernel that surely needs more is left alone, and a launch "
           "that does stops the program">,
    Option<"least", "least", "std::string", /*default=*/"\"1K\"",
           "Bytes from which on a memref.alloca of constant size leaves the "
           "stack of its thread">,
    Option<"layout", "layout", "std::string", /*default=*/"\"auto\"",
           "auto: words of neighbouring threads side by side where that can be "
           "done; row: the bytes of each thread in a row">,
    Option<"unknownOps", "unknown-ops", "std::string", /*default=*/"",
           "What to believe of ops without memory-effect interface: use, keep "
           "or reject (see berth-arena)">,
    Option<"poison", "poison", "::berth::Flag", /*default=*/"false",
           "Fill a buffer's bytes with ones where its live range ends, so that "
           "a wrong reuse shows; nothing is interleaved then">,
    Option<"verify", "verify", "::berth::Flag", /*default=*/"true",
           "Check the plan of each thread's bytes, and the parts of all threads, "
           "with code of its own, as berth-verify does">,
    Option<"breakRule", "test-break-rule", "std::string", /*default=*/"",
           "For tests only: disable one soundness rule (lib/IR/Rules.h)">,
  ];
  let statistics = [
    Statistic<"numKernels", "kernels", "Kernels whose launches bring memory">,
    Statistic<"numInterleaved", "interleaved", "Of these, with interleaved words">,
    Statistic<"numBuffers", "buffers", "Buffers in that memory">,
    Statistic<"numLaunches", "launches", "Launches that bring it">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::cf::ControlFlowDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::memref::MemRefDialect"];
}

def Merge : Pass<"berth-merge"> {
  let summary = "Give buffers that do not interfere one allocation";
  let description = [{
    Merges allocations whose live ranges are disjoint into one, without an
    arena: buffers of one type directly, others as views of one byte buffer of
    the largest size, which for dynamic sizes is computed at run time. For
    targets that cannot take views of an arena (SPIR-V), use
    may-merge=same-type.
  }];
  let options = [
    Option<"targetFile", "target", "std::string", /*default=*/"",
           "Description of the target in JSON: its ops, layouts and memories "
           "(docs/own-dialect.md)">,
    Option<"mayMerge", "may-merge", "std::string", /*default=*/"\"any\"",
           "Which buffers may become one: same-type, same-size, or any">,
    Option<"space", "space", "std::string", /*default=*/"",
           "Memory space: default, workgroup, private, gpu (what gpu.alloc "
           "takes), or any attribute text; "
           "by default workgroup inside kernels, the default space elsewhere">,
    Option<"dynamic", "dynamic", "std::string", /*default=*/"\"symbolic\"",
           "Allocations whose size is known only at run time: off (they stay as "
           "they are) or symbolic">,
    Option<"sizeChecks", "size-checks", "::berth::Flag", /*default=*/"true",
           "Stop the program (cf.assert) where such a size is negative or too "
           "large">,
    Option<"refill", "refill", "::berth::Flag", /*default=*/"true",
           "Fill a buffer again where it would be a copy of one that holds a "
           "single value">,
    Option<"unknownOps", "unknown-ops", "std::string", /*default=*/"",
           "What to believe of ops without memory-effect interface: use, keep "
           "or reject (see berth-arena); by default use, with warnings">,
  ];
  let statistics = [
    Statistic<"numBuffers", "buffers", "Allocations looked at">,
    Statistic<"numLeft", "allocations", "Allocations left of those">,
  ];
}

class BerthPrintPass<string name> : Pass<name> {
  let options = [
    Option<"targetFile", "target", "std::string", /*default=*/"",
           "Description of the target in JSON: its ops, layouts and memories "
           "(docs/own-dialect.md)">,
    Option<"space", "space", "std::string", /*default=*/"",
           "Memory space: default, workgroup, private, gpu (what gpu.alloc "
           "takes), or any attribute text; "
           "by default workgroup inside kernels, the default space elsewhere">,
    Option<"unknownOps", "unknown-ops", "std::string", /*default=*/"",
           "What to believe of ops without memory-effect interface: use (they "
           "read and write what they are given), keep (they may keep the "
           "pointer until the scope ends) or reject (leave their buffers "
           "alone)">,
    Option<"print", "print", "::berth::Flag", /*default=*/"true",
           "Print the result; false only computes it, for timing the analysis">,
    Option<"breakRule", "test-break-rule", "std::string", /*default=*/"",
           "For tests only: disable one soundness rule (lib/IR/Rules.h)">,
  ];
}

def PrintLiveness : BerthPrintPass<"berth-print-liveness"> {
  let summary = "Print the live range of every buffer";
  let description = [{
    Prints, for each function, the live range of every allocation as segments of
    program points, each named by the ops at its ends, on stderr. A buffer that
    would not be placed is printed with the reason.
  }];
}

def PrintInterference : BerthPrintPass<"berth-print-interference"> {
  let summary = "Print the pairs of buffers that must not share bytes";
  let description = [{
    Prints, for each function, each pair of allocations that are live at a
    common point, with that point, on stderr.
  }];
}

#ifdef BERTH_WITH_HEAP
def Heap : Pass<"berth-heap", "::mlir::ModuleOp"> {
  let summary = "Allocate what no plan can place from a heap inside an arena";
  let description = [{
    Replaces allocations whose size is known only at run time, or of which
    several instances may be live at a time, by calls into a heap that lives
    inside one arena. The heap's functions are linked into the module. Each
    buffer is freed where it was deallocated, or else behind its last use.

    In kernels (`gpu.func`) the heap lies in workgroup memory: one thread calls
    it, the others wait and read the address; all threads must provably get
    there together and with the same size. With `arena=global-device` it lies
    in global memory instead, each thread calls it for itself, and blocks
    outlive the kernel. See docs/berth-heap.md.
  }];
  let options = [
    Option<"targetFile", "target", "std::string", /*default=*/"",
           "Description of the target in JSON: its ops, layouts and memories "
           "(docs/own-dialect.md)">,
    Option<"space", "space", "std::string", /*default=*/"",
           "Memory space: default, workgroup, private, gpu (what gpu.alloc "
           "takes), or any attribute text; "
           "by default workgroup inside kernels, the default space elsewhere">,
    Option<"arena", "arena", "std::string", /*default=*/"\"auto\"",
           "Where the arena comes from: own (allocated at the entry of the "
           "function; a global of the gpu.module), argument (the one marked "
           "berth.arena, opened by the caller), auto (argument if there is "
           "one), or global-device (the argument of a kernel marked "
           "berth.arena: global memory, shared by all threads and kernels)">,
    Option<"lowering", "lowering", "std::string", /*default=*/"\"auto\"",
           "What kernels with arena=global-device will be lowered to: nvvm, "
           "rocdl, spirv, or auto (as the targets of the gpu.module say)">,
    Option<"size", "size", "::berth::Bytes", /*default=*/"0",
           "Bytes of an arena of its own; 0 means 1 MiB, and 16 KiB in kernels">,
    Option<"allocations", "allocations", "std::string", /*default=*/"\"dynamic\"",
           "What to move: dynamic (sizes or lifetimes that no plan can know) or "
           "all">,
    Option<"checked", "checked", "::berth::Flag", /*default=*/"false",
           "Check all of the heap's bookkeeping before every call">,
    Option<"locked", "locked", "::berth::Flag", /*default=*/"false",
           "Take a lock in every call, so that many threads may call">,
    Option<"unknownOps", "unknown-ops", "std::string", /*default=*/"",
           "What to believe of ops without memory-effect interface: use, keep "
           "or reject (as in berth-print-liveness)">,
  ];
  let statistics = [
    Statistic<"numMoved", "moved", "Allocations that now come from a heap">,
    Statistic<"numRefused", "refused",
              "Allocations that would have to, but cannot">,
  ];
}

def HeapSpirv : Pass<"berth-heap-spirv", "::mlir::ModuleOp"> {
  let summary = "Make a heap in a storage buffer right for Vulkan";
  let description = [{
    Runs behind convert-gpu-to-spirv and spirv-update-vce on kernels that
    `berth-heap{arena=global-device}` has rewritten: storage buffers that
    atomics touch become Coherent, atomics whose order names no storage class
    relaxed (the memory barriers beside them order), and a module that reads
    lane numbers gets the capability GroupNonUniform.
  }];
}
#endif // BERTH_WITH_HEAP

def Verify : Pass<"berth-verify"> {
  let summary = "Check that no buffer of an arena is read after others took its bytes";
  let description = [{
    Walks the program forwards and keeps, for every view of an arena, whether
    its content may have been overwritten through another view since it was
    last written. A read of such a view is an error that names the write.
    Shares none of the analysis that made the plan, only what MLIR's interfaces
    and names of ops say.

    In memory that the threads of a workgroup share, two accesses of buffers
    with bytes in common, one of them a write, are an error at the later one
    unless every path between them crosses a barrier that all threads reach.

    The views to check carry the attribute `berth.buffer`, as berth-arena leaves
    them. Of content that berth-fit has moved (`berth.content`, `berth.move`) it
    checks that each place that is read, or moved from, holds it on every path. Of
    slots (`berth.slots`), that each turn of the loop has its own, filled in time.
  }];
  let options = [
    Option<"targetFile", "target", "std::string", /*default=*/"",
           "Description of the target in JSON: its ops, layouts and memories "
           "(docs/own-dialect.md)">,
    Option<"threads", "threads", "::berth::Flag", /*default=*/"true",
           "Workgroup memory is used by many threads; false for code that "
           "berth-arena{barriers=none} has planned">,
    Option<"slots", "slots", "::berth::Flag", /*default=*/"true",
           "Check the slots that berth-multi-buffer has made; false for code of "
           "which other passes have changed the loops since">,
    Option<"unknownOps", "unknown-ops", "std::string", /*default=*/"",
           "use: ops that nobody describes run their regions at their place, as "
           "berth-arena was told; else they may run them later">,
    ListOption<"kernels", "kernels", "std::string",
               "Functions that another flow launches as kernels, as given to "
               "berth-arena">,
  ];
}

#ifdef BERTH_WITH_FOLD
def Fold : Pass<"berth-fold"> {
  let summary = "Store arrays whose cells are not all live at once in fewer cells";
  let description = [{
    Finds arrays that loop nests with affine bounds and subscripts write and
    read, and stores them in fewer cells by a modular mapping of their indices,
    e.g. `A[t][i] -> A[(i - t) mod (n + 1)]`. Arrays that hand over to one
    another may share one array. Arrays accessed in slices (subviews, vectors)
    become rings, or windows of rows that move with a loop. Every mapping is certified before the IR is
    touched. Arrays that are left alone get a missed remark at the op that
    stands in the way. See docs/berth-fold.md.
  }];
  let options = [
    Option<"targetFile", "target", "std::string", /*default=*/"",
           "Description of the target in JSON: its ops, layouts and memories "
           "(docs/own-dialect.md)">,
    Option<"method", "method", "std::string", /*default=*/"\"auto\"",
           "How to find mappings: auto, lefebvre-feautrier, smo, lattice, "
           "turn or exact (berth-pack fold --method=list); where another one "
           "takes fewer cells, that one's mapping is taken">,
    Option<"alone", "alone", "::berth::Flag", /*default=*/"false",
           "Only the method that is named, whatever the others would find">,
    Option<"maxOperations", "max-operations", "::berth::Whole", /*default=*/"-1",
           "isl's operation budget for each array; what needs more is left "
           "alone; 0: no limit; -1: 100000, about 0.15 s">,
    Option<"pow2Slack", "pow2-slack", "::berth::Whole", /*default=*/"0",
           "Percent by which a modulus may grow to become a power of two">,
    Option<"copySlack", "copy-slack", "::berth::Whole", /*default=*/"0",
           "Percent of cells that a fold which copies fewer rows may take more">,
    Option<"minGain", "min-gain", "::berth::Whole", /*default=*/"10",
           "Percent of an array's cells that folding must save">,
    Option<"joint", "joint", "::berth::Flag", /*default=*/"true",
           "Fold arrays together where that saves more">,
    Option<"countLive", "count-live", "::berth::Flag", /*default=*/"false",
           "Tell in remarks how many cells are live at once, where all sizes are "
           "numbers; costs time">,
    Option<"breakRule", "test-break-rule", "std::string", /*default=*/"",
           "For tests: disable one rule (lib/IR/Ops/Rules.h)">,
  ];
  let statistics = [
    Statistic<"numArrays", "arrays", "Arrays looked at">,
    Statistic<"numFolded", "folded", "Arrays folded">,
    Statistic<"numJoined", "joined", "Arrays folded together with others">,
  ];
}
#endif // BERTH_WITH_FOLD

#endif // BERTH_PASSES
