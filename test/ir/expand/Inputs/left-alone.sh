#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   left-alone.sh BERTH_OPT FILE...
#
# Tells of how many programs berth-expand changes all kernels, and names the others.

opt=$1
shift
changed=0
for file; do
  "$opt" "$file" --pass-pipeline='builtin.module(berth-expand{least=1})' \
    --remarks-filter=berth-expand -o /dev/null 2>"$file.remarks" || exit 1
  if grep -q 'Remark=".*keep what they allocate' "$file.remarks"; then
    echo "left alone: $(basename "$file")"
  else
    changed=$((changed + 1))
  fi
done
echo "$changed changed"
