// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "os/captured_command.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "base/fd.h"

extern char** environ;

namespace wick {
namespace {

std::vector<std::string> environment_with(const std::vector<std::pair<std::string, std::string>>& variables) {
  std::vector<std::string> out;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    std::string text = *entry;
    bool is_replaced = false;
    for (const auto& [name, value] : variables) { is_replaced |= text.starts_with(name + "="); }
    if (!is_replaced) { out.push_back(std::move(text)); }
  }
  for (const auto& [name, value] : variables) { out.push_back(name + "=" + value); }
  return out;
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> out;
  for (std::string& word : words) { out.push_back(word.data()); }
  out.push_back(nullptr);
  return out;
}

int wait_for(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

Result<CapturedCommand> run_captured(const std::vector<std::string>& words,
                                     const std::vector<std::pair<std::string, std::string>>& variables, size_t most_bytes) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) { return Error::from_errno(errno, "cannot create a pipe"); }
  Fd reader(ends[0]), writer(ends[1]);
  std::vector<std::string> arguments = words, environment = environment_with(variables);
  std::vector<char*> argv = pointers_to(arguments), envp = pointers_to(environment);
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_adddup2(&files, writer.get(), STDOUT_FILENO);
  pid_t pid = 0;
  int failed = ::posix_spawnp(&pid, words[0].c_str(), &files, nullptr, argv.data(), envp.data());
  ::posix_spawn_file_actions_destroy(&files);
  if (failed != 0) { return Error::from_errno(failed, "cannot start %s", words[0].c_str()); }
  writer.reset();
  Result<std::string> output = read_fd(reader.get(), "the output of " + words[0], most_bytes);
  reader.reset();  // ends a command that still writes
  CapturedCommand out;
  out.code = wait_for(pid);
  if (!output) { return std::move(output).error(); }
  out.output = *std::move(output);
  return out;
}

}  // namespace wick
