#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compiles all kernels of the given files for the GPUs whose instructions they have
# and sees that they ask for as many bytes of shared memory as Berth reports
# (shared-bytes.sh). Prints how many, and fails with the first one's name that does not.
#
#   every-kernel.sh MLIR_OPT PLUGIN FILE...

set -eu
here=$(cd "$(dirname "$0")" && pwd)
opt=$1 plugin=$2
shift 2

# way FILE: for which GPU, and with which options of berth-arena; "none" for what is
# no kernel of a GPU, or does not ask for what Berth reports alone.
way() {
  case $(basename "$1" .mlir) in
  cores-*) echo none ;;
  reductions) echo none ;; # gpu.all_reduce gets 128 bytes more where it is lowered
  multi-buffer-tma-left) echo none ;; # what each turn makes anew has no place
  direct-loads) echo --chip=gfx950 ;;
  cluster* | tma-* | multi-buffer-tma*) echo --chip=sm_90a ;;
  async-* | covers | matmul-three-stages | multi-buffer | named-* | \
    padding-copies | *-fragments | partial-barriers | warp-sync) echo --chip=sm_80 ;;
  existing) echo --options=existing=pack ;;
  *) echo ;;
  esac
}

count=0
for file; do
  options=$(way "$file")
  [ "$options" != none ] || continue
  # shellcheck disable=SC2086
  sh "$here/shared-bytes.sh" "$opt" "$plugin" --after --forms=attribution \
    --behind=lower-affine,convert-scf-to-cf $options "$file" >/dev/null || {
    printf 'every-kernel: %s\n' "$file" >&2
    exit 1
  }
  count=$((count + 1))
done
echo "$count kernels have the bytes that Berth reports"
