// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// speedscope's JSON: a table of frames, and for each thread its samples as lists of frames with weights. speedscope treats two
// frames of the table as two functions, so a frame here is a function with its file, without the sampled line.

#include <string>
#include <vector>

#include "analyze/overview.h"
#include "export/json_writer.h"
#include "export/writers.h"

namespace wick {
namespace {

std::string_view unit_word(std::string_view unit) {
  if (unit == "ns") { return "nanoseconds"; }
  if (unit == "us") { return "microseconds"; }
  if (unit == "ms") { return "milliseconds"; }
  if (unit == "s") { return "seconds"; }
  return unit == "bytes" ? "bytes" : "none";
}

class SpeedscopeWriter {
 public:
  SpeedscopeWriter(const ExportView& view, const Sink& sink)
      : p_(view.profile),
        selection_(view.first()),
        same_(compute_same_functions(p_)),
        number_(p_.functions().size(), kNoRow),
        out_(sink),
        json_(out_.text) {
    if (selection_.event.valid()) { event_ = p_[selection_.event]; }
    for (uint32_t old_row : used_stacks(view).rows) {
      uint32_t& number = number_[same_[p_[p_.stacks()[old_row].frame].function.value].value];
      if (number == kNoRow) {
        number = static_cast<uint32_t>(functions_.size());
        functions_.push_back(same_[p_[p_.stacks()[old_row].frame].function.value]);
      }
    }
  }

  void run() {
    Overview overview = compute_overview(p_, selection_.event);
    json_.begin_object();
    json_.line().key("$schema").value("https://www.speedscope.app/file-format-schema.json");
    json_.line().key("exporter").value("wick " WICK_VERSION);
    json_.line().key("name").value(overview.title.empty() ? std::string_view("profile") : std::string_view(overview.title));
    json_.line().key("activeProfileIndex").value(0);
    json_.line().key("shared").begin_object().key("frames").begin_array();
    write_frames();
    json_.end_array().end_object();
    json_.line().key("profiles").begin_array();
    std::vector<ThreadRows> threads = rows_by_thread(p_, selection_);
    if (threads.empty()) { threads.push_back({}); }  // the viewer rejects a file without one
    for (const ThreadRows& thread : threads) {
      write_thread(thread);
      if (!out_.step()) { return; }
    }
    json_.end_array();
    json_.line().end_object();
    out_.text += '\n';
    out_.finish();
  }

 private:
  void write_frames() {
    std::vector<StringId> files = files_of_functions(p_, same_);
    for (FunctionId f : functions_) {
      json_.line().begin_object().key("name").value(function_text(p_, f));
      ModuleId module = p_[f].module;
      std::string_view path = module.valid() ? p_.text(p_[module].path) : std::string_view();
      std::string_view file = files[f.value].valid() ? p_.text(files[f.value]) : path;
      if (!file.empty()) { json_.key("file").value(file); }
      json_.end_object();
      if (!out_.step()) { return; }
    }
  }

  void write_weight(int64_t weight) {
    if (event_.divisor <= 1) {
      json_.value(weight);
    } else {
      json_.value(static_cast<double>(weight) / static_cast<double>(event_.divisor));
    }
  }

  void write_thread(const ThreadRows& thread) {
    std::string title = thread.thread.valid() ? thread_title(p_, p_[thread.thread]) : std::string();
    json_.line().begin_object().key("type").value("sampled");
    json_.key("name").value(title.empty() ? std::string_view("all") : std::string_view(title));
    json_.key("unit").value(unit_word(p_.text(event_.unit)));
    int64_t end = 0;
    for (uint32_t row : thread.rows) { end += p_.samples()[row].weight; }
    json_.key("startValue").value(0).key("endValue");
    write_weight(end);
    json_.line().key("samples").begin_array();
    std::vector<uint32_t> stack;
    bool first = true;
    for (uint32_t row : thread.rows) {
      stack.clear();
      for (StackId id = p_.samples()[row].stack; id.valid(); id = p_[id].caller) {
        stack.push_back(number_[same_[p_[p_[id].frame].function.value].value]);
      }
      // Most of the file, so formatted without JsonWriter, which takes several times as long.
      out_.text += first ? "[" : ",\n[";
      first = false;
      for (size_t i = stack.size(); i-- > 0;) {
        append_number(out_.text, stack[i]);
        if (i > 0) { out_.text += ','; }
      }
      out_.text += ']';
      if (!out_.step()) { return; }
    }
    json_.end_array();
    json_.line().key("weights").begin_array();
    for (uint32_t row : thread.rows) {
      write_weight(p_.samples()[row].weight);
      if (!out_.step()) { return; }
    }
    json_.end_array().end_object();
  }

  const Profile& p_;
  const Selection& selection_;
  Event event_{};
  std::vector<FunctionId> same_, functions_;
  std::vector<uint32_t> number_;  // of functions in the file
  PieceWriter out_;
  JsonWriter json_;
};

}  // namespace

void write_speedscope(const ExportView& view, const Sink& sink) { SpeedscopeWriter(view, sink).run(); }

}  // namespace wick
