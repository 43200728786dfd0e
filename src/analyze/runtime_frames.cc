// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/runtime_frames.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "analyze/diff_name.h"
#include "model/function_name.h"
#include "model/profile_builder.h"

namespace wick {
namespace {

enum class Role : uint8_t {
  kProgram,
  kRuntime,
  kGlue,       // a runtime frame only if a runtime calls it: programs use it as well
  kOutermost,  // a runtime frame only at the root
  kMain,       // a runtime frame only if it calls kLangStart: rustc's main
  kLangStart,
};

bool is_any(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}
bool starts_with_any(std::string_view name, std::initializer_list<std::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(), [&](std::string_view p) { return name.starts_with(p); });
}
bool is_libc(std::string_view module) {
  return starts_with_any(module, {"libc.so", "libc-2.", "libpthread.so", "libpthread-2.", "ld-musl-", "libc.musl-"});
}

// Drops return types and the standard library's inline namespaces.
std::string plain_name(std::string_view name) {
  std::string plain = short_name(name_without_hash(name));
  size_t scope = plain.find(" std::");
  if (scope != plain.npos && plain.find_first_of("<({") > scope) { plain.erase(0, scope + 1); }
  for (std::string_view version : {"std::__1::", "std::__ndk1::", "std::__cxx11::"}) {
    if (plain.starts_with(version)) { plain.replace(0, version.size(), "std::"); }
  }
  return plain;
}

// The name of a chain that begins with this function.
std::string_view chain_name(std::string_view name) {
  if (is_any(name, {"_start", "__libc_start_main", "__libc_start_main_impl", "__libc_start_call_main"})) { return kProgramStart; }
  bool thread = is_any(name, {"clone", "__clone", "clone3", "__clone3", "thread_start", "start_thread", "std::__thread_proxy",
                              "execute_native_thread_routine"}) ||
                name.ends_with("::Thread::new::thread_start");
  return thread ? kThreadStart : kRuntimeFrames;
}

Role libc_role(std::string_view name, std::string_view module) {
  // Reserved names: programs cannot define them.
  if (is_any(name, {"__libc_start_main", "__libc_start_main_impl", "__libc_start_call_main"})) { return Role::kRuntime; }
  if (name == "_start") { return Role::kOutermost; }
  if (name == "main") { return Role::kMain; }
  if (!is_libc(module)) { return Role::kProgram; }
  if (is_any(name, {"clone", "__clone", "clone3", "__clone3", "thread_start"})) { return Role::kOutermost; }
  if (name == "start_thread") { return Role::kRuntime; }
  if (is_any(name, {"start", "start_c11", "libc_start_main_stage2"})) { return Role::kGlue; }
  bool once = is_any(name, {"pthread_once", "__pthread_once", "__pthread_once_slow", "___pthread_once"});
  return once ? Role::kGlue : Role::kProgram;
}

Role cxx_role(std::string_view name) {
  if (starts_with_any(name, {"std::__future_base::", "std::once_flag::_Prepare_execution::", "std::call_once::{lambda",
                             "std::thread::_Invoker::", "std::__function::__func::", "std::__function::__value_func::",
                             "std::__function::__policy_", "std::__function::__alloc_func::"})) {
    return Role::kRuntime;
  }
  bool exact = is_any(name, {"std::function::operator()",
                             "std::_Function_handler::_M_invoke",
                             "std::move_only_function::operator()",
                             "std::invoke",
                             "std::invoke_r",
                             "std::__invoke",
                             "std::__invoke_impl",
                             "std::__invoke_r",
                             "std::apply",
                             "std::__apply_impl",
                             "std::_Bind::operator()",
                             "std::_Bind::__call",
                             "std::_Bind_result::operator()",
                             "std::_Bind_result::__call",
                             "std::_Mem_fn_base::operator()",
                             "std::__bind::operator()",
                             "std::__apply_functor",
                             "std::reference_wrapper::operator()",
                             "std::packaged_task::operator()",
                             "std::thread::_State_impl::_M_run",
                             "std::thread::_Impl::_M_run",
                             "std::execute_native_thread_routine",
                             "std::call_once",
                             "std::__thread_proxy",
                             "std::__thread_execute",
                             "std::__async_func::operator()",
                             "std::__async_func::__execute",
                             "std::__async_assoc_state::__execute",
                             "std::__invoke_void_return_wrapper::__call",
                             "std::__packaged_task_func::operator()",
                             "std::__packaged_task_function::operator()",
                             "std::__call_once_proxy",
                             "std::__call_once_param::operator()",
                             "std::__call_once_param::__execute"});
  if (exact) { return Role::kRuntime; }
  return name == "__gthread_once" ? Role::kGlue : Role::kProgram;
}

// "<X as core::ops::function::FnOnce>::call_once" for types that only forward a call.
bool is_call_glue(std::string_view name) {
  if (starts_with_any(name, {"core::ops::function::FnOnce::call_once", "core::ops::function::FnMut::call_mut",
                             "core::ops::function::Fn::call", "core::ops::function::impls::<impl core::ops::function::Fn"})) {
    return true;
  }
  size_t as = name.find(" as core::ops::function::Fn");
  if (!name.starts_with('<') || as == name.npos) { return false; }
  return name.ends_with("::{shim:vtable#0}") ||
         starts_with_any(name.substr(1),
                         {"alloc::boxed::Box ", "core::panic::unwind_safe::AssertUnwindSafe ", "std::panic::AssertUnwindSafe ",
                          "&dyn core::ops::function::Fn", "&mut dyn core::ops::function::Fn", "dyn core::ops::function::Fn",
                          "fn(", "&F ", "&mut F ", "std::", "tokio::runtime::", "rayon_core::"});
}

Role rust_role(std::string_view name) {
  if (is_any(name, {"std::rt::lang_start", "std::rt::lang_start_internal"})) { return Role::kLangStart; }
  std::string_view type = name;  // of "<Type as Trait>::method"
  if (type.starts_with('<')) { type.remove_prefix(1); }
  if (starts_with_any(type, {"tokio::runtime::", "tokio::loom::", "tokio::macros::scoped_tls::", "tokio::task::coop::",
                             "tokio::coop::", "rayon_core::", "rayon::iter::", "rayon::range::", "rayon::vec::",
                             "rayon::slice::Iter", "rayon::slice::chunks::"})) {
    return Role::kRuntime;
  }
  if (starts_with_any(
          name, {"std::rt::lang_start::{", "std::rt::lang_start_internal::{", "std::sys::backtrace::__rust_begin_short_backtrace",
                 "std::sys_common::backtrace::__rust_begin_short_backtrace"})) {
    return Role::kRuntime;
  }
  bool in_thread = starts_with_any(name, {"std::thread::Builder::spawn_unchecked", "std::thread::lifecycle::spawn_unchecked"}) &&
                   (name.find("::{{closure}}") != name.npos || name.find("::{closure#") != name.npos);
  bool begins_thread = name.starts_with("std::sys::") && name.ends_with("::Thread::new::thread_start");
  if (in_thread || begins_thread) { return Role::kRuntime; }
  bool glue = is_call_glue(name) || name == "__rust_try" ||
              starts_with_any(name, {"std::panic::catch_unwind", "std::panicking::try", "std::panicking::catch_unwind",
                                     "std::thread::local::LocalKey::with", "std::thread::local::LocalKey::try_with",
                                     "<core::pin::Pin as core::future::future::Future>::poll",
                                     "<core::future::poll_fn::PollFn as core::future::future::Future>::poll"});
  return glue ? Role::kGlue : Role::kProgram;
}

Role role_of(const Profile& profile, const Function& f) {
  bool has_module = f.module.valid();
  if (has_module && profile[f.module].kernel) { return Role::kProgram; }
  std::string_view module = has_module ? profile.text(profile[f.module].name) : std::string_view();
  bool in_cxx_library = starts_with_any(module, {"libstdc++.so", "libc++.so"});
  if (!f.known) { return in_cxx_library ? Role::kGlue : Role::kProgram; }  // the start of a thread has no symbol there
  std::string name = plain_name(profile.text(f.name));
  if (in_cxx_library && name == "execute_native_thread_routine") { return Role::kRuntime; }
  for (Role role : {libc_role(name, module), cxx_role(name), rust_role(name)}) {
    if (role != Role::kProgram) { return role; }
  }
  return Role::kProgram;
}

class Folder {
 public:
  Folder(Profile profile, std::span<const FunctionId> keep) : b_(std::move(profile)) {
    const Profile& p = b_.so_far();
    std::vector<Role> roles;
    for (const Function& f : p.functions()) { roles.push_back(role_of(p, f)); }
    for (const Function& f : p.functions()) { chain_of_function_.push_back(chain_name(p.text(f.name))); }
    for (FunctionId f : keep) { roles[f.value] = Role::kProgram; }
    old_ = b_.take_stacks();
    find_runs(roles);
  }

  Profile fold() && {
    through_.assign(old_.size(), StackId{});
    for (uint32_t i = 0; i < old_.size(); ++i) {
      if (run_[i] == 0) { through_[i] = b_.stack(old_[i].frame, through(old_[i].caller)); }
    }
    std::vector<StackId> leaf(old_.size());
    b_.change_samples([&](Sample& s) {
      StackId& mapped = leaf[s.stack.value];
      if (!mapped.valid()) {  // the innermost frame is kept
        const Stack& stack = old_[s.stack.value];
        mapped = run_[s.stack.value] == 0 ? through_[s.stack.value] : b_.stack(stack.frame, through(stack.caller));
      }
      s.stack = mapped;
      return true;
    });
    return std::move(b_).build();
  }

 private:
  // run_: consecutive runtime frames up to this one. base_: their caller. chain_: their name.
  void find_runs(const std::vector<Role>& roles) {
    const std::vector<Stack>& stacks = old_;
    const Profile& p = b_.so_far();
    auto role = [&](const Stack& s) { return roles[p[s.frame].function.value]; };
    std::vector<bool> starts_rust(stacks.size());
    for (const Stack& s : stacks) {
      if (s.caller.valid() && role(s) == Role::kLangStart) { starts_rust[s.caller.value] = true; }
    }
    run_.assign(stacks.size(), 0);
    base_.assign(stacks.size(), StackId{});
    chain_.assign(stacks.size(), {});
    for (uint32_t i = 0; i < stacks.size(); ++i) {
      StackId caller = stacks[i].caller;
      uint32_t before = caller.valid() ? run_[caller.value] : 0;
      bool is_runtime = false;
      switch (role(stacks[i])) {
        case Role::kProgram: break;
        case Role::kLangStart:
        case Role::kRuntime: is_runtime = true; break;
        case Role::kGlue: is_runtime = before > 0; break;
        case Role::kOutermost: is_runtime = !caller.valid(); break;
        case Role::kMain: is_runtime = starts_rust[i]; break;
      }
      if (!is_runtime) { continue; }
      run_[i] = before + 1;
      base_[i] = before > 0 ? base_[caller.value] : caller;
      chain_[i] = before > 0 ? chain_[caller.value] : chain_of_function_[p[stacks[i].frame].function.value];
    }
  }

  // The stack that callees hang below.
  StackId through(StackId stack) {
    if (!stack.valid() || through_[stack.value].valid()) { return stack.valid() ? through_[stack.value] : StackId{}; }
    uint32_t run = run_[stack.value];
    StackId base = base_[stack.value].valid() ? through_[base_[stack.value].value] : StackId{};
    return through_[stack.value] = b_.stack(run == 1 ? old_[stack.value].frame : folded_frame(run, chain_[stack.value]), base);
  }

  FrameId folded_frame(uint32_t frames, std::string_view chain) {
    auto count = static_cast<uint16_t>(std::min<uint32_t>(frames, UINT16_MAX));
    return b_.frame({.function = b_.function(chain, {}, {}), .folded = count});
  }

  ProfileBuilder b_;
  std::vector<Stack> old_;
  std::vector<uint32_t> run_;
  std::vector<StackId> base_, through_;
  std::vector<std::string_view> chain_of_function_, chain_;
};

}  // namespace

Profile fold_runtime_frames(Profile profile, std::span<const FunctionId> keep) { return Folder(std::move(profile), keep).fold(); }

std::string describe_folded(const FoldedFrames& folded, std::string_view name) {
  std::string count = std::to_string(folded.least);
  if (folded.most != folded.least) { count += "-" + std::to_string(folded.most); }
  count += " runtime frames";
  return name == kRuntimeFrames ? count : count + " (" + std::string(name.substr(1, name.size() - 2)) + ")";
}

}  // namespace wick
