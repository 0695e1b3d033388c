#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compiles kernels for NVIDIA (PTX, sm_80) and AMD (gfx90a) and sees that they
# ask for as many bytes of shared memory as Berth reports, in each form of the
# arena; and that without Berth the same kernels have none.
#
#   shared-bytes.sh MLIR_OPT PLUGIN [options] FILE
#
# Options:
#   --forms=NAMES    the forms to try; else attribution global dynamic
#   --options=TEXT   more options of berth-arena
#   --behind=PASSES  done to the module behind Berth, or without it
#   --chip=NAME      for this GPU alone, sm_... or gfx...: a kernel with its own
#                    instructions
#   --after          do not look at the kernel without Berth
#
# Prints a line for each form: its name and the bytes. With split-arenas the
# parts are counted too. Needs no GPU.

set -eu
opt=$1 plugin=$2
shift 2
forms='attribution global dynamic' options='' behind=canonicalize
nvidia=sm_80 amd=gfx90a before=yes
while [ $# -gt 1 ]; do
  case $1 in
  --forms=*) forms=${1#*=} ;;
  --options=*) options=${1#*=} ;;
  --behind=*) behind=${1#*=} ;;
  --chip=sm_*) nvidia=${1#*=} amd='' ;;
  --chip=*) amd=${1#*=} nvidia='' ;;
  --after) before='' ;;
  esac
  shift
done
file=$1

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

fail() {
  printf 'shared-bytes: %s: %s\n' "$form" "$1" >&2
  exit 1
}

# assembly DIALECT FIRST THEN IN OUT LLC-OPTION...: the kernels of a module in
# assembly, by way of the passes FIRST and THEN around the conversion.
assembly() {
  dialect=$1 first=$2 then=$3 in=$4 out=$5
  shift 5
  # What mlir-opt prints of a group of no copies it does not read.
  sed -i 's/ nvgpu\.device_async_create_group *$/ "nvgpu.device_async_create_group"() : () -> !nvgpu.device.async.token/' "$in"
  "$opt" "$in" -o "$work/low.mlir" --pass-pipeline="builtin.module(gpu.module(\
${first}convert-scf-to-cf,expand-strided-metadata,lower-affine,\
convert-gpu-to-$dialect,${then}canonicalize,cse,reconcile-unrealized-casts))" ||
    fail "no way to $dialect"
  # mlir-translate wants a module: the gpu.module becomes one.
  awk '/^  gpu\.module/ { inside = 1; print "module {"; next }
       inside           { print }
       inside && /^  }/ { exit }' "$work/low.mlir" |
    mlir-translate --mlir-to-llvmir -o "$work/low.ll" ||
    fail "no LLVM IR from $dialect"
  llc "$@" "$work/low.ll" -o "$out" || fail "no assembly from $dialect"
}

# compile IN: to $work/ptx and $work/gcn.
compile() {
  [ -z "$nvidia" ] || assembly "nvvm{has-redux=true}" convert-nvgpu-to-nvvm, convert-nvvm-to-llvm, \
    "$1" "$work/ptx" -mtriple=nvptx64-nvidia-cuda -mcpu="$nvidia" -mattr=+ptx80
  [ -z "$amd" ] || assembly rocdl "convert-amdgpu-to-rocdl{chipset=$amd}," '' "$1" \
    "$work/gcn" -mtriple=amdgcn-amd-amdhsa -mcpu="$amd"
}

# The bytes of the PTX's shared arrays, and the least alignment of them. Upstream
# makes __mbarrier of nvgpu.mbarrier.create.
ptx_bytes() {
  sed -n '/__mbarrier/d;s/.*\.shared .*\[\([0-9]*\)\];.*/\1/p' "$work/ptx" |
    awk '{ sum += $1 } END { print sum + 0 }'
}
ptx_alignment() {
  sed -n '/__mbarrier/d;s/.*\.shared \.align \([0-9]*\) .*/\1/p' "$work/ptx" | sort -n |
    head -n 1
}
# The bytes of the kernel that has most (a device function has its callers').
gcn_bytes() {
  sed -n 's/.*\.amdhsa_group_segment_fixed_size \([0-9]*\)$/\1/p' "$work/gcn" |
    sort -n | tail -n 1
}
# The dynamic size that the host's code asks for; it is a constant by now.
launch_bytes() {
  name=$(sed -n 's/.*dynamic_shared_memory_size \(%[^ ]*\).*/\1/p' "$1")
  sed -n "s/.*$name = arith\\.constant \\([0-9]*\\) : i32/\\1/p" "$1"
}

# want WHAT GOT EXPECTED
want() { [ "$2" = "$3" ] || fail "$1: $2 instead of $3"; }

# want_bytes N: what both kinds of assembly are to ask for.
want_bytes() {
  [ -z "$nvidia" ] || want 'shared bytes in PTX' "$(ptx_bytes)" "$1"
  [ -z "$amd" ] || want 'LDS bytes' "$(gcn_bytes)" "$1"
}

if [ -n "$before" ]; then
  form='without Berth'
  "$opt" "$file" -o "$work/before.mlir" --pass-pipeline="builtin.module($behind)"
  compile "$work/before.mlir"
  want_bytes 0
  [ -z "$nvidia" ] || want 'mallocs' "$(grep -c 'call.*malloc,' "$work/ptx")" \
    "$(grep -c 'memref\.alloc()' "$file")"
fi

for form in $forms; do
  "$opt" --load-pass-plugin="$plugin" "$file" -o "$work/after.mlir" \
    --pass-pipeline="builtin.module(berth-arena{arena=$form report=- $options},\
$behind)" 2>"$work/report" || { cat "$work/report" >&2; fail 'Berth refuses'; }
  # A function that is handed its arena has its bytes in its callers'.
  sed -i '/"arena": "argument"/d' "$work/report"
  arena=$(sed -n 's/.*"bytes_after": \([1-9][0-9]*\),.*/\1/p' "$work/report")
  alignment=$(sed -n 's/.*"bytes_after": [1-9][0-9]*, "alignment": \([0-9]*\),.*/\1/p' \
    "$work/report")
  # Of parts, the sum. They may take less than the arena, never more.
  static=$arena
  case $options in
  *split-arenas*)
    static=$(grep -o '"bytes": [0-9]*, "alignment"' "$work/report" |
      awk '{ sum += $2 } END { print sum }')
    [ "$static" -le "$arena" ] || fail "the parts have $static bytes"
    ;;
  esac
  compile "$work/after.mlir"
  [ -z "$nvidia" ] || ! grep -q malloc "$work/ptx" || fail 'a malloc is left'
  [ -z "$amd" ] || ! grep -q malloc "$work/gcn" || fail 'a malloc is left'
  if [ "$form" = dynamic ]; then
    static=0
    if grep -q 'gpu\.launch_func' "$file"; then
      want 'dynamic bytes of the launch' "$(launch_bytes "$work/after.mlir")" \
        "$arena"
    fi
    grep -q '\.shared .*__dynamic_shmem' "$work/ptx" || fail 'not dynamic'
  fi
  want_bytes "$static"
  [ -z "$nvidia" ] || want 'alignment in PTX' "$(ptx_alignment)" "$alignment"
  count=$([ -z "$nvidia" ] || grep -c '\.shared .*\];' "$work/ptx" || true)
  case $options in
  *split-arenas*) echo "$form: $static bytes in $count parts" ;;
  *) echo "$form: $arena bytes, aligned to $alignment" ;;
  esac
done
