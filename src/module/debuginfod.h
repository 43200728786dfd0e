// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Debug files from the network, through elfutils' `debuginfod-find`: it knows the protocol, the user's servers and their proxies,
// and keeps what it fetched. Nothing is asked for unless DEBUGINFOD_URLS names a server.

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
  size_t asked = 0, fetched = 0;  // of what was wanted
  uint64_t bytes = 0;
  bool stopped = false;     // by the user, or out of time
  bool over_limit = false;  // some were not asked for
};

struct FetchOptions {
  bool enabled = false;
  uint64_t limit_bytes = 2'000'000'000;   // of all files together
  uint64_t timeout_ns = 300'000'000'000;  // for all files together; DEBUGINFOD_TIMEOUT holds for each as ever
  std::function<bool()> is_stopped = {};  // asked ten times a second
  // Called from the thread that fetches: before each file (of so many), and at the end.
  std::function<void(const std::string& name, size_t number, size_t count)> on_file = {};
  std::function<void(const FetchReport&)> on_end = {};
};

// The program's path; empty when it is not installed or there is no server to ask.
std::string find_debuginfod();

struct WantedDebugFile {
  std::string name, build_id;
};

// Fetches one after the other, in a thread of its own.
class DebugFetcher {
 public:
  DebugFetcher(std::string program, std::vector<WantedDebugFile> hottest_first, FetchOptions options);
  ~DebugFetcher();  // gives up on what has not come

  // The file of that build; waits for it. Empty when it could not be had, or was not asked for.
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
