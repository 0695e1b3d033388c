#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Breaks the plan of a program on purpose, one offset at a time, and sees that
# berth-verify notices: whatever it lets pass must still print the same.
#
#   mutate.sh MLIR_OPT PLUGIN MLIR_LIB [--late=FOLDER] FILE...
#
# Each view of an arena that does not stand at offset 0 is moved there, and,
# another time, to half its offset (to 8 if that is computed at run time). The
# files are put one after the other; --late is same-output.sh's. Prints how many of these mutations were
# caught, how many were harmless, and fails if one was neither.

set -eu
opt=$1 plugin=$2 lib=$3
shift 3
late=
case $1 in
--late=*)
  late=${1#*=}
  shift
  ;;
esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
program=$work/program.mlir
cat "$@" >"$program"

# execute IN OUT: lowers a module, runs its @main, keeps what it prints.
execute() {
  "$opt" ${late:+--load-pass-plugin="$late/LateTransfers.so"} "$1" \
    -o "$work/lowered.mlir" --pass-pipeline="builtin.module(\
${late:+lower-affine,test-late-transfers,}test-lower-to-llvm)"
  mlir-runner "$work/lowered.mlir" -O0 -e main --entry-point-result=void \
    --shared-libs="$lib/libmlir_runner_utils.so" \
    --shared-libs="$lib/libmlir_c_runner_utils.so" \
    ${late:+--shared-libs="$late/LateRuntime.so"} >"$2"
}

# mutate K DIVISOR: the plan with the offset of the K-th such view divided (by 0:
# set to 0). Fails if there are fewer views.
mutate() {
  awk -v wanted="$1" -v divisor="$2" '
    /func\.func/ { split("", value) }
    / = arith\.constant [0-9]+ : index/ { value[$1] = $4 }
    /memref\.view .*berth\.buffer/ {
      match($0, /\[%[A-Za-z0-9_]+\]/)
      shift = substr($0, RSTART + 1, RLENGTH - 2)
      known = shift in value
      if ((!known || value[shift] > 0) && ++count == wanted) {
        offset = divisor ? (known ? int(value[shift] / divisor / 8) * 8 : 8) : 0
        print "%mutated = arith.constant " offset " : index"
        sub(/\[%[A-Za-z0-9_]+\]/, "[%mutated]")
      }
    }
    { print }
    END { exit count < wanted }
  ' "$work/planned.mlir" >"$work/mutated.mlir"
}

# tryOne: sorts the mutation at hand into caught, harmless and missed.
tryOne() {
  if "$opt" --load-pass-plugin="$plugin" "$work/mutated.mlir" -o /dev/null \
    --pass-pipeline='builtin.module(berth-verify)' 2>/dev/null; then
    execute "$work/mutated.mlir" "$work/actual"
    if cmp -s "$work/expected" "$work/actual"; then
      harmless=$((harmless + 1))
    else
      echo "mutate: missed: view $1, divisor $2" >&2
      missed=$((missed + 1))
    fi
  else
    caught=$((caught + 1))
  fi
}

"$opt" --load-pass-plugin="$plugin" "$program" -o "$work/planned.mlir" \
  --pass-pipeline='builtin.module(berth-arena{packer=first-fit})'
execute "$program" "$work/expected"
caught=0 harmless=0 missed=0 view=1
while mutate $view 0; do
  tryOne $view 0
  mutate $view 2
  tryOne $view 2
  view=$((view + 1))
done
echo "$caught caught, $harmless harmless, $missed missed"
[ $missed = 0 ]
