// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Builds small perf.data files for tests, in either byte order, as a file or as a pipe.

#include <linux/perf_event.h>
#include <zstd.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/byte_writer.h"

namespace wick {

class PerfDataMaker {
 public:
  explicit PerfDataMaker(bool swapped = false) : swapped_(swapped) {}

  static constexpr uint64_t kType =
      PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;

  struct Attr {
    uint32_t type = PERF_TYPE_SOFTWARE;
    uint64_t config = PERF_COUNT_SW_CPU_CLOCK, rate_hz = 997, sample_type = kType, read_format = 0, branch_type = 0,
             registers = 0;
    std::vector<uint64_t> ids = {1};
    std::string name = "cpu-clock";
  };
  void add_attr(Attr attr) { attrs_.push_back(std::move(attr)); }

  // Values in the byte order of the file.
  struct Writer : ByteWriter {
    explicit Writer(bool turn) : swapped(turn) {}
    void w16(uint16_t v) { u16(swapped ? __builtin_bswap16(v) : v); }
    void w32(uint32_t v) { u32(swapped ? __builtin_bswap32(v) : v); }
    void w64(uint64_t v) { u64(swapped ? __builtin_bswap64(v) : v); }
    void name(std::string_view s) {  // zero-terminated, to the next 8 bytes
      bytes({reinterpret_cast<const uint8_t*>(s.data()), s.size()});
      do { u8(0); } while (size() % 8 != 0);
    }
    bool swapped;
  };
  Writer writer() const { return Writer(swapped_); }

  std::vector<uint8_t> record(uint32_t type, uint16_t misc, const Writer& body) const {
    Writer w(swapped_);
    w.w32(type), w.w16(misc), w.w16(static_cast<uint16_t>(8 + body.size()));
    w.bytes(body.data());
    return w.take();
  }
  void add(uint32_t type, uint16_t misc, const Writer& body) { add_bytes(record(type, misc, body)); }
  void add_bytes(const std::vector<uint8_t>& bytes) { records_.insert(records_.end(), bytes.begin(), bytes.end()); }
  const std::vector<uint8_t>& records() const { return records_; }

  // The ID fields after records other than samples, for kType.
  void trailer(Writer& w, uint64_t time_ns, uint64_t id, uint32_t cpu = 0) const {
    w.w32(0), w.w32(0), w.w64(time_ns), w.w32(cpu), w.w32(0), w.w64(id);
  }
  void add_exit(uint32_t pid, uint32_t tid, uint64_t time_ns, uint32_t cpu) {
    Writer w = writer();
    w.w32(pid), w.w32(1), w.w32(tid), w.w32(1), w.w64(time_ns);
    trailer(w, time_ns, 1, cpu);
    add(PERF_RECORD_EXIT, 0, w);
  }
  void add_comm(uint32_t pid, std::string_view name, uint64_t time_ns, bool exec = false) {
    Writer w = writer();
    w.w32(pid), w.w32(pid), w.name(name);
    trailer(w, time_ns, 1);
    add(PERF_RECORD_COMM, exec ? PERF_RECORD_MISC_COMM_EXEC : 0, w);
  }
  void add_mmap(uint32_t pid, uint64_t start, uint64_t length, uint64_t offset, std::string_view path, uint64_t time_ns,
                const std::vector<uint8_t>& build_id = {}) {
    Writer w = writer();
    w.w32(pid), w.w32(pid), w.w64(start), w.w64(length), w.w64(offset);
    if (build_id.empty()) {
      w.w32(8), w.w32(1), w.w64(0), w.w64(0);
    } else {
      w.u8(static_cast<uint8_t>(build_id.size())), w.u8(0), w.u8(0), w.u8(0);
      for (size_t i = 0; i < 20; ++i) { w.u8(i < build_id.size() ? build_id[i] : 0); }
    }
    w.w32(5), w.w32(2);
    w.name(path);
    trailer(w, time_ns, 1);
    add(PERF_RECORD_MMAP2, static_cast<uint16_t>(PERF_RECORD_MISC_USER | (build_id.empty() ? 0 : PERF_RECORD_MISC_MMAP_BUILD_ID)),
        w);
  }
  // The fields of kType; the caller appends others.
  Writer sample(uint64_t id, uint64_t ip, uint32_t pid, uint32_t tid, uint64_t time_ns, uint64_t period) const {
    Writer w = writer();
    w.w64(id), w.w64(ip), w.w32(pid), w.w32(tid), w.w64(time_ns), w.w32(3), w.w32(0), w.w64(period);
    return w;
  }
  void add_sample(const Writer& body, uint16_t misc = PERF_RECORD_MISC_USER) { add(PERF_RECORD_SAMPLE, misc, body); }
  void end_round() { add(68, 0, writer()); }
  // Compresses all records so far, in pieces of `piece` bytes.
  void compress(size_t piece) {
    std::vector<uint8_t> packed(ZSTD_compressBound(records_.size()));
    packed.resize(ZSTD_compress(packed.data(), packed.size(), records_.data(), records_.size(), 1));
    records_.clear();
    for (size_t at = 0; at < packed.size(); at += piece) {
      Writer w = writer();
      w.bytes(std::span(packed).subspan(at, std::min(piece, packed.size() - at)));
      add(81, 0, w);
    }
  }

  void set_text(uint32_t feature, std::string text) { texts_.push_back({feature, std::move(text)}); }
  void set_cpu_count(uint32_t count) { cpu_count_ = count; }
  void add_build_id(std::string path, std::vector<uint8_t> id, bool kernel) {
    Writer w = writer();
    w.w32(0);
    id.resize(20);
    w.bytes(id), w.u8(20), w.u8(0), w.u8(0), w.u8(0);
    w.name(path);
    uint16_t mode = kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
    std::vector<uint8_t> entry = record(67, static_cast<uint16_t>(mode | 1 << 15), w);
    build_ids_.insert(build_ids_.end(), entry.begin(), entry.end());
  }

  std::vector<uint8_t> file(bool finished = true) const {
    constexpr uint64_t kHeader = 104, kAttr = 128;
    Writer ids(swapped_), attrs(swapped_), out(swapped_);
    for (const Attr& a : attrs_) {
      put_attr(attrs, a);
      attrs.w64(kHeader + ids.size()), attrs.w64(8 * a.ids.size());
      for (uint64_t id : a.ids) { ids.w64(id); }
    }
    uint64_t attrs_at = kHeader + ids.size(), data_at = attrs_at + attrs.size();
    auto features = feature_bytes();
    uint64_t bits = 0;
    for (const auto& [number, bytes] : features) { bits |= uint64_t{1} << number; }
    out.bytes(magic());
    out.w64(kHeader), out.w64(kAttr + 16), out.w64(attrs_at), out.w64(attrs.size()), out.w64(data_at);
    out.w64(finished ? records_.size() : 0), out.w64(0), out.w64(0), out.w64(bits), out.w64(0), out.w64(0), out.w64(0);
    out.bytes(ids.data()), out.bytes(attrs.data()), out.bytes(records_);
    if (!finished) { return out.take(); }
    uint64_t at = out.size() + 16 * features.size();
    for (const auto& [number, bytes] : features) {
      out.w64(at), out.w64(bytes.size());
      at += bytes.size();
    }
    for (const auto& [number, bytes] : features) { out.bytes(bytes); }
    return out.take();
  }
  std::vector<uint8_t> pipe() const {
    Writer out(swapped_);
    out.bytes(magic()), out.w64(16);
    for (const Attr& a : attrs_) {
      Writer w = writer();
      put_attr(w, a);
      for (uint64_t id : a.ids) { w.w64(id); }
      out.bytes(record(64, 0, w));
    }
    for (const auto& [number, bytes] : feature_bytes()) {
      Writer w = writer();
      w.w64(number), w.bytes(bytes);
      while (w.size() % 8 != 0) { w.u8(0); }
      out.bytes(record(80, 0, w));
    }
    out.bytes(records_);
    return out.take();
  }

 private:
  std::vector<uint8_t> magic() const {
    std::string_view text = swapped_ ? "2ELIFREP" : "PERFILE2";
    return {text.begin(), text.end()};
  }
  void put_text(Writer& w, std::string_view text) const {
    size_t room = (text.size() + 64) / 64 * 64;
    w.w32(static_cast<uint32_t>(room));
    w.bytes({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
    for (size_t i = text.size(); i < room; ++i) { w.u8(0); }
  }
  void put_attr(Writer& w, const Attr& a) const {
    w.w32(a.type), w.w32(128), w.w64(a.config), w.w64(a.rate_hz), w.w64(a.sample_type), w.w64(a.read_format);
    // freq and sample_id_all: bit fields, which begin at the other end of each byte in the other byte order.
    w.u8(0), w.u8(swapped_ ? 0x20 : 0x04), w.u8(swapped_ ? 0x20 : 0x04), w.u8(0), w.u32(0);
    w.w32(0), w.w32(0), w.w64(0), w.w64(0), w.w64(a.branch_type), w.w64(a.registers);
    for (int i = 0; i < 5; ++i) { w.w64(0); }
  }
  std::vector<std::pair<uint64_t, std::vector<uint8_t>>> feature_bytes() const {
    std::vector<std::pair<uint64_t, std::vector<uint8_t>>> out;
    if (!build_ids_.empty()) { out.push_back({2, build_ids_}); }
    if (cpu_count_ != 0) {
      Writer w = writer();
      w.w32(cpu_count_), w.w32(cpu_count_);
      out.push_back({7, w.take()});
    }
    for (const auto& [number, text] : texts_) {
      Writer w = writer();
      put_text(w, text);
      out.push_back({number, w.take()});
    }
    Writer names = writer();
    names.w32(static_cast<uint32_t>(attrs_.size())), names.w32(128);
    for (const Attr& a : attrs_) {
      put_attr(names, a);
      names.w32(static_cast<uint32_t>(a.ids.size()));
      put_text(names, a.name);
      for (uint64_t id : a.ids) { names.w64(id); }
    }
    out.push_back({12, names.take()});
    std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    return out;
  }

  bool swapped_;
  uint32_t cpu_count_ = 0;
  std::vector<Attr> attrs_;
  std::vector<uint8_t> records_, build_ids_;
  std::vector<std::pair<uint32_t, std::string>> texts_;  // by feature, ascending
};

}  // namespace wick
