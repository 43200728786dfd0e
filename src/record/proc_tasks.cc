// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/proc_tasks.h"

#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "base/fd.h"
#include "base/result.h"
#include "base/text.h"

namespace wick {
namespace {

std::vector<pid_t> numbered_entries(const std::string& directory) {
  struct Close { void operator()(DIR* d) const { ::closedir(d); } };
  std::unique_ptr<DIR, Close> dir(::opendir(directory.c_str()));
  std::vector<pid_t> ids;
  if (!dir) { return ids; }
  while (const dirent* entry = ::readdir(dir.get())) {
    std::optional<uint64_t> id = parse_u64(entry->d_name);
    if (id && *id > 0 && *id <= INT32_MAX) { ids.push_back(static_cast<pid_t>(*id)); }
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

std::optional<std::string> read_task_file(pid_t pid, pid_t tid, const char* name) {
  Result<std::string> text = read_file(strf("/proc/%d/task/%d/%s", pid, tid, name));
  if (!text.ok()) { return std::nullopt; }
  return *std::move(text);
}

}  // namespace

std::optional<TaskStat> parse_task_stat(std::string_view text, uint64_t ticks_per_second) {
  // "pid (name) state ppid …": a name may hold blanks and brackets, so the last bracket of the text ends it.
  size_t open = text.find('('), close = text.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open || ticks_per_second == 0) { return std::nullopt; }
  TaskStat stat;
  stat.name = text.substr(open + 1, close - open - 1);
  std::vector<std::string_view> fields = split(trim(text.substr(close + 1)), ' ');
  constexpr size_t kState = 0, kParent = 1, kStart = 19;  // fields 3, 4 and 22 of proc(5)
  if (fields.size() <= kStart || fields[kState].size() != 1) { return std::nullopt; }
  std::optional<uint64_t> parent = parse_u64(fields[kParent]), start = parse_u64(fields[kStart]);
  if (!parent || *parent > INT32_MAX || !start) { return std::nullopt; }
  stat.state = fields[kState][0];
  stat.parent_pid = static_cast<pid_t>(*parent);
  constexpr uint64_t kSecond = 1'000'000'000;
  stat.start_ns = *start / ticks_per_second * kSecond + *start % ticks_per_second * (kSecond / ticks_per_second);
  return stat;
}

std::optional<TaskTimes> parse_schedstat(std::string_view text) {
  std::vector<std::string_view> fields = split(trim(text), ' ');
  if (fields.size() < 2) { return std::nullopt; }
  std::optional<uint64_t> run = parse_u64(fields[0]), wait = parse_u64(fields[1]);
  if (!run || !wait) { return std::nullopt; }
  return TaskTimes{*run, *wait};
}

std::optional<uint64_t> parse_status_number(std::string_view text, std::string_view name) {
  for (std::string_view line : split(text, '\n')) {
    bool is_it = line.size() > name.size() && line.starts_with(name) && line[name.size()] == ':';
    if (is_it) { return parse_u64(trim(line.substr(name.size() + 1))); }
  }
  return std::nullopt;
}

std::vector<pid_t> load_process_ids() { return numbered_entries("/proc"); }

std::vector<pid_t> load_task_ids(pid_t pid) { return numbered_entries(strf("/proc/%d/task", pid)); }

std::optional<TaskStat> load_task_stat(pid_t pid, pid_t tid) {
  std::optional<std::string> text = read_task_file(pid, tid, "stat");
  long ticks = ::sysconf(_SC_CLK_TCK);
  return text && ticks > 0 ? parse_task_stat(*text, static_cast<uint64_t>(ticks)) : std::nullopt;
}

std::optional<TaskTimes> load_task_times(pid_t pid, pid_t tid) {
  std::optional<std::string> text = read_task_file(pid, tid, "schedstat");
  return text ? parse_schedstat(*text) : std::nullopt;
}

std::string load_task_name(pid_t pid, pid_t tid) {
  std::string name = read_task_file(pid, tid, "comm").value_or("");
  if (name.ends_with('\n')) { name.pop_back(); }
  return name;
}

std::optional<pid_t> load_process_of_thread(pid_t tid) {
  Result<std::string> text = read_file(strf("/proc/%d/status", tid));
  if (!text.ok()) { return std::nullopt; }
  std::optional<uint64_t> pid = parse_status_number(*text, "Tgid");
  if (!pid || *pid == 0 || *pid > INT32_MAX) { return std::nullopt; }
  return static_cast<pid_t>(*pid);
}

}  // namespace wick
