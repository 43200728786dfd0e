// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// PLT stubs have no symbols. Their layouts differ between linkers, options (IBT, BTI, lazy or not) and sections, so wick does not
// count entries but decodes each stub: it jumps through a GOT slot, whose relocation names the function. A stub without a known
// slot gets no name.

#include <elf.h>

#include <algorithm>
#include <cstring>

#include "elf/symbols.h"

namespace wick::elf {
namespace {

constexpr size_t kMaxStubs = 1 << 18;
constexpr size_t kMaxNamesBytes = size_t{32} << 20;

struct Slots {
  std::vector<LinkedSlot> by_address;
  std::vector<std::string_view> by_index;  // entries of .rela.plt in order; lazy stubs push their index

  std::string_view find(uint64_t address) const {
    auto at = std::lower_bound(by_address.begin(), by_address.end(), address,
                               [](const LinkedSlot& s, uint64_t a) { return s.address < a; });
    return at != by_address.end() && at->address == address ? at->function : std::string_view();
  }
};

uint32_t word_at(Bytes bytes, size_t at) {
  uint32_t value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

void add_slots(const Image& image, const Section& relocations, Slots& slots) {
  const std::vector<Section>& sections = image.sections();
  if (relocations.link >= sections.size() || sections[relocations.link].type != SHT_DYNSYM) { return; }
  const Section& dynsym = sections[relocations.link];
  if (dynsym.link >= sections.size()) { return; }
  Bytes bytes = image.section_bytes(relocations), symbols = image.section_bytes(dynsym),
        names = image.section_bytes(sections[dynsym.link]);
  bool is_plt = relocations.name == ".rela.plt";
  uint32_t jump_slot = image.arch() == Arch::kX86_64 ? R_X86_64_JUMP_SLOT : R_AARCH64_JUMP_SLOT;
  uint32_t glob_dat = image.arch() == Arch::kX86_64 ? R_X86_64_GLOB_DAT : R_AARCH64_GLOB_DAT;
  for (size_t at = 0; at + sizeof(Elf64_Rela) <= bytes.size() && slots.by_address.size() < kMaxStubs; at += sizeof(Elf64_Rela)) {
    Elf64_Rela rela;
    std::memcpy(&rela, bytes.data() + at, sizeof rela);
    uint64_t index = ELF64_R_SYM(rela.r_info);
    uint32_t type = ELF64_R_TYPE(rela.r_info);
    std::string_view function;
    if ((type == jump_slot || type == glob_dat) && index != 0 && index < symbols.size() / sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      std::memcpy(&symbol, symbols.data() + index * sizeof symbol, sizeof symbol);
      if (symbol.st_name < names.size()) {
        const char* text = reinterpret_cast<const char*>(names.data()) + symbol.st_name;
        function = {text, ::strnlen(text, std::min<size_t>(names.size() - symbol.st_name, kMaxLinkedName))};
      }
    }
    if (!function.empty()) { slots.by_address.push_back({rela.r_offset, function}); }
    if (is_plt) { slots.by_index.push_back(function); }
  }
}

// endbr64? mov index, %r11d? bnd? jmp *disp(%rip), or endbr64? push index; jmp to the common entry. Stubs start at multiples of
// 8.
void find_x86_stubs(Bytes code, uint64_t vaddr, const Slots& slots, std::vector<PltStub>& out) {
  for (size_t at = 0; at + 6 <= code.size() && out.size() < kMaxStubs; at += 8) {
    size_t p = at;
    auto byte = [&](size_t i) { return p + i < code.size() ? code[p + i] : uint8_t{0}; };
    if (byte(0) == 0xf3 && byte(1) == 0x0f && byte(2) == 0x1e && byte(3) == 0xfa) { p += 4; }
    std::string_view function;
    if (byte(0) == 0x68 && p + 5 <= code.size()) {
      uint32_t index = word_at(code, p + 1);
      if (index < slots.by_index.size()) { function = slots.by_index[index]; }
    } else {
      if (byte(0) == 0x41 && byte(1) == 0xbb) { p += 6; }
      if (byte(0) == 0xf2) { ++p; }
      if (byte(0) != 0xff || byte(1) != 0x25 || p + 6 > code.size()) { continue; }
      int32_t disp = static_cast<int32_t>(word_at(code, p + 2));
      function = slots.find(vaddr + p + 6 + static_cast<uint64_t>(int64_t{disp}));
    }
    if (!function.empty()) { out.push_back({vaddr + at, 16, function}); }
  }
}

// bti c? adrp x16, page; ldr x17, [x16, #offset]; …; br x17
void find_arm_stubs(Bytes code, uint64_t vaddr, const Slots& slots, std::vector<PltStub>& out) {
  for (size_t at = 0; at + 8 <= code.size() && out.size() < kMaxStubs; at += 4) {
    uint32_t adrp = word_at(code, at), ldr = word_at(code, at + 4);
    if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211) { continue; }
    uint64_t immediate = (adrp >> 5 & 0x7ffff) << 2 | (adrp >> 29 & 3);
    if (immediate & 0x100000) { immediate |= ~uint64_t{0x1fffff}; }
    uint64_t page = ((vaddr + at) & ~uint64_t{0xfff}) + (immediate << 12);
    std::string_view function = slots.find(page + (ldr >> 10 & 0xfff) * 8);
    if (function.empty()) { continue; }
    bool has_bti = at >= 4 && word_at(code, at - 4) == 0xd503245f;
    out.push_back({vaddr + at - (has_bti ? 4 : 0), 16, function});
  }
}

Slots read_slots(const Image& image) {
  Slots slots;
  bool known = image.arch() == Arch::kX86_64 || image.arch() == Arch::kAarch64;
  if (!known || image.type() == ET_REL) { return slots; }
  size_t tables = 0;
  for (const Section& section : image.sections()) {
    if (section.type == SHT_RELA && ++tables <= 16) { add_slots(image, section, slots); }
  }
  std::sort(slots.by_address.begin(), slots.by_address.end(),
            [](const LinkedSlot& a, const LinkedSlot& b) { return a.address < b.address; });
  return slots;
}

}  // namespace

std::vector<LinkedSlot> find_linked_slots(const Image& image) { return read_slots(image).by_address; }

std::vector<PltStub> find_plt_stubs(const Image& image) {
  std::vector<PltStub> out;
  Slots slots = read_slots(image);
  if (slots.by_address.empty()) { return out; }
  for (const char* name : {".plt", ".plt.sec", ".plt.got"}) {
    const Section* section = image.find_section(name);
    if (section == nullptr || !(section->flags & SHF_EXECINSTR)) { continue; }
    Bytes code = image.section_bytes(*section);
    if (section->vaddr > UINT64_MAX - code.size()) { continue; }
    size_t first = out.size();
    if (image.arch() == Arch::kX86_64) { find_x86_stubs(code, section->vaddr, slots, out); }
    if (image.arch() == Arch::kAarch64) { find_arm_stubs(code, section->vaddr, slots, out); }
    // A stub ends where the next one begins. A stub without a name may lie between two, so the section's entry size limits it
    // too.
    uint64_t size = section->entry_size >= 8 && section->entry_size <= 64 ? section->entry_size : 16;
    for (size_t i = first; i < out.size(); ++i) {
      uint64_t end = i + 1 < out.size() ? out[i + 1].start : section->vaddr + code.size();
      out[i].length = static_cast<uint32_t>(std::min(end - out[i].start, size));
    }
  }
  size_t total = 0;
  for (size_t i = 0; i < out.size(); ++i) {
    total += out[i].function.size();
    if (total > kMaxNamesBytes) {
      out.resize(i);
      break;
    }
  }
  return out;
}

}  // namespace wick::elf
