// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/record_summary.h"

#include <unistd.h>

#include <cstdio>

#include "analyze/format.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cli/name_advice.h"
#include "record/perf_open.h"
#include "term/fit.h"
#include "term/titles.h"

namespace wick {
namespace {

constexpr int kNameWidth = 90;
constexpr uint64_t kHardlyAnyNs = 20'000'000;

std::string honest_percent(uint64_t part, uint64_t whole) {
  double share = whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  if (part > 0 && share < 0.05) { return "<0.1 %"; }
  if (part < whole && share > 99.95) { return "99.9 %"; }
  return strf("%.1f %%", share);
}

std::string count(uint64_t n, const char* one, const char* many) { return group_thousands(n) + " " + (n == 1 ? one : many); }
std::string seconds(uint64_t ns) { return strf(ns < 100'000'000 ? "%.3f s" : "%.1f s", static_cast<double>(ns) / 1e9); }

uint64_t counter(const RecordingOutcome& outcome, const char* name) {
  for (const capture::Counter& c : outcome.counters) {
    if (c.name == name) { return c.value; }
  }
  return 0;
}

std::string stack_line(const RecordingOutcome& o, const RecordOptions& request) {
  if (request.unwind == UnwindMode::kFramePointers) {  // which nobody can judge, but for their number
    uint64_t cut = counter(o, "stacks.too_deep");
    if (cut == 0) { return {}; }
    return "stacks: " + honest_percent(cut, o.totals.samples) +
           " cut, being deeper than --max-depth or what the kernel follows (sudo sysctl kernel.perf_event_max_stack=1024)";
  }
  uint64_t judged = 0, whole = 0;
  for (size_t i = 0; i < o.totals.quality.size(); ++i) {
    auto quality = static_cast<capture::StackQuality>(i);
    bool not_judged = quality == capture::StackQuality::kFramePointers || quality == capture::StackQuality::kNotWalked;
    judged += not_judged ? 0 : o.totals.quality[i];
    whole += !not_judged && capture::is_whole(quality) ? o.totals.quality[i] : 0;
  }
  if (judged == 0) { return {}; }
  std::string line = "stacks: " + honest_percent(whole, judged) + " whole";
  std::string details;
  auto add = [&](const char* name, const char* words) {
    uint64_t n = counter(o, name);
    if (n > 0) { details += (details.empty() ? "" : ", ") + honest_percent(n, judged) + " " + words; }
  };
  add("stacks.live", "finished from the live process");
  add("stacks.joined", "joined to the thread's last whole stack");
  add("stacks.mended", "walked past what a thrown exception overwrote");
  add("stacks.cut", request.stack_size < kLargestStackSize ? "cut (try --stack-size 65528)" : "cut");
  add("stacks.no_row", "ended in code without unwind tables");
  add("stacks.bad_row", "ended where the unwind tables do not fit");
  add("stacks.no_mapping", "ended outside of any known file");
  add("stacks.too_deep", "deeper than --max-depth");
  return details.empty() ? line : line + " (" + details + ")";
}

void print_lack(Lack lack, const std::vector<LackingModule>& modules, const RecordingOutcome& o, const RecordRequest& request) {
  std::vector<LackingFile> files;
  const std::vector<std::string>& command = request.options.command;
  std::string process = command.empty() ? "" : command[0].substr(command[0].rfind('/') + 1);
  for (const LackingModule& m : modules) { files.push_back({m.path, m.build_id, m.trouble, process, m.samples}); }
  for (const std::string& line : describe_lack(lack, std::move(files), o.totals.samples)) {
    std::fprintf(stderr, "%s\n", line.c_str());
  }
}

// Why there is nothing, as far as it is known.
std::string explain_no_samples(const RecordingOutcome& o, const RecordRequest& request) {
  if (request.limits.delay_ns > o.elapsed_ns) { return "no samples: the target ended before --delay was over"; }
  if (o.lost > 0) { return "no samples: all that the kernel made were lost"; }
  if (o.cpu_ns < kHardlyAnyNs) { return "no samples: the target used hardly any CPU time while it was recorded"; }
  if (o.unseen_ns > o.cpu_ns / 2) { return "no samples: the target's CPU time was spent in the kernel, which is hidden here"; }
  return "no samples in " + seconds(o.cpu_ns) + " of CPU time: record longer, more often (-F 9997) or by another event (-e)";
}

}  // namespace

void print_record_summary(const RecordingOutcome& o, const RecordRequest& request) {
  if (request.quiet) { return; }
  uint64_t samples = o.totals.samples;
  std::string lost =
      o.lost == 0 ? "none lost"
                  : strf("%s lost (%s)", group_thousands(o.lost).c_str(), honest_percent(o.lost, samples + o.lost).c_str());
  if (uint64_t side = counter(o, "side.lost"); side > 0) {
    lost += strf("; %s reports of mappings and names lost", group_thousands(side).c_str());
  }
  if (uint64_t throttled = counter(o, "throttled"); throttled > 0) {
    lost += strf("; the kernel held sampling back %s times", group_thousands(throttled).c_str());
  }
  std::string of_events;
  for (size_t i = 0; i < o.events.size() && o.events.size() > 1; ++i) {
    uint64_t n = i < o.totals.event_samples.size() ? o.totals.event_samples[i] : 0;
    of_events += (i == 0 ? " (" : ", ") + group_thousands(n) + " of " + o.events[i].name + (i + 1 == o.events.size() ? ")" : "");
  }
  std::fprintf(stderr, "recorded %s%s in %s from %s of %s; %s\n", count(samples, "sample", "samples").c_str(), of_events.c_str(),
               seconds(o.elapsed_ns).c_str(), count(o.totals.threads, "thread", "threads").c_str(),
               count(o.totals.processes, "process", "processes").c_str(), lost.c_str());
  for (const std::string& note : o.notes) { std::fprintf(stderr, "note:   %s\n", printable(note).c_str()); }
  if (samples > 0) {
    std::string stacks = stack_line(o, request.options);
    if (!stacks.empty()) { std::fprintf(stderr, "%s\n", stacks.c_str()); }
  }
  if (o.unseen_ns > 0 && o.unseen_ns * 200 > o.cpu_ns) {
    std::fprintf(stderr, "kernel: %s of %s CPU time (%s) was spent there, unseen\n", seconds(o.unseen_ns).c_str(),
                 seconds(o.cpu_ns).c_str(), honest_percent(o.unseen_ns, o.cpu_ns).c_str());
  }
  print_lack(Lack::kNames, o.unnamed, o, request);
  print_lack(Lack::kLines, o.lineless, o, request);
  if (samples == 0) {
    std::fprintf(stderr, "%s\n", explain_no_samples(o, request).c_str());
  } else if (samples < kFewSamples) {
    std::fprintf(stderr, "that is too little to trust: record longer, more often (-F 9997) or several runs (--iterations 20)\n");
  }
  if (!o.hottest.empty()) {
    bool by_time = o.events.empty() || o.events[0].unit == "ns" || o.events[0].unit == "cycles";
    std::fprintf(stderr, "hottest functions, by the %s in themselves:\n", by_time ? "time" : printable(o.events[0].name).c_str());
  }
  Style style = detect_style(STDERR_FILENO);
  for (const HotFunction& hot : o.hottest) {
    std::string name = fit_name(style, shown_name(hot.name), kNameWidth);
    std::fprintf(stderr, "  %7s  %s  (%s)\n", honest_percent(hot.weight, o.totals.first_weight).c_str(), name.c_str(),
                 printable(hot.module).c_str());
  }
  std::string file = request.output == "profile.wick" ? "" : " " + shell_quote(request.output);
  if (request.naming == Naming::kLater) {
    std::fprintf(stderr, "names:  left for later: views name what is still here, wick symbolize%s keeps the names\n",
                 file.c_str());
  }
  std::fprintf(stderr, "wrote %s (%s)   next: wick report%s\n", request.output.c_str(), human_bytes(o.file_bytes).c_str(),
               file.c_str());
}

}  // namespace wick
