# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What check.sh and quickstart.sh share; sourced by both. POSIX sh.
#
# BERTH_BUILD   the build folder, default ROOT/build
# BERTH_JOBS    parallel jobs, default one a processor

root=$(cd "$(dirname "$0")/.." && pwd)
build=${BERTH_BUILD:-$root/build}
jobs=${BERTH_JOBS:-$(nproc)}

# say WORDS: a headline, with the time since the start.
started=$(date +%s)
say() {
  seconds=$(($(date +%s) - started))
  printf '\n== %s (%d:%02d)\n' "$*" $((seconds / 60)) $((seconds % 60))
}

die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# What the script says of itself at its top.
show_help() {
  sed -n '3,/^set/s/^# \{0,1\}//p' "$0"
  exit 0
}
case ${1:-} in --help | -h) show_help ;; esac

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    die "installing packages needs root, or sudo: $*"
  fi
}

is_installed() {
  dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q ' installed$'
}

is_known() { apt-cache show "$1" >/dev/null 2>&1; }

# Stops with advice if apt knows no LLVM 22.
require_llvm_source() {
  is_known libmlir-22-dev && return
  cat >&2 <<'END'
error: apt knows no package libmlir-22-dev. Add a source that has it and run
this again. On Debian 12, as root, either Debian's own updates:

    echo 'deb http://deb.debian.org/debian-security bookworm-security main' \
        > /etc/apt/sources.list.d/security.list

or LLVM's packages (apt.llvm.org):

    apt-get install -y ca-certificates curl gnupg
    curl -fsSL https://apt.llvm.org/llvm-snapshot.gpg.key |
        gpg --dearmor -o /usr/share/keyrings/llvm.gpg
    echo 'deb [signed-by=/usr/share/keyrings/llvm.gpg]' \
        'http://apt.llvm.org/bookworm/ llvm-toolchain-bookworm-22 main' \
        > /etc/apt/sources.list.d/llvm-22.list
END
  exit 1
}

# install_packages PACKAGE...: installs those that are missing.
install_packages() {
  command -v apt-get >/dev/null || die "this script needs Debian's apt-get"
  missing=
  for package in "$@"; do
    is_installed "$package" || missing="$missing $package"
  done
  if [ -z "$missing" ]; then
    echo "all $# packages are there"
    return
  fi
  echo "installing:$missing"
  as_root apt-get update -q
  require_llvm_source
  # shellcheck disable=SC2086 # one word a package
  as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends $missing
}

packages_to_build='cmake ninja-build gcc g++ libc6-dev libmlir-22-dev
  mlir-22-tools llvm-22-dev llvm-22-tools libisl-dev libcmocka-dev python3'

# build_in FOLDER TARGET CMAKE-OPTION...
build_in() {
  folder=$1
  target=$2
  shift 2
  mkdir -p "$folder"
  cmake -S "$root" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release "$@" \
    >"$folder/cmake.log" 2>&1 || {
    cat "$folder/cmake.log" >&2
    die "cmake failed"
  }
  ninja -C "$folder" -j "$jobs" "$target" || die "the build in $folder failed"
}
