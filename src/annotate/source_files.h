// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Finds the source files that debug info names.
//
// The names come from the profiled program, which may be a stranger's, and the contents are shown and may be shared. So only
// regular text files are read whose names, also behind symbolic links, look like source code: a program cannot make root publish
// /etc/shadow.
//
// Files that are nowhere can be fetched from debuginfod.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/recorded_code.h"
#include "module/debuginfod.h"

namespace wick {

// Where to look besides the names themselves.
struct SourcePlaces {
  std::vector<std::string> directories{};  // any end of the name may be below them
  // Prefixes to replace, the first that fits: {"/build/app", "/home/me/app"}.
  std::vector<std::pair<std::string, std::string>> replaced{};
  std::string root{};  // of another machine (--symfs)
};

struct SourceFile {
  std::string path;             // where it was found; empty: nowhere
  bool is_recorded = false;     // the recording contains it
  bool is_fetched = false;      // from debuginfod
  bool from_directory = false;  // found below one of SourcePlaces::directories
  std::vector<std::string> lines;
  int64_t modified_ns = 0;  // since 1970
  uint64_t too_large = 0;   // size of a file that was found but is too large to show, in bytes
};

constexpr size_t kMostSourceBytes = size_t{16} << 20;  // sqlite3.c has 9 MB; short lines take 32 times as much in memory

class SourceFiles {
 public:
  // `recorded`: source files in the recording, which are preferred to those on disk; may be null.
  explicit SourceFiles(SourcePlaces places, std::shared_ptr<const RecordedCode> recorded = nullptr, FetchOptions fetch = {})
      : places_(std::move(places)), recorded_(std::move(recorded)), fetch_(std::move(fetch)) {}

  // The file with this name in the debug info of a build. Read once; valid as long as this.
  const SourceFile& find(const std::string& name, const std::string& build_id = "");

  const FetchReport* fetched() const {
    return fetcher_ != nullptr ? &fetcher_->report() : nullptr;
  }  // null: debuginfod was not asked

 private:
  const SourceFile& find_here(const std::string& name);

  SourcePlaces places_;
  std::shared_ptr<const RecordedCode> recorded_;
  FetchOptions fetch_;
  std::unique_ptr<SourceFetcher> fetcher_;
  std::map<std::string, SourceFile> files_;
  std::map<std::pair<std::string, std::string>, SourceFile> fetched_;  // by build ID and name
};

// Whether the name looks like source code: "x.cc", "x.rs", "Makefile" does not.
bool is_source_name(std::string_view name);

// The paths to try, best first.
std::vector<std::string> source_candidates(const std::string& name, const SourcePlaces& places);

}  // namespace wick
