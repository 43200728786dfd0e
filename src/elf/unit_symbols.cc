// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Reads one unit's functions and lines. Its entries are read once from start to end, with the open scopes on a stack: LLVM writes
// no sibling links, so skipping to the next sibling would read each level of the tree again.
//
// Names are in the entries that inlined calls and definitions refer to. Those may come later or be in another unit, so each is
// looked up once at the end.
//
// If only some addresses are wanted, functions without one of them are skipped with all their inlined calls, and only functions
// that occur in a result are named.

#include <tsl/robin_map.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/text.h"
#include "elf/dwarf_line.h"
#include "elf/symbol_index_build.h"

namespace wick::elf {
namespace {

constexpr uint32_t kNothing = SymbolIndex::kNothing;
constexpr unsigned kMaxHops = 16;  // from a definition through its declaration to a name
constexpr unsigned kMaxContainers = 64;
constexpr size_t kMaxOpenScopes = 1 << 16;
constexpr size_t kMaxTables = 64;
constexpr uint64_t kEntryBytesPerFunction = 256;
constexpr size_t kPauseEntries = 1 << 14;   // about half a millisecond
constexpr uint64_t kMaxMadeText = 1 << 16;  // of one name or path

struct ScopeAttributes {
  RangeAttributes code;
  AttributeValue origin;  // abstract origin or specification
  std::string_view name, linkage_name;
  const AttributeSpec* unread_linkage_name = nullptr;  // with Names::kNone
  size_t linkage_name_at = 0;
  uint32_t call_file = 0, call_line = 0, call_column = 0;
  uint32_t decl_line = 0, decl_column = 0;  // only read with the name
};

uint32_t clamp32(uint64_t value) { return static_cast<uint32_t>(std::min<uint64_t>(value, UINT32_MAX - 1)); }

// Scanning names for their end takes most of the time.
enum class Names {
  kNone,  // finds the linkage name but does not read it
  kOne,   // plain names if there is no linkage name
  kAll
};

// The usual forms of code, origins and calls, without the cost of a call.
bool read_usual(ByteReader& r, const DwarfUnit& unit, const AttributeSpec& spec, AttributeValue& value) {
  using Kind = AttributeValue::Kind;
  switch (spec.form) {
    case dw::kFormRef4: value.number = unit.offset + r.u32(), value.kind = Kind::kReference; break;
    case dw::kFormAddr:
      if (unit.address_size != 8) { return read_attribute(r, unit, spec, value); }
      value.number = r.u64(), value.kind = Kind::kAddress;
      break;
    case dw::kFormSecOffset:
      if (unit.offset_size != 4) { return read_attribute(r, unit, spec, value); }
      value.number = r.u32(), value.kind = Kind::kSection;
      break;
    case dw::kFormData1: value.number = r.u8(), value.kind = Kind::kConstant; break;
    case dw::kFormData2: value.number = r.u16(), value.kind = Kind::kConstant; break;
    case dw::kFormData4: value.number = r.u32(), value.kind = unit.version <= 3 ? Kind::kSection : Kind::kConstant; break;
    case dw::kFormUdata: value.number = r.uleb(), value.kind = Kind::kConstant; break;
    case dw::kFormRnglistx: value.number = r.uleb(), value.kind = Kind::kListIndex; break;
    case dw::kFormImplicitConst: value.number = static_cast<uint64_t>(spec.implicit), value.kind = Kind::kConstant; break;
    default: return read_attribute(r, unit, spec, value);
  }
  return r.ok();
}

bool read_scope(ByteReader& r, const DwarfUnit& unit, std::span<const AttributeSpec> specs, Names names, ScopeAttributes& out) {
  const AttributeSpec* name = nullptr;
  size_t name_at = 0;
  for (const AttributeSpec& spec : specs) {
    bool wanted = false;
    switch (spec.name) {
      case dw::kAtName:
        if (names != Names::kNone) {
          name = &spec;
          name_at = r.pos();
        }
        break;
      case dw::kAtDeclLine:
      case dw::kAtDeclColumn: wanted = names != Names::kNone; break;
      case dw::kAtLinkageName:
      case dw::kAtMipsLinkageName:
        wanted = names != Names::kNone;
        out.unread_linkage_name = wanted ? nullptr : &spec;
        out.linkage_name_at = r.pos();
        break;
      case dw::kAtLowPc:
      case dw::kAtHighPc:
      case dw::kAtRanges:
      case dw::kAtAbstractOrigin:
      case dw::kAtSpecification:
      case dw::kAtCallFile:
      case dw::kAtCallLine:
      case dw::kAtCallColumn: wanted = true; break;
      default: break;
    }
    if (!wanted) {
      if (spec.size != AttributeSpec::kVaries) {
        r.skip(spec.size);
      } else {
        skip_attribute(r, unit, spec.form);
      }
      continue;
    }
    AttributeValue value;
    if (!read_usual(r, unit, spec, value)) { return false; }
    switch (spec.name) {
      case dw::kAtLinkageName:
      case dw::kAtMipsLinkageName: out.linkage_name = value.text; break;
      case dw::kAtLowPc: out.code.low = value; break;
      case dw::kAtHighPc: out.code.high = value; break;
      case dw::kAtRanges: out.code.ranges = value; break;
      case dw::kAtAbstractOrigin:
      case dw::kAtSpecification: out.origin = value; break;
      case dw::kAtDeclLine: out.decl_line = clamp32(value.number); break;
      case dw::kAtDeclColumn: out.decl_column = clamp32(value.number); break;
      case dw::kAtCallFile: out.call_file = clamp32(value.number); break;
      case dw::kAtCallLine: out.call_line = clamp32(value.number); break;
      case dw::kAtCallColumn: out.call_column = clamp32(value.number); break;
      default: break;
    }
  }
  if (name != nullptr && r.ok() && (names == Names::kAll || out.linkage_name.empty())) {
    ByteReader again = r;
    again.seek(name_at);
    AttributeValue value;
    if (!read_attribute(again, unit, *name, value)) { return false; }
    out.name = value.text;
  }
  return r.ok();
}

bool is_container(uint16_t tag) {
  switch (tag) {
    case dw::kTagNamespace:
    case dw::kTagClassType:
    case dw::kTagStructureType:
    case dw::kTagUnionType:
    case dw::kTagEnumerationType:
    case dw::kTagInterfaceType:
    case dw::kTagSubprogram: return true;
    default: return false;
  }
}

// Looks up the names of entries in any unit. Kept for the next unit, since the units of one object often share an abbreviation
// table.
class NameReader {
 public:
  void begin_unit(uint64_t most_text) {
    if (tables_.size() > kMaxTables) { tables_.clear(); }
    last_unit_ = nullptr;
    text_left_ = most_text;
  }

  const AbbreviationTable& table(const DwarfUnit& unit) {
    if (&unit == last_unit_) { return *last_table_; }
    auto [found, fresh] =
        tables_.try_emplace({unit.file, unit.abbrev_offset, unit.address_size, unit.offset_size, unit.version <= 2});
    if (fresh) { found->second = AbbreviationTable(unit); }
    last_unit_ = &unit;
    last_table_ = &found->second;
    return *last_table_;
  }

  // Accounts for scanning names: small entries can refer to the same long names again and again.
  bool spend(std::string_view text) {
    text_left_ -= std::min<uint64_t>(text_left_, text.size());
    return text_left_ > 0;
  }

  bool read(const DwarfUnit& unit, uint64_t offset, Names names, ScopeAttributes& out) {
    const AbbreviationTable& abbreviations = table(unit);
    Bytes entries = unit.file->sections().info.first(static_cast<size_t>(unit.end));
    ByteReader r(entries, static_cast<size_t>(std::min<uint64_t>(offset, entries.size())));
    const Abbreviation* entry = abbreviations.find(r.uleb());
    return entry != nullptr && read_scope(r, unit, abbreviations.specs(*entry), names, out) && spend(out.name) &&
           spend(out.linkage_name);
  }

  // Follows origins to a linkage name, else to the last plain name. `place` is the entry that has it.
  struct Found {
    std::string_view linkage_name, name;
    const DwarfUnit* unit = nullptr;
    uint64_t place = 0;
  };
  Found find(const DwarfUnit* unit, uint64_t offset) {
    Found found;
    for (unsigned hop = 0; hop < kMaxHops && unit != nullptr; ++hop) {
      ScopeAttributes attributes;
      if (!read(*unit, offset, Names::kOne, attributes)) { break; }
      if (!attributes.linkage_name.empty()) {
        found.linkage_name = attributes.linkage_name;
        return found;
      }
      if (!attributes.name.empty()) { found = {{}, attributes.name, unit, offset}; }
      const DwarfFile* file = nullptr;
      switch (attributes.origin.kind) {
        case AttributeValue::Kind::kReference: file = unit->file; break;
        case AttributeValue::Kind::kAltReference: file = unit->file->supplement(); break;
        default: break;
      }
      if (file == nullptr) { break; }
      offset = attributes.origin.number;
      bool same = file == unit->file && offset >= unit->first_die && offset < unit->end;
      if (!same) { unit = file->find_unit(offset); }
    }
    return found;
  }

 private:
  using Key = std::tuple<const DwarfFile*, uint64_t, uint8_t, uint8_t, bool>;
  std::map<Key, AbbreviationTable> tables_;
  const DwarfUnit* last_unit_ = nullptr;
  const AbbreviationTable* last_table_ = nullptr;
  uint64_t text_left_ = 0;
};

struct CodeOf {
  uint64_t begin = 0, end = 0;
  uint32_t node = 0;
};

// Stable. Large units take passes of 11 bits, which is several times as fast as comparing.
void sort_by_begin(std::vector<CodeOf>& code) {
  auto before = [](const CodeOf& a, const CodeOf& b) { return a.begin < b.begin; };
  if (std::is_sorted(code.begin(), code.end(), before)) { return; }
  auto [least, most] = std::minmax_element(code.begin(), code.end(), before);
  uint64_t base = least->begin, span = most->begin - base;
  if (code.size() < 1024 || span >> 33 != 0) { return std::stable_sort(code.begin(), code.end(), before); }
  std::vector<CodeOf> other(code.size());
  std::vector<uint32_t> at(2049);
  for (unsigned shift = 0; shift < 33 && span >> shift != 0; shift += 11) {
    std::fill(at.begin(), at.end(), 0);
    for (const CodeOf& c : code) { ++at[((c.begin - base) >> shift & 2047) + 1]; }
    for (size_t i = 1; i < at.size(); ++i) { at[i] += at[i - 1]; }
    for (const CodeOf& c : code) { other[at[(c.begin - base) >> shift & 2047]++] = c; }
    code.swap(other);
  }
}

}  // namespace

// Memory that is reused for the next unit.
struct UnitSymbolsReader::Scratch {
  LineTable lines;
  NameReader names;
  std::vector<CodeOf> code_of;
  UnitSymbols out;
  std::function<void()> pause;
};

namespace {

// A list may consist of empty ranges only, to which linkers set those of discarded code.
bool has_range_list(const DwarfUnit& unit) {
  const DwarfSections& sections = unit.file->sections();
  switch (unit.code.ranges.kind) {
    case AttributeValue::Kind::kSection:
      return unit.code.ranges.number < (unit.version >= 5 ? sections.rnglists : sections.ranges).size();
    case AttributeValue::Kind::kListIndex: return !sections.rnglists.empty();
    default: return false;
  }
}

// Reads the code ranges that a unit declares; false if there are none or the unit can only declare a single one, so that they
// have to be found in its entries. True without ranges if the unit has no code, or the linker discarded all of it.
bool read_own_ranges(const DwarfUnit& unit, const CodeRanges& code, std::vector<AddressRange>& ranges) {
  read_unit_ranges(unit, ranges);
  bool is_known = !ranges.empty() || has_range_list(unit) || has_empty_line_table(unit);
  std::erase_if(ranges, [&](const AddressRange& r) { return !code.contains(r.begin); });
  return is_known && unit.version > 2;
}

class UnitReader {
 public:
  UnitReader(const DwarfUnit& unit, const DwarfUnit* split, const CodeRanges& code, LineTable& table, NameReader& names,
             std::vector<CodeOf>& code_of, const std::function<void()>& pause, const WantedAddresses* wanted, UnitSymbols& out)
      : place_(unit),
        unit_(split != nullptr ? *split : unit),
        code_(code),
        wanted_(wanted),
        table_(table),
        code_of_(code_of),
        pause_(pause),
        out_(out),
        names_(names),
        most_nodes_(code.nodes().left()),
        most_pieces_(code.pieces().left()),
        most_containers_(1024 + (unit_.end - unit_.offset) / 8),
        made_left_(4096 + 64 * (unit_.end - unit_.offset)) {
    code_of_.clear();
    out_.clear();
    if (wanted_ == nullptr) { functions_.reserve(static_cast<size_t>((unit_.end - unit_.offset) / kEntryBytesPerFunction)); }
    names_.begin_unit((1 << 18) + 1024 * (unit_.end - unit_.offset));
  }

  void read() {
    has_own_ranges_ = read_own_ranges(place_, code_, out_.ranges);
    if (has_own_ranges_ && out_.ranges.empty()) { return; }
    read_entries();
    code_.nodes().take(out_.nodes.size());
    code_.pieces().take(code_of_.size());
    flatten();
    if (wanted_ != nullptr) { find_used(); }
    name_functions();
    read_lines();
    find_ranges();
  }

 private:
  // The scope of a function: a namespace, a type, another function.
  struct Container {
    uint64_t offset = 0;
    uint32_t parent = kNothing;
    uint16_t tag = 0;
  };
  struct Open {
    uint64_t offset = 0;
    uint32_t node = kNothing;
    uint32_t container = kNothing;  // the innermost one so far; only set in the first `levels_with_containers_`
    uint16_t tag = 0;
  };
  // Few functions need their containers, so they are only added when one does.
  uint32_t require_container() {
    uint32_t container = levels_with_containers_ > 0 ? open_[levels_with_containers_ - 1].container : kNothing;
    for (; levels_with_containers_ < depth_; ++levels_with_containers_) {
      Open& level = open_[levels_with_containers_];
      if (is_container(level.tag) && containers_.size() < most_containers_) {
        containers_.push_back({level.offset, container, level.tag});
        container = static_cast<uint32_t>(containers_.size() - 1);
      }
      level.container = container;
    }
    return container;
  }

  // Most entries are only skipped, so this loop uses plain pointers, and does not branch on whether an entry has children or ends
  // a list of them.
  void read_entries() {
    const AbbreviationTable& table = names_.table(unit_);
    const Bytes entries = unit_.file->sections().info.first(static_cast<size_t>(unit_.end));
    const uint8_t *const begin = entries.data(), *const end = begin + entries.size();
    const uint8_t* at = begin + unit_.first_die;
    const std::span<const EntryShape> shapes = table.shapes();
    open_.assign(64, {});
    levels_with_containers_ = 0;
    Open* open = open_.data();
    size_t depth = 1, most_depth = open_.size(), with_containers = 0;
    for (size_t count = 1; at != end; ++count) {
      if (count % kPauseEntries == 0 && pause_) { pause_(); }
      uint64_t offset = static_cast<uint64_t>(at - begin), code = *at++;
      if (code >= 0x80 && at != end && *at < 0x80) {
        code = (code & 0x7f) | uint64_t{*at++} << 7;
      } else if (code >= 0x80) {
        ByteReader r(entries, static_cast<size_t>(offset));
        code = r.uleb();
        if (!r.ok()) { break; }
        at = begin + r.pos();
      }
      EntryShape shape;
      if (code < shapes.size()) {
        shape = shapes[static_cast<size_t>(code)];
      } else if (const Abbreviation* entry = table.find(code)) {
        shape = table.shape_of(*entry);
      } else {
        break;
      }
      uint32_t node = open[depth - 1].node;
      bool is_fixed = shape.kind == EntryShape::Kind::kFixed || (shape.kind == EntryShape::Kind::kFixedCall && node == kNothing);
      if (is_fixed) {
        if (shape.bytes > end - at) { break; }
        at += shape.bytes;
      } else if (shape.kind == EntryShape::Kind::kBlock && shape.bytes < end - at && at[shape.bytes] < 0x80) {
        const ptrdiff_t size = shape.bytes + 1 + at[shape.bytes] + shape.bytes_behind;
        if (size > end - at) { break; }
        at += size;
      } else {
        depth_ = depth;
        levels_with_containers_ = with_containers;
        if (!read_entry(entries, table, *table.find(code), offset, at, node)) { break; }
        with_containers = levels_with_containers_;
      }
      open[depth] = {offset, node, kNothing, shape.tag};  // of no effect without children
      depth = depth == 1 && shape.levels < 0 ? 1 : depth + static_cast<size_t>(static_cast<ptrdiff_t>(shape.levels));
      with_containers = std::min(with_containers, depth);
      if (depth == most_depth) {
        if (depth >= kMaxOpenScopes) { break; }
        open_.resize(2 * depth);
        open = open_.data();
        most_depth = open_.size();
      }
    }
  }

  // Moves `at` from the attributes of the entry past them. Sets `node` to the scope of its children.
  bool read_entry(Bytes entries, const AbbreviationTable& table, const Abbreviation& entry, uint64_t offset, const uint8_t*& at,
                  uint32_t& node) {
    const uint8_t *const begin = entries.data(), *const end = begin + entries.size();
    bool may_be_scope = entry.tag == dw::kTagSubprogram || entry.tag == dw::kTagInlinedSubroutine;
    if (!may_be_scope || !is_scope(entry, offset, node)) {
      at = table.skip(entry, unit_, at, end);
      return at != nullptr;
    }
    ByteReader r(entries, static_cast<size_t>(at - begin));
    if (!open_scope(r, entry, table, offset, node)) { return false; }
    at = begin + r.pos();
    return true;
  }

  // Whether a function or inlined call may have code.
  bool is_scope(const Abbreviation& entry, uint64_t offset, uint32_t& node) {
    if (entry.tag == dw::kTagInlinedSubroutine) { return node != kNothing; }
    bool plain = !entry.has_linkage_name && !entry.has_origin;
    if (plain && container_of_.size() < most_containers_) {
      uint32_t container = require_container();
      if (container != kNothing) { container_of_[offset] = container; }
    }
    node = kNothing;  // a nested function is not part of the outer one
    // Declarations, and calls inlined into functions without code. In version 2, a function in two places has no code attributes,
    // but its inlined calls do.
    bool nowhere = !entry.has_code && (entry.is_abstract || !entry.has_children);
    return !nowhere;
  }

  bool open_scope(ByteReader& r, const Abbreviation& entry, const AbbreviationTable& table, uint64_t offset, uint32_t& inside) {
    bool inlined = entry.tag == dw::kTagInlinedSubroutine;
    ScopeAttributes attributes;
    if (!read_scope(r, unit_, table.specs(entry), Names::kNone, attributes) || out_.nodes.size() >= most_nodes_ ||
        code_of_.size() >= most_pieces_) {
      return false;
    }
    size_t before = code_of_.size();
    bool is_wanted = wanted_ == nullptr;
    ranges_.clear();
    read_ranges(unit_, attributes.code, ranges_);
    for (const AddressRange& range : ranges_) {
      if (!code_.contains(range.begin)) { continue; }
      code_of_.push_back({range.begin, range.end, static_cast<uint32_t>(out_.nodes.size())});
      is_wanted = is_wanted || wanted_->any_in(range.begin, range.end);
    }
    bool is_discarded = code_of_.size() == before;  // by the linker
    if (!inlined && entry.has_code && (is_discarded || !is_wanted)) {
      code_of_.resize(before);
      return true;
    }
    if (!read_linkage_name(r, attributes)) { return false; }
    IndexNode node;
    node.parent = inlined ? inside : kNothing;
    node.function = function_at(inlined ? attributes.origin : AttributeValue{}, offset, attributes.linkage_name);
    node.call_file = attributes.call_file;  // the unit's number, until read_lines()
    node.call_line = attributes.call_line;
    node.call_column = attributes.call_column;
    inside = static_cast<uint32_t>(out_.nodes.size());
    out_.nodes.push_back(node);
    return true;
  }

  bool read_linkage_name(ByteReader r, ScopeAttributes& attributes) {
    if (attributes.unread_linkage_name == nullptr) { return true; }
    r.seek(attributes.linkage_name_at);
    AttributeValue value;
    if (!read_attribute(r, unit_, *attributes.unread_linkage_name, value)) { return false; }
    attributes.linkage_name = value.text;
    return names_.spend(value.text);
  }

  // The number of a function by its defining entry; its name is looked up later.
  uint32_t function_at(const AttributeValue& origin, uint64_t offset, std::string_view linkage_name) {
    using Kind = AttributeValue::Kind;
    bool alt = origin.kind == Kind::kAltReference;
    uint64_t place = origin.kind == Kind::kReference || alt ? origin.number : offset;
    auto& known = alt ? alt_functions_ : functions_;
    auto [found, fresh] = known.try_emplace(place, static_cast<uint32_t>(out_.functions.size()));
    if (fresh) {
      out_.functions.push_back(linkage_name);
      if (linkage_name.empty()) { unnamed_.push_back({place, static_cast<uint32_t>(out_.functions.size() - 1), alt}); }
    }
    return found->second;
  }

  // Finds the nodes and functions in the chains of the wanted addresses.
  void find_used() {
    used_nodes_.assign(out_.nodes.size(), false);
    used_functions_.assign(out_.functions.size(), false);
    auto segment = out_.segments.begin();
    for (uint64_t address : wanted_->sorted()) {
      while (segment != out_.segments.end() && segment->end <= address) { ++segment; }
      if (segment == out_.segments.end()) { return; }
      if (segment->begin > address) { continue; }
      for (uint32_t id = segment->node; id != kNothing && !used_nodes_[id]; id = out_.nodes[id].parent) {
        used_nodes_[id] = true;
        used_functions_[out_.nodes[id].function] = true;
      }
    }
  }

  void name_functions() {
    for (const Unnamed& u : unnamed_) {
      if (wanted_ != nullptr && !used_functions_[u.function]) { continue; }
      const DwarfFile* file = u.alt ? unit_.file->supplement() : unit_.file;
      if (file == nullptr) { continue; }
      bool own = !u.alt && u.place >= unit_.first_die && u.place < unit_.end;
      NameReader::Found found = names_.find(own ? &unit_ : file->find_unit(u.place), u.place);
      if (!found.linkage_name.empty()) {
        out_.functions[u.function] = found.linkage_name;
      } else if (found.unit == &unit_ && container_of_.contains(found.place)) {
        std::string name = qualified(container_of_[found.place], found.name);
        if (!spend_made(name)) { continue; }
        out_.made.push_back(std::make_shared<const std::string>(std::move(name)));
        out_.functions[u.function] = *out_.made.back();
      } else {
        out_.functions[u.function] = found.name;
      }
    }
  }

  // Accounts for generated names, which the file does not contain.
  bool spend_made(const std::string& text) {
    bool enough = text.size() <= made_left_;
    if (enough) { made_left_ -= text.size(); }
    return enough;
  }

  // An outer function's linkage name already contains its own scopes, so the search ends there.
  std::string qualified(uint32_t container, std::string_view name) {
    std::string out(name);
    for (unsigned depth = 0; container != kNothing && depth < kMaxContainers && out.size() < kMaxMadeText; ++depth) {
      const Container& around = containers_[container];
      container = around.parent;
      if (around.tag == dw::kTagSubprogram) {
        NameReader::Found found = names_.find(&unit_, around.offset);
        bool is_linkage_name = !found.linkage_name.empty();
        out.insert(0, "::").insert(0, is_linkage_name ? found.linkage_name : found.name);
        if (is_linkage_name) { break; }
        if (auto declared = container_of_.find(found.place); found.unit == &unit_ && declared != container_of_.end()) {
          container = declared->second;
        }
        continue;
      }
      ScopeAttributes attributes;
      if (!names_.read(unit_, around.offset, Names::kAll, attributes)) { break; }
      std::string outer(attributes.name);
      if (outer.empty() && around.tag == dw::kTagNamespace) { outer = "(anonymous namespace)"; }
      // gcc does not name lambdas, and a function may contain several.
      if (outer.empty()) {
        const char* kind = name == "operator()" && depth == 0 ? "lambda" : "unnamed";
        outer = strf("{%s at %u:%u}", kind, attributes.decl_line, attributes.decl_column);
      }
      out.insert(0, "::").insert(0, outer);
    }
    return out;
  }

  // Splits overlapping ranges into disjoint segments. The one that starts last wins; of the same start, the later entry: an inner
  // range does not start before its outer one and follows it in the file.
  void flatten() {
    sort_by_begin(code_of_);
    std::vector<CodeOf> open;
    uint64_t at = 0;
    auto go_to = [&](uint64_t next) {
      while (at < next && !open.empty()) {
        const CodeOf& top = open.back();
        if (top.end <= at) {
          open.pop_back();
          continue;
        }
        uint64_t end = std::min(top.end, next);
        if (!out_.segments.empty() && out_.segments.back().node == top.node && out_.segments.back().end == at) {
          out_.segments.back().end = end;
        } else {
          out_.segments.push_back({at, end, top.node});
        }
        at = end;
      }
      at = next;
    };
    for (const CodeOf& range : code_of_) {
      go_to(range.begin);
      open.push_back(range);
    }
    go_to(UINT64_MAX);
  }

  void read_lines() {
    LineTable& table = table_;
    read_line_table(unit_, code_, wanted_, table);
    made_left_ += 64 * (table.files.size() + table.directories.size());
    std::vector<uint32_t> local(table.files.size(), kNothing);
    auto file_number = [&](uint32_t file) {
      if (file >= local.size()) { return kNothing; }
      if (local[file] == kNothing) {
        std::string path = table.path(file);
        if (path.empty() || !spend_made(path)) { return kNothing; }
        local[file] = static_cast<uint32_t>(out_.files.size());
        out_.files.push_back(std::move(path));
      }
      return local[file];
    };
    for (size_t i = 0; i < out_.nodes.size(); ++i) {
      IndexNode& node = out_.nodes[i];
      bool is_call = node.parent != kNothing && (wanted_ == nullptr || used_nodes_[i]);
      node.call_file = is_call ? file_number(node.call_file) : kNothing;
    }
    uint64_t end = 0;
    for (const LineSequence& sequence : table.sequences) {
      if (sequence.end <= end) { continue; }
      if (sequence.begin > end && !out_.lines.empty()) { out_.lines.push_back({end, kNothing, 0, 0}); }
      for (size_t i = sequence.first; i < sequence.first + sequence.count; ++i) {
        const LineRow& row = table.rows[i];
        if (row.address >= sequence.end) { break; }
        UnitSymbols::Line line{std::max(row.address, end), file_number(row.file), row.line, row.column};
        bool behind = i + 1 < sequence.first + sequence.count && table.rows[i + 1].address <= end;
        if (behind) { continue; }
        bool same = !out_.lines.empty() && out_.lines.back().file == line.file && out_.lines.back().line == line.line &&
                    out_.lines.back().column == line.column;
        if (!same) { out_.lines.push_back(line); }
      }
      end = sequence.end;
    }
    if (!out_.lines.empty()) { out_.lines.push_back({end, kNothing, 0, 0}); }
  }

  void find_ranges() {
    std::vector<AddressRange>& ranges = out_.ranges;
    if (!has_own_ranges_ && wanted_ == nullptr) {  // the ranges of its functions and lines
      for (const UnitSymbols::Segment& s : out_.segments) { ranges.push_back({s.begin, s.end}); }
      for (size_t i = 0; i + 1 < out_.lines.size(); ++i) {
        if (out_.lines[i].file != kNothing) { ranges.push_back({out_.lines[i].begin, out_.lines[i + 1].begin}); }
      }
    }
    join_ranges(ranges);
  }

  struct Unnamed {
    uint64_t place = 0;
    uint32_t function = 0;
    bool alt = false;
  };

  const DwarfUnit& place_;
  const DwarfUnit& unit_;
  const CodeRanges& code_;
  const WantedAddresses* wanted_;  // null: all
  LineTable& table_;
  std::vector<CodeOf>& code_of_;
  const std::function<void()>& pause_;
  UnitSymbols& out_;
  NameReader& names_;
  const uint64_t most_nodes_, most_pieces_, most_containers_;
  uint64_t made_left_;
  bool has_own_ranges_ = false;
  std::vector<Open> open_;  // more than the open levels
  size_t depth_ = 0;        // number of open levels while an entry is read
  size_t levels_with_containers_ = 0;
  std::vector<Container> containers_;
  tsl::robin_map<uint64_t, uint32_t> container_of_;  // only functions with a plain name
  tsl::robin_map<uint64_t, uint32_t> functions_, alt_functions_;
  std::vector<Unnamed> unnamed_;
  std::vector<bool> used_nodes_, used_functions_;  // with wanted_
  std::vector<AddressRange> ranges_;
};

}  // namespace

void UnitSymbols::clear() {
  ranges.clear();
  segments.clear();
  nodes.clear();
  lines.clear();
  functions.clear();
  files.clear();
  made.clear();
}

UnitSymbolsReader::UnitSymbolsReader(std::function<void()> pause) : scratch_(std::make_unique<Scratch>()) {
  scratch_->pause = std::move(pause);
}
UnitSymbolsReader::~UnitSymbolsReader() = default;

UnitSymbols UnitSymbolsReader::read(const DwarfUnit& unit, const DwarfUnit* split, const CodeRanges& code,
                                    const WantedAddresses* wanted) {
  UnitReader(unit, split, code, scratch_->lines, scratch_->names, scratch_->code_of, scratch_->pause, wanted, scratch_->out)
      .read();
  return scratch_->out;  // the copy has no excess capacity
}

std::vector<AddressRange> UnitSymbolsReader::read_ranges(const DwarfUnit& unit, const DwarfUnit* split, const CodeRanges& code) {
  std::vector<AddressRange> ranges;
  if (!read_own_ranges(unit, code, ranges)) { return read(unit, split, code).ranges; }
  join_ranges(ranges);
  return ranges;
}

}  // namespace wick::elf
