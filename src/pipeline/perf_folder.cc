// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/perf_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <optional>
#include <string_view>

#include "base/text.h"

namespace wick {
namespace {

constexpr std::string_view kHead = "data", kPart = "data.";
constexpr size_t kMostParts = size_t{1} << 20;

struct Named {
  uint64_t number = 0;
  std::string name;
};

// The number in "data.12"; "data.012" and "data.old" are not parts.
std::optional<uint64_t> part_number(std::string_view name) {
  if (!name.starts_with(kPart)) { return std::nullopt; }
  std::string_view digits = name.substr(kPart.size());
  bool is_number =
      !digits.empty() && digits.find_first_not_of("0123456789") == digits.npos && (digits == "0" || digits[0] != '0');
  return is_number ? parse_u64(digits) : std::nullopt;
}

Result<MappedFile> map_regular(const Fd& folder, const std::string& name) {
  struct stat info{};
  if (::fstatat(folder.get(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
    return Error::from_errno(errno, "cannot open %s", name.c_str());
  }
  if (!S_ISREG(info.st_mode)) {
    const char* what = S_ISLNK(info.st_mode)    ? "a symbolic link"
                       : S_ISFIFO(info.st_mode) ? "a fifo"
                       : S_ISDIR(info.st_mode)  ? "a directory"
                                                : "a device";
    return Error("%s is %s, not a regular file", name.c_str(), what).with_code(Errc::kBadInput);
  }
  Fd fd(::openat(folder.get(), name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW));
  if (!fd) { return Error::from_errno(errno, "cannot open %s", name.c_str()); }
  return MappedFile::map(fd, name);
}

}  // namespace

Result<PerfFolder> open_perf_folder(const std::string& path) {
  auto bad = [&](const std::string& what) {
    return Error("cannot read %s: %s", path.c_str(), what.c_str()).with_code(Errc::kBadInput);
  };
  Fd fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd) { return Error::from_errno(errno, "cannot open %s", path.c_str()); }
  std::unique_ptr<DIR, int (*)(DIR*)> listing(::fdopendir(::fcntl(fd.get(), F_DUPFD_CLOEXEC, 3)), ::closedir);
  if (listing == nullptr) { return Error::from_errno(errno, "cannot read %s", path.c_str()); }
  std::vector<Named> found;
  std::vector<std::string> others;
  bool has_head = false;
  while (const dirent* entry = ::readdir(listing.get())) {
    std::string name = entry->d_name;
    has_head |= name == kHead;
    if (std::optional<uint64_t> number = part_number(name)) {
      found.push_back({*number, std::move(name)});
    } else if (name.starts_with(kPart)) {
      others.push_back(std::move(name));
    }
    if (found.size() > kMostParts) { return bad("it has more than a million files"); }
  }
  if (!has_head && found.empty()) { return bad("it is a directory, not a profile"); }
  if (!has_head) { return bad("its file \"data\" is missing, which describes the records of " + found[0].name); }

  PerfFolder folder;
  Result<MappedFile> head = map_regular(fd, std::string(kHead));
  if (!head.ok()) { return std::move(head).error().context("cannot read " + path); }
  folder.head = *std::move(head);
  std::sort(found.begin(), found.end(), [](const Named& a, const Named& b) { return a.number < b.number; });
  uint64_t missing = found.empty() ? 0 : found.back().number + 1 - found.size(), first_missing = 0;
  for (size_t i = 0; i < found.size() && found[i].number == first_missing; ++i) { ++first_missing; }
  if (missing > 0) {
    folder.problems.push_back(strf("%llu %s missing from the directory (first: data.%llu); samples are lost",
                                   static_cast<unsigned long long>(missing), missing == 1 ? "file is" : "files are",
                                   static_cast<unsigned long long>(first_missing)));
  }
  size_t unread = 0;
  std::string first_problem;
  for (Named& part : found) {
    Result<MappedFile> file = map_regular(fd, part.name);
    if (file.ok()) {
      folder.parts.push_back({std::move(part.name), *std::move(file)});
    } else if (unread++ == 0) {
      first_problem = file.error().message();
    }
  }
  if (unread > 0) {
    folder.problems.push_back(
        strf("%zu %s in the directory cannot be read: %s", unread, unread == 1 ? "file" : "files", first_problem.c_str()));
  }
  if (!others.empty()) {
    std::sort(others.begin(), others.end());
    folder.problems.push_back(strf("%zu %s in the directory %s not part of the recording (first: %s)", others.size(),
                                   others.size() == 1 ? "file" : "files", others.size() == 1 ? "is" : "are", others[0].c_str()));
  }
  return folder;
}

void release_mapped(Bytes bytes) {
  static const uintptr_t page = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  auto at = reinterpret_cast<uintptr_t>(bytes.data());
  uintptr_t begin = (at + page - 1) / page * page, end = (at + bytes.size()) / page * page;
  if (begin < end) { ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED); }
}

}  // namespace wick
