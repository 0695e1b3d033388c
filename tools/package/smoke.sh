#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs Berth's Debian packages on a machine that has none of what they need,
# uses each, and removes them again:
#
#   sh tools/package/smoke.sh FOLDER          the folder of the packages, as root
set -eu
case ${1:-} in
--help | -h) sed -n '3,/^set/s/^# \{0,1\}//p' "$0" && exit ;;
'' | -*) echo "smoke.sh: '${1:-}' is no folder of packages" >&2 && exit 1 ;;
esac
packages=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
  echo "smoke.sh: $*" >&2
  exit 1
}

apt-get update -q
DEBIAN_FRONTEND=noninteractive apt-get install -q -y "$packages"/*.deb
cat >chain.mlir <<'END'
func.func @chain(%x: memref<1024xf32>, %y: memref<1024xf32>) {
  %a = memref.alloc() : memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  %c = memref.alloc() : memref<1024xf32>
  linalg.exp  ins(%x : memref<1024xf32>) outs(%a : memref<1024xf32>)
  linalg.sqrt ins(%a : memref<1024xf32>) outs(%b : memref<1024xf32>)
  linalg.tanh ins(%b : memref<1024xf32>) outs(%c : memref<1024xf32>)
  memref.copy %c, %y : memref<1024xf32> to memref<1024xf32>
  return
}
END

echo "== berth-pack"
berth-smith --seed=1 >/dev/null
berth-pack gen network --buffers=100 | berth-pack --stats -o plan.csv
berth-pack --verify-only plan.csv
berth-pack fold --help >/dev/null

echo "== berth-opt, alone and with a packer in a process of its own"
berth-opt chain.mlir --berth-arena=in-place=false | grep 'memref<8192xi8>$' ||
  fail 'berth-opt does not pack'
berth-opt chain.mlir --berth -o /dev/null

echo "== berth-lsp-server"
body='{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}'
printf 'Content-Length: %d\r\n\r\n%s' ${#body} "$body" |
  berth-lsp-server 2>/dev/null | grep -o '"hoverProvider":true' ||
  fail 'berth-lsp-server does not answer'

echo "== mlir-opt with the plugin"
mlir-opt-22 chain.mlir --load-pass-plugin=/usr/lib/BerthPlugin.so \
  --pass-pipeline='builtin.module(berth-arena{in-place=false})' |
  grep 'memref<8192xi8>$' || fail 'the plugin does not pack'

echo "== Python"
python3 -c 'import berth
problem = berth.Problem()
for lower, upper in (0, 3), (3, 9), (1, 5):
    problem.add(4096, lower, upper)
print(problem.pack().peak)' || fail 'Python does not pack'

echo "== Removed"
apt-get purge -q -y libberth0 libberth-dev berth-tools berth-mlir-plugin \
  python3-berth >/dev/null
left=$(find /usr -iname '*berth*')
[ -z "$left" ] || fail "left behind: $left"
echo "smoke test passed"
