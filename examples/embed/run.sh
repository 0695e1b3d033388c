#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Four programs that use an installed Berth: the packing library from C, the
# passes from C and from C++, the plugin from Python through text.
#
#   sh examples/embed/run.sh [BUILD]      BUILD: Berth's build folder
#
# Installs to BUILD/examples/embed/prefix, and builds beside it.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-build}" && pwd) || exit 1
llvm=${LLVM_DIR_PREFIX:-/usr/lib/llvm-22}
out=$build/examples/embed
mkdir -p "$out"

fail() {
  echo "embed: $*" >&2
  exit 1
}

quietly() { # quietly COMMAND...: shows its output only if it fails
  "$@" >"$out/log" 2>&1 || {
    cat "$out/log" >&2
    fail "$1 failed"
  }
}

quietly cmake --install "$build" --prefix "$out/prefix"
quietly cmake -S "$here" -B "$out/build" -G Ninja \
  -DCMAKE_PREFIX_PATH="$out/prefix;$llvm"
quietly cmake --build "$out/build"

echo 'C, find_package(Berth), Berth::pack:'
"$out/build/pack" | sed 's/^/  /'

echo "C, MLIR's C API, find_package(Berth COMPONENTS mlir), Berth::mlir:"
"$out/build/plan" >"$out/plan.txt" || fail 'no plan'
sed 's/^/  /' "$out/plan.txt"

echo 'C++, find_package(Berth COMPONENTS mlir), Berth::mlir:'
"$out/build/passes" "$here/chain.mlir" >"$out/chain.mlir" || fail 'no module'
sed -n 's/.*memref\.alloc() {.*memref<\([0-9]*\)xi8>/  arena of \1 bytes/p' \
  "$out/chain.mlir"

echo 'Python, mlir-opt with the plugin, berth-arena{arena=annotate}:'
plugin=$(find "$out/prefix" -name BerthPlugin.so)
python3 "$here/offsets.py" "$llvm/bin/mlir-opt" "$plugin" "$here/chain.mlir" \
  >"$out/offsets.txt" || fail 'no offsets'
sed 's/^/  /' "$out/offsets.txt"
