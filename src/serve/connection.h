// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// One request and its answer, on a socket that does not block.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"

namespace wick {

class Connection {
 public:
  explicit Connection(Fd fd);

  int fd() const { return fd_.get(); }
  short events() const;  // for poll()

  // Reads or writes what is possible now. Returns the head of a request when it is complete (or too long), once.
  std::optional<std::string_view> go_on();
  bool is_too_long() const { return is_too_long_; }

  // Answers; go_on() writes it. `pieces` must outlive the connection.
  void send(std::string_view type, std::vector<std::string_view> pieces);
  void send_text(std::string_view type, std::string text);
  void redirect(const std::string& path);
  void refuse(int status);
  // Sends the start of an answer that ends when either side closes.
  void keep_open();

  // Has asked for nothing yet, or has its answer.
  bool is_idle() const { return state_ == State::kReading || state_ == State::kDraining; }
  // A page is open, or is being loaded.
  bool shows_a_page() const { return state_ == State::kOpen || (state_ == State::kSending && is_large_); }
  // Closed, or silent for too long.
  bool is_over(uint64_t now_ns) const;

 private:
  enum class State : uint8_t { kReading, kSending, kOpen, kDraining, kClosed };

  void begin(int status, std::string_view fields, std::vector<std::string_view> pieces);
  std::optional<std::string_view> read_head();
  void write_pieces();
  void drain();
  bool may_try_again() const;

  Fd fd_;
  State state_ = State::kReading;
  std::string input_, head_, text_;
  std::vector<std::string_view> pieces_;  // to be sent, with head_ first
  size_t next_piece_ = 0, next_byte_ = 0;
  bool is_too_long_ = false, stays_open_ = false, is_large_ = false;
  uint64_t last_progress_ns_;
};

}  // namespace wick
