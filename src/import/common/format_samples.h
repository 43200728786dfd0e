// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// For tests only: one small sample of each format, from the corpora of the fuzz targets.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "import/common/import_testing.h"
#include "import/import.h"

namespace wick::testing_import {

namespace fs = std::filesystem;

// The corpus of each fuzz target and its reader.
inline const std::map<std::string, std::string> kFolderOf = {{"perf-data", "perf_data"},
                                                             {"firefox", "firefox"},
                                                             {"gecko", "gecko"},
                                                             {"speedscope", "speedscope"},
                                                             {"cpuprofile", "cpuprofile"},
                                                             {"chrome-trace", "chrome_trace"},
                                                             {"dhat", "dhat"},
                                                             {"otlp-json", "otlp_json"},
                                                             {"json", "json"},
                                                             {"callgrind", "callgrind"},
                                                             {"pprof", "pprof"},
                                                             {"otlp", "otlp"},
                                                             {"perf-script", "perf_script"},
                                                             {"xctrace", "xctrace"},
                                                             {"xdebug", "xdebug"},
                                                             {"ghcprof", "ghc_prof"},
                                                             {"vtune", "vtune"},
                                                             {"vsprof", "visual_studio"},
                                                             {"instruments", "instruments"},
                                                             {"sample", "macos_sample"},
                                                             {"go", "pprof_raw"},
                                                             {"go-traces", "pprof_traces"},
                                                             {"ibmjava", "javacore"},
                                                             {"jstack", "jstack"},
                                                             {"faulthandler", "faulthandler"},
                                                             {"elfutils", "eu_stack"},
                                                             {"gdb", "gdb"},
                                                             {"wcp", "wcp"},
                                                             {"pmc", "pmcstat"},
                                                             {"aix", "procstack"},
                                                             {"bpftrace", "bpftrace"},
                                                             {"perf-sched", "perf_sched"},
                                                             {"stap", "stap"},
                                                             {"dtrace", "dtrace"},
                                                             {"ljp", "ljp"},
                                                             {"java-exceptions", "java_exceptions"},
                                                             {"folded", "folded"}};

struct FormatSample {
  const Reader* reader;
  std::string text;
  bool is_text;
};

inline std::string contents(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string((std::istreambuf_iterator<char>(in)), {});
}

// The first file of each corpus that is a profile. perf.data has a separate reader and separate tests.
inline const std::vector<FormatSample>& format_samples() {
  static const std::vector<FormatSample> all = [] {
    std::vector<FormatSample> samples;
    for (const Reader& reader : readers()) {
      if (reader.read == nullptr) { continue; }
      fs::path folder = fs::path(WICK_SOURCE_DIR) / "tests/fuzz/corpus" / kFolderOf.at(std::string(reader.name));
      std::vector<fs::path> files(fs::directory_iterator(folder), {});
      std::sort(files.begin(), files.end());
      for (const fs::path& file : files) {
        std::string text = contents(file);
        Result<Profile> profile = read(reader, text);
        if (!profile.ok() || profile->samples().empty()) { continue; }
        samples.push_back({&reader, text, reader.name != "pprof" && reader.name != "otlp"});
        break;
      }
    }
    return samples;
  }();
  return all;
}

}  // namespace wick::testing_import
