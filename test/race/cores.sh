#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs a function that several cores run, each its own branches of it, with a
# thread for each core under ThreadSanitizer: as it was, whose buffers do not
# share bytes, and as berth-arena has planned it. Both must compute the same.
#
#   cores.sh [--arena=OPTIONS] [--cores=N] [--once] FUNCTION.mlir
#
# The file holds func.func @kernel(%x: memref<256xi64>, %y: memref<256xi64>),
# which calls @core_number() -> i32 and @meet(), and allocates by memref.alloc. A
# function @called may be there, too. @unit_copy(%from, %to) of 64 elements is done
# by a unit, in several orders; with --once the first core alone issues it.
# OPTIONS are for berth-arena, as "test-break-rule=no-cores".
#
# Exit status: 0 equal and no race, 1 something else, 2 not a function for this.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
name=cores.sh
. "$here/Inputs/steps.sh"
source='' arena='' cores=2 once='' work=''

for argument; do
  case $argument in
  --arena=*) arena=${argument#*=} ;;
  --cores=*) cores=${argument#*=} ;;
  --once) once=once ;;
  --*) fail "unknown option: $argument" ;;
  *) source=$argument ;;
  esac
done
[ -n "$source" ] || fail "usage: cores.sh [options] FUNCTION.mlir"
open_work

# form NAME DESCRIPTION OPTIONS: the file planned, and lowered to LLVM IR.
form() {
  sed -e "s/\"cores\": 2/\"cores\": $cores/" \
    -e "s/\"unit\": \"dma\"/&${once:+, \"once\": true}/" \
    "$here/Inputs/$2" >"$work/$1.json"
  berth-opt "$source" -o "$work/$1.mlir" --pass-pipeline="builtin.module(
    func.func(llvm-request-c-wrappers),
    berth-arena{arena=global report=- target=$work/$1.json $3})" \
    2>"$work/$1.report" || {
    cat "$work/$1.report" >&2
    fail "berth-arena fails" 1
  }
  sed -e "s/@kernel\b/@$1/" -e "s/@called\b/@$1_called/" "$work/$1.mlir" |
    mlir-opt --test-lower-to-llvm |
    mlir-translate --mlir-to-llvmir |
    sed -e '/^define/s/ {$/ sanitize_thread {/' \
      -e "s/@__berth_arena/@$1_arena/g" >"$work/$1.ll" ||
    fail "cannot lower the $1 form"
}

form reference apart.json 'in-place=false refill=false split-lives=false'
form packed cores.json "$arena"
clang -Wno-override-module -O0 -fsanitize=thread "$here/Inputs/cores.c" \
  "$work/reference.ll" "$work/packed.ll" -o "$work/cores" ||
  fail "cannot compile"
bytes() { sed -n 's/.*"bytes_after": \([0-9]*\).*/\1/p' "$work/$1.report"; }
printf 'bytes: %s -> %s\n' "$(bytes reference | head -n 1)" \
  "$(bytes packed | head -n 1)"
status=0
TSAN_OPTIONS='symbolize=0' "$work/cores" "$cores" $once >"$work/log" 2>&1 || status=$?
case $status in
0) echo "equal, no race" ;;
66) fail "a race" 1 ;;
*)
  cat "$work/log" >&2
  fail "the planned function computes something else" 1
  ;;
esac
