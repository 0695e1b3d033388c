//===- Rules.h - Rules that tests may break on purpose ------------- C ---===//
//
// Part of Berth, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------===//
//
// A test that cannot fail proves nothing. The hidden pass option
// `test-break-rule=NAME` disables one rule of the analysis, so that the tests
// can be seen to catch it. Rules without which plans are wrong:
//
//   partial-write-kills   any write ends the content that was there before
//   no-loop-back-edge     a loop's body is not followed by its next iteration
//   no-branches           a block is followed by none
//   views-only            only views alias; control flow and selects do not
//   no-carried-check      an allocation never interferes with itself
//   no-leaks              a pointer that gets away is not used again
//   no-alignments         a buffer needs the alignment of its own type only
//   no-descriptors        a value of a type that nobody describes holds no
//                         address
//   no-integers           an address that becomes an integer is none any more
//   no-escapes            other workgroups, and code that is not looked into,
//   use
//                         memory only at the op that is given it
//   no-second-instance    a pointer that gets away is of the last instance only
//   no-parallel-span      parallel regions run once, at their place
//   no-handles            what is stored in something unknown stays unused
//   no-tokens             what an op started ends with it, or with the last use
//                         of its token
//   no-awaits             async code ends with its op
//   no-late-regions       an op that nobody knows runs its regions at its place
//   no-calls              called functions touch nothing
//   no-unknown-ops        ops without interfaces touch nothing
//   free-writes           a write that nobody reads needs no bytes
//   shared-iterations     all iterations of a parallel loop use one arena
//   no-exit-uses          a parallel body is left before its last op runs
//   no-dma                a transfer ends with its start
//   any-dma-wait          a wait ends all transfers of its tag
//   any-memory            whatever allocates takes the arena's memory
//   wide-index            an index holds 64 bits, whatever the data layout says
//   signed-bounds         all loops compare their bounds as signed numbers
//   distinct-views        views of one arena stay distinct objects
//   no-callbacks          nobody calls a function by its address
//   no-cores              one core runs it all, and nothing runs beside it
//   no-units              all units do one thing after the other
//   any-count             barriers match, whatever their numbers
//   ends-at-barrier       a call that comes to a barrier is over then
//   core-tokens           a token orders what a unit does for several cores
//   once-a-unit           a unit runs an op once, however many cores come to it
//   some-turns            a loop that holds a barrier comes to it
//   one-caller            the callers of a function run one after the other
//   written-constants     what is computed from constants is not written again
//   short-frames          a called function needs its frame at one call only
//   any-result            what is returned has been allocated once
//   spent-arguments       no caller needs what it has handed over
//   old-content           a function reads nothing that it has overwritten
//   shared-frames         calls in parallel code may have one frame
//   any-operand           an argument is the first operand of its type
//
// Rules without which plans are larger than need be:
//
//   no-kills              no write ends the content that was there before
//   no-covers             ops that overwrite a buffer together end nothing
//   stale-allocations     a new instance holds what the last one held
//   no-alternatives       the regions of an op follow one another
//   no-names              no value is one of several buffers
//   one-name              buffers of which a value is one never interfere
//   one-choice            all threads choose the same
//   names-stay            a value that is one of several stays the same one
//   any-initial-slot      what a loop begins with is not wanted afterwards
//   kept-instances        a turn keeps nothing of what the last one handed on
//   making-turns          each turn makes a buffer, whatever its branches do
//   no-older-instances    a turn uses what the last one has made, nothing older
//   in-any-order          any op may write over the operands that die in it
//   any-turn              loops may write over what any of their turns reads
//   any-nest-order        loops come to elements in the order of memory
//   any-way               loops may read behind what they write, by some way
//   wide-turns            vectors are of one element
//   early-writes          what loops read behind a write is there an element
//                         longer
//   affine-order          passes keep the order of affine loops
//   unread-fills          a loop's next turn reads nothing that this one wrote
//   partial-fills         loops that a fill moves into come to all elements
//   parts-at-start        a part of a buffer begins where that does
//   free-order            ops that touch the same memory may change places
//   busy-targets          nobody looks where a buffer is copied to before that
//   partial-covers        ops that overwrite some of a buffer overwrite it all
//   reads-in-covers       nothing is read before all is overwritten
//   no-empty-loops        a loop takes one turn at least
//   early-end             the last use of an arena needs it no more
//   first-elements        a part of a buffer is its first element
//
// of folding (berth-fold):
//
//   wrapping-slices       a slice may go around the end of a folded array
//   whole-reads-first     an op on whole views has read all when it writes
//   no-window-moves       rows stay where they are when their window moves on
//   no-mirrored-rows      what is written to one of a row's two places stays
//                         there
//
// of what changes places (berth-fit):
//
//   content-ends-with-block  what a block leaves is not wanted in its next run
//   steady-sources        what a transfer reads is not written meanwhile
//   awaited-targets       nobody touches what a transfer still writes
//   sources-stay          nobody writes what a buffer was copied from
//   spills                content that leaves and comes back is written out
//   operands-stay         nobody writes what an op reads until it runs again
//   whole-producers       an op that makes content again writes all of it
//   no-updates            content is as its producer made it
//   free-operands         a life that is prolonged for a producer takes nothing
//   whole-slices          what is done first to a slice overwrites all of it
//   slices-return         what is written to a slice is taken back there
//   one-slice-at-a-time   of two slices in use at once neither is written
//   sure-turns            a loop has one turn at least
//   returns-alone         nobody uses what a slice goes to beside the next turn
//   first-fills           nothing in front of a loop has to do with what its
//                         first turn reads
//   slices-apart          no two turns have a part in common of slices that
//   both
//                         read and write
//   any-callee            a function does with its arguments what it may do in
//                         any memory
//   tiles-take-turns      two turns, one behind the other, have one tile
//
// of slots that turns of a loop use (berth-multi-buffer; it has
// content-ends-with-block and sources-stay, too)
//
//   turns-from-zero       loops count from 0 by 1
//   turns-follow          a turn is followed by as many as copies are ahead
//   groups-stay           a wait may let one group more pend
//   one-phase             an mbarrier of one slot has the phases of one of all
//   slots-are-left        threads need no barrier to have left a slot
//   settled-sources       what is copied has been written before a loop begins
//
// of padded rows:
//
//   rows-begin-anew       each of the rows that are joined begins where the
//                         first one does
//   lead-dimensions       ops that are told how far rows are apart need not be
//                         told anew
//
// of ports in different banks:
//
//   shift-over            a buffer goes where others are
//
// of what threads get from their launches (berth-expand):
//
//   size-of-one-thread    what a thread computes from its number the host can
//   any-stream            a launch on a stream has ended when it returns
//   one-width             buffers have elements of one width
//   parts-of-vectors      each element of a vector is accessed by itself
//   numbers-of-blocks     there is one block
//   unchecked-blocks      no product of sizes overflows, or is too much
//   blocks-end-early      a launch needs its memory when it begins
//
// and of kernels:
//
//   no-hazards            program order holds for all threads together
//   any-barrier           a barrier counts under divergent control too
//   any-cluster-wait      whoever waits for the cluster has come with all that
//                         it did
//   no-tensor-fences      a barrier without fences orders tensor memory
//   lone-workgroups       a barrier of the workgroup is one of its cluster
//   clusters-agree        workgroups of a cluster agree on what the threads of
//                         each one do
//   peers-are-done        nobody in the cluster uses an instance of a buffer
//                         when the next one is made
//   some-threads          a barrier that counts some threads is one of all
//   no-divergence         the alternatives of a divergent branch exclude each
//                         other
//   uniform-merges        threads that come by different ways, or after
//                         different numbers of turns, bring the same values
//   uniform-loads         equal indices find equal values in any memory
//   steady-flags          nobody writes workgroup memory while it is read
//   uniform-carried       a value that is handed on is the same in all threads
//   no-thread-numbers     one thread runs a function outside of a gpu.module,
//                         whatever its ops and its memory tell
//   no-waits              a barrier may be inserted behind a thread's wait for
//                         others
//   no-async              an asynchronous copy ends with its op
//   lone-scopes           no two functions with bytes in a chip's memory are
//                         active at a time
//   work-returns          what is under way ends with the function that starts
//                         it
//   one-turn              cores and units are done with a loop's turn when the
//                         next one begins
//   own-proxies           what goes by other ways comes from this workgroup,
//                         and is over at its op
//   no-proxy-fences       a barrier alone orders TMA and wgmma with stores
//   bare-barriers         with fences=insert a new barrier needs no fence
//   untouched-loads       a TMA load ends with a wait for its mbarrier
//   loads-of-no-turn      what is loaded for a later turn, that turn waits for
//   no-pending-groups     a wait ends all groups, those too that it lets pend
//   no-call-ends          what a callee does in front of its first barriers and
//                         behind its last ones meets nothing outside
//   closed-calls          every way through a callee crosses a barrier
//   no-re-entry           a function that is called again does not meet itself
//   unseen-users          nobody but kernels uses a global in workgroup memory
//   own-bytes             bytes that a load or store is known to touch are one
//                         thread's, whoever touches them
//   one-row               a block has one row of threads
//   unmet-covers          what threads overwrite together nobody reads before
//                         the next barrier
//   full-subgroups        a matrix is stored by all lanes of a subgroup,
//                         however many come
//   apart-ranges          views of dynamic shared memory have no common bytes
//
//===---------------------------------------------------------------------===//

#ifndef BERTH_LIB_IR_OPS_RULES_H
#define BERTH_LIB_IR_OPS_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/// True if `breakRule` (NULL outside of tests) names this rule.
static inline bool berthIsBroken(const char *breakRule, const char *rule) {
  return breakRule && strcmp(breakRule, rule) == 0;
}

/// True if there is such a rule: breaking one that does not exist would pass.
static inline bool berthIsRule(const char *name) {
  static const char *const rules[] = {"partial-write-kills",
                                      "wrapping-slices",
                                      "whole-reads-first",
                                      "no-window-moves",
                                      "no-mirrored-rows",
                                      "no-loop-back-edge",
                                      "no-branches",
                                      "views-only",
                                      "no-carried-check",
                                      "no-leaks",
                                      "no-alignments",
                                      "no-descriptors",
                                      "no-integers",
                                      "no-escapes",
                                      "no-second-instance",
                                      "no-parallel-span",
                                      "no-handles",
                                      "no-tokens",
                                      "any-token-use",
                                      "no-awaits",
                                      "no-late-regions",
                                      "no-calls",
                                      "no-unknown-ops",
                                      "free-writes",
                                      "no-kills",
                                      "no-covers",
                                      "stale-allocations",
                                      "no-alternatives",
                                      "no-names",
                                      "one-name",
                                      "one-choice",
                                      "names-stay",
                                      "any-initial-slot",
                                      "kept-instances",
                                      "making-turns",
                                      "no-older-instances",
                                      "in-any-order",
                                      "any-turn",
                                      "any-nest-order",
                                      "any-way",
                                      "wide-turns",
                                      "early-writes",
                                      "affine-order",
                                      "unread-fills",
                                      "partial-fills",
                                      "parts-at-start",
                                      "free-order",
                                      "busy-targets",
                                      "partial-covers",
                                      "reads-in-covers",
                                      "no-empty-loops",
                                      "early-end",
                                      "first-elements",
                                      "no-hazards",
                                      "any-barrier",
                                      "any-cluster-wait",
                                      "no-tensor-fences",
                                      "lone-workgroups",
                                      "clusters-agree",
                                      "peers-are-done",
                                      "some-threads",
                                      "no-divergence",
                                      "no-thread-numbers",
                                      "no-waits",
                                      "no-async",
                                      "lone-scopes",
                                      "work-returns",
                                      "one-turn",
                                      "no-pending-groups",
                                      "own-proxies",
                                      "no-proxy-fences",
                                      "bare-barriers",
                                      "untouched-loads",
                                      "loads-of-no-turn",
                                      "shared-iterations",
                                      "no-exit-uses",
                                      "no-call-ends",
                                      "closed-calls",
                                      "no-re-entry",
                                      "unseen-users",
                                      "apart-ranges",
                                      "own-bytes",
                                      "one-row",
                                      "unmet-covers",
                                      "full-subgroups",
                                      "uniform-merges",
                                      "uniform-loads",
                                      "uniform-carried",
                                      "steady-flags",
                                      "no-dma",
                                      "any-dma-wait",
                                      "any-memory",
                                      "wide-index",
                                      "signed-bounds",
                                      "distinct-views",
                                      "no-callbacks",
                                      "no-cores",
                                      "no-units",
                                      "any-count",
                                      "ends-at-barrier",
                                      "core-tokens",
                                      "once-a-unit",
                                      "in-step",
                                      "some-turns",
                                      "one-caller",
                                      "written-constants",
                                      "short-frames",
                                      "shared-frames",
                                      "any-operand",
                                      "any-result",
                                      "spent-arguments",
                                      "old-content",
                                      "content-ends-with-block",
                                      "steady-sources",
                                      "awaited-targets",
                                      "sources-stay",
                                      "spills",
                                      "operands-stay",
                                      "whole-producers",
                                      "no-updates",
                                      "free-operands",
                                      "whole-slices",
                                      "slices-return",
                                      "one-slice-at-a-time",
                                      "sure-turns",
                                      "returns-alone",
                                      "first-fills",
                                      "slices-apart",
                                      "any-callee",
                                      "tiles-take-turns",
                                      "turns-from-zero",
                                      "turns-follow",
                                      "groups-stay",
                                      "one-phase",
                                      "slots-are-left",
                                      "settled-sources",
                                      "lead-dimensions",
                                      "rows-begin-anew",
                                      "shift-over",
                                      "size-of-one-thread",
                                      "any-stream",
                                      "one-width",
                                      "parts-of-vectors",
                                      "numbers-of-blocks",
                                      "unchecked-blocks",
                                      "blocks-end-early"};
  for (size_t i = 0; i < sizeof rules / sizeof *rules; ++i)
    if (strcmp(name, rules[i]) == 0)
      return true;
  return false;
}

#endif // BERTH_LIB_IR_OPS_RULES_H
