// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Derives from a file what its profile will show, and which build flags would add more.

#include <elf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "base/mapped_file.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cli/doctor.h"
#include "elf/go_pclntab.h"
#include "elf/symbols.h"
#include "module/debug_file.h"
#include "os/search_path.h"

namespace wick {
namespace {

using elf::DwarfSummary;
using elf::FileKind;
using elf::Inspection;
using elf::Language;

bool is_regular(const std::string& path) {
  struct stat info{};
  return ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

// A file in this directory wins over PATH: doctor is run on builds more often than on installed tools.
Result<std::string> find_file(const std::string& name) {
  if (name.find('/') != std::string::npos || is_regular(name)) { return name; }
  if (std::string program = find_program(name); !program.empty()) { return program; }
  if (::access(name.c_str(), F_OK) == 0) { return name; }
  return Error("cannot find %s: no such file, and no such program in PATH", name.c_str()).with_code(Errc::kNotFound);
}

Error not_elf(const std::string& path, Bytes bytes, const Error& error) {
  std::string_view head(reinterpret_cast<const char*>(bytes.data()), std::min<size_t>(bytes.size(), 200));
  Error out("cannot inspect %s: %s", path.c_str(), bytes.empty() ? "the file is empty" : error.message().c_str());
  if (head.substr(0, 2) == "#!") {
    std::string_view interpreter = trim(head.substr(2, head.find('\n') - 2));
    interpreter = interpreter.substr(0, interpreter.find(' '));
    return Error("cannot inspect %s: it is a script", path.c_str())
        .with_code(Errc::kBadInput)
        .with_hint("wick doctor " + shell_quote(interpreter.empty() ? "/bin/sh" : interpreter));
  }
  return std::move(out).with_code(Errc::kBadInput);
}

std::string percent(uint64_t part, uint64_t whole) {
  return whole == 0 ? "0%" : strf("%.0f%%", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

class FileReader {
 public:
  FileReader(FileDiagnosis& out, const elf::Image& image)
      : out_(out), in_(out.facts), image_(image), debug_(find_debug_file(image, out.path)), go_(elf::GoTable::find(image)) {
    if (debug_) {
      out_.debug_file = debug_->path;
      separate_ = elf::summarize_dwarf(debug_->image);
      separate_symbols_ = elf::SymbolTable(debug_->image).symtab_count();
    }
  }

  void run() {
    describe();
    symbols();
    debug_info();
    if (!debug_only_) {
      unwind();
      frame_pointers();
    }
    if (in_.link_time_optimized) {
      add("lto", "link-time optimized", Verdict::kInfo, "functions are inlined across files; debug info says where");
    }
    add("build_id", "build ID", in_.build_id.empty() ? Verdict::kNo : Verdict::kYes,
        in_.build_id.empty() ? "none: wick cannot tell this build from another" : in_.build_id);
    conclude();
  }

 private:
  void add(const char* name, const char* topic, Verdict verdict, std::string why, std::string command = "") {
    out_.diagnosis.findings.push_back({name, topic, verdict, std::move(why), std::move(command)});
  }
  // A recommended flag, and the sentence that explains it.
  void way(const std::string& flag, const std::string& sentence) {
    out_.build_flags.push_back(flag);
    ways_.push_back(sentence);
  }
  void way(const std::string& flag) { way(flag, flag); }
  void name_way(const std::string& flag, const std::string& sentence) {
    way(flag, sentence);
    out_.name_flags.push_back(flag);
  }

  void describe() {
    out_.diagnosis.title = "wick doctor: " + out_.path;
    // objcopy --only-keep-debug keeps the code sections without their bytes.
    const elf::Section* text_section = image_.find_section(".text");
    debug_only_ = text_section != nullptr && text_section->type == SHT_NOBITS;
    const char* kind = debug_only_                      ? "separate debug file"
                       : in_.kind == FileKind::kProgram ? "program"
                       : in_.kind == FileKind::kLibrary ? "shared library"
                       : in_.kind == FileKind::kObject  ? "object file"
                       : in_.kind == FileKind::kCore    ? "core dump"
                                                        : "ELF file";
    std::string text = strf("%s, %s", kind, arch_name(in_.arch));
    if (in_.kind == FileKind::kProgram && !debug_only_) {
      text += in_.is_static ? ", static" : ", dynamically linked";
      text += in_.position_independent ? ", position independent" : ", at fixed addresses";
    }
    out_.diagnosis.subtitle = text;
    std::string producer = in_.producer;
    if (size_t rustc = producer.find("(rustc version "); rustc != std::string::npos && producer.back() == ')') {
      producer = producer.substr(rustc + 1, producer.size() - rustc - 2);  // "clang LLVM (rustc version …)"
    }
    add("language", "language", Verdict::kInfo,
        std::string(elf::language_name(in_.language)) + (producer.empty() ? "" : " (" + producer + ")"));
    optimization();
    if (!in_.interpreter.empty() && in_.kind == FileKind::kProgram) {
      add("interpreter", "interpreter", Verdict::kInfo, in_.interpreter);
    }
  }

  // gcc records its flags; other compilers do not.
  void optimization() {
    if (in_.producer.rfind("GNU C", 0) != 0) { return; }
    std::string level;
    for (std::string_view word : split(in_.producer, ' ')) {
      if (word.substr(0, 2) == "-O") { level = word; }
    }
    optimized_ = !level.empty() && level != "-O0";
    add("optimization", "optimized", optimized_ ? Verdict::kYes : Verdict::kNo,
        optimized_ ? level : "built without optimization: hot spots differ from a release build");
  }

  void symbols() {
    if (in_.symtab_count > 0) {
      named_ = true;
      add("symbols", "symbols", Verdict::kYes, group_thousands(in_.symtab_count) + " functions in .symtab");
    } else if (separate_symbols_ > 0) {
      named_ = true;
      add("symbols", "symbols", Verdict::kYes, group_thousands(separate_symbols_) + " functions in " + debug_->path);
    } else if (in_.minidebug_count > 0) {
      named_ = true;
      add("symbols", "symbols", Verdict::kYes,
          group_thousands(in_.minidebug_count + in_.dynsym_count) + " functions in .gnu_debugdata and .dynsym");
    } else if (go_) {
      named_ = true;
      add("symbols", "symbols", Verdict::kYes, group_thousands(go_->size()) + " functions in the Go runtime's table");
    } else if (in_.dynsym_count > 0) {
      add("symbols", "symbols", Verdict::kLimited,
          "stripped: only " + group_thousands(in_.dynsym_count) + " exported functions; all others show as " + bare_name());
    } else {
      add("symbols", "symbols", Verdict::kNo,
          std::string(in_.has_symtab ? "none" : "stripped: none") + "; all functions show as " + bare_name());
    }
  }

  std::string describe_dwarf(const DwarfSummary& d) const {
    std::string text = d.version > 0 ? strf("DWARF %u, ", d.version) : "DWARF, ";
    text += d.split_units > 0                         ? "split"
            : d.detail == DwarfSummary::Detail::kFull ? "full"
            : d.has_inlines                           ? "lines and inlined functions (enough to profile)"
                                                      : "lines";
    if (d.compression == elf::Compression::kZlib) { text += ", compressed (zlib)"; }
    if (d.compression == elf::Compression::kZstd) { text += ", compressed (zstd)"; }
    return text + ", " + human_bytes(d.size_bytes);
  }

  void debug_info() {
    const DwarfSummary& own = in_.dwarf;
    bool only_library = own.units > 0 && own.units == own.library_units;
    if (own.detail != DwarfSummary::Detail::kNone && !only_library) {
      lines_ = own.has_lines;
      inlines_ = own.has_inlines;
      find_uncovered(own);
      add("debug_info", "debug info", is_partial() ? Verdict::kLimited : Verdict::kYes,
          describe_dwarf(own) + describe_uncovered());
      split_dwarf(own);
    } else if (separate_.detail != DwarfSummary::Detail::kNone) {
      lines_ = separate_.has_lines;
      inlines_ = separate_.has_inlines;
      find_uncovered(separate_);
      add("debug_info", "debug info", is_partial() ? Verdict::kLimited : Verdict::kYes,
          "in " + debug_->path + ": " + describe_dwarf(separate_) + describe_uncovered());
    } else if (only_library) {
      add("debug_info", "debug info", Verdict::kNo, "only of Rust's standard library, none of your code");
    } else if (std::optional<DebugLink> link = read_debug_link(image_)) {
      std::vector<std::string> places = debug_file_candidates(image_, out_.path);
      add("debug_info", "debug info", Verdict::kNo,
          "in a separate file that is missing: " + link->name + (places.empty() ? "" : " (looked for " + places[0] + ")"),
          fetch_command());
    } else if (go_) {
      lines_ = true;
      inlines_ = go_->has_inlines();
      add("debug_info", "debug info", Verdict::kInfo,
          strf("none; the Go runtime's table has lines%s", inlines_ ? " and inlined functions" : ""));
    } else {
      add("debug_info", "debug info", Verdict::kNo, "none: no source lines, no inlined functions");
    }
    if (image_.find_section(".gnu_debugaltlink") != nullptr) {
      add("debug_alt", "shared debug info", Verdict::kInfo, "partly in a shared file (dwz)");
    }
  }

  // Some files have debug info of a part only, such as a library that was linked into them. C's startup files never have any.
  void find_uncovered(const DwarfSummary& dwarf) {
    uint64_t all = in_.unwind.code_bytes, covered = std::min(dwarf.covered_bytes.value_or(all), all);
    bool much = all - covered > 65536 && covered * 2 < all;
    if (much) { covered_ = percent(covered, all); }
  }
  bool is_partial() const { return !covered_.empty(); }
  std::string describe_uncovered() const { return is_partial() ? "; it covers only " + covered_ + " of the code" : ""; }

  void split_dwarf(const DwarfSummary& own) {
    if (own.split_units == 0) { return; }
    size_t there = 0;
    for (const std::string& file : own.split_files) { there += is_regular(file); }
    bool package = is_regular(out_.path + ".dwp");
    bool all = package || there == own.split_files.size();
    add("split_dwarf", "split debug info",
        all         ? Verdict::kYes
        : there > 0 ? Verdict::kLimited
                    : Verdict::kNo,
        package ? out_.path + ".dwp found"
                : strf("%zu of %zu .dwo files found", there, own.split_files.size()) +
                      (all || own.split_files.empty() ? std::string() : " (missing: " + first_missing(own.split_files) + ")"));
    inlines_ |= all;
  }
  static std::string first_missing(const std::vector<std::string>& files) {
    for (const std::string& file : files) {
      if (!is_regular(file)) { return file; }
    }
    return {};
  }

  std::string fetch_command() const {
    std::string command = debug_file_command(out_.path, in_.build_id);
    return !command.empty() || in_.build_id.empty() ? command : "debuginfod-find debuginfo " + in_.build_id;
  }

  void unwind() {
    const elf::UnwindSummary& u = in_.unwind;
    if (!u.has_eh_frame && !u.has_debug_frame) {
      add("unwind_tables", "unwind tables", Verdict::kNo, "none: stacks are complete only with frame pointers");
      return;
    }
    unwinds_ = true;
    uint64_t uncovered = u.code_bytes - u.covered_bytes;
    // C's startup files have none, which is half of a tiny program.
    bool much = uncovered > 65536 && uncovered * 10 > u.code_bytes;
    std::string where = u.has_eh_frame ? ".eh_frame" : ".debug_frame";
    if (u.has_eh_frame && !u.has_search_table) { where += " (no search table)"; }
    add("unwind_tables", "unwind tables", much ? Verdict::kLimited : Verdict::kYes,
        strf("%s, %s functions, %s of the code (%s of %s)", where.c_str(), group_thousands(u.functions).c_str(),
             percent(u.covered_bytes, u.code_bytes).c_str(), human_bytes(u.covered_bytes).c_str(),
             human_bytes(u.code_bytes).c_str()));
  }

  void frame_pointers() {
    const elf::UnwindSummary& u = in_.unwind;
    if (u.judged == 0 && in_.language == Language::kGo) {
      add("frame_pointers", "frame pointers", Verdict::kYes, "Go's compiler always keeps them");
      return;
    }
    if (u.judged == 0) {
      add("frame_pointers", "frame pointers", Verdict::kInfo, "unknown: the unwind tables do not say");
      return;
    }
    // Unwind tables make frame pointers unnecessary, so their absence is not a fault.
    bool kept = u.with_frame_pointer * 10 >= u.judged * 9;
    Verdict verdict = kept                                   ? Verdict::kYes
                      : unwinds_                             ? Verdict::kInfo
                      : u.with_frame_pointer * 10 > u.judged ? Verdict::kLimited
                                                             : Verdict::kNo;
    add("frame_pointers", "frame pointers", verdict,
        percent(u.with_frame_pointer, u.judged) + " of functions keep them" +
            (unwinds_ && !kept ? "; not needed with unwind tables" : ""));
  }

  // How a profile shows a function without a symbol: unwind tables tell where it starts.
  std::string bare_name() const { return "[" + base_name() + (in_.unwind.functions > 0 ? "+0x…]" : "]"); }
  std::string base_name() const { return out_.path.substr(out_.path.rfind('/') + 1); }

  // Most important first.
  void find_ways() {
    bool needs = !named_ || !lines_;
    switch (in_.language) {
      case Language::kRust:
        if (needs) {
          name_way(
              "debug = true",
              "[profile.release] debug = true in Cargo.toml (or CARGO_PROFILE_RELEASE_DEBUG=true cargo build --release, or rustc "
              "-g)");
        }
        if (!named_) { name_way("strip = false", "no strip = true, and no `strip` afterwards"); }
        if (!unwinds_) { way("-C force-unwind-tables=yes"); }
        if (in_.build_id.empty()) { way("-C link-arg=-Wl,--build-id"); }
        break;
      case Language::kGo:
        if (needs) { name_way("no -ldflags=\"-s -w\"", "no -ldflags=\"-s -w\": Go writes symbols and debug info by default"); }
        break;
      case Language::kC:
      case Language::kCxx:
      case Language::kUnknown:
      case Language::kAssembler:
      case Language::kFortran:
      case Language::kAda:
      case Language::kD:
        if (needs) { name_way("-g", "-g in addition to -O2 (it does not slow the program down)"); }
        if (!named_) { name_way("no -s", "no -s, and no `strip` afterwards (or keep a copy: objcopy --only-keep-debug)"); }
        if (!unwinds_) { way("-fasynchronous-unwind-tables"); }
        if (!optimized_) { way("-O2", "-O2, like your release build"); }
        if (in_.build_id.empty()) { way("-Wl,--build-id"); }
        break;
      default:
        if (needs) { name_way("-g", "-g or equivalent, and no stripping"); }
        if (in_.build_id.empty()) { way("-Wl,--build-id"); }
        break;
    }
  }

  void conclude() {
    if (in_.kind == FileKind::kObject || in_.kind == FileKind::kCore) {
      out_.diagnosis.conclusions.push_back("Not a program or library; check the program it belongs to.");
      return;
    }
    if (debug_only_) {
      out_.diagnosis.conclusions.push_back("Debug info of another file, which finds it by build ID or link.");
      return;
    }
    std::string shows = named_ ? "symbols" : in_.dynsym_count > 0 ? "exported symbols only" : "no symbols";
    shows += lines_ && inlines_ ? ", source lines and inlined functions" : lines_ ? ", source lines" : ", no source lines";
    if (is_partial() && lines_) { shows += " for " + covered_ + " of the code"; }
    shows += unwinds_ ? ", complete stacks." : ", stacks only with frame pointers.";
    out_.diagnosis.conclusions.push_back("A profile of it has: " + shows);

    if (is_partial()) { name_way("-g for all code", "-g for all code, with the libraries that are linked into it"); }
    find_ways();
    if (ways_.empty()) {
      out_.diagnosis.conclusions.push_back("Nothing to change.");
      return;
    }
    out_.diagnosis.conclusions.push_back("For more, build with:");
    for (const std::string& text : ways_) { out_.diagnosis.conclusions.back() += "\n  " + text; }
    bool has_debug_info = in_.dwarf.detail != DwarfSummary::Detail::kNone;  // distributions move all of it to a package
    if (!out_.name_flags.empty() && !has_debug_info) { out_.debug_source = find_debug_file_source(out_.path, in_.build_id); }
  }

  FileDiagnosis& out_;
  const Inspection& in_;
  const elf::Image& image_;
  std::optional<DebugFile> debug_;
  std::optional<elf::GoTable> go_;
  DwarfSummary separate_;
  size_t separate_symbols_ = 0;
  bool named_ = false, lines_ = false, inlines_ = false, unwinds_ = false;
  bool optimized_ = true;  // as far as known
  bool debug_only_ = false;
  std::string covered_;  // share of the code with debug info, if small
  std::vector<std::string> ways_;
};

}  // namespace

Result<FileDiagnosis> diagnose_file(const std::string& name) {
  FileDiagnosis out;
  WICK_LET(out.path, find_file(name));
  WICK_LET(MappedFile file, MappedFile::open(out.path));
  Result<elf::Image> image = elf::Image::parse(file.bytes());
  if (!image.ok()) { return not_elf(out.path, file.bytes(), image.error()); }
  out.facts = elf::inspect(*image);
  FileReader(out, *image).run();
  return out;
}

std::string render_files(std::span<const FileDiagnosis> files, const Style& style) {
  std::string text;
  std::vector<DebugFileSource> sources;
  for (const FileDiagnosis& file : files) {
    Diagnosis diagnosis = file.diagnosis;
    if (!file.debug_source.empty()) {
      sources.push_back(file.debug_source);
      for (Finding& finding : diagnosis.findings) {
        if (finding.name == "debug_info") { finding.command.clear(); }
      }
    }
    text += (text.empty() ? "" : "\n") + render_diagnosis(diagnosis, style);
  }
  if (sources.empty()) { return text; }
  const char* what = sources.size() == 1 ? "Or install the debug file" : "Or install the debug files";
  return text + "\n  " + what + ": " + printable(debug_files_command(sources)) + "\n";
}

}  // namespace wick
