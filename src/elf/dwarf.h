// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// DWARF debug info as stored in a file: sections, units, abbreviations, attribute values (versions 2 to 5). symbol_index.h builds
// on it. Every offset is checked; a malformed entry ends its unit, not the file.

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/byte_reader.h"
#include "base/fd.h"
#include "elf/code_ranges.h"
#include "elf/decompress.h"
#include "elf/dwarf_constants.h"
#include "elf/image.h"

namespace wick::elf {

// The sections of one file, decompressed where needed.
class DwarfSections {
 public:
  struct Options {
    bool dwo = false;                        // the sections of a split file (.debug_info.dwo, …)
    uint64_t most_bytes = kMaxSectionBytes;  // limit for one compressed section, from its beginning
    uint64_t most_total = kMaxSectionBytes;  // limit for all compressed sections together
  };
  DwarfSections() = default;
  DwarfSections(const Image& image, const Options& options);
  explicit DwarfSections(const Image& image) : DwarfSections(image, Options{}) {}
  DwarfSections(DwarfSections&&) = default;
  DwarfSections& operator=(DwarfSections&&) = default;

  bool empty() const { return info.empty(); }

  Bytes info, abbrev, str, line, line_str, ranges, rnglists, addr, str_offsets;

 private:
  std::vector<SectionContents> owned_;
};

class DwarfFile;

// An attribute value with indirections (string tables, address tables) resolved.
struct AttributeValue {
  enum class Kind : uint8_t {
    kNone,
    kAddress,
    kConstant,
    kString,
    kReference,     // offset in .debug_info of the same file
    kAltReference,  // offset in .debug_info of the supplementary file
    kSection,       // offset in another section
    kListIndex,
    kOther,
  };
  Kind kind = Kind::kNone;
  uint64_t number = 0;
  std::string_view text;
};
// The code ranges of an entry: DW_AT_ranges, or DW_AT_low_pc and DW_AT_high_pc.
struct RangeAttributes {
  AttributeValue low, high, ranges;
};

// Header and first entry of a unit of .debug_info.
struct DwarfUnit {
  const DwarfFile* file = nullptr;
  uint64_t offset = 0, end = 0, first_die = 0;  // in .debug_info
  uint64_t abbrev_offset = 0;
  uint64_t id = 0;  // split units: the DWO id
  uint16_t version = 0;
  uint8_t address_size = 8, offset_size = 4, type = dw::kUnitCompile;

  bool has_lines = false, has_root = false;
  uint16_t tag = 0, language = 0;
  uint64_t stmt_list = 0, low_pc = 0, addr_base = 0, str_offsets_base = 0, rnglists_base = 0, ranges_base = 0;
  std::string_view name, comp_dir, dwo_name, producer;
  RangeAttributes code;
  const DwarfUnit* skeleton = nullptr;  // split units: the matching unit in the program itself
};

struct AttributeSpec {
  static constexpr uint8_t kVaries = 255;

  uint16_t name = 0, form = 0;
  int64_t implicit = 0;
  uint8_t size = kVaries;
};

// How to skip one attribute, or several of fixed size.
struct SkipStep {
  enum class Kind : uint8_t { kFixed, kLeb, kString, kBlockLeb, kBlock1, kBlock2, kBlock4, kIndirect };
  Kind kind = Kind::kFixed;
  uint32_t size = 0;
};

// The layout of an entry. Its attributes are skipped by their leading fixed bytes, then by steps.
struct Abbreviation {
  uint16_t tag = 0;
  bool has_children = false;
  bool has_code = false, has_linkage_name = false, has_origin = false;  // attributes that it may have
  bool is_abstract = false;                                             // a declaration, or a function that is inlined everywhere
  uint32_t leading_bytes = 0;
  uint32_t first_spec = 0, spec_count = 0, first_skip = 0, skip_count = 0;
};

// What a pass over all entries needs to know of most of them, in one word.
struct EntryShape {
  enum class Kind : uint8_t {
    kFixed,      // `bytes` of attributes, of no interest
    kFixedCall,  // an inlined call with `bytes` of attributes
    kBlock,      // like kFixed, but followed by a block with its length as LEB128, and by `bytes_behind`
    kOther,
  };
  uint16_t bytes = 0;
  uint16_t tag = 0;
  uint16_t bytes_behind = 0;
  int8_t levels = 0;  // 1: children follow; -1: the entry that ends them
  Kind kind = Kind::kFixed;
};

// Valid for units with the same address and offset sizes.
class AbbreviationTable {
 public:
  AbbreviationTable() = default;
  explicit AbbreviationTable(const DwarfUnit& unit, uint64_t only_code = 0);  // 0: all

  const Abbreviation* find(uint64_t code) const {
    return code - 1 < dense_.size() ? &dense_[static_cast<size_t>(code - 1)] : find_sparse(code);
  }
  uint64_t bytes_read() const { return bytes_read_; }
  // By code, 0 included; of the first codes without a gap.
  std::span<const EntryShape> shapes() const { return shapes_; }
  EntryShape shape_of(const Abbreviation& a) const;
  std::span<const AttributeSpec> specs(const Abbreviation& a) const { return {specs_.data() + a.first_spec, a.spec_count}; }
  // Skips the attributes of an entry. Returns null if they extend beyond `end`.
  const uint8_t* skip(const Abbreviation& a, const DwarfUnit& unit, const uint8_t* at, const uint8_t* end) const {
    if (a.leading_bytes > static_cast<uint64_t>(end - at)) { return nullptr; }
    at += a.leading_bytes;
    const SkipStep* step = skips_.data() + a.first_skip;
    for (const SkipStep* last = step + a.skip_count; step != last; ++step) {
      uint64_t size = step->size;
      if (step->kind == SkipStep::Kind::kLeb) {
        while (at != end && *at >= 0x80) { ++at; }
        size = 1;
      } else if (step->kind == SkipStep::Kind::kBlockLeb && at != end && *at < 0x80) {
        size = 1 + uint64_t{*at};
      } else if (step->kind != SkipStep::Kind::kFixed) {
        at = skip_rare(*step, unit, at, end);
        if (at == nullptr) { return nullptr; }
        continue;
      }
      if (size > static_cast<uint64_t>(end - at)) { return nullptr; }
      at += size;
    }
    return at;
  }

 private:
  static const uint8_t* skip_rare(const SkipStep& step, const DwarfUnit& unit, const uint8_t* at, const uint8_t* end);
  const Abbreviation* find_sparse(uint64_t code) const;
  void add_skip(Abbreviation& a, uint16_t form, const DwarfUnit& unit);

  std::vector<Abbreviation> dense_;
  std::vector<EntryShape> shapes_;
  std::vector<std::pair<uint64_t, Abbreviation>> sparse_;  // by code
  std::vector<AttributeSpec> specs_;
  std::vector<SkipStep> skips_;
  uint64_t bytes_read_ = 0;
};

// Reads one value. Returns false if the form is unknown or the data is truncated; then nothing after it can be read.
bool read_attribute(ByteReader& reader, const DwarfUnit& unit, const AttributeSpec& spec, AttributeValue& value);
// Skips one attribute; makes the reader fail where read_attribute() returns false.
void skip_attribute(ByteReader& reader, const DwarfUnit& unit, uint16_t form);

// The debug info of one file, with its split units and supplementary file attached. Constant once everything is attached.
class DwarfFile {
 public:
  enum class RootText { kPaths, kAll };  // kPaths: leaves the units' `name` and `producer` empty
  explicit DwarfFile(DwarfSections sections, RootText text = RootText::kPaths);
  DwarfFile(const DwarfFile&) = delete;
  DwarfFile& operator=(const DwarfFile&) = delete;

  const DwarfSections& sections() const { return sections_; }
  const std::vector<DwarfUnit>& units() const { return units_; }
  // The unit that contains the offset, or null.
  const DwarfUnit* find_unit(uint64_t offset) const;

  const DwarfFile* supplement() const { return supplement_; }
  void attach_supplement(const DwarfFile* file) { supplement_ = file; }
  // Attaches a split unit to its skeleton and its address table. Both files must outlive the index.
  static bool attach_split(const DwarfUnit& skeleton, DwarfFile& split);
  const DwarfFile* main_file() const { return main_file_ != nullptr ? main_file_ : this; }  // the file whose .debug_addr is used

  // Looks up the unit's string or address table; empty or false if out of range.
  std::string_view indexed_string(const DwarfUnit& unit, uint64_t index) const;
  bool indexed_address(const DwarfUnit& unit, uint64_t index, uint64_t& address) const;

  // Limits for sections whose contents several units or entries may share.
  const ReadBudget& abbreviation_bytes() const { return abbreviation_bytes_; }
  const ReadBudget& line_bytes() const { return line_bytes_; }
  const ReadBudget& range_bytes() const { return range_bytes_; }

 private:
  class RootTables;
  void read_units();
  void read_root(DwarfUnit& unit, RootTables& tables);

  DwarfSections sections_;
  RootText root_text_;
  ReadBudget abbreviation_bytes_, line_bytes_, range_bytes_;
  std::vector<DwarfUnit> units_;  // by offset
  const DwarfFile* supplement_ = nullptr;
  const DwarfFile* main_file_ = nullptr;
};

// Appends the ranges given by the attributes; skips empty ones.
void read_ranges(const DwarfUnit& unit, const RangeAttributes& attributes, std::vector<AddressRange>& out);

// Appends the ranges given by the unit's first entry.
void read_unit_ranges(const DwarfUnit& unit, std::vector<AddressRange>& out);

}  // namespace wick::elf
