# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Completion for the tools in fish. It asks the tool itself what there is.

function __berth_words
    set -l words (commandline -opc)
    set -l tool $words[1]
    set -l subcommand
    if string match -q '*berth-pack' -- $tool; and contains -- "$words[2]" gen diff fit fold
        set subcommand $words[2]
    end
    set -l word (commandline -ct)
    set -l name (string replace -r '=.*' '=' -- $word)
    switch $word
        case '--packer=*'
            printf '%s\n' $name($tool --packer=list 2>/dev/null | string match -rg '^ *([a-z][a-z0-9-]*) ')
        case '--method=*'
            printf '%s\n' $name($tool fold --method=list 2>/dev/null | string match -rg '^ *([a-z][a-z0-9-]*) ')
        case '--explain-error=*'
            printf '%s\n' $name($tool --explain-error=list 2>/dev/null | string match -r '^berth-E[0-9]+')
        case '--format=*'
            printf '%s\n' $name{csv,json,svg,html}
        case '--heuristic=*'
            printf '%s\n' $name{H1,H2,H3}
        case '--policy=*'
            printf '%s\n' $name{furthest-use,least-recent,largest}
        case '--features=*' # a list with commas
            printf '%s\n' (string replace -r '[^=,]*$' '' -- $word)($tool --help 2>/dev/null | sed -n '/^features:/,$s/^  \([a-z]*\) .*/\1/p')
        case '--*=*'
            printf '%s\n' $name(__fish_complete_path (string replace -r '^[^=]*=' '' -- $word))
        case '-*'
            # What takes a value may be named without it in the text, too. What
            # stands far in are options of passes.
            $tool $subcommand --help 2>/dev/null | grep -v '^        *--' |
                grep -o -- '--[a-z][a-z0-9-]*=\{0,1\}' | sort -ru |
                awk '/=$/ { taken[$0] } !(($0 "=") in taken)' | sort
        case '*'
            if test "$subcommand" = gen
                $tool gen --help 2>/dev/null | sed -n '/^Families:/,$s/^  \([a-z]*\) .*/\1/p'
            else
                if string match -q '*berth-pack' -- $tool; and test (count $words) -eq 1
                    printf '%s\n' gen diff fit fold
                end
                __fish_complete_path $word
            end
    end
end

for tool in berth-pack berth-opt berth-smith berth-lsp-server
    complete -c $tool -f -a '(__berth_words)'
end
