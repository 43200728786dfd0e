// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The complete profile as JSON, for scripts. docs/profile-json.md documents it; fields are added, never removed. (`wick report
// --json` has computed tables.)

#include <string>

#include "analyze/overview.h"
#include "base/text.h"
#include "export/json_writer.h"
#include "export/writers.h"

namespace wick {
namespace {

class ProfileJsonWriter {
 public:
  ProfileJsonWriter(const ExportView& view, const Sink& sink)
      : view_(view), p_(view.profile), stacks_(used_stacks(view)), rows_(all_rows(view)), out_(sink), json_(out_.text) {
    std::vector<bool> frames(p_.frames().size()), functions(p_.functions().size()), modules(p_.modules().size()),
        files(p_.strings().size()), threads(p_.threads().size()), processes(p_.processes().size()), events(p_.events().size());
    for (uint32_t row : stacks_.rows) {
      FrameId id = p_.stacks()[row].frame;
      const Frame& frame = p_[id];
      frames[id.value] = functions[frame.function.value] = true;
      if (frame.file.valid()) { files[frame.file.value] = true; }
      if (p_[frame.function].module.valid()) { modules[p_[frame.function].module.value] = true; }
    }
    for (uint32_t row : rows_) {
      const Sample& s = p_.samples()[row];
      threads[s.thread.value] = processes[p_[s.thread].process.value] = true;
    }
    for (const Selection& s : view.selections) {
      if (s.event.valid()) { events[s.event.value] = true; }
    }
    frames_ = number_rows(frames);
    functions_ = number_rows(functions);
    modules_ = number_rows(modules);
    files_ = number_rows(files);
    threads_ = number_rows(threads);
    processes_ = number_rows(processes);
    events_ = number_rows(events);
  }

  void run() {
    json_.begin_object();
    write_heading();
    write_code();
    write_stacks();
    write_samples();
    json_.line().end_object();
    out_.text += '\n';
    out_.finish();
  }

 private:
  template <typename Write>
  void list(std::string_view key, size_t rows, Write write) {
    json_.line().key(key).begin_array();
    for (uint32_t i = 0; i < rows && out_.step(); ++i) { write(i); }
    json_.end_array();
  }
  void index_or_null(uint32_t index) { index == kNoRow ? json_.null() : json_.value(index); }

  void write_heading() {
    Overview overview = compute_overview(p_, view_.first().event);
    json_.line().key("format").value("wick-profile").key("version").value(1).key("writer").value("wick " WICK_VERSION);
    json_.line().key("command").begin_array();
    for (const std::string& arg : p_.command()) { json_.value(arg); }
    json_.end_array();
    json_.line().key("imported_from").value(p_.imported_from());
    json_.line().key("filter").value(describe_filter(view_.filter));
    json_.line().key("start_wall_ns").value(p_.start_wall_ns()).key("duration_ns").value(overview.duration_ns);
    json_.key("has_times").value(p_.has_times());
    json_.line().key("lost").value(overview.lost).key("lost_known").value(overview.losses_known);
    json_.line().key("losses").begin_array();
    for (const Loss& loss : p_.losses()) {
      json_.begin_object().key("kind").value(p_.text(loss.kind)).key("count").value(loss.count);
      json_.key("samples").value(loss.samples).end_object();
    }
    json_.end_array();
    json_.line().key("warnings").begin_array();
    for (const std::string& warning : p_.warnings()) { json_.value(warning); }
    json_.end_array();
    list("events", events_.size(), [&](uint32_t i) {
      const Event& e = p_.events()[events_.rows[i]];
      json_.line().begin_object().key("name").value(p_.text(e.name)).key("unit").value(p_.text(e.unit));
      json_.key("rate_hz").value(e.rate_hz).key("divisor").value(e.divisor).end_object();
    });
    list("processes", processes_.size(), [&](uint32_t i) {
      const Process& x = p_.processes()[processes_.rows[i]];
      json_.line().begin_object().key("pid").value(x.pid).key("parent_pid").value(x.parent_pid);
      json_.key("name").value(p_.text(x.name)).end_object();
    });
    list("threads", threads_.size(), [&](uint32_t i) {
      const Thread& t = p_.threads()[threads_.rows[i]];
      json_.line().begin_object().key("process").value(processes_[t.process.value]).key("tid").value(t.tid);
      json_.key("name").value(p_.text(t.name)).end_object();
    });
  }

  void write_code() {
    list("modules", modules_.size(), [&](uint32_t i) {
      const Module& m = p_.modules()[modules_.rows[i]];
      json_.line().begin_object().key("name").value(p_.text(m.name)).key("path").value(p_.text(m.path));
      json_.key("build_id").value(p_.text(m.build_id)).key("kernel").value(m.kernel).end_object();
    });
    list("functions", functions_.size(), [&](uint32_t i) {
      const Function& f = p_.functions()[functions_.rows[i]];
      json_.line().begin_object().key("name").value(p_.text(f.name)).key("raw_name").value(p_.text(f.raw_name)).key("module");
      index_or_null(modules_[f.module.value]);
      json_.key("known").value(f.known).end_object();
    });
    list("files", files_.size(), [&](uint32_t i) { json_.line().value(p_.strings()[files_.rows[i]]); });
  }

  void write_stacks() {
    auto frame = [&](uint32_t i) -> const Frame& { return p_.frames()[frames_.rows[i]]; };
    size_t n = frames_.size();
    json_.line().key("frames").begin_object().key("length").value(n);
    list("function", n, [&](uint32_t i) { json_.value(functions_[frame(i).function.value]); });
    // As text: JSON readers have only 53 bits.
    list("address", n, [&](uint32_t i) {
      frame(i).address == 0 ? json_.null() : json_.value(strf("0x%llx", static_cast<unsigned long long>(frame(i).address)));
    });
    list("file", n, [&](uint32_t i) { index_or_null(files_[frame(i).file.value]); });
    list("line", n, [&](uint32_t i) { json_.value(frame(i).line); });
    list("column", n, [&](uint32_t i) { json_.value(frame(i).column); });
    list("inlined", n, [&](uint32_t i) { json_.value(frame(i).inlined); });
    json_.end_object();
    auto stack = [&](uint32_t i) -> const Stack& { return p_.stacks()[stacks_.rows[i]]; };
    json_.line().key("stacks").begin_object().key("length").value(stacks_.size());
    list("frame", stacks_.size(), [&](uint32_t i) { json_.value(frames_[stack(i).frame.value]); });
    list("caller", stacks_.size(), [&](uint32_t i) { index_or_null(stacks_[stack(i).caller.value]); });
    json_.end_object();
  }

  void write_samples() {
    auto sample = [&](uint32_t i) -> const Sample& { return p_.samples()[rows_[i]]; };
    size_t n = rows_.size();
    json_.line().key("samples").begin_object().key("length").value(n);
    if (p_.has_times()) {
      list("time_ns", n, [&](uint32_t i) { json_.value(sample_time(p_, sample(i), 0)); });
      list("cpu", n, [&](uint32_t i) { json_.value(sample(i).cpu); });
    }
    list("thread", n, [&](uint32_t i) { json_.value(threads_[sample(i).thread.value]); });
    list("stack", n, [&](uint32_t i) { json_.value(stacks_[sample(i).stack.value]); });
    list("event", n, [&](uint32_t i) { json_.value(events_[sample(i).event.value]); });
    list("weight", n, [&](uint32_t i) { json_.value(sample(i).weight); });
    list("count", n, [&](uint32_t i) { json_.value(sample(i).count); });
    json_.end_object();
  }

  const ExportView& view_;
  const Profile& p_;
  Numbering stacks_, frames_, functions_, modules_, files_, threads_, processes_, events_;
  std::vector<uint32_t> rows_;
  PieceWriter out_;
  JsonWriter json_;
};

}  // namespace

void write_profile_json(const ExportView& view, const Sink& sink) { ProfileJsonWriter(view, sink).run(); }

}  // namespace wick
