// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/symbol_options.h"

#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "base/text.h"
#include "base/utf8.h"
#include "cli/record_options.h"
#include "module/cache_dir.h"

namespace wick {
namespace {

Status check_folder(const std::string& path, const char* option) {
  struct stat info{};
  bool there = ::stat(path.c_str(), &info) == 0;
  if (!there) { return Error::from_errno(errno, "%s %s", option, path.c_str()).with_code(Errc::kUsage); }
  if (!S_ISDIR(info.st_mode)) { return Error("%s %s: not a directory", option, path.c_str()).with_code(Errc::kUsage); }
  return ok_status();
}

// No slash at the end, since paths in a recording begin with one. Absolute, since modules are identified by path.
std::string absolute(const std::string& folder) {
  std::error_code ignored;
  std::string path = std::filesystem::absolute(folder, ignored).lexically_normal();
  while (path.ends_with('/')) { path.pop_back(); }
  return path;
}

constexpr uint64_t kMostFetchingNs = 30'000'000'000;  // for all source files of a function: someone is waiting

// On a terminal, each line replaces the previous one.
void show_fetching(const std::string& name, size_t number, size_t count) {
  bool terminal = ::isatty(STDERR_FILENO);
  std::fprintf(stderr, "%sfetching debug info of %s (%zu of %zu) …%s", terminal ? "\r\033[K" : "", printable(name).c_str(),
               number, count, terminal ? " (Ctrl-C to skip)" : "\n");
  std::fflush(stderr);
}

void show_fetched(const FetchReport& report) {
  if (::isatty(STDERR_FILENO)) { std::fprintf(stderr, "\r\033[K"); }
  std::string line = strf("fetched debug info of %zu of %zu %s (%s)", report.fetched, report.asked,
                          report.asked == 1 ? "file" : "files", human_bytes(report.bytes).c_str());
  if (report.stopped) { line += "; skipped the rest"; }
  if (report.over_limit) { line += "; the rest exceeds --fetch-limit"; }
  std::fprintf(stderr, "%s\n", line.c_str());
}

}  // namespace

void add_symbol_options(CLI::App& app, SymbolSourceOptions& options, Fetching fetching) {
  const char* group = "Symbols";
  app.add_option("--debug-dir", options.debug_dirs,
                 "Look for debug files here first (laid out like /usr/lib/debug, or flat; repeatable)")
      ->type_name("DIR")
      ->allow_extra_args(false)
      ->group(group);
  app.add_option("--symfs", options.symfs, "Look for all files below DIR first: the root of another machine")
      ->type_name("DIR")
      ->group(group);
  if (fetching == Fetching::kMay) { add_fetch_options(app, options); }
}

void add_fetch_options(CLI::App& app, SymbolSourceOptions& options) {
  const char* group = "Symbols";
  app.add_flag("--no-fetch", options.no_fetch, "Do not ask debuginfod, even if DEBUGINFOD_URLS is set")->group(group);
  app.add_option("--fetch-limit", options.fetch_limit, "Fetch at most SIZE from debuginfod [2G]")
      ->type_name("SIZE")
      ->group(group);
}

void add_source_dirs(CLI::App& app, std::vector<std::string>& dirs, const std::string& description) {
  app.add_option("--source-dir", dirs, description)->type_name("DIR")->allow_extra_args(false);
}

Result<SourcePlaces> find_source_places(const std::vector<std::string>& dirs, const char* option) {
  for (const std::string& dir : dirs) { WICK_OK(check_folder(dir, option)); }
  return SourcePlaces{.directories = dirs};
}

Result<FetchOptions> find_source_fetching(const SymbolSourceOptions& options) {
  FetchOptions fetch{.enabled = !options.no_fetch, .timeout_ns = kMostFetchingNs};
  WICK_LET(fetch.limit_bytes, parse_size(options.fetch_limit, "--fetch-limit"));
  if (!::isatty(STDERR_FILENO)) { return fetch; }
  fetch.on_file = [](const std::string& name, size_t, size_t) {
    std::fprintf(stderr, "\r\033[Kfetching %s …", printable(name).c_str());
    std::fflush(stderr);
  };
  fetch.on_end = [](const FetchReport&) { std::fprintf(stderr, "\r\033[K"); };
  return fetch;
}

Result<DebugPlaces> find_debug_places(const SymbolSourceOptions& options) {
  DebugPlaces places;
  for (const std::string& dir : options.debug_dirs) {
    WICK_OK(check_folder(dir, "--debug-dir"));
    places.debug_dirs.push_back(dir == "/" ? dir : absolute(dir));
  }
  if (!options.symfs.empty()) {
    WICK_OK(check_folder(options.symfs, "--symfs"));
    places.symfs = absolute(options.symfs);
  }
  index_debug_dirs(places);
  return places;
}

Result<SymbolSources> find_symbol_sources(const SymbolSourceOptions& options, Fetching fetching, bool quiet) {
  SymbolSources sources;
  sources.cache_dir = find_cache_dir();
  WICK_LET(sources.debug, find_debug_places(options));
  sources.fetch.enabled = fetching == Fetching::kMay && !options.no_fetch;
  WICK_LET(sources.fetch.limit_bytes, parse_size(options.fetch_limit, "--fetch-limit"));
  if (!quiet) {
    sources.fetch.on_file = show_fetching;
    sources.fetch.on_end = show_fetched;
  }
  return sources;
}

}  // namespace wick
