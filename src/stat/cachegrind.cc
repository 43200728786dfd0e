// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "stat/cachegrind.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>

#include "base/fd.h"
#include "base/text.h"

namespace wick::stat {
namespace {

constexpr size_t kMostEvents = 64;

// The words of the last line that begins so.
std::vector<std::string_view> words_behind(std::string_view text, std::string_view key) {
  std::vector<std::string_view> words;
  for (std::string_view line : split(text, '\n')) {
    if (!line.starts_with(key)) { continue; }
    words.clear();
    for (std::string_view word : split(trim(line.substr(key.size())), ' ')) {
      if (!word.empty()) { words.push_back(word); }
    }
  }
  return words;
}

std::optional<uint64_t> sum_of(const CachegrindTotals& totals, std::initializer_list<std::string_view> events) {
  uint64_t sum = 0;
  for (std::string_view event : events) {
    auto found = std::find(totals.events.begin(), totals.events.end(), event);
    if (found == totals.events.end()) { return std::nullopt; }
    sum += totals.totals[static_cast<size_t>(found - totals.events.begin())];
  }
  return sum;
}

}  // namespace

Result<CachegrindTotals> parse_cachegrind(std::string_view text) {
  CachegrindTotals out;
  for (std::string_view event : words_behind(text, "events:")) { out.events.emplace_back(event); }
  for (std::string_view line : split(text, '\n')) {
    if (line.starts_with("cmd:")) { out.command = trim(line.substr(4)); }
    if (line.starts_with("events:")) { break; }
  }
  std::vector<std::string_view> summary = words_behind(text, "summary:");
  if (out.events.empty() || out.events.size() > kMostEvents) {
    return Error("not a file of cachegrind: no line \"events:\"").with_code(Errc::kBadInput);
  }
  if (summary.size() != out.events.size()) {
    return Error("the file of cachegrind is incomplete: no line \"summary:\" with %zu numbers", out.events.size())
        .with_code(Errc::kBadInput);
  }
  for (std::string_view word : summary) {
    std::optional<uint64_t> number = parse_u64(word);
    if (!number) { return Error("the summary of cachegrind is not a list of numbers").with_code(Errc::kBadInput); }
    out.totals.push_back(*number);
  }
  return out;
}

Status add_totals(CachegrindTotals& sum, const CachegrindTotals& more) {
  if (sum.events.empty()) {
    sum = more;
    return ok_status();
  }
  if (sum.events != more.events) { return Error("the files of cachegrind count different events").with_code(Errc::kBadInput); }
  for (size_t i = 0; i < sum.totals.size(); ++i) {
    uint64_t room = std::numeric_limits<uint64_t>::max() - sum.totals[i];
    sum.totals[i] += std::min(room, more.totals[i]);
  }
  return ok_status();
}

Figures simulated_figures(const CachegrindTotals& totals, Bound bound, const std::string& note) {
  Figures out;
  auto add = [&](const char* name, Unit unit, double value) {
    bool is_count = unit == Unit::kCount;
    out.push_back({name, "", unit, Scope::kSimulated, value, 1, is_count ? bound : Bound::kExact, is_count ? note : ""});
  };
  auto count = [&](const char* name, std::initializer_list<std::string_view> events) {
    std::optional<uint64_t> sum = sum_of(totals, events);
    if (sum) { add(name, Unit::kCount, static_cast<double>(*sum)); }
    return sum;
  };
  auto share = [&](const char* name, std::optional<uint64_t> part, std::optional<uint64_t> whole) {
    if (part && whole && *whole > 0) { add(name, Unit::kShare, static_cast<double>(*part) / static_cast<double>(*whole)); }
  };
  count("simulated-instructions", {"Ir"});
  count("simulated-i1-misses", {"I1mr"});
  auto accesses = count("simulated-data-accesses", {"Dr", "Dw"});
  auto d1 = count("simulated-d1-misses", {"D1mr", "D1mw"});
  share("simulated-d1-miss-share", d1, accesses);
  count("simulated-ll-misses", {"ILmr", "DLmr", "DLmw"});
  auto branches = count("simulated-branches", {"Bc", "Bi"});
  auto mispredicted = count("simulated-branch-misses", {"Bcm", "Bim"});
  share("simulated-branch-miss-share", mispredicted, branches);
  return out;
}

std::vector<std::string> cachegrind_command(const std::vector<std::string>& command, const std::string& folder) {
  std::vector<std::string> out = {"valgrind",       "--tool=cachegrind",    "--cache-sim=yes",
                                  "--branch-sim=yes", "--trace-children=yes", "--cachegrind-out-file=" + folder + "/%p.out",
                                  "--log-file=" + folder + "/%p.log"};
  out.push_back("--");
  out.insert(out.end(), command.begin(), command.end());
  return out;
}

uint64_t parse_valgrind_parent(std::string_view log) {
  constexpr std::string_view kKey = "Parent PID: ";
  size_t at = log.find(kKey);
  if (at == log.npos) { return 0; }
  std::string_view rest = log.substr(at + kKey.size());
  return parse_u64(trim(rest.substr(0, rest.find('\n')))).value_or(0);
}

Result<SimulatedRun> load_simulated(const std::string& folder) {
  SimulatedRun out;
  std::map<uint64_t, std::pair<std::string, uint64_t>> processes;  // command and parent by PID
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() != ".out") { continue; }
    WICK_LET(std::string text, read_file(entry.path().string()));
    WICK_LET(CachegrindTotals totals, parse_cachegrind(text));
    std::string log = read_file(folder + "/" + entry.path().stem().string() + ".log").value_or("");
    processes[parse_u64(entry.path().stem().string()).value_or(0)] = {totals.command, parse_valgrind_parent(log)};
    WICK_OK(add_totals(out.totals, totals));
    ++out.processes;
  }
  if (out.processes == 0) { return Error("valgrind wrote no counts"); }
  for (const auto& [pid, process] : processes) {
    auto parent = processes.find(process.second);
    out.forked += parent != processes.end() && parent->second.first == process.first;
  }
  return out;
}

}  // namespace wick::stat
