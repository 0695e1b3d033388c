# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Keeps ThreadSanitizer from watching the scratch memory of gpu.all_reduce in
# LLVM IR: upstream's lowering gives it 32 elements as an attribution, where
# several threads store one value to the same place at once. (Arenas are bytes.)

# isScratch TEXT: does it name the scratch memory, or an address in it?
function isScratch(text,    n, words, i) {
  n = split(text, words, /[ ,()]+/)
  for (i = 1; i <= n; ++i)
    if (words[i] in scratch || words[i] in derived)
      return 1
  return 0
}

/^@__wg_.* global \[32 x (i32|i64|float|double)\]/ { scratch[$1] = 1 }
/^define/ { split("", derived) }
/^  %[^ ]* = getelementptr / && isScratch($0) { derived[$1] = 1 }
/^  (%[^ ]* = load|store) / && isScratch($0) { $0 = $0 ", !nosanitize !1000000" }
{ print }
END { print "!1000000 = !{}" }
