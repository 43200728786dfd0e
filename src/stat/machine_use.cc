// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "stat/machine_use.h"

#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/text.h"
#include "os/proc_tasks.h"

namespace wick::stat {
namespace {

std::optional<uint64_t> load_pressure(const char* of) {
  Result<std::string> text = read_file(std::string("/proc/pressure/") + of, 4096);
  return text.ok() ? parse_pressure(*text) : std::nullopt;
}

}  // namespace

std::optional<uint64_t> parse_pressure(std::string_view text) {
  for (std::string_view line : split(text, '\n')) {
    if (!line.starts_with("some ")) { continue; }
    size_t at = line.find("total=");
    std::optional<uint64_t> total = at == line.npos ? std::nullopt : parse_u64(trim(line.substr(at + 6)));
    if (total && *total < UINT64_MAX / 1000) { return *total * 1000; }
  }
  return std::nullopt;
}

uint64_t parse_busy_ticks(std::string_view text) {
  std::vector<std::string_view> words = split(text.substr(0, text.find('\n')), ' ');
  if (words.size() < 9 || words[0] != "cpu") { return 0; }
  uint64_t sum = 0;
  for (size_t field : {2, 3, 4, 7, 8}) { sum += parse_u64(words[field]).value_or(0); }  // user, nice, system, irq, softirq
  return sum;
}

MachineUse load_machine_use() {
  MachineUse use{load_pressure("cpu"), load_pressure("memory"), load_pressure("io"), 0, 0};
  use.stolen_ns = load_stolen_time();
  Result<std::string> text = read_file("/proc/stat");
  uint64_t ticks = static_cast<uint64_t>(std::max(::sysconf(_SC_CLK_TCK), 1L));
  if (text.ok()) { use.busy_ns = parse_busy_ticks(*text) * (1'000'000'000 / ticks); }
  return use;
}

void add_machine_figures(Figures& figures, const MachineUse& before, const MachineUse& after) {
  auto add = [&](const char* name, std::optional<uint64_t> from, std::optional<uint64_t> to) {
    if (!from || !to) { return; }
    figures.push_back({name, "", Unit::kNanoseconds, Scope::kMachine, static_cast<double>(*to - std::min(*from, *to))});
  };
  add("steal", before.stolen_ns, after.stolen_ns);
  add("cpu-pressure", before.cpu_pressure_ns, after.cpu_pressure_ns);
  add("memory-pressure", before.memory_pressure_ns, after.memory_pressure_ns);
  add("io-pressure", before.io_pressure_ns, after.io_pressure_ns);
}

}  // namespace wick::stat
