#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compiles a network of three layers for a small NPU with memories and a dialect
# of its own, plans its memories with Berth, and runs it on the planned addresses.
#
#   sh examples/accelerator/run.sh [BUILD]        BUILD: Berth's build folder
#
# Results go to BUILD/examples/accelerator.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-build}" && pwd) || exit 1
llvm=${LLVM_DIR_PREFIX:-/usr/lib/llvm-22}

export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$here/../../lib/Python"
export BERTH_OPT="$build/bin/berth-opt"
python3 "$here/compile.py" "$llvm/bin/mlir-opt" "$build/examples/accelerator"
echo "map      $build/examples/accelerator/map.txt"
echo "picture  $build/examples/accelerator/map.html"
