// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// One thread polls non-blocking sockets, so a slow client does not delay others, and a signal stops the server at once. Every
// connection has one request. Debian's cpp-httplib is a shared library that needs OpenSSL and brotli, and uses a thread for each
// open stream.

#include "serve/server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <utility>

#include "base/clock.h"
#include "base/text.h"
#include "serve/connection.h"

namespace wick {
namespace {

constexpr size_t kMostConnections = 128;
constexpr int kTickMs = 500, kMostAtOnce = 16;

class Loop {
 public:
  Loop(const Fd& listener, Access& access, const Served& served, const Patience& patience)
      : listener_(listener), access_(access), served_(served), patience_(patience), looked_at_ns_(now_ns()) {}

  ServeEnd run(int stop_fd) {
    for (;;) {
      std::vector<pollfd> polled = {{stop_fd, POLLIN, 0}, {listener_.get(), POLLIN, 0}};
      for (const auto& c : connections_) { polled.push_back({c->fd(), c->events(), 0}); }
      int ready = ::poll(polled.data(), polled.size(), kTickMs);
      if (ready > 0 && polled[0].revents != 0) { return ServeEnd::kStopped; }
      for (size_t i = 2; i < polled.size(); ++i) {
        if (ready > 0 && polled[i].revents != 0) { go_on(*connections_[i - 2]); }
      }
      if (ready > 0 && polled[1].revents != 0) { accept_some(); }
      uint64_t now = now_ns();
      std::erase_if(connections_, [&](const auto& c) { return c->is_over(now); });
      if (is_asked_) { return ServeEnd::kAsked; }
      bool is_watched = std::any_of(connections_.begin(), connections_.end(), [](const auto& c) { return c->shows_a_page(); });
      if (is_watched) { looked_at_ns_ = now; }
      uint64_t limit_ns = has_had_page_ ? patience_.last_page_ns : patience_.first_page_ns;
      if (now - looked_at_ns_ > limit_ns) { return has_had_page_ ? ServeEnd::kPagesGone : ServeEnd::kNeverOpened; }
    }
  }

 private:
  void accept_some() {
    for (int i = 0; i < kMostAtOnce; ++i) {
      Fd fd(::accept4(listener_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
      if (!fd) {
        bool is_short_of_fds = errno == EMFILE || errno == ENFILE;
        if (is_short_of_fds) { ::usleep(50'000); }  // poll() would report the waiting client at once
        return;
      }
      if (connections_.size() >= kMostConnections) {
        auto idle = std::find_if(connections_.begin(), connections_.end(), [](const auto& c) { return c->is_idle(); });
        if (idle == connections_.end()) { return; }
        connections_.erase(idle);  // the oldest
      }
      connections_.push_back(std::make_unique<Connection>(std::move(fd)));
    }
  }

  void go_on(Connection& c) {
    std::optional<std::string_view> head = c.go_on();
    if (!head) { return; }
    Verdict verdict = c.is_too_long() ? Verdict{431} : judge_request(*head, access_);
    if (verdict.status == 200) { verdict = give(c, verdict); }
    if (verdict.status != 200) { c.refuse(verdict.status); }
    static_cast<void>(c.go_on());
  }

  Verdict give(Connection& c, const Verdict& verdict) {
    switch (verdict.resource) {
      case Resource::kPage: c.send("text/html; charset=utf-8", served_.page); break;
      case Resource::kProfile: c.send("application/octet-stream", served_.profile); break;
      case Resource::kCode: {
        std::optional<std::string> code = served_.code ? served_.code(verdict.function) : std::nullopt;
        if (!code) { return {404}; }
        c.send_text("application/json", std::move(*code));
        break;
      }
      case Resource::kAlive:
        has_had_page_ = true;
        c.keep_open();
        break;
      case Resource::kQuit:
        is_asked_ = true;
        c.send_text("text/plain", "");
        break;
      case Resource::kVisit:
        access_.visit_token.clear();
        c.redirect("/" + access_.token + "/");
        break;
      case Resource::kNone: return {404};
    }
    return verdict;
  }

  const Fd& listener_;
  Access& access_;
  const Served& served_;
  const Patience& patience_;
  std::vector<std::unique_ptr<Connection>> connections_;  // oldest first
  bool has_had_page_ = false, is_asked_ = false;
  uint64_t looked_at_ns_;
};

}  // namespace

Result<Server> Server::listen(uint16_t port) {
  Server server;
  server.listener_ = Fd(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!server.listener_) { return Error::from_errno(errno, "cannot make a socket"); }
  int on = 1;
  ::setsockopt(server.listener_.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  bool good = ::bind(server.listener_.get(), generic, size) == 0 && ::listen(server.listener_.get(), SOMAXCONN) == 0 &&
              ::getsockname(server.listener_.get(), generic, &size) == 0;
  if (!good) { return Error::from_errno(errno, "cannot listen on 127.0.0.1:%u", port); }
  server.access_.address = strf("127.0.0.1:%u", ntohs(address.sin_port));
  WICK_LET(server.access_.token, make_token());
  WICK_LET(server.access_.visit_token, make_token());
  return server;
}

ServeEnd Server::run(const Served& served, int stop_fd, const Patience& patience) {
  return Loop(listener_, access_, served, patience).run(stop_fd);
}

}  // namespace wick
