// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "annotate/source_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/fd.h"

namespace wick {
namespace {

constexpr std::string_view kExtensions[] = {
    "c",   "cc",   "cpp",   "cxx", "c++",   "h",   "hh",  "hpp", "hxx",   "h++", "inc", "inl", "ipp", "tcc", "tpp",
    "def", "rs",   "go",    "s",   "S",     "asm", "f",   "for", "f90",   "f95", "f03", "f08", "F",   "F90", "d",
    "di",  "zig",  "swift", "m",   "mm",    "cu",  "cuh", "cl",  "ada",   "adb", "ads", "pas", "pp",  "nim", "ml",
    "mli", "hs",   "java",  "kt",  "scala", "js",  "mjs", "ts",  "py",    "pyx", "rb",  "lua", "php", "cs",  "vala",
    "cr",  "odin", "jl",    "y",   "yy",    "l",   "ll",  "re",  "gperf", "tab", "td",  "x",
};

// Where a Rust toolchain has the source of the standard library, which is compiled under /rustc/HASH/.
std::vector<std::string> rust_roots() {
  std::vector<std::string> out = {"/usr/lib/rustlib/src/rust/"};
  std::error_code error;
  auto add_all = [&](const std::filesystem::path& folder, std::string_view prefix, const char* inside) {
    std::vector<std::string> found;
    for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
      if (it->path().filename().native().starts_with(prefix)) { found.push_back(it->path().native() + inside); }
    }
    std::sort(found.rbegin(), found.rend());
    out.insert(out.end(), found.begin(), found.end());
  };
  add_all("/usr/src", "rustc-", "/");
  const char* inside = "/lib/rustlib/src/rust/";
  if (const char* rustup = std::getenv("RUSTUP_HOME")) {
    add_all(std::filesystem::path(rustup) / "toolchains", "", inside);
  } else if (const char* home = std::getenv("HOME")) {
    add_all(std::filesystem::path(home) / ".rustup" / "toolchains", "", inside);
  }
  return out;
}

// "library/core/src/num/mod.rs" of "/rustc/HASH/library/core/src/num/mod.rs"; empty if it is another file.
std::string_view inside_rust(std::string_view name) {
  constexpr std::string_view kPrefix = "/rustc/";
  if (!name.starts_with(kPrefix)) { return {}; }
  size_t slash = name.find('/', kPrefix.size());
  return slash == std::string_view::npos ? std::string_view() : name.substr(slash + 1);
}

// Whether a path leads out of the directory it is appended to.
bool climbs(std::string_view path) {
  return path == ".." || path.starts_with("../") || path.ends_with("/..") || path.find("/../") != std::string_view::npos;
}

// Without symbolic links.
std::string real_name(const Fd& file) {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(file.get()), error).native();
}

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) { line.remove_suffix(1); }
    lines.emplace_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

bool is_source_name(std::string_view name) {
  size_t slash = name.rfind('/'), dot = name.rfind('.');
  if (dot == std::string_view::npos) {
    // The headers of the C++ standard library have no extension.
    return name.find("/c++/") != std::string_view::npos || name.find("/include/") != std::string_view::npos;
  }
  if (slash != std::string_view::npos && dot < slash + 2) { return false; }  // no extension, or a hidden file
  return std::find(std::begin(kExtensions), std::end(kExtensions), name.substr(dot + 1)) != std::end(kExtensions);
}

std::vector<std::string> source_candidates(const std::string& name, const SourcePlaces& places) {
  std::vector<std::string> out;
  for (const auto& [from, to] : places.replaced) {
    if (!name.starts_with(from)) { continue; }
    out.push_back(to + name.substr(from.size()));
    break;
  }
  for (const std::string& directory : places.directories) {
    std::string_view rest = name;
    while (!rest.empty()) {
      while (rest.starts_with('/')) { rest.remove_prefix(1); }
      if (!climbs(rest)) { out.push_back(directory + "/" + std::string(rest)); }
      size_t slash = rest.find('/');
      rest.remove_prefix(slash == std::string_view::npos ? rest.size() : slash + 1);
    }
  }
  if (!places.root.empty() && !climbs(name)) { out.push_back(places.root + "/" + name); }
  out.push_back(name);
  if (std::string_view rust = inside_rust(name); !rust.empty() && !climbs(rust)) {
    for (const std::string& root : rust_roots()) { out.push_back(root + std::string(rust)); }
  }
  return out;
}

const SourceFile& SourceFiles::find(const std::string& name, const std::string& build_id) {
  const SourceFile& here = find_here(name);
  bool may_fetch = fetch_.enabled && !build_id.empty() && is_source_name(name);
  if (!here.path.empty() || here.too_large > 0 || !may_fetch) { return here; }
  auto [it, is_new] = fetched_.try_emplace({build_id, name});
  SourceFile& file = it->second;
  if (!is_new) { return file; }
  if (fetcher_ == nullptr) {
    std::string program = find_debuginfod();
    fetch_.enabled = !program.empty();
    if (program.empty()) { return file; }
    fetcher_ = std::make_unique<SourceFetcher>(program, fetch_, kMostSourceBytes);
  }
  std::string path = fetcher_->fetch(build_id, name);
  Result<Fd> fd = path.empty() ? Result<Fd>(Error("not found")) : open_regular(path);
  Result<std::string> text = fd.ok() ? read_fd(fd->get(), path, kMostSourceBytes) : Result<std::string>(Error("not found"));
  bool is_text = text.ok() && text->find('\0') == std::string::npos;
  if (is_text) { file = {.path = path, .is_fetched = true, .lines = split_lines(*text)}; }
  return file;
}

const SourceFile& SourceFiles::find_here(const std::string& name) {
  auto [it, is_new] = files_.try_emplace(name);
  SourceFile& file = it->second;
  if (!is_new || !is_source_name(name)) { return file; }
  if (recorded_ != nullptr) {
    if (auto kept = recorded_->sources.find(name); kept != recorded_->sources.end()) {
      file = {.path = name, .is_recorded = true, .lines = split_lines(kept->second)};
      return file;
    }
  }
  for (const std::string& path : source_candidates(name, places_)) {
    Result<Fd> fd = open_regular(path);
    if (!fd.ok()) { continue; }
    struct stat info{};
    if (!is_source_name(real_name(*fd)) || ::fstat(fd->get(), &info) != 0) { continue; }
    if (static_cast<uint64_t>(info.st_size) > kMostSourceBytes) {
      file.too_large = static_cast<uint64_t>(info.st_size);
      continue;
    }
    Result<std::string> text = read_fd(fd->get(), path, kMostSourceBytes);
    if (!text.ok() || text->find('\0') != std::string::npos) { continue; }
    bool from_directory = std::any_of(places_.directories.begin(), places_.directories.end(),
                                      [&](const std::string& directory) { return path.starts_with(directory + "/"); });
    file = {.path = path,
            .from_directory = from_directory,
            .lines = split_lines(*text),
            .modified_ns = info.st_mtim.tv_sec * 1'000'000'000 + info.st_mtim.tv_nsec};
    break;
  }
  return file;
}

}  // namespace wick
