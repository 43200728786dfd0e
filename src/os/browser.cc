// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "os/browser.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

#include <cstdlib>

#include "os/search_path.h"

extern char** environ;

namespace wick {
namespace {

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

}  // namespace

Result<std::string> find_browser() {
  if (!is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY")) { return Error("there is no display").with_code(Errc::kNotFound); }
  if (::geteuid() == 0) { return Error("browsers do not start as root").with_code(Errc::kPermission); }
  for (const char* name : {"xdg-open", "x-www-browser", "firefox", "firefox-esr", "chromium", "google-chrome"}) {
    std::string path = find_program(name);
    if (!path.empty()) { return path; }
  }
  return Error("no browser was found").with_code(Errc::kNotFound);
}

Status open_in_browser(const std::string& browser, const std::string& url) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  for (int fd : {STDOUT_FILENO, STDERR_FILENO}) { ::posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_WRONLY, 0); }
  // In a new session, so that Ctrl-C does not end the browser, and with no signals blocked.
  sigset_t none;
  ::sigemptyset(&none);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
  std::string words[] = {browser, url};
  char* arguments[] = {words[0].data(), words[1].data(), nullptr};
  pid_t pid = 0;
  int code = ::posix_spawn(&pid, browser.c_str(), &files, &attributes, arguments, environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&files);
  if (code != 0) { return Error::from_errno(code, "cannot start %s", browser.c_str()); }
  return ok_status();
}

}  // namespace wick
