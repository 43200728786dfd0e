// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/perf_ring.h"

#include <linux/perf_event.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace wick {

size_t page_size() { return static_cast<size_t>(::sysconf(_SC_PAGESIZE)); }

Result<PerfRing> PerfRing::map(int event_fd, size_t pages, size_t least_pages) {
  for (;; pages /= 2) {
    void* base = ::mmap(nullptr, (pages + 1) * page_size(), PROT_READ | PROT_WRITE, MAP_SHARED, event_fd, 0);
    if (base != MAP_FAILED) {
      PerfRing ring;
      ring.base_ = base;
      ring.size_ = pages * page_size();
      ring.fd_ = event_fd;
      return ring;
    }
    bool too_much = errno == EPERM || errno == ENOMEM || errno == EAGAIN;
    if (!too_much || pages / 2 < least_pages) { return Error::from_errno(errno, "cannot map a ring buffer"); }
  }
}

PerfRing::~PerfRing() {
  if (base_ != nullptr) { ::munmap(base_, size_ + page_size()); }
}

size_t PerfRing::snapshot() {
  auto* control = static_cast<perf_event_mmap_page*>(base_);
  end_ = __atomic_load_n(&control->data_head, __ATOMIC_ACQUIRE);
  return static_cast<size_t>(end_ - read_);
}

std::span<const uint8_t> PerfRing::next() {
  if (end_ - read_ < sizeof(perf_event_header)) { return {}; }
  const uint8_t* data = static_cast<const uint8_t*>(base_) + page_size();
  size_t at = static_cast<size_t>(read_ & (size_ - 1));
  perf_event_header header;
  std::memcpy(&header, data + at, sizeof header);  // records are 8-byte aligned, so the header never goes round the end
  WICK_ASSERT(header.size >= sizeof header && header.size <= end_ - read_, "the kernel writes whole records");
  read_ += header.size;
  if (at + header.size <= size_) { return {data + at, header.size}; }
  std::vector<uint8_t>& copy = wrapped_.emplace_back(header.size);
  size_t first = size_ - at;
  std::memcpy(copy.data(), data + at, first);
  std::memcpy(copy.data() + first, data, header.size - first);
  return copy;
}

void PerfRing::release() {
  wrapped_.clear();
  auto* control = static_cast<perf_event_mmap_page*>(base_);
  __atomic_store_n(&control->data_tail, read_, __ATOMIC_RELEASE);
}

}  // namespace wick
