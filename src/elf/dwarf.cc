// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "elf/dwarf.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <tuple>
#include <utility>

namespace wick::elf {
namespace {

constexpr size_t kMaxAbbreviations = 1 << 20;
constexpr unsigned kMaxIndirect = 4;
constexpr unsigned kMaxFree = 32;         // attributes of one entry that take no bytes
constexpr uint64_t kFewBytes = 16 << 20;  // always allowed
constexpr uint64_t kOften = 8;            // times the section's size

// Longer strings are truncated: a 4-byte reference must not cost an unbounded search for the terminator.
constexpr size_t kMaxText = 1 << 16;
std::string_view string_at(Bytes section, uint64_t offset) {
  if (offset >= section.size()) { return {}; }
  section = section.subspan(static_cast<size_t>(offset));
  section = section.first(std::min(section.size(), kMaxText));
  return {reinterpret_cast<const char*>(section.data()),
          ::strnlen(reinterpret_cast<const char*>(section.data()), section.size())};
}

uint64_t read_sized(ByteReader& r, unsigned size) {
  switch (size) {
    case 1: return r.u8();
    case 2: return r.u16();
    case 4: return r.u32();
    case 8: return r.u64();
    default: r.fail(); return 0;
  }
}

uint64_t read_u24(ByteReader& r) {
  uint64_t low = r.u16();
  return low | uint64_t{r.u8()} << 16;
}

}  // namespace

DwarfSections::DwarfSections(const Image& image, const Options& options) {
  uint64_t left = options.most_total;
  auto open = [&](const char* name) -> Bytes {
    std::string full = std::string(name) + (options.dwo ? ".dwo" : "");
    const Section* section = image.find_section("." + full);
    if (section == nullptr) { section = image.find_section(".z" + full); }
    if (section == nullptr) { return {}; }
    Result<SectionContents> contents = section_contents(image, *section, std::min(options.most_bytes, left));
    if (!contents.ok()) { return {}; }
    left -= std::min<uint64_t>(left, contents->owned.size());
    owned_.push_back(*std::move(contents));
    return owned_.back().bytes;
  };
  owned_.reserve(9);  // `bytes` may point into the vector of the same struct
  info = open("debug_info");
  abbrev = open("debug_abbrev");
  str = open("debug_str");
  line = open("debug_line");
  line_str = open("debug_line_str");
  ranges = open("debug_ranges");
  rnglists = open("debug_rnglists");
  addr = open("debug_addr");
  str_offsets = open("debug_str_offsets");
}

// ------------------------------------------------------------------------------------------------------------ abbreviations

namespace {

SkipStep skip_of(uint16_t form, const DwarfUnit& unit) {
  using Kind = SkipStep::Kind;
  SkipStep step;
  switch (form) {
    case dw::kFormFlagPresent:
    case dw::kFormImplicitConst: break;
    case dw::kFormData1:
    case dw::kFormFlag:
    case dw::kFormRef1:
    case dw::kFormStrx1:
    case dw::kFormAddrx1: step.size = 1; break;
    case dw::kFormData2:
    case dw::kFormRef2:
    case dw::kFormStrx2:
    case dw::kFormAddrx2: step.size = 2; break;
    case dw::kFormStrx3:
    case dw::kFormAddrx3: step.size = 3; break;
    case dw::kFormData4:
    case dw::kFormRef4:
    case dw::kFormRefSup4:
    case dw::kFormStrx4:
    case dw::kFormAddrx4: step.size = 4; break;
    case dw::kFormData8:
    case dw::kFormRef8:
    case dw::kFormRefSup8:
    case dw::kFormRefSig8: step.size = 8; break;
    case dw::kFormData16: step.size = 16; break;
    case dw::kFormAddr: step.size = unit.address_size; break;
    case dw::kFormRefAddr: step.size = unit.version <= 2 ? unit.address_size : unit.offset_size; break;
    case dw::kFormStrp:
    case dw::kFormLineStrp:
    case dw::kFormStrpSup:
    case dw::kFormSecOffset:
    case dw::kFormGnuRefAlt:
    case dw::kFormGnuStrpAlt: step.size = unit.offset_size; break;
    case dw::kFormSdata:
    case dw::kFormUdata:
    case dw::kFormRefUdata:
    case dw::kFormStrx:
    case dw::kFormAddrx:
    case dw::kFormLoclistx:
    case dw::kFormRnglistx:
    case dw::kFormGnuAddrIndex:
    case dw::kFormGnuStrIndex: step.kind = Kind::kLeb; break;
    case dw::kFormString: step.kind = Kind::kString; break;
    case dw::kFormBlock:
    case dw::kFormExprloc: step.kind = Kind::kBlockLeb; break;
    case dw::kFormBlock1: step.kind = Kind::kBlock1; break;
    case dw::kFormBlock2: step.kind = Kind::kBlock2; break;
    case dw::kFormBlock4: step.kind = Kind::kBlock4; break;
    case dw::kFormIndirect: step.kind = Kind::kIndirect; break;
    default:  // unknown length: skip past the end
      step.size = UINT32_MAX;
      break;
  }
  return step;
}

uint8_t fixed_size(uint16_t form, const DwarfUnit& unit) {
  SkipStep step = skip_of(form, unit);
  return step.kind == SkipStep::Kind::kFixed && step.size < AttributeSpec::kVaries ? static_cast<uint8_t>(step.size)
                                                                                   : AttributeSpec::kVaries;
}

// Skips the declaration of an abbreviation after its code.
void skip_declaration(ByteReader& r) {
  r.uleb();
  r.u8();
  for (;;) {
    uint64_t name = r.uleb(), form = r.uleb();
    if (form == dw::kFormImplicitConst) { r.sleb(); }
    if (!r.ok() || (name == 0 && form == 0)) { return; }
  }
}

}  // namespace

AbbreviationTable::AbbreviationTable(const DwarfUnit& unit, uint64_t only_code) {
  const ReadBudget& budget = unit.file->abbreviation_bytes();
  ByteReader r(unit.file->sections().abbrev, 0);
  r.seek(unit.abbrev_offset);
  if (budget.left() == 0) { return; }
  struct Spent {
    const ReadBudget& budget;
    const ByteReader& reader;
    uint64_t begin;
    uint64_t& bytes_read;
    ~Spent() {
      bytes_read = reader.pos() - begin;
      budget.take(bytes_read);
    }
  } spent{budget, r, r.pos(), bytes_read_};
  for (size_t count = 0; count < kMaxAbbreviations && r.ok(); ++count) {
    uint64_t code = r.uleb();
    if (code == 0) { break; }
    if (only_code != 0 && code != only_code) {
      skip_declaration(r);
      continue;
    }
    Abbreviation a;
    a.tag = static_cast<uint16_t>(std::min<uint64_t>(r.uleb(), UINT16_MAX));
    a.has_children = r.u8() != 0;
    a.first_spec = static_cast<uint32_t>(specs_.size());
    a.first_skip = static_cast<uint32_t>(skips_.size());
    for (unsigned free = 0;;) {
      uint64_t name = r.uleb(), form = r.uleb();
      int64_t implicit = form == dw::kFormImplicitConst ? r.sleb() : 0;
      if (!r.ok() || (name == 0 && form == 0)) { break; }
      if ((form == dw::kFormImplicitConst || form == dw::kFormFlagPresent) && ++free > kMaxFree) { continue; }
      AttributeSpec spec{static_cast<uint16_t>(std::min<uint64_t>(name, UINT16_MAX)),
                         static_cast<uint16_t>(std::min<uint64_t>(form, UINT16_MAX)), implicit};
      spec.size = fixed_size(spec.form, unit);
      specs_.push_back(spec);
      a.has_code |= name == dw::kAtLowPc || name == dw::kAtRanges;
      a.has_linkage_name |= name == dw::kAtLinkageName || name == dw::kAtMipsLinkageName;
      a.is_abstract |= name == dw::kAtInline || name == dw::kAtDeclaration;
      a.has_origin |= name == dw::kAtAbstractOrigin || name == dw::kAtSpecification;
      add_skip(a, spec.form, unit);
    }
    if (!r.ok()) { break; }
    a.spec_count = static_cast<uint32_t>(specs_.size()) - a.first_spec;
    a.skip_count = static_cast<uint32_t>(skips_.size()) - a.first_skip;
    if (code == dense_.size() + 1) {
      dense_.push_back(a);
    } else {
      sparse_.emplace_back(code, a);
    }
    if (only_code != 0) { return; }
  }
  shapes_.reserve(dense_.size() + 1);
  shapes_.push_back({0, 0, 0, -1, EntryShape::Kind::kFixed});
  for (const Abbreviation& a : dense_) { shapes_.push_back(shape_of(a)); }
  std::stable_sort(sparse_.begin(), sparse_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
}

EntryShape AbbreviationTable::shape_of(const Abbreviation& a) const {
  using Kind = EntryShape::Kind;
  EntryShape shape{static_cast<uint16_t>(a.leading_bytes), a.tag, 0, static_cast<int8_t>(a.has_children ? 1 : 0), Kind::kOther};
  if (a.leading_bytes > UINT16_MAX || a.tag == dw::kTagSubprogram) { return shape; }
  bool is_call = a.tag == dw::kTagInlinedSubroutine;
  if (a.skip_count == 0) {
    shape.kind = is_call ? Kind::kFixedCall : Kind::kFixed;
  } else if (!is_call && a.skip_count <= 2 && skips_[a.first_skip].kind == SkipStep::Kind::kBlockLeb) {
    const SkipStep behind = a.skip_count == 2 ? skips_[a.first_skip + 1] : SkipStep();
    if (behind.kind == SkipStep::Kind::kFixed && behind.size <= UINT16_MAX) {
      shape.bytes_behind = static_cast<uint16_t>(behind.size);
      shape.kind = Kind::kBlock;
    }
  }
  return shape;
}

const Abbreviation* AbbreviationTable::find_sparse(uint64_t code) const {
  auto found = std::lower_bound(sparse_.begin(), sparse_.end(), code, [](const auto& a, uint64_t c) { return a.first < c; });
  return found != sparse_.end() && found->first == code ? &found->second : nullptr;
}

namespace {

void skip_leb(ByteReader& r) {
  while (r.u8() >= 0x80) {}
}

void take_skip(const SkipStep& step, const DwarfUnit& unit, ByteReader& r) {
  using Kind = SkipStep::Kind;
  switch (step.kind) {
    case Kind::kFixed: r.skip(step.size); break;
    case Kind::kLeb: skip_leb(r); break;
    case Kind::kString: r.cstring(); break;
    case Kind::kBlockLeb: r.skip(r.uleb()); break;
    case Kind::kBlock1: r.skip(r.u8()); break;
    case Kind::kBlock2: r.skip(r.u16()); break;
    case Kind::kBlock4: r.skip(r.u32()); break;
    case Kind::kIndirect: {
      AttributeValue ignored;
      if (!read_attribute(r, unit, {0, dw::kFormIndirect, 0}, ignored)) { r.fail(); }
      break;
    }
  }
}

}  // namespace

// Larger sizes are not added up: they could overflow.
constexpr uint32_t kVast = UINT32_MAX / 2;

void AbbreviationTable::add_skip(Abbreviation& a, uint16_t form, const DwarfUnit& unit) {
  SkipStep step = skip_of(form, unit);
  if (step.kind == SkipStep::Kind::kFixed && step.size == 0) { return; }
  bool leads =
      step.kind == SkipStep::Kind::kFixed && skips_.size() == a.first_skip && step.size < kVast && a.leading_bytes < kVast;
  if (leads) {
    a.leading_bytes += step.size;
    return;
  }
  bool joins = step.kind == SkipStep::Kind::kFixed && skips_.size() > a.first_skip &&
               skips_.back().kind == SkipStep::Kind::kFixed && step.size < kVast && skips_.back().size < kVast;
  if (joins) {
    skips_.back().size += step.size;
  } else {
    skips_.push_back(step);
  }
}

const uint8_t* AbbreviationTable::skip_rare(const SkipStep& step, const DwarfUnit& unit, const uint8_t* at, const uint8_t* end) {
  ByteReader r({at, end});
  take_skip(step, unit, r);
  return r.ok() ? at + r.pos() : nullptr;
}

void skip_attribute(ByteReader& r, const DwarfUnit& unit, uint16_t form) { take_skip(skip_of(form, unit), unit, r); }

// ------------------------------------------------------------------------------------------------------------------- values

bool read_attribute(ByteReader& r, const DwarfUnit& unit, const AttributeSpec& spec, AttributeValue& value) {
  using Kind = AttributeValue::Kind;
  const DwarfFile& file = *unit.file;
  const DwarfSections& sections = file.sections();
  uint64_t form = spec.form;
  for (unsigned i = 0; form == dw::kFormIndirect; ++i) {
    form = r.uleb();
    if (!r.ok() || i >= kMaxIndirect) { return false; }
  }
  auto set = [&](Kind kind, uint64_t number) {
    value.kind = kind;
    value.number = number;
    return r.ok();
  };
  auto text = [&](std::string_view found) {
    value.kind = Kind::kString;
    value.text = found;
    return r.ok();
  };
  auto address_at = [&](uint64_t index) {
    uint64_t address = 0;
    bool found = file.indexed_address(unit, index, address);
    return set(found ? Kind::kAddress : Kind::kOther, address);
  };
  auto block = [&](uint64_t size) {
    r.skip(size);
    return set(Kind::kOther, 0);
  };
  switch (form) {
    case dw::kFormAddr: return set(Kind::kAddress, read_sized(r, unit.address_size));
    case dw::kFormAddrx:
    case dw::kFormGnuAddrIndex: return address_at(r.uleb());
    case dw::kFormAddrx1: return address_at(r.u8());
    case dw::kFormAddrx2: return address_at(r.u16());
    case dw::kFormAddrx3: return address_at(read_u24(r));
    case dw::kFormAddrx4: return address_at(r.u32());
    case dw::kFormData1:
    case dw::kFormFlag: return set(Kind::kConstant, r.u8());
    case dw::kFormData2: return set(Kind::kConstant, r.u16());
    case dw::kFormData4: return set(unit.version <= 3 ? Kind::kSection : Kind::kConstant, r.u32());
    case dw::kFormData8: return set(unit.version <= 3 ? Kind::kSection : Kind::kConstant, r.u64());
    case dw::kFormData16: return block(16);
    case dw::kFormSdata: return set(Kind::kConstant, static_cast<uint64_t>(r.sleb()));
    case dw::kFormUdata: return set(Kind::kConstant, r.uleb());
    case dw::kFormImplicitConst: return set(Kind::kConstant, static_cast<uint64_t>(spec.implicit));
    case dw::kFormFlagPresent: return set(Kind::kConstant, 1);
    case dw::kFormString: return text(r.cstring());
    case dw::kFormStrp: return text(string_at(sections.str, read_sized(r, unit.offset_size)));
    case dw::kFormLineStrp: return text(string_at(sections.line_str, read_sized(r, unit.offset_size)));
    case dw::kFormStrpSup:
    case dw::kFormGnuStrpAlt: {
      uint64_t offset = read_sized(r, unit.offset_size);
      return text(file.supplement() ? string_at(file.supplement()->sections().str, offset) : std::string_view());
    }
    case dw::kFormStrx:
    case dw::kFormGnuStrIndex: return text(file.indexed_string(unit, r.uleb()));
    case dw::kFormStrx1: return text(file.indexed_string(unit, r.u8()));
    case dw::kFormStrx2: return text(file.indexed_string(unit, r.u16()));
    case dw::kFormStrx3: return text(file.indexed_string(unit, read_u24(r)));
    case dw::kFormStrx4: return text(file.indexed_string(unit, r.u32()));
    case dw::kFormRef1: return set(Kind::kReference, unit.offset + r.u8());
    case dw::kFormRef2: return set(Kind::kReference, unit.offset + r.u16());
    case dw::kFormRef4: return set(Kind::kReference, unit.offset + r.u32());
    case dw::kFormRef8: return set(Kind::kReference, unit.offset + r.u64());
    case dw::kFormRefUdata: return set(Kind::kReference, unit.offset + r.uleb());
    case dw::kFormRefAddr: return set(Kind::kReference, read_sized(r, unit.version <= 2 ? unit.address_size : unit.offset_size));
    case dw::kFormRefSup4: return set(Kind::kAltReference, r.u32());
    case dw::kFormRefSup8: return set(Kind::kAltReference, r.u64());
    case dw::kFormGnuRefAlt: return set(Kind::kAltReference, read_sized(r, unit.offset_size));
    case dw::kFormRefSig8: return set(Kind::kOther, r.u64());
    case dw::kFormSecOffset: return set(Kind::kSection, read_sized(r, unit.offset_size));
    case dw::kFormRnglistx:
    case dw::kFormLoclistx: return set(Kind::kListIndex, r.uleb());
    case dw::kFormBlock1: return block(r.u8());
    case dw::kFormBlock2: return block(r.u16());
    case dw::kFormBlock4: return block(r.u32());
    case dw::kFormBlock:
    case dw::kFormExprloc: return block(r.uleb());
    default: return false;
  }
}

// -------------------------------------------------------------------------------------------------------------------- units

DwarfFile::DwarfFile(DwarfSections sections, RootText text)
    : sections_(std::move(sections)),
      root_text_(text),
      abbreviation_bytes_(kOften * sections_.abbrev.size() + 4 * kFewBytes),
      line_bytes_(kOften * sections_.line.size() + kFewBytes),
      range_bytes_(kOften * (sections_.ranges.size() + sections_.rnglists.size()) + kFewBytes) {
  read_units();
}

// The abbreviations of first entries. The units of one object share a table, in which the entry may come late; those of many
// objects often begin with the same bytes.
class DwarfFile::RootTables {
 public:
  const AbbreviationTable& find(const DwarfUnit& unit, uint64_t code) {
    constexpr size_t kMost = 256;
    const Bytes section = unit.file->sections().abbrev;
    Key key{unit.abbrev_offset, code, unit.address_size, unit.offset_size, unit.version <= 2};
    if (last_ != nullptr && is_like_last(section, key)) { return *last_; }
    if (tables_.size() >= kMost) { tables_.clear(); }
    auto [found, fresh] = tables_.try_emplace(key);
    if (fresh) { found->second = AbbreviationTable(unit, code); }
    last_ = &found->second;
    last_key_ = key;
    last_bytes_ = {};
    uint64_t size = last_->bytes_read();
    if (size <= kMostCompared && unit.abbrev_offset < section.size() && size <= section.size() - unit.abbrev_offset) {
      last_bytes_ = section.subspan(static_cast<size_t>(unit.abbrev_offset), static_cast<size_t>(size));
    }
    return *last_;
  }

 private:
  using Key = std::tuple<uint64_t, uint64_t, uint8_t, uint8_t, bool>;
  static constexpr uint64_t kMostCompared = 256;

  // Whether reading the table would end after the same bytes.
  bool is_like_last(Bytes section, Key key) const {
    uint64_t offset = std::exchange(std::get<0>(key), std::get<0>(last_key_));
    return key == last_key_ && !last_bytes_.empty() && offset < section.size() && last_bytes_.size() <= section.size() - offset &&
           std::memcmp(section.data() + offset, last_bytes_.data(), last_bytes_.size()) == 0;
  }

  std::map<Key, AbbreviationTable> tables_;
  const AbbreviationTable* last_ = nullptr;
  Key last_key_;
  Bytes last_bytes_;
};

void DwarfFile::read_units() {
  constexpr size_t kBytesPerUnit = 1 << 14, kMostReserved = 1 << 16;
  units_.reserve(std::min(sections_.info.size() / kBytesPerUnit, kMostReserved));
  RootTables tables;
  ByteReader r(sections_.info);
  while (r.ok() && !r.at_end()) {
    DwarfUnit unit;
    unit.file = this;
    unit.offset = r.pos();
    uint64_t length = r.u32();
    if (length == 0xffffffff) {
      length = r.u64();
      unit.offset_size = 8;
    }
    if (!r.ok() || length == 0) { break; }
    unit.end = r.pos() + std::min<uint64_t>(length, r.left());  // a truncated section may end inside its last unit
    unit.version = r.u16();
    if (unit.version >= 5) {
      unit.type = r.u8();
      unit.address_size = r.u8();
      unit.abbrev_offset = read_sized(r, unit.offset_size);
      if (unit.type == dw::kUnitSkeleton || unit.type == dw::kUnitSplitCompile) { unit.id = r.u64(); }
      if (unit.type == dw::kUnitType || unit.type == dw::kUnitSplitType) {
        r.u64();
        read_sized(r, unit.offset_size);
      }
    } else {
      unit.abbrev_offset = read_sized(r, unit.offset_size);
      unit.address_size = r.u8();
    }
    unit.first_die = r.pos();
    bool readable = r.ok() && unit.version >= 2 && unit.version <= 5 && unit.first_die < unit.end &&
                    (unit.address_size == 8 || unit.address_size == 4);
    if (readable) {
      // Type units have no code.
      if (unit.type != dw::kUnitType && unit.type != dw::kUnitSplitType) { read_root(unit, tables); }
      units_.push_back(unit);
    }
    if (!r.ok()) { break; }
    r.seek(unit.end);
  }
}

void DwarfFile::read_root(DwarfUnit& unit, RootTables& tables) {
  Bytes entries = sections_.info.first(static_cast<size_t>(unit.end));
  uint64_t code = ByteReader(entries, static_cast<size_t>(unit.first_die)).uleb();
  if (code == 0) { return; }
  const AbbreviationTable& table = tables.find(unit, code);
  unit.str_offsets_base = unit.version >= 5 ? (unit.offset_size == 8 ? 16 : 8) : 0;  // default; split units have none
  if (unit.version >= 5) { unit.rnglists_base = unit.offset_size == 8 ? 20 : 12; }
  // A second pass if there are bases: strings and addresses may precede the one that they need.
  bool has_bases = true;
  for (int pass = 0; pass < 2 && has_bases; ++pass) {
    has_bases = false;
    ByteReader r(entries, static_cast<size_t>(unit.first_die));
    const Abbreviation* entry = table.find(r.uleb());
    if (entry == nullptr) { return; }
    unit.tag = entry->tag;
    for (const AttributeSpec& spec : table.specs(*entry)) {
      // Their text is all over the file.
      bool is_label = spec.name == dw::kAtName || spec.name == dw::kAtProducer;
      if (is_label && root_text_ == RootText::kPaths) {
        skip_attribute(r, unit, spec.form);
        if (!r.ok()) { return; }
        continue;
      }
      AttributeValue value;
      if (!read_attribute(r, unit, spec, value)) { return; }
      has_bases |= spec.name == dw::kAtStrOffsetsBase || spec.name == dw::kAtAddrBase || spec.name == dw::kAtGnuAddrBase ||
                   spec.name == dw::kAtRnglistsBase;
      switch (spec.name) {
        case dw::kAtName: unit.name = value.text; break;
        case dw::kAtCompDir: unit.comp_dir = value.text; break;
        case dw::kAtProducer: unit.producer = value.text; break;
        case dw::kAtLanguage: unit.language = static_cast<uint16_t>(value.number); break;
        case dw::kAtStmtList:
          unit.stmt_list = value.number;
          unit.has_lines = true;
          break;
        case dw::kAtLowPc:
          unit.code.low = value;
          unit.low_pc = value.number;
          break;
        case dw::kAtHighPc: unit.code.high = value; break;
        case dw::kAtRanges: unit.code.ranges = value; break;
        case dw::kAtStrOffsetsBase: unit.str_offsets_base = value.number; break;
        case dw::kAtAddrBase:
        case dw::kAtGnuAddrBase: unit.addr_base = value.number; break;
        case dw::kAtRnglistsBase: unit.rnglists_base = value.number; break;
        case dw::kAtGnuRangesBase: unit.ranges_base = value.number; break;
        case dw::kAtDwoName:
        case dw::kAtGnuDwoName: unit.dwo_name = value.text; break;
        case dw::kAtGnuDwoId: unit.id = value.number; break;
        default: break;
      }
    }
  }
  unit.has_root = true;
}

const DwarfUnit* DwarfFile::find_unit(uint64_t offset) const {
  auto after =
      std::upper_bound(units_.begin(), units_.end(), offset, [](uint64_t at, const DwarfUnit& u) { return at < u.offset; });
  if (after == units_.begin()) { return nullptr; }
  const DwarfUnit& unit = *(after - 1);
  return offset >= unit.first_die && offset < unit.end ? &unit : nullptr;
}

bool DwarfFile::attach_split(const DwarfUnit& skeleton, DwarfFile& split) {
  bool found = false;
  for (DwarfUnit& unit : split.units_) {
    bool compile = unit.tag == dw::kTagCompileUnit;
    bool taken = unit.skeleton != nullptr && unit.skeleton != &skeleton;
    if (!compile || unit.id != skeleton.id || taken) { continue; }
    unit.skeleton = &skeleton;
    unit.addr_base = skeleton.addr_base;
    unit.low_pc = skeleton.low_pc;
    unit.ranges_base = skeleton.ranges_base;
    found = true;
  }
  if (found) { split.main_file_ = skeleton.file; }
  return found;
}

std::string_view DwarfFile::indexed_string(const DwarfUnit& unit, uint64_t index) const {
  uint64_t at = 0;
  if (__builtin_mul_overflow(index, unit.offset_size, &at) || __builtin_add_overflow(at, unit.str_offsets_base, &at)) {
    return {};
  }
  ByteReader r(sections_.str_offsets);
  r.seek(at);
  uint64_t offset = read_sized(r, unit.offset_size);
  return r.ok() ? string_at(sections_.str, offset) : std::string_view();
}

bool DwarfFile::indexed_address(const DwarfUnit& unit, uint64_t index, uint64_t& address) const {
  uint64_t at = 0;
  if (__builtin_mul_overflow(index, unit.address_size, &at) || __builtin_add_overflow(at, unit.addr_base, &at)) { return false; }
  ByteReader r(main_file()->sections_.addr);
  r.seek(at);
  address = read_sized(r, unit.address_size);
  return r.ok();
}

// ------------------------------------------------------------------------------------------------------------------- ranges

namespace {

constexpr size_t kMaxRanges = 1 << 20;  // of one entry
constexpr size_t kLongList = 1 << 10;   // bytes; shorter lists are always allowed

void add_range(std::vector<AddressRange>& out, uint64_t begin, uint64_t end) {
  if (begin < end) { out.push_back({begin, end}); }
}

// Reads a list. Several entries may share a list or its tail.
class ListReader : public ByteReader {
 public:
  ListReader(const DwarfFile& file, Bytes section, uint64_t offset)
      : ByteReader(section.first(end_of(file, section, offset))), file_(file) {
    seek(offset);
    begin_ = pos();
  }
  ~ListReader() {
    if (pos() - begin_ > kLongList) { file_.range_bytes().take(pos() - begin_); }
  }

 private:
  static size_t end_of(const DwarfFile& file, Bytes section, uint64_t offset) {
    uint64_t most = file.range_bytes().left() + kLongList;
    return offset < section.size() && most < section.size() - offset ? static_cast<size_t>(offset + most) : section.size();
  }

  const DwarfFile& file_;
  size_t begin_ = 0;
};

void read_old_ranges(const DwarfUnit& unit, uint64_t offset, std::vector<AddressRange>& out) {
  // The ranges of a split unit are in the program itself.
  const DwarfFile& file = *unit.file->main_file();
  ListReader r(file, file.sections().ranges, offset);
  uint64_t base = unit.low_pc, highest = unit.address_size == 4 ? UINT32_MAX : UINT64_MAX;
  for (size_t n = 0; n < kMaxRanges; ++n) {
    uint64_t begin = read_sized(r, unit.address_size), end = read_sized(r, unit.address_size);
    if (!r.ok() || (begin == 0 && end == 0)) { return; }
    if (begin == highest) {
      base = end;
    } else {
      add_range(out, base + begin, base + end);
    }
  }
}

void read_range_list(const DwarfUnit& unit, uint64_t offset, std::vector<AddressRange>& out) {
  ListReader r(*unit.file, unit.file->sections().rnglists, offset);
  uint64_t base = unit.low_pc;
  auto indexed = [&] {
    uint64_t address = 0;
    if (!unit.file->indexed_address(unit, r.uleb(), address)) { r.fail(); }
    return address;
  };
  for (size_t n = 0; n < kMaxRanges && r.ok(); ++n) {
    uint64_t begin = 0, end = 0;
    switch (r.u8()) {
      case dw::kRleEnd: return;
      case dw::kRleBaseAddressx: base = indexed(); continue;
      case dw::kRleStartxEndx:
        begin = indexed();
        end = indexed();
        break;
      case dw::kRleStartxLength:
        begin = indexed();
        end = begin + r.uleb();
        break;
      case dw::kRleOffsetPair:
        begin = base + r.uleb();
        end = base + r.uleb();
        break;
      case dw::kRleBaseAddress: base = read_sized(r, unit.address_size); continue;
      case dw::kRleStartEnd:
        begin = read_sized(r, unit.address_size);
        end = read_sized(r, unit.address_size);
        break;
      case dw::kRleStartLength:
        begin = read_sized(r, unit.address_size);
        end = begin + r.uleb();
        break;
      default: return;
    }
    if (r.ok()) { add_range(out, begin, end); }
  }
}

}  // namespace

void read_ranges(const DwarfUnit& unit, const RangeAttributes& attributes, std::vector<AddressRange>& out) {
  using Kind = AttributeValue::Kind;
  const AttributeValue& ranges = attributes.ranges;
  if (ranges.kind == Kind::kListIndex) {
    ByteReader r(unit.file->sections().rnglists);
    uint64_t at = 0;
    if (__builtin_mul_overflow(ranges.number, unit.offset_size, &at) || __builtin_add_overflow(at, unit.rnglists_base, &at)) {
      return;
    }
    r.seek(at);
    uint64_t offset = read_sized(r, unit.offset_size);
    if (r.ok()) { read_range_list(unit, unit.rnglists_base + offset, out); }
    return;
  }
  if (ranges.kind == Kind::kSection || ranges.kind == Kind::kConstant) {
    if (unit.version >= 5) {
      read_range_list(unit, ranges.number, out);
    } else {
      read_old_ranges(unit, ranges.number + unit.ranges_base, out);
    }
    return;
  }
  if (attributes.low.kind != Kind::kAddress) { return; }
  uint64_t low = attributes.low.number, high = attributes.high.number;
  switch (attributes.high.kind) {
    case Kind::kAddress: add_range(out, low, high); break;
    case Kind::kConstant:
    case Kind::kSection: add_range(out, low, low + high); break;  // version 3 has no 4-byte constants, but GNU emits them
    default: break;
  }
}

void read_unit_ranges(const DwarfUnit& unit, std::vector<AddressRange>& out) {
  if (unit.dwo_name.empty()) { return read_ranges(unit, unit.code, out); }
  // The base for the split unit does not apply to the skeleton's own ranges.
  DwarfUnit plain = unit;
  plain.ranges_base = 0;
  read_ranges(plain, unit.code, out);
}

}  // namespace wick::elf
