// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/ptrace_maps.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <iterator>
#include <tuple>
#include <utility>

#include "base/clock.h"
#include "base/text.h"
#include "record/code_mappings.h"

namespace wick {
namespace {

// From the kernel's uapi of 6.11; Debian 12's headers are older.
struct ProcmapQuery {
  uint64_t size, query_flags, query_address;
  uint64_t start, end, flags, page_size, offset, inode;
  uint32_t device_major, device_minor, name_size, build_id_size;
  uint64_t name_address, build_id_address;
};
static_assert(sizeof(ProcmapQuery) == 104);
constexpr unsigned long kProcmapQuery = _IOWR('f', 17, ProcmapQuery);
constexpr uint64_t kExecutable = 4;

constexpr uint64_t kIdleRereadNs = 100'000'000;  // interval of rereading everything even if nothing seems to have changed
// Reading may take 1/N of the time: if nothing seems to have changed, and if something has.
constexpr uint64_t kIdleShare = 100, kChangedShare = 20;

auto identity(const MmapEvent& m) { return std::tie(m.start, m.length, m.file_offset, m.device, m.inode, m.path); }

}  // namespace

std::vector<SideEvent> compare_mappings(const std::vector<MmapEvent>& before, const std::vector<MmapEvent>& after,
                                        uint64_t time_ns) {
  std::vector<SideEvent> changes;
  auto has = [](const std::vector<MmapEvent>& list, const MmapEvent& wanted) {
    auto found = std::lower_bound(list.begin(), list.end(), wanted.start,
                                  [](const MmapEvent& m, uint64_t start) { return m.start < start; });
    return found != list.end() && identity(*found) == identity(wanted);
  };
  for (const MmapEvent& mapping : before) {
    if (!has(after, mapping)) { changes.emplace_back(MunmapEvent{time_ns, mapping.pid, mapping.start, mapping.length}); }
  }
  for (const MmapEvent& mapping : after) {
    if (has(before, mapping)) { continue; }
    MmapEvent added = mapping;
    added.time_ns = time_ns;
    changes.emplace_back(std::move(added));
  }
  return changes;
}

void ProcessMaps::begin_program(uint64_t time_ns, std::vector<SideEvent>& out) {
  known_.clear();
  maps_fd_.reset();  // an open descriptor shows the old program's memory
  size_pages_ = 0;   // the new program may have the same size
  reread(pid_, time_ns, out);
}

const MmapEvent* ProcessMaps::find_known(uint64_t address) const {
  auto after =
      std::upper_bound(known_.begin(), known_.end(), address, [](uint64_t a, const MmapEvent& m) { return a < m.start; });
  if (after == known_.begin()) { return nullptr; }
  const MmapEvent& candidate = *std::prev(after);
  return address - candidate.start < candidate.length ? &candidate : nullptr;
}

ProcessMaps::Answer ProcessMaps::query(uint64_t address, const MmapEvent* known, MmapEvent& found) {
  char name[4096];
  ProcmapQuery question{};
  question.size = sizeof question;
  question.query_address = address;
  if (known == nullptr) {
    question.name_size = sizeof name;
    question.name_address = reinterpret_cast<uintptr_t>(name);
  }
  if (::ioctl(maps_fd_.get(), kProcmapQuery, &question) != 0) {
    if (errno == ENOENT) { return Answer::kNotCode; }
    if (errno == ENOTTY || errno == EINVAL) { can_query_ = false; }
    return Answer::kCannotTell;
  }
  if (!(question.flags & kExecutable)) {
    // JIT compilers often make generated code writable for a moment while functions called from it still run.
    bool is_same = known != nullptr && question.inode == known->inode &&
                   makedev(question.device_major, question.device_minor) == known->device &&
                   (known->inode == 0 || question.offset - question.start == known->file_offset - known->start);
    return is_same ? Answer::kAsKnown : Answer::kNotCode;
  }
  bool same = known != nullptr && question.start == known->start && question.end == known->start + known->length &&
              question.offset == known->file_offset && question.inode == known->inode &&
              makedev(question.device_major, question.device_minor) == known->device;
  if (same) { return Answer::kAsKnown; }
  if (known != nullptr) {  // the name was not requested: it costs more than the rest of the query
    question.name_size = sizeof name;
    question.name_address = reinterpret_cast<uintptr_t>(name);
    question.query_address = address;
    question.query_flags = 0;
    question.build_id_size = 0;
    if (::ioctl(maps_fd_.get(), kProcmapQuery, &question) != 0) { return Answer::kCannotTell; }
  }
  // Formatted as a line of maps, so that one place parses names.
  size_t name_length = question.name_size > 0 ? std::min<size_t>(question.name_size, sizeof name) - 1 : 0;
  std::string line = strf("%llx-%llx r-xp %llx %x:%x %llu ", static_cast<unsigned long long>(question.start),
                          static_cast<unsigned long long>(question.end), static_cast<unsigned long long>(question.offset),
                          question.device_major, question.device_minor, static_cast<unsigned long long>(question.inode));
  line.append(name, name_length);
  std::vector<MmapEvent> parsed = parse_code_mappings(line, static_cast<uint32_t>(pid_), 0);
  if (parsed.size() != 1) { return Answer::kCannotTell; }
  found = std::move(parsed[0]);
  return Answer::kDiffers;
}

bool ProcessMaps::size_changed(pid_t tid) {
  if (!statm_fd_) { statm_fd_.reset(::open(strf("/proc/%d/statm", tid).c_str(), O_RDONLY | O_CLOEXEC)); }
  char text[128];
  ssize_t n = ::pread(statm_fd_.get(), text, sizeof text, 0);
  uint64_t pages = 0;
  bool unread = n <= 0 || std::from_chars(text, text + n, pages).ec != std::errc() || pages == 0;
  if (unread) {
    statm_fd_.reset();  // that thread ended: use another one next time
    return false;
  }
  return std::exchange(size_pages_, pages) != pages;
}

bool ProcessMaps::check(std::span<const uint64_t> code, pid_t tid, uint64_t time_ns, std::vector<SideEvent>& out,
                        bool is_complete) {
  if (!maps_fd_) { maps_fd_.reset(::open(strf("/proc/%d/maps", tid).c_str(), O_RDONLY | O_CLOEXEC)); }
  bool changed = false;
  uint64_t start = 0, length = 0;  // the previous address's mapping: most callers are in the same one
  right_.clear();
  for (uint64_t address : code) {
    if (!can_query_) { break; }
    if (address - start < length) { continue; }
    const MmapEvent* known = find_known(address);
    length = 0;
    MmapEvent found;
    bool was_asked = known != nullptr && std::find(right_.begin(), right_.end(), known->start) != right_.end();
    switch (was_asked ? Answer::kAsKnown : query(address, known, found)) {
      case Answer::kAsKnown:
        start = known->start;
        length = known->length;
        if (!was_asked) { right_.push_back(start); }
        break;
      case Answer::kNotCode:
        if (known != nullptr) {
          drop(known->start, known->start + known->length, time_ns, out);
          changed = true;
        }
        break;
      case Answer::kDiffers:
        if (may_read(time_ns, kChangedShare)) { return reread(tid, time_ns, out) || changed; }
        mend(std::move(found), time_ns, out);
        changed = true;
        break;
      case Answer::kCannotTell: break;
    }
  }
  if (!can_query_) { return check_by_reading(code, tid, time_ns, out) || changed; }
  if (!is_complete && !changed && may_read(time_ns, kIdleShare)) { return reread(tid, time_ns, out); }
  return changed;
}

bool ProcessMaps::may_read(uint64_t time_ns, uint64_t share) const { return time_ns - read_time_ns_ >= share * read_cost_ns_; }

bool ProcessMaps::check_by_reading(std::span<const uint64_t> code, pid_t tid, uint64_t time_ns, std::vector<SideEvent>& out) {
  bool resized = size_changed(tid);
  bool is_news = resized || std::any_of(code.begin(), code.end(), [this](uint64_t a) { return find_known(a) == nullptr; });
  bool is_old = time_ns - read_time_ns_ >= std::max(kIdleRereadNs, kIdleShare * read_cost_ns_);
  if ((is_news && may_read(time_ns, kChangedShare)) || is_old) { return reread(tid, time_ns, out); }
  if (resized) { size_pages_ = 0; }  // treated as changed until a reread is due
  return false;
}

bool ProcessMaps::reread(pid_t tid, uint64_t time_ns, std::vector<SideEvent>& out) {
  uint64_t begin = thread_cpu_ns();
  std::string text = read_file(strf("/proc/%d/maps", tid)).value_or("");
  std::vector<MmapEvent> now = parse_code_mappings(text, static_cast<uint32_t>(pid_), time_ns);
  read_time_ns_ = time_ns;
  std::vector<SideEvent> changes;
  bool nothing_seen = now.empty();  // it ended or access is denied: keep the known mappings
  if (!nothing_seen) {
    changes = compare_mappings(known_, now, time_ns);
    known_ = std::move(now);
  }
  read_cost_ns_ = thread_cpu_ns() - begin;
  bool changed = !changes.empty();
  std::move(changes.begin(), changes.end(), std::back_inserter(out));
  return changed;
}

void ProcessMaps::drop(uint64_t start, uint64_t end, uint64_t time_ns, std::vector<SideEvent>& out) {
  auto overlaps = [&](const MmapEvent& m) { return m.start < end && start < m.start + m.length; };
  for (const MmapEvent& old : known_) {
    if (overlaps(old)) { out.emplace_back(MunmapEvent{time_ns, old.pid, old.start, old.length}); }
  }
  std::erase_if(known_, overlaps);
}

void ProcessMaps::mend(MmapEvent mapping, uint64_t time_ns, std::vector<SideEvent>& out) {
  drop(mapping.start, mapping.start + mapping.length, time_ns, out);
  mapping.time_ns = time_ns;
  auto place = std::lower_bound(known_.begin(), known_.end(), mapping.start,
                                [](const MmapEvent& m, uint64_t start) { return m.start < start; });
  known_.insert(place, mapping);
  out.emplace_back(std::move(mapping));
}

}  // namespace wick
