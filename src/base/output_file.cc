// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "base/output_file.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>

#include "base/text.h"

namespace wick {

namespace {

constexpr int kMostTries = 100;
constexpr int kMostLinks = 8;

std::string name_of_fd(const Fd& fd) { return strf("/proc/self/fd/%d", fd.get()); }

// The descriptor that a path refers to (/dev/stdout, /dev/fd/3, /proc/self/fd/1), or -1.
int descriptor_of(std::string path) {
  for (int links = 0; links < kMostLinks; ++links) {
    for (std::string_view folder : {"/proc/self/fd/", "/dev/fd/"}) {
      if (path.starts_with(folder)) {
        char* end = nullptr;
        const char* digits = path.c_str() + folder.size();
        long number = std::strtol(digits, &end, 10);
        return end != digits && *end == '\0' && number >= 0 && number <= INT_MAX ? static_cast<int>(number) : -1;
      }
    }
    // Follows only the system's own links: anyone may have created a link elsewhere.
    if (!path.starts_with("/dev/")) { return -1; }
    char target[PATH_MAX];
    ssize_t size = ::readlink(path.c_str(), target, sizeof target);
    if (size <= 0 || static_cast<size_t>(size) == sizeof target) { return -1; }
    path.assign(target, static_cast<size_t>(size));
  }
  return -1;
}

// A name that other users of the directory cannot predict.
std::string name_beside(const std::string& name) {
  uint64_t number = 0;
  static_cast<void>(::getrandom(&number, sizeof number, GRND_NONBLOCK));
  return name + strf(".%d.%llx%s", ::getpid(), static_cast<unsigned long long>(number), kTemporarySuffix);
}

// Runs before the file gets its name, so no one can open it with the wrong owner or mode.
void give_to(const Fd& fd, const OutputFile::Owner& owner, unsigned mode) {
  struct stat info{};
  if (::fstat(fd.get(), &info) != 0) { return; }
  bool given = (info.st_uid == owner.user && info.st_gid == owner.group) || ::fchown(fd.get(), owner.user, owner.group) == 0;
  static_cast<void>(::fchmod(fd.get(), given ? mode : mode & ~unsigned{S_IRWXG}));
}

bool is_ours(const struct stat& info) { return info.st_uid == ::geteuid() || info.st_uid == 0; }
// Others may create and rename files there.
bool is_shared(const struct stat& folder) { return !is_ours(folder) || (folder.st_mode & (S_IWGRP | S_IWOTH)) != 0; }
bool is_public(const struct stat& folder) { return (folder.st_mode & (S_ISVTX | S_IWOTH)) != 0; }

FileId id_of(const struct stat& info) { return {info.st_dev, info.st_ino}; }

// A reader may come a little later; waiting forever would block the signals that a recorder blocks, too.
constexpr int kMostWaits = 500;
constexpr useconds_t kWaitUs = 10'000;

}  // namespace

// Where a path leads once links are followed.
struct OutputFile::Place {
  struct stat folder{}, file{};
  bool there = false;
};

OutputFile& OutputFile::operator=(OutputFile&& other) noexcept {
  if (this != &other) {
    discard();
    path_ = std::move(other.path_);
    folder_ = std::move(other.folder_);
    fd_ = std::move(other.fd_);
    name_ = std::move(other.name_);
    beside_ = std::exchange(other.beside_, {});
    replaces_ = other.replaces_;
  }
  return *this;
}

OutputFile::~OutputFile() { discard(); }

void OutputFile::discard() {
  if (folder_ && !beside_.empty()) { ::unlinkat(folder_.get(), beside_.c_str(), 0); }
  beside_.clear();
}

// Sets folder_ and name_, or fd_ for a descriptor.
Status OutputFile::find_place(Place& place) {
  auto failed = [&](int number) { return Error::from_errno(number, "cannot write %s", path_.c_str()); };
  if (path_.empty()) { return Error("cannot write: the file name is empty"); }
  std::string path = path_;
  for (int links = 0; links < kMostLinks; ++links) {
    if (int fd = descriptor_of(path); fd >= 0) {
      name_.clear();
      fd_.reset(::fcntl(fd, F_DUPFD_CLOEXEC, 0));
      return fd_ ? ok_status() : failed(errno);
    }
    size_t slash = path.rfind('/');
    std::string folder = slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
    name_ = slash == std::string::npos ? path : path.substr(slash + 1);
    folder_ = Fd(::openat(folder_ ? folder_.get() : AT_FDCWD, folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!folder_ || ::fstat(folder_.get(), &place.folder) != 0) { return failed(errno); }
    place.there = ::fstatat(folder_.get(), name_.c_str(), &place.file, AT_SYMLINK_NOFOLLOW) == 0;
    if (name_.empty() || name_ == "." || name_ == ".." || (place.there && S_ISDIR(place.file.st_mode))) { return failed(EISDIR); }
    bool is_link = place.there && S_ISLNK(place.file.st_mode);
    if (!is_link || is_shared(place.folder) || !is_ours(place.file)) { return ok_status(); }
    char target[PATH_MAX];
    ssize_t size = ::readlinkat(folder_.get(), name_.c_str(), target, sizeof target);
    if (size < 0) { return failed(errno); }
    if (static_cast<size_t>(size) == sizeof target) { return failed(ENAMETOOLONG); }
    path.assign(target, static_cast<size_t>(size));
  }
  return failed(ELOOP);
}

Status OutputFile::open_special(const Place& place) {
  struct stat info = place.file;
  auto is_strangers = [&] { return is_public(place.folder) && !is_ours(info); };
  auto refused = [&] { return Error("cannot write %s: another user created this FIFO or device", path_.c_str()); };
  if (is_strangers()) { return refused(); }
  for (int waits = 0; !fd_; ++waits) {
    fd_.reset(::openat(folder_.get(), name_.c_str(), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    bool waits_for_reader = errno == ENXIO && S_ISFIFO(info.st_mode);
    if (!fd_ && waits_for_reader && waits == kMostWaits) {
      return Error("cannot write %s: nothing reads this FIFO", path_.c_str());
    }
    if (!fd_ && !waits_for_reader) { return Error::from_errno(errno, "cannot write %s", path_.c_str()); }
    if (!fd_) { ::usleep(kWaitUs); }
  }
  // Another file may have taken the name meanwhile.
  if (::fstat(fd_.get(), &info) != 0) { return Error::from_errno(errno, "cannot write %s", path_.c_str()); }
  if (is_strangers()) { return refused(); }
  if (id_of(info) != id_of(place.file)) { return Error("cannot write %s: it was replaced meanwhile", path_.c_str()); }
  ::fcntl(fd_.get(), F_SETFL, ::fcntl(fd_.get(), F_GETFL) & ~O_NONBLOCK);
  name_.clear();
  return ok_status();
}

// Fails unless the path still leads to the file that is to be replaced.
Status OutputFile::check_replaced() const {
  if (!replaces_) { return ok_status(); }
  if (is_special()) { return Error("cannot replace %s: not a regular file", path_.c_str()); }
  struct stat info{};
  if (::fstatat(folder_.get(), name_.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
    return Error::from_errno(errno, "cannot replace %s", path_.c_str());
  }
  if (S_ISLNK(info.st_mode)) { return Error("cannot replace %s: another user may have created this link", path_.c_str()); }
  if (id_of(info) != *replaces_) { return Error("cannot replace %s: it was replaced meanwhile", path_.c_str()); }
  return ok_status();
}

Result<OutputFile> OutputFile::create(const std::string& path, const Rights& given) {
  OutputFile file;
  file.path_ = path;
  file.replaces_ = given.replaces;
  Place place;
  WICK_OK(file.find_place(place));
  WICK_OK(file.check_replaced());
  if (file.fd_) { return file; }
  if (place.there && !S_ISREG(place.file.st_mode) && !S_ISLNK(place.file.st_mode)) {  // cannot be replaced by rename
    WICK_OK(file.open_special(place));
    return file;
  }
  Rights rights = given;
  bool is_kept = given.replaces || (given.keep && (!is_public(place.folder) || place.file.st_uid == ::geteuid()));
  if (is_kept && place.there && S_ISREG(place.file.st_mode)) {
    rights.mode = place.file.st_mode & 0777;
    rights.owner = Owner{place.file.st_uid, place.file.st_gid};
  }
  unsigned mode = rights.owner ? 0600 : rights.mode;
  file.fd_.reset(::openat(file.folder_.get(), ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, mode));
  if (file.fd_ && ::access(name_of_fd(file.fd_).c_str(), F_OK) != 0) { file.fd_.reset(); }  // naming it needs /proc
  int number = 0;
  for (int tries = 0; !file.fd_ && tries < kMostTries && (number == 0 || number == EEXIST); ++tries) {
    std::string beside = name_beside(file.name_);
    file.fd_.reset(::openat(file.folder_.get(), beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
    number = errno;
    if (file.fd_) { file.beside_ = std::move(beside); }
  }
  if (!file.fd_) { return Error::from_errno(number, "cannot write %s", path.c_str()); }
  if (rights.owner) { give_to(file.fd_, *rights.owner, rights.mode); }
  return file;
}

Fd OutputFile::open_replaced() const {
  return is_special() ? Fd() : Fd(::openat(folder_.get(), name_.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
}

Status OutputFile::write(Bytes bytes) { return write_all(fd_.get(), bytes, path_); }

Status OutputFile::link_beside() {
  for (int tries = 0; beside_.empty() && tries < kMostTries; ++tries) {
    std::string beside = name_beside(name_);
    if (::linkat(AT_FDCWD, name_of_fd(fd_).c_str(), folder_.get(), beside.c_str(), AT_SYMLINK_FOLLOW) == 0) {
      beside_ = std::move(beside);
    } else if (errno != EEXIST) {
      break;
    }
  }
  return beside_.empty() ? Error::from_errno(errno, "cannot write %s", path_.c_str()) : ok_status();
}

Status OutputFile::commit(Old old) {
  if (is_special()) { return ok_status(); }
  WICK_OK(check_replaced());
  WICK_OK(link_beside());
  std::string kept = name_ + ".old";
  bool has_kept = old == Old::kKept && ::renameat(folder_.get(), name_.c_str(), folder_.get(), kept.c_str()) == 0;
  if (old == Old::kKept && !has_kept && errno != ENOENT) {
    return Error::from_errno(errno, "cannot keep %s as %s.old", path_.c_str(), path_.c_str());
  }
  if (::renameat(folder_.get(), beside_.c_str(), folder_.get(), name_.c_str()) != 0) {
    Error failed = Error::from_errno(errno, "cannot write %s", path_.c_str());
    if (has_kept) { ::renameat(folder_.get(), kept.c_str(), folder_.get(), name_.c_str()); }
    return failed;
  }
  beside_.clear();
  return ok_status();
}

Status write_parts_atomically(const std::string& path, std::span<const Bytes> parts, const OutputFile::Rights& rights) {
  WICK_LET(OutputFile file, OutputFile::create(path, rights));
  for (Bytes part : parts) { WICK_OK(file.write(part)); }
  return file.commit();
}

}  // namespace wick
