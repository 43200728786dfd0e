// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/pager.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/text.h"
#include "cli/output.h"
#include "os/search_path.h"

namespace wick {
namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

// A pager reads keys, so this must be the terminal of the foreground process.
bool fills_terminal(std::string_view text) {
  winsize size{};
  bool is_usable = ::isatty(STDOUT_FILENO) == 1 && ::tcgetpgrp(STDOUT_FILENO) == ::getpgrp() && !environment("TERM").empty() &&
                   environment("TERM") != "dumb" && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
  return is_usable && size.ws_row > 0 && std::count(text.begin(), text.end(), '\n') >= size.ws_row;
}

// A shell command; empty: none.
std::string find_pager() {
  if (std::getenv("PAGER") == nullptr) { return find_program("less").empty() ? "" : "less"; }
  std::string_view pager = trim(environment("PAGER"));
  return pager == "cat" ? "" : std::string(pager);
}

// less must keep colors. It ends at once if the window has become large enough.
std::vector<std::string> pager_environment() {
  std::vector<std::string> out;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!std::string_view(*variable).starts_with("LESS=")) { out.emplace_back(*variable); }
  }
  out.push_back("LESS=-FR " + std::string(environment("LESS")));
  return out;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (std::string& text : texts) { out.push_back(text.data()); }
  out.push_back(nullptr);
  return out;
}

// While the pager runs, Ctrl-C and Ctrl-\ are its keys, and it may stop reading.
class IgnoredSignals {
 public:
  IgnoredSignals() {
    struct sigaction ignore{};
    ignore.sa_handler = SIG_IGN;
    for (size_t i = 0; i < std::size(kSignals); ++i) { ::sigaction(kSignals[i], &ignore, &old_[i]); }
  }
  ~IgnoredSignals() { restore(); }
  IgnoredSignals(const IgnoredSignals&) = delete;
  IgnoredSignals& operator=(const IgnoredSignals&) = delete;

  void restore() const {
    for (size_t i = 0; i < std::size(kSignals); ++i) { ::sigaction(kSignals[i], &old_[i], nullptr); }
  }

 private:
  static constexpr int kSignals[] = {SIGINT, SIGQUIT, SIGPIPE};
  struct sigaction old_[std::size(kSignals)];
};

// Returns whether the pager could be started.
bool page(std::string_view text, const std::string& pager) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) { return false; }
  Fd output(ends[0]), input(ends[1]);
  std::vector<std::string> command = {"sh", "-c", pager}, environment = pager_environment();
  std::vector<char*> argv = pointers(command), envp = pointers(environment);
  IgnoredSignals ignored;
  pid_t child = ::fork();
  if (child < 0) { return false; }
  if (child == 0) {
    // After fork() in a multi-threaded process, only async-signal-safe calls are allowed.
    ignored.restore();
    ::dup2(output.get(), STDIN_FILENO);
    ::execve("/bin/sh", argv.data(), envp.data());
    ::_exit(127);
  }
  output.reset();
  // Whoever quits the pager has seen enough.
  static_cast<void>(write_all(input.get(), as_bytes(text), "the pager"));
  input.reset();
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  return !(WIFEXITED(status) && (WEXITSTATUS(status) == 126 || WEXITSTATUS(status) == 127));
}

}  // namespace

Status write_paged(std::string_view text, Paging paging) {
  std::string pager = paging == Paging::kAuto && fills_terminal(text) ? find_pager() : std::string();
  if (!pager.empty() && page(text, pager)) { return ok_status(); }
  return write_output("", text);
}

}  // namespace wick
