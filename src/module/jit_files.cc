// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "module/jit_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <map>
#include <mutex>
#include <utility>

#include "base/clock.h"
#include "base/text.h"
#include "os/proc_files.h"
#include "os/proc_tasks.h"

namespace wick {
namespace {

constexpr size_t kMaxDumps = 16;         // per process
constexpr unsigned kMaxOpenDumps = 256;  // in total
constexpr uint64_t kSecond = 1'000'000'000;
std::atomic<unsigned> open_dump_count{0};

struct stat stat_or_zero(const char* path) {
  struct stat info{};
  if (::stat(path, &info) != 0) { info = {}; }
  return info;
}

// The process's /tmp if it differs from ours, kept open so that it stays available when the process and its mounts are gone. Null
// if it is ours or unreachable.
std::shared_ptr<const Fd> find_other_tmp(uint32_t pid) {
  static std::mutex mutex;
  static std::map<std::pair<uint64_t, uint64_t>, std::weak_ptr<const Fd>> known;  // the processes of a container share it
  Fd fd = open_tmp_of(pid);
  struct stat theirs{}, ours = stat_or_zero("/tmp");
  if (!fd || ::fstat(fd.get(), &theirs) != 0 || (theirs.st_dev == ours.st_dev && theirs.st_ino == ours.st_ino)) {
    return nullptr;
  }
  std::lock_guard lock(mutex);
  std::weak_ptr<const Fd>& slot = known[{theirs.st_dev, theirs.st_ino}];
  std::shared_ptr<const Fd> shared = slot.lock();
  if (shared == nullptr) { slot = shared = std::make_shared<const Fd>(std::move(fd)); }
  return shared;
}

// The process's start by the real-time clock; 0 if unknown.
uint64_t find_start_wall_ns(uint32_t pid) {
  std::optional<TaskStat> stat = load_process_stat(static_cast<pid_t>(pid));
  timespec up{};
  if (!stat || ::clock_gettime(CLOCK_BOOTTIME, &up) != 0) { return 0; }
  uint64_t boot_wall_ns = wall_ns() - (static_cast<uint64_t>(up.tv_sec) * kSecond + static_cast<uint64_t>(up.tv_nsec));
  return boot_wall_ns + stat->start_ns;
}

}  // namespace

JitFiles::JitFiles(uint32_t pid, uint64_t start_ns, std::shared_ptr<const JitFiles> parent, Life life)
    : pid_(pid), life_(life), parent_(std::move(parent)) {
  start_wall_ns_ = wall_ns() - (now_ns() - std::min(start_ns, now_ns()));
  if (life == Life::kMaybeAlive) { ask_proc(pid); }
  if (users_.empty()) { users_ = {::geteuid()}; }
}

JitFiles::~JitFiles() {
  for (const Dump& dump : dumps_) { open_dump_count -= dump.fd.valid(); }
}

void JitFiles::ask_proc(uint32_t pid) {
  std::optional<ProcessIdentity> identity = load_process_identity(static_cast<pid_t>(pid));
  if (!identity) { return; }
  users_ = std::move(identity->users);
  pid_ = static_cast<uint32_t>(identity->inner_pid);
  tmp_ = find_other_tmp(pid);
  // The process may have started before it was first seen.
  if (uint64_t start = find_start_wall_ns(pid)) { start_wall_ns_ = std::min(start_wall_ns_, start); }
}

bool JitFiles::is_dump(std::string_view path) {
  std::string_view base = path.substr(path.find_last_of('/') + 1);
  if (!base.starts_with("jit-") || !base.ends_with(".dump") || base.size() < 10) { return false; }
  return parse_u64(base.substr(4, base.size() - 9)).has_value();
}

// Trusts only files written by the process's user or root: anyone can create a file with that name in /tmp.
bool JitFiles::is_trusted(const Fd& fd) const {
  struct stat info{};
  if (::fstat(fd.get(), &info) != 0 || !S_ISREG(info.st_mode)) { return false; }
  return info.st_uid == 0 || std::find(users_.begin(), users_.end(), info.st_uid) != users_.end();
}

void JitFiles::add_dump(const ModuleRequest& request) {
  std::lock_guard lock(mutex_);
  auto same = [&](const Dump& d) { return d.path == request.path && d.inode == request.inode && d.device == request.device; };
  if (life_ == Life::kElsewhere || dumps_.size() >= kMaxDumps || std::any_of(dumps_.begin(), dumps_.end(), same)) { return; }
  Dump dump{request.path, request.device, request.inode, Fd()};
  if (open_dump_count < kMaxOpenDumps) {
    dump.fd = open_mapped(request);
    if (dump.fd) { ++open_dump_count; }
  }
  dumps_.push_back(std::move(dump));
}

Fd JitFiles::open_map() const {
  if (life_ == Life::kElsewhere) { return {}; }
  std::string name = strf("perf-%u.map", pid_);
  // Does not follow links, which anyone could plant, and does not block on a pipe.
  constexpr int kFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  Fd fd(tmp_ != nullptr ? ::openat(tmp_->get(), name.c_str(), kFlags) : ::open(("/tmp/" + name).c_str(), kFlags));
  struct stat info{};
  if (!fd || !is_trusted(fd) || ::fstat(fd.get(), &info) != 0) { return {}; }
  uint64_t written_ns =
      static_cast<uint64_t>(std::max<int64_t>(info.st_mtim.tv_sec, 0)) * kSecond + static_cast<uint64_t>(info.st_mtim.tv_nsec);
  bool left_over = written_ns + kSecond < start_wall_ns_;  // file and /proc timestamps are coarse
  return left_over ? Fd() : std::move(fd);
}

std::vector<Fd> JitFiles::open_dumps() const {
  std::vector<Fd> out;
  std::lock_guard lock(mutex_);
  for (const Dump& dump : dumps_) {
    Fd fd = dump.fd ? Fd(::fcntl(dump.fd.get(), F_DUPFD_CLOEXEC, 0)) : open_mapped({0, dump.path, dump.device, dump.inode});
    if (fd && is_trusted(fd)) { out.push_back(std::move(fd)); }
  }
  return out;
}

}  // namespace wick
