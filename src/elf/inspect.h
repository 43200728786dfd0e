// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a profile of an ELF file can show: its language, symbols, lines, unwind tables and frame pointers. For `wick doctor`.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "elf/decompress.h"
#include "elf/image.h"

namespace wick::elf {

enum class Language : uint8_t {
  kUnknown,
  kAssembler,
  kC,
  kCxx,
  kRust,
  kGo,
  kZig,
  kSwift,
  kD,
  kFortran,
  kAda,
  kPascal,
  kHaskell,
  kOcaml,
  kNim,
  kOther
};
const char* language_name(Language language);

enum class FileKind : uint8_t { kProgram, kLibrary, kObject, kCore, kOther };

// Summary of the debug info, from the first entry of each unit and the abbreviations.
struct DwarfSummary {
  enum class Detail : uint8_t { kNone, kLinesOnly /* functions and lines, perhaps inlines: enough to profile */, kFull };
  Detail detail = Detail::kNone;
  bool has_lines = false, has_inlines = false;
  Compression compression = Compression::kNone;
  unsigned version = 0;      // of the largest unit
  size_t units = 0;          // units examined
  size_t library_units = 0;  // units from Rust's precompiled standard library
  Language language = Language::kUnknown;
  std::string producer;                  // of the largest unit in that language
  std::vector<std::string> split_files;  // .dwo names (limited)
  size_t split_units = 0;
  uint64_t size_bytes = 0;  // of all .debug_ sections, as stored
  bool link_time_optimized = false;
  std::optional<uint64_t> covered_bytes;  // code of all units; none if not known
};
DwarfSummary summarize_dwarf(const Image& image);

struct UnwindSummary {
  bool has_eh_frame = false, has_search_table = false, has_debug_frame = false;
  size_t functions = 0;
  uint64_t code_bytes = 0, covered_bytes = 0;
  // Of the functions with a frame (or an even sample of them): how many keep the frame pointer.
  size_t judged = 0, with_frame_pointer = 0;
};
UnwindSummary summarize_unwind(const Image& image);

struct Inspection {
  Arch arch = Arch::kUnknown;
  FileKind kind = FileKind::kOther;
  bool is_static = false, position_independent = false;
  std::string interpreter, build_id;
  std::vector<std::string> needed;  // shared libraries
  Language language = Language::kUnknown;
  std::string producer;  // compiler and version as recorded in the file; may be empty
  size_t symtab_count = 0, dynsym_count = 0, minidebug_count = 0;
  bool has_symtab = false;
  bool link_time_optimized = false;  // evidence was found; lack of evidence proves nothing
  DwarfSummary dwarf;
  UnwindSummary unwind;
};
Inspection inspect(const Image& image);

}  // namespace wick::elf
