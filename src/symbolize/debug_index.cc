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
#include "elf/dwarf_package.h"
#include "elf/symbol_index_build.h"
#include "module/debug_file.h"

namespace wick {
namespace {

// Making an index runs at some 200 MB a second; below this it is done before a cached one would be checked.
constexpr size_t kWorthCaching = size_t{256} << 10;

std::string folder_of(const std::string& path) {
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

struct OpenImage {
  MappedFile mapped;
  elf::Image image;
};

std::unique_ptr<OpenImage> open_image(const std::string& path) {
  Result<MappedFile> file = MappedFile::open(path);
  if (!file.ok()) { return nullptr; }
  Result<elf::Image> image = elf::Image::parse(file->bytes());
  if (!image.ok()) { return nullptr; }
  return std::make_unique<OpenImage>(OpenImage{*std::move(file), *std::move(image)});
}

// The other halves of split units: in one package, or each in a file of its own.
class SplitFiles {
 public:
  SplitFiles(const elf::DwarfFile& dwarf, const std::string& debug_path) : of_unit_(dwarf.units().size()) {
    for (size_t i = 0; i < dwarf.units().size(); ++i) {
      const elf::DwarfUnit& unit = dwarf.units()[i];
      if (unit.dwo_name.empty()) { continue; }
      if (package_ == nullptr) { open_package(debug_path); }
      of_unit_[i] = find(unit, debug_path);
    }
  }
  const elf::DwarfUnit* of(size_t unit) const { return of_unit_[unit]; }

 private:
  void open_package(const std::string& debug_path) {
    std::string base = debug_path.ends_with(".debug") ? debug_path.substr(0, debug_path.size() - 6) : debug_path;
    for (const std::string& path : {debug_path + ".dwp", base + ".dwp"}) {
      std::unique_ptr<OpenImage> file = open_image(path);
      if (file == nullptr) { continue; }
      package_ = std::make_unique<elf::DwarfPackage>(file->image);
      files_.push_back(std::move(file));
      return;
    }
    package_ = std::make_unique<elf::DwarfPackage>();
  }

  const elf::DwarfUnit* find(const elf::DwarfUnit& skeleton, const std::string& debug_path) {
    if (std::optional<elf::DwarfSections> sections = package_->find(skeleton.id)) {
      return attach(skeleton, *std::move(sections));
    }
    std::string name(skeleton.dwo_name), dir(skeleton.comp_dir);
    for (const std::string& path : {name[0] == '/' || dir.empty() ? name : dir + "/" + name,
                                    folder_of(debug_path) + "/" + name.substr(name.rfind('/') + 1)}) {
      std::unique_ptr<OpenImage> file = open_image(path);
      if (file == nullptr) { continue; }
      const elf::DwarfUnit* half = attach(skeleton, elf::DwarfSections(file->image, {.dwo = true}));
      files_.push_back(std::move(file));
      if (half != nullptr) { return half; }
    }
    return nullptr;
  }

  const elf::DwarfUnit* attach(const elf::DwarfUnit& skeleton, elf::DwarfSections sections) {
    dwarf_.push_back(std::make_unique<elf::DwarfFile>(std::move(sections)));
    if (!elf::DwarfFile::attach_split(skeleton, *dwarf_.back())) { return nullptr; }
    for (const elf::DwarfUnit& half : dwarf_.back()->units()) {
      if (half.skeleton == &skeleton) { return &half; }
    }
    return nullptr;
  }

  std::vector<std::unique_ptr<OpenImage>> files_;
  std::unique_ptr<elf::DwarfPackage> package_;
  std::vector<std::unique_ptr<elf::DwarfFile>> dwarf_;
  std::vector<const elf::DwarfUnit*> of_unit_;
};

// What dwz has moved out of several files into one.
struct Supplement {
  std::unique_ptr<OpenImage> file;
  std::unique_ptr<elf::DwarfFile> dwarf;
};

Supplement find_supplement(const elf::Image& debug, const std::string& debug_path, const DebugPlaces& places) {
  for (const std::string& path : supplement_candidates(debug, debug_path, places)) {
    std::unique_ptr<OpenImage> file = open_image(path);
    if (file == nullptr || file->image.build_id() != read_supplement_link(debug)->build_id) { continue; }
    auto dwarf = std::make_unique<elf::DwarfFile>(elf::DwarfSections(file->image));
    return {std::move(file), std::move(dwarf)};
  }
  return {};
}

bool has_code(const elf::DwarfUnit& unit) {
  return unit.has_root && (unit.tag == elf::dw::kTagCompileUnit || unit.tag == elf::dw::kTagSkeletonUnit);
}

elf::SymbolIndexTables build(const elf::Image& program, const elf::Image& debug, const std::string& debug_path,
                             const DebugPlaces& places) {
  elf::DwarfFile dwarf{elf::DwarfSections(debug)};
  Supplement supplement = find_supplement(debug, debug_path, places);
  dwarf.attach_supplement(supplement.dwarf.get());
  SplitFiles split(dwarf, debug_path);
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
    elf::UnitSymbolsReader reader;
    for (size_t i; (i = next.fetch_add(1)) < order.size();) {
      size_t at = order[i];
      found[at] = reader.read(dwarf.units()[units[at]], split.of(units[at]), code);
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
                                             const SymbolSources& sources) {
  const std::string& cache_dir = sources.cache_dir;
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
  out->tables_ = build(program, debug, debug_path, sources.debug);
  out->index_ = elf::SymbolIndex(out->tables_);
  if (!cached.empty()) {
    // A cache that cannot be written (full disk, no right) only costs time.
    ::mkdir((cache_dir + "/symbols").c_str(), 0777);
    std::string header;
    (void)write_parts_atomically(cached, out->index_.parts(header)).ok();
  }
  return out;
}

}  // namespace wick
