// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// `perf script | wick report` is to read the pipe; `wick report` in cron, a CI job, ssh or an editor is to read the last
// recording, although standard input is a pipe there too: one that is empty, or that nobody ever writes to or closes. Nothing in
// a pipe says which it is. What does:
//   - Bytes are in it: it is read, whoever made it.
//   - It is empty and at its end. A pipe that was made for this command (`perf script -i nosuch | wick flamegraph`) is an error:
//   a
//     picture of something else would be taken for what was asked. One that the shell of a job has as its own standard input was
//     only inherited, and does not count.
//   - Nothing comes. A program of the same pipeline may take its time, and is waited for. Where there is no such program beside
//   us,
//     whoever started us left the pipe open, and a moment is enough.
// Refused: a command that prefers the recording (what is piped into it would be passed over in silence), and a limit for waiting
// (perf script may take minutes before its first line).

#include "cli/piped_input.h"

#include <dirent.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <optional>
#include <vector>

#include "base/fd.h"
#include "base/text.h"
#include "pipeline/load.h"

namespace wick {
namespace {

using Folder = std::unique_ptr<DIR, int (*)(DIR*)>;
Folder open_folder(const std::string& path) { return {::opendir(path.c_str()), ::closedir}; }

// Not where /proc does not let us look.
std::optional<bool> is_stdin_of(pid_t pid, const struct stat& pipe) {
  struct stat theirs{};
  if (::stat(strf("/proc/%d/fd/0", static_cast<int>(pid)).c_str(), &theirs) != 0) { return std::nullopt; }
  return theirs.st_dev == pipe.st_dev && theirs.st_ino == pipe.st_ino;
}

// Of "/proc/PID/stat": "PID (name) S parent group …".
struct Family {
  pid_t parent = 0, group = 0;
};
Family family_of(pid_t pid) {
  Family family;
  Result<std::string> text = read_file(strf("/proc/%d/stat", static_cast<int>(pid)));
  if (!text.ok()) { return family; }
  size_t name_end = text->rfind(')');
  if (name_end == text->npos) { return family; }
  char state = 0;
  int parent = 0, group = 0;
  if (std::sscanf(text->c_str() + name_end + 1, " %c %d %d", &state, &parent, &group) == 3) { family = {parent, group}; }
  return family;
}

// Whether it could write to the pipe; true where that cannot be seen.
bool may_write(pid_t pid, const struct stat& pipe) {
  std::string folder = strf("/proc/%d/fd/", static_cast<int>(pid));
  Folder fds = open_folder(folder);
  if (!fds) { return errno == EACCES || errno == EPERM; }
  while (dirent* entry = ::readdir(fds.get())) {
    struct stat theirs{}, link{};
    std::string path = folder + entry->d_name;
    bool is_it = ::stat(path.c_str(), &theirs) == 0 && theirs.st_dev == pipe.st_dev && theirs.st_ino == pipe.st_ino;
    // The link's rights are those that the file was opened with.
    if (is_it && ::lstat(path.c_str(), &link) == 0 && (link.st_mode & S_IWUSR) != 0) { return true; }
  }
  return false;
}

// A program of our process group that did not start us: all of a pipeline are in one group.
bool has_writer_beside(const struct stat& pipe) {
  std::vector<pid_t> ancestors = {::getpid()};
  while (ancestors.back() > 1 && ancestors.size() < 1000) { ancestors.push_back(family_of(ancestors.back()).parent); }
  Folder processes = open_folder("/proc");
  if (!processes) { return true; }
  while (dirent* entry = ::readdir(processes.get())) {
    std::optional<uint64_t> pid = parse_u64(entry->d_name);
    if (!pid || *pid > INT32_MAX) { continue; }
    auto id = static_cast<pid_t>(*pid);
    if (std::find(ancestors.begin(), ancestors.end(), id) != ancestors.end()) { continue; }
    if (family_of(id).group == ::getpgrp() && may_write(id, pipe)) { return true; }
  }
  return false;
}

enum class Standard : uint8_t {
  kNothing,  // a terminal, /dev/null, a socket, or closed
  kBytes,
  kEmpty,
  kSilent,  // a pipe through which nothing comes
};

Standard look_at_stdin(const struct stat& info, bool has_default) {
  if (S_ISREG(info.st_mode)) {
    off_t at = ::lseek(STDIN_FILENO, 0, SEEK_CUR);
    return info.st_size > std::max<off_t>(at, 0) ? Standard::kBytes : Standard::kEmpty;
  }
  if (!S_ISFIFO(info.st_mode)) { return Standard::kNothing; }
  constexpr int kMomentMs = 500, kPatienceMs = 1500;
  pollfd waiting{STDIN_FILENO, POLLIN, 0};
  if (::poll(&waiting, 1, kMomentMs) == 0) {
    if (has_default && !has_writer_beside(info)) { return Standard::kSilent; }
    if (::poll(&waiting, 1, kPatienceMs) == 0) {
      std::fprintf(stderr, "wick: waiting for standard input; \"%s\" as an argument reads that file instead\n", kDefaultProfile);
      while (::poll(&waiting, 1, -1) < 0 && errno == EINTR) {}
    }
  }
  int bytes = 0;
  return ::ioctl(STDIN_FILENO, FIONREAD, &bytes) == 0 && bytes > 0 ? Standard::kBytes : Standard::kEmpty;
}

}  // namespace

Result<std::string> choose_input(std::string_view command) {
  bool has_default = ::access(kDefaultProfile, F_OK) == 0;
  struct stat info{};
  if (::fstat(STDIN_FILENO, &info) != 0) { return std::string(kDefaultProfile); }
  Standard standard = look_at_stdin(info, has_default);
  switch (standard) {
    case Standard::kNothing: break;
    case Standard::kBytes:
      if (has_default) { std::fprintf(stderr, "wick: this is standard input, not %s\n", kDefaultProfile); }
      return std::string(kStandardInput);
    case Standard::kEmpty:
      if (is_stdin_of(::getppid(), info) == false) {
        Error error = Error("standard input is empty").with_code(Errc::kBadInput);
        return has_default ? std::move(error).with_hint("wick " + std::string(command) + " " + kDefaultProfile) : error;
      }
      [[fallthrough]];
    case Standard::kSilent:
      if (has_default) {
        const char* what = standard == Standard::kEmpty ? "is empty" : "is a pipe that nothing comes through";
        std::fprintf(stderr, "wick: standard input %s: this is %s\n", what, kDefaultProfile);
      }
      break;
  }
  return std::string(kDefaultProfile);
}

}  // namespace wick
