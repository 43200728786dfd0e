// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "symbolize/debug_index.h"

#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <system_error>
#include <thread>
#include <vector>

#include "base/text.h"
#include "elf/symbol_index_build.h"

namespace wick {
namespace {

// Making an index runs at some 200 MB a second; below this it is done before a cached one would be checked.
constexpr size_t kWorthCaching = size_t{256} << 10;

// Split units and their other halves.
struct SplitFiles {
  struct File {
    MappedFile mapped;
    elf::Image image;
    std::unique_ptr<elf::DwarfFile> dwarf;
  };
  std::vector<std::unique_ptr<File>> files;
  std::vector<const elf::DwarfUnit*> of_unit;  // by the number of the skeleton
};

std::string folder_of(const std::string& path) {
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

std::unique_ptr<SplitFiles::File> open_split(const elf::DwarfUnit& skeleton, const std::string& debug_path) {
  std::string name(skeleton.dwo_name), dir(skeleton.comp_dir);
  std::vector<std::string> candidates;
  candidates.push_back(name[0] == '/' || dir.empty() ? name : dir + "/" + name);
  candidates.push_back(folder_of(debug_path) + "/" + name.substr(name.rfind('/') + 1));
  for (const std::string& path : candidates) {
    Result<MappedFile> file = MappedFile::open(path);
    if (!file.ok()) { continue; }
    Result<elf::Image> image = elf::Image::parse(file->bytes());
    if (!image.ok()) { continue; }
    auto out = std::make_unique<SplitFiles::File>(SplitFiles::File{*std::move(file), *std::move(image), nullptr});
    out->dwarf = std::make_unique<elf::DwarfFile>(elf::DwarfSections(out->image, true));
    if (elf::DwarfFile::attach_split(skeleton, *out->dwarf)) { return out; }
  }
  return nullptr;
}

SplitFiles find_split_files(const elf::DwarfFile& dwarf, const std::string& debug_path) {
  SplitFiles out;
  out.of_unit.resize(dwarf.units().size());
  for (size_t i = 0; i < dwarf.units().size(); ++i) {
    const elf::DwarfUnit& unit = dwarf.units()[i];
    if (unit.dwo_name.empty()) { continue; }
    std::unique_ptr<SplitFiles::File> file = open_split(unit, debug_path);
    if (file == nullptr) { continue; }
    for (const elf::DwarfUnit& half : file->dwarf->units()) {
      if (half.skeleton == &unit) { out.of_unit[i] = &half; }
    }
    out.files.push_back(std::move(file));
  }
  return out;
}

bool has_code(const elf::DwarfUnit& unit) {
  return unit.has_root && (unit.tag == elf::dw::kTagCompileUnit || unit.tag == elf::dw::kTagSkeletonUnit);
}

elf::SymbolIndexTables build(const elf::Image& program, const elf::Image& debug, const std::string& debug_path) {
  elf::DwarfFile dwarf{elf::DwarfSections(debug)};
  SplitFiles split = find_split_files(dwarf, debug_path);
  elf::CodeRanges code(program);
  std::vector<size_t> units;
  for (size_t i = 0; i < dwarf.units().size(); ++i) {
    if (has_code(dwarf.units()[i])) { units.push_back(i); }
  }
  std::vector<elf::UnitSymbols> found(units.size());
  // Large ones first, so that no thread begins one when the others are done.
  std::vector<size_t> order(units.size());
  for (size_t i = 0; i < order.size(); ++i) { order[i] = i; }
  auto size_of = [&](size_t i) { return dwarf.units()[units[i]].end - dwarf.units()[units[i]].offset; };
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return size_of(a) > size_of(b); });
  std::atomic<size_t> next{0};
  auto work = [&] {
    for (size_t i; (i = next.fetch_add(1)) < order.size();) {
      size_t at = order[i];
      found[at] = elf::read_unit_symbols(dwarf.units()[units[at]], split.of_unit[units[at]], code);
    }
  };
  size_t threads =
      std::min<size_t>({std::max(1u, std::thread::hardware_concurrency()), 16, 1 + dwarf.sections().info.size() / (1 << 20)});
  std::vector<std::thread> helpers;
  try {
    while (helpers.size() + 1 < threads) { helpers.emplace_back(work); }
  } catch (const std::system_error&) {
    // No more threads to be had (a limit of processes): those that are there do it all.
  }
  work();
  for (std::thread& helper : helpers) { helper.join(); }
  return elf::merge_symbols(found);
}

}  // namespace

std::unique_ptr<DebugIndex> DebugIndex::load(const elf::Image& program, const elf::Image& debug, const std::string& debug_path,
                                             const std::string& cache_dir) {
  const elf::Section* info = debug.find_section(".debug_info");
  if (info == nullptr) { info = debug.find_section(".zdebug_info"); }
  if (info == nullptr || debug.section_bytes(*info).empty()) { return nullptr; }
  auto out = std::make_unique<DebugIndex>();
  std::string cached;
  if (!cache_dir.empty() && !program.build_id().empty() && info->size >= kWorthCaching) {
    cached = strf("%s/symbols/%s", cache_dir.c_str(), program.build_id().c_str());
    Result<MappedFile> file = MappedFile::open(cached);
    if (file.ok()) {
      out->cached_ = *std::move(file);
      Result<elf::SymbolIndex> index = elf::SymbolIndex::parse(out->cached_.bytes());
      if (index.ok()) {
        out->index_ = *std::move(index);
        return out;
      }
    }
  }
  out->tables_ = build(program, debug, debug_path);
  out->index_ = elf::SymbolIndex(out->tables_);
  if (!cached.empty()) {
    // A cache that cannot be written (full disk, no right) only costs time.
    ::mkdir((cache_dir + "/symbols").c_str(), 0777);
    (void)write_file_atomically(cached, as_bytes(out->index_.serialize())).ok();
  }
  return out;
}

}  // namespace wick
