#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs what is missing, builds, and runs all tests:
#
#   sh tools/check.sh
#
# once as released, and those of the packing library once more under
# AddressSanitizer and UndefinedBehaviorSanitizer, built by clang. Ends with
# "N passed, N failed"; fails if any test failed or none ran. See setup.sh for
# the variables it heeds.
set -eu
. "$(dirname "$0")/setup.sh"

# run_tests FOLDER: runs its tests, shows those that failed, and adds to the
# sums.
passed=0
failed=0
run_tests() {
  log=$1/tests.log
  (cd "$1" && ctest -V -j "$jobs") >"$log" 2>&1 || true
  show_failures "$log"
  counts=$(awk -f "$root/tools/count-tests.awk" "$log")
  echo "${counts% *} passed, ${counts#* } failed (log: $log)"
  passed=$((passed + ${counts% *}))
  failed=$((failed + ${counts#* }))
}

# Prints the output of failed tests.
show_failures() {
  awk '
    /^ *[0-9]+\/[0-9]+ +Test +#[0-9]+: / {
      number = $0
      sub(/^[^#]*#/, "", number)
      sub(/:.*/, "", number)
      if ($0 ~ /\*\*\*|Not Run/)
        printf "%s\n%s", $0, output[number]
      delete output[number]
      next
    }
    match($0, /^[0-9]+: /) {
      number = substr($0, 1, RLENGTH - 2)
      output[number] = output[number] $0 "\n"
    }' "$1"
}

say "Packages"
# shellcheck disable=SC2086
install_packages $packages_to_build clang-22 libclang-rt-22-dev minizinc

say "Build"
build_in "$build"

say "Build with sanitizers"
build_in "$build-sanitized" -DBERTH_ENABLE_MLIR=OFF \
  -DCMAKE_C_COMPILER=clang-22 -DCMAKE_CXX_COMPILER=clang++-22 \
  -DBERTH_SANITIZE=address,undefined

say "Tests"
run_tests "$build"
say "Tests with sanitizers"
run_tests "$build-sanitized"

say "All tests"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
