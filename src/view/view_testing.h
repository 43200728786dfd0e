// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// For tests only: input files in a temporary folder.

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fd.h"
#include "base/output_file.h"
#include "base/text.h"
#include "view/view.h"

namespace wick::testing_view {

class Folder {
 public:
  Folder() {
    char name[] = "/tmp/wick-view-XXXXXX";
    path_ = ::mkdtemp(name);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string path(const std::string& name) const { return path_ + "/" + name; }
  std::string file(const std::string& name, std::string_view content) const {
    EXPECT_TRUE(write_file_atomically(path(name), as_bytes(content)).ok());
    return path(name);
  }

 private:
  std::string path_;
};

// perf script's text of one sample; frames from the innermost outwards.
inline std::string script_sample(std::string_view thread, int tid, double seconds, std::string_view event,
                                 const std::vector<std::string>& frames) {
  std::string out = strf("%.*s 100/%d [000] %.6f: 1 %.*s:\n", static_cast<int>(thread.size()), thread.data(), tid, seconds,
                         static_cast<int>(event.size()), event.data());
  int address = 0x1000;
  for (const std::string& frame : frames) { out += strf("\t%x %s (/opt/app)\n", address += 16, frame.c_str()); }
  return out + "\n";
}

inline ViewRequest request_of(std::vector<std::string> files, Filter filter = {}) {
  ViewRequest request;
  request.files = std::move(files);
  request.filter = std::move(filter);
  return request;
}

// Leaves of the selected samples, in order.
inline std::string leaves(const View& view) {
  const Profile& p = *view.profile;
  std::string out;
  for (uint32_t row : view.selection.samples) {
    const Frame& frame = p[p[p.samples()[row].stack].frame];
    out += (out.empty() ? "" : " ") + std::string(p.text(p[frame.function].name));
  }
  return out;
}

}  // namespace wick::testing_view
