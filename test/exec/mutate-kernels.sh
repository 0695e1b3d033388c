#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Breaks the plans of kernels on purpose and counts what berth-verify refuses.
#
#   mutate-kernels.sh MLIR_OPT PLUGIN MLIR_LIB FILE...
#
# One barrier that Berth inserted is left out at a time: it inserts the fewest,
# so each of these plans is wrong, and the script fails if one passes. And each
# view of an arena that does not stand at offset 0 is moved there. Such a plan
# may be right by chance.

set -eu
opt=$1 plugin=$2
shift 3

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# All mutations of one plan go through one process, a chunk each: the module with
# no gpu.func but the one at hand, and no functions but those in front of it, which
# it may call. $work/chunks tells with which line of the file
# a chunk begins, and what was done.
mutate() {
  awk -v chunks="$work/chunks" '
    function emit(kind, k, first,    i, line) {
      print at, kind >chunks
      for (i = 1; i <= NR; ++i) {
        line = text[i]
        if (kernel[i] && kernel[i] != kernel[k]) continue
        if (i == k && kind == "barrier") continue
        if (i == k) {
          print "%mutated = arith.constant 0 : index"
          sub(/\[%[A-Za-z0-9_]+\]/, "[%mutated]", line)
          ++at
        }
        print line
        ++at
      }
      print "// -----"
      ++at
    }
    /^ *gpu\.func/ { inside = ++kernels; match($0, /^ */); margin = RLENGTH }
    /^ *func\.func/ { inside = kernels + 1; match($0, /^ */); margin = RLENGTH }
    { text[NR] = $0; kernel[NR] = inside }
    /^ *}$/ { match($0, /^ */); if (RLENGTH == margin) inside = 0 }
    /gpu\.func|func\.func|gpu\.launch/ { split("", value) }
    / = arith\.constant [0-9]+ : index/ { value[$1] = $4 }
    /memref\.view .*berth\.buffer/ {
      match($0, /\[%[A-Za-z0-9_]+\]/)
      moves[NR] = value[substr($0, RSTART + 1, RLENGTH - 2)] > 0
    }
    END {
      at = 1
      for (k = 1; k <= NR; ++k) {
        if (text[k] ~ /^ *gpu\.barrier$/) emit("barrier", k)
        if (moves[k]) emit("offset", k)
      }
    }' "$work/planned.mlir" >"$work/mutated.mlir"
}

# The lines of the errors, then the chunks: how many of each kind have one. MLIR 19
# counts lines in a chunk: "within split at FILE:FIRST offset :LINE".
count() {
  sed -n -e 's/\.mlir:\([0-9]*\) offset :\([0-9]*\):/.mlir:\1+\2-1:/' \
    -e 's/.*mutated\.mlir:\([-+0-9]*\):[0-9]*: error: \(touches\|reads\) .*/echo $((\1))/p' \
    "$work/errors" | sh | sort -n >"$work/lines"
  awk -v errors="$work/lines" '
    BEGIN { while ((getline number <errors) > 0) line[++lines] = number }
    { start[++chunks] = $1; kind[chunks] = $2 }
    END {
      at = 1
      for (c = 1; c <= chunks; ++c) {
        refused = 0
        for (; at <= lines && (c == chunks || line[at] + 0 < start[c + 1]); ++at)
          refused = 1
        ++all[kind[c]]
        caught[kind[c]] += refused
      }
      print all["barrier"] + 0, caught["barrier"] + 0, all["offset"] + 0, caught["offset"] + 0
    }' "$work/chunks"
}

for program; do
  "$opt" "$program" | sed 's/^\( *gpu\.barrier\)$/\1 {given}/' >"$work/given.mlir"
  "$opt" --load-pass-plugin="$plugin" "$work/given.mlir" -o "$work/planned.mlir" \
    --pass-pipeline='builtin.module(berth-arena{steps=100000})'
  : >"$work/chunks"
  mutate
  "$opt" --load-pass-plugin="$plugin" "$work/mutated.mlir" --split-input-file \
    -o /dev/null --pass-pipeline='builtin.module(berth-verify)' 2>"$work/errors" ||
    true
  count >>"$work/counts"
done
awk '
  { barriers += $1; without += $2; offsets += $3; moved += $4 }
  END {
    printf "%d barriers left out: %d refused\n", barriers, without
    printf "%d offsets moved: %d refused\n", offsets, moved
    exit barriers != without
  }' "$work/counts"
