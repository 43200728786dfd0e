// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "annotate/function_code.h"

#include <elf.h>
#include <sys/stat.h>

#include <algorithm>
#include <set>

#include "analyze/code_costs.h"
#include "analyze/stack_costs.h"
#include "base/text.h"
#include "pipeline/module_names.h"
#include "pipeline/name_frames.h"

namespace wick {
namespace {

// Of larger functions, only the code around sampled addresses is shown.
constexpr uint64_t kMostWholeBytes = 256 << 10;
constexpr uint64_t kAroundBytes = 512;
// Disassembling 5 MB takes 0.5 s. A symbol with a damaged size may have any.
constexpr uint64_t kMostCodeBytes = 16 << 20;
// Lines shown before and after those that have code. Gaps up to twice as large are shown.
constexpr uint32_t kAroundLines = 5;
constexpr size_t kMostLines = 20'000;

std::string hex_bytes(Bytes bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (uint8_t b : bytes) {
    if (!out.empty()) { out += ' '; }
    out += kDigits[b >> 4];
    out += kDigits[b & 15];
  }
  return out;
}

std::optional<int64_t> modified_ns(const std::string& path) {
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0) { return std::nullopt; }
  return info.st_mtim.tv_sec * 1'000'000'000 + info.st_mtim.tv_nsec;
}

// The function's own file: its first instruction is hardly ever from an #include in its middle.
std::string file_of_entry(const FunctionCode& code) {
  if (code.instructions.empty()) { return {}; }
  const CodeInstruction& entry = code.instructions.front();
  return entry.inlined.empty() ? entry.file : entry.inlined.front().file;
}

// `instructions`: by address.
bool covers(const std::vector<CodeInstruction>& instructions, uint64_t address) {
  auto next = std::upper_bound(instructions.begin(), instructions.end(), address,
                               [](uint64_t a, const CodeInstruction& i) { return a < i.machine.address; });
  return next != instructions.begin() && address - (next - 1)->machine.address < (next - 1)->machine.size;
}

bool is_near(uint64_t address, const std::vector<uint64_t>& hits) {
  auto next = std::lower_bound(hits.begin(), hits.end(), address);
  if (next != hits.end() && *next - address <= kAroundBytes) { return true; }
  return next != hits.begin() && address - *(next - 1) <= kAroundBytes;
}

}  // namespace

const FileSymbols& CodeFiles::symbols(const LoadedModule& file, const SymbolSources& sources) {
  std::unique_ptr<FileSymbols>& loaded = symbols_[&file];
  if (loaded == nullptr) { loaded = load_file_symbols(file, sources); }
  return *loaded;
}

CodeReader::CodeReader(const Profile& profile, CodeOptions options)
    : profile_(profile),
      options_(std::move(options)),
      same_(compute_same_functions(profile)),
      sources_(options_.source, profile.recorded_code(), options_.fetch) {
  if (options_.files == nullptr) { options_.files = std::make_shared<CodeFiles>(); }
  // A counting sort.
  first_frame_.resize(profile.functions().size() + 1);
  for (const Frame& frame : profile.frames()) { ++first_frame_[same_[frame.function.value].value + 1]; }
  for (size_t i = 1; i < first_frame_.size(); ++i) { first_frame_[i] += first_frame_[i - 1]; }
  frames_.resize(profile.frames().size());
  std::vector<uint32_t> next(first_frame_.begin(), first_frame_.end() - 1);
  for (uint32_t row = 0; row < frames_.size(); ++row) {
    frames_[next[same_[profile.frames()[row].function.value].value]++] = row;
  }
}

// Those in the same build.
std::vector<const Frame*> CodeReader::frames_of(FunctionId function) const {
  std::vector<const Frame*> frames;
  uint32_t first = same_[function.value].value;
  for (uint32_t i = first_frame_[first]; i < first_frame_[first + 1]; ++i) {
    const Frame& frame = profile_.frames()[frames_[i]];
    if (is_same_build(profile_, profile_[frame.function].module, profile_[function].module)) { frames.push_back(&frame); }
  }
  return frames;
}

bool CodeReader::has_other_builds(FunctionId function) const {
  uint32_t first = same_[function.value].value;
  return frames_of(function).size() < first_frame_[first + 1] - first_frame_[first];
}

std::vector<CodeReader::Hit> CodeReader::find_hits(const std::vector<const Frame*>& frames) {
  std::vector<Hit> hits;
  for (const Frame* frame : frames) {
    if (frame->address != 0) { hits.push_back({frame->address, frame->inlined}); }
  }
  std::sort(hits.begin(), hits.end(),
            [](const Hit& a, const Hit& b) { return a.address != b.address ? a.address < b.address : a.inlined < b.inlined; });
  hits.erase(std::unique(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) { return a.address == b.address; }),
             hits.end());
  return hits;
}

const CodeReader::OpenModule& CodeReader::open(ModuleId id) {
  auto [it, is_new] = modules_.try_emplace(id.value);
  OpenModule& out = it->second;
  if (!is_new) { return out; }
  const Module& module = profile_[id];
  capture::Module recorded{capture::ModuleKind::kFile, std::string(profile_.text(module.path)),
                           std::string(profile_.text(module.build_id))};
  if (module.kernel) { return options_.has_linked_addresses ? open_kernel(out) : out; }
  bool is_file = !recorded.path.empty() && !recorded.path.starts_with('[');
  if (!is_file || recorded.build_id.empty()) { return out; }
  out.file = open_recorded(recorded, options_.files->store(), options_.symbols.debug, out.changed);
  if (out.file != nullptr) { out.symbols = &options_.files->symbols(*out.file, options_.symbols); }
  return out;
}

const CodeReader::OpenModule& CodeReader::open_kernel(OpenModule& out) {
  if (!kernel_) {
    kernel_ = open_kernel_bytes(profile_.about().kernel, options_.symbols, options_.files->store(), options_.kernel);
  }
  out.kernel = &*kernel_;
  out.file = kernel_->vmlinux;
  out.symbols = kernel_->symbols.get();
  out.moved = kernel_->moved;
  return out;
}

std::string_view CodeReader::code_key(ModuleId id) const {
  const Module& module = profile_[id];
  if (!profile_.text(module.build_id).empty()) { return profile_.text(module.build_id); }
  bool has_path = module.kernel || profile_.text(module.name) == kGeneratedModule;
  return has_path ? profile_.text(module.path) : std::string_view();
}

std::string CodeReader::why_no_file(const Module& recorded, const OpenModule& module) const {
  std::string path(profile_.text(recorded.path));
  if (recorded.kernel) { return module.kernel->note; }
  if (profile_.text(recorded.name) == kGeneratedModule) {
    return "no instructions: the recording has only the hottest generated functions, if a jitdump logs them (Node.js: "
           "--perf-prof)";
  }
  if (path.empty() || path.starts_with('[') || path.starts_with("//anon")) {
    return "no instructions: the code is not in a file";
  }
  if (profile_.text(recorded.build_id).empty()) { return "no instructions: the profile has no build ID of " + path; }
  if (!module.changed) { return "no instructions: " + path + " was not found"; }
  return "no instructions: " + path + " has changed since it was recorded; its source may have changed";
}

// `hits`: by address.
std::vector<CodeReader::Body> CodeReader::find_bodies(const OpenModule& module, const std::vector<Hit>& hits) const {
  std::vector<Body> bodies;
  uint64_t left = kMostCodeBytes;
  for (const Hit& hit : hits) {
    if (bodies.empty() || hit.address >= bodies.back().range.end) {
      uint64_t linked = hit.address - module.moved;
      std::optional<elf::AddressRange> range = module.symbols->function_range(linked);
      elf::AddressRange entry;
      bool has_tables = module.file != nullptr && module.file->unwind != nullptr;
      if (!range && has_tables && module.file->unwind->cfi().find_function_before(linked, entry.begin, entry.end)) {
        range = entry;
      }
      if (range) { range = elf::AddressRange{range->begin + module.moved, range->end + module.moved}; }
      if (!range || hit.address < range->begin || hit.address >= range->end || range->end - range->begin > left) { continue; }
      left -= range->end - range->begin;
      bodies.push_back({*range, false, {}});
    }
    bodies.back().all |= !hit.inlined;
    bodies.back().hits.push_back(hit.address);
  }
  return bodies;
}

void CodeReader::add_instructions(const OpenModule& module, const std::vector<Body>& bodies, FunctionId function,
                                  FunctionCode& code) const {
  Arch arch = module.file != nullptr ? module.file->image->arch() : host_arch();
  std::set<std::string_view> names;
  for (uint32_t i = 0; i < same_.size(); ++i) {
    if (same_[i] == same_[function.value]) { names.insert(profile_.text(profile_.functions()[i].raw_name)); }
  }
  auto is_ours = [&](const SymbolizedFrame& f) {
    return names.contains(f.function) || shown_function(f.function, options_.names) == code.name;
  };
  bool shortened = false, unreadable = false;
  for (const Body& body : bodies) {
    std::string memory;
    Bytes bytes = find_bytes(module, function, body.range, memory);
    auto size = static_cast<size_t>(body.range.end - body.range.begin);
    bool is_same = bytes.size() >= size;
    // Other kernel modules and BPF programs may be there now.
    if (is_same && module.kernel != nullptr && module.kernel->memory && !module.kernel->is_core(body.range.begin)) {
      std::vector<SymbolizedFrame> here = module.symbols->find(body.hits.front());
      is_same = !here.empty() && is_ours(here.back());
    }
    if (!is_same) {
      unreadable = true;
      continue;
    }
    bool large = size > kMostWholeBytes;
    std::vector<elf::Instruction> machine = elf::disassemble(arch, bytes.first(size), body.range.begin);
    if (large) {
      size_t before = machine.size();
      std::erase_if(machine, [&](const elf::Instruction& i) { return !is_near(i.address, body.hits); });
      shortened |= machine.size() < before;
    }
    std::vector<uint64_t> addresses;
    for (const elf::Instruction& i : machine) { addresses.push_back(i.address - module.moved); }
    module.symbols->prepare(addresses);
    std::vector<SymbolizedFrame> chain, called;
    for (elf::Instruction& i : machine) {
      module.symbols->find(i.address - module.moved, chain);
      std::string container;
      if (!body.all) {
        auto outermost = std::find_if(chain.rbegin(), chain.rend(), is_ours);
        if (outermost == chain.rend()) { continue; }
        if (outermost != chain.rbegin()) { container = shown_function(chain.back().function, options_.names); }
        chain.erase(outermost.base(), chain.end());
      }
      CodeInstruction& out = code.instructions.emplace_back();
      out.container = std::move(container);
      out.bytes = hex_bytes(bytes.subspan(i.address - body.range.begin, i.size));
      if (i.target && (*i.target < body.range.begin || *i.target >= body.range.end)) {
        module.symbols->find(*i.target - module.moved, called);
        if (!called.empty()) { out.called = shown_function(called.back().function, options_.names); }
      }
      if (!chain.empty()) {
        out.file = chain.front().file;
        out.line = chain.front().line;
      }
      for (size_t k = chain.size(); k-- > 1;) {
        out.inlined.push_back({shown_function(chain[k - 1].function, options_.names), std::string(chain[k].file), chain[k].line});
      }
      out.machine = std::move(i);
    }
  }
  std::sort(code.instructions.begin(), code.instructions.end(),
            [](const CodeInstruction& a, const CodeInstruction& b) { return a.machine.address < b.machine.address; });
  // Symbols may overlap.
  auto same_address = [](const CodeInstruction& a, const CodeInstruction& b) { return a.machine.address == b.machine.address; };
  code.instructions.erase(std::unique(code.instructions.begin(), code.instructions.end(), same_address), code.instructions.end());
  if (shortened) { code.notes.push_back("the function is large: only the instructions around sampled addresses are shown"); }
  if (unreadable && code.instructions.empty() && module.kernel != nullptr) {
    code.notes.push_back("no instructions: the function is no longer where it was in the kernel");
  } else if (unreadable && code.instructions.empty()) {
    code.notes.push_back("no instructions: the program was not found, only its debug info (" + module.file->path + ")");
  }
}

// `memory`: holds them if they are not in a file.
Bytes CodeReader::find_bytes(const OpenModule& module, FunctionId function, const elf::AddressRange& range,
                             std::string& memory) const {
  auto size = static_cast<size_t>(range.end - range.begin);
  if (module.kernel != nullptr && module.kernel->memory) {
    if (!module.kernel->is_same_boot && !module.kernel->is_core(range.begin)) { return {}; }
    memory = module.kernel->memory->read(range.begin, size);
    return as_bytes(memory);
  }
  const elf::Image& image = *module.file->image;
  Bytes bytes = image.bytes_at_svma(range.begin - module.moved);
  bool is_here = bytes.size() >= size && image.has_contents(range.begin - module.moved);
  return is_here ? bytes : recorded_bytes(function, range);
}

Bytes CodeReader::recorded_bytes(FunctionId function, const elf::AddressRange& range) const {
  if (!profile_.recorded_code()) { return {}; }
  const RecordedCode::Body* body = profile_.recorded_code()->find(code_key(profile_[function].module), range.begin);
  if (body == nullptr) { return {}; }
  return Bytes(reinterpret_cast<const uint8_t*>(body->bytes.data()), body->bytes.size()).subspan(range.begin - body->address);
}

// Without the file there are no lines but those of the function's sampled instructions.
bool CodeReader::add_recorded(FunctionId function, const std::vector<const Frame*>& frames, FunctionCode& code) const {
  if (!profile_.recorded_code()) { return false; }
  std::map<uint64_t, const Frame*> by_address;
  for (const Frame* frame : frames) {
    if (frame->address != 0) { by_address.try_emplace(frame->address, frame); }
  }
  std::string_view key = code_key(profile_[function].module);
  if (key.empty()) { return false; }
  const RecordedCode::Body* last = nullptr;
  for (const auto& [address, hit] : by_address) {
    const RecordedCode::Body* body = profile_.recorded_code()->find(key, address);
    if (body == nullptr || body == last) { continue; }
    last = body;
    Bytes bytes(reinterpret_cast<const uint8_t*>(body->bytes.data()), body->bytes.size());
    auto next = by_address.lower_bound(body->address);
    bool all = false;
    for (auto it = next; it != by_address.end() && body->covers(it->first); ++it) { all |= !it->second->inlined; }
    for (elf::Instruction& i : elf::disassemble(profile_.recorded_code()->arch, bytes, body->address)) {
      while (next != by_address.end() && next->first < i.address) { ++next; }
      bool is_hit = next != by_address.end() && next->first - i.address < i.size;
      if (!all && !is_hit) { continue; }  // code of the function that it is inlined into
      CodeInstruction& out = code.instructions.emplace_back();
      out.bytes = hex_bytes(bytes.subspan(i.address - body->address, i.size));
      if (is_hit && next->second->file.valid() && next->second->line != 0) {
        out.file = profile_.text(next->second->file);
        out.line = next->second->line;
      }
      out.machine = std::move(i);
    }
  }
  return !code.instructions.empty();
}

CodeReader::SourceAge CodeReader::age_of(const OpenModule& module, const SourceFile& source) const {
  if (source.is_recorded) { return SourceAge::kOlder; }
  if (source.is_fetched) { return SourceAge::kUnknown; }  // a server may have read it from a disk where it has changed
  std::optional<int64_t> built_ns = module.file != nullptr ? modified_ns(module.file->path) : std::nullopt;
  auto recorded_ns = static_cast<int64_t>(profile_.start_wall_ns());
  if (built_ns && source.modified_ns > *built_ns) { return SourceAge::kNewer; }
  if (recorded_ns != 0 && source.modified_ns > recorded_ns) { return SourceAge::kChanged; }
  return built_ns || recorded_ns != 0 ? SourceAge::kOlder : SourceAge::kUnknown;
}

CodeReader::SourceVersion CodeReader::find_source(FunctionId function, const std::string& name) {
  const SourceFile& source = sources_.find(name, build_id_of(function));
  if (source.path.empty()) { return {}; }
  ModuleId module = profile_[function].module;
  static const OpenModule kNoModule;
  return {&source, age_of(module.valid() ? open(module) : kNoModule, source) == SourceAge::kOlder};
}

std::string CodeReader::build_id_of(FunctionId function) const {
  ModuleId module = profile_[function].module;
  return module.valid() ? std::string(profile_.text(profile_[module].build_id)) : std::string();
}

void CodeReader::add_sources(FunctionId function, const OpenModule& module, const std::vector<const Frame*>& frames,
                             FunctionCode& code) {
  std::map<std::string, std::set<uint32_t>> lines;
  std::string own = file_of_entry(code);
  bool is_unknown = false;
  for (const Frame* frame : frames) {
    is_unknown |= frame->line == 0 && !covers(code.instructions, frame->address);
    if (!frame->file.valid() || frame->line == 0) { continue; }
    std::string file(profile_.text(frame->file));
    if (own.empty()) { own = file; }
    lines[file].insert(frame->line);
  }
  for (const auto& [file, numbers] : lines) {
    for (uint32_t line : numbers) { code.lines.push_back({file, line}); }
  }
  if (is_unknown) { code.lines.insert(code.lines.begin(), {"", 0}); }
  for (const CodeInstruction& i : code.instructions) {
    if (i.line != 0) { lines[i.file].insert(i.line); }
    for (const InlinedCall& call : i.inlined) {
      if (call.line != 0) { lines[call.file].insert(call.line); }
    }
  }
  std::string build_id = build_id_of(function);
  if (lines.contains(own)) { sources_.find(own, build_id); }  // before others that would have to be fetched
  std::vector<std::string> missing, newer, changed, shorter, fetched;
  size_t left = kMostLines;
  std::vector<SourcePart> others;
  for (const auto& [file, numbers] : lines) {
    const SourceFile& source = sources_.find(file, build_id);
    if (source.path.empty() && source.too_large > 0) {
      code.notes.push_back("source file too large to show: " + file + " (" + human_bytes(source.too_large) + ", at most " +
                           human_bytes(kMostSourceBytes) + ")");
      continue;
    }
    auto add_to = [&](std::vector<std::string>& files, const std::string& name) {
      files.insert(file == own ? files.begin() : files.end(), name);
    };
    if (source.path.empty()) {
      add_to(missing, file);
      continue;
    }
    SourceAge age = age_of(module, source);
    if (source.is_fetched) { add_to(fetched, file); }
    if (age == SourceAge::kNewer) { add_to(newer, source.path); }
    if (age == SourceAge::kChanged) { add_to(changed, source.path); }
    if (*numbers.rbegin() > source.lines.size()) { add_to(shorter, source.path); }
    auto count = static_cast<uint32_t>(std::min<size_t>(source.lines.size(), UINT32_MAX - 2 * kAroundLines));
    std::vector<SourcePart>& parts = file == own ? code.sources : others;
    for (auto it = numbers.begin(); it != numbers.end() && left > 0;) {
      uint32_t begin = *it, end = *it;
      while (it != numbers.end() && *it - end <= 2 * kAroundLines + 1) { end = *it++; }
      begin = begin > kAroundLines ? begin - kAroundLines : 1;
      end = std::min(end + kAroundLines, count);
      if (begin > end) { break; }  // beyond the end of the file
      size_t size = std::min<size_t>(end - begin + 1, left);
      auto from = source.lines.begin() + (begin - 1);
      parts.push_back({file, begin, {from, from + static_cast<ptrdiff_t>(size)}});
      left -= size;
    }
  }
  std::move(others.begin(), others.end(), std::back_inserter(code.sources));
  auto note = [&](const char* one, const char* many, const std::vector<std::string>& files) {
    if (files.empty()) { return; }
    std::string more = files.size() > 1 ? strf(" and %zu more", files.size() - 1) : "";
    code.notes.push_back((files.size() > 1 ? many : one) + (": " + files.front() + more));
  };
  note("source file is newer than the program", "source files are newer than the program", newer);
  note("source file has changed since the recording", "source files have changed since the recording", changed);
  note("source file has fewer lines than when the program was built",
       "source files have fewer lines than when the program was built", shorter);
  note("source file from debuginfod", "source files from debuginfod", fetched);
  const FetchReport* report = sources_.fetched();
  if (report != nullptr && report->stopped) { code.notes.push_back("debuginfod is slow: not all source files were fetched"); }
  if (report != nullptr && report->over_limit) {
    code.notes.push_back("too many or too large source files: not all were fetched (--fetch-limit)");
  }
  note("source file not found", "source files not found", missing);
  if (left == 0) { code.notes.push_back(strf("the source is long: only %zu lines are shown", kMostLines)); }
  if (lines.empty()) { code.notes.push_back("no source lines: no debug info (-g) was found for this function"); }
}

FunctionCode CodeReader::read(FunctionId function) {
  const Function& row = profile_[function];
  FunctionCode code;
  code.name = profile_.text(row.name);
  std::vector<const Frame*> frames = frames_of(function);
  if (!row.module.valid()) {
    code.notes.push_back("no instructions: the profile does not say which file the function is in");
    add_sources(function, {}, frames, code);
    return code;
  }
  const Module& recorded = profile_[row.module];
  code.module = profile_.text(recorded.name);
  if (!options_.has_linked_addresses) {
    code.notes.push_back("no instructions: wick shows them only for its recordings and perf.data");
    add_sources(function, open(row.module), frames, code);
    return code;
  }
  bool is_generated = profile_.text(recorded.name) == kGeneratedModule;
  // Files come first, since they have the lines of all instructions.
  if ((is_generated || recorded.kernel) && add_recorded(function, frames, code)) {
    code.notes.push_back(is_generated ? "instructions are as the JIT compiler logged them (jitdump)"
                                      : "instructions are those in the kernel's memory at the end of the recording");
    add_sources(function, {}, frames, code);
    return code;
  }
  const OpenModule& module = open(row.module);
  if (!module.has_code()) {
    std::string why = why_no_file(recorded, module);
    if (add_recorded(function, frames, code)) {
      why = why.substr(why.find(": ") + 2);  // the reason
      code.notes.push_back("instructions are from the recording, and only sampled ones have lines: " + why);
    } else {
      code.notes.push_back(why);
    }
  } else {
    std::vector<Hit> hits = find_hits(frames);
    std::vector<Body> bodies = find_bodies(module, hits);
    if (hits.empty()) {
      code.notes.push_back("no instructions: the profile has no addresses");
    } else if (bodies.empty()) {
      std::string where = module.file != nullptr ? module.file->path : "the kernel";
      code.notes.push_back("no instructions: " + where + " does not say where the function begins and ends");
    }
    add_instructions(module, bodies, function, code);
    if (module.kernel != nullptr && !code.instructions.empty()) { code.notes.insert(code.notes.begin(), module.kernel->note); }
  }
  add_sources(function, module, frames, code);
  return code;
}

}  // namespace wick
