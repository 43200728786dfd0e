// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The table has its own section; without section headers, wick searches for its magic. The runtime's module data, which starts
// with a pointer to the table, gives the base of addresses (since Go 1.18) and the location of the inline trees. Module data is
// trusted if all its pointers into the table match the table's header, and its first and last function match the table's. In a
// position-independent program, the pointers are in the relocations.
//
// Every offset is checked when used, and the length of value lists is limited.

#include "elf/go_pclntab.h"

#include <elf.h>

#include <algorithm>
#include <cstring>

#include "base/byte_reader.h"

namespace wick::elf {
namespace {

using Version = GoTable::Version;

constexpr size_t kPointer = 8;
constexpr size_t kMaxSteps = 1 << 18;                  // in a value list
constexpr size_t kMaxInlined = 128;                    // depth
constexpr size_t kMaxHeaders = 16;                     // false matches of the magic
constexpr uint32_t kInlineIndex = 2, kInlineTree = 3;  // index among a function's value lists, and among its data

// Word offsets in the module data.
struct ModuleWords {
  static constexpr size_t kNames = 1, kUnits = 4, kFiles = 7, kValues = 10, kFunctions = 13, kRows = 16, kFirst = 20, kEnd = 21,
                          kText = 22;
  static constexpr size_t kInlineTrees120 = 40;
};

std::optional<Version> version_of(uint32_t magic) {
  switch (magic) {
    case 0xfffffffb: return Version::kGo12;
    case 0xfffffffa: return Version::kGo116;
    case 0xfffffff0: return Version::kGo118;
    case 0xfffffff1: return Version::kGo120;
    default: return std::nullopt;
  }
}

bool is_header(Bytes bytes) {
  ByteReader r(bytes);
  uint32_t magic = r.u32();
  uint16_t zeros = r.u16();
  uint8_t quantum = r.u8(), pointer = r.u8();
  return r.ok() && version_of(magic) && zeros == 0 && (quantum == 1 || quantum == 2 || quantum == 4) && pointer == kPointer;
}

bool is_go_note(const Image& image) {
  for (const Segment& segment : image.segments()) {
    if (segment.type != PT_NOTE) { continue; }
    Bytes bytes = image.segment_bytes(segment);
    constexpr std::string_view kOwner("Go\0\0", 4);
    std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (text.find(kOwner) != std::string_view::npos) { return true; }
  }
  return false;
}

// Offsets where a table may start.
std::vector<uint64_t> find_headers(const Image& image) {
  std::vector<uint64_t> out;
  for (const char* name : {".gopclntab", ".data.rel.ro.gopclntab"}) {
    const Section* section = image.find_section(name);
    if (section != nullptr && is_header(image.section_bytes(*section))) { out.push_back(section->vaddr); }
  }
  bool go =
      image.find_section(".go.buildinfo") != nullptr || image.find_section(".note.go.buildid") != nullptr || is_go_note(image);
  if (!out.empty() || !go) { return out; }
  constexpr size_t kAlignment = 8;
  for (const Segment& segment : image.segments()) {
    if (segment.type != PT_LOAD || (segment.flags & PF_X) != 0) { continue; }
    Bytes bytes = image.segment_bytes(segment);
    for (size_t at = 0; at + 8 <= bytes.size() && out.size() < kMaxHeaders; at += kAlignment) {
      if (bytes[at + 1] == 0xff && bytes[at + 2] == 0xff && is_header(bytes.subspan(at))) { out.push_back(segment.vaddr + at); }
    }
  }
  return out;
}

bool is_executable(const Image& image, uint64_t svma) {
  return std::any_of(image.segments().begin(), image.segments().end(), [&](const Segment& s) {
    return s.type == PT_LOAD && (s.flags & PF_X) != 0 && svma >= s.vaddr && svma - s.vaddr < s.mem_size;
  });
}

Bytes from(Bytes bytes, uint64_t offset) { return offset <= bytes.size() ? bytes.subspan(static_cast<size_t>(offset)) : Bytes(); }

uint32_t u32_at(Bytes bytes, uint64_t offset) { return ByteReader(from(bytes, offset)).u32(); }

}  // namespace

std::optional<GoTable> GoTable::find(const Image& image) {
  std::vector<uint64_t> headers = find_headers(image);
  if (headers.empty()) { return std::nullopt; }
  GoTable table(image);
  table.read_relocations();
  for (uint64_t svma : headers) {
    if (!table.read_header(svma)) { continue; }
    bool counted = table.version_ >= Version::kGo118;
    bool found = !counted || table.read_module_data() || table.text_svma_ != 0;
    std::optional<Entry> first = found ? table.entry(0) : std::nullopt;
    if (first && is_executable(image, first->start)) { return table; }
  }
  return std::nullopt;
}

// Relative relocations: pointers within the program.
void GoTable::read_relocations() {
  uint32_t relative = image_->arch() == Arch::kAarch64 ? uint32_t{R_AARCH64_RELATIVE} : uint32_t{R_X86_64_RELATIVE};
  for (const Section& section : image_->sections()) {
    if (section.type != SHT_RELA || (section.flags & SHF_ALLOC) == 0) { continue; }
    for (ByteReader r(image_->section_bytes(section)); r.left() >= sizeof(Elf64_Rela);) {
      uint64_t address = r.u64(), info = r.u64(), addend = r.u64();
      if (ELF64_R_TYPE(info) == relative) { relocations_.push_back({address, addend}); }
    }
  }
  std::sort(relocations_.begin(), relocations_.end());
}

std::optional<uint64_t> GoTable::pointer_at(uint64_t svma) const {
  auto at = std::lower_bound(relocations_.begin(), relocations_.end(), std::pair(svma, uint64_t{0}));
  if (at != relocations_.end() && at->first == svma) { return at->second; }
  ByteReader r(image_->bytes_at_svma(svma));
  uint64_t value = r.u64();
  return r.ok() ? std::optional(value) : std::nullopt;
}

bool GoTable::read_header(uint64_t svma) {
  svma_ = svma;
  text_svma_ = 0;
  inline_trees_ = {};
  table_ = image_->bytes_at_svma(svma);
  ByteReader r(table_);
  std::optional<Version> version = version_of(r.u32());
  r.u16();
  quantum_ = r.u8();
  r.u8();
  uint64_t functions = r.u64();
  if (!version || !r.ok() || functions == 0) { return false; }
  version_ = *version;
  function_count_ = static_cast<size_t>(functions);
  if (version_ == Version::kGo12) {
    names_ = values_ = units_ = files_ = table_;
    functions_ = from(table_, 16);
  } else {
    r.u64();  // files
    if (version_ >= Version::kGo118) {
      text_svma_ = pointer_at(svma + r.pos()).value_or(0);
      r.u64();
    }
    Bytes* const parts[] = {&names_, &units_, &files_, &values_, &functions_};
    for (Bytes* part : parts) {
      uint64_t offset = r.u64();
      if (!r.ok() || offset >= table_.size()) { return false; }
      *part = from(table_, offset);
    }
  }
  size_t row = version_ >= Version::kGo118 ? 8 : 16;
  return function_count_ < functions_.size() / row;  // an extra row ends the last function
}

bool GoTable::read_module_data() {
  for (const auto& [address, value] : relocations_) {
    if (value == svma_ && read_module_data_at(address)) { return true; }
  }
  // The usual sections first, then anywhere.
  for (const char* name : {".go.module", ".noptrdata", ".data"}) {
    const Section* section = image_->find_section(name);
    if (section != nullptr && find_module_data(image_->section_bytes(*section), section->vaddr)) { return true; }
  }
  for (const Segment& segment : image_->segments()) {
    bool data = segment.type == PT_LOAD && (segment.flags & PF_X) == 0;
    if (data && find_module_data(image_->segment_bytes(segment), segment.vaddr)) { return true; }
  }
  return false;
}

bool GoTable::find_module_data(Bytes bytes, uint64_t svma) {
  for (size_t at = (0 - svma) % kPointer; at + kPointer <= bytes.size(); at += kPointer) {
    uint64_t value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    if (value == svma_ && read_module_data_at(svma + at)) { return true; }
  }
  return false;
}

bool GoTable::read_module_data_at(uint64_t svma) {
  auto word = [&](size_t i) { return pointer_at(svma + i * kPointer); };
  auto points_to = [&](size_t i, Bytes part) { return word(i) == svma_ + static_cast<uint64_t>(part.data() - table_.data()); };
  bool sound = points_to(ModuleWords::kNames, names_) && points_to(ModuleWords::kUnits, units_) &&
               points_to(ModuleWords::kFiles, files_) && points_to(ModuleWords::kValues, values_) &&
               points_to(ModuleWords::kFunctions, functions_) && points_to(ModuleWords::kRows, functions_);
  if (!sound) { return false; }
  std::optional<uint64_t> text = word(ModuleWords::kText), first = word(ModuleWords::kFirst), end = word(ModuleWords::kEnd);
  uint64_t last = u32_at(functions_, uint64_t{function_count_} * 8);
  if (!text || !first || !end || *text + u32_at(functions_, 0) != *first || *text + last != *end) { return false; }
  text_svma_ = *text;
  std::optional<uint64_t> trees = word(ModuleWords::kInlineTrees120);
  if (version_ == Version::kGo120 && trees && *trees != 0) { inline_trees_ = image_->bytes_at_svma(*trees); }
  return true;
}

std::optional<GoTable::Entry> GoTable::entry(size_t row) const {
  if (version_ >= Version::kGo118) {
    ByteReader r(functions_, row * 8);
    uint64_t start = r.u32(), offset = r.u32();
    return r.ok() ? std::optional(Entry{text_svma_ + start, offset}) : std::nullopt;
  }
  ByteReader r(functions_, row * 16);
  std::optional<uint64_t> start = pointer_at(svma_ + static_cast<uint64_t>(functions_.data() - table_.data()) + row * 16);
  r.u64();
  uint64_t offset = r.u64();
  if (!r.ok()) { offset = 0; }  // the last row has no second word
  return start ? std::optional(Entry{*start, offset}) : std::nullopt;
}

std::string_view GoTable::name_at(uint32_t offset) const {
  ByteReader r(names_, std::min<size_t>(offset, names_.size()));
  return r.cstring();
}

std::optional<GoTable::Function> GoTable::function_at(uint64_t svma) const {
  // The last row whose function starts at or before the address.
  size_t low = 0, high = function_count_;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    std::optional<Entry> at = entry(middle);
    if (!at) { return std::nullopt; }
    if (at->start <= svma) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == 0) { return std::nullopt; }
  std::optional<Entry> at = entry(low - 1), next = entry(low);
  if (!at || !next || svma >= next->start) { return std::nullopt; }
  Function out;
  out.start = at->start;
  out.end = next->start;
  ByteReader r(from(version_ == Version::kGo12 ? table_ : functions_, at->offset));
  r.skip(version_ >= Version::kGo118 ? 4 : kPointer);  // its start again
  uint32_t name = r.u32();
  r.skip(8);  // arguments, deferred calls
  r.u32();    // frame size
  out.file_table = r.u32();
  out.line_table = r.u32();
  uint32_t lists = r.u32();
  if (version_ != Version::kGo12) { out.unit_files = r.u32(); }
  if (!r.ok()) { return std::nullopt; }
  out.name = name_at(name);
  if (version_ != Version::kGo120 || inline_trees_.empty()) { return out; }
  r.u32();                 // its first line
  r.skip(3);               // function ID and flags
  uint32_t data = r.u8();  // number of data words
  if (lists <= kInlineIndex || data <= kInlineTree || lists > (1 << 16)) { return out; }
  r.skip(kInlineIndex * 4);
  uint32_t index_table = r.u32();
  r.skip(uint64_t{lists - kInlineIndex - 1} * 4 + kInlineTree * 4);
  uint32_t tree = r.u32();
  if (r.ok() && tree != UINT32_MAX && tree < inline_trees_.size()) {
    out.inline_index_table = index_table;
    out.inline_tree = from(inline_trees_, tree);
  }
  return out;
}

// A list of (value delta, length of code). It starts at -1 and ends with a delta of 0.
std::optional<int32_t> GoTable::value_at(uint32_t table, const Function& function, uint64_t svma) const {
  if (table == 0) { return std::nullopt; }
  ByteReader r(from(values_, table));
  uint64_t at = function.start;
  uint32_t value = UINT32_MAX;
  for (size_t i = 0; i < kMaxSteps && r.ok(); ++i) {
    uint64_t coded = r.uleb();
    if (coded == 0 && i > 0) { return std::nullopt; }
    uint32_t difference = static_cast<uint32_t>(coded);
    value += (difference & 1) != 0 ? ~(difference >> 1) : difference >> 1;
    at += r.uleb() * quantum_;
    if (!r.ok() || at > function.end) { return std::nullopt; }
    if (svma < at) { return static_cast<int32_t>(value); }
  }
  return std::nullopt;
}

std::string_view GoTable::file_at(const Function& function, int32_t number) const {
  if (number < 0) { return {}; }
  uint64_t offset = 0;
  if (version_ == Version::kGo12) {
    // The file numbers follow the row that ends the functions.
    uint32_t numbers = u32_at(functions_, function_count_ * 16 + kPointer);
    offset = u32_at(table_, uint64_t{numbers} + uint64_t{static_cast<uint32_t>(number)} * 4);
  } else {
    offset = u32_at(units_, (uint64_t{function.unit_files} + static_cast<uint32_t>(number)) * 4);
    if (offset == UINT32_MAX) { return {}; }
  }
  ByteReader r(from(files_, offset));
  return r.cstring();
}

NamedFrame GoTable::place_at(const Function& function, uint64_t svma) const {
  NamedFrame out;
  std::optional<int32_t> file = value_at(function.file_table, function, svma),
                         line = value_at(function.line_table, function, svma);
  if (!file || !line || *line <= 0) { return out; }
  out.file = file_at(function, *file);
  if (!out.file.empty()) { out.line = static_cast<uint32_t>(*line); }
  return out;
}

void GoTable::find(uint64_t svma, std::vector<NamedFrame>& chain) const {
  chain.clear();
  std::optional<Function> function = function_at(svma);
  if (!function || function->name.empty()) { return; }
  constexpr size_t kCallBytes = 16;
  uint64_t at = svma;
  for (size_t depth = 0; depth < kMaxInlined; ++depth) {
    std::optional<int32_t> index = value_at(function->inline_index_table, *function, at);
    if (!index || *index < 0) { break; }
    ByteReader r(from(function->inline_tree, uint64_t{static_cast<uint32_t>(*index)} * kCallBytes));
    uint32_t kind = r.u32(), name_offset = r.u32();
    uint64_t call = function->start + r.u32();
    // Nothing else identifies these as inline trees, so every invariant is checked.
    bool begins = name_offset < names_.size() && (name_offset == 0 || names_[name_offset - 1] == 0);
    std::string_view name = begins ? name_at(name_offset) : std::string_view();
    if (!r.ok() || kind > UINT8_MAX || name.empty() || call >= function->end) {
      // Not an inline tree: fall back to the function alone.
      chain.clear();
      at = svma;
      break;
    }
    chain.push_back(place_at(*function, at));
    chain.back().function = name;
    at = call;
  }
  chain.push_back(place_at(*function, at));
  chain.back().function = function->name;
}

}  // namespace wick::elf
