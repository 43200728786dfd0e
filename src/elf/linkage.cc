// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "elf/linkage.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <unordered_map>

namespace wick::elf {
namespace {

constexpr std::string_view kCold = ".cold";
constexpr size_t kMostExports = 1 << 20, kMostPointers = 1 << 22;

// "f" for "f.cold" or older compilers' "f.cold.3"; empty for other names.
std::string_view whole_name(std::string_view name) {
  size_t at = name.rfind(kCold);
  if (at == std::string_view::npos || at == 0) { return {}; }
  std::string_view rest = name.substr(at + kCold.size());
  bool is_number = rest.size() > 1 && rest[0] == '.' && rest.find_first_not_of("0123456789", 1) == std::string_view::npos;
  return rest.empty() || is_number ? name.substr(0, at) : std::string_view();
}

bool is_read_only(const Image& image, uint64_t svma) {
  auto covers = [&](const Segment& s) { return s.type == PT_GNU_RELRO && svma >= s.vaddr && svma - s.vaddr < s.mem_size; };
  return std::any_of(image.segments().begin(), image.segments().end(), covers);
}

std::vector<std::pair<uint64_t, std::string_view>> read_exports(const Image& image) {
  std::vector<std::pair<uint64_t, std::string_view>> out;
  const std::vector<Section>& sections = image.sections();
  for (const Section& section : sections) {
    if (section.type != SHT_DYNSYM || section.link >= sections.size()) { continue; }
    Bytes symbols = image.section_bytes(section), names = image.section_bytes(sections[section.link]);
    for (size_t at = 0; at + sizeof(Elf64_Sym) <= symbols.size(); at += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      std::memcpy(&symbol, symbols.data() + at, sizeof symbol);
      bool is_export = ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx != SHN_UNDEF && symbol.st_name < names.size();
      if (!is_export || out.size() >= kMostExports) { continue; }
      const char* text = reinterpret_cast<const char*>(names.data()) + symbol.st_name;
      out.emplace_back(symbol.st_value,
                       std::string_view(text, ::strnlen(text, std::min<size_t>(names.size() - symbol.st_name, kMaxLinkedName))));
    }
    break;  // one suffices
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

bool is_cold_part(std::string_view name) { return !whole_name(name).empty(); }

Linkage::Linkage(const Image& image, const SymbolTable& symbols)
    : image_(image), stubs_(find_plt_stubs(image)), slots_(find_linked_slots(image)), exports_(read_exports(image)) {
  std::sort(stubs_.begin(), stubs_.end(), [](const PltStub& a, const PltStub& b) { return a.start < b.start; });
  find_cold(symbols);
  find_pointers();
}

void Linkage::find_pointers() {
  const uint32_t relative = image_.arch() == Arch::kAarch64 ? R_AARCH64_RELATIVE : R_X86_64_RELATIVE;
  for (const Section& section : image_.sections()) {
    if (section.type != SHT_RELA) { continue; }
    Bytes bytes = image_.section_bytes(section);
    for (size_t at = 0; at + sizeof(Elf64_Rela) <= bytes.size() && pointers_.size() < kMostPointers; at += sizeof(Elf64_Rela)) {
      Elf64_Rela rela;
      std::memcpy(&rela, bytes.data() + at, sizeof rela);
      if (ELF64_R_TYPE(rela.r_info) == relative && is_read_only(image_, rela.r_offset)) {
        pointers_.emplace_back(rela.r_offset, static_cast<uint64_t>(rela.r_addend));
      }
    }
  }
  std::sort(pointers_.begin(), pointers_.end());
}

// Matches by name: the function must be the only one with it, or the only one compiled from the same file.
void Linkage::find_cold(const SymbolTable& symbols) {
  struct Whole {
    uint64_t begin = 0;
    bool is_found = false, is_certain = true;

    void add(uint64_t at) {
      is_certain = is_certain && (!is_found || begin == at);
      begin = at;
      is_found = true;
    }
  };
  using Files = std::unordered_map<std::string_view, Whole>;
  struct Wholes {
    Whole any;
    Files by_file;
  };
  std::unordered_map<std::string_view, Wholes> wholes;
  for (size_t row = 0; row < symbols.size(); ++row) {
    std::string_view name = whole_name(symbols.at(row).name);
    if (!name.empty()) { wholes[name]; }
  }
  if (wholes.empty()) { return; }
  for (size_t row = 0; row < symbols.size(); ++row) {
    SymbolRange range = symbols.at(row);
    auto found = wholes.find(range.name);
    if (found == wholes.end()) { continue; }
    found->second.any.add(range.start);
    found->second.by_file[symbols.file_at(row)].add(range.start);
  }
  for (size_t row = 0; row < symbols.size(); ++row) {
    SymbolRange range = symbols.at(row);
    std::string_view name = whole_name(range.name);
    if (name.empty()) { continue; }
    const Wholes& of = wholes[name];
    auto same_file = of.by_file.find(symbols.file_at(row));
    const Whole& whole = of.any.is_certain || same_file == of.by_file.end() ? of.any : same_file->second;
    if (whole.is_found && whole.is_certain) { cold_.push_back({range.start, whole.begin}); }
  }
}

std::string_view Linkage::at_stub(uint64_t svma) const {
  auto after = std::upper_bound(stubs_.begin(), stubs_.end(), svma, [](uint64_t a, const PltStub& s) { return a < s.start; });
  if (after == stubs_.begin()) { return {}; }
  const PltStub& stub = *std::prev(after);
  return svma - stub.start < stub.length ? stub.function : std::string_view();
}

std::string_view Linkage::at_slot(uint64_t svma) const {
  auto at = std::lower_bound(slots_.begin(), slots_.end(), svma, [](const LinkedSlot& s, uint64_t a) { return s.address < a; });
  return at != slots_.end() && at->address == svma ? at->function : std::string_view();
}

std::optional<uint64_t> Linkage::pointer_at(uint64_t svma) const {
  if (!is_read_only(image_, svma) || !at_slot(svma).empty()) { return std::nullopt; }
  auto at = std::lower_bound(pointers_.begin(), pointers_.end(), std::pair(svma, uint64_t{0}));
  if (at != pointers_.end() && at->first == svma) { return at->second; }
  // Relocated in groups (.relr.dyn) or not at all: the value is in the file.
  Bytes bytes = image_.bytes_at_svma(svma);
  uint64_t target = 0;
  if (bytes.size() < sizeof target) { return std::nullopt; }
  std::memcpy(&target, bytes.data(), sizeof target);
  return target;
}

bool Linkage::exports(std::string_view name, uint64_t svma) const {
  return std::binary_search(exports_.begin(), exports_.end(), std::pair(svma, name));
}

std::optional<uint64_t> Linkage::whole_of(uint64_t cold) const {
  auto at = std::lower_bound(cold_.begin(), cold_.end(), cold, [](const Cold& c, uint64_t a) { return c.begin < a; });
  if (at == cold_.end() || at->begin != cold) { return std::nullopt; }
  return at->whole;
}

}  // namespace wick::elf
