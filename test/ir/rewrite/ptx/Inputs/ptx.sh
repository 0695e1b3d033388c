#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ptx.sh MLIR_OPT FILE: the PTX of a file with one gpu.module, at -O3.
set -eu
"$1" "$2" --pass-pipeline='builtin.module(gpu.module(convert-scf-to-cf,
expand-strided-metadata,lower-affine,convert-gpu-to-nvvm,canonicalize,cse,
reconcile-unrealized-casts))' |
  awk '/^  gpu\.module/ { inside = 1; print "module {"; next }
       inside           { print }
       inside && /^  }/ { exit }' |
  mlir-translate --mlir-to-llvmir |
  opt -O3 -mtriple=nvptx64-nvidia-cuda -mcpu=sm_80 |
  llc -O3 -mtriple=nvptx64-nvidia-cuda -mcpu=sm_80
