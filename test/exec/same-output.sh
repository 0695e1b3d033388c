#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs a program as it is and after each of some pass pipelines, and compares
# what it prints, exactly. The oracle of every execution test.
#
#   same-output.sh MLIR_OPT PLUGIN MLIR_LIB [options] FILE...
#
# The files are put one after the other. Options:
#   --pipeline=PASSES  what to do to the module; may be repeated. Without any:
#                      berth-arena, and berth-arena with poison=true, which
#                      fills a buffer with a pattern when its range ends.
#   --drawn=PASSES     a pipeline: the passes that the first line of the first file,
#                      a comment, has (berth-smith --levels), and these
#   --packer=NAME      for these two
#   --differs=PASSES   a pipeline after which it prints something else; may be
#                      repeated. These come last
#   --before=PASSES    done to the module first, in all runs
#   --async[=PASSES]   the program has async ops, or PASSES, done to it last and in
#                      all runs, make some: lower them too
#   --late=FOLDER      the program has transfers (memref.dma_start): what makes them
#                      come as late as can be is in this folder (test/late)
#   --target=FILE      what Berth knows of ops and memories, in all pipelines; described
#                      moves need --late
#   --forget-space=N   then, all memory of this space (a number, or a pattern for
#                      several) is the default one: LLVM cannot free any other on a CPU
#   --level=N          LLVM's optimisation level, 0 by default
# After a first line with the number of lines printed, it tells for each
# function that the first pipeline gave arenas how many bytes they have.

set -eu
opt=$1 plugin=$2 lib=$3
shift 3

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
: >"$work/pipelines"
: >"$work/wrong"
before=
packer=auto
drawn=
lower=
late=
target=
space=
level=0

while [ $# -gt 0 ]; do
  case $1 in
  --pipeline=*) printf '%s\n' "${1#*=}" >>"$work/pipelines" ;;
  --before=*) before=${1#*=} ;;
  --differs=*) printf '%s\n' "${1#*=}" >>"$work/wrong" ;;
  --drawn=*) drawn=${1#*=} ;;
  --packer=*) packer=${1#*=} ;;
  --async | --async=*)
    lower=${1#--async}
    lower="${lower#=}${lower:+,}async-to-async-runtime,\
func.func(async-runtime-ref-counting),convert-async-to-llvm,"
    ;;
  --late=*) late=${1#*=} ;;
  --target=*) target=${1#*=} && export BERTH_TARGET="$target" ;;
  --forget-space=*) space=${1#*=} ;;
  --level=*) level=${1#*=} ;;
  *) break ;;
  esac
  shift
done
if [ -n "$drawn" ]; then
  printf '%s,%s\n' "$(sed -n '1s#^// ##p' "$1")" "$drawn" >>"$work/pipelines"
fi
if [ ! -s "$work/pipelines" ]; then
  printf '%s\n' "berth-arena{packer=$packer}" \
    "berth-arena{packer=$packer poison=true}" >"$work/pipelines"
fi

fail() {
  printf 'same-output: %s\n' "$1" >&2
  exit 1
}

# passes PIPELINE IN OUT: applies a pass pipeline, with Berth's plugin.
passes() {
  "$opt" ${target:+--load-dialect-plugin="$plugin"} \
    --load-pass-plugin="$plugin" --pass-pipeline="builtin.module($1)" \
    "$2" -o "$3" || fail "the passes fail: $1"
}

# execute IN OUT: lowers a module, runs its @main, keeps what it prints.
execute() {
  if [ -n "$space" ]; then
    sed "s/, $space>/>/g" "$1" >"$work/forgotten.mlir"
    set -- "$work/forgotten.mlir" "$2"
  fi
  "$opt" ${late:+--load-pass-plugin="$late/LateTransfers.so"} \
    ${target:+--allow-unregistered-dialect} "$1" \
    -o "$work/lowered.mlir" --pass-pipeline="builtin.module(${lower}\
${late:+lower-affine,test-late-transfers,}\
convert-bufferization-to-memref,test-lower-to-llvm)" || fail "cannot lower: $1"
  mlir-runner "$work/lowered.mlir" -O"$level" -e main --entry-point-result=void \
    --shared-libs="$lib/libmlir_runner_utils.so" \
    --shared-libs="$lib/libmlir_c_runner_utils.so" \
    ${late:+--shared-libs="$late/LateRuntime.so"} \
    ${lower:+--shared-libs="$lib/libmlir_async_runtime.so"} >"$2" ||
    fail "the program does not run: $1"
}

# arenas MODULE: "<function>: <bytes>" for each function with arenas.
arenas() {
  awk '
    /func\.func/ { match($0, /@[A-Za-z0-9_]+/)
                   name = substr($0, RSTART + 1, RLENGTH - 1) }
    /memref\.alloca?\(.*memref<[0-9]+xi8[,>]/ {
      match($0, /memref<[0-9]+xi8[,>]/)
      if (!(name in bytes)) order[++count] = name
      bytes[name] += substr($0, RSTART + 7, RLENGTH - 11)
    }
    END { for (i = 1; i <= count; ++i) print order[i] ": " bytes[order[i]] }
  ' "$1"
}

# culprit: ", in <label>" of the first difference, where a program has labels.
culprit() {
  line=$(sed -n '1s/[^0-9].*//p' "$work/diff")
  head -n "$line" "$work/expected" | sed -n 's/^seed/, in seed/p' | tail -n 1
}

cat "$@" >"$work/program.mlir"
if [ -n "$before" ]; then
  passes "$before" "$work/program.mlir" "$work/start.mlir"
else
  mv "$work/program.mlir" "$work/start.mlir"
fi
execute "$work/start.mlir" "$work/expected"
printf '%s lines\n' "$(wc -l <"$work/expected")"

first=yes
while IFS= read -r pipeline; do
  passes "$pipeline" "$work/start.mlir" "$work/planned.mlir"
  execute "$work/planned.mlir" "$work/actual"
  if ! diff "$work/expected" "$work/actual" >"$work/diff"; then
    head -n 20 "$work/diff" >&2
    fail "the output differs after: $pipeline$(culprit)"
  fi
  [ -z "$first" ] || arenas "$work/planned.mlir"
  first=
done <"$work/pipelines"

while IFS= read -r pipeline; do
  passes "$pipeline" "$work/start.mlir" "$work/planned.mlir"
  execute "$work/planned.mlir" "$work/actual"
  ! cmp -s "$work/expected" "$work/actual" ||
    fail "the output is the same after: $pipeline"
done <"$work/wrong"
