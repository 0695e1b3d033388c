#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Builds Berth with the oldest MLIR that it is built for, and runs the tests of
# the passes with it:
#
#   sh tools/second-llvm.sh [--compare] [TESTS...]     TESTS: below test/
#
# By default TESTS are a choice that takes a minute; `.` is all. --compare also
# plans what the tests of the passes plan with both versions, and fails where a
# plan differs (needs a berth-opt of the newest in BERTH_BUILD; minutes).
#
# Debian's development packages of two versions exclude each other, so these
# packages are downloaded and unpacked in a folder, never installed. Where apt
# has none, says so and exits with 77: nothing was tested.
#
# BERTH_SECOND  where it all goes, default ROOT/build-llvm19
# The rest as in setup.sh.
set -eu
. "$(dirname "$0")/setup.sh"

version=19
folder=${BERTH_SECOND:-$root/build-llvm$version}
llvm=$folder/packages/usr/lib/llvm-$version
packages="libllvm$version llvm-$version llvm-$version-dev llvm-$version-tools
  llvm-$version-linker-tools libmlir-$version libmlir-$version-dev
  mlir-$version-tools"

compare=
[ "${1:-}" != --compare ] || { compare=yes; shift; }
[ $# -gt 0 ] || set -- ir/liveness ir/pointers ir/plan ir/rewrite ir/scope \
  ir/target ir/transfers ir/prepare ir/cores ir/passes exec/loops.mlir exec/branches.mlir

skip() {
  echo "skipped: $*" >&2
  exit 77
}

# The archives that only static links of LLVM need are most of the bytes, but
# CMake wants to see that they exist.
fetch() {
  command -v apt-get >/dev/null || skip "no apt-get, so no packages of LLVM $version"
  rm -rf "$folder/packages.part"
  mkdir -p "$folder/debs" "$folder/packages.part"
  # shellcheck disable=SC2086 # one word a package
  (cd "$folder/debs" && timeout 300 apt-get download -q $packages) \
    >"$folder/download.log" 2>&1 ||
    skip "apt-get has no packages of LLVM $version (see $folder/download.log)"
  for package in "$folder"/debs/*.deb; do
    dpkg -x "$package" "$folder/packages.part"
  done
  rm -rf "$folder/debs"
  mv "$folder/packages.part" "$folder/packages"
}

say "LLVM $version"
[ -d "$folder/packages" ] || fetch
# Libraries that its tools need, and that another LLVM may have brought already.
"$llvm/bin/mlir-opt" --version >"$folder/version.log" 2>&1 ||
  skip "mlir-opt $version does not start: $(head -n 1 "$folder/version.log")"

say "Build with LLVM $version"
build_in "$folder/build" all \
  -DMLIR_DIR="$llvm/lib/cmake/mlir" -DLLVM_DIR="$llvm/lib/cmake/llvm"

say "Tests with LLVM $version"
lit=$(sed -n 's/^BERTH_LIT:FILEPATH=//p' "$folder/build/CMakeCache.txt")
for test in "$@"; do
  set -- "$@" "$folder/build/test/$test"
  shift
done
"$lit" -q -j "$jobs" "$@"
[ -z "$compare" ] || python3 "$root/test/corpus/same-plans.py" \
  "$build/bin/berth-opt" "$folder/build/bin/berth-opt" "$root/test"
echo "LLVM $version: all of it passed"
