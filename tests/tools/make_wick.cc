// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Writes a `.wick` file from a short text description, so that tests of user-visible output are readable and need no recording.
// The same text gives the same bytes. tests/golden/README.md describes the language.   usage: make_wick INPUT.txt OUTPUT.wick

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/hash.h"
#include "base/output_file.h"
#include "base/text.h"
#include "capture/wick_writer.h"

namespace wick::capture {
namespace {

using Options = std::map<std::string, std::string, std::less<>>;

const std::map<std::string, StackQuality, std::less<>> kQualities = {
    {"whole", StackQuality::kWhole},
    {"live", StackQuality::kLive},
    {"joined", StackQuality::kJoined},
    {"kernel_thread", StackQuality::kKernelThread},
    {"frame_pointers", StackQuality::kFramePointers},
    {"not_walked", StackQuality::kNotWalked},
    {"mended", StackQuality::kMended},
    {"stopped", StackQuality::kStopped},
    {"crossed", StackQuality::kCrossed},
    {"cut", StackQuality::kCut},
    {"no_row", StackQuality::kNoRow},
    {"bad_row", StackQuality::kBadRow},
    {"too_deep", StackQuality::kTooDeep},
    {"no_mapping", StackQuality::kNoMapping},
};
const std::map<std::string, ModuleKind, std::less<>> kModuleKinds = {
    {"file", ModuleKind::kFile},           {"kernel", ModuleKind::kKernel},   {"vdso", ModuleKind::kVdso},
    {"anonymous", ModuleKind::kAnonymous}, {"unknown", ModuleKind::kUnknown},
};

std::string_view take_word(std::string_view& line) {
  line = trim(line);
  size_t end = std::min(line.find(' '), line.size());
  std::string_view word = line.substr(0, end);
  line = trim(line.substr(end));
  return word;
}

// Removes "key=value" words from the end of the line.
Options take_options(std::string_view& line) {
  Options options;
  for (;;) {
    line = trim(line);
    size_t begin = line.find_last_of(' ') + 1;  // npos + 1 == 0
    std::string_view word = line.substr(begin);
    size_t equals = word.find('=');
    bool is_option = equals != std::string_view::npos && equals > 0 &&
                     word.substr(0, equals).find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string_view::npos;
    if (!is_option || begin == 0) { return options; }
    options.emplace(word.substr(0, equals), word.substr(equals + 1));
    line = line.substr(0, begin);
  }
}

class Maker {
 public:
  Result<std::vector<uint8_t>> make(std::string_view text);

 private:
  struct ThreadState {
    ThreadId id;
    Thread row;
    uint64_t next_ns = 0;
  };

  Status line(std::string_view keyword, std::string_view rest);
  Status add_event(std::string_view rest);
  Status add_module(std::string_view rest);
  Status add_thread(std::string_view rest);
  Status add_samples(std::string_view rest);
  Status add_marker(std::string_view rest);
  Status add_track(std::string_view rest);
  Status add_value(std::string_view rest);
  Status add_code(std::string_view rest);
  Status add_source(std::string_view rest);
  Result<ThreadId> thread(const Options& options) const;
  Status spoil(std::string_view keyword, std::string_view rest);
  Result<FrameId> frame(std::string_view text);
  void begin();
  Result<uint64_t> number(std::string_view text) const {
    std::optional<uint64_t> value = text.starts_with("0x") ? parse_u64(text.substr(2), 16) : parse_u64(text);
    if (!value) { return Error("\"%.*s\" is not a number", static_cast<int>(text.size()), text.data()); }
    return *value;
  }
  Result<uint64_t> number(const Options& options, std::string_view key, uint64_t otherwise) const {
    auto found = options.find(key);
    if (found == options.end()) { return otherwise; }
    return number(found->second);
  }

  WickWriter writer_;
  Info info_;
  bool begun_ = false, finish_ = true;
  std::vector<uint8_t> file_;
  std::map<std::string, ModuleId, std::less<>> modules_;
  std::map<std::string, ThreadState, std::less<>> threads_;
  std::map<uint32_t, ThreadId> processes_;
  std::map<std::string, TrackId, std::less<>> tracks_;
  std::map<std::string, FrameId, std::less<>> frames_;
  std::map<std::pair<uint32_t, uint32_t>, StackId> stacks_;
  std::map<uint32_t, uint64_t> next_address_;
};

void Maker::begin() {
  if (begun_) { return; }
  begun_ = true;
  if (info_.events.empty()) { info_.events.push_back({"cpu-clock", "ns", 997}); }
  file_ = writer_.begin(info_);
}

Result<std::vector<uint8_t>> Maker::make(std::string_view text) {
  info_.wick_version = "0.0.0";
  info_.engine = "perf";
  info_.unwind = "dwarf";
  info_.host = "example";
  info_.kernel = "6.1.0-example";
  info_.cpu_model = "Example CPU";
  info_.arch = Arch::kX86_64;
  info_.cpu_count = 2;
  info_.start_ns = 1'000'000'000;
  info_.start_wall_ns = 1'750'000'000'000'000'000;
  std::vector<std::pair<std::string_view, std::string_view>> spoilers;  // applied to the finished bytes
  size_t number = 0;
  for (std::string_view rest : split(text, '\n')) {
    ++number;
    std::string_view keyword = take_word(rest);
    if (keyword.empty() || keyword.starts_with("#")) { continue; }
    if (keyword == "cut" || keyword == "flip" || keyword == "format" || keyword == "append") {
      spoilers.push_back({keyword, rest});
      continue;
    }
    Status done = line(keyword, rest);
    if (!done.ok()) { return std::move(done).error().context(strf("line %zu", number)); }
  }
  begin();
  std::vector<uint8_t> end = finish_ ? writer_.finish() : writer_.encode_pending();
  file_.insert(file_.end(), end.begin(), end.end());
  for (auto [keyword, rest] : spoilers) { WICK_OK(spoil(keyword, rest)); }
  return file_;
}

Status Maker::line(std::string_view keyword, std::string_view rest) {
  if (keyword == "command") {
    info_.command.clear();
    for (std::string_view arg : split(rest, ' ')) { info_.command.emplace_back(arg); }
  } else if (keyword == "attached") {
    info_.command.clear();
  } else if (keyword == "engine") {
    info_.engine = rest;
  } else if (keyword == "unwind") {
    info_.unwind = rest;
  } else if (keyword == "arch") {
    if (rest != "x86_64" && rest != "aarch64") { return Error("arch is x86_64 or aarch64"); }
    info_.arch = rest == "aarch64" ? Arch::kAarch64 : Arch::kX86_64;
  } else if (keyword == "note") {
    info_.notes.emplace_back(rest);
  } else if (keyword == "start") {
    WICK_LET(info_.start_ns, number(rest));
  } else if (keyword == "event") {
    return add_event(rest);
  } else if (keyword == "module") {
    begin();
    return add_module(rest);
  } else if (keyword == "thread") {
    begin();
    return add_thread(rest);
  } else if (keyword == "sample") {
    begin();
    return add_samples(rest);
  } else if (keyword == "marker") {
    begin();
    return add_marker(rest);
  } else if (keyword == "track") {
    begin();
    return add_track(rest);
  } else if (keyword == "value") {
    begin();
    return add_value(rest);
  } else if (keyword == "code") {
    begin();
    return add_code(rest);
  } else if (keyword == "source") {
    begin();
    return add_source(rest);
  } else if (keyword == "unfinished") {
    finish_ = false;
  } else if (keyword == "counter") {
    begin();
    std::string name(take_word(rest));
    WICK_LET(uint64_t value, number(rest));
    writer_.set_counter(name, value);
  } else if (keyword == "block") {
    begin();
    std::vector<uint8_t> bytes = writer_.encode_pending();
    file_.insert(file_.end(), bytes.begin(), bytes.end());
  } else {
    return Error("there is no keyword \"%.*s\"", static_cast<int>(keyword.size()), keyword.data());
  }
  return ok_status();
}

Status Maker::add_event(std::string_view rest) {
  if (begun_) { return Error("events come before threads, modules and samples"); }
  Options options = take_options(rest);
  Event event;
  if (auto kind = options.find("kind"); kind != options.end()) {
    auto found = std::find(std::begin(kSampleKindNames), std::end(kSampleKindNames), kind->second);
    if (found == std::end(kSampleKindNames)) { return Error("there is no kind of sample \"%s\"", kind->second.c_str()); }
    event.kind = static_cast<SampleKind>(found - std::begin(kSampleKindNames));
  }
  event.name = take_word(rest);
  event.unit = take_word(rest);
  if (!rest.empty()) { WICK_LET(event.rate_hz, number(rest)); }
  info_.events.push_back(event);
  return ok_status();
}

Status Maker::add_module(std::string_view rest) {
  Options options = take_options(rest);
  Module module;
  std::string name(take_word(rest));
  module.path = rest;
  module.build_id = options["build_id"];
  std::string kind = options["kind"];
  if (auto found = kModuleKinds.find(kind); found != kModuleKinds.end()) {
    module.kind = found->second;
  } else if (!kind.empty()) {
    return Error("there is no kind of module \"%s\"", kind.c_str());
  }
  if (!modules_.emplace(name, writer_.add_module(module)).second) { return Error("module %s is there twice", name.c_str()); }
  return ok_status();
}

Status Maker::add_thread(std::string_view rest) {
  Options options = take_options(rest);
  std::string key(take_word(rest));
  std::string_view ids = take_word(rest);
  Thread row;
  WICK_LET(uint64_t pid, number(ids.substr(0, ids.find('/'))));
  WICK_LET(uint64_t tid, number(ids.find('/') == ids.npos ? ids : ids.substr(ids.find('/') + 1)));
  row.pid = static_cast<uint32_t>(pid);
  row.tid = static_cast<uint32_t>(tid);
  row.name = rest;
  WICK_LET(uint64_t parent, number(options, "parent", 1));
  row.parent_pid = static_cast<uint32_t>(parent);
  WICK_LET(row.start_ns, number(options, "start", info_.start_ns));
  WICK_LET(row.end_ns, number(options, "end", 0));
  ThreadId own{static_cast<uint32_t>(threads_.size())};
  bool new_life = options.contains("exec") || !processes_.contains(row.pid);
  if (new_life) { processes_[row.pid] = own; }
  row.process = processes_[row.pid];
  bool fresh = threads_.emplace(key, ThreadState{writer_.add_thread(row), row, row.start_ns}).second;
  if (!fresh) { return Error("thread %s is there twice", key.c_str()); }
  return ok_status();
}

// outer{file:line}=>inlined{file:line}@module+0xADDRESS; ? stands for an unknown symbol.
Result<FrameId> Maker::frame(std::string_view text) {
  if (auto found = frames_.find(text); found != frames_.end()) { return found->second; }
  std::string_view names = text;
  std::string_view module_name;
  std::optional<uint64_t> address;
  if (size_t plus = names.rfind("+0x"); plus != names.npos) {
    WICK_LET(address, number(names.substr(plus + 1)));
    names = names.substr(0, plus);
  }
  if (size_t at = names.rfind('@'); at != names.npos) {
    module_name = names.substr(at + 1);
    names = names.substr(0, at);
  }
  Frame row;
  if (module_name.empty()) {  // use the first one's
    if (modules_.empty()) { modules_.emplace("app", writer_.add_module({ModuleKind::kFile, "/opt/example/app", "00"})); }
    row.module = ModuleId{0};
  } else if (auto module = modules_.find(module_name); module != modules_.end()) {
    row.module = module->second;
  } else {
    return Error("there is no module \"%.*s\"", static_cast<int>(module_name.size()), module_name.data());
  }
  uint64_t& next = next_address_.emplace(row.module.value, 0x1000).first->second;
  row.address = address.value_or(next);
  next = std::max(next, row.address + 16);
  FrameSymbols symbols;
  symbols.frame = writer_.add_frame(row);
  for (std::string_view left = names; !left.empty();) {
    size_t arrow = left.find("=>");
    std::string_view one = left.substr(0, arrow);
    left = arrow == left.npos ? std::string_view() : left.substr(arrow + 2);
    SymbolFrame symbol;
    // {file:line}; other braces, as in Rust's {{closure}}, belong to the name.
    size_t brace = one.ends_with('}') ? one.rfind('{') : one.npos;
    size_t colon = brace == one.npos ? one.npos : one.find_last_of(':');
    std::optional<uint64_t> line;
    if (colon != one.npos && colon > brace) { line = parse_u64(one.substr(colon + 1, one.size() - colon - 2)); }
    if (line) {
      symbol.file = one.substr(brace + 1, colon - brace - 1);
      symbol.line = static_cast<uint32_t>(*line);
      one = one.substr(0, brace);
    }
    symbol.function = one;
    if (one != "?") { symbols.chain.insert(symbols.chain.begin(), symbol); }
  }
  writer_.add_symbols(symbols);
  return frames_.emplace(text, symbols.frame).first->second;
}

Status Maker::add_samples(std::string_view rest) {
  Options options = take_options(rest);
  size_t blank = rest.find_last_of(' ');
  if (blank == rest.npos) { return Error("a sample is THREAD;frame;…;frame COUNT"); }
  WICK_LET(uint64_t count, number(rest.substr(blank + 1)));
  std::vector<std::string_view> names = split(trim(rest.substr(0, blank)), ';');
  auto thread = threads_.find(names[0]);
  if (thread == threads_.end()) {
    return Error("there is no thread \"%.*s\"", static_cast<int>(names[0].size()), names[0].data());
  }
  StackId stack;
  for (size_t i = 1; i < names.size(); ++i) {
    WICK_LET(FrameId id, frame(names[i]));
    auto [found, is_new] = stacks_.try_emplace({id.value, stack.value});
    if (is_new) { found->second = writer_.add_stack({id, stack}); }
    stack = found->second;
  }
  Sample sample;
  sample.thread = thread->second.id;
  sample.stack = stack;
  WICK_LET(uint64_t event, number(options, "event", 0));
  WICK_LET(uint64_t cpu, number(options, "cpu", 0));
  if (event >= info_.events.size()) { return Error("there is no event %llu", static_cast<unsigned long long>(event)); }
  sample.event = static_cast<uint32_t>(event);
  sample.cpu = static_cast<uint32_t>(cpu);
  uint64_t rate = info_.events[event].rate_hz;
  uint64_t interval = rate == 0 ? 1'000'000 : 1'000'000'000 / rate;
  WICK_LET(sample.weight, number(options, "weight", info_.events[event].unit == "ns" ? interval : 1));
  WICK_LET(uint64_t at, number(options, "at", thread->second.next_ns - info_.start_ns + interval));
  if (auto found = options.find("quality"); found != options.end()) {
    auto quality = kQualities.find(found->second);
    if (quality == kQualities.end()) { return Error("there is no quality \"%s\"", found->second.c_str()); }
    sample.quality = quality->second;
  }
  sample.time_ns = info_.start_ns + at;
  for (uint64_t i = 0; i < count; ++i) {
    writer_.add_sample(sample);
    thread->second.next_ns = sample.time_ns;
    sample.time_ns += interval;
  }
  return ok_status();
}

Status Maker::add_code(std::string_view rest) {
  Options options = take_options(rest);
  std::string_view key = take_word(rest);
  auto module = modules_.find(key);
  if (module == modules_.end()) { return Error("there is no module \"%.*s\"", static_cast<int>(key.size()), key.data()); }
  CodeBody body{module->second, 0, {}};
  WICK_LET(body.address, number(take_word(rest)));
  for (; rest.size() >= 2; rest.remove_prefix(2)) {
    std::optional<uint64_t> byte = parse_u64(rest.substr(0, 2), 16);
    if (!byte) { return Error("code is hexadecimal"); }
    body.bytes += static_cast<char>(*byte);
  }
  for (std::string_view name : split(options["frames"], ';')) {
    if (name.empty()) { continue; }
    auto found = frames_.find(name);
    if (found == frames_.end()) { return Error("there is no frame \"%.*s\" yet", static_cast<int>(name.size()), name.data()); }
    body.frames.push_back(found->second);
  }
  std::sort(body.frames.begin(), body.frames.end());
  writer_.add_code(std::move(body));
  return ok_status();
}

Status Maker::add_source(std::string_view rest) {
  SourceText source{std::string(take_word(rest)), {}};
  for (size_t i = 0; i < rest.size(); ++i) {
    bool is_end = rest[i] == '\\' && i + 1 < rest.size() && rest[i + 1] == 'n';
    source.text += is_end ? '\n' : rest[i];
    i += is_end ? 1 : 0;
  }
  source.text += '\n';
  writer_.add_source(std::move(source));
  return ok_status();
}

// The thread of thread=KEY; without it, the whole recording.
Result<ThreadId> Maker::thread(const Options& options) const {
  auto key = options.find("thread");
  if (key == options.end()) { return ThreadId{}; }
  auto found = threads_.find(key->second);
  if (found == threads_.end()) { return Error("there is no thread \"%s\"", key->second.c_str()); }
  return found->second.id;
}

Status Maker::add_marker(std::string_view rest) {
  Options options = take_options(rest);
  Marker marker;
  WICK_LET(uint64_t at, number(take_word(rest)));
  marker.start_ns = info_.start_ns + at;
  WICK_LET(uint64_t length, number(options, "length", 0));
  marker.end_ns = marker.start_ns + length;
  WICK_LET(marker.thread, thread(options));
  marker.name = take_word(rest);
  marker.text = rest;
  writer_.add_marker(std::move(marker));
  return ok_status();
}

Status Maker::add_track(std::string_view rest) {
  Options options = take_options(rest);
  Track track;
  WICK_LET(track.thread, thread(options));
  track.name = take_word(rest);
  track.unit = rest;
  std::string key = track.name;
  if (!tracks_.emplace(key, writer_.add_track(std::move(track))).second) { return Error("track %s is there twice", key.c_str()); }
  return ok_status();
}

Status Maker::add_value(std::string_view rest) {
  std::string_view name = take_word(rest);
  auto track = tracks_.find(name);
  if (track == tracks_.end()) { return Error("there is no track \"%.*s\"", static_cast<int>(name.size()), name.data()); }
  WICK_LET(uint64_t at, number(take_word(rest)));
  bool negative = rest.starts_with('-');
  WICK_LET(uint64_t value, number(rest.substr(negative ? 1 : 0)));
  writer_.add_value({track->second, info_.start_ns + at, negative ? -static_cast<int64_t>(value) : static_cast<int64_t>(value)});
  return ok_status();
}

// Damages the file: truncates it, changes or appends bytes, or sets another version.
Status Maker::spoil(std::string_view keyword, std::string_view rest) {
  if (keyword == "append") {
    file_.insert(file_.end(), rest.begin(), rest.end());
    return ok_status();
  }
  if (keyword == "format") {
    WICK_LET(uint64_t major, number(rest.substr(0, rest.find('.'))));
    WICK_LET(uint64_t minor, number(rest.substr(std::min(rest.size(), rest.find('.') + 1))));
    uint16_t version[] = {static_cast<uint16_t>(major), static_cast<uint16_t>(minor)};
    std::memcpy(file_.data() + 8, version, sizeof version);
    uint32_t check = static_cast<uint32_t>(hash_bytes(std::span(file_).first(12)));
    std::memcpy(file_.data() + 12, &check, sizeof check);
    return ok_status();
  }
  WICK_LET(uint64_t n, number(rest));
  if (n == 0 || n > file_.size()) { return Error("the file has %zu bytes", file_.size()); }
  if (keyword == "cut") {
    file_.resize(file_.size() - n);
  } else {
    file_[file_.size() - n] ^= 0x55;
  }
  return ok_status();
}

int run(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s INPUT.txt OUTPUT.wick\n", argv[0]);
    return 2;
  }
  Result<std::string> text = read_file(argv[1]);
  if (!text.ok()) {
    std::fprintf(stderr, "make_wick: %s\n", text.error().message().c_str());
    return 1;
  }
  Maker maker;
  Result<std::vector<uint8_t>> file = maker.make(*text);
  if (!file.ok()) {
    std::fprintf(stderr, "make_wick: %s: %s\n", argv[1], file.error().message().c_str());
    return 1;
  }
  Status written = write_file_atomically(argv[2], *file);
  if (!written.ok()) {
    std::fprintf(stderr, "make_wick: %s\n", written.error().message().c_str());
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace wick::capture

int main(int argc, char** argv) { return wick::capture::run(argc, argv); }
