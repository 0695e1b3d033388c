#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Folds programs with one modulus less by one, each modulus in turn, and runs
# them.
#
#   fold-mutants.sh MLIR_OPT PLUGIN MLIR_LIB FILE...
#
# Fails if the certificate accepts a mutant that exhaustive search refutes, or
# if one that it accepts prints something else. Tells at the end how many invalid
# mutants there are and how many of them execution alone would have caught; for
# each of the valid ones that are not proven, its program and row.

set -eu
opt=$1 plugin=$2 lib=$3
shift 3

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
invalid=0 caught=0 valid=0 unknown=0

# execute IN OUT: lowers a module, runs its @main, keeps what it prints. A
# mutant may crash, or be no valid module (a view larger than its array), or hang:
# one that breaks malloc's lists waits for ever, as it prints where it crashed.
execute() {
  rm -f "$work/lowered.mlir"
  "$opt" --test-lower-to-llvm "$1" -o "$work/lowered.mlir" 2>"$work/errors" ||
    return 1
  timeout -k 5 100 mlir-runner "$work/lowered.mlir" -O0 -e main --entry-point-result=void \
    --shared-libs="$lib/libmlir_runner_utils.so" \
    --shared-libs="$lib/libmlir_c_runner_utils.so" >"$2" 2>"$work/errors"
}

# judge PROGRAM ROW VERDICT
judge() {
  same=yes
  execute "$work/mutant.mlir" "$work/actual" || same=no
  cmp -s "$work/expected" "$work/actual" || same=no
  case $3 in
  invalid,\ accepted)
    printf 'fold-mutants: accepted though invalid: %s row %s\n' "$1" "$2" >&2
    exit 1
    ;;
  *accepted)
    if [ $same = no ]; then
      printf 'fold-mutants: accepted, but prints something else: %s row %s\n' \
        "$1" "$2" >&2
      exit 1
    fi
    valid=$((valid + 1))
    ;;
  invalid*)
    invalid=$((invalid + 1))
    [ $same = yes ] || caught=$((caught + 1))
    ;;
  valid*)
    valid=$((valid + 1))
    printf 'valid, not proven: %s row %s\n' "${1##*/}" "$2"
    ;;
  *) unknown=$((unknown + 1)) ;;
  esac
}

for program in "$@"; do
  execute "$program" "$work/expected" || {
    cat "$work/errors" >&2
    exit 1
  }
  row=1
  while :; do
    "$opt" --load-pass-plugin="$plugin" "$program" -o "$work/mutant.mlir" \
      --pass-pipeline="builtin.module(test-berth-fold-mutant{row=$row})" \
      2>"$work/remarks" || rm -f "$work/mutant.mlir"
    verdict=$(sed -n 's/.*remark: mutant: //p' "$work/remarks")
    [ "$verdict" != none ] || break
    [ -n "$verdict" ] || {
      cat "$work/remarks" >&2
      exit 1
    }
    judge "$program" "$row" "$verdict"
    row=$((row + 1))
  done
done
printf '%s invalid, all refused; execution catches %s; %s valid, %s unknown\n' \
  "$invalid" "$caught" "$valid" "$unknown"
