# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What berth-E004 says about quotes is right in any shell: sh shells.sh FILE.
# Says how each shell that there is took it.
set -eu
for shell in sh dash bash zsh fish; do
  command -v "$shell" >/dev/null || continue
  "$shell" -c "berth-opt $1 --pass-pipeline='builtin.module(berth-arena{space={\"L1\"}})'" |
    grep -q 'memref.view .*"L1"' && echo "$shell: packed"
done
