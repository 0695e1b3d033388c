# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=sh
#
# The steps of the race oracle that race.sh and batch.sh share. They work in the
# folder $work; $here is the folder of these scripts, $name the script's name.

# Without a berth-opt in PATH: this tree's, and the tools of Debian's LLVM 22.
command -v berth-opt >/dev/null ||
  PATH=$here/../../build/bin:${LLVM_DIR_PREFIX:-/usr/lib/llvm-22}/bin:$PATH

# fail MESSAGE [STATUS]
fail() {
  printf '%s: %s\n' "$name" "$1" >&2
  exit "${2:-2}"
}

# open_work: makes $work, which goes again at the end unless the user chose it.
open_work() {
  if [ -n "$work" ]; then
    mkdir -p "$work"
  else
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    trap 'exit 130' INT TERM
  fi
}

# print_module FILE: $work/printed.mlir, an op a line.
print_module() {
  mlir-opt "$1" -o "$work/printed.mlir" || fail "cannot read $1"
}

# plan OPTIONS [PASSES]: $work/planned.mlir, in which the barriers that Berth
# inserts are those without mark, and both forms (place_rest). The passes come in
# front of berth-arena.
plan() {
  sed 's/^\( *gpu\.barrier\)\( memfence.*]\)*$/\1\2 {given}/' \
    "$work/printed.mlir" >"$work/given.mlir"
  berth-opt "$work/given.mlir" -o "$work/planned.mlir" \
    --pass-pipeline="builtin.module(${2:+$2,}berth-arena{report=- $1})" 2>"$work/report" || {
    cat "$work/report" >&2
    fail "berth-arena fails"
  }
  inserted=$(grep -c '^ *gpu\.barrier$' "$work/planned.mlir" || true)
  place_rest
}

# place_rest: both forms, $work/reference.mlir of given.mlir and $work/packed.mlir
# of planned.mlir, with globals for the allocations that are left.
place_rest() {
  awk -f "$here/Inputs/globals.awk" "$work/given.mlir" >"$work/reference.mlir"
  awk -f "$here/Inputs/globals.awk" "$work/planned.mlir" |
    awk -f "$here/Inputs/inserted.awk" >"$work/packed.mlir"
}

# lower FORM [SED OPTIONS]: $work/FORM.mlir to LLVM IR for the CPU. What is
# called @race_kernel there, by cpu.sed or by these options, begins with
# @race_FORM instead.
lower() {
  form=$1
  shift
  mlir-opt "$work/$form.mlir" -o "$work/$form.nvvm.mlir" \
    --pass-pipeline='builtin.module(gpu.module(
    lower-affine,convert-scf-to-cf,expand-strided-metadata,lower-affine,
    convert-nvgpu-to-nvvm,
    convert-gpu-to-nvvm{index-bitwidth=64 use-bare-ptr-memref-call-conv=true
      has-redux=true},
    reconcile-unrealized-casts))' || fail "cannot lower the $form form"
  sed -e '/^module/d' -e '/^}$/d' -e 's/^ *gpu\.module @.*{$/module {/' \
    "$work/$form.nvvm.mlir" | sed -f "$here/Inputs/tma.sed" |
    mlir-translate --mlir-to-llvmir -o "$work/$form.nvvm.ll" ||
    fail "cannot translate the $form form"
  # ThreadSanitizer overlooks accesses of 12 bytes and the like: vectors go.
  sed "$@" -f "$here/Inputs/cpu.sed" -e "s/@race_kernel/@race_$form/" \
    "$work/$form.nvvm.ll" |
    opt -S -passes='scalarizer<load-store>' -o "$work/$form.watched.ll" ||
    fail "cannot retarget the $form form"
  awk -f "$here/Inputs/scratch.awk" "$work/$form.watched.ll" >"$work/$form.ll"
  unknown=$(grep -o '^declare.*@llvm\.nvvm[a-z0-9_.]*' "$work/$form.ll" || true)
  [ -z "$unknown" ] || fail "no counterpart on the CPU: $unknown"
}

# compile [FILE...]: $work/race from $work/kernel.h, both forms, and the files.
# Without optimisation, since it drops accesses, and races with them.
compile() {
  clang -Wno-override-module -O0 -fsanitize=thread -I "$work" \
    "$here"/Inputs/workgroup.c "$here"/Inputs/tma.c "$here"/Inputs/warp.c \
    "$here"/Inputs/wmma.c "$here"/Inputs/wmma.ll "$here"/Inputs/shuffle.ll \
    "$@" "$work/reference.ll" "$work/packed.ll" -lm -o "$work/race" || fail "cannot compile"
}
