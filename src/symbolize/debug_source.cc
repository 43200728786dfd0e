// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "symbolize/debug_source.h"

#include <unistd.h>

#include <algorithm>
#include <system_error>
#include <thread>

#include "os/memory.h"

namespace wick {
namespace {

std::string folder_of(const std::string& path) {
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

std::unique_ptr<OpenImage> open_image(const std::string& path, IndexInputs& inputs) {
  inputs.note(path);
  Result<MappedFile> file = MappedFile::open(path);
  if (!file.ok()) { return nullptr; }
  Result<elf::Image> image = elf::Image::parse(file->bytes());
  if (!image.ok()) { return nullptr; }
  return std::make_unique<OpenImage>(OpenImage{*std::move(file), *std::move(image)});
}

bool has_code(const elf::DwarfUnit& unit) {
  return unit.has_root && (unit.tag == elf::dw::kTagCompileUnit || unit.tag == elf::dw::kTagSkeletonUnit);
}

elf::DwarfSections open_sections(const elf::Image& image, bool dwo) {
  return {image, {.dwo = dwo, .most_total = usable_memory_bytes() / 4}};
}

// Limits the text of a file: strings may share suffixes, and paths are assembled.
class TextBound {
 public:
  void add(const elf::DwarfFile& file) {
    const elf::DwarfSections& s = file.sections();
    for (Bytes bytes : {s.str, s.line_str, s.line, s.info}) {
      if (seen_.insert(bytes.data()).second) { bytes_ += bytes.size(); }  // the parts of a package share a string table
    }
  }
  uint64_t bytes() const { return (1 << 16) + 8 * bytes_; }

 private:
  std::set<const uint8_t*> seen_;
  uint64_t bytes_ = 0;
};

}  // namespace

size_t useful_helpers(uint64_t bytes, size_t most) {
  size_t cores = std::max(1u, std::thread::hardware_concurrency());
  return std::min<size_t>({cores - 1, most, bytes / (1 << 20)});
}

SplitFiles::SplitFiles(const elf::DwarfFile& dwarf, const std::string& debug_path, IndexInputs& inputs)
    : inputs_(inputs), of_unit_(dwarf.units().size()) {
  for (size_t i = 0; i < dwarf.units().size(); ++i) {
    const elf::DwarfUnit& unit = dwarf.units()[i];
    if (unit.dwo_name.empty()) { continue; }
    if (package_ == nullptr) {
      inputs.note_debug_path(debug_path);
      open_package(debug_path);
    }
    of_unit_[i] = find(unit, debug_path);
  }
}

void SplitFiles::open_package(const std::string& debug_path) {
  std::string base = debug_path.ends_with(".debug") ? debug_path.substr(0, debug_path.size() - 6) : debug_path;
  for (const std::string& path : {debug_path + ".dwp", base + ".dwp"}) {
    std::unique_ptr<OpenImage> file = open_image(path, inputs_);
    if (file == nullptr) { continue; }
    package_ = std::make_unique<elf::DwarfPackage>(file->image);
    files_.push_back(std::move(file));
    return;
  }
  package_ = std::make_unique<elf::DwarfPackage>();
}

const elf::DwarfUnit* SplitFiles::find(const elf::DwarfUnit& skeleton, const std::string& debug_path) {
  if (std::optional<elf::DwarfSections> sections = package_->find(skeleton.id)) {
    if (!from_package_.insert(skeleton.id).second) { return nullptr; }
    packaged_.push_back(std::make_unique<elf::DwarfFile>(*std::move(sections)));
    return attach(skeleton, *packaged_.back());
  }
  std::string name(skeleton.dwo_name), dir(skeleton.comp_dir);
  for (const std::string& path : {name[0] == '/' || dir.empty() ? name : dir + "/" + name,
                                  folder_of(debug_path) + "/" + name.substr(name.rfind('/') + 1)}) {
    auto [known, fresh] = by_path_.try_emplace(path);
    if (fresh) {
      std::unique_ptr<OpenImage> file = open_image(path, inputs_);
      if (file == nullptr) { continue; }
      known->second = std::make_unique<elf::DwarfFile>(open_sections(file->image, true));
      files_.push_back(std::move(file));
    }
    const elf::DwarfUnit* half = known->second != nullptr ? attach(skeleton, *known->second) : nullptr;
    if (half != nullptr) { return half; }
  }
  return nullptr;
}

const elf::DwarfUnit* SplitFiles::attach(const elf::DwarfUnit& skeleton, elf::DwarfFile& file) {
  if (!elf::DwarfFile::attach_split(skeleton, file)) { return nullptr; }
  for (const elf::DwarfUnit& half : file.units()) {
    if (half.skeleton == &skeleton) { return &half; }
  }
  return nullptr;
}

DebugSource::Supplement DebugSource::find_supplement(const elf::Image& debug, const std::string& debug_path,
                                                     const DebugPlaces& places, IndexInputs& inputs) {
  for (const std::string& path : supplement_candidates(debug, debug_path, places)) {
    std::unique_ptr<OpenImage> file = open_image(path, inputs);
    if (file == nullptr || file->image.build_id() != read_supplement_link(debug)->build_id) { continue; }
    auto dwarf = std::make_unique<elf::DwarfFile>(open_sections(file->image, false));
    return {std::move(file), std::move(dwarf)};
  }
  return {};
}

DebugSource::DebugSource(const elf::Image& program, const elf::Image& debug, const std::string& debug_path,
                         const DebugPlaces& places, IndexInputs& inputs)
    : dwarf_(open_sections(debug, false)),
      supplement_(find_supplement(debug, debug_path, places, inputs)),
      split_(dwarf_, debug_path, inputs),
      code_(program) {
  dwarf_.attach_supplement(supplement_.dwarf.get());
  TextBound text;
  text.add(dwarf_);
  if (supplement_.dwarf != nullptr) { text.add(*supplement_.dwarf); }
  for (size_t i = 0; i < dwarf_.units().size(); ++i) {
    if (!has_code(dwarf_.units()[i])) { continue; }
    units_.push_back(i);
    if (const elf::DwarfUnit* half = split_.of(i)) { text.add(*half->file); }
  }
  most_text_ = text.bytes();
}

elf::SymbolIndexTables DebugSource::build(unsigned most_helpers, JoinableWork& shared, const std::atomic<bool>& stop,
                                          const std::function<void()>& pause, const FindRead& find_read) const {
  std::vector<elf::UnitSymbols> found(units_.size());
  // Large units first, so that no thread starts one when the others are done.
  std::vector<size_t> order(units_.size());
  for (size_t i = 0; i < order.size(); ++i) { order[i] = i; }
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return size_of(a) > size_of(b); });
  std::atomic<size_t> next{0};
  const std::thread::id own = std::this_thread::get_id();
  auto work = [&] {
    elf::UnitSymbolsReader reader(std::this_thread::get_id() == own ? pause : std::function<void()>());
    for (size_t i; !stop.load(std::memory_order_relaxed) && (i = next.fetch_add(1)) < order.size();) {
      const elf::UnitSymbols* known = find_read ? find_read(order[i]) : nullptr;
      found[order[i]] = known != nullptr ? *known : read(order[i], reader);
      if (pause && std::this_thread::get_id() == own) { pause(); }
    }
  };
  size_t useful = useful_helpers(info_bytes(), most_helpers);
  std::vector<std::thread> helpers;
  try {
    while (helpers.size() < useful) { helpers.emplace_back(work); }
  } catch (const std::system_error&) {
    // Cannot start more threads (process limit): the existing ones do all the work.
  }
  shared.run(work);
  for (std::thread& helper : helpers) { helper.join(); }
  return elf::merge_symbols(found, most_text_, useful > 0 ? run_together : elf::RunTogether());
}

}  // namespace wick
