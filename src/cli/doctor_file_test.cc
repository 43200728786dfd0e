// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "cli/doctor.h"

namespace wick {
namespace {

FileDiagnosis lacking(const std::string& name) {
  FileDiagnosis file;
  file.path = "/usr/bin/" + name;
  file.debug_source = {.package = name + "-dbgsym", .needs_archive = true};
  file.diagnosis.title = "wick doctor: " + file.path;
  file.diagnosis.findings = {{"debug_info", "debug info", Verdict::kNo, "missing", "sudo apt install " + name + "-dbgsym"}};
  return file;
}

size_t count_of(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) { ++count; }
  return count;
}

TEST(DoctorFile, OneCommandForAllDebugFiles) {
  std::vector<FileDiagnosis> files = {lacking("gzip"), lacking("bash"), lacking("make")};
  std::string text = render_files(files, {});
  EXPECT_EQ(count_of(text, "sudo apt update"), count_of(text, "sources.list.d")) << text;
  EXPECT_LE(count_of(text, "sources.list.d"), 1u) << text;
  EXPECT_TRUE(text.ends_with("sudo apt install bash-dbgsym gzip-dbgsym make-dbgsym\n")) << text;
  EXPECT_EQ(count_of(text, "-dbgsym"), 3u) << text;
  EXPECT_EQ(count_of(text, "wick doctor: /usr/bin/"), 3u) << text;
}

TEST(DoctorFile, NoCommandIfThereIsNoDebugFile) {
  FileDiagnosis file = lacking("gzip");
  file.debug_source = {};
  file.diagnosis.findings[0].command = "debuginfod-find debuginfo aabb";
  std::string text = render_files({&file, 1}, {});
  EXPECT_NE(text.find("$ debuginfod-find debuginfo aabb"), text.npos) << text;
  EXPECT_EQ(text.find("Or install"), text.npos) << text;
}

}  // namespace
}  // namespace wick
