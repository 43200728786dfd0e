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
      record | top | stat | report | annotate | view | tui | collapse | flamegraph | diff | export | symbolize | addr2line | cargo | doctor) command=${COMP_WORDS[i]}; break ;;
    esac
  done
  # After "--" comes another program with arguments of its own.
  for ((; i < COMP_CWORD; ++i)); do
    if [[ $command == cargo && ${COMP_WORDS[i]} == -- ]]; then
      _wick_files
      return
    fi
    if [[ $command == @(record|top|stat) && ${COMP_WORDS[i]} == -- ]]; then
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
    "") _wick_offer "record top stat report annotate view tui collapse flamegraph diff export symbolize addr2line cargo doctor --help -h --version -V" ;;
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
          _wick_offer "-p --pid -t --tid -a --all -C --cpu --cgroup --no-inherit -F --freq -c --count -e --event -d --duration --delay --wall
            --iterations --max-size --max-depth --stack-size --unwind -g --call-graph --engine --debug-dir --symfs --no-fetch --fetch-limit
            -o --output --no-symbols --no-code --embed-source -q --quiet --view -h --help --"
          ;;
      esac
      ;;
    top)
      case $prev in
        -o | --output) _wick_files ;;
        --source-dir | --debug-dir | --symfs) _wick_folders ;;
        -p | --pid) _wick_offer "$(cd /proc && printf '%s\n' [0-9]*)" ;;
        -e | --event)
          _wick_offer "auto cycles instructions cache-references cache-misses branch-instructions branch-misses bus-cycles
            ref-cycles cpu-clock task-clock page-faults minor-faults major-faults context-switches cpu-migrations"
          ;;
        -F | --freq) _wick_offer "49 99 499 997 max" ;;
        --engine) _wick_offer "auto perf ptrace" ;;
        --unwind) _wick_offer "dwarf fp none" ;;
        --call-graph) _wick_offer "fp dwarf lbr" ;;
        -c | --count | -t | --tid | -C | --cpu | --cgroup | --window | --max-size | --max-depth | --stack-size) ;;
        *)
          _wick_offer "-p --pid -t --tid -a --all -C --cpu --cgroup --no-inherit --window --source-dir -F --freq -c --count -e --event
            --engine --unwind -g --call-graph --stack-size --max-depth --debug-dir --symfs -o --output --max-size -h --help --"
          ;;
      esac
      ;;
    cargo)
      case $prev in
        -o | --output | --manifest-path) _wick_files ;;
        --debug-dir | --symfs | --target-dir) _wick_folders ;;
        --profile) _wick_offer "release bench dev" ;;
        -e | --event)
          _wick_offer "auto cycles instructions cache-references cache-misses branch-instructions branch-misses bus-cycles
            ref-cycles cpu-clock task-clock page-faults minor-faults major-faults context-switches cpu-migrations"
          ;;
        -F | --freq) _wick_offer "99 997 4999 9997 max" ;;
        --engine) _wick_offer "auto perf ptrace" ;;
        --unwind) _wick_offer "dwarf fp none" ;;
        --call-graph) _wick_offer "fp dwarf lbr" ;;
        -p | --package | --features | --target | -r | --repeat | -j | --jobs | -c | --count | -d | --duration | --delay | --iterations | --max-size | --max-depth | --stack-size | --fetch-limit) ;;
        *)
          _wick_offer "record stat view flamegraph -r --repeat --exact --json --bin --example --test --bench --unit-test -p --package --features --all-features
            --no-default-features --profile --release --dev --target --target-dir --manifest-path -j --jobs --locked --offline --frozen
            -F --freq -c --count -e --event -d --duration --delay --wall --iterations --max-size --max-depth --stack-size --unwind -g --call-graph
            --engine --debug-dir --symfs --no-fetch --fetch-limit -o --output --no-symbols --no-code --embed-source -q --quiet --view
            --flamegraph --open -h --help --"
          ;;
      esac
      ;;
    stat)
      case $prev in
        -o | --output) _wick_files ;;
        -p | --pid) _wick_offer "$(cd /proc && printf '%s\n' [0-9]*)" ;;
        -e | --event)
          _wick_offer "cycles instructions branches branch-misses cache-references cache-misses stalled-cycles-frontend stalled-cycles-backend
            L1-dcache-loads L1-dcache-load-misses LLC-loads LLC-load-misses dTLB-load-misses page-faults context-switches cpu-migrations"
          ;;
        -t | --tid | -C | --cpu | --compare | -d | --duration | -r | --repeat | -I | --interval) ;;
        *)
          _wick_offer "-p --pid -t --tid -a --all -C --cpu --compare -e --event --detailed -d --duration -r --repeat --ignore-failure
            --exact -I --interval --per-thread --per-core --json --csv -o --output -h --help --"
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
            _wick_offer "--tree --callers --by --sort --limit --full --fold-runtimes --insights --waits --json --color --from --no-inlines --names --thread --range --focus --ignore
              --event --debug-dir --symfs -h --help"
          else
            _wick_files
          fi
          ;;
      esac
      ;;
    annotate)
      case $prev in
        --color) _wick_offer "auto always never" ;;
        --source-dir | --debug-dir | --symfs) _wick_folders ;;
        --by) _wick_offer "line inlined" ;;
        --names) _wick_offer "full short raw" ;;
        --context | --from | --thread | --range | --focus | --ignore | --event | --fetch-limit) ;;
        *)
          if [[ $cur == -* ]]; then
            _wick_offer "--source --asm --by --context --source-dir --json --color --no-pager --from --no-inlines --names --thread --range --focus --ignore --event
              --debug-dir --symfs --no-fetch --fetch-limit -h --help"
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
        --source-dir | --source-dir-before | --debug-dir | --symfs) _wick_folders ;;
        --names) _wick_offer "full short raw" ;;
        --annotate | --context | --fail-above | --limit | --from | --thread | --range | --focus | --ignore | --event) ;;
        *)
          if [[ $cur == -* ]]; then
            _wick_offer "-o --output --folded --json -n --normalize --no-normalize -s --strip-hex -q --quiet --fail-above --by --sort --limit --colors --color
              --annotate --context --source-dir --source-dir-before
              --from --no-inlines --names --thread --range --focus --ignore --event --debug-dir --symfs -h --help"
          else
            _wick_files
          fi
          ;;
      esac
      ;;
    view)
      case $prev in
        --source-dir | --debug-dir | --symfs) _wick_folders ;;
        --names) _wick_offer "full short raw" ;;
        --port | --from | --thread | --range | --focus | --ignore | --event) ;;
        *)
          if [[ $cur == -* ]]; then
            _wick_offer "--port --no-open --source-dir --from --no-inlines --names --thread --range --focus --ignore --event --debug-dir --symfs -h --help"
          else
            _wick_files
          fi
          ;;
      esac
      ;;
    tui)
      case $prev in
        --source-dir | --debug-dir | --symfs) _wick_folders ;;
        --names) _wick_offer "full short raw" ;;
        --from | --thread | --range | --focus | --ignore | --event) ;;
        *)
          if [[ $cur == -* ]]; then
            _wick_offer "--source-dir --from --no-inlines --names --thread --range --focus --ignore --event --debug-dir --symfs -h --help"
          else
            _wick_files
          fi
          ;;
      esac
      ;;
    export)
      case $prev in
        --format) _wick_offer "folded firefox pprof speedscope chrome-trace cpuprofile callgrind perf-script svg html csv json" ;;
        --source-dir | --debug-dir | --symfs) _wick_folders ;;
        --names) _wick_offer "full short raw" ;;
        --from | --thread | --range | --focus | --ignore | --event) ;;
        *)
          if [[ $cur == -* ]]; then
            _wick_offer "--format -o --output --no-source --source-dir -q --quiet --from --no-inlines --names --thread --range --focus --ignore --event
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
