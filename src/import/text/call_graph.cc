// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "import/text/call_graph.h"

#include <algorithm>
#include <cmath>
#include <queue>

namespace wick {
namespace {

constexpr size_t kMostNodes = 200'000, kMostWork = 40'000'000, kMostDepth = 2000;
constexpr double kLeastShare = 1e-7;  // of the total: smaller nodes are not unfolded

int64_t saturated(int64_t a, int64_t b) {
  int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

}  // namespace

uint32_t CallGraph::add_function(FunctionId function, StringId file, ThreadId thread) {
  rows_.push_back({function, file, thread});
  return static_cast<uint32_t>(rows_.size() - 1);
}

void CallGraph::add_self(uint32_t function, Place place, const std::vector<int64_t>& costs) {
  std::pair<uint64_t, uint64_t> key{uint64_t{function} << 32 | place.file, place.line};
  auto [it, fresh] = self_index_.try_emplace(key, rows_[function].self.size());
  if (fresh) {
    rows_[function].self.push_back({place, costs_.size()});
    costs_.insert(costs_.end(), costs.begin(), costs.end());
    return;
  }
  int64_t* sums = costs_.data() + rows_[function].self[it->second].costs;
  for (size_t i = 0; i < columns_; ++i) { sums[i] = saturated(sums[i], costs[i]); }
}

void CallGraph::add_call(uint32_t caller, uint32_t callee, const std::vector<int64_t>& costs) {
  auto [it, fresh] = call_index_.try_emplace({caller, callee}, rows_[caller].calls.size());
  if (fresh) {
    rows_[caller].calls.push_back({callee, costs_.size()});
    costs_.insert(costs_.end(), costs.begin(), costs.end());
    return;
  }
  int64_t* sums = costs_.data() + rows_[caller].calls[it->second].costs;
  for (size_t i = 0; i < columns_; ++i) { sums[i] = saturated(sums[i], costs[i]); }
}

class GraphUnfolder {
 public:
  GraphUnfolder(const CallGraph& graph, ProfileBuilder& b, const std::vector<CallGraph::Column>& columns, ThreadId thread)
      : g_(graph), b_(b), of_(columns), thread_(thread), n_(graph.columns_) {
    left_ = g_.costs_;
    exact_.assign(g_.costs_.size(), 0);
  }

  void run() {
    compute_sums();
    unfold();
    place_the_rest();
  }

 private:
  struct Node {
    uint32_t function;
    uint32_t parent;  // row of a node
    uint32_t depth;
    StackId stack;  // of its function, without a line; invalid for threads
    ThreadId thread;
    size_t share;  // first of its columns in shares_
  };
  static constexpr uint32_t kNone = UINT32_MAX;

  void compute_sums() {
    size_t rows = g_.rows_.size();
    self_.assign(rows * n_, 0);
    out_.assign(rows * n_, 0);
    in_.assign(rows * n_, 0);
    whole_.assign(n_, 0);
    heaviest_caller_.assign(rows, kNone);
    std::vector<double> heaviest(rows, -1);
    for (uint32_t f = 0; f < rows; ++f) {
      for (const CallGraph::Self& self : g_.rows_[f].self) {
        for (size_t i = 0; i < n_; ++i) {
          self_[f * n_ + i] += static_cast<double>(g_.costs_[self.costs + i]);
          whole_[i] += static_cast<double>(g_.costs_[self.costs + i]);
        }
      }
      for (const CallGraph::Call& call : g_.rows_[f].calls) {
        if (call.callee == f) { continue; }
        for (size_t i = 0; i < n_; ++i) {
          out_[f * n_ + i] += static_cast<double>(g_.costs_[call.costs + i]);
          in_[call.callee * n_ + i] += static_cast<double>(g_.costs_[call.costs + i]);
        }
        double weight = static_cast<double>(g_.costs_[call.costs]);
        if (weight > heaviest[call.callee]) {
          heaviest[call.callee] = weight;
          heaviest_caller_[call.callee] = f;
        }
      }
    }
  }

  bool is_on_path(uint32_t node, uint32_t function) const {
    for (; node != kNone; node = nodes_[node].parent) {
      if (nodes_[node].function == function) { return true; }
    }
    return false;
  }

  // Its largest share over all columns.
  double part(size_t share) const {
    double most = 0;
    for (size_t i = 0; i < n_; ++i) { most = std::max(most, whole_[i] > 0 ? shares_[share + i] / whole_[i] : 0); }
    return most;
  }

  void add_node(uint32_t function, uint32_t parent, size_t share) {
    const CallGraph::Row& row = g_.rows_[function];
    Node node{function, parent, parent == kNone ? 0 : nodes_[parent].depth + 1, {}, row.thread.valid() ? row.thread : thread_,
              share};
    if (parent != kNone) {
      node.stack = nodes_[parent].stack;
      if (!row.thread.valid()) { node.thread = nodes_[parent].thread; }
    }
    if (!row.thread.valid()) { node.stack = b_.stack(frame(row, {}), node.stack); }
    queue_.push({part(share), static_cast<uint32_t>(nodes_.size())});
    nodes_.push_back(node);
  }

  void unfold() {
    for (uint32_t f = 0; f < g_.rows_.size(); ++f) {
      size_t share = shares_.size();
      bool any = false;
      for (size_t i = 0; i < n_; ++i) {
        double not_called = std::max(0.0, self_[f * n_ + i] + out_[f * n_ + i] - in_[f * n_ + i]);
        // Sums of large numbers have rounding errors.
        if (not_called < 1e-9 * (self_[f * n_ + i] + out_[f * n_ + i])) { not_called = 0; }
        shares_.push_back(not_called);
        any = any || not_called > 0;
      }
      if (any) {
        add_node(f, kNone, share);
      } else {
        shares_.resize(share);
      }
    }
    size_t work = 0;
    while (!queue_.empty() && work < kMostWork) {
      uint32_t at = queue_.top().second;
      double size = queue_.top().first;
      queue_.pop();
      if (size < kLeastShare) { break; }
      work += unfold_node(at);
    }
  }

  // Whole units of a cost for one more node. Nodes compete for a single sample with their share as the probability; an evenly
  // spread sequence replaces random numbers. (Always choosing the heaviest would take everything from the others.)
  int64_t take_part(size_t cost, double factor) {
    constexpr double kSpread = 0.6180339887498949;
    exact_[cost] += static_cast<double>(g_.costs_[cost]) * std::min(1.0, factor);
    double lot = static_cast<double>(cost) * kSpread, due = exact_[cost] + (lot - std::floor(lot)) + 1e-6;
    int64_t had = g_.costs_[cost] - left_[cost];
    return due >= 9e18 ? left_[cost] : std::clamp<int64_t>(static_cast<int64_t>(due) - had, 0, left_[cost]);
  }

  size_t unfold_node(uint32_t at) {
    uint32_t f = nodes_[at].function;
    const CallGraph::Row& row = g_.rows_[f];
    size_t share = nodes_[at].share;
    // The total to distribute: self cost and followed calls.
    std::vector<double> sum(self_.begin() + static_cast<ptrdiff_t>(f * n_), self_.begin() + static_cast<ptrdiff_t>((f + 1) * n_));
    std::vector<const CallGraph::Call*> followed;
    size_t work = 1 + row.self.size() + row.calls.size() * (1 + nodes_[at].depth / 8);
    for (const CallGraph::Call& call : row.calls) {
      if (is_on_path(at, call.callee)) { continue; }
      followed.push_back(&call);
      for (size_t i = 0; i < n_; ++i) { sum[i] += static_cast<double>(g_.costs_[call.costs + i]); }
    }
    std::vector<double> factor(n_);
    for (size_t i = 0; i < n_; ++i) { factor[i] = sum[i] > 0 ? shares_[share + i] / sum[i] : 0; }
    for (const CallGraph::Self& self : row.self) {
      std::vector<int64_t> costs(n_);
      for (size_t i = 0; i < n_; ++i) { costs[i] = take_part(self.costs + i, factor[i]); }
      // The cost of samples goes with them.
      for (size_t i = 0; i < n_; ++i) {
        size_t samples = of_[i].samples;
        if (samples == CallGraph::kNone || g_.costs_[self.costs + samples] <= 0) { continue; }
        double all = static_cast<double>(g_.costs_[self.costs + i]), of = static_cast<double>(g_.costs_[self.costs + samples]);
        double due = all * (of - static_cast<double>(left_[self.costs + samples] - costs[samples])) / of;
        int64_t had = g_.costs_[self.costs + i] - left_[self.costs + i];
        bool is_last = left_[self.costs + samples] == costs[samples];
        costs[i] =
            is_last ? left_[self.costs + i] : std::clamp<int64_t>(static_cast<int64_t>(due) - had, 0, left_[self.costs + i]);
      }
      for (size_t i = 0; i < n_; ++i) { left_[self.costs + i] -= costs[i]; }
      emit(nodes_[at].thread, row, nodes_[at].parent == kNone ? StackId{} : nodes_[nodes_[at].parent].stack, self.place, costs);
    }
    if (nodes_[at].depth >= kMostDepth) { return work; }
    for (const CallGraph::Call* call : followed) {
      if (nodes_.size() >= kMostNodes) { break; }
      size_t mine = shares_.size();
      bool any = false;
      for (size_t i = 0; i < n_; ++i) {
        shares_.push_back(static_cast<double>(g_.costs_[call->costs + i]) * factor[i]);
        any = any || shares_.back() > 0;
      }
      if (any) {
        add_node(call->callee, at, mine);
      } else {
        shares_.resize(mine);
      }
    }
    return work;
  }

  FrameId frame(const CallGraph::Row& row, const CallGraph::Place& place) {
    StringId file = place.file == UINT32_MAX ? row.file : StringId{place.file};
    return b_.frame({.function = row.function, .file = file, .line = place.line});
  }

  void emit(ThreadId thread, const CallGraph::Row& row, StackId caller, const CallGraph::Place& place,
            const std::vector<int64_t>& costs) {
    bool any = std::any_of(costs.begin(), costs.end(), [](int64_t c) { return c > 0; });
    if (!any) { return; }
    StackId stack = row.thread.valid() ? caller : b_.stack(frame(row, place), caller);
    std::vector<bool>& counted = counted_;
    counted.assign(n_, false);
    for (size_t i = 0; i < n_; ++i) {
      if (!of_[i].event.valid() || costs[i] <= 0) { continue; }
      uint64_t count = of_[i].counts ? static_cast<uint64_t>(costs[i]) : 1;
      if (of_[i].samples != CallGraph::kNone) {
        count = static_cast<uint64_t>(std::max<int64_t>(1, costs[of_[i].samples]));
        counted[of_[i].samples] = true;
      }
      b_.add_sample({.thread = thread, .stack = stack, .event = of_[i].event, .weight = costs[i], .count = count});
    }
    // Samples without a cost still count.
    for (size_t i = 0; i < n_; ++i) {
      size_t samples = of_[i].samples;
      bool none = !of_[i].event.valid() || samples == CallGraph::kNone;
      if (none || counted[samples] || costs[samples] <= 0) { continue; }
      counted[samples] = true;
      uint64_t count = static_cast<uint64_t>(costs[samples]);
      b_.add_sample({.thread = thread, .stack = stack, .event = of_[i].event, .weight = 0, .count = count});
    }
  }

  // Places the rest below the heaviest callers, without cycles.
  void place_the_rest() {
    std::vector<uint32_t> path, mark(g_.rows_.size(), kNone);
    std::vector<int64_t> costs(n_);
    size_t work = 0, most_work = std::min(kMostWork, 4'000'000 + 8 * g_.rows_.size());
    for (uint32_t f = 0; f < g_.rows_.size(); ++f) {
      const CallGraph::Row& row = g_.rows_[f];
      bool any = false;
      for (const CallGraph::Self& self : row.self) {
        for (size_t i = 0; i < n_; ++i) { any = any || left_[self.costs + i] > 0; }
      }
      if (!any) { continue; }
      path.clear();
      mark[f] = f;
      // A path may be as long as the graph: all paths together must not be quadratic.
      for (uint32_t c = heaviest_caller_[f]; c != kNone && mark[c] != f && path.size() < kMostDepth && work < most_work;
           c = heaviest_caller_[c], ++work) {
        mark[c] = f;
        path.push_back(c);
      }
      StackId caller;
      ThreadId thread = thread_;
      for (size_t i = path.size(); i-- > 0;) {
        const CallGraph::Row& above = g_.rows_[path[i]];
        if (above.thread.valid()) {
          thread = above.thread;
        } else {
          caller = b_.stack(frame(above, {}), caller);
        }
      }
      for (const CallGraph::Self& self : row.self) {
        for (size_t i = 0; i < n_; ++i) { costs[i] = left_[self.costs + i]; }
        emit(thread, row, caller, self.place, costs);
      }
    }
  }

  const CallGraph& g_;
  ProfileBuilder& b_;
  const std::vector<CallGraph::Column>& of_;
  ThreadId thread_;
  size_t n_;
  std::vector<bool> counted_;            // sample columns already added for the current row
  std::vector<int64_t> left_;            // of each self cost: what is not placed yet
  std::vector<double> exact_;            // of each self cost: the exact share of nodes so far
  std::vector<double> self_, in_, out_;  // per function and column
  std::vector<double> whole_, shares_;
  std::vector<uint32_t> heaviest_caller_;
  std::vector<Node> nodes_;
  std::priority_queue<std::pair<double, uint32_t>> queue_;
};

void CallGraph::add_to(ProfileBuilder& b, const std::vector<Column>& columns, ThreadId thread) const {
  GraphUnfolder(*this, b, columns, thread).run();
}

}  // namespace wick
