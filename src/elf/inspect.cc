// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "elf/inspect.h"

#include <elf.h>

#include <algorithm>
#include <cstring>

#include "base/byte_reader.h"
#include "base/text.h"
#include "elf/cfi.h"
#include "elf/symbols.h"

namespace wick::elf {
namespace {

constexpr size_t kMaxJudged = 4000;  // functions; more would not change the percentage
constexpr size_t kMaxNamesRead = 100000;
constexpr size_t kMaxNeeded = 256;

struct Dynamic {
  uint64_t flags_1 = 0;
  bool has_flags_1 = false, has_soname = false, present = false;
  std::vector<std::string> needed;
};

Dynamic read_dynamic(const Image& image) {
  Dynamic out;
  for (const Section& section : image.sections()) {
    if (section.type != SHT_DYNAMIC || section.link >= image.sections().size()) { continue; }
    Bytes names = image.section_bytes(image.sections()[section.link]);
    ByteReader r(image.section_bytes(section));
    while (r.left() >= 16) {
      uint64_t tag = r.u64(), value = r.u64();
      if (tag == DT_NULL) { break; }
      out.present = true;
      if (tag == DT_FLAGS_1) {
        out.flags_1 = value;
        out.has_flags_1 = true;
      }
      if (tag == DT_SONAME) { out.has_soname = true; }
      if (tag == DT_NEEDED && value < names.size() && out.needed.size() < kMaxNeeded) {
        const char* text = reinterpret_cast<const char*>(names.data()) + value;
        out.needed.push_back(
            std::string(text, ::strnlen(text, std::min<size_t>(names.size() - static_cast<size_t>(value), 255))));
      }
    }
    break;
  }
  for (const Segment& s : image.segments()) { out.present |= s.type == PT_DYNAMIC; }
  return out;
}

std::string read_interpreter(const Image& image) {
  for (const Segment& s : image.segments()) {
    if (s.type != PT_INTERP) { continue; }
    Bytes bytes = image.segment_bytes(s);
    const char* text = reinterpret_cast<const char*>(bytes.data());
    return bytes.empty() ? std::string() : std::string(text, ::strnlen(text, std::min<size_t>(bytes.size(), 255)));
  }
  return {};
}

FileKind kind_of(const Image& image, const Dynamic& dynamic, bool has_interpreter) {
  switch (image.type()) {
    case ET_EXEC: return FileKind::kProgram;
    case ET_REL: return FileKind::kObject;
    case ET_CORE: return FileKind::kCore;
    case ET_DYN: break;
    default: return FileKind::kOther;
  }
  if (dynamic.flags_1 & DF_1_PIE) { return FileKind::kProgram; }
  // Older linkers do not mark programs. libc.so.6 has an interpreter too, but also a soname.
  return has_interpreter && !dynamic.has_soname ? FileKind::kProgram : FileKind::kLibrary;
}

bool is_legacy_rust(std::string_view name) {
  // …17h0123456789abcdefE
  if (name.size() < 24 || name.substr(0, 3) != "_ZN") { return false; }
  size_t at = name.find("17h");
  return at != std::string_view::npos && name.size() >= at + 20 && name[at + 19] == 'E' &&
         name.substr(at + 3, 16).find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// Compilers write one string each to .comment.
std::vector<std::string> read_comments(const Image& image) {
  std::vector<std::string> out;
  const Section* section = image.find_section(".comment");
  if (section == nullptr) { return out; }
  ByteReader r(image.section_bytes(*section));
  while (r.ok() && !r.at_end() && out.size() < 32) {
    std::string_view text = r.cstring();
    if (!text.empty()) { out.push_back(std::string(text.substr(0, 300))); }
  }
  return out;
}

struct NameCensus {
  size_t rust = 0, cxx = 0, other = 0;
  bool link_time_optimized = false;
};

NameCensus count_names(const SymbolTable& table) {
  NameCensus census;
  size_t step = std::max<size_t>(1, table.size() / kMaxNamesRead);
  for (size_t i = 0; i < table.size(); i += step) {
    std::string_view name = table.at(i).name.substr(0, 600);
    bool stub = name.size() > 4 && name.substr(name.size() - 4) == "@plt";
    if (stub) { continue; }
    if (name.substr(0, 2) == "_R" || is_legacy_rust(name)) {
      ++census.rust;
    } else if (name.substr(0, 2) == "_Z") {
      ++census.cxx;
    } else {
      ++census.other;
    }
    census.link_time_optimized |= name.find(".lto_priv.") != std::string_view::npos;
  }
  return census;
}

// Link-time optimizers leave the name of their temporary file.
bool has_lto_file_symbol(const Image& image) {
  for (const Section& section : image.sections()) {
    if (section.type != SHT_SYMTAB || section.link >= image.sections().size()) { continue; }
    Bytes symbols = image.section_bytes(section), names = image.section_bytes(image.sections()[section.link]);
    for (size_t at = 0; at + sizeof(Elf64_Sym) <= symbols.size(); at += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      std::memcpy(&symbol, symbols.data() + at, sizeof symbol);
      if ((symbol.st_info & 15) != STT_FILE || symbol.st_name >= names.size()) { continue; }
      const char* text = reinterpret_cast<const char*>(names.data()) + symbol.st_name;
      std::string_view name(text, ::strnlen(text, std::min<size_t>(names.size() - symbol.st_name, 300)));
      if (name == "<artificial>" || name == "ld-temp.o" || name.find(".ltrans") != std::string_view::npos) { return true; }
    }
  }
  return false;
}

bool has_prefix(const std::string& text, std::string_view prefix) { return text.compare(0, prefix.size(), prefix) == 0; }

Language guess_language(const Image& image, const Inspection& in, const NameCensus& census,
                        const std::vector<std::string>& comments) {
  for (const char* section : {".go.buildinfo", ".gopclntab", ".note.go.buildid"}) {
    if (image.find_section(section) != nullptr) { return Language::kGo; }
  }
  // Rust programs contain some C from their runtime, and C++ programs may link a Rust library: the debug info shows the
  // proportions.
  Language said = in.dwarf.language;
  bool only_library = in.dwarf.units == in.dwarf.library_units;
  if (said != Language::kUnknown && said != Language::kAssembler && !only_library) { return said; }
  bool signed_by_rust =
      std::any_of(comments.begin(), comments.end(), [](const std::string& c) { return has_prefix(c, "rustc version"); });
  if (signed_by_rust || census.rust > 0) { return census.cxx > 4 * census.rust ? Language::kCxx : Language::kRust; }
  bool cxx_library = std::any_of(in.needed.begin(), in.needed.end(), [](const std::string& n) {
    return has_prefix(n, "libstdc++.so") || has_prefix(n, "libc++.so");
  });
  if (cxx_library || census.cxx > 0) { return Language::kCxx; }
  bool gnu_or_clang = std::any_of(comments.begin(), comments.end(), [](const std::string& c) {
    return has_prefix(c, "GCC:") || c.find("clang version") != std::string::npos;
  });
  if (gnu_or_clang || !in.needed.empty()) { return Language::kC; }
  return said;
}

std::string guess_producer(const Inspection& in, const std::vector<std::string>& comments) {
  if (!in.dwarf.producer.empty() && in.dwarf.language == in.language) { return in.dwarf.producer; }
  for (const std::string& comment : comments) {
    bool rust = has_prefix(comment, "rustc version");
    if (rust == (in.language == Language::kRust) && !has_prefix(comment, "Linker:")) { return comment; }
  }
  return comments.empty() ? std::string() : comments[0];
}

}  // namespace

const char* language_name(Language language) {
  switch (language) {
    case Language::kAssembler: return "assembler";
    case Language::kC: return "C";
    case Language::kCxx: return "C++";
    case Language::kRust: return "Rust";
    case Language::kGo: return "Go";
    case Language::kZig: return "Zig";
    case Language::kSwift: return "Swift";
    case Language::kD: return "D";
    case Language::kFortran: return "Fortran";
    case Language::kAda: return "Ada";
    case Language::kPascal: return "Pascal";
    case Language::kHaskell: return "Haskell";
    case Language::kOcaml: return "OCaml";
    case Language::kNim: return "Nim";
    case Language::kUnknown:
    case Language::kOther: break;
  }
  return "unknown";
}

namespace {

// push %rbp; mov %rsp,%rbp among the first instructions. Tables may still use the stack pointer, as Go's do.
bool sets_up_rbp(Bytes code) {
  static const uint8_t kPrologue[] = {0x55, 0x48, 0x89, 0xe5};
  code = code.subspan(0, std::min<size_t>(code.size(), 40));
  return std::search(code.begin(), code.end(), std::begin(kPrologue), std::end(kPrologue)) != code.end();
}

}  // namespace

UnwindSummary summarize_unwind(const Image& image) {
  UnwindSummary out;
  for (const Section& s : image.sections()) {
    bool code = (s.flags & SHF_EXECINSTR) && (s.flags & SHF_ALLOC);
    if (code) { out.code_bytes += image.section_bytes(s).size(); }
    if (s.name == ".eh_frame" && s.type != SHT_NOBITS && s.size > 4) { out.has_eh_frame = true; }
    if (s.name == ".debug_frame" || s.name == ".zdebug_frame") { out.has_debug_frame = true; }
  }
  for (const Segment& s : image.segments()) {
    out.has_search_table |= s.type == PT_GNU_EH_FRAME && s.file_size > 12;
    if (image.sections().empty() && s.type == PT_LOAD && (s.flags & PF_X)) { out.code_bytes += image.segment_bytes(s).size(); }
  }
  Cfi cfi(image);
  if (image.type() == ET_REL || (image.arch() != Arch::kX86_64 && image.arch() != Arch::kAarch64)) { return out; }
  RegisterNumbers numbers = register_numbers(image.arch());
  std::vector<Cfi::Entry> entries = cfi.list_entries();
  out.functions = entries.size();
  size_t step = std::max<size_t>(1, entries.size() / kMaxJudged);
  uint64_t covered_to = 0;
  for (size_t i = 0; i < entries.size(); ++i) {
    const CfiSection& section = cfi.section(entries[i].section);
    CfiEntryHead head;
    Cie cie;
    Fde fde;
    bool good = read_head(section, entries[i].offset, head) == HeadKind::kEntry && !head.is_cie &&
                read_cie(section, head.cie_offset, cie) && read_fde(section, head, cie, fde);
    if (!good) { continue; }
    uint64_t begin = std::max(fde.begin, covered_to);
    if (begin < fde.end) {
      out.covered_bytes += fde.end - begin;
      covered_to = fde.end;
    }
    if (i % step != 0) { continue; }
    // Whether any row has the frame record that a frame pointer walk needs.
    bool makes_frame = false, chain = false;
    uint64_t at = fde.begin;
    for (int rows = 0; rows < 64 && at < fde.end && !chain; ++rows) {
      FrameRow row;
      if (!cfi.find_row(at, row) || row.end <= at) { break; }
      if (image.arch() == Arch::kX86_64) {
        if (row.cfa.kind == CfaRule::Kind::kExpression) {
          makes_frame = false;
          break;
        }  // the PLT
        makes_frame |= rows > 0;
        chain = row.cfa.kind == CfaRule::Kind::kRegister && row.cfa.reg() == numbers.fp && row.cfa.offset == 16;
      } else {
        const RegisterRule& fp = row.registers[arm::kFp];
        const RegisterRule& lr = row.registers[arm::kLr];
        bool saves_lr = lr.kind == RegisterRule::Kind::kAtCfa;
        makes_frame |= saves_lr;
        chain = saves_lr && fp.kind == RegisterRule::Kind::kAtCfa && lr.offset == fp.offset + 8;
      }
      at = row.end;
    }
    if (makes_frame && !chain && image.arch() == Arch::kX86_64) {
      Bytes code = image.bytes_at_svma(fde.begin);
      chain = sets_up_rbp(code.subspan(0, std::min<size_t>(code.size(), fde.end - fde.begin)));
    }
    out.judged += makes_frame;
    out.with_frame_pointer += makes_frame && chain;
  }
  out.covered_bytes = std::min(out.covered_bytes, out.code_bytes);
  return out;
}

Inspection inspect(const Image& image) {
  Inspection in;
  in.arch = image.arch();
  in.build_id = image.build_id();
  in.interpreter = read_interpreter(image);
  Dynamic dynamic = read_dynamic(image);
  in.needed = dynamic.needed;
  in.kind = kind_of(image, dynamic, !in.interpreter.empty());
  in.is_static = in.kind == FileKind::kProgram && in.interpreter.empty();
  in.position_independent = image.type() == ET_DYN;
  in.has_symtab =
      std::any_of(image.sections().begin(), image.sections().end(), [](const Section& s) { return s.type == SHT_SYMTAB; });
  in.dwarf = summarize_dwarf(image);
  in.unwind = summarize_unwind(image);

  SymbolTable table(image);
  in.symtab_count = table.symtab_count();
  in.dynsym_count = table.dynsym_count();
  in.minidebug_count = table.minidebug_count();
  NameCensus census = count_names(table);
  std::vector<std::string> comments = read_comments(image);
  in.language = guess_language(image, in, census, comments);
  in.producer = guess_producer(in, comments);
  in.link_time_optimized = in.dwarf.link_time_optimized || census.link_time_optimized || has_lto_file_symbol(image);
  return in;
}

}  // namespace wick::elf
