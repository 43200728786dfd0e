// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/connection.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/clock.h"
#include "base/text.h"
#include "serve/request.h"

namespace wick {
namespace {

constexpr uint64_t kSecondNs = 1'000'000'000;
constexpr uint64_t kReadPatienceNs = 10 * kSecondNs, kSendPatienceNs = 120 * kSecondNs, kDrainPatienceNs = kSecondNs;
constexpr size_t kLarge = size_t{64} << 10;

// Browsers must not store the answer, guess its type, show it in a frame or send its URL to other sites. The page contains the
// rest of the Content-Security-Policy; frame-ancestors works only as a header.
constexpr std::string_view kCommonFields =
    "Cache-Control: no-store\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "X-Frame-Options: DENY\r\n"
    "Content-Security-Policy: frame-ancestors 'none'\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "Cross-Origin-Opener-Policy: same-origin\r\n"
    "Connection: close\r\n";

std::string_view reason_of(int status) {
  switch (status) {
    case 200: return "OK";
    case 303: return "See Other";
    case 400: return "Bad Request";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 413: return "Content Too Large";
    case 431: return "Request Header Fields Too Large";
    default: return "Error";
  }
}

}  // namespace

Connection::Connection(Fd fd) : fd_(std::move(fd)), last_progress_ns_(now_ns()) {}

short Connection::events() const {
  if (state_ == State::kSending) { return POLLOUT; }
  return state_ == State::kOpen ? POLLIN | POLLRDHUP : POLLIN;
}

bool Connection::is_over(uint64_t now) const {
  uint64_t silent_ns = now > last_progress_ns_ ? now - last_progress_ns_ : 0;
  switch (state_) {
    case State::kReading: return silent_ns > kReadPatienceNs;
    case State::kSending: return silent_ns > kSendPatienceNs;
    case State::kDraining: return silent_ns > kDrainPatienceNs;
    case State::kOpen: return false;
    case State::kClosed: return true;
  }
  return true;
}

std::optional<std::string_view> Connection::go_on() {
  if (state_ == State::kReading) { return read_head(); }
  if (state_ == State::kSending) { write_pieces(); }
  if (state_ == State::kDraining || state_ == State::kOpen) { drain(); }
  return std::nullopt;
}

// Time counts from the start of the connection: a client that sends a byte now and then does not stay.
std::optional<std::string_view> Connection::read_head() {
  char buffer[kMostRequestBytes + 1];
  for (;;) {
    ssize_t n = ::recv(fd_.get(), buffer, kMostRequestBytes + 1 - input_.size(), 0);
    if (n < 0 && may_try_again()) { return std::nullopt; }
    if (n <= 0) {
      state_ = State::kClosed;
      return std::nullopt;
    }
    input_.append(buffer, static_cast<size_t>(n));
    if (size_t end = find_request_end(input_); end != 0 && end <= kMostRequestBytes) {
      return std::string_view(input_).substr(0, end);
    }
    if (input_.size() > kMostRequestBytes) {
      is_too_long_ = true;
      return std::string_view(input_);
    }
  }
}

void Connection::begin(int status, std::string_view fields, std::vector<std::string_view> pieces) {
  head_ = strf("HTTP/1.1 %d ", status);
  head_.append(reason_of(status)).append("\r\n").append(kCommonFields).append(fields);
  if (!stays_open_) {
    uint64_t size = 0;
    for (std::string_view piece : pieces) { size += piece.size(); }
    head_ += "Content-Length: " + std::to_string(size) + "\r\n";
    is_large_ = size > kLarge;
  }
  head_ += "\r\n";
  pieces_ = std::move(pieces);
  pieces_.insert(pieces_.begin(), head_);
  state_ = State::kSending;
  last_progress_ns_ = now_ns();
}

void Connection::send(std::string_view type, std::vector<std::string_view> pieces) {
  begin(200, "Content-Type: " + std::string(type) + "\r\n", std::move(pieces));
}
void Connection::send_text(std::string_view type, std::string text) {
  text_ = std::move(text);
  send(type, {text_});
}
void Connection::redirect(const std::string& path) { begin(303, "Location: " + path + "\r\n", {}); }
void Connection::refuse(int status) {
  text_ = std::to_string(status) + " " + std::string(reason_of(status)) + "\n";
  begin(status, status == 405 ? "Allow: GET, POST\r\nContent-Type: text/plain\r\n" : "Content-Type: text/plain\r\n", {text_});
}
void Connection::keep_open() {
  stays_open_ = true;
  begin(200, "Content-Type: text/plain\r\n", {"\n"});
}

void Connection::write_pieces() {
  constexpr size_t kMostAtOnce = 16;
  while (next_piece_ < pieces_.size()) {
    iovec parts[kMostAtOnce];
    size_t count = 0;
    for (size_t i = next_piece_; i < pieces_.size() && count < kMostAtOnce; ++i, ++count) {
      std::string_view rest = pieces_[i].substr(i == next_piece_ ? next_byte_ : 0);
      parts[count] = {const_cast<char*>(rest.data()), rest.size()};
    }
    msghdr message{};
    message.msg_iov = parts;
    message.msg_iovlen = count;
    ssize_t n = ::sendmsg(fd_.get(), &message, MSG_NOSIGNAL);
    if (n < 0) {
      if (!may_try_again()) { state_ = State::kClosed; }
      return;
    }
    last_progress_ns_ = now_ns();
    for (next_byte_ += static_cast<size_t>(n); next_piece_ < pieces_.size() && next_byte_ >= pieces_[next_piece_].size();) {
      next_byte_ -= pieces_[next_piece_++].size();
    }
  }
  // Closing with unread input would reset the connection, and the client might lose the answer.
  state_ = stays_open_ ? State::kOpen : State::kDraining;
  if (!stays_open_) { ::shutdown(fd_.get(), SHUT_WR); }
}

void Connection::drain() {
  char buffer[4096];
  for (int i = 0; i < 16; ++i) {
    ssize_t n = ::recv(fd_.get(), buffer, sizeof buffer, 0);
    if (n < 0 && may_try_again()) { return; }
    if (n <= 0) {
      state_ = State::kClosed;
      return;
    }
  }
}

bool Connection::may_try_again() const { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

}  // namespace wick
