#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   repeat.sh STATS COMMAND...
#
# Runs the command with the steps that STATS shows as its budget.
set -eu
steps=$(sed -n 's/.*"steps":\([0-9]*\).*/\1/p' "$1")
shift
exec "$@" "--steps=$steps"
