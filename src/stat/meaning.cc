// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "stat/meaning.h"

#include <algorithm>

namespace wick::stat {
namespace {

constexpr double kMs = 1e6, kSmallCount = 1000;
constexpr Rule kRules[] = {
    {"ipc", false, 1, nullptr, 0, "below 1: the CPU mostly waits, usually for memory", "{record} -e cache-misses {target}"},
    {"ipc", true, 2, nullptr, 0, "above 2: limited by computing, not by memory", "{record} {target}"},
    {"branch-miss-share", true, 0.05, nullptr, 0, "many branches are mispredicted", "{record} -e branch-misses {target}"},
    {"cache-miss-share", true, 0.2, nullptr, 0, "many cache accesses miss", "{record} -e cache-misses {target}"},
    {"l1d-miss-share", true, 0.1, nullptr, 0, "many loads miss the first cache", "{record} -e L1-dcache-load-misses {target}"},
    {"frontend-stalls", true, 0.3, nullptr, 0, "the CPU waits for instructions: large or scattered code", "{record} {target}"},
    {"backend-stalls", true, 0.4, nullptr, 0, "the CPU waits for data or execution units", "{record} -e cache-misses {target}"},
    {"bad-speculation", true, 0.15, nullptr, 0, "work is thrown away after mispredicted branches",
     "{record} -e branch-misses {target}"},
    {"frontend-bound", true, 0.3, nullptr, 0, "limited by fetching instructions: large or scattered code", "{record} {target}"},
    {"backend-bound", true, 0.4, nullptr, 0, "limited by memory or execution units", "{record} -e cache-misses {target}"},
    {"retiring", true, 0.7, nullptr, 0, "the CPU is well used: only less work makes it faster", "{record} {target}"},
    {"run-queue-wait", true, 0.1, "task-clock", 5 * kMs, "ready threads waited for a CPU: too many threads, or a busy machine",
     "{sudo}wick top -a"},
    {"system-time", true, 0.3, "task-clock", 10 * kMs, "much of the CPU time is in the kernel", "{sudo-record} {target}"},
    {"involuntary-switches", true, 200, "task-clock", kSmallCount, "often preempted: threads compete for the CPUs",
     "{sudo}wick top -a"},
    {"context-switches", true, 5000, "task-clock", kSmallCount, "many switches: short waits, for locks or I/O",
     "{sudo-record} -e context-switches {target}"},
    {"cpu-migrations", true, 200, "task-clock", kSmallCount / 10, "threads often move to another CPU, and lose its caches",
     "{sudo-record} -e cpu-migrations {target}"},
    {"page-faults", true, 20000, "task-clock", 10 * kSmallCount, "much memory is used for the first time",
     "{record} -e page-faults {target}"},
    {"major-faults", true, 10, "elapsed", 20, "memory is read from disk: a cold cache or too little memory",
     "{record} -e major-faults {target}"},
    {"cpus-used", false, 0.5, nullptr, 0, "mostly asleep: waiting for I/O, locks, timers or other processes", "{sudo-record} -e context-switches {target}"},
    {"steal", true, 0.02, "elapsed", 10 * kMs, "the host took CPU time away: times vary from run to run", "{repeat}"},
    {"cpu-pressure", true, 0.2, "elapsed", 50 * kMs, "something on the machine waited for a CPU: others compete, or the target itself",
     "{sudo}wick top -a"},
    {"memory-pressure", true, 0.01, "elapsed", 10 * kMs, "something on the machine waited for memory", "cat /proc/meminfo"},
    {"io-pressure", true, 0.1, "elapsed", 50 * kMs, "something on the machine waited for I/O", "cat /proc/pressure/io"},
    {"simulated-d1-miss-share", true, 0.1, nullptr, 0, "many accesses miss the simulated first cache", "{record} {target}"},
    {"simulated-branch-miss-share", true, 0.05, nullptr, 0, "many branches are mispredicted by the simulated predictor",
     "{record} {target}"},
};

constexpr double kShortNs = 50 * kMs;

bool applies(const Rule& rule, const Figure& figure, const Figures& figures) {
  double value = figure.value;
  if (figure.name == "cpus-used") {
    // A thread that waits for a CPU is not idle, and the start of a program always waits.
    const Figure *elapsed = find_figure(figures, "elapsed"), *wait = find_figure(figures, "run-queue-wait");
    if (elapsed == nullptr || elapsed->value < kShortNs) { return false; }
    if (wait != nullptr) { value += wait->value / elapsed->value; }
  }
  if (value < rule.least) { return false; }
  if (rule.per != nullptr) {
    const Figure* whole = find_figure(figures, rule.per);
    if (whole == nullptr || whole->value <= 0) { return false; }
    bool per_second = whole->unit == Unit::kNanoseconds && figure.unit != Unit::kNanoseconds;
    value /= per_second ? whole->value / 1e9 : whole->value;
  }
  return rule.above ? value > rule.limit : value < rule.limit;
}

void replace(std::string& text, std::string_view what, std::string_view by) {
  for (size_t at = 0; (at = text.find(what, at)) != text.npos; at += by.size()) { text.replace(at, what.size(), by); }
}

}  // namespace

std::span<const Rule> rules() { return kRules; }

std::vector<Meaning> find_meanings(const Figures& figures, std::string_view target, bool needs_sudo) {
  std::vector<Meaning> out;
  for (const Figure& figure : figures) {
    // What is at least so much may be more, so a rule for values below a limit proves nothing; and the other way round.
    auto rule = std::find_if(std::begin(kRules), std::end(kRules), [&](const Rule& r) {
      bool is_safe = figure.bound == Bound::kExact || (figure.bound == Bound::kAtLeast) == r.above;
      return figure.name == r.figure && is_safe && applies(r, figure, figures);
    });
    if (rule == std::end(kRules)) { continue; }
    std::string command = rule->command;
    replace(command, "{repeat}", target.starts_with("-- ") ? "wick stat -r 10 {target}" : "vmstat 1");
    replace(command, "{sudo-record}", needs_sudo ? "sudo wick record" : "wick record");
    replace(command, "{sudo}", needs_sudo ? "sudo " : "");
    replace(command, "{record}", "wick record");
    replace(command, "{target}", target);
    out.push_back({figure.name, figure.core, rule->text, std::move(command)});
  }
  return out;
}

}  // namespace wick::stat
