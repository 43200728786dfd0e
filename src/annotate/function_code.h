// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The source and the instructions of a function, for views that show the cost of each line and instruction. Costs are not part of
// it: a view has them by address and by line.
//
// A profile's function is a name, which may have several bodies in its module (clones, cold parts), and which may be inlined into
// others. The bodies are found by the addresses of its frames. Where it is inlined, its instructions are those of the containing
// function that belong to it.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "annotate/kernel_bytes.h"
#include "annotate/source_files.h"
#include "capture/capture.h"
#include "elf/disassemble.h"
#include "model/profile.h"
#include "module/module.h"
#include "symbolize/demangle.h"
#include "symbolize/symbolizer.h"

namespace wick {

// An inlined function, and the place in its caller.
struct InlinedCall {
  std::string name, file;
  uint32_t line = 0;
  bool operator==(const InlinedCall&) const = default;
};

struct CodeInstruction {
  elf::Instruction machine;
  std::string bytes;   // hexadecimal
  std::string called;  // the name of the function that it calls or jumps to, if known
  std::string file;    // of the innermost function; empty: unknown
  uint32_t line = 0;
  std::vector<InlinedCall> inlined;  // into the function, outermost first
  std::string container;             // the function that the function itself is inlined into; empty: none
};

// Consecutive lines of a source file.
struct SourcePart {
  std::string file;    // as in the debug info
  uint32_t first = 1;  // number of the first line
  std::vector<std::string> lines;
};

struct SourceLine {
  std::string file;  // as in the debug info
  uint32_t line = 0;
};

struct FunctionCode {
  std::string name, module;
  // Of the function itself that were sampled, by file and line. "" and 0: code without a line and an instruction.
  std::vector<SourceLine> lines;
  std::vector<SourcePart> sources;            // by file and line; the function's own file first
  std::vector<CodeInstruction> instructions;  // by address
  std::vector<std::string> notes;             // what is missing, and why
};

// Files and their symbols, for several readers.
class CodeFiles {
 public:
  ModuleStore& store() { return store_; }
  const FileSymbols& symbols(const LoadedModule& file, const SymbolSources& sources);

 private:
  ModuleStore store_;
  std::map<const LoadedModule*, std::unique_ptr<FileSymbols>> symbols_;
};

struct CodeOptions {
  SymbolSources symbols{};
  SourcePlaces source{};
  FetchOptions fetch{};  // of source files that are nowhere else
  NameStyle names = NameStyle::kFull;
  bool has_linked_addresses = true;    // false: the profile is from another tool, which may count addresses differently
  std::shared_ptr<CodeFiles> files{};  // null: the reader's own
  KernelPlaces kernel{};
};

// Opens files and symbols once for all functions. Not thread-safe.
class CodeReader {
 public:
  // The profile must outlive it.
  CodeReader(const Profile& profile, CodeOptions options);

  // All functions that count as the same (analyze/stack_costs.h), as far as they are in the same build as this one.
  FunctionCode read(FunctionId function);
  bool has_other_builds(FunctionId function) const;

  // A source file of the function, by its name in the debug info; null: not found.
  struct SourceVersion {
    const SourceFile* file = nullptr;
    bool is_unchanged = false;  // since the program was built and recorded
  };
  SourceVersion find_source(FunctionId function, const std::string& name);

 private:
  enum class SourceAge : uint8_t { kUnknown, kOlder, kNewer, kChanged };  // than the program; since the recording
  struct OpenModule {
    const LoadedModule* file = nullptr;  // null: not found
    bool changed = false;
    const FileSymbols* symbols = nullptr;
    uint64_t moved = 0;                   // distance of the profile's addresses to those of the file, modulo 2^64
    const KernelBytes* kernel = nullptr;  // null: not the kernel
    bool has_code() const { return file != nullptr || (kernel != nullptr && kernel->memory); }
  };
  // Code to show. `all`: the function's own body; otherwise only where the function is inlined.
  struct Body {
    elf::AddressRange range;
    bool all = false;
    std::vector<uint64_t> hits;
  };
  struct Hit {
    uint64_t address = 0;
    bool inlined = false;
  };

  std::vector<const Frame*> frames_of(FunctionId function) const;
  static std::vector<Hit> find_hits(const std::vector<const Frame*>& frames);
  const OpenModule& open(ModuleId module);
  Bytes recorded_bytes(FunctionId function, const elf::AddressRange& range) const;
  Bytes find_bytes(const OpenModule& module, FunctionId function, const elf::AddressRange& range, std::string& memory) const;
  const OpenModule& open_kernel(OpenModule& out);
  // What recorded code is found by; empty: nothing.
  std::string_view code_key(ModuleId module) const;
  bool add_recorded(FunctionId function, const std::vector<const Frame*>& frames, FunctionCode& code) const;
  SourceAge age_of(const OpenModule& module, const SourceFile& source) const;
  std::string why_no_file(const Module& recorded, const OpenModule& module) const;
  std::vector<Body> find_bodies(const OpenModule& module, const std::vector<Hit>& hits) const;
  void add_instructions(const OpenModule& module, const std::vector<Body>& bodies, FunctionId function, FunctionCode& code) const;
  std::string build_id_of(FunctionId function) const;
  void add_sources(FunctionId function, const OpenModule& module, const std::vector<const Frame*>& frames, FunctionCode& code);

  const Profile& profile_;
  CodeOptions options_;
  std::vector<FunctionId> same_;
  std::vector<uint32_t> frames_, first_frame_;  // rows of frames by function (`same_`), and where those of each begin
  std::map<uint32_t, OpenModule> modules_;
  std::optional<KernelBytes> kernel_;
  SourceFiles sources_;
};

}  // namespace wick
