// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Symbol tables overlap: aliases at one address, labels inside functions, functions without a size, the same function in .symtab
// and .dynsym. All candidates are sorted by address and swept once with a stack of the open ones: at every address the innermost
// symbol wins; of equal ranges, the one with the better name. The result is disjoint, so a lookup is one binary search. Rejected:
// using the nearest preceding symbol. In stripped libraries that gives plainly wrong names.

#include "elf/symbols.h"

#include <elf.h>

#include <algorithm>
#include <cstring>

#include "base/byte_reader.h"
#include "elf/decompress.h"

namespace wick::elf {
namespace {

constexpr size_t kMaxNameBytes = 16384;  // longer names are truncated, which bounds the work for a malicious file
constexpr size_t kMaxSymbols = size_t{1} << 27;
constexpr uint64_t kMaxMinidebugBytes = uint64_t{1} << 28;

// Preference among symbols of the same range; smaller is better. Only looks at the start of the name. `is_old`: a name that
// current programs no longer link to (cfree next to free).
uint8_t rank_of(uint8_t info, std::string_view name, bool is_old) {
  uint8_t type = info & 15, binding = info >> 4;
  unsigned rank = type == STT_NOTYPE ? 32 : 0;
  // Of write and __write, the one without underscores is public. The underscores of mangled names do not count.
  size_t dashes = 0;
  if (name.substr(0, 2) != "_Z" && name.substr(0, 2) != "_R") {
    while (dashes < 3 && dashes < name.size() && name[dashes] == '_') { ++dashes; }
  }
  rank += static_cast<unsigned>(dashes) * 4;
  if (is_old) { rank += 3; }
  rank += binding == STB_GLOBAL || binding == 10 /* STB_GNU_UNIQUE */ ? 0 : binding == STB_WEAK ? 1 : 2;
  return static_cast<uint8_t>(rank);
}

}  // namespace

std::optional<uint64_t> find_symbol(const Image& image, std::string_view name) {
  const Section* table = image.find_section(".symtab");
  if (table == nullptr || table->link >= image.sections().size()) { return std::nullopt; }
  Bytes symbols = image.section_bytes(*table), names = image.section_bytes(image.sections()[table->link]);
  for (size_t at = 0; at + sizeof(Elf64_Sym) <= symbols.size(); at += sizeof(Elf64_Sym)) {
    Elf64_Sym symbol;
    std::memcpy(&symbol, symbols.data() + at, sizeof symbol);
    if (symbol.st_shndx == SHN_UNDEF || symbol.st_name >= names.size() || names.size() - symbol.st_name <= name.size()) {
      continue;
    }
    const uint8_t* text = names.data() + symbol.st_name;
    if (text[name.size()] == 0 && std::memcmp(text, name.data(), name.size()) == 0) { return symbol.st_value; }
  }
  return std::nullopt;
}

bool is_function_name(std::string_view name) {
  if (name.empty() || (name[0] == '.' && name.size() > 1 && name[1] == 'L')) { return false; }
  // $x $d (aarch64), possibly with a suffix: "$x.12".
  bool mapping = name.size() >= 2 && name[0] == '$' && (name[1] == 'x' || name[1] == 'd' || name[1] == 'a' || name[1] == 't') &&
                 (name.size() == 2 || name[2] == '.');
  return !mapping;
}

class SymbolCollector {
 public:
  explicit SymbolCollector(SymbolTable& table) : table_(table) {}

  uint8_t add_strings(Bytes strings) {
    table_.strings_.push_back(strings);
    return static_cast<uint8_t>(table_.strings_.size() - 1);
  }

  // Two bytes per dynamic symbol.
  static Bytes versions_of(const Image& image) {
    const Section* section = image.find_section(".gnu.version");
    return section == nullptr ? Bytes() : image.section_bytes(*section);
  }

  // Adds the function symbols of one table and returns their number.
  size_t add_table(const Image& image, const Section& section) {
    if (section.link >= image.sections().size()) { return 0; }
    Bytes symbols = image.section_bytes(section), names = image.section_bytes(image.sections()[section.link]);
    // ELF has only one entry size; any other is damage.
    size_t count = std::min(symbols.size() / sizeof(Elf64_Sym), kMaxSymbols - std::min(kMaxSymbols, found_.size()));
    uint8_t strings = add_strings(names);
    Bytes versions = section.type == SHT_DYNSYM ? versions_of(image) : Bytes();
    size_t before = found_.size();
    uint32_t file = 0;
    found_.reserve(before + count / 2);
    for (size_t i = 0; i < count; ++i) {
      Elf64_Sym symbol;
      std::memcpy(&symbol, symbols.data() + i * sizeof symbol, sizeof symbol);
      uint8_t type = symbol.st_info & 15;
      if (type == STT_FILE && symbol.st_name < names.size()) { file = symbol.st_name; }
      if (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE) { continue; }
      if (symbol.st_shndx == SHN_UNDEF || symbol.st_name >= names.size()) { continue; }
      const Section* home = home_of(image, symbol);
      if (home == nullptr) { continue; }
      std::string_view beginning(reinterpret_cast<const char*>(names.data()) + symbol.st_name,
                                 ::strnlen(reinterpret_cast<const char*>(names.data()) + symbol.st_name,
                                           std::min<size_t>(names.size() - symbol.st_name, 8)));
      if (!is_function_name(beginning)) { continue; }
      Candidate c;
      c.start = symbol.st_value;
      c.name = symbol.st_name;
      c.strings = strings;
      c.file = symbol.st_info >> 4 == STB_LOCAL ? file : 0;
      uint16_t version = 0;
      if (i * 2 + 2 <= versions.size()) { std::memcpy(&version, versions.data() + i * 2, 2); }
      constexpr uint16_t kNotTheDefault = 0x8000;
      c.rank = rank_of(symbol.st_info, beginning, (version & kNotTheDefault) != 0);
      uint64_t room = home->vaddr + home->size - c.start;  // home_of() ensures that the start is inside
      c.length = static_cast<uint32_t>(std::min<uint64_t>(std::min(symbol.st_size, room), UINT32_MAX));
      c.room = static_cast<uint32_t>(std::min<uint64_t>(room, UINT32_MAX));
      found_.push_back(c);
    }
    return found_.size() - before;
  }

  void add_stub(const PltStub& stub, uint32_t name, uint8_t strings) {
    Candidate c;
    c.start = stub.start;
    c.length = c.room = stub.length;
    c.name = name;
    c.strings = strings;
    c.rank = 255;
    found_.push_back(c);
  }

  void finish() {
    // Outer before inner, and for the same range worse before better: later candidates cover earlier ones. Of equals, the last in
    // the table wins, as in LLVM.
    auto before = [](const Candidate& a, const Candidate& b) {
      if (a.start != b.start) { return a.start < b.start; }
      if (a.length != b.length) { return a.length != 0 && (b.length == 0 || a.length > b.length); }
      if (a.rank != b.rank) { return a.rank > b.rank; }
      return a.strings > b.strings;
    };
    if (!sort_by_start()) {
      std::stable_sort(found_.begin(), found_.end(), before);
    } else {
      for (size_t i = 0, end = 0; i < found_.size(); i = end) {
        for (end = i + 1; end < found_.size() && found_[end].start == found_[i].start;) { ++end; }
        if (end - i > 1) {
          std::stable_sort(found_.begin() + static_cast<std::ptrdiff_t>(i), found_.begin() + static_cast<std::ptrdiff_t>(end),
                           before);
        }
      }
    }
    sweep();
    found_.clear();
    found_.shrink_to_fit();
  }

 private:
  struct Candidate {
    uint64_t start = 0;
    uint32_t length = 0, room = 0, name = 0, file = 0;
    uint8_t strings = 0, rank = 0;
  };

  // The executable section of a symbol; null for data, absolute values and end markers such as etext.
  static const Section* home_of(const Image& image, const Elf64_Sym& symbol) {
    auto holds = [&](const Section& s) {
      return (s.flags & SHF_EXECINSTR) && (s.flags & SHF_ALLOC) && symbol.st_value >= s.vaddr &&
             symbol.st_value - s.vaddr < s.size && s.size <= UINT64_MAX - s.vaddr;
    };
    if (symbol.st_shndx < SHN_LORESERVE) {
      if (symbol.st_shndx >= image.sections().size()) { return nullptr; }
      const Section& s = image.sections()[symbol.st_shndx];
      return holds(s) ? &s : nullptr;
    }
    if (symbol.st_shndx != SHN_XINDEX) { return nullptr; }
    size_t looked = 0;
    for (const Section& s : image.sections()) {
      if (holds(s)) { return &s; }
      if (++looked == 256) { break; }  // only object files have section numbers beyond 16 bits
    }
    return nullptr;
  }

  // A radix sort in three passes of 11 bits: a large program has half a million unsorted symbols, and comparing them dominates.
  bool sort_by_start() {
    if (found_.size() < 2048) { return false; }
    auto [least, most] = std::minmax_element(found_.begin(), found_.end(),
                                             [](const Candidate& a, const Candidate& b) { return a.start < b.start; });
    uint64_t base = least->start, span = most->start - base;
    if (span >> 33 != 0) { return false; }
    std::vector<Candidate> other(found_.size());
    for (unsigned shift = 0; shift < 33 && (shift == 0 || span >> shift != 0); shift += 11) {
      std::vector<size_t> at(2049);
      for (const Candidate& c : found_) { ++at[((c.start - base) >> shift & 2047) + 1]; }
      for (size_t i = 1; i < at.size(); ++i) { at[i] += at[i - 1]; }
      for (const Candidate& c : found_) { other[at[(c.start - base) >> shift & 2047]++] = c; }
      found_.swap(other);
    }
    return true;
  }

  void emit(uint64_t start, uint64_t end, const Candidate& c) {
    if (start >= end) { return; }
    table_.ranges_.push_back({start, static_cast<uint32_t>(end - start), c.name, c.file, c.strings});
  }

  void sweep() {
    std::vector<std::pair<uint64_t, const Candidate*>> open;  // (end, symbol), innermost last
    uint64_t at = 0;                                          // everything before is decided
    table_.ranges_.reserve(found_.size());
    auto close_until = [&](uint64_t limit) {
      while (!open.empty() && open.back().first <= limit) {
        emit(at, open.back().first, *open.back().second);
        at = std::max(at, open.back().first);
        open.pop_back();
      }
    };
    for (size_t i = 0; i < found_.size(); ++i) {
      const Candidate& c = found_[i];
      close_until(c.start);
      uint64_t end = c.start + c.length;
      if (c.length == 0) {
        if (!open.empty()) { continue; }  // a label inside a function, or an alias without a size
        // Of several symbols without a size at one address, the last is the best; it extends to the next symbol.
        if (i + 1 < found_.size() && found_[i + 1].start == c.start) { continue; }
        end = c.start + c.room;
        if (i + 1 < found_.size()) { end = std::min(end, found_[i + 1].start); }
      }
      if (!open.empty()) { emit(at, c.start, *open.back().second); }
      at = c.start;
      // The same range again: the better name replaces it.
      while (!open.empty() && open.back().first == end && open.back().second->start == c.start) { open.pop_back(); }
      open.push_back({end, &c});
    }
    close_until(UINT64_MAX);
  }

  SymbolTable& table_;
  std::vector<Candidate> found_;
};

SymbolTable::SymbolTable(const Image& image) { build(image, nullptr); }
SymbolTable::SymbolTable(const Image& image, const Image& debug) { build(image, &debug); }

void SymbolTable::build(const Image& image, const Image* debug) {
  SymbolCollector collector(*this);
  auto add_all = [&](const Image& from, uint32_t type) {
    size_t count = 0;
    for (const Section& section : from.sections()) {
      if (section.type == type && strings_.size() < 16) { count += collector.add_table(from, section); }
    }
    return count;
  };
  if (image.type() == ET_REL) { return; }  // addresses are offsets within sections
  symtab_count_ = add_all(image, SHT_SYMTAB);
  if (debug != nullptr) { symtab_count_ += add_all(*debug, SHT_SYMTAB); }
  dynsym_count_ = add_all(image, SHT_DYNSYM);
  if (const Section* packed = image.find_section(".gnu_debugdata"); packed != nullptr && symtab_count_ == 0) {
    Result<std::vector<uint8_t>> inner = decompress_xz(image.section_bytes(*packed), kMaxMinidebugBytes);
    if (inner.ok()) {
      minidebug_ = *std::move(inner);
      Result<Image> small = Image::parse(minidebug_);
      if (small.ok()) { minidebug_count_ = add_all(*small, SHT_SYMTAB); }
    }
  }
  std::vector<PltStub> stubs = find_plt_stubs(image);
  if (!stubs.empty()) {
    made_ = std::make_unique<std::string>();
    std::vector<uint32_t> names;
    for (const PltStub& stub : stubs) {
      names.push_back(static_cast<uint32_t>(made_->size()));
      made_->append(stub.function).append("@plt").push_back('\0');
    }
    uint8_t strings = collector.add_strings(as_bytes(*made_));
    for (size_t i = 0; i < stubs.size(); ++i) { collector.add_stub(stubs[i], names[i], strings); }
  }
  collector.finish();
}

std::string_view SymbolTable::text_at(uint8_t strings, uint32_t offset) const {
  Bytes table = strings_[strings];
  const char* text = reinterpret_cast<const char*>(table.data()) + offset;
  return {text, ::strnlen(text, std::min<size_t>(table.size() - offset, kMaxNameBytes))};
}

SymbolRange SymbolTable::at(size_t i) const {
  const Range& r = ranges_[i];
  return {r.start, r.start + r.length, text_at(r.strings, r.name)};
}

uint32_t SymbolTable::find_row(uint64_t svma) const {
  auto after =
      std::upper_bound(ranges_.begin(), ranges_.end(), svma, [](uint64_t address, const Range& r) { return address < r.start; });
  if (after == ranges_.begin()) { return kNothing; }
  const Range& r = *(after - 1);
  return svma - r.start < r.length ? static_cast<uint32_t>(after - ranges_.begin()) - 1 : kNothing;
}

std::optional<SymbolRange> SymbolTable::find(uint64_t svma) const {
  uint32_t row = find_row(svma);
  if (row == kNothing) { return std::nullopt; }
  return at(row);
}

std::string_view SymbolTable::file_at(size_t row) const {
  const Range& r = ranges_[row];
  return r.file == 0 ? std::string_view() : text_at(r.strings, r.file);
}

}  // namespace wick::elf
