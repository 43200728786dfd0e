# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
# fish completion for wick(1). Installed as share/fish/vendor_completions.d/wick.fish.

set -l commands record report collapse flamegraph export symbolize addr2line doctor
complete -c wick -f
complete -c wick -n "not __fish_seen_subcommand_from $commands" -a record -d 'run or attach, and record'
complete -c wick -n "not __fish_seen_subcommand_from $commands" -a report -d 'the hottest functions'
complete -c wick -n "not __fish_seen_subcommand_from $commands" -a collapse -d 'folded stacks'
complete -c wick -n "not __fish_seen_subcommand_from $commands" -a flamegraph -d 'an interactive picture'
complete -c wick -n "not __fish_seen_subcommand_from $commands" -a symbolize -d 'name functions afterwards'
complete -c wick -n "not __fish_seen_subcommand_from $commands" -a export -d 'for other tools'
complete -c wick -n "not __fish_seen_subcommand_from $commands" -a addr2line -d 'functions, files and lines of addresses'
complete -c wick -n "not __fish_seen_subcommand_from $commands" -a doctor -d 'what this machine and a binary allow'
complete -c wick -s h -l help -d 'print help'
complete -c wick -n "not __fish_seen_subcommand_from $commands" -s V -l version -d 'print the version'

set -l record '__fish_seen_subcommand_from record'
complete -c wick -n $record -s p -l pid -x -a '(__fish_complete_pids)' -d 'record this process'
complete -c wick -n $record -s t -l tid -x -d 'record this thread'
complete -c wick -n $record -s a -l all -d 'record the whole system'
complete -c wick -n $record -s C -l cpu -x -d 'record these CPUs'
complete -c wick -n $record -l cgroup -r -a '(__fish_complete_directories)' -d 'record a cgroup'
complete -c wick -n $record -l no-inherit -d 'do not follow children and new threads'
complete -c wick -n $record -s c -l count -x -d 'one sample for so many events'
complete -c wick -n $record -s F -l freq -x -a '99 997 4999 9997 max' -d 'samples a second'
complete -c wick -n $record -s e -l event -x -a 'cycles instructions cache-references cache-misses branch-instructions branch-misses bus-cycles ref-cycles cpu-clock task-clock page-faults minor-faults major-faults context-switches cpu-migrations' -d 'what to count'
complete -c wick -n $record -s d -l duration -x -d 'end after so many seconds'
complete -c wick -n $record -l delay -x -d 'begin after so many seconds'
complete -c wick -n $record -l iterations -x -d 'run the command so many times'
complete -c wick -n $record -l max-size -x -d 'end when the file is this large'
complete -c wick -n $record -l max-depth -x -d 'frames of a stack to keep'
complete -c wick -n $record -l stack-size -x -d 'bytes of stack to copy with each sample'
complete -c wick -n $record -l unwind -x -a 'dwarf fp none' -d 'how stacks are walked'
complete -c wick -n $record -l engine -x -a 'auto perf ptrace' -d 'how samples are taken'
complete -c wick -n $record -l no-fetch -d 'do not ask debuginfod'
complete -c wick -n $record -l fetch-limit -x -d 'fetch at most this much'
complete -c wick -n $record -s o -l output -r -F -d 'write here'
complete -c wick -n $record -l no-symbols -d 'leave names of functions for later'
complete -c wick -n $record -s q -l quiet -d 'print errors only'
complete -c wick -n $record -a '(__fish_complete_subcommand --fcs-skip=2)'

set -l report '__fish_seen_subcommand_from report'
complete -c wick -n $report -F
complete -c wick -n $report -l tree -d 'who calls what, from the root'
complete -c wick -n $report -l callers -x -d 'who calls this function'
complete -c wick -n $report -l by -x -a 'function module file line thread process' -d 'group by'
complete -c wick -n $report -l sort -x -a 'self total name' -d 'order of the rows'
complete -c wick -n $report -l limit -x -d 'so many rows'
complete -c wick -n $report -l json -d 'print JSON'
complete -c wick -n $report -l color -x -a 'auto always never' -d 'colours'

set -l collapse '__fish_seen_subcommand_from collapse'
complete -c wick -n $collapse -F
complete -c wick -n $collapse -l pid -d 'add the process id to the command'
complete -c wick -n $collapse -l tid -d 'add process and thread id to the command'
complete -c wick -n $collapse -s o -l output -r -F -d 'write here'

set -l flamegraph '__fish_seen_subcommand_from flamegraph'
complete -c wick -n $flamegraph -F
complete -c wick -n $flamegraph -s o -l output -r -F -d 'write here'
complete -c wick -n $flamegraph -l title -x -d 'the heading'
complete -c wick -n $flamegraph -l width -x -d 'how wide, in pixels'

set -l export '__fish_seen_subcommand_from export'
complete -c wick -n $export -F
complete -c wick -n $export -l format -x -a 'folded firefox pprof speedscope chrome-trace cpuprofile callgrind perf-script svg csv json' -d 'what to write'
complete -c wick -n $export -s o -l output -r -F -d 'write here'
complete -c wick -n $export -s q -l quiet -d 'do not say what the format has no place for'
complete -c wick -n $export -l from -x -d 'the format of the profile'

set -l views '__fish_seen_subcommand_from report collapse flamegraph export'
complete -c wick -n $views -l no-inlines -d 'count what was inlined to its caller'
complete -c wick -n $views -l names -x -a 'full short raw' -d 'how functions are written'
complete -c wick -n $views -l debug-dir -r -a '(__fish_complete_directories)' -d 'where debug files are'
complete -c wick -n $views -l thread -x -d 'only this thread'
complete -c wick -n $views -l range -x -d 'only this time, A-B in seconds'
complete -c wick -n $views -l focus -x -d 'only stacks with a matching function'
complete -c wick -n $views -l ignore -x -d 'no stacks with a matching function'
complete -c wick -n $views -l event -x -d 'which event'

set -l symbolize '__fish_seen_subcommand_from symbolize'
complete -c wick -n $symbolize -F
complete -c wick -n $symbolize -s o -l output -r -F -d 'write here'
complete -c wick -n $symbolize -l no-fetch -d 'do not ask debuginfod'
complete -c wick -n $symbolize -l fetch-limit -x -d 'fetch at most this much'
complete -c wick -n $symbolize -s q -l quiet -d 'print errors only'
set -l naming '__fish_seen_subcommand_from record report collapse flamegraph export symbolize addr2line'
complete -c wick -n $naming -l debug-dir -x -a '(__fish_complete_directories)' -d 'look for debug files here first'
complete -c wick -n $naming -l symfs -x -a '(__fish_complete_directories)' -d 'look for all files below this folder first'

set -l addr2line '__fish_seen_subcommand_from addr2line'
complete -c wick -n $addr2line -s e -l exe -r -F -d 'the program or library'
complete -c wick -n $addr2line -s f -l functions -d 'show names of functions'
complete -c wick -n $addr2line -s i -l inlines -d 'show also what a function was inlined into'
complete -c wick -n $addr2line -s C -l demangle -d 'names as people write them'
complete -c wick -n $addr2line -s a -l addresses -d 'show the address'
complete -c wick -n $addr2line -s p -l pretty-print -d 'one line for each function'
complete -c wick -n $addr2line -s s -l basenames -d 'files without their folders'
complete -c wick -n $addr2line -s j -l section -x -d 'addresses count from this section'
complete -c wick -n $addr2line -s b -l target -x -d 'accepted and ignored'
complete -c wick -n $addr2line -s r -l recurse-limit -d 'accepted and ignored'
complete -c wick -n $addr2line -s R -l no-recurse-limit -d 'accepted and ignored'
complete -c wick -n $addr2line -s v -s V -l version -d 'print the version'
complete -c wick -n $addr2line -l json -d 'print JSON'

complete -c wick -n '__fish_seen_subcommand_from doctor' -F
complete -c wick -n '__fish_seen_subcommand_from doctor' -l json -d 'print JSON'
