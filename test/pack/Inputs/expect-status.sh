#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# expect-status.sh N COMMAND...: succeeds if the command exits with N.
expected=$1
shift
"$@"
status=$?
[ "$status" -eq "$expected" ] && exit 0
echo "exit status $status, not $expected" >&2
exit 1
