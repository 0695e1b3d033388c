#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# mlir-opt, but dies of a function @deadly wherever a pass of Berth runs.
for argument; do
  case $argument in
  *berth-*) berth=true ;;
  *.mlir) file=$argument ;;
  esac
done
if [ "$berth" ] && grep -q @deadly "$file"; then
  kill -ABRT $$
fi
exec mlir-opt "$@"
