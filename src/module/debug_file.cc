// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "module/debug_file.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "base/byte_reader.h"
#include "base/text.h"
#include "elf/decompress.h"

namespace wick {
namespace {

const char kDebugRoot[] = "/usr/lib/debug";

constexpr size_t kMostIndexed = 20'000;  // files per debug directory; a larger directory is not meant for debug files

std::vector<std::string> roots(const DebugPlaces& places) {
  std::vector<std::string> out = places.debug_dirs;
  if (!places.symfs.empty()) { out.push_back(places.symfs + kDebugRoot); }
  out.push_back(kDebugRoot);
  return out;
}

std::string by_build_id(const std::string& root, const std::string& id) {
  return root + "/.build-id/" + id.substr(0, 2) + "/" + id.substr(2) + ".debug";
}

bool is_same_build(const elf::Image& image, const elf::Image& debug, const std::optional<DebugLink>& link) {
  if (image.arch() != debug.arch()) { return false; }
  if (!image.build_id().empty()) { return image.build_id() == debug.build_id(); }
  return link && elf::debuglink_crc(debug.bytes()) == link->crc;
}

}  // namespace

bool has_symbol_table(const elf::Image& image) { return image.find_section(".symtab") != nullptr; }
bool has_debug_info(const elf::Image& image) {
  return image.find_section(".debug_info") != nullptr || image.find_section(".zdebug_info") != nullptr;
}

void index_debug_dirs(DebugPlaces& places) {
  namespace fs = std::filesystem;
  std::unordered_map<std::string, bool> has_info;  // by build ID
  for (const std::string& dir : places.debug_dirs) {
    std::error_code error;
    std::vector<std::string> files;
    fs::directory_iterator it(dir, error);
    for (; !error && it != fs::directory_iterator() && files.size() < kMostIndexed; it.increment(error)) {
      std::error_code unknown;
      if (it->is_regular_file(unknown)) { files.push_back(it->path()); }
    }
    std::sort(files.begin(), files.end());
    for (const std::string& path : files) {
      Result<MappedFile> file = MappedFile::open(path);
      if (!file.ok()) { continue; }
      Result<elf::Image> image = elf::Image::parse(file->bytes());
      if (!image.ok() || image->build_id().empty()) { continue; }
      bool info = has_debug_info(*image);
      if (!info && !has_symbol_table(*image)) { continue; }  // a stripped copy must not hide the file with symbols
      auto [known, fresh] = has_info.try_emplace(image->build_id(), info);
      if (!fresh && (known->second || !info)) { continue; }
      known->second = info;
      places.by_build_id[image->build_id()] = path;
    }
  }
}

std::optional<DebugLink> read_debug_link(const elf::Image& image) {
  const elf::Section* section = image.find_section(".gnu_debuglink");
  if (section == nullptr) { return std::nullopt; }
  ByteReader reader(image.section_bytes(*section));
  DebugLink link;
  link.name = reader.cstring();
  reader.skip((0 - reader.pos()) & 3);
  link.crc = reader.u32();
  // Must be a file name, not a path.
  if (!reader.ok() || link.name.empty() || link.name.size() > 255 || link.name.find('/') != std::string::npos) {
    return std::nullopt;
  }
  return link;
}

std::optional<SupplementLink> read_supplement_link(const elf::Image& debug) {
  const elf::Section* section = debug.find_section(".gnu_debugaltlink");
  if (section == nullptr) { return std::nullopt; }
  ByteReader reader(debug.section_bytes(*section));
  SupplementLink link;
  link.name = reader.cstring();
  for (uint8_t byte : reader.bytes(reader.left())) { link.build_id += strf("%02x", byte); }
  if (!reader.ok() || link.name.empty() || link.name.size() > 4096 || link.build_id.empty()) { return std::nullopt; }
  return link;
}

std::vector<std::string> supplement_candidates(const elf::Image& debug, const std::string& debug_path,
                                               const DebugPlaces& places) {
  std::optional<SupplementLink> link = read_supplement_link(debug);
  if (!link) { return {}; }
  size_t slash = debug_path.rfind('/');
  std::string folder = slash == std::string::npos ? "." : debug_path.substr(0, slash);
  const std::string& id = link->build_id;
  std::vector<std::string> out;
  out.push_back(link->name[0] == '/' ? link->name : folder + "/" + link->name);
  for (const std::string& root : roots(places)) {
    if (id.size() > 2) { out.push_back(by_build_id(root, id)); }
    out.push_back(root + "/.dwz/" + std::string(base_name(link->name)));
  }
  return out;
}

namespace {

// debuginfod-find's cache directory.
std::string debuginfod_cache() {
  const char* own = std::getenv("DEBUGINFOD_CACHE_PATH");
  if (own != nullptr && own[0] == '/') { return own; }
  const char* home = std::getenv("HOME");
  // The location used by older versions; newer ones keep using it if it exists.
  std::string old = home != nullptr && home[0] == '/' ? std::string(home) + "/.debuginfod_client_cache" : std::string();
  std::error_code error;
  if (!old.empty() && std::filesystem::is_directory(old, error)) { return old; }
  const char* xdg = std::getenv("XDG_CACHE_HOME");
  if (xdg != nullptr && xdg[0] == '/') { return std::string(xdg) + "/debuginfod_client"; }
  return home != nullptr && home[0] == '/' ? std::string(home) + "/.cache/debuginfod_client" : std::string();
}

}  // namespace

std::vector<std::string> build_id_candidates(const std::string& id, const DebugPlaces& places) {
  std::vector<std::string> out;
  if (id.size() <= 2) { return out; }
  if (auto known = places.by_build_id.find(id); known != places.by_build_id.end()) { out.push_back(known->second); }
  for (const std::string& root : roots(places)) { out.push_back(by_build_id(root, id)); }
  if (std::string fetched = debuginfod_cache(); !fetched.empty()) { out.push_back(fetched + "/" + id + "/debuginfo"); }
  return out;
}

std::vector<std::string> debug_file_candidates(const elf::Image& image, const std::string& path, const DebugPlaces& places) {
  std::vector<std::string> out = build_id_candidates(image.build_id(), places);
  size_t slash = path.rfind('/');
  if (slash == std::string::npos) { return out; }
  std::string folder = path.substr(0, slash), name = path.substr(slash + 1);
  if (std::optional<DebugLink> link = read_debug_link(image)) {
    for (const std::string& root : {places.symfs, std::string()}) {
      if (name != link->name || !root.empty()) { out.push_back(root + folder + "/" + link->name); }
      out.push_back(root + folder + "/.debug/" + link->name);
      if (places.symfs.empty()) { break; }
    }
    for (const std::string& root : roots(places)) {
      out.push_back(root + folder + "/" + link->name);
      // If /lib is a link to /usr/lib, the file may be installed under either name.
      if (folder.rfind("/usr/", 0) == 0) { out.push_back(root + folder.substr(4) + "/" + link->name); }
    }
    for (const std::string& dir : places.debug_dirs) { out.push_back(dir + "/" + link->name); }
  }
  for (const std::string& root : roots(places)) { out.push_back(root + path + ".debug"); }
  // Or the unstripped program.
  for (const std::string& dir : places.debug_dirs) {
    for (const std::string& file : {dir + "/" + name + ".debug", dir + "/" + name, dir + path}) { out.push_back(file); }
  }
  if (!places.symfs.empty()) { out.push_back(places.symfs + path); }
  return out;
}

std::optional<DebugFile> find_debug_file(const elf::Image& image, const std::string& path, const DebugPlaces& places) {
  std::optional<DebugLink> link = read_debug_link(image);
  std::optional<DebugFile> second_best;
  for (const std::string& candidate : debug_file_candidates(image, path, places)) {
    Result<MappedFile> file = MappedFile::open(candidate);
    if (!file.ok()) { continue; }
    Result<elf::Image> parsed = elf::Image::parse(file->bytes());
    if (!parsed.ok() || !is_same_build(image, *parsed, link)) { continue; }
    bool has_info = has_debug_info(*parsed), has_more = has_symbol_table(*parsed) && !has_symbol_table(image);
    if (!has_info && (!has_more || second_best)) { continue; }
    DebugFile found{candidate, *std::move(file), *std::move(parsed)};
    if (has_info) { return found; }
    second_best = std::move(found);
  }
  return second_best;
}

}  // namespace wick
