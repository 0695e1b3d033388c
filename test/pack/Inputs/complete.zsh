# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# complete.zsh COMPLETION COMMAND WORD...: what zsh offers for the last word. What
# the shell itself brings for that needs a terminal, and is stood in for.
compadd() {
  local each
  while [[ $1 != -- ]]; do shift; done
  shift
  for each; do
    if [[ $prefix$each == $words[CURRENT]* ]]; then print -r -- $prefix$each; fi
  done
}
compset() {
  local rest=${words[CURRENT]#$prefix}
  prefix+=${(M)rest##${~2}}
}
_files() { print files; }
completion=$1 prefix=
shift
words=("$@") CURRENT=$#
set --
. $completion
