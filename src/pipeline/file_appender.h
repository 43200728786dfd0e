// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Appends complete blocks to the recording from a separate thread, so that a slow disk never delays samples. The file gets its
// name only once recording has begun (commit), and always ends with a complete block.

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/output_file.h"
#include "base/result.h"

namespace wick {

class FileAppender {
 public:
  FileAppender() = default;
  FileAppender(const FileAppender&) = delete;
  FileAppender& operator=(const FileAppender&) = delete;
  ~FileAppender();

  // Opens a temporary file next to `path`; `path` is not touched yet.
  Status open(const std::string& path);
  // Renames the file to `path`; an existing file becomes PATH.old.
  Status commit();
  void append(std::vector<uint8_t> block);
  // Waits for all appended blocks.
  Status close();
  bool failed() const;
  // Waits until that much is in the file, and copies it to the end of `to`.
  Status copy(uint64_t bytes, OutputFile& to);
  uint64_t size_bytes() const;

 private:
  Status check_free() const;
  void run();
  void write_queue(std::unique_lock<std::mutex>& lock);

  std::string path_;
  OutputFile file_;
  std::thread thread_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::vector<uint8_t>> queue_;
  bool closing_ = false;
  uint64_t appended_bytes_ = 0;  // passed to append()
  uint64_t written_bytes_ = 0;   // complete blocks in the file
  std::optional<Error> error_;
};

}  // namespace wick
