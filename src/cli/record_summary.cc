// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/record_summary.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <initializer_list>
#include <utility>

#include "analyze/format.h"
#include "analyze/overview.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cli/name_advice.h"
#include "cli/record_insights.h"
#include "term/fit.h"
#include "term/titles.h"

namespace wick {
namespace {

constexpr int kNameWidth = 90;
constexpr uint64_t kHardlyAnyNs = 20'000'000;
constexpr uint64_t kShortWaitNs = 50'000'000;  // less may be program startup

std::string honest_percent(uint64_t part, uint64_t whole) {
  double share = whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  if (part > 0 && share < 0.05) { return "<0.1%"; }
  if (part < whole && share > 99.95) { return "99.9%"; }
  return strf("%.1f%%", share);
}

std::string count(uint64_t n, const char* one, const char* many) { return group_thousands(n) + " " + (n == 1 ? one : many); }
std::string seconds(uint64_t ns) { return strf(ns < 100'000'000 ? "%.3f s" : "%.1f s", static_cast<double>(ns) / 1e9); }

uint64_t counter(const RecordingOutcome& outcome, const char* name) {
  for (const capture::Counter& c : outcome.counters) {
    if (c.name == name) { return c.value; }
  }
  return 0;
}

constexpr uint64_t kCutWorthOneIn = 100, kLateWorthOneIn = 20, kFewerEvents = 10;

// What would make truncated stacks complete here.
std::string explain_truncated(const RecordingOutcome& o, const RecordOptions& request) {
  if (counter(o, "deep.refused") == 0) {
    if (counter(o, "samples.late") * kLateWorthOneIn > counter(o, "samples.made")) {
      return "; wick stopped threads with deep stacks too late (busy machine or short bursts)";
    }
    // Threads are sampled while stopped only by rate: each counted event is a sample of its own moment.
    bool counted = !request.events.empty() && request.events[0].period != 0;
    bool often = counter(o, "stacks.cut") * kCutWorthOneIn >= o.totals.samples;
    uint32_t more = std::min(4 * o.engine.stack_bytes, o.engine.max_stack_bytes);
    if (!counted || !often || more <= o.engine.stack_bytes) { return {}; }
    // Larger copies of every event fill the rings faster than they can be emptied.
    const char* fewer = request.events[0].period < kFewerEvents ? " -c 10" : "";
    return strf("; copy more of each stack with --stack-size %u%s", more, fewer);
  }
  bool may_grow = request.stack_size < o.engine.max_stack_bytes;
  std::string need = "; deep stacks need permission to stop the target";
  std::string grow = strf("--stack-size %u", o.engine.max_stack_bytes);
  if (::geteuid() == 0) {
    return need + ", which a debugger or a container forbids" + (may_grow && !o.engine.grows_copies ? " (" + grow + ")" : "");
  }
  return need + (may_grow ? " (run as root or " + grow + ")" : " (run as root)");
}

std::string stack_line(const RecordingOutcome& o, const RecordOptions& request) {
  if (request.unwind == UnwindMode::kFramePointers) {  // cannot be verified; only the depth is known
    uint64_t cut = counter(o, "stacks.too_deep");
    if (cut == 0) { return {}; }
    return "stacks: " + honest_percent(cut, o.totals.samples) + " truncated, deeper than --max-depth or " + o.engine.chain_limit;
  }
  uint64_t judged = 0, whole = 0;
  for (size_t i = 0; i < o.totals.quality.size(); ++i) {
    auto quality = static_cast<capture::StackQuality>(i);
    bool is_unverified = quality == capture::StackQuality::kFramePointers || quality == capture::StackQuality::kNotWalked;
    judged += is_unverified ? 0 : o.totals.quality[i];
    whole += !is_unverified && capture::is_whole(quality) ? o.totals.quality[i] : 0;
  }
  if (judged == 0) { return {}; }
  auto list = [&](std::initializer_list<std::pair<const char*, const char*>> ways) {
    std::string details;
    for (auto [name, words] : ways) {
      uint64_t n = counter(o, name);
      if (n > 0) { details += (details.empty() ? " (" : ", ") + honest_percent(n, judged) + " " + words; }
    }
    return details.empty() ? details : details + ")";
  };
  std::string line = "stacks: " + honest_percent(whole, judged) + " complete" +
                     list({{"stacks.stopped", "read while the thread was stopped"},
                           {"stacks.crossed", "unwound by frame pointers through code without unwind tables"}});
  if (whole == judged) { return line; }
  return line + ", " + honest_percent(judged - whole, judged) + " truncated" +
         list({{"stacks.cut", "longer than the copied part"},
               {"stacks.no_row", "in code without unwind tables"},
               {"stacks.bad_row", "with unwind tables that do not match"},
               {"stacks.no_mapping", "outside any known file"},
               {"stacks.too_deep", "deeper than --max-depth"},
               {"stacks.unreadable", "in memory that was gone, as during exec"},
               {"stacks.missed", "of waits that ended before they were read"},
               {"stacks.no_register", "of waits in code that needs a register not known then"}}) +
         explain_truncated(o, request);
}

// CPU time that the kernel counted and no sample covers: why, and how to sample it.
std::string time_line(const RecordingOutcome& o) {
  bool by_clock = !o.events.empty() && o.events[0].unit == "ns";
  std::string line = by_clock ? describe_unsampled({.sampled = o.times.sampled, .unsampled = o.times.unsampled}) : "";
  if (line.empty()) { return {}; }
  line = "time:   " + line;
  uint64_t period = o.totals.samples == 0 ? 0 : o.times.sampled / o.totals.samples;
  if (o.lost * period > o.times.unsampled / 2) { return line + ": samples were lost"; }
  bool is_between = o.times.unsampled_between > o.times.unsampled / 2 && !o.engine.misses_between.empty();
  const std::string& why = is_between ? o.engine.misses_between : o.engine.misses;
  return why.empty() ? line : line + ": " + why;
}

// A thread that is stopped in a system call has left the functions of the kernel.
std::string kernel_line(const RecordingOutcome& o) {
  uint64_t unknown = counter(o, "samples.kernel_unknown");
  if (unknown * 50 <= o.totals.samples) { return {}; }
  return "kernel: " + honest_percent(unknown, o.totals.samples) +
         " of samples, of threads with deep stacks, were in system calls and lack kernel functions";
}

// Samples that came late: on a busy machine, a thread that has to be stopped waits for its CPU first.
std::string coarse_line(const RecordingOutcome& o) {
  uint64_t coarse = counter(o, "samples.coarse");
  if (coarse * 10 <= o.totals.samples) { return {}; }
  return "time:   " + honest_percent(coarse, o.totals.samples) +
         " of samples represent 4 periods or more (busy machine or very deep stacks): shares are less exact";
}

// Returns the debug files that would help.
std::vector<DebugFileSource> print_lack(Lack lack, const std::vector<LackingModule>& modules, const RecordingOutcome& o,
                                        const RecordRequest& request) {
  std::vector<LackingFile> files;
  const std::vector<std::string>& command = request.options.command;
  std::string process = command.empty() ? "" : command[0].substr(command[0].rfind('/') + 1);
  for (const LackingModule& m : modules) { files.push_back({m.path, m.build_id, m.trouble, process, m.samples}); }
  LackText text = describe_lack(lack, std::move(files), o.totals.samples);
  for (const std::string& line : text.lines) { std::fprintf(stderr, "%s\n", line.c_str()); }
  return text.debug_files;
}

void print_lacks(const RecordingOutcome& o, const RecordRequest& request) {
  std::vector<DebugFileSource> debug_files = print_lack(Lack::kNames, o.unnamed, o, request);
  std::vector<DebugFileSource> of_lines = print_lack(Lack::kLines, o.lineless, o, request);
  debug_files.insert(debug_files.end(), of_lines.begin(), of_lines.end());
  std::string command = debug_files_command(debug_files);
  if (!command.empty()) { std::fprintf(stderr, "hint: %s\n", printable(command).c_str()); }
}

bool is_of_time(const RecordingOutcome& o) {
  return o.events.empty() || o.events[0].unit == "ns" || o.events[0].unit == "cycles";
}

// Waiting for four fifths of the time. For whole systems or CPUs this says nothing about a program.
bool was_waiting(const RecordingOutcome& o, const RecordRequest& request) {
  const RecordOptions& options = request.options;
  bool of_programs = !options.command.empty() || !options.pids.empty() || !options.tids.empty();
  return of_programs && is_of_time(o) && o.elapsed_ns > o.cpu_ns + kShortWaitNs && o.cpu_ns < o.elapsed_ns / 5;
}

// Why there are few samples or none, and how to get more.
std::string explain_few_samples(const RecordingOutcome& o, const RecordRequest& request) {
  uint64_t samples = o.totals.samples;
  bool is_tiny = o.cpu_ns < 1'000'000;
  std::string cpu = is_tiny ? "less than 1 ms" : format_duration(static_cast<int64_t>(o.cpu_ns));
  std::string more =
      std::string("more often (-F 9997)") + (request.options.command.empty() ? "" : " or several runs (--iterations 20)");
  if (samples == 0 && request.limits.delay_ns > o.elapsed_ns) { return "the target ended before --delay was over"; }
  if (samples == 0 && o.lost > 0) { return "the kernel lost all samples: record less often (-F 99)"; }
  bool in_kernel = o.unseen_ns > o.cpu_ns / 2 && o.cpu_ns >= kHardlyAnyNs;
  if (samples == 0 && in_kernel) { return "used " + cpu + " of CPU in the kernel, which is not sampled here: wick doctor"; }
  std::string only = "only " + count(samples, "sample", "samples") + ": too few to be reliable; ";
  if (was_waiting(o, request)) {
    return (samples > 0 ? only : "") + "used " + cpu + " of CPU in " + seconds(o.elapsed_ns) + ": mostly waiting";
  }
  if (samples == 0 && o.cpu_ns < kHardlyAnyNs && is_of_time(o)) {
    return (is_tiny ? "used " : "used only ") + cpu + " of CPU: record " + more;
  }
  if (samples == 0) { return "used " + cpu + " of CPU: record longer, or another event (-e)"; }
  return only + "record longer, " + more;
}

}  // namespace

std::vector<std::string> describe_quality(const RecordingOutcome& o, const RecordOptions& options) {
  std::vector<std::string> lines = {o.totals.samples > 0 ? stack_line(o, options) : "", time_line(o), kernel_line(o),
                                    coarse_line(o)};
  if (o.unseen_ns > 0 && o.unseen_ns * 200 > o.cpu_ns) {
    lines.push_back(strf("kernel: %s%s of %s of CPU time (%s) was in the kernel and not sampled",
                         may_hide_kernel_time(o.times.unsampled, o.cpu_ns) ? "at least " : "",
                         format_duration(static_cast<int64_t>(o.unseen_ns)).c_str(),
                         format_duration(static_cast<int64_t>(o.cpu_ns)).c_str(), honest_percent(o.unseen_ns, o.cpu_ns).c_str()));
  }
  if (o.stolen_ns > 0 && o.stolen_ns * 200 > o.cpu_ns) {
    lines.push_back(strf("stolen: up to %s in which the host of this virtual machine took the CPU away (not counted as CPU time)",
                         format_duration(static_cast<int64_t>(o.stolen_ns)).c_str()));
  }
  std::erase(lines, "");
  return lines;
}

void print_record_summary(const RecordingOutcome& o, const RecordRequest& request) {
  if (request.quiet) { return; }
  uint64_t samples = o.totals.samples;
  std::string lost =
      o.lost == 0 ? "none lost"
                  : strf("%s lost (%s)", group_thousands(o.lost).c_str(), honest_percent(o.lost, samples + o.lost).c_str());
  if (uint64_t side = counter(o, "side.lost"); side > 0) {
    lost += strf("; %s records of mappings and thread names lost", group_thousands(side).c_str());
  }
  if (uint64_t throttled = counter(o, "throttled"); throttled > 0) {
    lost += strf("; the kernel throttled sampling %s times", group_thousands(throttled).c_str());
  }
  std::string of_events;
  for (size_t i = 0; i < o.events.size() && o.events.size() > 1; ++i) {
    uint64_t n = i < o.totals.event_samples.size() ? o.totals.event_samples[i] : 0;
    of_events += (i == 0 ? " (" : ", ") + group_thousands(n) + " of " + o.events[i].name + (i + 1 == o.events.size() ? ")" : "");
  }
  if (o.stopped_by == StopReason::kMaxSize) {
    const char* rest = request.options.command.empty() ? "" : "; the command ran on without being recorded";
    std::fprintf(stderr, "recording stopped at --max-size %s%s\n", human_bytes(request.limits.max_size_bytes).c_str(), rest);
  }
  if (samples == 0) {
    std::fprintf(stderr, "recorded no samples in %s%s\n", seconds(o.elapsed_ns).c_str(),
                 o.lost == 0 ? "" : ("; " + lost).c_str());
  } else {
    std::fprintf(stderr, "recorded %s%s in %s from %s of %s; %s\n", count(samples, "sample", "samples").c_str(),
                 of_events.c_str(), seconds(o.elapsed_ns).c_str(), count(o.totals.threads, "thread", "threads").c_str(),
                 count(o.totals.processes, "process", "processes").c_str(), lost.c_str());
  }
  for (const std::string& note : o.notes) { std::fprintf(stderr, "note:   %s\n", printable(note).c_str()); }
  for (const std::string& line : describe_quality(o, request.options)) { std::fprintf(stderr, "%s\n", line.c_str()); }
  print_lacks(o, request);
  if (samples < kFewSamples) { std::fprintf(stderr, "%s\n", explain_few_samples(o, request).c_str()); }
  if (!o.hottest.empty()) {
    std::fprintf(stderr, "hottest functions (self %s%s):\n", is_of_time(o) ? "time" : printable(o.events[0].name).c_str(),
                 o.glue_folded ? ", with inlined library code" : "");
  }
  Style style = detect_style(STDERR_FILENO);
  for (const HotFunction& hot : o.hottest) {
    std::string name = fit_name(style, shown_name(hot.name), kNameWidth);
    std::fprintf(stderr, "  %7s  %s  (%s)\n", honest_percent(hot.weight, o.times.sampled + o.times.unsampled).c_str(),
                 name.c_str(), printable(hot.module).c_str());
  }
  std::vector<std::string> insights;
  if (samples >= kFewSamples && request.naming == Naming::kAtOnce) {
    insights = describe_recorded_insights(request.output, o.file_bytes, style);
  }
  std::string file = request.output == "profile.wick" ? "" : " " + shell_quote(request.output);
  if (!insights.empty()) { insights.back() += "; more: wick report --insights" + file; }
  for (const std::string& line : insights) { std::fprintf(stderr, "%s\n", line.c_str()); }
  if (request.naming == Naming::kLater) {
    std::fprintf(stderr, "symbols: not looked up (--no-symbols); add them with: wick symbolize%s\n", file.c_str());
  }
  std::fprintf(stderr, "wrote %s (%s)   next: wick report%s\n", printable(request.output).c_str(),
               human_bytes(o.file_bytes).c_str(), file.c_str());
}

}  // namespace wick
