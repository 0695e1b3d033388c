#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs programs whose kernels' threads allocate, on the CPU: as they are, one thread
# after the other; and behind berth-expand all threads in step, so that threads
# whose parts have bytes in common find what others have left.
#
#   expand.sh BERTH_OPT MLIR_LIB PASSES FILE...
#
# PASSES are several pipelines, with a blank between them; a blank in one of them is
# written __. Ends with status 1 where a
# program prints something else behind one of them, and tells of how many kernels
# the threads' words lie side by side.

set -eu
opt=$1 lib=$2 pipelines=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

fail() {
  printf 'expand.sh: %s\n' "$1" >&2
  exit 1
}

# execute IN OUT [--in-step]
execute() {
  python3 "$here/Inputs/in-step.py" ${3-} "$1" >"$work/cpu.mlir"
  mlir-opt "$work/cpu.mlir" -o "$work/lowered.mlir" \
    --pass-pipeline='builtin.module(test-lower-to-llvm)' || fail "$1 is not lowered"
  mlir-runner "$work/lowered.mlir" -e main --entry-point-result=void \
    --shared-libs="$lib/libmlir_runner_utils.so" \
    --shared-libs="$lib/libmlir_c_runner_utils.so" >"$work/all" ||
    fail "$1 does not run"
  sed 's/base@ = [^ ]*//' "$work/all" >"$2"
}

expanded=0 interleaved=0
for file; do
  "$opt" "$file" --pass-pipeline='builtin.module(gpu-kernel-outlining)' \
    -o "$work/outlined.mlir"
  execute "$work/outlined.mlir" "$work/expected"
  for passes in $pipelines; do
    "$opt" "$file" --remarks-filter=berth-expand -o "$work/expanded.mlir" \
      --pass-pipeline="builtin.module($(echo "$passes" | sed "s/__/ /g"),gpu-kernel-outlining)" \
      2>"$work/remarks" || { cat "$work/remarks" >&2; fail "$file: $passes"; }
    ! grep -q 'Remark=.* of each thread' "$work/remarks" ||
      expanded=$((expanded + 1))
    ! grep -q ' of each thread, interleaved' "$work/remarks" ||
      interleaved=$((interleaved + 1))
    execute "$work/expanded.mlir" "$work/actual" --in-step
    diff "$work/expected" "$work/actual" >&2 ||
      fail "$file prints something else behind $passes"
  done
done
echo "$expanded expanded, $interleaved interleaved"
