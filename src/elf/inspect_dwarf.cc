// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Only the first entry of each unit is read, and the abbreviations as a whole, so that gigabytes of debug information cost
// milliseconds. Of compressed sections the beginning is enough.

#include <algorithm>
#include <array>
#include <map>

#include "base/byte_reader.h"
#include "elf/inspect.h"

namespace wick::elf {
namespace {

constexpr size_t kMaxUnits = 20000, kMaxSplitNames = 64, kMaxText = 4096;
constexpr uint64_t kEnough = uint64_t{32} << 20;

enum : uint64_t {
  kTagFormalParameter = 0x05,
  kTagInlined = 0x1d,
  kAtName = 0x03,
  kAtLanguage = 0x13,
  kAtCompDir = 0x1b,
  kAtProducer = 0x25,
  kAtStrOffsetsBase = 0x72,
  kAtDwoName = 0x76,
  kAtGnuDwoName = 0x2130,
};

// A section under its plain name or as .zdebug_…; empty when it is not there or cannot be decompressed.
SectionContents open_section(const Image& image, const std::string& name) {
  const Section* section = image.find_section("." + name);
  if (section == nullptr) { section = image.find_section(".z" + name); }
  if (section == nullptr) { return {}; }
  Result<SectionContents> contents = section_contents(image, *section, kEnough);
  return contents.ok() ? *std::move(contents) : SectionContents();
}

struct Sections {
  explicit Sections(const Image& image)
      : info(open_section(image, "debug_info")),
        abbrev(open_section(image, "debug_abbrev")),
        str(open_section(image, "debug_str")),
        line_str(open_section(image, "debug_line_str")),
        str_offsets(open_section(image, "debug_str_offsets")) {}
  SectionContents info, abbrev, str, line_str, str_offsets;
};

std::string text_at(const SectionContents& strings, uint64_t offset) {
  if (offset >= strings.bytes.size()) { return {}; }
  Bytes rest = strings.bytes.subspan(static_cast<size_t>(offset));
  ByteReader reader(rest.subspan(0, std::min(rest.size(), kMaxText)));
  return std::string(reader.cstring());
}

struct Unit {
  unsigned version = 0, address_size = 8, offset_size = 4;
  uint64_t abbrev_offset = 0;
  size_t die = 0, end = 0;
  bool skeleton = false;
};

// False at the end, or when the rest cannot be read.
bool read_unit(ByteReader& r, Unit& unit) {
  unit = {};
  uint64_t length = r.u32();
  if (length == 0xffffffff) {
    length = r.u64();
    unit.offset_size = 8;
  }
  if (!r.ok() || length < 7 || length > r.left()) {
    // The last unit of a section that was cut: its first entry may be there still.
    if (!r.ok() || length < 7 || r.left() < 16) { return false; }
    length = r.left();
  }
  unit.end = r.pos() + static_cast<size_t>(length);
  auto offset = [&] { return unit.offset_size == 8 ? r.u64() : uint64_t{r.u32()}; };
  unit.version = r.u16();
  if (unit.version >= 5) {
    uint8_t type = r.u8();
    unit.address_size = r.u8();
    unit.abbrev_offset = offset();
    if (type == 4 || type == 5) { r.u64(); }
    if (type == 2 || type == 6) {
      r.u64();
      offset();
    }
    unit.skeleton = type == 4;
  } else {
    unit.abbrev_offset = offset();
    unit.address_size = r.u8();
  }
  unit.die = r.pos();
  return r.ok() && unit.version >= 2 && unit.version <= 5;
}

struct Value {
  uint64_t number = 0;
  std::string text;
  bool indexed = false;
};

// Reads or steps over one attribute. False for a form that is not known: then nothing behind it can be read.
bool read_form(ByteReader& r, const Unit& unit, uint64_t form, int64_t implicit, const Sections& sections, Value& value) {
  auto sized = [&](unsigned size) {
    switch (size) {
      case 1: return uint64_t{r.u8()};
      case 2: return uint64_t{r.u16()};
      case 4: return uint64_t{r.u32()};
      default: return r.u64();
    }
  };
  value = {};
  switch (form) {
    case 0x01: value.number = sized(unit.address_size); break;  // addr
    case 0x03: r.skip(r.u16()); break;                          // block2
    case 0x04: r.skip(r.u32()); break;                          // block4
    case 0x05:
    case 0x12: value.number = r.u16(); break;  // data2, ref2
    case 0x06:
    case 0x13: value.number = r.u32(); break;  // data4, ref4
    case 0x07:
    case 0x14:
    case 0x20: value.number = r.u64(); break;                                     // data8, ref8, ref_sig8
    case 0x08: value.text = std::string(r.cstring().substr(0, kMaxText)); break;  // string
    case 0x09:
    case 0x18: r.skip(r.uleb()); break;  // block, exprloc
    case 0x0a: r.skip(r.u8()); break;    // block1
    case 0x0b:
    case 0x0c:
    case 0x11: value.number = r.u8(); break;                                        // data1, flag, ref1
    case 0x0d: value.number = static_cast<uint64_t>(r.sleb()); break;               // sdata
    case 0x0e: value.text = text_at(sections.str, sized(unit.offset_size)); break;  // strp
    case 0x0f:
    case 0x15:
    case 0x1b:
    case 0x22:
    case 0x23: value.number = r.uleb(); break;  // udata, ref_udata, addrx, loclistx, rnglistx
    case 0x10: value.number = sized(unit.version <= 2 ? unit.address_size : unit.offset_size); break;  // ref_addr
    case 0x17:
    case 0x1d:
    case 0x1f20:
    case 0x1f21: value.number = sized(unit.offset_size); break;  // sec_offset, strp_sup, GNU alt forms
    case 0x19: value.number = 1; break;                          // flag_present
    case 0x1a:
      value.number = r.uleb();
      value.indexed = true;
      break;                                                                             // strx
    case 0x1c: value.number = r.u32(); break;                                            // ref_sup4
    case 0x1e: r.skip(16); break;                                                        // data16
    case 0x1f: value.text = text_at(sections.line_str, sized(unit.offset_size)); break;  // line_strp
    case 0x21: value.number = static_cast<uint64_t>(implicit); break;                    // implicit_const
    case 0x24: value.number = r.u64(); break;                                            // ref_sup8
    case 0x25:
      value.number = r.u8();
      value.indexed = true;
      break;  // strx1
    case 0x26:
      value.number = r.u16();
      value.indexed = true;
      break;  // strx2
    case 0x27:
      value.number = r.u16();
      value.number |= uint64_t{r.u8()} << 16;
      value.indexed = true;
      break;  // strx3
    case 0x28:
      value.number = r.u32();
      value.indexed = true;
      break;                                  // strx4
    case 0x29: value.number = r.u8(); break;  // addrx1
    case 0x2a: value.number = r.u16(); break;
    case 0x2b:
      r.u16();
      r.u8();
      break;
    case 0x2c: value.number = r.u32(); break;
    case 0x1f01:
    case 0x1f02:
      value.number = r.uleb();
      value.indexed = form == 0x1f02;
      break;  // GNU_addr_index, GNU_str_index
    default: return false;
  }
  return r.ok();
}

struct FirstEntry {
  std::string name, comp_dir, producer, split_file;
  uint64_t language = 0;
};

bool read_first_entry(const Sections& sections, const Unit& unit, FirstEntry& entry) {
  entry = {};
  ByteReader r(sections.info.bytes.subspan(0, unit.end), unit.die);
  uint64_t code = r.uleb();
  ByteReader abbrev(sections.abbrev.bytes, 0);
  abbrev.seek(unit.abbrev_offset);
  // The unit's own entry stands at the beginning of its table, wherever that has been put.
  for (int tries = 0; tries < 4096 && abbrev.ok(); ++tries) {
    uint64_t candidate = abbrev.uleb();
    if (candidate == 0) { return false; }
    abbrev.uleb();
    abbrev.u8();
    bool mine = candidate == code;
    std::map<uint64_t, uint64_t> indexed;
    uint64_t base = unit.offset_size == 8 ? 16 : 8;
    while (abbrev.ok()) {
      uint64_t attribute = abbrev.uleb(), form = abbrev.uleb();
      int64_t implicit = form == 0x21 ? abbrev.sleb() : 0;
      if (attribute == 0 && form == 0) { break; }
      if (!mine) { continue; }
      for (int depth = 0; form == 0x16 && depth < 4; ++depth) { form = r.uleb(); }  // indirect
      Value value;
      if (!read_form(r, unit, form, implicit, sections, value)) { break; }
      if (value.indexed) { indexed[attribute] = value.number; }
      switch (attribute) {
        case kAtName: entry.name = value.text; break;
        case kAtCompDir: entry.comp_dir = value.text; break;
        case kAtProducer: entry.producer = value.text; break;
        case kAtLanguage: entry.language = value.number; break;
        case kAtStrOffsetsBase: base = value.number; break;
        case kAtDwoName:
        case kAtGnuDwoName: entry.split_file = value.text.empty() ? "?" : value.text; break;
        default: break;
      }
    }
    if (!mine) { continue; }
    auto resolve = [&](uint64_t attribute, std::string& text) {
      auto found = indexed.find(attribute);
      if (found == indexed.end() || found->second > UINT32_MAX) { return; }
      ByteReader offsets(sections.str_offsets.bytes, 0);
      offsets.seek(base + found->second * unit.offset_size);
      uint64_t at = unit.offset_size == 8 ? offsets.u64() : offsets.u32();
      if (offsets.ok()) { text = text_at(sections.str, at); }
    };
    resolve(kAtName, entry.name);
    resolve(kAtCompDir, entry.comp_dir);
    resolve(kAtProducer, entry.producer);
    resolve(kAtDwoName, entry.split_file);
    return true;
  }
  return false;
}

Language language_of(uint64_t code, const std::string& producer) {
  switch (code) {
    case 0x01:
    case 0x02:
    case 0x0c:
    case 0x1d:
    case 0x2c: return producer.rfind("GNU AS", 0) == 0 ? Language::kAssembler : Language::kC;
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
    if (r.uleb() == 0) { continue; }  // the end of one table
    uint64_t tag = r.uleb();
    r.u8();
    parameters |= tag == kTagFormalParameter;
    out.has_inlines |= tag == kTagInlined;
    while (r.ok()) {
      uint64_t attribute = r.uleb(), form = r.uleb();
      if (form == 0x21) { r.sleb(); }
      if (attribute == 0 && form == 0) { break; }
    }
  }
  out.detail = parameters ? DwarfSummary::Detail::kFull : DwarfSummary::Detail::kLinesOnly;
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
  Sections sections(image);
  if (sections.info.bytes.empty()) { return out; }
  scan_abbreviations(sections.abbrev.bytes, out);

  std::array<uint64_t, static_cast<size_t>(Language::kOther) + 1> bytes_of{};
  std::array<std::pair<uint64_t, FirstEntry>, static_cast<size_t>(Language::kOther) + 1> largest;
  std::array<unsigned, static_cast<size_t>(Language::kOther) + 1> version_of{};
  ByteReader r(sections.info.bytes);
  Unit unit;
  while (!r.at_end() && out.units < kMaxUnits && read_unit(r, unit)) {
    FirstEntry entry;
    if (read_first_entry(sections, unit, entry)) {
      ++out.units;
      if (out.version == 0) { out.version = unit.version; }
      bool library = entry.comp_dir.rfind("/rustc/", 0) == 0 || entry.comp_dir.rfind("/rust/deps/", 0) == 0;
      out.library_units += library;
      if (unit.skeleton || !entry.split_file.empty()) {
        ++out.split_units;
        if (out.split_files.size() < kMaxSplitNames) {
          bool absolute = entry.split_file.substr(0, 1) == "/" || entry.comp_dir.empty();
          out.split_files.push_back(absolute ? entry.split_file : entry.comp_dir + "/" + entry.split_file);
        }
      }
      out.link_time_optimized |= entry.producer.find(" -flto") != std::string::npos || entry.name == "<artificial>";
      size_t language = static_cast<size_t>(language_of(entry.language, entry.producer));
      // The standard library is linked to whole programs in one line; it does not outvote what they are written in.
      uint64_t weight = library ? 1 : unit.end - unit.die;
      bytes_of[language] += weight;
      if (weight > largest[language].first) {
        largest[language] = {weight, entry};
        version_of[language] = unit.version;
      }
    }
    r.seek(unit.end);
  }
  bytes_of[static_cast<size_t>(Language::kUnknown)] = 0;
  size_t winner = static_cast<size_t>(std::max_element(bytes_of.begin(), bytes_of.end()) - bytes_of.begin());
  if (bytes_of[winner] > 0) {
    out.language = static_cast<Language>(winner);
    out.producer = largest[winner].second.producer;
    out.version = version_of[winner];
  }
  return out;
}

}  // namespace wick::elf
