#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The heap inside an arena, three times: a function whose buffers only the data
# can size runs with and without it, and prints the arena's high-water mark; a
# kernel with tiles of changing size is compiled to PTX for sm_90; and two kernels
# share a heap in global memory, in which blocks of the one live until the other
# frees them: they run on CPU threads, and are compiled to PTX.
#
#   sh examples/heap/run.sh [BUILD]      BUILD: Berth's build folder
#
# Needs no GPU. What is made on the way goes to BUILD/examples/heap.
set -eu

# Without a CUDA toolkit MLIR complains that it cannot link libdevice, and goes
# on; an empty path keeps it quiet.
[ -d "${CUDA_ROOT:-/usr/local/cuda}" ] || export CUDA_ROOT=

here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-build}" && pwd) || exit 1
llvm=${LLVM_DIR_PREFIX:-/usr/lib/llvm-22}
out=$build/examples/heap
plugin=$build/lib/BerthPlugin.so
mkdir -p "$out"

fail() {
  echo "heap: $*" >&2
  exit 1
}

opt() { "$llvm/bin/mlir-opt" --load-pass-plugin="$plugin" "$@"; }

run() { # run INPUT: lowers for the CPU and runs @main
  "$llvm/bin/mlir-opt" "$1" --convert-linalg-to-loops --test-lower-to-llvm |
    "$llvm/bin/mlir-runner" -e main --entry-point-result=void \
      --shared-libs="$llvm/lib/libmlir_runner_utils.so,$llvm/lib/libmlir_c_runner_utils.so"
}

ptx() { # ptx INPUT OUTPUT KERNEL: lowers, takes the PTX out of the gpu.binary
  opt "$1" --pass-pipeline="builtin.module(gpu.module(inline,symbol-dce),
    convert-scf-to-cf,gpu.module(convert-gpu-to-nvvm,
    reconcile-unrealized-casts),nvvm-attach-target{chip=sm_90 O=3},
    gpu-module-to-binary{format=isa})" |
    sed -n 's/.*assembly = "\(.*\)">\].*/\1/p' |
    sed 's/\\0A/\n/g; s/\\09/\t/g; s/\\22/"/g; s/\\00$//' >"$2"
  grep -q "\.visible \.entry $3" "$2" || fail "$2 holds no kernel"
}

count() { grep -c "$1" "$2" || true; }

echo "== Rows whose lengths only the data knows"
cat "$here/longest.mlir" "$here/without.mlir" >"$out/without.mlir"
cat "$here/longest.mlir" "$here/with.mlir" |
  opt --pass-pipeline='builtin.module(berth-heap)' >"$out/with.mlir"
run "$out/without.mlir" >"$out/without.txt"
run "$out/with.mlir" >"$out/with.txt"
head -2 "$out/with.txt" | cmp -s - "$out/without.txt" ||
  fail "results differ: see $out/with.txt and $out/without.txt"
grep -q '^words still in use: 0$' "$out/with.txt" || fail "a row was not freed"
cat "$out/with.txt"
echo "(the same results without Berth; the rows together have 11624 bytes)"

echo "== Tiles of changing size in a kernel"
opt "$here/kernel.mlir" --pass-pipeline='builtin.module(berth-heap{size=8192})' \
  >"$out/kernel.mlir"
ptx "$here/kernel.mlir" "$out/before.ptx" reverse_rows
ptx "$out/kernel.mlir" "$out/after.ptx" reverse_rows
printf '%-22s %8s %10s\n' '' mallocs 'shared B'
for which in before after; do
  shared=$(sed -n 's/.*\.shared .*_arena\[\([0-9]*\)\].*/\1/p' \
    "$out/$which.ptx")
  printf '%-22s %8s %10s\n' "$which Berth" \
    "$(count 'call.* malloc' "$out/$which.ptx")" "${shared:-0}"
done
[ "$(count malloc "$out/after.ptx")" = 0 ] || fail "malloc in $out/after.ptx"
grep '\.shared .*berth_heap_arena\[8192\]' "$out/after.ptx" ||
  fail "no shared arena in $out/after.ptx"

echo "== Two kernels in a row over one heap in global memory"
opt "$here/slots.mlir" \
  --pass-pipeline='builtin.module(berth-heap{arena=global-device lowering=nvvm})' \
  >"$out/slots.mlir"
sed -f "$here/cpu.sed" "$out/slots.mlir" |
  "$llvm/bin/mlir-opt" --llvm-request-c-wrappers --test-lower-to-llvm |
  "$llvm/bin/mlir-translate" --mlir-to-llvmir |
  "$llvm/bin/llc" -filetype=obj -relocation-model=pic -o "$out/slots.o"
# From the heap's sources: the build's library may want a sanitizer.
src=$here/../..
"${CC:-cc}" -O2 -I "$src/include" -I "$src/lib" "$here/dispatches.c" \
  "$out/slots.o" "$src"/lib/Heap/*.c -pthread -o "$out/dispatches"
"$out/dispatches"
ptx "$out/slots.mlir" "$out/slots.ptx" consume
grep -o "fence\.[a-z_.]*" "$out/slots.ptx" | sort | uniq -c
