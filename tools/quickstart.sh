#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# From a bare Debian 12 machine to the main job done on real programs:
#
#   sh tools/quickstart.sh
#
# installs what is missing, builds, and runs each of examples/*/run.sh, which
# compares a program with and without Berth. See setup.sh for the variables it
# heeds.
set -eu
. "$(dirname "$0")/setup.sh"
[ $# -eq 0 ] || die "'$1': there are no options"

echo "Packages, a build, and then these programs with and without Berth:"
for example in "$root"/examples/*/run.sh; do
  printf '\n  %s\n' "$(basename "$(dirname "$example")")"
  sed -n '4,/^#$/s/^# /    /p' "$example"
done

say "Packages"
# shellcheck disable=SC2086
install_packages $packages_to_build

say "Build"
build_in "$build" berth

ran=0
for example in "$root"/examples/*/run.sh; do
  [ -e "$example" ] || continue
  say "Example: $(basename "$(dirname "$example")")"
  sh "$example" "$build" || die "$example failed"
  ran=$((ran + 1))
done
[ "$ran" -gt 0 ] || die "there is no examples/*/run.sh"

say "Done: $ran examples"
cat <<END
Plugin:  $build/lib/BerthPlugin.so
Driver:  $build/bin/berth-opt
Packer:  $build/bin/berth-pack --help
END
