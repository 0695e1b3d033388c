#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs programs whose kernels' threads allocate, on the CPU: as they are, one thread
# after the other; and behind berth-expand all threads in step, so that threads
# whose parts have bytes in common find what others have left.
#
#   expand.sh [--threads] BERTH_OPT MLIR_LIB PASSES FILE...
#
# With --threads they run behind berth-expand with a thread of the machine for each
# thread of a launch, under ThreadSanitizer; launches that do not wait for each other
# run at the same time.
#
# PASSES are several pipelines, with a blank between them; a blank in one of them is
# written __. Ends with status 1 where threads race, or a program prints something
# else behind one of them, and tells how many kernels were expanded, and of how many
# the threads' words lie side by side.

set -eu
form='in step'
[ "$1" != --threads ] || { form=threads && shift; }
opt=$1 lib=$2 pipelines=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

fail() {
  printf 'expand.sh: %s\n' "$1" >&2
  exit 1
}

# printed FILE: without addresses
printed() {
  sed 's/base@ = [^ ]*//' "$1"
}

# execute IN OUT [--in-step]
execute() {
  python3 "$here/Inputs/in-step.py" ${3-} "$1" >"$work/cpu.mlir"
  mlir-opt "$work/cpu.mlir" -o "$work/lowered.mlir" \
    --pass-pipeline='builtin.module(test-lower-to-llvm)' || fail "$1 is not lowered"
  mlir-runner "$work/lowered.mlir" -e main --entry-point-result=void \
    --shared-libs="$lib/libmlir_runner_utils.so" \
    --shared-libs="$lib/libmlir_c_runner_utils.so" >"$work/all" ||
    fail "$1 does not run"
  printed "$work/all" >"$2"
}

# execute_threads IN OUT WHAT: every function is watched, as if clang had made it.
execute_threads() {
  python3 "$here/Inputs/in-step.py" --threads="$work/launch.c" "$1" >"$work/cpu.mlir"
  mlir-opt "$work/cpu.mlir" --pass-pipeline='builtin.module(test-lower-to-llvm)' |
    mlir-translate --mlir-to-llvmir |
    sed 's/^define void @main()/define void @program()/
         s/^\(define .*\) {$/\1 sanitize_thread {/' >"$work/watched.ll" ||
    fail "$1 is not lowered"
  echo 'void program(void); int main(void) { program(); return 0; }' >"$work/main.c"
  clang -O1 -g -Wno-override-module -fsanitize=thread "$work/watched.ll" "$work/main.c" \
    "$work/launch.c" -o "$work/watched" -L"$lib" -Wl,-rpath,"$lib" -lmlir_runner_utils \
    -lmlir_c_runner_utils -lm || fail "$1 is not compiled"
  TSAN_OPTIONS="exitcode=66 halt_on_error=1" "$work/watched" >"$work/all" \
    2>"$work/log" || {
    head -20 "$work/log" >&2
    fail "$3: threads race behind $passes"
  }
  printed "$work/all" >"$2"
}

count() {
  grep -c "$1" "$work/remarks" || true
}

expanded=0 interleaved=0
for file; do
  "$opt" "$file" --pass-pipeline='builtin.module(gpu-kernel-outlining)' \
    -o "$work/outlined.mlir"
  execute "$work/outlined.mlir" "$work/expected"
  for passes in $pipelines; do
    passes=$(echo "$passes" | sed "s/__/ /g")
    "$opt" "$file" --remarks-filter=berth-expand -o "$work/expanded.mlir" \
      --pass-pipeline="builtin.module($passes,gpu-kernel-outlining)" \
      2>"$work/remarks" || { cat "$work/remarks" >&2; fail "$file: $passes"; }
    expanded=$((expanded + $(count 'Remark=.* of each thread')))
    interleaved=$((interleaved + $(count ' of each thread, interleaved')))
    if [ "$form" = threads ]; then
      execute_threads "$work/expanded.mlir" "$work/actual" "$file"
    else
      execute "$work/expanded.mlir" "$work/actual" --in-step
    fi
    diff "$work/expected" "$work/actual" >&2 ||
      fail "$file prints something else behind $passes"
  done
done
echo "$expanded expanded, $interleaved interleaved"
