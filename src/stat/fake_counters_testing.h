// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A kernel with PMUs as a test describes them.

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "stat/counters.h"

namespace wick::stat {

class FakeCounters : public CounterPort {
 public:
  struct Opened {
    perf_event_attr attr;
    pid_t pid;
    int cpu, leader;
  };
  // 0, or the errno of opening this event. Default: everything opens.
  std::function<int(const perf_event_attr&)> refuses = [](const perf_event_attr&) { return 0; };
  size_t most_in_group = 100;  // of hardware events
  std::map<int, Opened> opened;
  std::function<GroupReading(const Opened& leader, size_t size)> reads;

  int open(perf_event_attr& attr, pid_t pid, int cpu, int leader) override {
    if (int error = refuses(attr); error != 0) { return -error; }
    bool is_software = attr.type == PERF_TYPE_SOFTWARE;
    size_t members = 1;
    for (const auto& [handle, event] : opened) { members += leader >= 0 && (handle == leader || event.leader == leader); }
    if (!is_software && members > most_in_group) { return -EINVAL; }
    opened[next_] = {attr, pid, cpu, leader};
    return next_++;
  }
  void close(int handle) override { opened.erase(handle); }
  void enable(int) override {}
  void disable(int) override {}
  std::optional<GroupReading> read(int leader, size_t size) override {
    if (!reads) { return std::nullopt; }
    return reads(opened.at(leader), size);
  }

 private:
  int next_ = 100;
};

// A directory like /sys with these files below bus/event_source/devices.
class FakeSysfs {
 public:
  FakeSysfs() {
    std::string name = (std::filesystem::temp_directory_path() / "wick-sysfs-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  FakeSysfs(const FakeSysfs&) = delete;
  FakeSysfs& operator=(const FakeSysfs&) = delete;
  ~FakeSysfs() { std::filesystem::remove_all(path_); }

  void add(const std::string& file, const std::string& text) {
    std::filesystem::path path = path_ + "/bus/event_source/devices/" + file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text << "\n";
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace wick::stat
