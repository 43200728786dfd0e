// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/record_summary.h"

#include <unistd.h>

#include <cstdio>

#include "analyze/format.h"
#include "base/text.h"
#include "base/utf8.h"
#include "term/fit.h"

namespace wick {
namespace {

constexpr uint64_t kFewSamples = 100;
constexpr int kNameWidth = 90;
constexpr uint64_t kHardlyAnyNs = 20'000'000;

std::string percent(uint64_t part, uint64_t whole) {
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

std::string stack_line(const RecordingOutcome& o, UnwindMode unwind) {
  if (unwind == UnwindMode::kFramePointers) {  // which nobody can judge, but for their number
    uint64_t cut = counter(o, "stacks.too_deep");
    if (cut == 0) { return {}; }
    return "stacks: " + percent(cut, o.totals.samples) +
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
  std::string line = "stacks: " + percent(whole, judged) + " whole";
  std::string details;
  auto add = [&](const char* name, const char* words) {
    uint64_t n = counter(o, name);
    if (n > 0) { details += (details.empty() ? "" : ", ") + percent(n, judged) + " " + words; }
  };
  add("stacks.live", "finished from the live process");
  add("stacks.joined", "joined to the thread's last whole stack");
  add("stacks.mended", "walked past what a thrown exception overwrote");
  add("stacks.cut", "cut (try --stack-size 65528)");
  add("stacks.no_row", "ended in code without unwind tables");
  add("stacks.bad_row", "ended where the unwind tables do not fit");
  add("stacks.no_mapping", "ended outside of any known file");
  add("stacks.too_deep", "deeper than --max-depth");
  return details.empty() ? line : line + " (" + details + ")";
}

std::string advice_for(const std::string& path) {
  if (path == "[kernel]") { return "names of the kernel are hidden: sudo sysctl kernel.kptr_restrict=0, and record as root"; }
  bool generated = path.empty() || path[0] == '[' || path.starts_with("//") || path.starts_with("/memfd:");
  if (generated) {
    return "code made at run time, which its compiler has to tell of (node --perf-basic-prof …): man wick-record";
  }
  bool system = path.starts_with("/usr/") || path.starts_with("/lib");
  return system ? "a system file without its symbols; wick doctor " + shell_quote(path)
                : "stripped? see: wick doctor " + shell_quote(path);
}

void print_names(const RecordingOutcome& o) {
  uint64_t unnamed = 0;
  for (const UnnamedModule& m : o.unnamed) { unnamed += m.samples; }
  if (unnamed == 0 || unnamed * 200 < o.totals.samples) { return; }  // none, or under half a percent
  std::fprintf(stderr, "names:  %s of the samples have none:\n", percent(unnamed, o.totals.samples).c_str());
  for (size_t i = 0; i < o.unnamed.size() && i < 3 && o.unnamed[i].samples * 200 >= o.totals.samples; ++i) {
    std::fprintf(stderr, "  %7s  %s: %s\n", percent(o.unnamed[i].samples, o.totals.samples).c_str(),
                 printable(o.unnamed[i].path).c_str(), printable(advice_for(o.unnamed[i].path)).c_str());
  }
}

// Why there is nothing, as far as it is known.
std::string explain_no_samples(const RecordingOutcome& o) {
  if (o.lost > 0) { return "no samples: all that the kernel made were lost"; }
  if (o.cpu_ns < kHardlyAnyNs) { return "no samples: the target used hardly any CPU time while it was recorded"; }
  if (o.unseen_ns > o.cpu_ns / 2) { return "no samples: the target's CPU time was spent in the kernel, which is hidden here"; }
  return "no samples in " + seconds(o.cpu_ns) + " of CPU time: record longer, more often (-F 9997) or by another event (-e)";
}

}  // namespace

StatusLine::StatusLine(bool wanted) : on_(wanted && ::isatty(STDERR_FILENO)) {}

void StatusLine::show(const Progress& p) {
  shown_ = true;
  double elapsed = static_cast<double>(p.elapsed_ns) / 1e9;
  std::string line = p.waiting
                         ? strf("waiting %.1f s", elapsed)
                         : strf("recording %.1f s   %s samples (%.0f/s)   %s lost   %s", elapsed,
                                group_thousands(p.samples).c_str(), elapsed > 0 ? static_cast<double>(p.samples) / elapsed : 0,
                                group_thousands(p.lost).c_str(), human_bytes(p.file_bytes).c_str());
  std::fprintf(stderr, "\r\033[K%s  ", line.c_str());
  std::fflush(stderr);
}

void StatusLine::clear() {
  if (shown_) { std::fprintf(stderr, "\r\033[K"); }
  shown_ = false;
}

void print_record_summary(const RecordingOutcome& o, const RecordRequest& request) {
  if (request.quiet) { return; }
  uint64_t samples = o.totals.samples;
  std::string lost = o.lost == 0
                         ? "none lost"
                         : strf("%s lost (%s)", group_thousands(o.lost).c_str(), percent(o.lost, samples + o.lost).c_str());
  if (uint64_t side = counter(o, "side.lost"); side > 0) {
    lost += strf("; %s reports of mappings and names lost", group_thousands(side).c_str());
  }
  if (uint64_t throttled = counter(o, "throttled"); throttled > 0) {
    lost += strf("; the kernel held sampling back %s times", group_thousands(throttled).c_str());
  }
  std::fprintf(stderr, "recorded %s in %s from %s of %s; %s\n", count(samples, "sample", "samples").c_str(),
               seconds(o.elapsed_ns).c_str(), count(o.totals.threads, "thread", "threads").c_str(),
               count(o.totals.processes, "process", "processes").c_str(), lost.c_str());
  for (const std::string& note : o.notes) { std::fprintf(stderr, "note:   %s\n", printable(note).c_str()); }
  if (samples > 0) {
    std::string stacks = stack_line(o, request.options.unwind);
    if (!stacks.empty()) { std::fprintf(stderr, "%s\n", stacks.c_str()); }
  }
  if (o.unseen_ns > 0 && o.unseen_ns * 200 > o.cpu_ns) {
    std::fprintf(stderr, "kernel: %s of %s CPU time (%s) was spent there, unseen\n", seconds(o.unseen_ns).c_str(),
                 seconds(o.cpu_ns).c_str(), percent(o.unseen_ns, o.cpu_ns).c_str());
  }
  print_names(o);
  if (samples == 0) {
    std::fprintf(stderr, "%s\n", explain_no_samples(o).c_str());
  } else if (samples < kFewSamples) {
    std::fprintf(stderr, "that is too little to trust: record longer, more often (-F 9997) or several runs (--iterations 20)\n");
  }
  if (!o.hottest.empty()) { std::fprintf(stderr, "hottest functions, by the time in themselves:\n"); }
  Style style = detect_style(STDERR_FILENO);
  for (const HotFunction& hot : o.hottest) {
    std::string name = fit_name(style, shown_name(hot.name), kNameWidth);
    std::fprintf(stderr, "  %7s  %s  (%s)\n", percent(hot.samples, samples).c_str(), name.c_str(), printable(hot.module).c_str());
  }
  std::string file = request.output == "profile.wick" ? "" : " " + shell_quote(request.output);
  std::fprintf(stderr, "wrote %s (%s)   next: wick report%s\n", request.output.c_str(), human_bytes(o.file_bytes).c_str(),
               file.c_str());
}

}  // namespace wick
