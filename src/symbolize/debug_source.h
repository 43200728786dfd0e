// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/mapped_file.h"
#include "elf/dwarf_package.h"
#include "elf/image.h"
#include "elf/symbol_index_build.h"
#include "module/debug_file.h"
#include "symbolize/index_inputs.h"
#include "symbolize/joinable_work.h"

namespace wick {

struct OpenImage {
  MappedFile mapped;
  elf::Image image;
};

// Split DWARF units: in one package, or each in its own file.
class SplitFiles {
 public:
  SplitFiles(const elf::DwarfFile& dwarf, const std::string& debug_path, IndexInputs& inputs);
  const elf::DwarfUnit* of(size_t unit) const { return of_unit_[unit]; }

 private:
  void open_package(const std::string& debug_path);
  const elf::DwarfUnit* find(const elf::DwarfUnit& skeleton, const std::string& debug_path);
  static const elf::DwarfUnit* attach(const elf::DwarfUnit& skeleton, elf::DwarfFile& file);

  IndexInputs& inputs_;
  std::vector<std::unique_ptr<OpenImage>> files_;
  std::unique_ptr<elf::DwarfPackage> package_;
  std::set<uint64_t> from_package_;                                 // ids: each occurs once
  std::map<std::string, std::unique_ptr<elf::DwarfFile>> by_path_;  // one file may contain several split units
  std::vector<std::unique_ptr<elf::DwarfFile>> packaged_;
  std::vector<const elf::DwarfUnit*> of_unit_;
};

// The debug info of a program with all related files, ready to be read unit by unit. Constant: any thread may read.
class DebugSource {
 public:
  // `debug` has the debug info: `program` itself, or its separate file at `debug_path`. Both must outlive this. Records every
  // other file it looks for in `inputs`.
  DebugSource(const elf::Image& program, const elf::Image& debug, const std::string& debug_path, const DebugPlaces& places,
              IndexInputs& inputs);

  uint64_t info_bytes() const { return dwarf_.sections().info.size(); }
  size_t unit_count() const { return units_.size(); }  // only units that may have code
  // Size of a unit in bytes.
  uint64_t size_of(size_t unit) const { return dwarf_.units()[units_[unit]].end - dwarf_.units()[units_[unit]].offset; }
  uint64_t most_text() const { return most_text_; }

  elf::UnitSymbols read(size_t unit, elf::UnitSymbolsReader& reader, const elf::WantedAddresses* wanted = nullptr) const {
    return reader.read(dwarf_.units()[units_[unit]], split_.of(units_[unit]), code_, wanted);
  }
  std::vector<elf::AddressRange> read_ranges(size_t unit, elf::UnitSymbolsReader& reader) const {
    return reader.read_ranges(dwarf_.units()[units_[unit]], split_.of(units_[unit]), code_);
  }
  // Reads all units on this thread, up to `most_helpers` more, and any that join `shared`; incomplete if stopped. `find_read`, if
  // set, returns units that have been read before.
  using FindRead = std::function<const elf::UnitSymbols*(size_t unit)>;
  elf::SymbolIndexTables build(unsigned most_helpers, JoinableWork& shared, const std::atomic<bool>& stop,
                               const std::function<void()>& pause, const FindRead& find_read = {}) const;

 private:
  struct Supplement {
    std::unique_ptr<OpenImage> file;
    std::unique_ptr<elf::DwarfFile> dwarf;
  };
  static Supplement find_supplement(const elf::Image& debug, const std::string& debug_path, const DebugPlaces& places,
                                    IndexInputs& inputs);

  elf::DwarfFile dwarf_;
  Supplement supplement_;  // parts shared by several files, moved by dwz
  SplitFiles split_;
  elf::CodeRanges code_;
  std::vector<size_t> units_;
  uint64_t most_text_ = 0;
};

constexpr unsigned kMostHelpers = 15;
// The number of threads besides this one that are worth starting to read this much of .debug_info.
size_t useful_helpers(uint64_t bytes, size_t most = kMostHelpers);

}  // namespace wick
