#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compiles and runs a transformer block twice, as one-shot-bufferize leaves it
# and with Berth's arena, and compares what the two programs print, bit by bit.
#
#   sh examples/transformer/run.sh [BUILD]        BUILD: Berth's build folder
#
# The stations: linalg on tensors -> memrefs -> berth-arena -> LLVM -> run.
# Results, reports and every intermediate file go to BUILD/examples/transformer.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-build}" && pwd) || exit 1
llvm=${LLVM_DIR_PREFIX:-/usr/lib/llvm-22}
out=$build/examples/transformer
plugin=$build/lib/BerthPlugin.so
mkdir -p "$out"

fail() {
  echo "transformer: $*" >&2
  exit 1
}

opt() { "$llvm/bin/mlir-opt" "$@"; }

# What a compiler runs before Berth: inline, bufferize, results as arguments.
bufferize='builtin.module(inline,canonicalize,cse,symbol-dce,
  one-shot-bufferize{bufferize-function-boundaries=true
    function-boundary-type-conversion=identity-layout-map},
  canonicalize,cse,
  buffer-results-to-out-params{hoist-static-allocs=true
    modify-public-functions=true},canonicalize)'

# What it runs afterwards. Berth stands before the deallocation pipeline.
lower='builtin.module(buffer-deallocation-pipeline,
  convert-bufferization-to-memref,convert-linalg-to-loops,
  expand-strided-metadata,lower-affine,convert-math-to-libm,convert-scf-to-cf,
  convert-to-llvm,reconcile-unrealized-casts)'

berth() { # berth INPUT OUTPUT PASS-OPTIONS
  opt "$1" --load-pass-plugin="$plugin" -o "$2" \
    --pass-pipeline="builtin.module(func.func(berth-arena{$3}))"
}

execute() { # execute INPUT OUTPUT: lowers, runs, drops the heap address
  opt "$1" --pass-pipeline="$lower" -o "$2.llvm.mlir"
  "$llvm/bin/mlir-runner" "$2.llvm.mlir" -O2 -e main \
    -entry-point-result=void \
    -shared-libs="$llvm/lib/libmlir_runner_utils.so" \
    -shared-libs="$llvm/lib/libmlir_c_runner_utils.so" |
    sed 's/base@ = 0x[0-9a-f]* //' >"$2"
}

# The bytes of all allocations in @block, read from the IR text: the number of
# allocations, then the sum of their sizes (all types here are f32 or i8).
allocated() {
  sed -n '/func.func @block/,$p' "$1" |
    sed -n 's/.*memref\.alloc.* : memref<\(.*\)>$/\1/p' |
    awk -Fx '{ b = $NF == "i8" ? 1 : 4
               for (i = 1; i < NF; ++i) b *= $i
               n += 1; sum += b }
             END { printf "%d %d\n", n, sum }'
}

cat "$here/main.mlir" "$here/block.mlir" >"$out/tensors.mlir"
opt "$out/tensors.mlir" --pass-pipeline="$bufferize" -o "$out/before.mlir"
berth "$out/before.mlir" "$out/after.mlir" ''

execute "$out/before.mlir" "$out/before.txt"
execute "$out/after.mlir" "$out/after.txt"
[ -s "$out/before.txt" ] || fail 'the program printed nothing'
cmp "$out/before.txt" "$out/after.txt" ||
  fail 'results differ with Berth (see the files above)'

for format in json svg html; do
  opt "$out/before.mlir" --load-pass-plugin="$plugin" -o /dev/null \
    --pass-pipeline="builtin.module(berth-arena{report=$out/arena.$format})"
  [ -s "$out/arena.$format" ] || fail "no report arena.$format"
done

set -- $(allocated "$out/before.mlir") $(allocated "$out/after.mlir")
[ "$1" -ge 10 ] || fail "only $1 allocations to place"
[ "$3" -eq 1 ] || fail "$3 allocations left, expected the arena alone"
[ "$4" -lt "$2" ] || fail "the arena has $4 bytes, the buffers $2"

echo 'transformer block, @block        allocations       bytes'
printf '  without Berth                  %11d %11d\n' "$1" "$2"
printf '  with berth-arena               %11d %11d   (%d%%)\n' \
  "$3" "$4" "$(($4 * 100 / $2))"
echo "  printed results identical      checksum $(head -n 1 "$out/after.txt")"
echo "  picture                        $out/arena.html"
