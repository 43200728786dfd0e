// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The Firefox Profiler's processed format, version 65: tables of columns shared by all threads, and the samples of each thread.
// Later versions only store the same data differently, and the profiler upgrades any version when it opens a file; Perfetto reads
// this version but not the next.
//
// A row is a sample; its weight is the number of samples it represents, its threadCPUDelta their CPU time. Each further event has
// separate threads named after it.

#include <tsl/robin_map.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "analyze/color.h"
#include "analyze/overview.h"
#include "base/text.h"
#include "export/json_writer.h"
#include "export/writers.h"

namespace wick {
namespace {

constexpr int kProcessedVersion = 65, kGeckoVersion = 36;
constexpr int kLibraryResource = 1;  // resource type: a shared library

double to_ms(uint64_t ns) { return static_cast<double>(ns) / 1e6; }

// The identifier of a build on symbol servers: the build ID's first 16 bytes as the fields of a GUID, and an age of 0.
std::string breakpad_id(std::string_view build_id) {
  std::string hex(build_id.substr(0, 32));
  bool is_hex = !hex.empty() && hex.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
  if (!is_hex) { return {}; }
  hex.resize(32, '0');
  std::string out;
  for (auto [begin, size] : {std::pair<size_t, size_t>{0, 8}, {8, 4}, {12, 4}}) {
    for (size_t i = size; i > 0; i -= 2) { out += hex.substr(begin + i - 2, 2); }
  }
  out += hex.substr(16);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return out + "0";
}

const char* category_color(CodeKind kind) {
  switch (kind) {
    case CodeKind::kUnclassified:
    case CodeKind::kProgram: return "yellow";
    case CodeKind::kLibrary: return "lightblue";
    case CodeKind::kStandard: return "green";
    case CodeKind::kSystem: return "blue";
    case CodeKind::kKernel: return "orange";
    case CodeKind::kUnknown: return "grey";  // the default category of viewers
  }
  return "grey";
}

class FirefoxWriter {
 public:
  FirefoxWriter(const ExportView& view, const Sink& sink)
      : view_(view),
        p_(view.profile),
        stacks_(used_stacks(view)),
        chains_(compute_inline_chains(p_, stacks_)),
        same_(compute_same_functions(p_)),
        files_(files_of_functions(p_, same_)),
        out_(sink),
        json_(out_.text) {
    std::vector<bool> functions(p_.functions().size()), modules(p_.modules().size()), files(p_.strings().size());
    for (const InlineChains::Row& row : chains_.rows) {
      FunctionId f = same_[p_[row.frame].function.value];
      functions[f.value] = true;
      if (p_[f].module.valid()) { modules[p_[f].module.value] = true; }
      if (files_[f.value].valid()) { files[files_[f.value].value] = true; }
    }
    functions_ = number_rows(functions);
    modules_ = number_rows(modules);
    sources_ = number_rows(files);
    // The symbol of an address is the function that contains its code: the outermost of its chain.
    std::vector<bool> symbols(p_.functions().size());
    for (uint32_t i = 0; i < chains_.rows.size(); ++i) {
      uint32_t outer = chains_.rows[i].outer;  // has a smaller number
      inline_depth_.push_back(outer == kNoRow ? 0 : std::min<uint32_t>(inline_depth_[outer] + 1, 255));
      holder_.push_back(outer == kNoRow ? same_[p_[chains_.rows[i].frame].function.value] : holder_[outer]);
      symbols[holder_[i].value] = has_symbol(holder_[i]);
    }
    symbols_ = number_rows(symbols);
  }

  void run() {
    json_.begin_object();
    json_.line().key("meta").begin_object();
    write_meta();
    json_.end_object();
    json_.line().key("libs").begin_array();
    for (uint32_t m : modules_.rows) { write_lib(p_.modules()[m]); }
    json_.end_array();
    json_.line().key("shared").begin_object();
    write_shared();
    json_.end_object();
    json_.line().key("threads").begin_array();
    for (const Selection& selection : view_.selections) {
      for (const ThreadRows& thread : rows_by_thread(p_, selection)) { write_thread(selection, thread); }
    }
    json_.end_array();
    json_.line().end_object();
    out_.text += '\n';
    out_.finish();
  }

 private:
  bool has_symbol(FunctionId f) const { return p_[f].known && p_[f].module.valid(); }

  void write_meta() {
    Overview overview = compute_overview(p_, view_.first().event);
    Event event = view_.first().event.valid() ? p_[view_.first().event] : Event{};
    double interval_ms = event.rate_hz != 0 ? 1e3 / static_cast<double>(event.rate_hz) : 1;
    json_.line().key("version").value(kGeckoVersion).key("preprocessedProfileVersion").value(kProcessedVersion);
    json_.line().key("product").value(overview.title.empty() ? std::string_view("wick") : std::string_view(overview.title));
    json_.line().key("importedFrom").value("wick " WICK_VERSION);
    std::string arguments;
    for (const std::string& arg : p_.command()) { arguments += (arguments.empty() ? "" : " ") + shell_quote(arg); }
    json_.line().key("arguments").value(arguments);
    json_.line().key("interval").value(interval_ms).key("startTime").value(to_ms(p_.start_wall_ns()));
    json_.key("profilingStartTime").value(0).key("profilingEndTime").value(to_ms(overview.duration_ns));
    json_.line().key("processType").value(0).key("stackwalk").value(1).key("debug").value(false);
    json_.line().key("symbolicated").value(true).key("usesOnlyOneStackType").value(true);
    json_.key("sourceCodeIsNotOnSearchfox").value(true);
    json_.line().key("markerSchema").begin_array().end_array();
    json_.line().key("sampleUnits").begin_object().key("time").value("ms").key("eventDelay").value("ms");
    json_.key("threadCPUDelta").value("ns").end_object();
    json_.line().key("categories").begin_array();
    for (CodeKind kind : kCodeKinds) {
      json_.begin_object().key("name").value(code_kind_name(kind)).key("color").value(category_color(kind));
      json_.key("subcategories").begin_array().value("Other").end_array().end_object();
    }
    json_.end_array();
  }

  void write_lib(const Module& m) {
    std::string_view path = p_.text(m.path).empty() ? p_.text(m.name) : p_.text(m.path);
    json_.line().begin_object().key("arch").value("").key("name").value(p_.text(m.name)).key("path").value(path);
    json_.key("debugName").value(p_.text(m.name)).key("debugPath").value(path);
    json_.key("breakpadId").value(breakpad_id(p_.text(m.build_id))).key("codeId");
    m.build_id.valid() ? json_.value(p_.text(m.build_id)) : json_.null();
    json_.end_object();
  }

  // One column: `write` writes the value of each row.
  template <typename Write>
  void column(std::string_view key, size_t rows, Write write) {
    json_.line().key(key).begin_array();
    for (uint32_t i = 0; i < rows && out_.step(); ++i) { write(i); }
    json_.end_array();
  }
  void index_or_null(uint32_t index) { index == kNoRow ? json_.null() : json_.value(index); }
  void number_or_null(uint32_t number) { number == 0 ? json_.null() : json_.value(number); }

  uint32_t string(std::string_view text) {
    auto [it, fresh] = string_rows_.try_emplace(std::string(text), static_cast<uint32_t>(strings_.size()));
    if (fresh) { strings_.push_back(it->first); }
    return it->second;
  }

  void write_shared() {
    json_.line().key("stackTable").begin_object();
    json_.key("length").value(stacks_.size());
    column("frame", stacks_.size(), [&](uint32_t i) { json_.value(chains_.of_stack[i]); });
    column("prefix", stacks_.size(), [&](uint32_t i) { index_or_null(stacks_[p_.stacks()[stacks_.rows[i]].caller.value]); });
    json_.end_object();
    write_frames();
    write_functions();
    write_resources();
    write_symbols();
    write_sources();
    json_.line().key("sourceLocationTable").begin_object().key("length").value(0).key("source").begin_array().end_array();
    json_.key("line").begin_array().end_array().key("column").begin_array().end_array().end_object();
    column("stringArray", strings_.size(), [&](uint32_t i) { json_.value(strings_[i]); });
  }

  void write_frames() {
    size_t n = chains_.rows.size();
    auto frame = [&](uint32_t i) -> const Frame& { return p_[chains_.rows[i].frame]; };
    json_.line().key("frameTable").begin_object();
    json_.key("length").value(n);
    // Browsers lose precision for larger numbers, such as kernel addresses.
    constexpr uint64_t kMost = uint64_t{1} << 53;
    column("address", n, [&](uint32_t i) {
      uint64_t address = frame(i).address;
      json_.value(address == 0 || address >= kMost ? int64_t{-1} : static_cast<int64_t>(address));
    });
    column("inlineDepth", n, [&](uint32_t i) { json_.value(inline_depth_[i]); });
    column("category", n, [&](uint32_t i) { json_.value(static_cast<int>(code_kind(p_, frame(i).function))); });
    column("subcategory", n, [&](uint32_t) { json_.value(0); });
    column("func", n, [&](uint32_t i) { json_.value(functions_[same_[frame(i).function.value].value]); });
    column("nativeSymbol", n, [&](uint32_t i) { index_or_null(symbols_[holder_[i].value]); });
    column("innerWindowID", n, [&](uint32_t) { json_.value(0); });
    column("line", n, [&](uint32_t i) { number_or_null(frame(i).line); });
    column("column", n, [&](uint32_t i) { number_or_null(frame(i).column); });
    column("originalLocation", n, [&](uint32_t) { json_.null(); });
    json_.end_object();
  }

  void write_functions() {
    size_t n = functions_.size();
    json_.line().key("funcTable").begin_object();
    json_.key("length").value(n);
    column("name", n, [&](uint32_t i) { json_.value(string(function_text(p_, FunctionId{functions_.rows[i]}))); });
    column("isJS", n, [&](uint32_t) { json_.value(false); });
    column("relevantForJS", n, [&](uint32_t) { json_.value(false); });
    column("resource", n, [&](uint32_t i) {
      ModuleId module = p_.functions()[functions_.rows[i]].module;
      module.valid() ? json_.value(modules_[module.value]) : json_.value(-1);
    });
    column("source", n, [&](uint32_t i) { index_or_null(sources_[files_[functions_.rows[i]].value]); });
    column("lineNumber", n, [&](uint32_t) { json_.null(); });
    column("columnNumber", n, [&](uint32_t) { json_.null(); });
    column("originalLocation", n, [&](uint32_t) { json_.null(); });
    json_.end_object();
  }

  void write_resources() {
    size_t n = modules_.size();
    json_.line().key("resourceTable").begin_object();
    json_.key("length").value(n);
    column("lib", n, [&](uint32_t i) { json_.value(i); });
    column("name", n, [&](uint32_t i) { json_.value(string(p_.text(p_.modules()[modules_.rows[i]].name))); });
    column("host", n, [&](uint32_t) { json_.null(); });
    column("type", n, [&](uint32_t) { json_.value(kLibraryResource); });
    json_.end_object();
  }

  // A function's start is unknown: use its lowest sampled address.
  void write_symbols() {
    size_t n = symbols_.size();
    std::vector<uint64_t> lowest(n, UINT64_MAX);
    for (uint32_t i = 0; i < chains_.rows.size(); ++i) {
      uint32_t symbol = symbols_[holder_[i].value];
      uint64_t address = p_[chains_.rows[i].frame].address;
      if (symbol != kNoRow && address != 0) { lowest[symbol] = std::min(lowest[symbol], address); }
    }
    constexpr uint64_t kMost = uint64_t{1} << 53;
    json_.line().key("nativeSymbols").begin_object();
    json_.key("length").value(n);
    column("libIndex", n, [&](uint32_t i) { json_.value(modules_[p_.functions()[symbols_.rows[i]].module.value]); });
    column("address", n, [&](uint32_t i) { json_.value(lowest[i] < kMost ? lowest[i] : 0); });
    column("name", n, [&](uint32_t i) { json_.value(string(function_text(p_, FunctionId{symbols_.rows[i]}))); });
    column("functionSize", n, [&](uint32_t) { json_.null(); });
    json_.end_object();
  }

  void write_sources() {
    size_t n = sources_.size();
    json_.line().key("sources").begin_object();
    json_.key("length").value(n);
    column("id", n, [&](uint32_t) { json_.null(); });
    column("filename", n, [&](uint32_t i) { json_.value(string(p_.strings()[sources_.rows[i]])); });
    column("startLine", n, [&](uint32_t) { json_.value(1); });
    column("startColumn", n, [&](uint32_t) { json_.value(1); });
    column("sourceMapURL", n, [&](uint32_t) { json_.null(); });
    column("content", n, [&](uint32_t) { json_.null(); });
    json_.end_object();
  }

  double since_start_ms(uint64_t ns) const { return ns > p_.start_ns() ? to_ms(ns - p_.start_ns()) : 0; }

  void write_thread(const Selection& selection, const ThreadRows& thread) {
    const Thread& t = p_[thread.thread];
    const Process& process = p_[t.process];
    const Event& event = p_[selection.event];
    bool known = is_identified(p_, t), first = &selection == &view_.first();
    std::string name(known ? p_.text(t.name) : std::string_view("all"));
    if (!first) { name += " (" + std::string(p_.text(event.name)) + ")"; }
    json_.line().begin_object().key("name").value(name).key("processName").value(p_.text(process.name));
    json_.key("pid").value(std::to_string(process.pid)).key("tid").value(t.tid);
    json_.key("isMainThread").value(process.pid == t.tid && first).key("processType").value("default");
    json_.line().key("processStartupTime").value(since_start_ms(process.start_ns)).key("processShutdownTime");
    process.end_ns != 0 ? json_.value(since_start_ms(process.end_ns)) : json_.null();
    json_.key("registerTime").value(since_start_ms(t.start_ns)).key("unregisterTime");
    t.end_ns != 0 ? json_.value(since_start_ms(t.end_ns)) : json_.null();
    json_.key("pausedRanges").begin_array().end_array();
    json_.line().key("markers").begin_object().key("length").value(0);
    for (const char* key : {"data", "name", "startTime", "endTime", "phase", "category"}) {
      json_.key(key).begin_array().end_array();
    }
    json_.end_object();
    write_samples(event, thread.rows);
    json_.end_object();
  }

  void write_samples(const Event& event, const std::vector<uint32_t>& rows) {
    auto sample = [&](uint32_t i) -> const Sample& { return p_.samples()[rows[i]]; };
    bool bytes = p_.text(event.unit) == "bytes", time = p_.text(event.unit) == "ns", cpu = time && event.divisor <= 1;
    // Costs that are neither time nor bytes are written as sample counts: shares are then correct, and costs are kept.
    auto weight_of = [&](const Sample& s) { return time ? static_cast<int64_t>(s.count) : whole_units(s.weight, event.divisor); };
    bool weighs = bytes || std::any_of(rows.begin(), rows.end(), [&](uint32_t r) { return weight_of(p_.samples()[r]) != 1; });
    json_.line().key("samples").begin_object();
    json_.key("length").value(rows.size()).key("weightType").value(bytes ? "bytes" : "samples");
    uint64_t slot = 0;
    column("stack", rows.size(), [&](uint32_t i) { json_.value(stacks_[sample(i).stack.value]); });
    column("time", rows.size(), [&](uint32_t i) {
      json_.value(to_ms(sample_time(p_, sample(i), slot)));
      if (__builtin_add_overflow(slot, sample(i).count, &slot)) { slot = UINT64_MAX; }
    });
    if (weighs) {
      column("weight", rows.size(), [&](uint32_t i) { json_.value(weight_of(sample(i))); });
    } else {
      json_.key("weight").null();
    }
    if (cpu) {
      column("threadCPUDelta", rows.size(), [&](uint32_t i) { json_.value(sample(i).weight); });
    }
    json_.end_object();
  }

  const ExportView& view_;
  const Profile& p_;
  Numbering stacks_;
  InlineChains chains_;
  std::vector<FunctionId> same_;
  std::vector<StringId> files_;
  Numbering functions_, modules_, sources_, symbols_;
  std::vector<uint32_t> inline_depth_;  // by chain
  std::vector<FunctionId> holder_;      // by chain
  std::vector<std::string> strings_;
  tsl::robin_map<std::string, uint32_t> string_rows_;
  PieceWriter out_;
  JsonWriter json_;
};

}  // namespace

void write_firefox(const ExportView& view, const Sink& sink) { FirefoxWriter(view, sink).run(); }

}  // namespace wick
