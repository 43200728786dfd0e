// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "module/debuginfod.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "base/clock.h"
#include "base/fd.h"
#include "base/text.h"
#include "os/search_path.h"

namespace wick {
namespace {

constexpr int kTickMs = 100;
constexpr size_t kMostOutput = 8192;  // a path and a newline
constexpr size_t kMostName = 4096;
constexpr uint64_t kPatienceNs = 1'000'000'000;

// Recordings may come from untrusted sources, so only a valid build ID is passed to a command.
bool can_be_asked_for(const std::string& text) {
  return text.size() >= 8 && text.size() <= 128 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

// A child with its standard output in a pipe. It has its own process group, so that Ctrl-C only reaches wick.
class Child {
 public:
  Child(const std::string& program, const std::vector<std::string>& arguments, const std::vector<std::string>& environment) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) { return; }
    out_.reset(ends[0]);
    Fd input(ends[1]), nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
    std::vector<char*> argv = pointers(arguments), envp = pointers(environment);
    pid_t parent = ::getpid();
    pid_ = ::fork();
    if (pid_ != 0) { return; }
    // After fork() in a multi-threaded process, only async-signal-safe calls are allowed.
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) { ::_exit(127); }
    ::dup2(nothing.get(), STDIN_FILENO);
    ::dup2(input.get(), STDOUT_FILENO);
    ::dup2(nothing.get(), STDERR_FILENO);
    ::execve(program.c_str(), argv.data(), envp.data());
    ::_exit(127);
  }
  ~Child() {
    if (pid_ <= 0) { return; }
    // On SIGTERM it removes its partial file. Its PID stays reserved until it is reaped.
    ::kill(-pid_, SIGTERM);
    for (uint64_t end = now_ns() + kPatienceNs; now_ns() < end && !has_ended();) { ::usleep(10'000); }
    ::kill(-pid_, SIGKILL);
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {}
  }
  bool started() const { return pid_ > 0; }
  int output() const { return out_.get(); }
  bool has_ended() {
    siginfo_t info{};
    if (!ended_ && ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid_) {
      ended_ = true;
      succeeded_ = info.si_code == CLD_EXITED && info.si_status == 0;
    }
    return ended_;
  }
  bool succeeded() const { return succeeded_; }

 private:
  static std::vector<char*> pointers(const std::vector<std::string>& texts) {
    std::vector<char*> out;
    for (const std::string& text : texts) { out.push_back(const_cast<char*>(text.c_str())); }
    out.push_back(nullptr);
    return out;
  }
  Fd out_;
  pid_t pid_ = -1;
  bool ended_ = false, succeeded_ = false;
};

// Our environment, with the smaller of the user's limit and the remaining one.
std::vector<std::string> environment_with(uint64_t left_bytes) {
  constexpr std::string_view kLimit = "DEBUGINFOD_MAXSIZE=";
  std::vector<std::string> out;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    std::string_view text = *variable;
    if (!text.starts_with(kLimit)) {
      out.emplace_back(text);
    } else if (std::optional<uint64_t> theirs = parse_u64(text.substr(kLimit.size())); theirs && *theirs > 0) {
      left_bytes = std::min(left_bytes, *theirs);
    }
  }
  out.push_back(std::string(kLimit) + std::to_string(left_bytes));
  return out;
}

// The file that debuginfod-find has fetched; empty: none, or `is_over` has ended it.
std::string run_debuginfod(const std::string& program, const std::vector<std::string>& arguments, uint64_t most_bytes,
                           const std::function<bool()>& is_over) {
  Child child(program, arguments, environment_with(most_bytes));
  if (!child.started()) { return {}; }
  std::string output;
  bool gave_up = false;
  for (bool open = true; !(gave_up = is_over());) {
    if (open) {
      pollfd waiting{child.output(), POLLIN, 0};
      ::poll(&waiting, 1, kTickMs);
      char buffer[512];
      ssize_t n = waiting.revents != 0 ? ::read(child.output(), buffer, sizeof buffer) : -1;
      if (n > 0 && output.size() < kMostOutput) { output.append(buffer, static_cast<size_t>(n)); }
      open = n != 0;
    }
    if (!open && child.has_ended()) { break; }
    if (!open) { ::usleep(5'000); }
  }
  if (gave_up || !child.succeeded()) { return {}; }
  std::string path(trim(output));
  return !path.empty() && path[0] == '/' && path.find('\n') == std::string::npos ? path : std::string();
}

}  // namespace

std::string find_debuginfod() {
  const char* urls = std::getenv("DEBUGINFOD_URLS");
  if (urls == nullptr || trim(urls).empty()) { return {}; }
  std::string program = find_program("debuginfod-find");
  return program.starts_with('/') ? program : std::string();  // not one from the current directory
}

DebugFetcher::DebugFetcher(std::string program, std::vector<WantedDebugFile> hottest_first, FetchOptions options)
    : program_(std::move(program)), wanted_(std::move(hottest_first)), options_(std::move(options)) {
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {
    all_done_ = true;  // cannot start a thread (process limit): continue without debug files
  }
}

DebugFetcher::~DebugFetcher() {
  {
    std::lock_guard lock(mutex_);
    quit_ = true;
  }
  if (thread_.joinable()) { thread_.join(); }
}

std::string DebugFetcher::wait(const std::string& build_id) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return all_done_ || done_.contains(build_id); });
  auto found = done_.find(build_id);
  return found == done_.end() ? std::string() : found->second;
}

void DebugFetcher::run() {
  FetchReport report;
  uint64_t deadline = now_ns() + options_.timeout_ns;
  for (size_t i = 0; i < wanted_.size(); ++i) {
    const WantedDebugFile& file = wanted_[i];
    if (!can_be_asked_for(file.build_id)) { continue; }
    if (report.bytes >= options_.limit_bytes) {
      report.over_limit = true;
      break;
    }
    if (options_.on_file) { options_.on_file(file.name, i + 1, wanted_.size()); }
    ++report.asked;
    auto is_over = [&] {
      std::lock_guard lock(mutex_);
      report.stopped = quit_ || now_ns() >= deadline || (options_.is_stopped && options_.is_stopped());
      return report.stopped;
    };
    std::string path =
        run_debuginfod(program_, {program_, "debuginfo", file.build_id}, options_.limit_bytes - report.bytes, is_over);
    struct stat info{};
    if (!path.empty() && ::stat(path.c_str(), &info) == 0) {
      ++report.fetched;
      report.bytes += static_cast<uint64_t>(info.st_size);
    }
    std::lock_guard lock(mutex_);
    done_[file.build_id] = path;
    changed_.notify_all();
    if (report.stopped) { break; }
  }
  if (options_.on_end) { options_.on_end(report); }
  std::lock_guard lock(mutex_);
  all_done_ = true;
  changed_.notify_all();
}

std::string requested_source(std::string_view name) {
  // As in URLs; a server's names of these characters are the same.
  constexpr std::string_view kOthers = "/._-+~@,=:";
  auto is_plain = [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || kOthers.find(c) != kOthers.npos;
  };
  if (!name.starts_with('/') || name.size() > kMostName || !std::all_of(name.begin(), name.end(), is_plain)) { return {}; }
  std::vector<std::string_view> parts;
  for (std::string_view part : split(name, '/')) {
    if (part.empty() || part == ".") { continue; }
    if (part != "..") {
      parts.push_back(part);
    } else if (parts.empty()) {
      return {};
    } else {
      parts.pop_back();
    }
  }
  std::string out;
  for (std::string_view part : parts) { out.append("/").append(part); }
  return out;
}

std::string SourceFetcher::fetch(const std::string& build_id, const std::string& name) {
  std::string requested = requested_source(name);
  if (!can_be_asked_for(build_id) || requested.empty() || report_.stopped) { return {}; }
  if (report_.bytes >= options_.limit_bytes || report_.asked >= kMostFiles) {
    report_.over_limit = true;
    return {};
  }
  ++report_.asked;
  if (options_.on_file) { options_.on_file(name, report_.asked, 0); }
  uint64_t begin = now_ns(), left_ns = options_.timeout_ns - std::min(spent_ns_, options_.timeout_ns);
  auto is_over = [&] {
    report_.stopped = now_ns() - begin >= left_ns || (options_.is_stopped && options_.is_stopped());
    return report_.stopped;
  };
  std::string path = run_debuginfod(program_, {program_, "source", build_id, requested},
                                    std::min(most_bytes_, options_.limit_bytes - report_.bytes), is_over);
  spent_ns_ += now_ns() - begin;
  struct stat info{};
  if (!path.empty() && ::stat(path.c_str(), &info) == 0) {
    ++report_.fetched;
    report_.bytes += static_cast<uint64_t>(info.st_size);
  }
  if (options_.on_end) { options_.on_end(report_); }
  return path;
}

}  // namespace wick
