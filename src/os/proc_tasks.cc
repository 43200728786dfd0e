// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "os/proc_tasks.h"

#include <dirent.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <ctime>
#include <memory>

#include "base/result.h"
#include "base/text.h"

namespace wick {
namespace {

std::vector<pid_t> numbered_entries(const std::string& directory) {
  struct Close {
    void operator()(DIR* d) const { ::closedir(d); }
  };
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

uint64_t ticks_to_ns(uint64_t ticks, uint64_t per_second) {
  constexpr uint64_t kSecond = 1'000'000'000;
  return ticks / per_second * kSecond + ticks % per_second * (kSecond / per_second);
}

uint64_t ticks_per_second() { return static_cast<uint64_t>(std::max(::sysconf(_SC_CLK_TCK), 0L)); }

std::optional<std::string> read_task_file(pid_t pid, pid_t tid, const char* name) {
  Result<std::string> text = read_file(strf("/proc/%d/task/%d/%s", pid, tid, name));
  if (!text.ok()) { return std::nullopt; }
  return *std::move(text);
}

}  // namespace

std::optional<TaskStat> parse_task_stat(std::string_view text, uint64_t per_second) {
  // "pid (name) state ppid …": a name may contain blanks and brackets, so it ends at the last bracket of the text.
  size_t open = text.find('('), close = text.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open || per_second == 0) {
    return std::nullopt;
  }
  TaskStat stat;
  stat.name = text.substr(open + 1, close - open - 1);
  std::vector<std::string_view> fields = split(trim(text.substr(close + 1)), ' ');
  // Fields 3, 4, 14, 15, 17 and 22 of proc(5).
  constexpr size_t kState = 0, kParent = 1, kUser = 11, kSystem = 12, kChildrenSystem = 14, kStart = 19;
  if (fields.size() <= kStart || fields[kState].size() != 1) { return std::nullopt; }
  std::optional<uint64_t> parent = parse_u64(fields[kParent]), start = parse_u64(fields[kStart]);
  std::optional<uint64_t> user = parse_u64(fields[kUser]), system = parse_u64(fields[kSystem]);
  std::optional<uint64_t> children = parse_u64(fields[kChildrenSystem]);
  if (!parent || *parent > INT32_MAX || !start || !user || !system || !children) { return std::nullopt; }
  stat.state = fields[kState][0];
  stat.parent_pid = static_cast<pid_t>(*parent);
  stat.start_ns = ticks_to_ns(*start, per_second);
  stat.cpu_ns = ticks_to_ns(*user + *system, per_second);
  stat.system_ns = ticks_to_ns(*system + *children, per_second);
  return stat;
}

std::optional<TaskTimes> parse_schedstat(std::string_view text) {
  // Called for each thread a thousand times per second, so it allocates no memory.
  TaskTimes times;
  const char* at = text.data();
  const char* end = at + text.size();
  for (uint64_t* value : {&times.run_ns, &times.wait_ns, &times.slices}) {
    while (at != end && *at == ' ') { ++at; }
    auto [rest, error] = std::from_chars(at, end, *value);
    if (error != std::errc()) { return std::nullopt; }
    at = rest;
  }
  return times;
}

std::vector<std::string_view> parse_status_words(std::string_view text, std::string_view name) {
  for (std::string_view line : split(text, '\n')) {
    bool is_it = line.size() > name.size() && line.starts_with(name) && line[name.size()] == ':';
    if (is_it) { return split(trim(line.substr(name.size() + 1)), '\t'); }
  }
  return {};
}

std::optional<uint64_t> parse_status_number(std::string_view text, std::string_view name) {
  std::vector<std::string_view> words = parse_status_words(text, name);
  return words.size() == 1 ? parse_u64(words[0]) : std::nullopt;
}

std::vector<pid_t> load_process_ids() { return numbered_entries("/proc"); }

std::vector<pid_t> load_task_ids(pid_t pid) { return numbered_entries(strf("/proc/%d/task", pid)); }

std::optional<TaskStat> load_task_stat(pid_t pid, pid_t tid) {
  std::optional<std::string> text = read_task_file(pid, tid, "stat");
  return text ? parse_task_stat(*text, ticks_per_second()) : std::nullopt;
}

std::optional<TaskStat> load_process_stat(pid_t pid) {
  Result<std::string> text = read_file(strf("/proc/%d/stat", pid));
  return text.ok() ? parse_task_stat(*text, ticks_per_second()) : std::nullopt;
}

std::optional<TaskTimes> load_task_times(pid_t pid, pid_t tid) {
  std::optional<std::string> text = read_task_file(pid, tid, "schedstat");
  return text ? parse_schedstat(*text) : std::nullopt;
}

uint64_t load_group_time(pid_t pid) {
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(pid, &clock) != 0 || ::clock_gettime(clock, &time) != 0) { return 0; }
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

uint64_t parse_stolen_time(std::string_view text, uint64_t ticks_per_second) {
  constexpr size_t kStolen = 9;  // "cpu", two spaces, then user, nice, system, idle, iowait, irq, softirq, steal
  std::vector<std::string_view> words = split(text.substr(0, text.find('\n')), ' ');
  if (words.size() <= kStolen || words[0] != "cpu" || ticks_per_second == 0) { return 0; }
  return ticks_to_ns(parse_u64(words[kStolen]).value_or(0), ticks_per_second);
}

uint64_t load_stolen_time() {
  Result<std::string> text = read_file("/proc/stat");
  return text.ok() ? parse_stolen_time(*text, ticks_per_second()) : 0;
}

std::string load_task_name(pid_t pid, pid_t tid) {
  Result<Fd> fd = open_read(strf("/proc/%d/task/%d/comm", pid, tid));
  if (!fd.ok()) { return ""; }
  char text[64];  // names have at most 15 characters, those of kernel threads a few more
  ssize_t n = ::read(fd->get(), text, sizeof text);
  std::string_view name(text, n > 0 ? static_cast<size_t>(n) : 0);
  if (name.ends_with('\n')) { name.remove_suffix(1); }
  return std::string(name);
}

std::vector<pid_t> load_child_ids(pid_t pid, pid_t tid) {
  std::vector<pid_t> ids;
  std::string text = read_task_file(pid, tid, "children").value_or("");
  for (std::string_view child : split(text, ' ')) {
    if (std::optional<uint64_t> number = parse_u64(trim(child))) { ids.push_back(static_cast<pid_t>(*number)); }
  }
  return ids;
}

Fd open_pidfd(pid_t pid) { return Fd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))); }

std::optional<ProcessIdentity> load_process_identity(pid_t pid) {
  Result<std::string> status = read_file(strf("/proc/%d/status", pid), 65536);
  if (!status.ok()) { return std::nullopt; }
  ProcessIdentity out;
  for (std::string_view user : parse_status_words(*status, "Uid")) {
    if (std::optional<uint64_t> id = parse_u64(user)) { out.users.push_back(static_cast<uint32_t>(*id)); }
  }
  std::vector<std::string_view> pids = parse_status_words(*status, "NSpid");  // from our namespace inwards
  std::optional<uint64_t> inner = pids.empty() ? std::nullopt : parse_u64(pids.back());
  out.inner_pid = inner ? static_cast<pid_t>(*inner) : pid;
  return out;
}

std::optional<SignalSets> load_signal_sets(pid_t pid, pid_t tid) {
  std::optional<std::string> status = read_task_file(pid, tid, "status");
  if (!status) { return std::nullopt; }
  auto set = [&](std::string_view name) {
    std::vector<std::string_view> words = parse_status_words(*status, name);
    return words.size() == 1 ? parse_u64(words[0], 16) : std::nullopt;
  };
  std::optional<uint64_t> blocked = set("SigBlk"), caught = set("SigCgt");
  if (!blocked || !caught) { return std::nullopt; }
  return SignalSets{*blocked, *caught};
}

std::optional<uint64_t> load_written_bytes(pid_t pid) {
  constexpr size_t kMostProcesses = 64, kMostThreads = 16;
  uint64_t sum = 0;
  std::vector<pid_t> pids{pid};
  for (size_t i = 0; i < pids.size() && i < kMostProcesses; ++i) {
    Result<std::string> text = read_file(strf("/proc/%d/io", pids[i]), 4096);
    std::optional<uint64_t> written = text.ok() ? parse_status_number(*text, "wchar") : std::nullopt;
    bool has_ended = i > 0 || (!text.ok() && text.error().code() == Errc::kNotFound);
    if (!written && !has_ended) { return std::nullopt; }
    sum += written.value_or(0);
    std::vector<pid_t> tids = load_task_ids(pids[i]);
    tids.resize(std::min(tids.size(), kMostThreads));
    for (pid_t tid : tids) {
      for (pid_t child : load_child_ids(pids[i], tid)) { pids.push_back(child); }
    }
  }
  return sum;
}

std::optional<pid_t> load_process_of_thread(pid_t tid) {
  Result<std::string> text = read_file(strf("/proc/%d/status", tid));
  if (!text.ok()) { return std::nullopt; }
  std::optional<uint64_t> pid = parse_status_number(*text, "Tgid");
  if (!pid || *pid == 0 || *pid > INT32_MAX) { return std::nullopt; }
  return static_cast<pid_t>(*pid);
}

bool has_ended(pid_t pid, pid_t tid) {
  std::optional<TaskStat> stat = load_task_stat(pid, tid);
  return !stat || stat->state == 'Z' || stat->state == 'X';
}

}  // namespace wick
