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
  awk -f "$here/Inputs/gathers.awk" "$work/$form.mlir" >"$work/$form.copies.mlir"
  mlir-opt "$work/$form.copies.mlir" -o "$work/$form.nvvm.mlir" \
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

# copy_form FORM N: N - 1 copies of $work/FORM.ll, @race_FORM_1 and so on, whose
# shared memory lies in sections of their own, and $work/FORM.ll's too.
copy_form() {
  k=1
  while [ $k -lt "$2" ]; do
    sed -e "s/@race_$1\b/@race_$1_$k/" -e "/, section \"race_shared/s/_0\"/_$k\"/" \
      "$work/$1.ll" >"$work/$1.$k.ll"
    k=$((k + 1))
  done
}

# declare_copies N: what workgroup.c wants to know of them, in $work/kernel.h.
declare_copies() {
  awk -v n="$1" 'BEGIN {
    print "#define RACE_CLUSTER " n
    split("reference packed", forms, " ")
    for (f = 1; f <= 2; ++f)
      for (k = 0; k < n; ++k) {
        form = forms[f]
        copies = copies "extern char __start_race_shared_" form "_" k "[];"
        starts[f] = starts[f] "__start_race_shared_" form "_" k ", "
        if (k) {
          copies = copies "Kernel race_" form "_" k ";"
          names[f] = names[f] "race_" form "_" k ", "
        }
      }
    print "#define RACE_COPIES " copies
    print "#define RACE_REFERENCES " names[1]
    print "#define RACE_PACKED " names[2]
    print "#define RACE_REFERENCE_STARTS " starts[1]
    print "#define RACE_PACKED_STARTS " starts[2]
  }' >>"$work/kernel.h"
}

# compile [FILE...]: $work/race from $work/kernel.h, both forms, and the files.
# Without optimisation, since it drops accesses, and races with them.
compile() {
  clang -Wno-override-module -O0 -fsanitize=thread -I "$work" \
    "$here"/Inputs/workgroup.c "$here"/Inputs/tma.c "$here"/Inputs/warp.c \
    "$here"/Inputs/wmma.c "$here"/Inputs/wmma.ll "$here"/Inputs/shuffle.ll \
    "$@" "$work/reference.ll" "$work/packed.ll" -lm -o "$work/race" || fail "cannot compile"
}
