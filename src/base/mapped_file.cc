// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "base/mapped_file.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <memory>
#include <mutex>
#include <vector>

namespace wick {

struct MappedFile::Range {
  std::atomic<uintptr_t> begin{0}, end{0};  // 0: unused
  std::atomic<bool> damaged{false};
};

namespace {

// All current and past ranges. The signal handler reads them while other threads add to them, so a block is never freed or moved.
struct Block {
  std::array<MappedFile::Range, 64> ranges;
  Block* next = nullptr;
};
std::atomic<Block*> newest_block{nullptr};

class Registry {
 public:
  MappedFile::Range& add(void* data, size_t size) {
    std::lock_guard lock(mutex_);
    if (free_.empty()) {
      blocks_.push_back(std::make_unique<Block>());
      Block& block = *blocks_.back();
      block.next = newest_block.load();
      for (MappedFile::Range& range : block.ranges) { free_.push_back(&range); }
      newest_block.store(&block);
    }
    MappedFile::Range& range = *free_.back();
    free_.pop_back();
    range.damaged = false;
    range.end = reinterpret_cast<uintptr_t>(data) + size;
    range.begin = reinterpret_cast<uintptr_t>(data);
    return range;
  }
  void remove(MappedFile::Range& range) {
    std::lock_guard lock(mutex_);
    range.begin = range.end = 0;
    free_.push_back(&range);
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::vector<MappedFile::Range*> free_;
};

Registry& registry() {
  static Registry* made = new Registry;  // never destroyed: other objects may outlive it
  return *made;
}

uintptr_t page_bytes = 4096;

void on_bus_error(int signal_number, siginfo_t* info, void*) {
  int saved = errno;
  auto address = reinterpret_cast<uintptr_t>(info->si_addr);
  for (Block* block = newest_block.load(); block != nullptr; block = block->next) {
    for (MappedFile::Range& range : block->ranges) {
      if (address < range.begin.load() || address >= range.end.load()) { continue; }
      void* page = reinterpret_cast<void*>(address & ~(page_bytes - 1));
      void* put = ::mmap(page, page_bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
      if (put == MAP_FAILED) { break; }
      range.damaged = true;
      errno = saved;
      return;
    }
  }
  ::signal(signal_number, SIG_DFL);  // not our fault: it recurs at once and ends the program
  errno = saved;
}

void take_bus_errors() {
  static std::once_flag once;
  std::call_once(once, [] {
    page_bytes = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
    struct sigaction action{};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    ::sigemptyset(&action.sa_mask);
    ::sigaction(SIGBUS, &action, nullptr);
  });
}

}  // namespace

MappedFile::~MappedFile() {
  if (data_ == nullptr) { return; }
  registry().remove(*range_);  // first, since another mapping may take the address range
  ::munmap(data_, size_);
}

Result<MappedFile> MappedFile::open(const std::string& path) {
  WICK_LET(Fd fd, open_regular(path));
  return map(fd, path);
}

Result<MappedFile> MappedFile::map(const Fd& fd, const std::string& name) {
  struct stat info{};
  if (::fstat(fd.get(), &info) != 0) { return Error::from_errno(errno, "cannot read %s", name.c_str()); }
  if (S_ISDIR(info.st_mode)) { return Error("cannot read %s: is a directory", name.c_str()).with_code(Errc::kBadInput); }
  if (!S_ISREG(info.st_mode)) { return Error("cannot read %s: not a regular file", name.c_str()).with_code(Errc::kBadInput); }
  MappedFile file;
  if (info.st_size == 0) { return file; }
  take_bus_errors();
  void* data = ::mmap(nullptr, static_cast<size_t>(info.st_size), PROT_READ, MAP_PRIVATE, fd.get(), 0);
  if (data == MAP_FAILED) { return Error::from_errno(errno, "cannot map %s", name.c_str()); }
  file.data_ = data;
  file.size_ = static_cast<size_t>(info.st_size);
  file.range_ = &registry().add(data, file.size_);
  return file;
}

bool MappedFile::is_damaged() const { return range_ != nullptr && range_->damaged.load(); }

Status MappedFile::check(const std::string& name) const {
  if (!is_damaged()) { return ok_status(); }
  return Error("cannot read %s: the file was truncated while wick read it", name.c_str()).with_code(Errc::kBadInput);
}

}  // namespace wick
