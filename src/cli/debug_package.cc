// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/debug_package.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>
#include <system_error>
#include <vector>

#include "base/fd.h"
#include "base/mapped_file.h"
#include "base/text.h"
#include "module/module.h"
#include "os/search_path.h"

namespace wick {
namespace {

constexpr size_t kMostLists = 20'000;
constexpr size_t kMostBytes = size_t{256} << 20;

bool has_text_line(Bytes text, const std::string& line) {
  const void* begin = text.data();
  size_t left = text.size();
  while (const void* found = left > 0 ? ::memmem(begin, left, line.data(), line.size()) : nullptr) {
    const uint8_t* at = static_cast<const uint8_t*>(found);
    const uint8_t *end = at + line.size(), *last = text.data() + text.size();
    if ((at == text.data() || at[-1] == '\n') && (end == last || *end == '\n')) { return true; }
    begin = at + 1;
    left = static_cast<size_t>(last - (at + 1));
  }
  return false;
}

bool is_of_distribution(const std::string& path) {
  bool usr = path.starts_with("/usr/") && !path.starts_with("/usr/local/");
  return usr || path.starts_with("/lib") || path.starts_with("/bin/") || path.starts_with("/sbin/");
}

std::string os_release_value(const PackageFacts& facts, std::string_view key) {
  Result<std::string> text = read_file(facts.os_release, 1 << 16);
  for (std::string_view line : split(text.ok() ? std::string_view(*text) : std::string_view(), '\n')) {
    size_t equals = line.find('=');
    if (equals == line.npos || line.substr(0, equals) != key) { continue; }
    std::string_view value = line.substr(equals + 1);
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"') { value = value.substr(1, value.size() - 2); }
    return std::string(value);
  }
  return {};
}

std::string debuginfod_server(const PackageFacts& facts) {
  std::string id = os_release_value(facts, "ID");
  if (id == "debian") { return "https://debuginfod.debian.net"; }
  if (id == "ubuntu") { return "https://debuginfod.ubuntu.com"; }
  if (id == "fedora") { return "https://debuginfod.fedoraproject.org"; }
  if (id == "arch") { return "https://debuginfod.archlinux.org"; }
  return "https://debuginfod.elfutils.org";
}

// Whether apt can install it. Debian and Ubuntu keep -dbgsym packages in separate archives, which are not configured by default.
// For compressed lists the archive decides: decompressing them, or running apt-cache, takes a second.
bool is_known_to_apt(const std::string& package, const PackageFacts& facts) {
  namespace fs = std::filesystem;
  bool is_apart = package.ends_with("-dbgsym");
  std::error_code error;
  fs::directory_iterator it(facts.apt_lists, error);
  for (; !error && it != fs::directory_iterator(); it.increment(error)) {
    std::string name = it->path().filename();
    bool has_debug = name.find("debian-debug_") != name.npos || name.starts_with("ddebs.ubuntu.com_");
    if (name.find("_Packages") == name.npos || has_debug != is_apart) { continue; }
    if (!name.ends_with("_Packages")) { return true; }
    Result<MappedFile> list = MappedFile::open(it->path());
    if (list.ok() && has_text_line(list->bytes(), "Package: " + package)) { return true; }
  }
  return false;
}

// A command that adds the archive of -dbgsym packages to apt.
std::string add_debug_archive(const PackageFacts& facts) {
  std::string id = os_release_value(facts, "ID"), codename = os_release_value(facts, "VERSION_CODENAME");
  bool is_plain = !codename.empty() && codename.find_first_not_of("abcdefghijklmnopqrstuvwxyz") == codename.npos;
  if (!is_plain || (id != "debian" && id != "ubuntu")) { return {}; }
  std::string source = id == "debian" ? "deb http://deb.debian.org/debian-debug " + codename + "-debug main"
                                      : "deb http://ddebs.ubuntu.com " + codename + " main universe";
  return std::string(id == "ubuntu" ? "sudo apt install ubuntu-dbgsym-keyring && " : "") + "echo '" + source +
         "' | sudo tee /etc/apt/sources.list.d/debug.list && sudo apt update && ";
}

}  // namespace

std::string find_package(const std::string& path, const PackageFacts& facts) {
  namespace fs = std::filesystem;
  if (!path.starts_with("/") || path.find('\n') != std::string::npos) { return {}; }
  // If /lib is a link to /usr/lib, the package may list the file under either name.
  std::vector<std::string> names = {path};
  if (path.starts_with("/usr/")) { names.push_back(path.substr(4)); }
  if (!path.starts_with("/usr/")) { names.push_back("/usr" + path); }
  std::error_code error;
  std::string found;
  size_t lists = 0, bytes = 0;
  fs::directory_iterator it(facts.dpkg_info, error);
  for (; !error && it != fs::directory_iterator() && found.empty(); it.increment(error)) {
    if (it->path().extension() != ".list") { continue; }
    if (++lists > kMostLists || bytes > kMostBytes) { break; }
    Result<MappedFile> file = MappedFile::open(it->path());
    if (!file.ok()) { continue; }
    bytes += file->bytes().size();
    bool has =
        std::any_of(names.begin(), names.end(), [&](const std::string& name) { return has_text_line(file->bytes(), name); });
    if (has) { found = it->path().stem(); }
  }
  return found.substr(0, found.find(':'));
}

DebugFileSource find_debug_file_source(const std::string& path, const std::string& build_id, const PackageFacts& facts) {
  if (!is_of_distribution(path)) { return {}; }
  std::string package = find_package(path, facts);
  // Debian generates debug packages automatically, except libc6-dbg, which valgrind and others need.
  std::string debug_package = package.empty() ? "" : package == "libc6" ? "libc6-dbg" : package + "-dbgsym";
  if (!package.empty() && is_known_to_apt(debug_package, facts)) { return {.package = debug_package}; }
  const char* urls = std::getenv("DEBUGINFOD_URLS");
  bool configured = urls != nullptr && !trim(urls).empty();
  std::string fetch =
      (configured ? "" : "DEBUGINFOD_URLS=" + debuginfod_server(facts) + " ") + "debuginfod-find debuginfo " + build_id;
  if (is_build_id(build_id) && !find_program(facts.debuginfod_find).empty()) { return {.fetch = fetch}; }
  bool has_archive = debug_package.ends_with("-dbgsym") && !add_debug_archive(facts).empty();
  if (has_archive) { return {.package = debug_package, .needs_archive = true}; }
  return {.fetch = is_build_id(build_id) ? fetch : ""};
}

std::string debug_files_command(std::span<const DebugFileSource> sources, const PackageFacts& facts) {
  std::set<std::string> packages, fetches;
  bool needs_archive = false;
  for (const DebugFileSource& source : sources) {
    if (!source.package.empty()) { packages.insert(source.package); }
    if (!source.fetch.empty()) { fetches.insert(source.fetch); }
    needs_archive |= source.needs_archive;
  }
  std::string command = needs_archive ? add_debug_archive(facts) : "";
  if (!packages.empty()) { command += "sudo apt install"; }
  for (const std::string& package : packages) { command += " " + shell_quote(package); }
  for (const std::string& fetch : fetches) { command += (command.empty() ? "" : " && ") + fetch; }
  return command;
}

std::string debug_file_command(const std::string& path, const std::string& build_id, const PackageFacts& facts) {
  DebugFileSource source = find_debug_file_source(path, build_id, facts);
  return debug_files_command({&source, 1}, facts);
}

}  // namespace wick
