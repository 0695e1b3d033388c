#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Builds Berth with the oldest MLIR that it is built for, and runs the tests of
# the passes with it:
#
#   sh tools/second-llvm.sh [--compare] [TESTS...]     TESTS: below test/
#
# By default TESTS are those of the passes and a few programs; `.` is all, and the unit
# tests with them (eight minutes of processor time, behind the build). --compare also
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
second=${BERTH_SECOND:-$root/build-llvm$version}
llvm=$second/packages/usr/lib/llvm-$version
packages="libllvm$version llvm-$version llvm-$version-dev llvm-$version-tools
  llvm-$version-linker-tools libmlir-$version libmlir-$version-dev
  mlir-$version-tools"

compare=
[ "${1:-}" != --compare ] || { compare=yes; shift; }
case ${1:-} in -*) die "'$1': there is one option, --compare" ;; esac
[ $# -gt 0 ] || set -- ir exec/loops.mlir exec/branches.mlir exec/fit.mlir

skip() {
  echo "skipped: $*" >&2
  exit 77
}

# The archives that only static links of LLVM need are most of the bytes, but
# CMake wants to see that they exist.
fetch() {
  command -v apt-get >/dev/null || skip "no apt-get, so no packages of LLVM $version"
  rm -rf "$second/packages.part"
  mkdir -p "$second/debs" "$second/packages.part"
  # shellcheck disable=SC2086 # one word a package
  (cd "$second/debs" && timeout 300 apt-get download -q $packages) \
    >"$second/download.log" 2>&1 ||
    skip "apt-get has no packages of LLVM $version (see $second/download.log)"
  for package in "$second"/debs/*.deb; do
    dpkg -x "$package" "$second/packages.part"
  done
  rm -rf "$second/debs"
  mv "$second/packages.part" "$second/packages"
}

say "LLVM $version"
[ -d "$second/packages" ] || fetch
# Libraries that its tools need, and that another LLVM may have brought already.
"$llvm/bin/mlir-opt" --version >"$second/version.log" 2>&1 ||
  skip "mlir-opt $version does not start: $(head -n 1 "$second/version.log")"

say "Build with LLVM $version"
build_in "$second/build" all \
  -DBERTH_ENABLE_WERROR=ON -DMLIR_DIR="$llvm/lib/cmake/mlir" -DLLVM_DIR="$llvm/lib/cmake/llvm"

say "Tests with LLVM $version"
lit=$(sed -n 's/^BERTH_LIT:FILEPATH=//p' "$second/build/CMakeCache.txt")
case " $* " in
*" . "*)
  ctest --test-dir "$second/build" -E '^lit$' -j "$jobs" --output-on-failure
  ;;
esac
for test in "$@"; do
  set -- "$@" "$second/build/test/$test"
  shift
done
"$lit" -v -j "$jobs" "$@"
[ -z "$compare" ] || python3 "$root/test/corpus/same-plans.py" \
  "$build/bin/berth-opt" "$second/build/bin/berth-opt" "$root/test"
echo "LLVM $version: all of it passed"
