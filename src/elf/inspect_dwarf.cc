// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Reads only the abbreviations and the first entry of each unit, so gigabytes of debug info cost milliseconds. For compressed
// sections, the beginning suffices.

#include <algorithm>
#include <array>

#include "elf/dwarf.h"
#include "elf/inspect.h"

namespace wick::elf {
namespace {

constexpr size_t kMaxSplitNames = 64, kMaxText = 4096;
constexpr uint64_t kEnough = uint64_t{32} << 20;

Language language_of(uint64_t code, std::string_view producer) {
  switch (code) {
    case 0x01:
    case 0x02:
    case 0x0c:
    case 0x1d:
    case 0x2c: return producer.starts_with("GNU AS") ? Language::kAssembler : Language::kC;
    case 0x04:
    case 0x1a:
    case 0x21:
    case 0x2a:
    case 0x2b: return Language::kCxx;
    case 0x1c:
    case 0x9000: return Language::kRust;
    case 0x16: return Language::kGo;
    case 0x27: return Language::kZig;
    case 0x1e: return Language::kSwift;
    case 0x13: return Language::kD;
    case 0x07:
    case 0x08:
    case 0x0e:
    case 0x22:
    case 0x23:
    case 0x2d: return Language::kFortran;
    case 0x03:
    case 0x0d:
    case 0x2e:
    case 0x2f: return Language::kAda;
    case 0x09: return Language::kPascal;
    case 0x18: return Language::kHaskell;
    case 0x1b: return Language::kOcaml;
    case 0x31:
    case 0x8001: return Language::kAssembler;
    case 0: return Language::kUnknown;
    default: return Language::kOther;
  }
}

void scan_abbreviations(Bytes bytes, DwarfSummary& out) {
  ByteReader r(bytes);
  bool parameters = false;
  while (r.ok() && !r.at_end()) {
    if (r.uleb() == 0) { continue; }  // end of a table
    uint64_t tag = r.uleb();
    r.u8();
    parameters |= tag == dw::kTagFormalParameter;
    out.has_inlines |= tag == dw::kTagInlinedSubroutine;
    while (r.ok()) {
      uint64_t attribute = r.uleb(), form = r.uleb();
      if (form == dw::kFormImplicitConst) { r.sleb(); }
      if (attribute == 0 && form == 0) { break; }
    }
  }
  out.detail = parameters ? DwarfSummary::Detail::kFull : DwarfSummary::Detail::kLinesOnly;
}

// Unknown if only the beginning of compressed sections was read, or if units do not tell their ranges.
std::optional<uint64_t> compute_covered_bytes(const Image& image, const DwarfFile& file) {
  const DwarfSections& s = file.sections();
  for (Bytes section : {s.info, s.ranges, s.rnglists, s.addr}) {
    if (section.size() >= kEnough) { return std::nullopt; }
  }
  std::vector<AddressRange> ranges;
  for (const DwarfUnit& unit : file.units()) { read_unit_ranges(unit, ranges); }
  CodeRanges code(image);
  std::erase_if(ranges, [&](const AddressRange& range) { return !code.contains(range.begin); });
  if (ranges.empty()) { return std::nullopt; }
  join_ranges(ranges);
  uint64_t covered = 0;
  for (const AddressRange& range : ranges) { covered += range.end - range.begin; }
  return covered;
}

}  // namespace

DwarfSummary summarize_dwarf(const Image& image) {
  DwarfSummary out;
  for (const Section& section : image.sections()) {
    bool debug = section.name.substr(0, 7) == ".debug_" || section.name.substr(0, 8) == ".zdebug_";
    if (!debug || section.name == ".debug_frame" || section.name == ".zdebug_frame" || section.name == ".debug_gdb_scripts") {
      continue;
    }
    Bytes bytes = image.section_bytes(section);
    out.size_bytes += bytes.size();
    if (bytes.empty()) { continue; }
    if (section.name == ".debug_line" || section.name == ".zdebug_line") { out.has_lines = true; }
    if (section.name == ".debug_info" || section.name == ".zdebug_info") { out.compression = compression_of(image, section); }
  }
  DwarfFile file(DwarfSections(image, {.most_bytes = kEnough}), DwarfFile::RootText::kAll);
  if (file.sections().empty()) { return out; }
  scan_abbreviations(file.sections().abbrev, out);

  struct Share {
    uint64_t bytes = 0, largest_bytes = 0;
    const DwarfUnit* largest = nullptr;
  };
  std::array<Share, static_cast<size_t>(Language::kOther) + 1> shares;
  for (const DwarfUnit& unit : file.units()) {
    if (!unit.has_root) { continue; }
    ++out.units;
    if (out.version == 0) { out.version = unit.version; }
    bool library = unit.comp_dir.starts_with("/rustc/") || unit.comp_dir.starts_with("/rust/deps/");
    out.library_units += library;
    if (unit.type == dw::kUnitSkeleton || !unit.dwo_name.empty()) {
      ++out.split_units;
      if (out.split_files.size() < kMaxSplitNames) {
        std::string name(unit.dwo_name.empty() ? "?" : unit.dwo_name.substr(0, kMaxText));
        bool absolute = name[0] == '/' || unit.comp_dir.empty();
        out.split_files.push_back(absolute ? name : std::string(unit.comp_dir.substr(0, kMaxText)) + "/" + name);
      }
    }
    out.link_time_optimized |= unit.producer.find(" -flto") != std::string_view::npos || unit.name == "<artificial>";
    Share& share = shares[static_cast<size_t>(language_of(unit.language, unit.producer))];
    // The standard library is linked into every program; it must not outweigh the program's own language.
    uint64_t weight = library ? 1 : unit.end - unit.first_die;
    share.bytes += weight;
    if (weight > share.largest_bytes) {
      share.largest_bytes = weight;
      share.largest = &unit;
    }
  }
  out.covered_bytes = compute_covered_bytes(image, file);
  shares[static_cast<size_t>(Language::kUnknown)] = {};
  auto winner = std::max_element(shares.begin(), shares.end(), [](const Share& a, const Share& b) { return a.bytes < b.bytes; });
  if (winner->largest != nullptr) {
    out.language = static_cast<Language>(winner - shares.begin());
    out.producer = winner->largest->producer.substr(0, kMaxText);
    out.version = winner->largest->version;
  }
  return out;
}

}  // namespace wick::elf
