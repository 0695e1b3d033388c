#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compiles an attention kernel to PTX for sm_90 twice. Without Berth each
# workgroup memref.alloc becomes a malloc per thread, and the shared memory is
# silently lost; with Berth all of them lie in one .shared array.
#
#   sh examples/gpu-attention/run.sh [BUILD]      BUILD: Berth's build folder
#
# Needs no GPU. PTX and reports go to BUILD/examples/gpu-attention.
set -eu

# Without a CUDA toolkit MLIR complains that it cannot link libdevice, and goes
# on; an empty path keeps it quiet.
[ -d "${CUDA_ROOT:-/usr/local/cuda}" ] || export CUDA_ROOT=

here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-build}" && pwd) || exit 1
llvm=${LLVM_DIR_PREFIX:-/usr/lib/llvm-22}
out=$build/examples/gpu-attention
plugin=$build/lib/BerthPlugin.so
mkdir -p "$out"

fail() {
  echo "gpu-attention: $*" >&2
  exit 1
}

opt() { "$llvm/bin/mlir-opt" "$@"; }

lower='builtin.module(gpu.module(convert-scf-to-cf,expand-strided-metadata,
  lower-affine,convert-gpu-to-nvvm,canonicalize,cse,
  reconcile-unrealized-casts),
  nvvm-attach-target{chip=sm_90 O=3},gpu-module-to-binary{format=isa})'

ptx() { # ptx INPUT OUTPUT: lowers and takes the PTX out of the gpu.binary
  opt "$1" --pass-pipeline="$lower" |
    sed -n 's/.*assembly = "\(.*\)">\].*/\1/p' |
    sed 's/\\0A/\n/g; s/\\09/\t/g; s/\\22/"/g; s/\\00$//' >"$2"
  grep -q '\.visible \.entry attention' "$2" || fail "$2 holds no kernel"
}

# What the kernel asks for: number and bytes of its allocations (all f32).
allocated() {
  sed -n 's/.*memref\.alloc.* : memref<\(.*\), #workgroup>$/\1/p' "$1" |
    awk -Fx '{ b = 4
               for (i = 1; i < NF; ++i) b *= $i
               n += 1; sum += b }
             END { printf "%d %d\n", n, sum }'
}

count() { grep -c "$1" "$2" || true; }

opt "$here/kernel.mlir" --load-pass-plugin="$plugin" -o "$out/after.mlir" \
  --pass-pipeline='builtin.module(gpu.module(gpu.func(berth-arena)))'
for format in json svg html; do
  opt "$here/kernel.mlir" --load-pass-plugin="$plugin" -o /dev/null \
    --pass-pipeline="builtin.module(berth-arena{report=$out/arena.$format})"
  [ -s "$out/arena.$format" ] || fail "no report arena.$format"
done
ptx "$here/kernel.mlir" "$out/before.ptx"
ptx "$out/after.mlir" "$out/after.ptx"

set -- $(allocated "$here/kernel.mlir")
[ "$1" -ge 5 ] || fail "only $1 workgroup allocations"
arena=$(sed -n 's/.*\.shared \.align 16 \.b8 .*\[\([0-9]*\)\];.*/\1/p' \
  "$out/after.ptx")
reported=$(sed -n 's/.*workgroup(.* : memref<\([0-9]*\)xi8,.*/\1/p' \
  "$out/after.mlir")
[ -n "$arena" ] || fail 'no .shared .align 16 array in the PTX'
[ "$arena" = "$reported" ] ||
  fail "the PTX has $arena shared bytes, the IR $reported"
[ "$(count '\.shared \.align' "$out/after.ptx")" -eq 1 ] ||
  fail 'more than one shared array'
[ "$(count 'call.*malloc' "$out/after.ptx")" -eq 0 ] || fail 'a malloc is left'
[ "$arena" -lt "$2" ] || fail "the arena has $arena bytes, the buffers $2"
[ "$(count 'call.*malloc' "$out/before.ptx")" -eq "$1" ] &&
  [ "$(count '\.shared \.align' "$out/before.ptx")" -eq 0 ] ||
  fail 'expected the file without Berth to lose its shared memory'

echo 'attention kernel, sm_90          .shared bytes   mallocs per thread'
printf '  without Berth (%d bytes lost) %14d %20d\n' "$2" 0 "$1"
printf '  with berth-arena               %13d %20d   (%d%%)\n' "$arena" 0 \
  "$(((arena * 100 + $2 / 2) / $2))"
echo "  picture                        $out/arena.html"
