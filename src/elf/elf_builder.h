// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Test helper: builds small valid and malformed ELF files.

#include <elf.h>

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_writer.h"
#include "base/fd.h"

namespace wick::elf {

class ElfBuilder {
 public:
  struct Part {
    std::string name;
    uint32_t type = SHT_PROGBITS;
    uint64_t flags = 0, vaddr = 0;
    std::vector<uint8_t> bytes;
    uint32_t link = 0, info = 0;
    uint64_t entry_size = 0, size = 0;  // size: for SHT_NOBITS
  };
  struct Symbol {
    std::string name;
    uint64_t value = 0, size = 0;
    uint8_t type = STT_FUNC, binding = STB_GLOBAL;
    uint16_t section = 1;
  };

  uint16_t type = ET_DYN, machine = EM_X86_64;

  // Returns the section's index.
  uint32_t add(Part part) {
    parts_.push_back(std::move(part));
    return static_cast<uint32_t>(parts_.size());
  }
  uint32_t add_text(uint64_t vaddr, uint64_t size, std::string name = ".text") {
    return add({std::move(name), SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, vaddr, std::vector<uint8_t>(size, 0x90), 0, 0, 0, 0});
  }
  uint32_t add_symbols(const std::vector<Symbol>& symbols, uint32_t table_type = SHT_SYMTAB) {
    bool dynamic = table_type == SHT_DYNSYM;
    std::string names(1, '\0');
    ByteWriter out;
    for (int i = 0; i < 3; ++i) { out.u64(0); }
    for (const Symbol& s : symbols) {
      out.u32(static_cast<uint32_t>(names.size()));
      out.u8(static_cast<uint8_t>(s.binding << 4 | s.type));
      out.u8(0);
      out.u16(s.section);
      out.u64(s.value);
      out.u64(s.size);
      names += s.name + '\0';
    }
    Bytes text = as_bytes(names);
    uint32_t strings = add({dynamic ? ".dynstr" : ".strtab", SHT_STRTAB, 0, 0, {text.begin(), text.end()}, 0, 0, 0, 0});
    return add({dynamic ? ".dynsym" : ".symtab", table_type, 0, 0, out.take(), strings, 1, sizeof(Elf64_Sym), 0});
  }
  void add_build_id(std::vector<uint8_t> id) {
    ByteWriter out;
    out.u32(4);
    out.u32(static_cast<uint32_t>(id.size()));
    out.u32(NT_GNU_BUILD_ID);
    out.bytes(as_bytes(std::string_view("GNU\0", 4)));
    out.bytes(id);
    add({".note.gnu.build-id", SHT_NOTE, SHF_ALLOC, 0, out.take(), 0, 0, 0, 0});
  }
  // Adds a segment that covers one section.
  void add_load(uint32_t section, uint32_t flags = PF_R | PF_X) { loads_.push_back({PT_LOAD, section, flags}); }
  void add_relro(uint32_t section) { loads_.push_back({PT_GNU_RELRO, section, PF_R}); }

  std::vector<uint8_t> build() const {
    std::string names(1, '\0');
    std::vector<uint32_t> name_at;
    for (const Part& p : parts_) {
      name_at.push_back(static_cast<uint32_t>(names.size()));
      names += p.name + '\0';
    }
    uint32_t names_name = static_cast<uint32_t>(names.size());
    names += std::string(".shstrtab") + '\0';

    uint64_t at = sizeof(Elf64_Ehdr) + loads_.size() * sizeof(Elf64_Phdr);
    std::vector<uint64_t> offsets;
    for (const Part& p : parts_) {
      at = (at + 15) & ~uint64_t{15};
      offsets.push_back(at);
      at += p.bytes.size();
    }
    uint64_t names_at = at, headers_at = (at + names.size() + 15) & ~uint64_t{15};

    std::vector<uint8_t> out(headers_at + (parts_.size() + 2) * sizeof(Elf64_Shdr));
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_type = type;
    header.e_machine = machine;
    header.e_version = EV_CURRENT;
    header.e_phoff = sizeof header;
    header.e_shoff = headers_at;
    header.e_ehsize = sizeof header;
    header.e_phentsize = sizeof(Elf64_Phdr);
    header.e_phnum = static_cast<uint16_t>(loads_.size());
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = static_cast<uint16_t>(parts_.size() + 2);
    header.e_shstrndx = static_cast<uint16_t>(parts_.size() + 1);
    std::memcpy(out.data(), &header, sizeof header);
    for (size_t i = 0; i < loads_.size(); ++i) {
      const Part& p = parts_[loads_[i].section - 1];
      uint64_t offset = offsets[loads_[i].section - 1];
      Elf64_Phdr load{loads_[i].type, loads_[i].flags, offset, p.vaddr, p.vaddr, p.bytes.size(), p.bytes.size(), 1};
      std::memcpy(out.data() + sizeof header + i * sizeof load, &load, sizeof load);
    }
    for (size_t i = 0; i < parts_.size(); ++i) {
      const Part& p = parts_[i];
      if (!p.bytes.empty()) { std::memcpy(out.data() + offsets[i], p.bytes.data(), p.bytes.size()); }
      uint64_t size = p.type == SHT_NOBITS ? p.size : p.bytes.size();
      Elf64_Shdr section{name_at[i], p.type, p.flags, p.vaddr, offsets[i], size, p.link, p.info, 1, p.entry_size};
      std::memcpy(out.data() + headers_at + (i + 1) * sizeof section, &section, sizeof section);
    }
    std::memcpy(out.data() + names_at, names.data(), names.size());
    Elf64_Shdr section{names_name, SHT_STRTAB, 0, 0, names_at, names.size(), 0, 0, 1, 0};
    std::memcpy(out.data() + headers_at + (parts_.size() + 1) * sizeof section, &section, sizeof section);
    return out;
  }

 private:
  struct Load {
    uint32_t type, section, flags;
  };
  std::vector<Part> parts_;
  std::vector<Load> loads_;
};

}  // namespace wick::elf
