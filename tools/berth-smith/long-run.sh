#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The long run of the random programs that the test suite runs 300 of.
#
#   tools/berth-smith/long-run.sh [--build=DIR] [--first=SEED] [--count=N]
#                                 [--kernel] [--only-verify] [--never-worse]
#                                 [--levels=N | --fits] [options of berth-smith]
#
# Without Berth, with it, and with poisoned dead bytes, 25 programs at a time;
# with --only-verify only berth-arena and berth-verify, 100 at a time, which is
# some fifty times faster; with --never-worse no function may take more bytes than
# before, with all rules and with none. With --kernel, kernels, 100 at a time, on the race
# oracle. With --levels, fitted into memories of drawn capacity, which each batch has
# others of, and poisoned in all of them; with --features=dma or moves, as transfers
# that come late. Stops at the first difference and leaves the module
# that shows it in the current folder.

set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$root/build first=1 count=3000 batch=25 execute=yes
llvm=${LLVM_BIN:-/usr/lib/llvm-22/bin}
kernel=
worse=
levels=
fits=

while [ $# -gt 0 ]; do
  case $1 in
  --build=*) build=${1#*=} ;;
  --first=*) first=${1#*=} ;;
  --count=*) count=${1#*=} ;;
  --kernel) kernel=--kernel batch=100 ;;
  --levels=*) levels=$1 ;;
  --fits) fits=yes batch=50 ;;
  --never-worse) worse=yes ;;
  --only-verify) execute='' batch=100 ;;
  *) break ;;
  esac
  shift
done

late='' target=''
# lateOf FEATURES: how transfers and described moves are run.
lateOf() {
  late='' target=''
  case $1 in
  *dma* | *moves*) late=$build/test/late ;;
  esac
  case $1 in
  *moves*) target=$root/test/exec/Inputs/three-memories-moves.json ;;
  esac
}
case ",$*" in
*--features=*) lateOf ",$*" ;;
esac

# draw: the next batch.
draw() {
  if [ -n "$fits" ]; then
    kind=$((seed / batch))
    size=$((3 + kind / 10 % 4 * 2))
    case $((kind % 10)) in
    0) levels=2 features= ;;
    1) levels=3 features=dma,slices ;;
    2) levels=2 features=slices,-cf ;;
    3) levels=3 features= ;;
    4) levels=3 features=moves,dma,slices ;;
    5) levels=2 features=dma ;;
    6) levels=3 features=slices,-cf ;;
    7) levels=2 features=moves,slices ;;
    8) levels=3 features=dma,slices,-cf,-parallel,-while ;;
    9) levels=2 features=dma,slices,-cf ;;
    esac
    lateOf "$features"
    set -- --size=$size ${features:+"--features=$features"}
    levels=--levels=$levels
  fi
  # shellcheck disable=SC2086 # each is one word or none
  "$build/bin/berth-smith" $kernel $levels --seed="$seed" --count="$batch" "$@"
}

PATH=$build/bin:$llvm:$PATH
plugin=$build/lib/BerthPlugin.so
module=smith-$$.mlir

none='in-place=false refill=false drop-unread=false split-lives=false'
none="$none short-circuit=false"
none="$none byte-ranges=false rotate=false never-worse=false"

check() {
  if [ -n "$worse" ]; then
    python3 "$root/test/exec/Inputs/never-worse.py" "$llvm/mlir-opt" "$plugin" \
      "$module" "berth-arena{steps=4096}" \
      "berth-arena{steps=4096 overlap=on schedule=on}" \
      "berth-arena{steps=4096 $none}" berth-merge >"$module.bytes"
  elif [ -n "$levels" ]; then
    sh "$root/test/exec/same-output.sh" "$llvm/mlir-opt" "$plugin" \
      "$llvm/../lib" --forget-space='7[78]' ${late:+"--late=$late"} \
      ${target:+"--target=$target"} "--drawn=berth-arena{space=default poison=true},\
berth-arena{space=77 poison=true},berth-arena{space=78 poison=true}" \
      "$module" >/dev/null
  elif [ -n "$execute" ] && [ -n "$kernel" ]; then
    sh "$root/test/race/batch.sh" --arena=steps=100000 "$module" >/dev/null
  elif [ -n "$execute" ]; then
    sh "$root/test/exec/same-output.sh" "$llvm/mlir-opt" "$plugin" \
      "$llvm/../lib" --packer=first-fit "$module" >/dev/null
  else
    mlir-opt --load-pass-plugin="$plugin" "$module" -o /dev/null \
      --pass-pipeline='builtin.module(berth-arena{packer=first-fit})'
  fi
}

seed=$first end=$((first + count))
while [ "$seed" -lt "$end" ]; do
  [ $((end - seed)) -ge "$batch" ] || batch=$((end - seed))
  draw "$@" >"$module"
  if ! check; then
    echo "long-run: a seed in $seed..$((seed + batch - 1)) fails: $module" >&2
    exit 1
  fi
  seed=$((seed + batch))
  printf '\r%s of %s programs' "$((seed - first))" "$count"
done
rm -f "$module" "$module.bytes"
printf '\n%s programs, seeds %s to %s: no difference\n' "$count" "$first" \
  $((end - 1))
