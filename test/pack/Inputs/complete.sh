# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# complete.sh COMPLETION COMMAND WORD...: what bash offers for the last word, with
# the words as bash parts them: at an equals sign too.
. "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_berth "$1" 2>/dev/null # compopt is for a shell that completes
printf '%s\n' "${COMPREPLY[@]}"
