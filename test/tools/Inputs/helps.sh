# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What each script says to --help, and to an option that there is not:
# helps.sh PYTHON, in the root.
set -eu
for script in tools/*.py; do
  "$@" "$script" --help
  ! "$@" "$script" --bogus=1 2>&1
done
for script in bare check coverage quickstart second-llvm package/smoke; do
  sh tools/$script.sh --help
done
for script in check quickstart second-llvm package/smoke; do
  ! sh tools/$script.sh --bogus=1 2>&1
done
