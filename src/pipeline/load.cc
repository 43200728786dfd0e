// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/load.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <string_view>

#include "base/fd.h"
#include "base/text.h"
#include "capture/wick_reader.h"

namespace wick {
namespace {

Error bad_file(const std::string& path, const std::string& what) {
  return Error("cannot read %s: %s", path.c_str(), what.c_str()).with_code(Errc::kBadInput);
}

bool is_text(std::string_view text) {
  constexpr std::string_view kAllowed = "\n\t\r\x1b";
  auto control = [&](char c) { return (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) && kAllowed.find(c) == kAllowed.npos; };
  return std::none_of(text.begin(), text.end(), control);
}

// "main;work;leaf 12": frames, then a number.
bool is_folded(std::string_view text) {
  std::string_view line = trim(text.substr(0, text.find('\n')));
  size_t blank = line.find_last_of(' ');
  return blank != std::string_view::npos && line.find(';') < blank && parse_double(line.substr(blank + 1)).has_value();
}

// What people have lying about and might take for a profile.
Error name_foreign_file(const std::string& path, Bytes bytes) {
  std::string_view head(reinterpret_cast<const char*>(bytes.data()), std::min<size_t>(bytes.size(), 4096));
  std::string_view first = trim(head);
  auto not_yet = [&](const char* kind) { return bad_file(path, strf("it is %s, which this wick does not read yet", kind)); };
  if (head.starts_with("PERFILE2") || head.starts_with("2ELIFREP")) { return not_yet("a perf.data file"); }
  if (head.starts_with("\x1f\x8b")) { return not_yet("a gzip file"); }
  if (head.starts_with("\x28\xb5\x2f\xfd")) { return not_yet("a zstd file"); }
  if (head.starts_with("\x7f"
                       "ELF")) {
    bool here = path.find('/') != std::string::npos;
    return bad_file(path, "it is a program or library, not a wick profile")
        .with_hint("wick record -- " + shell_quote(here ? path : "./" + path));
  }
  if (!is_text(head)) { return bad_file(path, "not a wick profile"); }
  if (first.starts_with("{") || first.starts_with("[")) { return not_yet("a JSON file"); }
  if (first.starts_with("<")) { return bad_file(path, "it is an SVG, XML or HTML file, not a wick profile"); }
  if (is_folded(head)) { return not_yet("a file of folded stacks"); }
  return bad_file(path, "it is a text file, not a wick profile");
}

}  // namespace

Result<LoadedCapture> load_capture(const std::string& path) {
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0) {
    int why = errno;
    Error error = Error::from_errno(why, "cannot open %s", path.c_str());
    if (why != ENOENT) { return error; }
    std::string output = path == "profile.wick" ? "" : "-o " + shell_quote(path) + " ";
    return std::move(error).with_hint("wick record " + output + "-- ./app");
  }
  if (S_ISDIR(info.st_mode)) { return bad_file(path, "it is a directory, not a wick profile"); }
  if (!S_ISREG(info.st_mode)) { return bad_file(path, "it is not a regular file, so not a wick profile"); }
  WICK_LET(MappedFile file, MappedFile::open(path));
  Bytes bytes = file.bytes();
  if (bytes.empty()) { return bad_file(path, "the file is empty, not a wick profile"); }
  if (bytes[0] != 0x89) { return name_foreign_file(path, bytes); }
  Result<capture::Capture> capture = capture::read_wick(bytes);
  if (!capture.ok()) { return std::move(capture).error().context("cannot read " + path); }
  return LoadedCapture{std::move(file), *std::move(capture)};
}

Result<Profile> load_profile(const std::string& path, const LoadOptions& options) {
  WICK_LET(LoadedCapture loaded, load_capture(path));
  return build_profile(loaded.capture, options);
}

}  // namespace wick
