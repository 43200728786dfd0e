// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "module/debug_file.h"

#include <cstdlib>

#include "base/byte_reader.h"
#include "base/text.h"
#include "elf/decompress.h"

namespace wick {
namespace {

const char kDebugRoot[] = "/usr/lib/debug";

std::vector<std::string> roots(const DebugPlaces& places) {
  std::vector<std::string> out = places.debug_dirs;
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

std::optional<DebugLink> read_debug_link(const elf::Image& image) {
  const elf::Section* section = image.find_section(".gnu_debuglink");
  if (section == nullptr) { return std::nullopt; }
  ByteReader reader(image.section_bytes(*section));
  DebugLink link;
  link.name = reader.cstring();
  reader.skip((0 - reader.pos()) & 3);
  link.crc = reader.u32();
  // The name of a file, not a way to one.
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
    out.push_back(root + "/.dwz/" + link->name.substr(link->name.rfind('/') + 1));
  }
  return out;
}

namespace {

// Where debuginfod-find keeps what it fetched.
std::string debuginfod_cache() {
  const char* own = std::getenv("DEBUGINFOD_CACHE_PATH");
  if (own != nullptr && own[0] == '/') { return own; }
  const char* xdg = std::getenv("XDG_CACHE_HOME");
  if (xdg != nullptr && xdg[0] == '/') { return std::string(xdg) + "/debuginfod_client"; }
  const char* home = std::getenv("HOME");
  return home != nullptr && home[0] == '/' ? std::string(home) + "/.cache/debuginfod_client" : std::string();
}

}  // namespace

std::vector<std::string> debug_file_candidates(const elf::Image& image, const std::string& path, const DebugPlaces& places) {
  std::vector<std::string> out;
  const std::string& id = image.build_id();
  if (id.size() > 2) {
    for (const std::string& root : roots(places)) { out.push_back(by_build_id(root, id)); }
  }
  size_t slash = path.rfind('/');
  if (std::optional<DebugLink> link = read_debug_link(image); link && slash != std::string::npos) {
    std::string folder = path.substr(0, slash);
    if (path.substr(slash + 1) != link->name) { out.push_back(folder + "/" + link->name); }
    out.push_back(folder + "/.debug/" + link->name);
    for (const std::string& root : roots(places)) {
      out.push_back(root + folder + "/" + link->name);
      // Where /lib is a link to /usr/lib, the file may be known by either name.
      if (folder.rfind("/usr/", 0) == 0) { out.push_back(root + folder.substr(4) + "/" + link->name); }
    }
    for (const std::string& root : places.debug_dirs) { out.push_back(root + "/" + link->name); }
  }
  std::string fetched = debuginfod_cache();
  if (id.size() > 2 && !fetched.empty()) { out.push_back(fetched + "/" + id + "/debuginfo"); }
  return out;
}

std::optional<DebugFile> find_debug_file(const elf::Image& image, const std::string& path, const DebugPlaces& places) {
  std::optional<DebugLink> link = read_debug_link(image);
  for (const std::string& candidate : debug_file_candidates(image, path, places)) {
    Result<MappedFile> file = MappedFile::open(candidate);
    if (!file.ok()) { continue; }
    Result<elf::Image> parsed = elf::Image::parse(file->bytes());
    if (!parsed.ok() || !is_same_build(image, *parsed, link)) { continue; }
    return DebugFile{candidate, *std::move(file), *std::move(parsed)};
  }
  return std::nullopt;
}

}  // namespace wick
