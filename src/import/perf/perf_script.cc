// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Hundreds of megabytes of text are split between samples into chunks, which workers parse (perf_script_parser.h). Every row has
// the byte offset of its start; assembled in that order, the profile does not depend on the distribution of work. Rejected: one
// reader that distributes samples (parsing would wait for it), tables shared by all workers (they would wait for each other).

#include "import/perf/perf_script.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <tuple>

#include "base/text.h"
#include "import/perf/perf_script_parser.h"
#include "model/event_name.h"
#include "model/function_name.h"
#include "model/profile_builder.h"
#include "model/profile_copier.h"

namespace wick {
namespace {

constexpr size_t kMostThreads = 64;

struct Parsed {
  std::vector<std::unique_ptr<PerfScriptParser>> parsers;
  std::vector<PerfScriptChunk> chunks;  // in text order
};

size_t count_workers(const ImportOptions& options) {
  size_t wanted = options.threads != 0 ? options.threads : std::thread::hardware_concurrency();
  return std::clamp<size_t>(wanted, 1, kMostThreads);
}

// Calls work(i) on one thread each, the last on this one; uses fewer threads if none can be started.
template <typename Work>
void run_workers(size_t count, const Work& work) {
  std::vector<std::thread> threads;
  try {
    for (size_t i = 0; i + 1 < count; ++i) {
      threads.emplace_back([&work, i] { work(i); });
    }
  } catch (const std::system_error&) {}  // this thread does more
  work(count - 1);
  for (std::thread& t : threads) { t.join(); }
}

std::string_view text_of(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

// A mapped file: each worker takes the next chunk and finds both its ends.
Parsed parse_memory(Input& input, Bytes bytes, const ImportOptions& options, size_t chunk_bytes) {
  std::string_view text = text_of(bytes);
  size_t count = (text.size() + chunk_bytes - 1) / chunk_bytes;
  Parsed out;
  out.chunks.resize(count);
  size_t workers = std::min(count_workers(options), std::max<size_t>(count, 1));
  for (size_t i = 0; i < workers; ++i) { out.parsers.push_back(std::make_unique<PerfScriptParser>(options)); }
  std::atomic<size_t> next = 0;
  run_workers(workers, [&](size_t worker) {
    for (size_t i = next++; i < count; i = next++) {
      // If no sample begins here, the text belongs to an earlier chunk; so no part is searched more than twice.
      size_t begin = i == 0 ? 0 : find_chunk_end(text, i * chunk_bytes, (i + 1) * chunk_bytes);
      if (begin == text.size()) { continue; }
      size_t end = i + 1 == count ? text.size() : find_chunk_end(text, (i + 1) * chunk_bytes);
      out.chunks[i] = out.parsers[worker]->parse(text.substr(begin, end - begin), begin);
      input.release(bytes.subspan(begin, end - begin));
    }
  });
  return out;
}

// Splits input that comes in pieces after its last complete sample.
class PieceCutter {
 public:
  PieceCutter(Input& input, size_t chunk_bytes) : input_(input), chunk_bytes_(chunk_bytes) {}

  struct Chunk {
    std::string text{};  // empty: end of input
    uint64_t offset = 0;
    size_t number = 0;
  };
  Result<Chunk> next() {
    while (!at_end_) {
      WICK_LET(Bytes piece, input_.next());
      at_end_ = piece.empty();
      size_t before = pending_.size();
      pending_.append(text_of(piece));
      if (pending_.size() < chunk_bytes_ || at_end_) { continue; }
      size_t newline = text_of(piece).rfind('\n');
      if (newline == std::string_view::npos) { continue; }  // no complete line
      size_t cut = find_last_chunk_end(pending_, searched_);
      if (cut != 0) { return take(cut); }
      // A line that crosses the end is examined again once it is complete, with the newline before it.
      searched_ = std::max<size_t>(before + newline, 1) - 1;
    }
    return take(pending_.size());
  }

 private:
  Chunk take(size_t bytes) {
    Chunk chunk{std::move(pending_), offset_, number_};
    pending_.assign(chunk.text, bytes);
    searched_ = 0;
    chunk.text.resize(bytes);
    offset_ += bytes;
    ++number_;
    return chunk;
  }

  Input& input_;
  size_t chunk_bytes_;
  std::string pending_;
  size_t searched_ = 0;  // no split position before this
  uint64_t offset_ = 0;
  size_t number_ = 0;
  bool at_end_ = false;
};

// Idle workers read the next chunk: reading is a small part of the work.
Result<Parsed> parse_pieces(Input& input, const ImportOptions& options, size_t chunk_bytes) {
  Parsed out;
  size_t workers = count_workers(options);
  for (size_t i = 0; i < workers; ++i) { out.parsers.push_back(std::make_unique<PerfScriptParser>(options)); }
  PieceCutter cutter(input, chunk_bytes);
  std::mutex mutex;
  bool is_done = false;
  std::optional<Error> failure;
  run_workers(workers, [&](size_t worker) {
    for (;;) {
      PieceCutter::Chunk chunk;
      {
        std::lock_guard lock(mutex);
        if (is_done) { return; }
        Result<PieceCutter::Chunk> next = cutter.next();
        if (!next.ok()) { failure = std::move(next).error(); }
        if (failure || next->text.empty()) {
          is_done = true;
          return;
        }
        chunk = *std::move(next);
        out.chunks.resize(chunk.number + 1);
      }
      PerfScriptChunk parsed = out.parsers[worker]->parse(chunk.text, chunk.offset);
      std::lock_guard lock(mutex);
      out.chunks[chunk.number] = parsed;
    }
  });
  if (failure) { return *failure; }
  return out;
}

// Copies a worker's tables into the result.
class WorkerTables : public ProfileCopier {
 public:
  WorkerTables(const Profile& tables, ProfileBuilder& to, const ImportOptions& options)
      : ProfileCopier(tables, to), options_(options) {}

 private:
  ModuleId make_module(ModuleId id) override { return to().module(from().text(from()[id].path), {}, from()[id].kernel); }

  FunctionId make_function(FunctionId id) override {
    const Function& f = from()[id];
    std::string_view path = f.module.valid() ? from().text(from()[f.module].path) : std::string_view();
    std::string_view name = from().text(f.name);
    // Names of generated code are not linkage names.
    bool is_generated = path.ends_with(".map") || path.find("/jitted-") != path.npos;
    std::string shown(name);
    if (f.known && !is_generated) {
      shown = readable_rust_name(name);
      if (options_.demangle) { shown = options_.demangle(shown); }
    }
    std::string_view raw = !f.known ? from().text(f.raw_name) : shown != name ? name : std::string_view();
    return to().function(shown, raw, module(f.module), f.known);
  }

  const ImportOptions& options_;
};

// Combines the rows of all workers into one profile.
class Assembler {
 public:
  Assembler(Parsed& parsed, const ImportOptions& options) : parsed_(parsed), options_(options) {
    for (auto& parser : parsed.parsers) {
      auto w = std::make_unique<Worker>();
      w->parser = parser.get();
      w->tables = std::move(parser->tables).build();
      w->copier.emplace(w->tables, b_, options);
      w->threads.resize(parser->threads.size());
      w->events.resize(parser->events.size());
      workers_.push_back(std::move(w));
    }
  }

  Profile assemble(bool has_times) && {
    if (options_.merge) { b_.merge_samples(); }
    b_.set_imported(kPerfScriptReader.what, has_times);
    struct Place {
      uint64_t order;
      uint32_t worker, row;
    };
    std::vector<Place> places;
    for (uint32_t w = 0; w < workers_.size(); ++w) {
      const std::vector<PerfScriptRow>& rows = workers_[w]->parser->rows;
      for (uint32_t i = 0; i < rows.size(); ++i) { places.push_back({rows[i].order, w, i}); }
    }
    std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.order < b.order; });
    for (const Place& place : places) { name_process(place.worker, row_of(place.worker, place.row)); }
    uint64_t first_ns = UINT64_MAX;
    for (const Place& place : places) {
      Worker& w = *workers_[place.worker];
      const PerfScriptRow& row = row_of(place.worker, place.row);
      first_ns = std::min(first_ns, row.time_ns);
      b_.add_sample({.time_ns = row.time_ns,
                     .thread = thread_of(w, row.thread),
                     .stack = row.stack == UINT32_MAX ? StackId{} : w.copier->stack(StackId{row.stack}),
                     .event = event_of(w, row.event),
                     .cpu = row.cpu,
                     .weight = row.weight,
                     .count = row.count});
    }
    if (first_ns != UINT64_MAX && !options_.merge) { b_.set_start(first_ns, 0); }
    add_warnings();
    b_.about().events_ranked = false;
    return std::move(b_).build();
  }

 private:
  struct Worker {
    PerfScriptParser* parser = nullptr;
    Profile tables;
    std::optional<WorkerTables> copier;
    // The row in the result; invalid: not used yet.
    std::vector<ThreadId> threads;
    std::vector<std::optional<EventId>> events;
  };

  const PerfScriptRow& row_of(uint32_t worker, uint32_t row) const { return workers_[worker]->parser->rows[row]; }

  // A process has the last name of its first thread: before exec() it had another.
  void name_process(uint32_t worker, const PerfScriptRow& row) {
    const PerfScriptThread& t = workers_[worker]->parser->threads[row.thread];
    if (!t.pid) { return; }
    auto [it, fresh] = process_names_.try_emplace(*t.pid, &t.comm);
    if (!fresh && t.tid == t.pid) { it->second = &t.comm; }
  }

  ThreadId thread_of(Worker& w, uint32_t row) {
    if (w.threads[row].valid()) { return w.threads[row]; }
    const PerfScriptThread& t = w.parser->threads[row];
    auto [it, fresh] = threads_.try_emplace({t.comm, t.pid, t.tid}, ThreadId{});
    if (fresh) {
      // Without a PID, nothing shows which threads belong together; those of the same name may.
      std::string key = t.pid ? std::string() : t.comm;
      auto [process, is_new] = processes_.try_emplace({t.pid.value_or(0), key}, ProcessId{});
      if (is_new) { process->second = b_.add_process(t.pid.value_or(0), t.pid ? *process_names_[*t.pid] : t.comm); }
      it->second = b_.add_thread(process->second, t.tid.value_or(0), t.comm);
    }
    return w.threads[row] = it->second;
  }

  EventId event_of(Worker& w, uint32_t row) {
    if (w.events[row]) { return *w.events[row]; }
    const PerfScriptEvent& e = w.parser->events[row];
    auto it = events_.find(e.name);
    if (it == events_.end()) {
      std::string_view plain = std::string_view(e.name).substr(0, e.name.find(':'));
      bool is_clock = plain == "cpu-clock" || plain == "task-clock";
      const char* unit = !e.has_period ? "samples" : is_clock ? "ns" : "events";
      it = events_.try_emplace(e.name, b_.event(e.name.empty() ? "samples" : plain_event_name(e.name), unit)).first;
    }
    w.events[row] = it->second;
    return it->second;
  }

  void add_warnings() {
    uint64_t lines = 0, skipped = 0, first = 0, overflowing = 0;
    for (const PerfScriptChunk& chunk : parsed_.chunks) {
      if (skipped == 0 && chunk.skipped > 0) { first = lines + chunk.first_skipped; }
      lines += chunk.lines;
      skipped += chunk.skipped;
      overflowing += chunk.overflowing;
      b_.add_loss("lost.ring_full", chunk.lost, true);
    }
    auto n = [](uint64_t value) { return static_cast<unsigned long long>(value); };
    if (skipped > 0) {
      b_.add_warning(strf("skipped %llu %s not perf script output (first: line %llu)", n(skipped),
                          skipped == 1 ? "line that is" : "lines that are", n(first)));
    }
    if (overflowing > 0) {
      b_.add_warning(
          strf("skipped %llu %s with a period of more than 2^63", n(overflowing), overflowing == 1 ? "sample" : "samples"));
    }
  }

  Parsed& parsed_;
  const ImportOptions& options_;
  ProfileBuilder b_;
  std::vector<std::unique_ptr<Worker>> workers_;  // their copiers refer to their tables
  std::map<std::tuple<std::string, std::optional<uint32_t>, std::optional<uint32_t>>, ThreadId> threads_;
  std::map<std::pair<uint32_t, std::string>, ProcessId> processes_;
  std::map<uint32_t, const std::string*> process_names_;
  std::map<std::string, EventId> events_;
};

}  // namespace

bool is_perf_script(const Head& head) {
  std::string_view text = head.text;
  if (!head.is_all) { text = text.substr(0, text.rfind('\n') + 1); }
  int samples = 0, frames = 0, others = 0;
  bool is_begun = false;
  constexpr int kEnough = 50;
  for (std::string_view line : split(text, '\n')) {
    if (line.starts_with('#')) { continue; }
    if (is_blank_line(line)) {
      is_begun = false;
      continue;
    }
    if (std::optional<PerfScriptHeader> header = parse_timed_header(line)) {
      // Without IDs (-F comm,time), the frames decide: ftrace and others have such lines as well.
      bool tells = header->has_ids && (!header->event.empty() || !header->frame.empty() || header->is_record);
      samples += tells;
      others += !tells;
      is_begun = true;
    } else if (looks_like_frame(line) && (is_begun || line[0] == '\t')) {
      frames += is_surely_frame(line);
      is_begun = true;
    } else if (is_surely_flat_frame(line)) {
      ++frames;
      is_begun = true;
    } else if (is_begun && is_flat_frame(line)) {
      continue;
    } else if (!is_begun) {
      is_begun = true;  // a header without a time: the frames decide
      ++others;
    } else if (line[0] != ' ' && line[0] != '\t') {
      ++others;
    }
    if (samples + frames >= kEnough) { break; }
  }
  return samples + frames > 0 && samples + frames >= others;
}

Result<Profile> read_perf_script(Input& input, const ImportOptions& options) {
  return read_perf_script(input, options, kPerfScriptChunk);
}

Result<Profile> read_perf_script(Input& input, const ImportOptions& options, size_t chunk_bytes) {
  Parsed parsed;
  if (input.is_memory()) {
    WICK_LET(Bytes bytes, input.next());
    parsed = parse_memory(input, bytes, options, chunk_bytes);
  } else {
    WICK_LET(parsed, parse_pieces(input, options, chunk_bytes));
  }
  bool has_times = false, has_rows = false;
  uint64_t lines = 0;
  std::optional<uint64_t> first_skipped;
  for (const PerfScriptChunk& chunk : parsed.chunks) {
    has_times = has_times || chunk.has_times;
    if (chunk.skipped > 0 && !first_skipped) { first_skipped = lines + chunk.first_skipped; }
    lines += chunk.lines;
  }
  for (const auto& parser : parsed.parsers) { has_rows = has_rows || !parser->rows.empty(); }
  if (!has_rows && first_skipped) {
    return Error(
               "line %llu does not begin a sample (expected \"program PID TIME: PERIOD EVENT:\" and lines \"ADDRESS function "
               "(file)\")",
               static_cast<unsigned long long>(*first_skipped))
        .with_code(Errc::kBadInput);
  }
  return Assembler(parsed, options).assemble(has_times);
}

}  // namespace wick
