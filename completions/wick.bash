# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
# bash completion for wick(1). Installed as share/bash-completion/completions/wick.

_wick_offer() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur"); }
_wick_folders() { compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$cur"); }
_wick_files() { compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); }

_wick() {
  local cur=$2 prev=$3 command= i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case ${COMP_WORDS[i]} in
      record | report | collapse | flamegraph | diff | export | symbolize | addr2line | doctor) command=${COMP_WORDS[i]}; break ;;
    esac
  done
  # After "--" comes another program with arguments of its own.
  for ((; i < COMP_CWORD; ++i)); do
    if [[ $command == record && ${COMP_WORDS[i]} == -- ]]; then
      if ((i + 1 == COMP_CWORD)); then
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -c -- "$cur"; compgen -f -- "$cur")
      else
        _wick_files
      fi
      return
    fi
  done

  case $command in
    "") _wick_offer "record report collapse flamegraph diff export symbolize addr2line doctor --help -h --version -V" ;;
    record)
      case $prev in
        -o | --output) _wick_files ;;
        --debug-dir | --symfs) _wick_folders ;;
        -p | --pid) _wick_offer "$(cd /proc && printf '%s\n' [0-9]*)" ;;
        -e | --event)
          _wick_offer "auto cycles instructions cache-references cache-misses branch-instructions branch-misses bus-cycles
            ref-cycles cpu-clock task-clock page-faults minor-faults major-faults context-switches cpu-migrations"
          ;;
        -F | --freq) _wick_offer "99 997 4999 9997 max" ;;
        --engine) _wick_offer "auto perf ptrace" ;;
        --unwind) _wick_offer "dwarf fp none" ;;
        --call-graph) _wick_offer "fp dwarf lbr" ;;
        -c | --count | -t | --tid | -C | --cpu | --cgroup | -d | --duration | --delay | --iterations | --max-size | --max-depth | --stack-size | --fetch-limit) ;;
        *)
          _wick_offer "-p --pid -t --tid -a --all -C --cpu --cgroup --no-inherit -F --freq -c --count -e --event -d --duration --delay
            --iterations --max-size --max-depth --stack-size --unwind -g --call-graph --engine --debug-dir --symfs --no-fetch --fetch-limit
            -o --output --no-symbols -q --quiet -h --help --"
          ;;
      esac
      ;;
    report)
      case $prev in
        --by) _wick_offer "function module file line thread process" ;;
        --sort) _wick_offer "self total name" ;;
        --color) _wick_offer "auto always never" ;;
        --debug-dir | --symfs) _wick_folders ;;
        --names) _wick_offer "full short raw" ;;
        --callers | --limit | --thread | --range | --focus | --ignore | --event) ;;
        *)
          if [[ $cur == -* ]]; then
            _wick_offer "--tree --callers --by --sort --limit --full --fold-runtimes --json --color --from --no-inlines --names --thread --range --focus --ignore --event
              --debug-dir --symfs -h --help"
          else
            _wick_files
          fi
          ;;
      esac
      ;;
    collapse)
      if [[ $prev == --debug-dir || $prev == --symfs ]]; then
        _wick_folders
      elif [[ $prev == --names ]]; then
        _wick_offer "full short raw"
      elif [[ $prev == --compat ]]; then
        _wick_offer "perl inferno"
      elif [[ $prev == --count ]]; then
        _wick_offer "samples weights"
      elif [[ $cur == -* ]]; then
        _wick_offer "--from --pid --tid -n --threads --nthreads -q --quiet --event-filter
              --kernel --jit --inline --all --addrs --srcline --context --skip-after --fold-runtimes --recursive --compat --includeoffset --no-modules --time --bytes --ticks --count
              --include-tname --no-include-tname --include-tid --no-include-tid --shorten-pkgs --no-shorten-pkgs --no-pkgs --size -t -c
              -o --output --no-inlines --names --thread --range --focus --ignore --event
              --debug-dir --symfs -h --help"
      else
        _wick_files
      fi
      ;;
    flamegraph)
      if [[ $prev == --debug-dir || $prev == --symfs ]]; then
        _wick_folders
      elif [[ $prev == --names ]]; then
        _wick_offer "full short raw"
      elif [[ $prev == -c || $prev == --colors ]]; then
        _wick_offer "kind hot mem io wakeup chain java js perl python rust red green blue aqua yellow purple orange red-blue blue-orange"
      elif [[ $prev == --bgcolors ]]; then
        _wick_offer "yellow blue green gray"
      elif [[ $prev == --compat ]]; then
        _wick_offer "perl inferno"
      elif [[ $cur == -* ]]; then
        _wick_offer "-o --output --title --width --no-inlines --names --thread --range --focus --ignore --event
              --subtitle --notes --countname --nametype --factor --height --minwidth --min-width --fonttype --font-type
              --fontsize --font-size --fontwidth --font-width --truncate-text-right -i --inverted --reverse --by-thread --fold-runtimes --flamechart
              --no-sort --sort-by-name --base --total -c --colors --bgcolors --hash --random --deterministic --cp
              --colordiffusion --negate --search-color --stroke-color --uicolor --nameattr --encoding --pretty-xml
              --no-javascript --compat -q --quiet
              --from --debug-dir --symfs -h --help"
      else
        _wick_files
      fi
      ;;
    diff)
      case $prev in
        --by) _wick_offer "function module file line thread process" ;;
        --sort) _wick_offer "self total name" ;;
        --color) _wick_offer "auto always never" ;;
        --colors) _wick_offer "red-blue blue-orange" ;;
        --debug-dir | --symfs) _wick_folders ;;
        --names) _wick_offer "full short raw" ;;
        --fail-above | --limit | --from | --thread | --range | --focus | --ignore | --event) ;;
        *)
          if [[ $cur == -* ]]; then
            _wick_offer "-o --output --folded --json -n --normalize --no-normalize -s --strip-hex -q --quiet --fail-above --by --sort --limit --colors --color
              --from --no-inlines --names --thread --range --focus --ignore --event --debug-dir --symfs -h --help"
          else
            _wick_files
          fi
          ;;
      esac
      ;;
    export)
      case $prev in
        --format) _wick_offer "folded firefox pprof speedscope chrome-trace cpuprofile callgrind perf-script svg csv json" ;;
        --debug-dir | --symfs) _wick_folders ;;
        --names) _wick_offer "full short raw" ;;
        --from | --thread | --range | --focus | --ignore | --event) ;;
        *)
          if [[ $cur == -* ]]; then
            _wick_offer "--format -o --output -q --quiet --from --no-inlines --names --thread --range --focus --ignore --event
              --debug-dir --symfs -h --help"
          else
            _wick_files
          fi
          ;;
      esac
      ;;
    symbolize)
      if [[ $prev == --debug-dir || $prev == --symfs ]]; then
        _wick_folders
      elif [[ $cur == -* ]]; then
        _wick_offer "-o --output -q --quiet --debug-dir --symfs --no-fetch --fetch-limit -h --help"
      else
        _wick_files
      fi
      ;;
    addr2line)
      case $prev in
        -j | --section | -b | --target) ;;
        --debug-dir | --symfs) _wick_folders ;;
        *)
          if [[ $cur == -* ]]; then
            _wick_offer "-e --exe -f --functions -i --inlines -C --demangle -a --addresses -p --pretty-print -s --basenames
              -j --section -b --target -r --recurse-limit -R --no-recurse-limit -v -V --version --json --debug-dir --symfs -h --help"
          else
            _wick_files
          fi
          ;;
      esac
      ;;
    doctor)
      if [[ $cur == -* ]]; then _wick_offer "--json -h --help"; else _wick_files; fi
      ;;
  esac
}
complete -F _wick wick
