// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/launch.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/fd.h"
#include "base/text.h"

namespace wick {
namespace {

// Uses only calls that are safe after fork() in a multi-threaded program.
[[noreturn]] void run_child(char* const* argv, int go, int failed, const sigset_t& mask, const char* directory) {
  char byte = 0;
  ssize_t n = 0;
  do { n = ::read(go, &byte, 1); } while (n < 0 && errno == EINTR);
  if (n != 1) { ::_exit(125); }
  // Signal dispositions are unchanged (nohup's ignored SIGHUP stays ignored): wick blocks signals and does not catch them.
  ::sigprocmask(SIG_SETMASK, &mask, nullptr);
  if (*directory == '\0' || ::chdir(directory) == 0) { ::execvp(argv[0], argv); }
  int error = errno;
  ssize_t ignored = ::write(failed, &error, sizeof error);
  static_cast<void>(ignored);
  ::_exit(127);
}

// Whether it is a program or script of this user that only lacks the permission.
bool lacks_permission(const std::string& path) {
  if (path.find('/') == std::string::npos || ::access(path.c_str(), X_OK) == 0) { return false; }
  Result<Fd> file = open_regular(path);
  struct stat info{};
  if (!file.ok() || ::fstat(file->get(), &info) != 0 || info.st_uid != ::geteuid()) { return false; }
  char start[4] = {};
  std::string_view magic(start, static_cast<size_t>(std::max<ssize_t>(::read(file->get(), start, sizeof start), 0)));
  return magic.starts_with("#!") || magic == "\177ELF";
}

}  // namespace

Result<Launch> Launch::prepare(const std::vector<std::string>& argv, const sigset_t& mask, const std::string& directory) {
  WICK_ASSERT(!argv.empty(), "a command to launch has at least its name");
  int go[2], failed[2];
  if (::pipe2(go, O_CLOEXEC) != 0) { return Error::from_errno(errno, "cannot create a pipe"); }
  Fd go_read(go[0]), go_write(go[1]);
  if (::pipe2(failed, O_CLOEXEC) != 0) { return Error::from_errno(errno, "cannot create a pipe"); }
  Fd failed_read(failed[0]), failed_write(failed[1]);
  std::vector<char*> pointers;
  for (const std::string& arg : argv) { pointers.push_back(const_cast<char*>(arg.c_str())); }
  pointers.push_back(nullptr);

  pid_t pid = ::fork();
  if (pid < 0) { return Error::from_errno(errno, "cannot start a process"); }
  if (pid == 0) {
    ::close(go_write.get());  // else the child would keep its own pipe open when wick dies
    run_child(pointers.data(), go_read.get(), failed_write.get(), mask, directory.c_str());
  }
  Launch launch;
  launch.name_ = argv[0];
  launch.pid_ = pid;
  launch.go_ = std::move(go_write);
  launch.failed_ = std::move(failed_read);
  return launch;
}

Launch::Launch(Launch&& other) noexcept
    : name_(std::move(other.name_)),
      pid_(std::exchange(other.pid_, -1)),
      go_(std::move(other.go_)),
      failed_(std::move(other.failed_)),
      released_(other.released_) {}

Launch::~Launch() {
  if (pid_ > 0 && !released_) {
    go_.reset();
    ::waitpid(pid_, nullptr, 0);
  }
}

Status Launch::release() {
  WICK_OK(begin_release());
  return finish_release();
}

Status Launch::begin_release() {
  released_ = true;
  if (::write(go_.get(), "g", 1) != 1) { return Error::from_errno(errno, "cannot start %s", name_.c_str()); }
  go_.reset();
  return ok_status();
}

Status Launch::finish_release() {
  int error = 0;
  ssize_t n = 0;
  do { n = ::read(failed_.get(), &error, sizeof error); } while (n < 0 && errno == EINTR);
  failed_.reset();
  if (n != sizeof error) { return ok_status(); }
  ::waitpid(pid_, nullptr, __WALL);
  pid_ = -1;
  Error failed = Error::from_errno(error, "cannot run %s", name_.c_str());
  if (error == ENOENT || error == ENOTDIR) {
    // The file exists, so its interpreter (or loader) is missing.
    bool is_there = name_.find('/') != std::string::npos && ::access(name_.c_str(), F_OK) == 0;
    if (is_there) {
      return Error("cannot run %s: its interpreter does not exist", name_.c_str()).with_code(Errc::kNotExecutable);
    }
    Error not_found = Error("cannot run %s: no such command", name_.c_str()).with_code(Errc::kNoCommand);
    bool here = name_.find('/') == std::string::npos && ::access(name_.c_str(), X_OK) == 0;
    if (here) { return std::move(not_found).with_hint("wick record -- ./" + name_); }
    return not_found;
  }
  if (error == EACCES) {
    struct stat info{};
    if (::stat(name_.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) {
      return Error("cannot run %s: is a directory", name_.c_str()).with_code(Errc::kNotExecutable);
    }
    Error denied = Error("cannot run %s: not executable", name_.c_str()).with_code(Errc::kNotExecutable);
    return lacks_permission(name_) ? std::move(denied).with_hint("chmod +x " + shell_quote(name_)) : denied;
  }
  return std::move(failed).with_code(Errc::kNotExecutable);
}

}  // namespace wick
