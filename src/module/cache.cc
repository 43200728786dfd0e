// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "module/cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <vector>

#include "base/output_file.h"
#include "base/text.h"

namespace wick {
namespace {

constexpr time_t kDay = 24 * 3600, kHour = 3600;

struct Entry {
  std::string path;
  uint64_t size = 0;
  timespec used{};
};

bool is_before(const timespec& a, const timespec& b) {
  return a.tv_sec != b.tv_sec ? a.tv_sec < b.tv_sec : a.tv_nsec < b.tv_nsec;
}

// Calls `visit` with the name and status of each file in a directory; does not follow links. Skips files that vanish meanwhile.
template <typename Visit>
void visit_folder(const std::string& path, const Visit& visit) {
  std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(path.c_str()), &::closedir);
  if (folder == nullptr) { return; }
  while (const dirent* entry = ::readdir(folder.get())) {
    std::string_view name = entry->d_name;
    struct stat info{};
    if (name != "." && name != ".." && ::fstatat(::dirfd(folder.get()), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0) {
      visit(std::string(name), info);
    }
  }
}

}  // namespace

std::optional<uint64_t> cache_limit_of_user() {
  const char* text = std::getenv("WICK_CACHE_SIZE");
  return text == nullptr || text[0] == '\0' ? kDefaultCacheLimit : parse_bytes(text);
}

std::string Cache::path_of(std::string_view kind, std::string_view name) const {
  return strf("%s/%.*s/%.*s", folder_.c_str(), static_cast<int>(kind.size()), kind.data(), static_cast<int>(name.size()),
              name.data());
}

std::optional<MappedFile> Cache::load(std::string_view kind, std::string_view name) const {
  if (!keeps()) { return std::nullopt; }
  std::string path = path_of(kind, name);
  Result<Fd> fd = open_read(path);
  struct stat info{};
  if (!fd.ok() || ::fstat(fd->get(), &info) != 0) { return std::nullopt; }
  Result<MappedFile> file = MappedFile::map(*fd, path);
  if (!file.ok()) { return std::nullopt; }
  if (info.st_mtime < std::time(nullptr) - kDay) { ::futimens(fd->get(), nullptr); }
  return *std::move(file);
}

bool Cache::store(std::string_view kind, std::string_view name, std::span<const Bytes> parts) const {
  if (!keeps()) { return false; }
  uint64_t size = 0;
  for (Bytes part : parts) { size += part.size(); }
  if (size > limit_) { return false; }
  // Private to the user: the names of their programs, and the addresses of the kernel's functions.
  ::mkdir((folder_ + "/" + std::string(kind)).c_str(), 0700);
  bool written = write_parts_atomically(path_of(kind, name), parts, {.mode = 0600}).ok();
  if (written) { trim(); }
  return written;
}

void Cache::remove_others(std::string_view kind, std::string_view name) const {
  if (!keeps()) { return; }
  visit_folder(folder_ + "/" + std::string(kind), [&](const std::string& other, const struct stat& info) {
    bool temporary = other.ends_with(kTemporarySuffix);  // another process may be writing it
    if (S_ISREG(info.st_mode) && other != name && !temporary) { ::unlink(path_of(kind, other).c_str()); }
  });
}

void Cache::trim() const {
  if (folder_.empty()) { return; }
  std::vector<Entry> entries;
  uint64_t total = 0;
  time_t now = std::time(nullptr);
  visit_folder(folder_, [&](const std::string& kind, const struct stat& folder) {
    if (!S_ISDIR(folder.st_mode)) { return; }
    visit_folder(folder_ + "/" + kind, [&](const std::string& name, const struct stat& info) {
      if (!S_ISREG(info.st_mode)) { return; }
      if (name.ends_with(kTemporarySuffix)) {
        if (info.st_mtime < now - kHour) { ::unlink(path_of(kind, name).c_str()); }
        return;
      }
      entries.push_back({path_of(kind, name), static_cast<uint64_t>(info.st_size), info.st_mtim});
      total += entries.back().size;
    });
  });
  if (total <= limit_) { return; }
  // Trims well below the limit, so that not every write trims again.
  uint64_t goal = limit_ / 5 * 4;
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return is_before(a.used, b.used); });
  if (!entries.empty()) { entries.pop_back(); }  // keeps the file just written, however large
  for (const Entry& entry : entries) {
    if (total <= goal) { return; }
    ::unlink(entry.path.c_str());
    total -= entry.size;
  }
}

}  // namespace wick
