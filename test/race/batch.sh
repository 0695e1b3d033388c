#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The race oracle for many kernels at once: race.sh in one compilation and one
# run, for the kernels of `berth-smith --kernel`. They run one after the other, a
# barrier in between, each on an output of its own. No barrier is left out:
# berth-verify tells which are needed.
#
#   batch.sh [--arena=OPTIONS] [--before=PASSES] [--move=K] [--keep=FOLDER]
#            KERNELS.mlir
#
# --move=K breaks the plans on purpose: the K-th view of each kernel's arena that
# is not at offset 0 goes there, where berth-verify lets that pass. What passes
# must neither race nor compute anything else.
#
# The file holds one gpu.module with kernels for 64 threads that take
# (memref<256xi32>, memref<256xi32>, index) and write to the second.
#
# Exit status as of race.sh: 0 right, 1 a race or a wrong result in the planned
# kernels, or they do not end, 2 not fit for this; the kernels race by themselves, or do not lower.
#
# berth-opt, mlir-opt, mlir-translate, opt and clang are taken from PATH, or, if
# that has no berth-opt, from build/bin of this tree and /usr/lib/llvm-22/bin.

set -eu

here=$(cd "$(dirname "$0")" && pwd)
name=batch.sh
. "$here/Inputs/steps.sh"
source='' arena='' before='' wanted='' work=''

while [ $# -gt 0 ]; do
  case $1 in
  --arena=*) arena=${1#*=} ;;
  --before=*) before=${1#*=} ;;
  --move=*) wanted=${1#*=} ;;
  --keep=*) work=${1#*=} ;;
  --*) fail "unknown option: $1" ;;
  *) source=$1 ;;
  esac
  shift
done
[ -n "$source" ] || fail "usage: batch.sh [options] KERNELS.mlir"

# move: changes the plan where berth-verify does not mind.
move() {
  : >"$work/starts"
  awk -v wanted="$wanted" -v starts="$work/starts" -f "$here/Inputs/move.awk" \
    "$work/planned.mlir" >"$work/moved.mlir"
  berth-opt "$work/moved.mlir" --split-input-file -o /dev/null \
    --pass-pipeline='builtin.module(berth-verify)' 2>"$work/errors" || true
  sed -n 's/.*moved\.mlir:\([0-9]*\):[0-9]*: error: .*/\1/p' "$work/errors" |
    sort -n >"$work/lines"
  mv "$work/planned.mlir" "$work/right.mlir"
  awk -v wanted="$wanted" -v starts="$work/starts" -v lines="$work/lines" \
    -v summary="$work/summary" -f "$here/Inputs/move.awk" \
    "$work/right.mlir" >"$work/planned.mlir"
  cat "$work/summary"
  place_rest
}

# dispatch FORM: C code of race_FORM, which runs all kernels.
dispatch() {
  for kernel in $names; do
    echo "void race_$1_$kernel(void *in, void *out, int64_t n);"
  done
  echo "void race_$1(void *in, void *out, int64_t n) {"
  k=0
  for kernel in $names; do
    echo "  race_$1_$kernel(in, (int32_t *)out + 256 * $k, n);"
    echo "  race_barrier(0);"
    k=$((k + 1))
  done
  echo "}"
}

open_work
print_module "$source"
names=$(sed -n 's/^ *gpu\.func @\([A-Za-z0-9_]*\)(.* kernel.*/\1/p' "$work/printed.mlir")
count=$(echo "$names" | wc -w)
[ "$count" -gt 0 ] || fail "no kernel"
plan "$arena" "$before"
[ -z "$wanted" ] || move
for form in reference packed; do
  lower "$form" -e 's/^define ptx_kernel void @\([^(]*\)/define void @race_kernel_\1/'
done
cat >"$work/kernel.h" <<EOF
#define RACE_PARAMETERS void *, void *, int64_t
#define RACE_ARGUMENTS {'i', 4, 256}, {'i', 4, 256 * $count}
#define RACE_PASS p[0], p[1], 4
EOF
{
  echo '#include <stdint.h>'
  echo 'void race_barrier(int32_t id);'
  dispatch reference
  dispatch packed
} >"$work/dispatch.c"
compile "$work/dispatch.c"

printf 'kernels: %s, barriers inserted: %s\n' "$count" "$inserted"
status=0
"$work/race" 64 1 1 1 0 >"$work/log" 2>&1 || status=$?
[ $status -eq 0 ] || cat "$work/log" >&2
case $status in
0) echo "equal, no race" ;;
1)
  wrong=$(sed -n 's/^argument 1: .* first at \([0-9]*\)$/\1/p' "$work/log")
  fail "computes something else: $(echo "$names" | sed -n "$((wrong / 256 + 1))p")" 1
  ;;
3) fail "the kernels race without Berth too" ;;
4) fail "a race in the planned kernels" 1 ;;
5) fail "the planned kernels do not end" 1 ;;
*) fail "the kernels do not run: status $status" ;;
esac
