#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The race oracle for many kernels at once: race.sh in one compilation and one
# run, for the kernels of `berth-smith --kernel`. They run one after the other, a
# barrier in between, each on an output of its own. No barrier is left out:
# berth-verify tells which are needed.
#
#   batch.sh [--arena=OPTIONS] [--keep=FOLDER] KERNELS.mlir
#
# The file holds one gpu.module with kernels for 64 threads that take
# (memref<256xi32>, memref<256xi32>, index) and write to the second.
#
# Exit status as of race.sh: 0 right, 1 a race or a wrong result in the planned
# kernels, 2 not fit for this; the kernels race by themselves, or do not lower.
#
# berth-opt, mlir-opt, mlir-translate, opt and clang are taken from PATH.

set -eu

here=$(cd "$(dirname "$0")" && pwd)
source= arena= work=

fail() {
  printf 'batch.sh: %s\n' "$1" >&2
  exit "${2:-2}"
}

while [ $# -gt 0 ]; do
  case $1 in
  --arena=*) arena=${1#*=} ;;
  --keep=*) work=${1#*=} ;;
  --*) fail "unknown option: $1" ;;
  *) source=$1 ;;
  esac
  shift
done
[ -n "$source" ] || fail "usage: batch.sh [options] KERNELS.mlir"

if [ -n "$work" ]; then
  mkdir -p "$work"
else
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT INT TERM
fi

# lower FORM: $work/FORM.mlir to LLVM IR for the CPU with kernels race_FORM_NAME.
lower() {
  mlir-opt "$work/$1.mlir" -o "$work/$1.nvvm.mlir" \
    --pass-pipeline='builtin.module(gpu.module(
    lower-affine,convert-scf-to-cf,expand-strided-metadata,lower-affine,
    convert-nvgpu-to-nvvm,
    convert-gpu-to-nvvm{index-bitwidth=64 use-bare-ptr-memref-call-conv=true},
    reconcile-unrealized-casts))' || fail "cannot lower the $1 kernels"
  sed -e '/^module/d' -e '/^}$/d' -e 's/^ *gpu\.module @.*{$/module {/' \
    "$work/$1.nvvm.mlir" | mlir-translate --mlir-to-llvmir -o "$work/$1.nvvm.ll" ||
    fail "cannot translate the $1 kernels"
  sed -e 's/^define ptx_kernel void @\([^(]*\)/define void @race_kernel_\1/' \
    -f "$here/Inputs/cpu.sed" -e "s/@race_kernel_/@race_$1_/" \
    "$work/$1.nvvm.ll" >"$work/$1.ll"
}

# dispatch FORM: C code of race_FORM, which runs all kernels.
dispatch() {
  for name in $names; do
    echo "void race_$1_$name(void *in, void *out, int64_t n);"
  done
  echo "void race_$1(void *in, void *out, int64_t n) {"
  k=0
  for name in $names; do
    echo "  race_$1_$name(in, (int32_t *)out + 256 * $k, n);"
    echo "  race_barrier(0);"
    k=$((k + 1))
  done
  echo "}"
}

mlir-opt "$source" -o "$work/printed.mlir" || fail "cannot read the kernels"
names=$(sed -n 's/^ *gpu\.func @\([A-Za-z0-9_]*\)(.* kernel.*/\1/p' "$work/printed.mlir")
count=$(echo "$names" | wc -w)
[ "$count" -gt 0 ] || fail "no kernel"
sed 's/^\( *gpu\.barrier\)$/\1 {given}/' "$work/printed.mlir" >"$work/given.mlir"
berth-opt "$work/given.mlir" -o "$work/planned.mlir" \
  --pass-pipeline="builtin.module(berth-arena{report=- $arena})" 2>"$work/report" || {
  cat "$work/report" >&2
  fail "berth-arena fails"
}
awk -f "$here/Inputs/globals.awk" "$work/given.mlir" >"$work/reference.mlir"
awk -f "$here/Inputs/globals.awk" "$work/planned.mlir" >"$work/packed.mlir"
lower reference
lower packed
cat >"$work/kernel.h" <<EOF
#define RACE_PARAMETERS void *, void *, int64_t
#define RACE_ARGUMENTS {'i', 4, 256}, {'i', 4, 256 * $count}
#define RACE_PASS p[0], p[1], 4
EOF
{
  echo '#include <stdint.h>'
  echo 'void race_barrier(int32_t id);'
  dispatch reference
  dispatch packed
} >"$work/dispatch.c"
clang -Wno-override-module -O0 -fsanitize=thread -I "$work" \
  "$here/Inputs/workgroup.c" "$work/dispatch.c" "$work/reference.ll" \
  "$work/packed.ll" -lm -o "$work/race" || fail "cannot compile the kernels"

printf 'kernels: %s, barriers inserted: %s\n' "$count" \
  "$(grep -c '^ *gpu\.barrier$' "$work/planned.mlir" || true)"
status=0
"$work/race" 64 1 1 1 0 >"$work/log" 2>&1 || status=$?
[ $status -eq 0 ] || cat "$work/log" >&2
case $status in
0) echo "equal, no race" ;;
1)
  wrong=$(sed -n 's/^argument 1: .* first at \([0-9]*\)$/\1/p' "$work/log")
  fail "computes something else: $(echo "$names" | sed -n "$((wrong / 256 + 1))p")" 1
  ;;
3) fail "the kernels race without Berth too" ;;
4) fail "a race in the planned kernels" 1 ;;
*) fail "the kernels do not run: status $status" ;;
esac
