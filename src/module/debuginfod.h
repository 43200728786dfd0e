// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Downloads debug files with elfutils' `debuginfod-find`, which handles the protocol, the user's servers and proxies, and caches
// the files. Only active if DEBUGINFOD_URLS names a server.

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
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
  std::string fetch(const std::string& build_id, uint64_t left_bytes, uint64_t deadline_ns, bool& gave_up);

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

}  // namespace wick
