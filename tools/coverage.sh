#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Which lines of lib the tests run:
#
#   sh tools/coverage.sh [OPTION OF CTEST...]
#
# Builds with clang's coverage into BUILD-coverage, runs the tests (those that
# the options choose, e.g. -R unit) and prints a line for each file, then the sum.
# What is not run is shown in BUILD-coverage/lines.txt. See setup.sh for the
# variables it heeds.
set -eu
. "$(dirname "$0")/setup.sh"

llvm=${LLVM_DIR_PREFIX:-/usr/lib/llvm-22}/bin
folder=$build-coverage

say "Packages"
# shellcheck disable=SC2086
install_packages $packages_to_build clang-22 libclang-rt-22-dev llvm-22

say "Build"
flags='-fprofile-instr-generate -fcoverage-mapping'
build_in "$folder" all -DCMAKE_C_COMPILER=clang-22 \
  -DCMAKE_CXX_COMPILER=clang++-22 -DCMAKE_BUILD_TYPE=Debug \
  -DCMAKE_C_FLAGS="$flags" -DCMAKE_CXX_FLAGS="$flags"

say "Tests"
rm -rf "$folder/profiles"
# %4m: processes share four files, and merge into them.
LLVM_PROFILE_FILE=$folder/profiles/%4m.profraw LIT_OPTS="-j$jobs" \
  ctest --test-dir "$folder" -j "$jobs" --output-on-failure "$@" ||
  echo "some tests failed; what they ran counts"

say "Coverage"
"$llvm/llvm-profdata" merge -o "$folder/all.profdata" "$folder"/profiles/*
set -- "$folder/bin/berth-pack"
for program in "$folder"/bin/berth-opt "$folder"/lib/*.so \
  "$folder"/test/unit/* "$folder"/test/fuzz/*Replay; do
  [ ! -f "$program" ] || set -- "$@" "-object=$program"
done
"$llvm/llvm-cov" show "$@" -instr-profile="$folder/all.profdata" \
  "$root/lib" >"$folder/lines.txt"
"$llvm/llvm-cov" report "$@" -instr-profile="$folder/all.profdata" \
  -show-region-summary=0 -show-branch-summary=0 "$root/lib"
