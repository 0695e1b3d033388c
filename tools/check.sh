#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs what is missing, builds, and runs all tests:
#
#   sh tools/check.sh [--fuzz=SECONDS]
#
# once as released, and those of the packing library once more under
# AddressSanitizer and UndefinedBehaviorSanitizer, built by clang; and a choice of
# tests with MLIR 19, where apt has its packages. Says line by
# line what runs and how long it has taken; ends with "N passed, N failed", and
# fails if any test failed or none ran. --fuzz goes on for so long with fuzzers
# and random programs. See setup.sh for the variables it heeds.
set -eu
. "$(dirname "$0")/setup.sh"

fuzz=
for option in "$@"; do
  case $option in
  --fuzz=*[!0-9]* | --fuzz=) die "$option: expected a number of seconds" ;;
  --fuzz=*) fuzz=$option ;;
  *) die "'$option': there is one option, --fuzz=SECONDS" ;;
  esac
done

say "Packages"
# shellcheck disable=SC2086
install_packages $packages_to_build clang-22 libclang-rt-22-dev minizinc \
  spirv-tools cmark-gfm lld-22 wasi-libc libclang-rt-22-dev-wasm32

say "Build"
# File by file: the test of the rooms asks each object what it needs. (The build
# with another LLVM joins files, as users' builds do.)
build_in "$build" all -DBERTH_JOIN_CXX=OFF

say "Build with sanitizers"
fuzzers=OFF
[ -z "$fuzz" ] || fuzzers=ON
build_in "$build-sanitized" all -DBERTH_ENABLE_MLIR=OFF \
  -DCMAKE_C_COMPILER=clang-22 -DCMAKE_CXX_COMPILER=clang++-22 \
  -DBERTH_SANITIZE=address,undefined -DBERTH_ENABLE_FUZZERS=$fuzzers

say "Tests"
# shellcheck disable=SC2086 # an option or none
exec python3 "$root/tools/run-tests.py" --jobs="$jobs" $fuzz \
  --also="$root/tools/second-llvm.sh" \
  "$build" "$build-sanitized"
