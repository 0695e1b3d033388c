#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs programs behind berth-expand with a thread of the machine for each thread of
# a launch, under ThreadSanitizer, and compares what they print with what they did
# before, one thread after the other.
#
#   expand-threads.sh BERTH_OPT MLIR_LIB PASSES FILE...
#
# Ends with status 1 where threads race or print something else.

set -eu
opt=$1 lib=$2 passes=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

fail() {
  printf 'expand-threads.sh: %s\n' "$1" >&2
  exit 1
}

echo 'void program(void); int main(void) { program(); return 0; }' >"$work/main.c"

# lower FORM FILE: its @main returns nothing.
lower() {
  mlir-opt "$1.cpu.mlir" --pass-pipeline='builtin.module(test-lower-to-llvm)' |
    mlir-translate --mlir-to-llvmir | sed 's/^define void @main()/define void @program()/' \
      >"$1.ll" || fail "$2 is not lowered"
}

printed() {
  sed 's/base@ = [^ ]*//' "$1"
}

count=0
for file; do
  "$opt" "$file" --pass-pipeline='builtin.module(gpu-kernel-outlining)' -o "$work/before.mlir"
  python3 "$here/Inputs/in-step.py" "$work/before.mlir" >"$work/before.cpu.mlir"
  lower "$work/before" "$file"
  "$opt" "$file" --pass-pipeline="builtin.module($passes,gpu-kernel-outlining)" \
    -o "$work/after.mlir" || fail "$file: $passes"
  python3 "$here/Inputs/in-step.py" --threads="$work/launch.c" "$work/after.mlir" \
    >"$work/after.cpu.mlir"
  lower "$work/after" "$file"
  # Every function is watched, as if clang had made it.
  sed 's/^\(define .*\) {$/\1 sanitize_thread {/' "$work/after.ll" >"$work/watched.ll"
  for form in before watched; do
    watch=
    [ $form = before ] || watch="-fsanitize=thread $work/launch.c"
    # shellcheck disable=SC2086 # several words
    clang -O1 -g -Wno-override-module "$work/$form.ll" "$work/main.c" $watch -o "$work/$form" \
      -L"$lib" -Wl,-rpath,"$lib" -lmlir_runner_utils -lmlir_c_runner_utils -lm ||
      fail "$file is not compiled"
  done
  "$work/before" >"$work/expected" || fail "$file does not run"
  TSAN_OPTIONS="exitcode=66 halt_on_error=1" "$work/watched" >"$work/actual" 2>"$work/log" || {
    head -20 "$work/log" >&2
    fail "$file: threads race behind $passes"
  }
  printed "$work/expected" >"$work/1"
  printed "$work/actual" >"$work/2"
  diff "$work/1" "$work/2" >&2 || fail "$file prints something else behind $passes"
  count=$((count + 1))
done
echo "$count programs without a race"
