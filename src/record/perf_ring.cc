// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/perf_ring.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <iterator>
#include <system_error>
#include <utility>

#include "os/process_state.h"

namespace wick {
namespace {

constexpr int kLookAfterMs = 20;
constexpr size_t kMostSpilledBytes = size_t{128} << 20;  // per ring; the kernel drops and counts further records
constexpr size_t kMostKeptBytes = size_t{8} << 20;

}  // namespace

size_t page_size() { return static_cast<size_t>(::sysconf(_SC_PAGESIZE)); }

Result<PerfRing> PerfRing::map(int event_fd, size_t pages, size_t least_pages) {
  for (;; pages /= 2) {
    void* base = ::mmap(nullptr, (pages + 1) * page_size(), PROT_READ | PROT_WRITE, MAP_SHARED, event_fd, 0);
    if (base != MAP_FAILED) {
      PerfRing ring = over(base, pages * page_size());
      ring.fd_ = event_fd;
      ring.is_mapped_ = true;
      return ring;
    }
    bool too_much = errno == EPERM || errno == ENOMEM || errno == EAGAIN;
    if (!too_much || pages / 2 < least_pages) { return Error::from_errno(errno, "cannot map a ring buffer"); }
  }
}

PerfRing PerfRing::over(void* base, size_t data_size) {
  PerfRing ring;
  ring.base_ = base;
  ring.size_ = data_size;
  return ring;
}

PerfRing::PerfRing(PerfRing&& other) noexcept
    : base_(other.base_),
      size_(other.size_),
      fd_(other.fd_),
      is_mapped_(std::exchange(other.is_mapped_, false)),
      taken_(std::move(other.taken_)),
      read_(other.read_),
      tail_(other.tail_),
      spilled_(std::move(other.spilled_)) {}

PerfRing::~PerfRing() {
  if (is_mapped_) { ::munmap(base_, size_ + page_size()); }
}

// The caller holds the lock.
void PerfRing::move_to(std::vector<uint8_t>& buffer) {
  auto* control = static_cast<perf_event_mmap_page*>(base_);
  uint64_t head = __atomic_load_n(&control->data_head, __ATOMIC_ACQUIRE);
  const uint8_t* data = static_cast<const uint8_t*>(base_) + page_size();
  size_t at = static_cast<size_t>(tail_ & (size_ - 1)), count = static_cast<size_t>(head - tail_);
  size_t first = std::min(count, size_ - at);
  buffer.insert(buffer.end(), data + at, data + at + first);
  buffer.insert(buffer.end(), data, data + (count - first));
  tail_ = head;
  __atomic_store_n(&control->data_tail, tail_, __ATOMIC_RELEASE);
}

size_t PerfRing::take() {
  std::lock_guard lock(mutex_);
  if (read_ == taken_.size()) {
    taken_.clear();
    read_ = 0;
  }
  if (taken_.empty()) {
    taken_.swap(spilled_);
  } else {
    taken_.insert(taken_.end(), spilled_.begin(), spilled_.end());
  }
  spilled_.clear();
  move_to(taken_);
  return taken_.size() - read_;
}

std::span<const uint8_t> PerfRing::next() {
  if (taken_.size() - read_ < sizeof(perf_event_header)) { return {}; }
  perf_event_header header;
  std::memcpy(&header, taken_.data() + read_, sizeof header);
  WICK_ASSERT(header.size >= sizeof header && header.size <= taken_.size() - read_, "the kernel writes whole records");
  std::span<const uint8_t> record(taken_.data() + read_, header.size);
  read_ += header.size;
  return record;
}

void PerfRing::release() {
  if (read_ != taken_.size()) { return; }
  taken_.clear();
  read_ = 0;
  if (taken_.capacity() > kMostKeptBytes) { taken_.shrink_to_fit(); }
}

void PerfRing::spill() {
  std::lock_guard lock(mutex_);
  auto* control = static_cast<perf_event_mmap_page*>(base_);
  uint64_t filled = __atomic_load_n(&control->data_head, __ATOMIC_ACQUIRE) - tail_;
  if (filled >= size_ / 4 && spilled_.size() + filled <= kMostSpilledBytes) { move_to(spilled_); }
}

RingKeeper::RingKeeper() : stop_(::eventfd(0, EFD_CLOEXEC)) {
  if (!stop_) { return; }
  try {
    std::promise<pid_t> started;
    std::future<pid_t> tid = started.get_future();
    thread_ = std::thread([&, this] { run(started); });
    tid_ = tid.get();
  } catch (const std::system_error&) {
    // Cannot start a thread (process limit): the rings must suffice.
  }
}

RingKeeper::~RingKeeper() {
  if (!thread_.joinable()) { return; }
  ::eventfd_write(stop_.get(), 1);
  thread_.join();
}

void RingKeeper::add(PerfRing* ring) {
  std::lock_guard lock(mutex_);
  rings_.push_back(ring);
}

void RingKeeper::heed(int event_fd) const {
  if (!is_running()) { return; }
  const f_owner_ex owner{F_OWNER_TID, tid_};
  if (::fcntl(event_fd, F_SETOWN_EX, &owner) == 0) { ::fcntl(event_fd, F_SETFL, ::fcntl(event_fd, F_GETFL) | O_ASYNC); }
}

void RingKeeper::run(std::promise<pid_t>& started) {
  sigset_t reports;
  ::sigemptyset(&reports);
  ::sigaddset(&reports, SIGIO);
  ::pthread_sigmask(SIG_BLOCK, &reports, nullptr);  // its default action ends the process
  Fd reported(::signalfd(-1, &reports, SFD_CLOEXEC | SFD_NONBLOCK));
  started.set_value(static_cast<pid_t>(::syscall(SYS_gettid)));
  PromptScheduling scheduling;
  for (;;) {
    pollfd fds[] = {{stop_.get(), POLLIN, 0}, {reported.get(), POLLIN, 0}};
    ::poll(fds, std::size(fds), kLookAfterMs);
    if (fds[0].revents != 0) { return; }
    signalfd_siginfo report;
    while (::read(reported.get(), &report, sizeof report) > 0) {}
    std::lock_guard lock(mutex_);
    for (PerfRing* ring : rings_) { ring->spill(); }
  }
}

}  // namespace wick
