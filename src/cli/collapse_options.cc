// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/collapse_options.h"

#include <CLI/CLI.hpp>

#include "cli/choice.h"

namespace wick {

void add_frame_options(CLI::App& app, CollapseArguments& options) {
  const char* group = "Frames";
  FoldedOptions& folded = options.query.folded;
  FrameTextOptions& frames = folded.frames;
  app.add_flag("--pid", folded.pid, "Append the process ID to the command: command-PID")->group(group);
  app.add_flag("--tid", folded.tid, "Append process and thread ID to the command: command-PID/TID")->group(group);
  app.add_flag("--kernel", frames.kernel, "Mark kernel functions: name_[k]")->group(group);
  app.add_flag("--jit", frames.jit, "Mark generated code: name_[j]")->group(group);
  app.add_flag("--inline", frames.inlined, "Mark inlined functions: name_[i]")->group(group);
  app.add_flag("--all", options.all, "Same as --kernel --jit")->group(group);
  app.add_flag("--addrs", frames.addresses, "Append addresses where symbols are missing: [file <7f12a0>]")->group(group);
  app.add_flag("--srcline", frames.source, "Append source lines where known: name:file.c:12")->group(group);
  app.add_flag("--context", options.context, "Same as --srcline")->group(group);
  app.add_option("--skip-after", frames.skip_after, "Leave out the callers of this function (repeatable)")
      ->type_name("FUNCTION")
      ->allow_extra_args(false)
      ->group(group);
  app.add_flag("--fold-runtimes", options.query.fold_runtimes, "Fold the frames of tokio, rayon, std::function and thread starts")
      ->group(group);
  app.add_flag("--recursive", folded.recursive, "Merge recursive calls into one frame")->group(group);
  add_choice(app, "--compat", options.query.compat, other_tools(),
             "Write lines exactly as FlameGraph's (perl) or inferno's collapsers do");
  app.get_option("--compat")->group(group);
}

void add_format_options(CLI::App& app, CollapseArguments& options) {
  const char* group = "Options for input formats";
  ImportOptions& import = options.import;
  app.add_flag("--includeoffset", import.include_offset, "DTrace: keep offsets after names")->group(group);
  app.add_flag("--no-modules", import.without_modules, "macOS sample, VTune: leave out modules")->group(group);
  for (const char* cost : {"time", "bytes", "ticks"}) {
    app.add_flag_callback(
           std::string("--") + cost, [&import, cost] { import.ghc_cost = cost; }, std::string("GHC: count ") + cost)
        ->group(group);
  }
  auto add = [&](const char* name, auto& where, bool value, const char* what) {
    app.add_flag_callback(name, [&where, value] { where = value; }, what)->group(group);
  };
  add("--include-tname", import.java_thread_names, true, "jstack, ibmjava: include thread names [default]");
  add("--no-include-tname", import.java_thread_names, false, "jstack, ibmjava: leave out thread names");
  add("--include-tid", import.java_ids, true, "ibmjava: include thread IDs");
  add("--no-include-tid", import.java_ids, false, "jstack: leave out the number at the end of thread names");
  add("--shorten-pkgs", import.shorten_packages, true, "Java: shorten packages to their first letters");
  add("--no-shorten-pkgs", import.shorten_packages, false, "Java: keep packages as they are [default]");
  add("--no-pkgs", import.without_packages, true, "Java: leave out packages");
  add("--size", import.vtune_size, true, "VTune: count allocated bytes, not allocations");
  add("-t", import.xdebug_calls, false, "xdebug: count time [default]");
  add("-c", import.xdebug_calls, true, "xdebug: count calls of leaf functions");
}

FoldedQuery understand(const CollapseArguments& options) {
  FoldedQuery query = options.query;
  FrameTextOptions& frames = query.folded.frames;
  frames.kernel |= options.all;
  frames.jit |= options.all;
  // In stackcollapse-perf.pl, --context does nothing alone.
  frames.source |= options.context && (query.compat != Rules::kPerl || frames.inlined);
  return query;
}

}  // namespace wick
