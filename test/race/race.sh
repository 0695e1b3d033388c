#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The race oracle: plans a kernel with berth-arena, runs it on the CPU with one
# pthread per GPU thread under ThreadSanitizer, and compares what it computes
# with the kernel as it was, whose buffers do not share bytes. Then it leaves out
# the barriers that Berth inserted, one at a time, and sees whether that is a
# race, which shows that the barrier was needed.
#
#   race.sh [options] KERNEL.mlir [THREADS]
#
# THREADS is 64, or 16x4, or 8x4x2; 64 without it. Options:
#   --arena=OPTIONS   for berth-arena, as "barriers=existing capacity=4096"
#   --before=PASSES   to run in front of berth-arena, as "berth-multi-buffer"
#   --blocks=N        workgroups, which run one after the other; 1
#   --cluster=N       so many workgroups run at the same time, as a cluster; 1
#   --keep-barriers   do not leave out any
#   --keep=FOLDER     put the intermediate files there
#
# The file holds one gpu.module with one kernel: a gpu.func whose arguments are
# flat memrefs of static shape (of i8 to i64, index, f32 or f64), or numbers
# (integers are 4, floats 0.5). All memrefs are filled with data and compared at
# the end. Workgroup memory is memref.alloc; it must be written before it is
# read, and the kernel must not race by itself.
#
# Exit status: 0 right (a barrier that was not needed is told, and no fault),
# 1 a race or a wrong result in the planned kernel, or it does not end, 2 not a
# kernel for this.
#
# berth-opt, mlir-opt, mlir-translate, opt and clang are taken from PATH, or, if
# that has no berth-opt, from build/bin of this tree and /usr/lib/llvm-22/bin.

set -eu

here=$(cd "$(dirname "$0")" && pwd)
name=race.sh
. "$here/Inputs/steps.sh"
source='' threads=64 blocks='' cluster=1 arena='' before='' removes=yes work=''

while [ $# -gt 0 ]; do
  case $1 in
  --arena=*) arena=${1#*=} ;;
  --before=*) before=${1#*=} ;;
  --blocks=*) blocks=${1#*=} ;;
  --cluster=*) cluster=${1#*=} ;;
  --keep-barriers) removes= ;;
  --keep=*) work=${1#*=} ;;
  --*) fail "unknown option: $1" ;;
  [0-9]*) threads=$1 ;;
  *) source=$1 ;;
  esac
  shift
done
blocks=${blocks:-$cluster}
[ -n "$source" ] || fail "usage: race.sh [options] KERNEL.mlir [THREADS]"

# execute K: runs both forms, the planned one without the K-th inserted barrier.
# Only unexpected races are worth the time that a readable report takes.
execute() {
  status=0
  symbolize=$([ "$1" -eq 0 ] && echo 1 || echo 0)
  # shellcheck disable=SC2086 # three words
  TSAN_OPTIONS="symbolize=$symbolize" \
    "$work/race" $dims "$blocks" "$1" >"$work/log" 2>&1 || status=$?
}

# field NAME: a figure of the report, summed up over its scopes.
field() {
  awk -v name="\"$1\": " '
    i = index($0, name) { sum += substr($0, i + length(name)) + 0 }
    END { print sum + 0 }' "$work/report"
}

case $threads in
*x*x*) dims=$(echo "$threads" | tr x ' ') ;;
*x*) dims="$(echo "$threads" | tr x ' ') 1" ;;
*) dims="$threads 1 1" ;;
esac

open_work
print_module "$source"
awk -f "$here/Inputs/signature.awk" "$work/printed.mlir" >"$work/kernel.h" || exit 2
plan "$arena" "$before"
if [ "$cluster" -gt 1 ]; then
  # Workgroup memory: a section of its own, in which nothing else lies.
  for form in reference packed; do
    lower $form -e "/^@.*addrspace(3)/s/\(, align [0-9]*\)*$/, section \"race_shared_${form}_0\"\1/"
    copy_form $form "$cluster"
  done
  declare_copies "$cluster"
  compile "$work"/reference.[0-9]*.ll "$work"/packed.[0-9]*.ll
else
  lower reference
  lower packed
  compile
fi

printf 'buffers: %s of %s, bytes: %s -> %s, barriers inserted: %s\n' \
  "$(field placed)" "$(field buffers)" "$(field bytes_before)" \
  "$(field bytes_after)" "$inserted"

execute 0
case $status in
0) echo "equal, no race" ;;
1 | 4)
  cat "$work/log" >&2
  [ $status -eq 1 ] && fail "the planned kernel computes something else" 1
  fail "a race in the planned kernel" 1
  ;;
5)
  cat "$work/log" >&2
  fail "the planned kernel does not end" 1
  ;;
3)
  cat "$work/log" >&2
  fail "the kernel races without Berth too"
  ;;
*)
  cat "$work/log" >&2
  fail "the kernel does not run: status $status"
  ;;
esac

[ -n "$removes" ] || exit 0
k=1
while [ "$k" -le "$inserted" ]; do
  execute "$k"
  case $status in
  0) echo "without barrier $k: no race" ;;
  4) echo "without barrier $k: race" ;;
  *) echo "without barrier $k: status $status" ;;
  esac
  k=$((k + 1))
done
