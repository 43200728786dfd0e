// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Chrome's .cpuprofile: a call tree, the node of every sample, and the microseconds between samples.
//
// The format has one timeline, on which a sample lasts until the next. With wall clock times, a function would be charged for the
// sleep after it, and concurrent threads for each other. So time is the cost of samples, end to end, thread after thread: every
// viewer's sums are then the profile's. With several threads, each has a node below the root. Costs that are not nanoseconds
// count as a microsecond per unit.

#include <tsl/robin_map.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/hash.h"
#include "export/json_writer.h"
#include "export/writers.h"

namespace wick {
namespace {

struct Node {
  FunctionId function{};  // invalid: root and thread nodes
  ThreadId thread{};
  uint64_t hits = 0;
  std::vector<uint32_t> children{};
};

class CpuprofileWriter {
 public:
  CpuprofileWriter(const ExportView& view, const Sink& sink)
      : p_(view.profile),
        selection_(view.first()),
        repeat_(repeats_rows(view)),
        same_(compute_same_functions(p_)),
        files_(files_of_functions(p_, same_)),
        out_(sink),
        json_(out_.text) {
    if (selection_.event.valid()) { event_ = p_[selection_.event]; }
  }

  void run() {
    build();
    json_.begin_object();
    json_.line().key("nodes").begin_array();
    for (uint32_t i = 0; i < nodes_.size() && out_.step(); ++i) { write_node(i); }
    json_.end_array();
    json_.line().key("startTime").value(0);
    json_.line().key("samples").begin_array();
    each_sample([&](uint32_t node, int64_t) { json_.value(node + 1); });
    json_.end_array();
    // The delta before a sample is the previous sample's cost in microseconds; the remainder carries over.
    uint64_t end_us = 0, told_us = 0;
    __int128 sum = 0;
    json_.line().key("timeDeltas").begin_array();
    each_sample([&](uint32_t, int64_t weight) {
      json_.value(end_us - told_us);
      told_us = end_us;
      sum += std::max<int64_t>(0, weight);
      __int128 us = sum / std::max<uint64_t>(1, event_.divisor) / (p_.text(event_.unit) == "ns" ? 1000 : 1);
      end_us = us > INT64_MAX ? static_cast<uint64_t>(INT64_MAX) : static_cast<uint64_t>(us);
    });
    json_.end_array();
    json_.line().key("endTime").value(end_us);
    json_.line().end_object();
    out_.text += '\n';
    out_.finish();
  }

 private:
  void build() {
    nodes_.push_back({});
    threads_ = rows_by_thread(p_, selection_);
    std::vector<uint32_t> of_stack(p_.stacks().size()), seen_by(p_.stacks().size(), kNoRow);
    std::vector<StackId> path;
    for (uint32_t t = 0; t < threads_.size(); ++t) {
      uint32_t root = 0;
      if (threads_.size() > 1) { root = add_child(0, {.function = {}, .thread = threads_[t].thread}); }
      tsl::robin_map<uint64_t, uint32_t, NumberHash> children;  // parent << 32 | function
      for (uint32_t row : threads_[t].rows) {
        const Sample& s = p_.samples()[row];
        StackId id = s.stack;
        path.clear();
        for (; id.valid() && seen_by[id.value] != t; id = p_[id].caller) { path.push_back(id); }
        uint32_t node = id.valid() ? of_stack[id.value] : root;
        for (size_t i = path.size(); i-- > 0;) {
          FunctionId f = same_[p_[p_[path[i]].frame].function.value];
          auto [it, fresh] = children.try_emplace(uint64_t{node} << 32 | f.value, 0);
          if (fresh) { it.value() = add_child(node, {.function = f}); }
          node = it->second;
          of_stack[path[i].value] = node;
          seen_by[path[i].value] = t;
        }
        nodes_[node].hits += s.count;
        const Frame& frame = p_[p_[s.stack].frame];
        if (frame.line != 0) { ticks_[{node, frame.line}] += s.count; }
        node_of_sample_.push_back(node);
      }
    }
  }

  uint32_t add_child(uint32_t parent, Node node) {
    uint32_t id = static_cast<uint32_t>(nodes_.size());
    nodes_.push_back(std::move(node));
    nodes_[parent].children.push_back(id);
    return id;
  }

  template <typename Use>
  void each_sample(Use use) {
    size_t i = 0;
    for (const ThreadRows& thread : threads_) {
      for (uint32_t row : thread.rows) {
        const Sample& s = p_.samples()[row];
        uint64_t times = repeat_ ? std::max<uint64_t>(1, s.count) : 1;
        for (uint64_t n = 0; n < times && out_.step(); ++n) { use(node_of_sample_[i], part_of(s.weight, n, times)); }
        ++i;
      }
    }
  }

  void write_node(uint32_t id) {
    const Node& node = nodes_[id];
    std::string name = node.thread.valid() ? thread_title(p_, p_[node.thread]) : "(root)", url;
    if (node.thread.valid() && name.empty()) { name = "(thread)"; }
    if (node.function.valid()) {
      name = function_text(p_, node.function);
      ModuleId module = p_[node.function].module;
      StringId file = files_[node.function.value];
      url = file.valid() ? p_.text(file) : module.valid() ? p_.text(p_[module].path) : std::string_view();
    }
    json_.line().begin_object().key("id").value(id + 1).key("callFrame").begin_object();
    json_.key("functionName").value(name).key("scriptId").value("0").key("url").value(url);
    json_.key("lineNumber").value(-1).key("columnNumber").value(-1).end_object();
    json_.key("hitCount").value(node.hits);
    if (!node.children.empty()) {
      json_.key("children").begin_array();
      for (uint32_t child : node.children) { json_.value(child + 1); }
      json_.end_array();
    }
    auto tick = ticks_.lower_bound({id, 0});
    if (tick != ticks_.end() && tick->first.first == id) {
      json_.key("positionTicks").begin_array();
      for (; tick != ticks_.end() && tick->first.first == id; ++tick) {
        json_.begin_object().key("line").value(tick->first.second).key("ticks").value(tick->second).end_object();
      }
      json_.end_array();
    }
    json_.end_object();
  }

  const Profile& p_;
  const Selection& selection_;
  bool repeat_;
  Event event_{};
  std::vector<FunctionId> same_;
  std::vector<StringId> files_;
  std::vector<ThreadRows> threads_;
  std::vector<Node> nodes_;
  std::vector<uint32_t> node_of_sample_;                     // thread after thread
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> ticks_;  // (node, line) -> samples
  PieceWriter out_;
  JsonWriter json_;
};

}  // namespace

void write_cpuprofile(const ExportView& view, const Sink& sink) { CpuprofileWriter(view, sink).run(); }

}  // namespace wick
