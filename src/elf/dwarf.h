// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Debug information as it stands in a file: sections, units, abbreviations, attribute values. What is made of it is in
// symbol_index.h. Versions 2 to 5; every offset is checked, and what cannot be read ends the unit it stands in, not the file.

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
    bool dwo = false;                        // those of a split file (.debug_info.dwo, …)
    uint64_t most_bytes = kMaxSectionBytes;  // of a compressed section, from its beginning
    uint64_t most_total = kMaxSectionBytes;  // of all compressed ones together
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

// A value with its indirections (string tables, address tables) followed.
struct AttributeValue {
  enum class Kind : uint8_t {
    kNone,
    kAddress,
    kConstant,
    kString,
    kReference,     // offset in .debug_info of the same file
    kAltReference,  // in that of the supplementary file
    kSection,       // offset in another section
    kListIndex,
    kOther,
  };
  Kind kind = Kind::kNone;
  uint64_t number = 0;
  std::string_view text;
};
// Where an entry's code is: DW_AT_ranges, or DW_AT_low_pc and DW_AT_high_pc.
struct RangeAttributes {
  AttributeValue low, high, ranges;
};

// Header and first entry of a unit of .debug_info.
struct DwarfUnit {
  const DwarfFile* file = nullptr;
  uint64_t offset = 0, end = 0, first_die = 0;  // in .debug_info
  uint64_t abbrev_offset = 0;
  uint64_t id = 0;  // of split units
  uint16_t version = 0;
  uint8_t address_size = 8, offset_size = 4, type = dw::kUnitCompile;

  bool has_lines = false, has_root = false;
  uint16_t tag = 0, language = 0;
  uint64_t stmt_list = 0, low_pc = 0, addr_base = 0, str_offsets_base = 0, rnglists_base = 0, ranges_base = 0;
  std::string_view name, comp_dir, dwo_name, producer;
  RangeAttributes code;
  const DwarfUnit* skeleton = nullptr;  // of a split unit: what it belongs to in the program itself
};

struct AttributeSpec {
  uint16_t name = 0, form = 0;
  int64_t implicit = 0;
};

// How to step over an attribute, or over several of fixed size.
struct SkipStep {
  enum class Kind : uint8_t { kFixed, kLeb, kString, kBlockLeb, kBlock1, kBlock2, kBlock4, kIndirect };
  Kind kind = Kind::kFixed;
  uint32_t size = 0;
};

// An entry's layout. `skip` is a short program that steps over its attributes.
struct Abbreviation {
  uint16_t tag = 0;
  bool has_children = false;
  bool has_code = false, has_linkage_name = false, has_origin = false;  // attributes that it may have
  bool is_abstract = false;                                             // a declaration, or what is inlined everywhere
  uint32_t first_spec = 0, spec_count = 0, first_skip = 0, skip_count = 0;
};

// Made for units of one size of addresses and offsets.
class AbbreviationTable {
 public:
  AbbreviationTable() = default;
  explicit AbbreviationTable(const DwarfUnit& unit, uint64_t only_code = 0);  // 0: all

  const Abbreviation* find(uint64_t code) const {
    return code - 1 < dense_.size() ? &dense_[static_cast<size_t>(code - 1)] : find_sparse(code);
  }
  std::span<const AttributeSpec> specs(const Abbreviation& a) const { return {specs_.data() + a.first_spec, a.spec_count}; }
  // Steps over an entry's attributes.
  void skip(const Abbreviation& a, const DwarfUnit& unit, ByteReader& reader) const;

 private:
  const Abbreviation* find_sparse(uint64_t code) const;
  void add_skip(Abbreviation& a, uint16_t form, const DwarfUnit& unit);

  std::vector<Abbreviation> dense_;
  std::vector<std::pair<uint64_t, Abbreviation>> sparse_;  // by code
  std::vector<AttributeSpec> specs_;
  std::vector<SkipStep> skips_;
};

// Reads one value; false when the form is not known or the bytes end: then nothing behind it can be read.
bool read_attribute(ByteReader& reader, const DwarfUnit& unit, const AttributeSpec& spec, AttributeValue& value);
// Steps over one; makes the reader fail where read_attribute() gives false.
void skip_attribute(ByteReader& reader, const DwarfUnit& unit, uint16_t form);

// The debug information of one file, split units and supplementary file attached. Constant once all is attached.
class DwarfFile {
 public:
  explicit DwarfFile(DwarfSections sections);
  DwarfFile(const DwarfFile&) = delete;
  DwarfFile& operator=(const DwarfFile&) = delete;

  const DwarfSections& sections() const { return sections_; }
  const std::vector<DwarfUnit>& units() const { return units_; }
  // The unit whose entries hold the offset, or null.
  const DwarfUnit* find_unit(uint64_t offset) const;

  const DwarfFile* supplement() const { return supplement_; }
  void attach_supplement(const DwarfFile* file) { supplement_ = file; }
  // The split unit that goes with a skeleton: takes its address table and places. Both files must outlive the index.
  static bool attach_split(const DwarfUnit& skeleton, DwarfFile& split);
  const DwarfFile* main_file() const { return main_file_ != nullptr ? main_file_ : this; }  // whose .debug_addr is used

  // A string or address of the tables of that unit; empty or 0 when it is not there.
  std::string_view indexed_string(const DwarfUnit& unit, uint64_t index) const;
  bool indexed_address(const DwarfUnit& unit, uint64_t index, uint64_t& address) const;

  // Bytes that may be read of sections whose parts several units or entries may refer to.
  const ReadBudget& abbreviation_bytes() const { return abbreviation_bytes_; }
  const ReadBudget& line_bytes() const { return line_bytes_; }
  const ReadBudget& range_bytes() const { return range_bytes_; }

 private:
  void read_units();
  void read_root(DwarfUnit& unit);

  DwarfSections sections_;
  ReadBudget abbreviation_bytes_, line_bytes_, range_bytes_;
  std::vector<DwarfUnit> units_;  // by offset
  const DwarfFile* supplement_ = nullptr;
  const DwarfFile* main_file_ = nullptr;
};

// What the attributes say, appended; empty ranges are left out.
void read_ranges(const DwarfUnit& unit, const RangeAttributes& attributes, std::vector<AddressRange>& out);

// Ranges of a unit as its first entry has them.
void read_unit_ranges(const DwarfUnit& unit, std::vector<AddressRange>& out);

}  // namespace wick::elf
