# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Counts the tests in the log of `ctest -V` and prints "PASSED FAILED": cmocka
# and lit tests one by one, any other CTest test as one. A CTest test that
# failed counts as one failure at least, whatever it printed before it did.

function number_after(mark, text) {
  text = $0
  if (!match(text, mark " [0-9]+ test"))
    return 0
  text = substr(text, RSTART, RLENGTH)
  sub(/ test$/, "", text)
  sub(/.* /, "", text)
  return text + 0
}
match($0, /^[0-9]+: /) {
  test = substr($0, 1, RLENGTH - 2)
  good[test] += number_after("\\[  PASSED  \\]")
  bad[test] += number_after("\\[  FAILED  \\]")
  if ($0 ~ /^[0-9]+: (PASS|XFAIL): /)
    ++good[test]
  if ($0 ~ /^[0-9]+: (FAIL|XPASS|UNRESOLVED|TIMEOUT): /)
    ++bad[test]
}
/^ *[0-9]+\/[0-9]+ +Test +#[0-9]+: / {
  test = $0
  sub(/^[^#]*#/, "", test)
  sub(/:.*/, "", test)
  if ($0 ~ /\*\*\*Skipped/)
    next
  if ($0 ~ / Passed /)
    passed += good[test] ? good[test] : 1
  else {
    passed += good[test]
    failed += bad[test] ? bad[test] : 1
  }
}
END { printf "%d %d\n", passed, failed }
