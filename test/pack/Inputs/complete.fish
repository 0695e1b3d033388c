# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# complete.fish COMPLETION LINE: what fish offers for the last word of a line.
source $argv[1]
complete -C $argv[2]
