// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Downloads debug and source files with elfutils' `debuginfod-find`, which handles the protocol, the user's servers and proxies,
// and caches the files. Only active if DEBUGINFOD_URLS names a server.

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

namespace wick {

struct FetchReport {
  size_t asked = 0, fetched = 0;  // of the wanted files
  uint64_t bytes = 0;
  bool stopped = false;     // by the user, or timed out
  bool over_limit = false;  // some were not requested
};

struct FetchOptions {
  bool enabled = false;
  uint64_t limit_bytes = 2'000'000'000;   // total of all files
  uint64_t timeout_ns = 300'000'000'000;  // for all files together; DEBUGINFOD_TIMEOUT still applies to each
  std::function<bool()> is_stopped = {};  // polled ten times per second
  // Called on the fetching thread: before each file (number `number` of `count`), and at the end.
  std::function<void(const std::string& name, size_t number, size_t count)> on_file = {};
  std::function<void(const FetchReport&)> on_end = {};
};

// The path of debuginfod-find; empty if it is not installed or no server is configured.
std::string find_debuginfod();

struct WantedDebugFile {
  std::string name, build_id;
};

// Fetches files one after the other on its own thread.
class DebugFetcher {
 public:
  DebugFetcher(std::string program, std::vector<WantedDebugFile> hottest_first, FetchOptions options);
  ~DebugFetcher();  // abandons pending files

  // Waits for the file of that build and returns its path. Empty if it is unavailable or was not requested.
  std::string wait(const std::string& build_id);

 private:
  void run();

  std::string program_;
  std::vector<WantedDebugFile> wanted_;
  FetchOptions options_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool quit_ = false;
  std::unordered_map<std::string, std::string> done_;  // by build-id
  bool all_done_ = false;
  std::thread thread_;
};

// What to ask for a source file that debug info names: without "." and "..", which would name another document of the server.
// Empty if the name is not absolute or has characters with a meaning in URLs; it may come from an untrusted program.
std::string requested_source(std::string_view name);

// Fetches source files of programs one by one, while the caller waits.
class SourceFetcher {
 public:
  static constexpr size_t kMostFiles = 200;

  // options.limit_bytes and options.timeout_ns apply to all files together, `most_bytes` to each.
  SourceFetcher(std::string program, FetchOptions options, uint64_t most_bytes)
      : program_(std::move(program)), options_(std::move(options)), most_bytes_(most_bytes) {}

  // The path of the file with this name in the debug info of that build; empty if it is unavailable.
  std::string fetch(const std::string& build_id, const std::string& name);
  const FetchReport& report() const { return report_; }

 private:
  std::string program_;
  FetchOptions options_;
  uint64_t most_bytes_;
  uint64_t spent_ns_ = 0;
  FetchReport report_;
};

}  // namespace wick
