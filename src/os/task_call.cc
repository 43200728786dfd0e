// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "os/task_call.h"

#include <fcntl.h>
#include <unistd.h>

#include <charconv>

#include "base/text.h"

namespace wick {
namespace {

std::optional<uint64_t> take_hex(std::string_view& text) {
  if (!text.starts_with(" 0x")) { return std::nullopt; }
  text.remove_prefix(3);
  uint64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (error != std::errc{}) { return std::nullopt; }
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return value;
}

}  // namespace

std::optional<TaskCall> parse_task_call(std::string_view text) {
  TaskCall call;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), call.number);
  if (error != std::errc{} || call.number < -1) { return std::nullopt; }  // "running"
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  if (call.number >= 0) {
    for (uint64_t& argument : call.arguments) {
      std::optional<uint64_t> value = take_hex(text);
      if (!value) { return std::nullopt; }
      argument = *value;
    }
  }
  std::optional<uint64_t> sp = take_hex(text), pc = sp ? take_hex(text) : std::nullopt;
  if (!pc || (!text.empty() && text != "\n")) { return std::nullopt; }
  call.sp = *sp;
  call.pc = *pc;
  return call;
}

Fd open_task_call(pid_t pid, pid_t tid) {
  return Fd(::open(strf("/proc/%d/task/%d/syscall", pid, tid).c_str(), O_RDONLY | O_CLOEXEC));
}

std::optional<TaskCall> read_task_call(const Fd& file) {
  char text[256];
  ssize_t size = ::pread(file.get(), text, sizeof text, 0);
  return size > 0 ? parse_task_call({text, static_cast<size_t>(size)}) : std::nullopt;
}

}  // namespace wick
