// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/perf_targets.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/text.h"
#include "os/proc_tasks.h"
#include "record/code_mappings.h"

namespace wick {
namespace {

Error no_such(const char* what, pid_t id) {
  return Error("no %s %d", what, id).with_code(Errc::kNotFound).with_hint(std::string(what) == "thread" ? "ps -eL" : "ps -e");
}

}  // namespace

Result<std::vector<pid_t>> load_target_threads(const RecordOptions& options, bool must_live) {
  std::vector<pid_t> tids;
  for (pid_t pid : options.pids) {
    std::vector<pid_t> threads = load_task_ids(pid);
    if (threads.empty() && must_live) { return no_such("process", pid); }
    tids.insert(tids.end(), threads.begin(), threads.end());
  }
  for (pid_t tid : options.tids) {
    bool lives = load_process_of_thread(tid).has_value();
    if (!lives && must_live) { return no_such("thread", tid); }
    if (lives) { tids.push_back(tid); }
  }
  std::sort(tids.begin(), tids.end());
  tids.erase(std::unique(tids.begin(), tids.end()), tids.end());
  return tids;
}

Result<std::string> find_cgroup_folder(const std::string& name) {
  std::vector<std::string> candidates;
  if (!name.empty() && name[0] == '/') { candidates.push_back(name); }
  WICK_LET(std::string mounts, read_file("/proc/self/mounts"));
  for (std::string_view line : split(mounts, '\n')) {
    std::vector<std::string_view> fields = split(line, ' ');
    if (fields.size() < 4) { continue; }
    bool usable = fields[2] == "cgroup2" || (fields[2] == "cgroup" && fields[3].find("perf_event") != std::string_view::npos);
    if (usable) { candidates.push_back(std::string(fields[1]) + "/" + name); }
  }
  for (const std::string& folder : candidates) {
    if (::access((folder + "/cgroup.procs").c_str(), F_OK) == 0) { return folder; }
  }
  return Error("no cgroup \"%s\"", name.c_str())
      .with_code(Errc::kNotFound)
      .with_hint("systemd-cgls   (or: find /sys/fs/cgroup -name cgroup.procs)");
}

Result<std::vector<pid_t>> load_cgroup_processes(const std::string& folder) {
  WICK_LET(std::string text, read_file(folder + "/cgroup.procs"));
  std::vector<pid_t> pids;
  for (std::string_view line : split(text, '\n')) {
    if (std::optional<uint64_t> pid = parse_u64(trim(line)); pid && *pid > 0) { pids.push_back(static_cast<pid_t>(*pid)); }
  }
  return pids;
}

std::vector<SideEvent> describe_processes(const std::vector<pid_t>& pids, uint64_t time_ns) {
  std::vector<SideEvent> events;
  for (pid_t pid : pids) {
    uint32_t p = static_cast<uint32_t>(pid);
    std::optional<TaskStat> stat = load_task_stat(pid, pid);
    if (!stat) { continue; }
    events.push_back(ForkEvent{time_ns, p, static_cast<uint32_t>(stat->parent_pid), p, static_cast<uint32_t>(stat->parent_pid)});
    events.push_back(CommEvent{time_ns, p, p, true, stat->name});
    std::vector<pid_t> threads = load_task_ids(pid);
    for (pid_t tid : threads) {  // a first thread that ended before the others shows no memory
      std::vector<MmapEvent> maps = load_code_mappings(pid, tid, time_ns).value_or({});
      events.insert(events.end(), std::make_move_iterator(maps.begin()), std::make_move_iterator(maps.end()));
      if (!maps.empty()) { break; }
    }
    for (pid_t tid : threads) {
      if (tid == pid) { continue; }
      uint32_t t = static_cast<uint32_t>(tid);
      events.push_back(ForkEvent{time_ns, p, p, t, p});
      std::string name = load_task_name(pid, tid);
      if (!name.empty()) { events.push_back(CommEvent{time_ns, p, t, false, name}); }
    }
  }
  return events;
}

}  // namespace wick
