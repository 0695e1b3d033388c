#compdef berth-pack berth-opt berth-smith berth-lsp-server
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Completion for the tools in zsh. It asks the tool itself what there is.

_berth() {
  local tool=$words[1] command= word=$words[CURRENT]
  local -a found
  if [[ ${tool:t} == berth-pack && CURRENT -gt 2 && $words[2] == (gen|diff|fit|fold) ]]; then
    command=$words[2]
  fi
  case $word in
  --packer=*) found=(${(f)"$($tool --packer=list 2>/dev/null | sed -n 's/^ *\([a-z][a-z0-9-]*\) .*/\1/p')"}) ;;
  --method=*) found=(${(f)"$($tool fold --method=list 2>/dev/null | sed -n 's/^ *\([a-z][a-z0-9-]*\) .*/\1/p')"}) ;;
  --explain-error=*) found=(${(f)"$($tool --explain-error=list 2>/dev/null | grep -o '^berth-E[0-9]*')"}) ;;
  --format=*) found=(csv json svg html) ;;
  --heuristic=*) found=(H1 H2 H3) ;;
  --policy=*) found=(furthest-use least-recent largest) ;;
  --features=*) # a list with commas
    compset -P '*='
    compset -P '*,'
    found=(${(f)"$($tool --help 2>/dev/null | sed -n '/^features:/,$s/^  \([a-z]*\) .*/\1/p')"})
    compadd -S '' -- $found
    return ;;
  --*=*)
    compset -P '*='
    _files
    return ;;
  -*)
    # What takes a value may be named without it in the text, too. What stands
    # far in are options of passes.
    found=(${(f)"$($tool $=command --help 2>/dev/null | grep -v '^        *--' |
      grep -o -- '--[a-z][a-z0-9-]*=\{0,1\}' | sort -ru |
      awk '/=$/ { taken[$0] } !(($0 "=") in taken)' | sort)"})
    compadd -S '' -- ${(M)found:#*=}
    compadd -- ${found:#*=}
    return ;;
  *)
    if [[ $command == gen ]]; then
      found=(${(f)"$($tool gen --help 2>/dev/null | sed -n '/^Families:/,$s/^  \([a-z]*\) .*/\1/p')"})
      compadd -- $found
      return
    fi
    [[ ${tool:t} == berth-pack && CURRENT -eq 2 ]] && compadd -- gen diff fit fold
    _files
    return ;;
  esac
  compset -P '*='
  compadd -- $found
}

_berth "$@"
