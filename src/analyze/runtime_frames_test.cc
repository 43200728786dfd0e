// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/runtime_frames.h"

#include <gtest/gtest.h>

#include "analyze/call_tree.h"
#include "analyze/flame_tree.h"
#include "model/testing.h"

namespace wick {
namespace {

using testing_profile::profile_of;
using Lines = std::vector<std::string>;

// The stacks of all samples, ";" between frames, "{n}" for n folded ones; checks that samples and costs are the same.
Lines folded(const Profile& p, std::span<const FunctionId> keep = {}) {
  Profile f = fold_runtime_frames(p, keep);
  check_profile(f);
  Selection before = *select_samples(p), after = *select_samples(f);
  EXPECT_EQ(before.samples, after.samples);
  EXPECT_EQ(before.weight, after.weight);
  Lines out;
  for (const Sample& s : f.samples()) {
    std::string text;
    for (StackId at = s.stack; at.valid(); at = f[at].caller) {
      const Frame& frame = f[f[at].frame];
      std::string name =
          frame.folded > 0 ? "{" + std::to_string(frame.folded) + "}" : std::string(f.text(f[frame.function].name));
      text = text.empty() ? name : name + ";" + text;
    }
    if (out.empty() || out.back() != text) { out.push_back(text); }
  }
  return out;
}
Lines folded(const Lines& lines) { return folded(profile_of(lines)); }

TEST(RuntimeFrames, StartOfProgramsAndThreads) {
  EXPECT_EQ(folded({"t;_start;libc.so.6`__libc_start_main_impl;libc.so.6`__libc_start_call_main;main;work 1"}),
            Lines{"{3};main;work"});
  EXPECT_EQ(folded({"t;libc.so.6`clone3;libc.so.6`start_thread;worker;work 1"}), Lines{"{2};worker;work"});
  EXPECT_EQ(folded({"t;libc.so.6`__clone;libpthread.so.0`start_thread;worker 1"}), Lines{"{2};worker"});
}

TEST(RuntimeFrames, Rust) {
  EXPECT_EQ(folded({"t;_start;libc.so.6`__libc_start_main;libc.so.6`__libc_start_call_main;main;std::rt::lang_start_internal;"
                    "std::panic::catch_unwind<i32, F>;std::panicking::try::do_call<F, i32>;"
                    "<&dyn core::ops::function::Fn<(), Output = i32> as core::ops::function::FnOnce<()>>::call_once;"
                    "std::rt::lang_start<()>::{{closure}};std::sys::backtrace::__rust_begin_short_backtrace<fn(), ()>;"
                    "core::ops::function::FnOnce::call_once::h0123456789abcdef;app::main;app::work 1"}),
            Lines{"{11};app::main;app::work"});
  EXPECT_EQ(folded({"t;libc.so.6`clone3;libc.so.6`start_thread;std::sys::pal::unix::thread::Thread::new::thread_start;"
                    "<alloc::boxed::Box<F,A> as core::ops::function::FnOnce<Args>>::call_once;"
                    "core::ops::function::FnOnce::call_once{{vtable.shim}};std::thread::Builder::spawn_unchecked_::{{closure}};"
                    "std::sys_common::backtrace::__rust_begin_short_backtrace;app::main::{{closure}};app::work 1"}),
            Lines{"{7};app::main::{{closure}};app::work"});
  EXPECT_EQ(folded({"t;app::main;tokio::runtime::runtime::Runtime::block_on;tokio::runtime::context::runtime::enter_runtime;"
                    "std::thread::local::LocalKey<T>::with;tokio::runtime::task::harness::Harness<T,S>::poll;"
                    "<core::pin::Pin<P> as core::future::future::Future>::poll;app::serve::{{closure}};app::parse 1"}),
            Lines{"app::main;{5};app::serve::{{closure}};app::parse"});
  EXPECT_EQ(folded({"t;app::main;rayon::iter::ParallelIterator::for_each;rayon_core::registry::in_worker;"
                    "rayon::iter::plumbing::bridge_producer_consumer::helper;rayon_core::join::join_context::{{closure}};"
                    "<rayon::iter::for_each::ForEachConsumer<F> as rayon::iter::plumbing::Folder<T>>::consume;app::step 1"}),
            Lines{"app::main;{5};app::step"});
}

TEST(RuntimeFrames, Cxx) {
  EXPECT_EQ(
      folded({"t;main;std::function<void (int)>::operator()(int) const;std::_Function_handler<void (int), "
              "main::{lambda(int)#1}>::_M_invoke(std::_Any_data const&, int&&);void std::__invoke_impl<void, "
              "main::{lambda(int)#1}&, int>(std::__invoke_other, main::{lambda(int)#1}&, int&&);main::{lambda(int)#1}::operator()"
              "(int) const;work 1"}),
      Lines{"main;{3};main::{lambda(int)#1}::operator()(int) const;work"});
  // libstdc++ has no symbol for the start of a thread.
  EXPECT_EQ(
      folded({"t;libc.so.6`clone3;libc.so.6`start_thread;libstdc++.so.6`[libstdc++.so.6+0xd44];"
              "std::thread::_State_impl<std::thread::_Invoker<std::tuple<void (*)()> > >::_M_run();"
              "std::thread::_Invoker<std::tuple<void (*)()> >::operator()();std::__invoke<void (*)()>(void (*&&)());worker 1"}),
      Lines{"{6};worker"});
  EXPECT_EQ(
      folded({"t;main;std::__1::function<void ()>::operator()() const;std::__1::__function::__func<F, A, void ()>::operator()"
              "();work 1"}),
      Lines{"main;{2};work"});
}

// Programs may have functions with similar names.
TEST(RuntimeFrames, KeepsFunctionsOfTheProgram) {
  for (const char* line : {
           "t;main;start_thread;clone3;run",                    // not libc's
           "t;main;libc.so.6`pthread_create;libc.so.6`clone3",  // a call, not the start of a thread
           "t;main;_start;__libc_start_other;run",              // not at the root
           "t;main;my::std::function<void ()>::operator()();my::std::__invoke<F>(F);run",
           "t;main;std::functional<int>::operator()(int);std::invoke_all<F>(F);run",
           "t;main;std_rt::lang_start;std::rtx::lang_start::{{closure}};run",
           "t;main;tokio_stream::runtime::poll;app::tokio::runtime::task::poll;run",
           "t;main;rayon_corex::join;my_rayon::iter::plumbing::bridge;run",
           "t;main;core::ops::function::FnOnce::call_once;std::panic::catch_unwind;run",  // called by the program
           "t;main;<app::Job as core::ops::function::FnOnce<()>>::call_once;app::tokio::runtime::run;run",
           "t;main;libstdc++.so.6`[libstdc++.so.6+0x10];libstdc++.so.6`[libstdc++.so.6+0x20];run",
           "t;main;std::sort<int*>(int*, int*);std::__introsort_loop<int*>(int*, int*, long);run",
           "t;[kernel]`start_thread;[kernel]`start_thread;run",
       }) {
    std::string text = std::string(line).substr(2), plain;
    for (std::string_view frame : split(text, ';')) {
      size_t tick = frame.find('`');
      plain += (plain.empty() ? "" : ";") + std::string(tick == frame.npos ? frame : frame.substr(tick + 1));
    }
    EXPECT_EQ(folded({std::string(line) + " 1"}), Lines{plain});
  }
}

TEST(RuntimeFrames, RuntimeSelfCostIsVisible) {
  EXPECT_EQ(folded({"t;rayon_core::registry::a;rayon_core::registry::b;rayon_core::sleep::park 3",
                    "t;rayon_core::registry::a;rayon_core::registry::b 2", "t;rayon_core::registry::a 1"}),
            (Lines{"{2};rayon_core::sleep::park", "rayon_core::registry::a;rayon_core::registry::b", "rayon_core::registry::a"}));
}

TEST(RuntimeFrames, SingleFramesAreNotFolded) {
  EXPECT_EQ(folded({"t;main;std::function<void ()>::operator()() const;work 1"}),
            Lines{"main;std::function<void ()>::operator()() const;work"});
}

TEST(RuntimeFrames, KeepsListedFunctions) {
  Profile p = profile_of({"t;main;std::__invoke<F>(F);std::__invoke_impl<F>(F);std::invoke<F>(F);work 1"});
  std::vector<FunctionId> keep = {p[p[p[p.samples()[0].stack].caller].frame].function};
  EXPECT_EQ(folded(p, keep), Lines{"main;{2};std::invoke<F>(F);work"});
}

// Threads are not callees of the program's start.
TEST(RuntimeFrames, StartsAreSeparate) {
  Profile p = fold_runtime_frames(
      profile_of({"t;_start;libc.so.6`__libc_start_main;main 2", "u;libc.so.6`clone3;libc.so.6`start_thread;run 1",
                  "u;libc.so.6`clone3;libc.so.6`start_thread;std::__invoke<F>(F);run 1"}));
  CallTree tree = compute_call_tree(p, *select_samples(p));
  Lines names;
  for (uint32_t c = tree.nodes[0].first_child; c != CallNode::kNone; c = tree.nodes[c].next_sibling) {
    names.push_back(describe_folded(tree.nodes[c].folded, node_name(p, tree, tree.nodes[c])));
  }
  EXPECT_EQ(names, (Lines{"2 runtime frames (program start)", "2-3 runtime frames (thread start)"}));
}

TEST(RuntimeFrames, TreesShowTheNumber) {
  Profile p = fold_runtime_frames(profile_of({"t;main;std::__invoke<F>(F);std::__invoke_impl<F>(F);work;f 2",
                                              "t;main;std::invoke<F>(F);std::__invoke<F>(F);std::__invoke_impl<F>(F);work;f 3"}));
  Selection all = *select_samples(p);
  CallTree tree = compute_call_tree(p, all);
  ASSERT_EQ(tree.nodes.size(), 5u);  // one path, though one stack is longer
  EXPECT_EQ(describe_folded(tree.nodes[2].folded), "2-3 runtime frames");
  EXPECT_EQ(tree.nodes[2].total.samples, 5u);
  FlameTree flames = compute_flame_tree(p, all);
  ASSERT_EQ(flames.nodes.size(), 5u);
  EXPECT_EQ(node_name(p, flames, flames.nodes[2]), "… 2-3 runtime frames");
  EXPECT_EQ(flames.nodes[2].total.samples, 5u);
  EXPECT_EQ(describe_folded({7, 7}), "7 runtime frames");
}

}  // namespace
}  // namespace wick
