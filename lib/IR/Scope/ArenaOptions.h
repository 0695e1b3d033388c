//===- ArenaOptions.h - What users may decide about arenas --------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_SCOPE_ARENAOPTIONS_H
#define BERTH_LIB_IR_SCOPE_ARENAOPTIONS_H

#include "IR/Ops/Chips.h"
#include "IR/Scope/Collect.h"
#include "IR/Scope/Options.h"
#include "berth-c/Packer.h"

BERTH_EXTERN_C_BEGIN

/// Where the arena comes from.
typedef enum BerthArenaForm {
  BERTH_ARENA_AUTO,
  BERTH_ARENA_ALLOC,       ///< memref.alloc at the entry, dealloc at the exits
  BERTH_ARENA_ALLOCA,      ///< memref.alloca at the entry
  BERTH_ARENA_ARGUMENT,    ///< a trailing argument of the function
  BERTH_ARENA_GLOBAL,      ///< a memref.global of the enclosing module
  BERTH_ARENA_ATTRIBUTION, ///< a workgroup attribution of a gpu.func
  BERTH_ARENA_DYNAMIC,     ///< gpu.dynamic_shared_memory
  BERTH_ARENA_ANNOTATE     ///< attributes only; no code is changed
} BerthArenaForm;

/// Which functions have their arenas in one global.
typedef enum BerthGlobalSharing {
  BERTH_GLOBAL_SHARING_NONE,  ///< each has its own
  BERTH_GLOBAL_SHARING_ENTRY, ///< those that one public function alone reaches
  BERTH_GLOBAL_SHARING_ALL    ///< all of a module
} BerthGlobalSharing;

/// What makes it safe for two threads' buffers to share bytes.
typedef enum BerthBarriers {
  BERTH_BARRIERS_AUTO,     ///< insert, or existing where no code is changed
  BERTH_BARRIERS_INSERT,   ///< existing barriers, and the fewest new ones
  BERTH_BARRIERS_EXISTING, ///< only a barrier that stands already
  BERTH_BARRIERS_NONE      ///< nothing: one thread, or an in-order machine
} BerthBarriers;

typedef struct BerthArenaOptions {
  BerthCollectOptions collect;
  BerthAliasOptions alias;
  const char *packer;              ///< NULL: the default
  const char *plugin;              ///< a shared object with the packer, or NULL
  const BerthPacker *pluginPacker; ///< that packer, to run in this process;
                                   ///< NULL: berth-pack runs it
  uint64_t steps;   ///< the packer's step budget; 0: 2^26, for memory that
                    ///< threads share 2^24, or a named packer's own
  int64_t capacity; ///< bytes; 0: none
  int64_t numBanks; ///< the capacity is so many memories, one behind the other,
                    ///< and no buffer lies in two of them; 0: it is one
  /// Word w of the memory lies in bank w mod `interleavedBanks`; 0: not told.
  int64_t interleavedBanks, bankWidth; ///< the latter in bytes
  bool shiftsBanks;   ///< ports that are used at once begin in other banks
  const char *memory; ///< its name, where several are planned; else NULL
  bool hasAddress; ///< collect.start is known: arena=annotate writes addresses
  bool isChipMemory; ///< a target description says where it starts, or how
                     ///< much there is: offsets are places in the one there is
  BerthArenaForm form;
  BerthGlobalSharing globalSharing;
  BerthBarriers barriers;
  bool addsFences;       ///< fences and waits that are missing are inserted too
  const BerthChip *chip; ///< that kernels run on; NULL: as their modules say
  size_t numOccupancy;
  const int64_t *occupancy; ///< bytes worth reaching by inserting barriers
  size_t numReserved;
  const BerthRange *reserved; ///< bytes that no buffer may use
  const char *plan;           ///< a file with the plan to follow, or NULL
  const char *planOut;        ///< a file to keep the plan in, or NULL
  const char *report;  ///< NULL, "-" or a file ending in .json, .svg, .html
  bool alsoReports;    ///< to standard error as "-" does, whatever \c report is
  const char *explain; ///< NULL, or "name,name": why two allocations interfere
  bool sizeChecks;     ///< stop the program on negative or overflowing sizes
  bool inPlace;        ///< let ops write over operands that die in them
  bool refill;         ///< fill again instead of copying what a fill wrote
  bool schedule;       ///< order ops anew where less is live then
  bool shortCircuit;   ///< make buffers where they are copied to
  bool byteRanges;     ///< parts of a buffer have lives of their own
  bool narrows;        ///< loops write narrower elements over what they read
  bool overlap;        ///< loops write over what they have read
  bool dropUnread;     ///< erase what is filled or copied for nobody
  bool splitLives;     ///< place what a buffer holds at different times apart
  bool neverWorse;     ///< no arena where more bytes are there by it
  bool rotate;         ///< two slots for buffers that a loop hands on
  int64_t foldConstants; ///< bytes of new constants there may be; 0: none
  bool frames;           ///< host functions get their arenas from their callers
  bool resultsAreArguments; ///< what functions return callers bring
  bool updatesCaches;       ///< arguments are changed where a copy is returned
  bool verify;              ///< changes ahead of planning are checked
  bool splitArenas;         ///< allocate what never shares bytes by itself
  bool poison;              ///< fill dead bytes with a pattern (tests)
  bool checkUniform;        ///< trap where berth.uniform is wrong
  bool packsExisting;       ///< shared memory that is declared is placed too
  bool keepsArenas;         ///< arenas of an earlier run are no buffers
  bool onModule; ///< the pass runs on the module: it may change callers
} BerthArenaOptions;

/// Has the user named a packer, by whichever option?
static inline bool berthNamesPacker(const BerthArenaOptions *options) {
  return options->packer || options->plugin;
}

/// Parses the form's and the barriers' names.
BerthStatus berthParseArenaForm(const char *text, BerthArenaForm *form,
                                BerthError *error);
BerthStatus berthParseBarriers(const char *text, BerthBarriers *barriers,
                               BerthError *error);
const char *berthArenaFormName(BerthArenaForm form);

BERTH_EXTERN_C_END

#endif // BERTH_LIB_IR_SCOPE_ARENAOPTIONS_H
