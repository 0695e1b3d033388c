# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash
# Completion for the tools in bash. It asks the tool itself what there is.

_berth() {
  local tool=$1 word=${COMP_WORDS[COMP_CWORD]} option=
  local before=${COMP_WORDS[COMP_CWORD-1]} command=
  [ "${tool##*/}" = berth-pack ] &&
    case ${COMP_WORDS[1]} in gen | diff | fit | fold) [ "$COMP_CWORD" -gt 1 ] && command=${COMP_WORDS[1]} ;; esac
  # bash takes "--packer=x" for three words.
  case $word in
  =) option=${before} word= ;;
  *) [ "$before" = = ] && option=${COMP_WORDS[COMP_CWORD-2]} ;;
  esac

  COMPREPLY=()
  case $option in
  --packer)
    mapfile -t COMPREPLY < <(compgen -W "$("$tool" --packer=list 2>/dev/null |
      sed -n 's/^ *\([a-z][a-z0-9-]*\) .*/\1/p')" -- "$word")
    return ;;
  --format)
    mapfile -t COMPREPLY < <(compgen -W 'csv json svg html' -- "$word")
    return ;;
  --method)
    mapfile -t COMPREPLY < <(compgen -W "$("$tool" fold --method=list 2>/dev/null |
      sed -n 's/^ *\([a-z][a-z0-9-]*\) .*/\1/p')" -- "$word")
    return ;;
  --heuristic)
    mapfile -t COMPREPLY < <(compgen -W 'H1 H2 H3' -- "$word")
    return ;;
  --explain-error)
    mapfile -t COMPREPLY < <(compgen -W "$("$tool" --explain-error=list 2>/dev/null |
      grep -o '^berth-E[0-9]*')" -- "$word")
    return ;;
  --policy)
    mapfile -t COMPREPLY < <(compgen -W 'furthest-use least-recent largest' -- "$word")
    return ;;
  --features) # a list with commas
    mapfile -t COMPREPLY < <(compgen -P "${word%"${word##*,}"}" -W "$("$tool" --help 2>/dev/null |
      sed -n '/^features:/,$s/^  \([a-z]*\) .*/\1/p')" -- "${word##*,}")
    return ;;
  --?*)
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
    return ;;
  esac
  case $word in
  -*)
    # shellcheck disable=SC2086 # a word or none
    # What takes a value may be named without it in the text, too. What stands
    # far in are options of passes.
    mapfile -t COMPREPLY < <(compgen -W "$("$tool" $command --help 2>/dev/null |
      grep -v '^        *--' | grep -o -- '--[a-z][a-z0-9-]*=\{0,1\}' | sort -ru |
      awk '/=$/ { taken[$0] } !(($0 "=") in taken)' | sort)" -- "$word")
    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace
    return ;;
  esac
  if [ "$command" = gen ]; then
    mapfile -t COMPREPLY < <(compgen -W "$("$tool" gen --help 2>/dev/null |
      sed -n '/^Families:/,$s/^  \([a-z]*\) .*/\1/p')" -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
    [ "$COMP_CWORD" -gt 1 ] || [ "${tool##*/}" != berth-pack ] ||
      mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W 'gen diff fit fold' -- "$word")
  fi
}
complete -o filenames -F _berth berth-pack berth-opt berth-smith berth-lsp-server
