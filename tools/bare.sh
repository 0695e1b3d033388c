#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Both commands on a bare machine:
#
#   sh tools/bare.sh [--keep] [--debs=FOLDER] [--only=COMMAND] [OPTION...]
#
# Makes a Debian 12 that has nothing but a shell and apt, clones what this
# checkout has committed into it, and runs quickstart.sh there as root, then
# check.sh as an ordinary user who may become root. Both run without a terminal,
# without HOME and with no locale set. Ends with the times and results of both;
# fails if one failed.
#
#   --keep          leaves the system in its folder, to look around in it
#   --debs=FOLDER   keeps downloaded packages there, and uses those that are
#   --only=COMMAND  runs quickstart or check alone
#   --packages=FOLDER
#                   instead of both, installs the Debian packages in FOLDER, uses
#                   and removes them (tools/package/smoke.sh)
#   other options   are handed to check.sh
#
# Needs root, debootstrap, git, and some 8 GB below TMPDIR. What has to be mounted
# is mounted in a namespace of its own and is gone when that ends, so that nothing
# outside can be deleted through it.
set -eu

# Read as a whole before it runs: it may be edited meanwhile.
{
root=$(cd "$(dirname "$0")/.." && pwd)
keep='' debs='' only='' packages=''

die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

while [ $# -gt 0 ]; do
  case $1 in
  --keep) keep=yes ;;
  --debs=*) debs=${1#*=} ;;
  --only=quickstart | --only=check) only=${1#*=} ;;
  --packages=*) packages=${1#*=} only=packages ;;
  --only=*) die "--only '${1#*=}' is neither quickstart nor check" ;;
  --help | -h) sed -n '3,/^set/s/^# \{0,1\}//p' "$0" && exit ;;
  *) break ;;
  esac
  shift
done

[ "$(id -u)" -eq 0 ] || die "making a bare system needs root: sudo sh $0"
for tool in debootstrap git unshare chroot; do
  command -v "$tool" >/dev/null || die "$tool is missing: apt-get install" \
    "debootstrap git util-linux"
done

bare=$(mktemp -d "${TMPDIR:-/tmp}/berth-bare.XXXXXX")
clean_up() {
  if [ -n "$keep" ]; then
    echo "the system stands in $bare"
  else
    rm -rf --one-file-system "$bare"
  fi
}
trap clean_up EXIT
trap 'exit 130' INT TERM
chmod 755 "$bare"
[ -z "$packages" ] || ls "$packages"/*.deb >/dev/null || die "no packages"

if [ -n "$debs" ]; then
  mkdir -p "$debs"
  debs=$(cd "$debs" && pwd)
fi

echo "== Debian 12 in $bare"
unshare --mount --propagation private \
  debootstrap --variant=minbase ${debs:+--cache-dir="$debs"} bookworm \
  "$bare" http://deb.debian.org/debian >"$bare.log" 2>&1 || {
  cat "$bare.log" >&2
  die "debootstrap failed"
}
rm -f "$bare.log"
cat >"$bare/etc/apt/sources.list" <<'END'
deb http://deb.debian.org/debian bookworm main
deb http://deb.debian.org/debian bookworm-updates main
deb http://deb.debian.org/debian-security bookworm-security main
END
git -c safe.directory='*' clone -q --no-hardlinks "$root" "$bare/berth"
git -c safe.directory='*' -C "$bare/berth" log -1 --format='commit %h %s'

# inside COMMAND...: as root in the bare system, in processes and mounts of its
# own.
inside() {
  # shellcheck disable=SC2016 # expanded inside
  unshare --mount --propagation private --pid --fork --kill-child sh -euc '
    bare=$1 debs=$2
    shift 2
    mount -t proc proc "$bare/proc"
    mount --rbind /dev "$bare/dev"
    [ -z "$debs" ] || mount --bind "$debs" "$bare/var/cache/apt/archives"
    cd "$bare"
    exec chroot "$bare" env -i \
      PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
      ${http_proxy:+http_proxy="$http_proxy"} "$@"
  ' inside "$bare" "$debs" "$@"
}

# timed NAME COMMAND...: runs it inside, and notes what it came to.
results=''
failures=0
timed() {
  name=$1
  shift
  printf '\n==== %s\n' "$name"
  began=$(date +%s)
  outcome='succeeded'
  inside "$@" </dev/null || {
    outcome='FAILED'
    failures=$((failures + 1))
  }
  seconds=$(($(date +%s) - began))
  results="$results$name $outcome after $((seconds / 60)) min $((seconds % 60)) s
"
}

if [ -n "$packages" ]; then
  cp "$packages"/*.deb "$bare/root/"
  timed packages sh /berth/tools/package/smoke.sh /root
fi
if [ -z "$only" ] || [ "$only" = quickstart ]; then
  timed quickstart.sh sh /berth/tools/quickstart.sh
fi
if [ -z "$only" ] || [ "$only" = check ]; then
  echo
  echo "== A user who may become root"
  inside sh -euc '
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive \
      apt-get install -qq -y --no-install-recommends sudo
    useradd user
    echo "user ALL=(ALL) NOPASSWD: ALL" >/etc/sudoers.d/user
    chown -R user: /berth' >/dev/null 2>&1 || die "cannot make a user"
  timed check.sh setpriv --reuid user --regid user --init-groups \
    sh /berth/tools/check.sh "$@"
fi

printf '\n==== On a bare machine with %s cores\n%s' "$(nproc)" "$results"
[ "$failures" -eq 0 ] && exit 0
exit 1
}
